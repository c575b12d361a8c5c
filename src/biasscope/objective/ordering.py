"""Orders: comparisons of people, sizes of numbers, overtaking runners, seats in a row.

Cases are made from a known order; questions are solved by trying all orders, by counting, or by following the
places. The slip is two neighbours swapped, a change left out, or a seat counted once too often or too few.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise, permutations

from biasscope.objective.draw import Draw
from biasscope.objective.family import Case, Family, Kind, words

NAMES = words(
    """
    Abe Bea Cal Dot Eve Fay Gil Hal Ira Jo Kit Lou Max Ned Ola Pam Quin Ron Sue Tom Una Val Wes Xena Yul Zed
    """
)
RANKS = ("first", "second", "third", "fourth", "fifth")
COMPARISONS = (
    ("older", "younger", "oldest", "youngest"),
    ("taller", "shorter", "tallest", "shortest"),
    ("faster", "slower", "fastest", "slowest"),
    ("stronger", "weaker", "strongest", "weakest"),
    ("richer", "poorer", "richest", "poorest"),
)


def _swap_neighbours(line: Sequence[str], place: int, draw: Draw) -> list[str]:
    other = place + draw.sign()
    swapped = list(line)
    swapped[place], swapped[other] = swapped[other], swapped[place]
    return swapped


def _line_values(line: Sequence[str], place: int) -> dict[str, object]:
    return {"line": ", ".join(line), "head": line[0], "tail": ", ".join(line[1:]), "answer": line[place]}


def _draw_people(draw: Draw) -> Case:
    line = draw.sample(NAMES, 5)
    more, less, most, least = draw.choose(COMPARISONS)
    if draw.chance(0.5):
        more, less, most, least = less, more, least, most
    place = draw.integer(1, 3)
    facts = [
        f"{a} is {more} than {b}." if draw.chance(0.5) else f"{b} is {less} than {a}." for a, b in pairwise(line)
    ]
    fields = {"facts": " ".join(draw.shuffle(facts)), "rank": RANKS[place], "most": most}
    return Case(fields, _line_values(line, place), _line_values(_swap_neighbours(line, place, draw), place))


def _solve_people(fields: Mapping[str, str]) -> str | None:
    """Try every order; there must be one alone that fits all comparisons."""
    axis = next((axis for axis in COMPARISONS if fields["most"] in axis), None)
    facts: list[tuple[str, str, str]] = re.findall(r"(\w+) is (\w+) than (\w+)\.", fields["facts"])
    people = sorted({name for a, _, b in facts for name in (a, b)})
    if axis is None or not 2 <= len(people) <= 6 or any(word not in axis[:2] for _, word, _ in facts):
        return None
    if fields["rank"] not in RANKS[: len(people)]:
        return None
    above = [(a, b) if word == axis[0] else (b, a) for a, word, b in facts]
    orders = [o for o in permutations(people) if all(o.index(a) < o.index(b) for a, b in above)]
    if len(orders) != 1:
        return None
    from_top = orders[0] if fields["most"] == axis[2] else orders[0][::-1]
    return from_top[RANKS.index(fields["rank"])]


def _draw_numbers(draw: Draw) -> Case:
    start = 10 * draw.integer(12, 90)
    numbers = [str(n) for n in draw.sample(range(start, start + 80), 5)]
    most = draw.choose(("smallest", "largest"))
    line = sorted(numbers, key=int, reverse=most == "largest")
    place = draw.integer(1, 3)
    fields = {"numbers": ", ".join(numbers), "rank": RANKS[place], "most": most}
    return Case(fields, _line_values(line, place), _line_values(_swap_neighbours(line, place, draw), place))


def _solve_numbers(fields: Mapping[str, str]) -> str | None:
    """Find the number with as many on its near side as the rank says."""
    if not re.fullmatch(r"[0-9]{1,7}(, [0-9]{1,7}){1,20}", fields["numbers"]) or fields["rank"] not in RANKS:
        return None
    numbers = [int(word) for word in fields["numbers"].split(", ")]
    nearer = {
        "smallest": [sum(other < n for other in numbers) for n in numbers],
        "largest": [sum(other > n for other in numbers) for n in numbers],
    }.get(fields["most"])
    if nearer is None or RANKS.index(fields["rank"]) not in nearer:
        return None
    return str(numbers[nearer.index(RANKS.index(fields["rank"]))])


def _overtake(line: Sequence[str], movers: Sequence[str], *, missed: int | None = None) -> list[list[str]]:
    """Give the order after each change; the missed one, and passing by the leader, change nothing."""
    lines = [list(line)]
    for change, mover in enumerate(movers):
        now = list(lines[-1])
        at = now.index(mover)
        if at > 0 and change != missed:
            now[at - 1], now[at] = now[at], now[at - 1]
        lines.append(now)
    return lines[1:]


def _draw_race(draw: Draw) -> Case:
    line, place = draw.sample(NAMES, 5), draw.integer(0, 4)
    while True:
        movers: list[str] = []
        right = [line]
        while len(movers) < 3:
            movers.append(draw.choose(right[-1][1:]))
            right = _overtake(line, movers)
        slipped = (_overtake(line, movers, missed=change) for change in range(3))
        wrong = [lines for lines in slipped if lines[-1][place] != right[-1][place]]
        if wrong:
            break
    fields = {
        "line": ", ".join(line),
        "events": " ".join(f"Then {mover} passes the runner directly ahead." for mover in movers),
        "rank": RANKS[place],
    }
    values = (
        {key: ", ".join(now) for key, now in zip(("one", "two", "three"), lines, strict=True)}
        | {"answer": lines[-1][place]}
        for lines in (right, draw.choose(wrong))
    )
    return Case(fields, *values)


def _solve_race(fields: Mapping[str, str]) -> str | None:
    """Follow places, not an order: who passes takes one place less, and whoever had it gets one more."""
    places = {name: place for place, name in enumerate(fields["line"].split(", "))}
    for mover in re.findall(r"Then (\w+) passes the runner directly ahead\.", fields["events"]):
        ahead = next((name for name, place in places.items() if place == places.get(mover, 0) - 1), None)
        if ahead is None:
            return None
        places[mover], places[ahead] = places[ahead], places[mover]
    at = {place: name for name, place in places.items()}
    return at.get(RANKS.index(fields["rank"])) if fields["rank"] in RANKS else None


def _draw_seats(draw: Draw) -> Case:
    a, b, c = draw.sample(NAMES, 3)
    k, j = draw.sample(range(4, 19), 2)
    p = draw.integer(j + 3, j + 40)
    slip = draw.sign()
    right, wrong = ({"second": p + k + by, "answer": p + k - j + by} for by in (0, slip))
    return Case({"a": a, "b": b, "c": c, "p": p, "k": k, "j": j}, right, wrong)


def _solve_seats(fields: Mapping[str, str]) -> str:
    return str(int(fields["p"]) - int(fields["j"]) + int(fields["k"]))


PEOPLE = Kind(
    (
        "{facts} Who is the {rank} {most} of them?",
        "Five people are compared. {facts} Which of them is the {rank} {most}?",
        "Given is this: {facts} Name the {rank} {most} person.",
    ),
    (
        (
            "Each sentence compares two of the five people.",
            "Chaining the comparisons from the {most} onwards gives the line {line}.",
            "Every comparison that was given joins two neighbours in it.",
            "Counting to the {rank} place from the front of this line finds the person.",
        ),
        (
            "The comparisons can be put into one row, {most} first.",
            "That row reads {line}.",
            "No one else is mentioned, so all five have their place.",
            "The person asked about stands at the {rank} place of the row.",
        ),
        (
            "Begin with the person who is {most}, who is {head}.",
            "Following the comparisons down from there, the next ones are {tail} in this order.",
            "The {rank} person in this sequence is the one that has to be named.",
        ),
    ),
    _draw_people,
    _solve_people,
)
NUMBERS = Kind(
    (
        "Which is the {rank} {most} of the numbers {numbers}?",
        "Here are five numbers: {numbers}. What is the {rank} {most} of them?",
        "Sort {numbers} by size. Which of these numbers is the {rank} {most}?",
    ),
    (
        (
            "Compare the hundreds first, then the tens, then the units.",
            "Arranged with the {most} number first, the list becomes {line}.",
            "The {rank} number in this arrangement is the one that the question asks for.",
        ),
        (
            "Sorting the five numbers makes the answer easy to read off.",
            "With the {most} one in front, the sorted list is {line}.",
            "Going along it to the {rank} entry gives the number that was asked for.",
        ),
        (
            "There are five numbers to arrange by size.",
            "The {most} of them is {head}, and after it come {tail} in turn.",
            "Counting that one as number one, the {rank} number of this arrangement is the wanted one.",
        ),
    ),
    _draw_numbers,
    _solve_numbers,
)
RACE = Kind(
    (
        "Five runners are in the order {line}, the leader named first. {events} Who is {rank} now?",
        "A race starts in the order {line}, from front to back. {events} Which runner is then {rank}?",
    ),
    (
        (
            "Write the order down and carry out the changes one by one.",
            "After the first change it is {one}.",
            "After the second it is {two}; after the third it is {three}.",
            "The {rank} name is the one wanted.",
        ),
        (
            "Only neighbours change places, so the order is easy to follow.",
            "The first change gives {one}.",
            "The second gives {two}; the third gives {three}.",
            "Read off the {rank} place there.",
        ),
        (
            "Three changes have to be made to the starting order.",
            "They lead in turn to {one}; then to {two}; at last to {three}.",
            "The runner at the {rank} place of the last order is meant.",
        ),
    ),
    _draw_race,
    _solve_race,
)
SEATS = Kind(
    (
        "In a row of seats numbered from the left, {a} has seat {p:d}. {b} sits {k:d} seats to the right of {a}, "
        "and {c} sits {j:d} seats to the left of {b}. Which seat has {c}?",
        "Seats are numbered from left to right. {b} is {k:d} seats right of {a}, {c} is {j:d} seats left of {b}, "
        "and {a} is in seat {p:d}. What is the number of the seat of {c}?",
    ),
    (
        (
            "Start at seat {p}, where {a} sits.",
            "Going {k} seats to the right leads to {b} at seat {second}.",
            "Going back {j} seats to the left from there leads to {c}.",
            "The number of the seat reached in this way is what is asked for.",
        ),
        (
            "The seats are numbered from the left, so right means adding and left means subtracting.",
            "The seat of {b} is {second}, which is {k} places from the seat {p} of {a}.",
            "Then {j} places are taken off to find the seat of {c}.",
        ),
        (
            "Two moves connect the seat of {a} with the seat of {c}.",
            "The first move, {k} to the right from seat {p}, ends at seat {second} with {b}.",
            "The second move, {j} to the left, ends at the seat in question.",
        ),
    ),
    _draw_seats,
    _solve_seats,
)

FAMILY = Family((PEOPLE, NUMBERS, RACE, SEATS))
