"""Code: what a short Python program prints.

Cases are computed beside the program; questions are solved by running its text. The slip is off by one: a
value too many or too few in what a loop, a slice or a condition lets through.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from biasscope.objective.draw import Draw
from biasscope.objective.family import Case, Family, Kind
from biasscope.objective.interpreter import run_program

QUESTIONS = (
    "What does this Python program print?\n\n```python\n{program}\n```",
    "Which number does the following Python program print?\n\n```python\n{program}\n```",
    "Read this Python code and say what it prints.\n\n```python\n{program}\n```",
)


def _solve(fields: Mapping[str, str]) -> str | None:
    return run_program(fields["program"])


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _draw_range(draw: Draw) -> Case:
    start, passes, k = draw.integer(2, 19), draw.integer(5, 6), draw.integer(2, 9)
    stop = start + passes
    program = f"total = 0\nfor i in range({start}, {stop}):\n    total += {k} * i\nprint(total)"
    right, wrong = (
        {"seen": _listed(range(start, end)), "answer": k * sum(range(start, end))}
        for end in (stop, stop + draw.sign())
    )
    return Case({"program": program, "a": start, "b": stop, "k": k}, right, wrong)


def _draw_while(draw: Draw) -> Case:
    divisor = draw.choose((0, 2, 3))
    limit, n, step = draw.integer(1, 5), draw.integer(64, 130), draw.integer(17, 23)
    change = f"n // {divisor}" if divisor else f"n - {step}"
    program = f"n = {n}\ncount = 0\nwhile n > {limit}:\n    n = {change}\n    count += 1\nprint(count)"
    seen = [n]
    while seen[-1] > limit:
        seen.append(seen[-1] // divisor if divisor else seen[-1] - step)
    beyond = seen[-1] // divisor if divisor else seen[-1] - step
    slipped = [*seen, beyond] if draw.chance(0.5) else seen[:-1]
    right, wrong = ({"seen": _listed(values[1:]), "answer": len(values) - 1} for values in (seen, slipped))
    return Case({"program": program, "n": n, "limit": limit}, right, wrong)


def _draw_filter(draw: Draw) -> Case:
    divisor = draw.integer(2, 5)
    rest = draw.integer(0, divisor - 1)
    hits = draw.sample([n for n in range(11, 90) if n % divisor == rest], draw.integer(3, 4))
    others = draw.sample([n for n in range(11, 90) if n % divisor != rest], 3)
    numbers = draw.shuffle([*hits, *others])
    program = f"total = 0\nfor n in {numbers}:\n    if n % {divisor} == {rest}:\n        total += n\nprint(total)"
    slipped = [*hits, others[0]] if draw.chance(0.5) else hits[:-1]
    right, wrong = (
        {"seen": _listed([n for n in numbers if n in taken]), "answer": sum(taken)} for taken in (hits, slipped)
    )
    return Case({"program": program, "divisor": divisor, "rest": rest}, right, wrong)


def _draw_slice(draw: Draw) -> Case:
    numbers = draw.sample(range(11, 90), 9)
    start = draw.integer(1, 3)
    stop = start + draw.integer(3, 4)
    program = f"values = {numbers}\npart = values[{start}:{stop}]\nprint(sum(part))"
    right, wrong = (
        {"seen": _listed(numbers[start:end]), "answer": sum(numbers[start:end])}
        for end in (stop, stop + draw.sign())
    )
    return Case({"program": program, "start": start, "stop": stop}, right, wrong)


def _draw_nested(draw: Draw) -> Case:
    n, start = draw.integer(4, 6), draw.integer(0, 1)
    inner = "i + 1" if start else "i"
    program = (
        f"count = 0\nfor i in range({n}):\n    for j in range({inner}, {n}):\n        count += 1\nprint(count)"
    )
    right, wrong = (
        {"seen": _listed(passes), "answer": sum(passes)}
        for passes in (range(n - offset, -offset, -1) for offset in (start, 1 - start))
    )
    return Case({"program": program, "n": n}, right, wrong)


RANGE = Kind(
    QUESTIONS,
    (
        (
            "The loop variable starts at {a} and moves up by one each time.",
            "Inside the loop it takes the values {seen}.",
            "Each of them is multiplied by {k} and added to the total, which starts at zero.",
            "Afterwards the total is printed.",
        ),
        (
            "The total begins at zero, and the range from {a} to {b} decides what is added.",
            "The numbers visited are {seen}.",
            "Every visit adds {k} times the number, so the printed value is {k} times their sum.",
        ),
        (
            "Only the values that the range produces matter here.",
            "They are {seen}, in this order.",
            "For each one, the program adds {k} times the value.",
            "The number printed at the end is therefore {k} times the sum of these values.",
        ),
    ),
    _draw_range,
    _solve,
)
WHILE = Kind(
    QUESTIONS,
    (
        (
            "The counter grows by one for every pass through the loop.",
            "After the passes, n has the values {seen}.",
            "The condition n > {limit} then ends the loop.",
            "So the counter equals the number of values in this list, and that gets printed.",
        ),
        (
            "Follow n from its start at {n} through the loop.",
            "Pass by pass it becomes {seen}.",
            "Each of these changes is one pass and raises the counter by one.",
            "When the condition no longer holds, the counter is printed.",
        ),
        (
            "The loop keeps running while n > {limit} holds.",
            "Starting from {n}, the values of n become {seen}.",
            "There is one pass for every value in that list.",
            "The printed counter is the number of those passes, as it began at zero.",
        ),
    ),
    _draw_while,
    _solve,
)
FILTER = Kind(
    QUESTIONS,
    (
        (
            "The loop goes through the list and adds some of the numbers to the total.",
            "Added are those that leave {rest} when divided by {divisor}.",
            "In the list, the ones that pass this test are {seen}.",
            "Their sum is what the last line prints.",
        ),
        (
            "The condition compares the remainder by {divisor} with {rest}.",
            "Going from left to right, it lets through {seen}.",
            "The other numbers in the list are skipped without any effect.",
            "What gets printed is the sum of the numbers let through.",
        ),
        (
            "For every number the program looks at the remainder after dividing by {divisor}.",
            "Whenever this is {rest}, the number is added to a total that starts at zero.",
            "That happens for {seen}, and the total is printed after the loop.",
        ),
    ),
    _draw_filter,
    _solve,
)
SLICE = Kind(
    QUESTIONS,
    (
        (
            "Python counts places in a list from zero.",
            "The slice begins at place {start} and is bounded by place {stop}.",
            "The numbers in it are {seen}.",
            "The function in the last line adds up these numbers, and the result of that is printed.",
        ),
        (
            "The second line cuts a part out of the list.",
            "With the bounds {start} and {stop} this part consists of {seen}.",
            "Everything else in the list plays no role from here on.",
            "The last line prints the sum of the part.",
        ),
        (
            "Only the slice from {start} to {stop} matters, since the rest of the list is never used.",
            "Written out, the slice holds {seen}.",
            "Adding up what it holds gives the number that the last line prints.",
        ),
    ),
    _draw_slice,
    _solve,
)
NESTED = Kind(
    QUESTIONS,
    (
        (
            "The outer loop runs {n} times, and the inner loop gets shorter each time.",
            "The numbers of inner passes are {seen}.",
            "Every inner pass raises the counter by one.",
            "The printed value is the sum of these numbers of passes.",
        ),
        (
            "The counter is raised once per pass of the inner loop.",
            "As i goes up from zero, the inner loop makes {seen} passes.",
            "Adding these up over the {n} values of i gives what the program prints.",
        ),
        (
            "Count the inner passes for each value of i, beginning with zero.",
            "They number {seen} in turn.",
            "The counter starts at zero and collects all of them.",
            "At the end the program prints the counter, which is their sum.",
        ),
    ),
    _draw_nested,
    _solve,
)

FAMILY = Family((RANGE, WHILE, FILTER, SLICE, NESTED))
