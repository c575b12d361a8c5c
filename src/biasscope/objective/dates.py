"""Dates and times of day: days after a date, weekdays, days between dates, arrival times.

Cases are made with the standard library's calendar; questions are solved by walking through the days of a
calendar of its own. The slip is a day counted twice or not at all, or an hour not carried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from itertools import islice

from biasscope.objective.draw import Draw
from biasscope.objective.family import Case, Family, Kind

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_Day = tuple[int, int, int]
_LONGEST_WALK = 1000


def _write(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def _read(text: str) -> _Day | None:
    match = re.fullmatch(r"([0-9]{1,2}) ([A-Z][a-z]+) ([0-9]{4})", text)
    if match is None or match[2] not in MONTHS:
        return None
    day, month, year = int(match[1]), MONTHS.index(match[2]) + 1, int(match[3])
    return (day, month, year) if 1 <= day <= _month_length(month, year) else None


def _month_length(month: int, year: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _walk(start: _Day) -> Iterator[_Day]:
    day, month, year = start
    while True:
        yield day, month, year
        day += 1
        if day > _month_length(month, year):
            day, month = 1, month + 1
        if month > 12:
            month, year = 1, year + 1


def _month_starts(draw: Draw, count: int) -> list[date]:
    """Draw `count` months in a row and give their first days, and the first day after them."""
    first = date(draw.integer(1950, 2090), draw.integer(1, 12), 1)
    starts = [first]
    while len(starts) <= count:
        starts.append((starts[-1] + timedelta(days=31)).replace(day=1))
    return starts


def _draw_after(draw: Draw) -> Case:
    first, second, _ = _month_starts(draw, 2)
    start = first.replace(day=draw.integer(4, 25))
    target = second.replace(day=draw.integer(3, 26))
    left = (second - start).days - 1
    name = f"{MONTHS[second.month - 1]} {second.year}"
    slip = draw.sign()
    right, wrong = (
        {"month": MONTHS[first.month - 1], "next": name, "left": left - by, "answer": f"{target.day + by} {name}"}
        for by in (0, slip)
    )
    return Case({"date": _write(start), "n": (target - start).days}, right, wrong)


def _solve_after(fields: Mapping[str, str]) -> str | None:
    start, n = _read(fields["date"]), int(fields["n"])
    if start is None or n > _LONGEST_WALK:
        return None
    day, month, year = next(islice(_walk(start), n, None))
    return f"{day} {MONTHS[month - 1]} {year}"


def _draw_weekday(draw: Draw) -> Case:
    start = _month_starts(draw, 1)[0].replace(day=draw.integer(1, 28))
    weeks, rest = draw.integer(5, 48), draw.integer(2, 5)
    n = 7 * weeks + rest
    slip = draw.sign()
    right, wrong = (
        {"weeks": weeks, "full": 7 * weeks - by, "rest": rest + by}
        | {"answer": WEEKDAYS[(start + timedelta(days=n + by)).weekday()]}
        for by in (0, slip)
    )
    return Case({"date": _write(start), "weekday": WEEKDAYS[start.weekday()], "n": n}, right, wrong)


def _solve_weekday(fields: Mapping[str, str]) -> str | None:
    if fields["weekday"] not in WEEKDAYS:
        return None
    return WEEKDAYS[(WEEKDAYS.index(fields["weekday"]) + int(fields["n"])) % 7]


def _draw_between(draw: Draw) -> Case:
    starts = _month_starts(draw, 3)
    first, middle, final, _ = starts
    start, end = first.replace(day=draw.integer(3, 25)), final.replace(day=draw.integer(3, 26))
    parts = {"left": (middle - start).days - 1, "full": (final - middle).days, "last": end.day}
    slipped = parts | {(part := draw.choose(("left", "full"))): parts[part] + draw.sign()}
    names = {key: MONTHS[day.month - 1] for key, day in zip(("month", "middle", "final"), starts, strict=False)}
    right, wrong = ({**names, **values, "answer": sum(values.values())} for values in (parts, slipped))
    return Case({"start": _write(start), "end": _write(end)}, right, wrong)


def _solve_between(fields: Mapping[str, str]) -> str | None:
    start, end = _read(fields["start"]), _read(fields["end"])
    if start is None or end is None:
        return None
    return next((str(n) for n, day in enumerate(islice(_walk(start), _LONGEST_WALK)) if day == end), None)


def _draw_arrival(draw: Draw) -> Case:
    start_hour, hours, over = draw.integer(5, 13), draw.integer(2, 7), draw.integer(12, 48)
    start_minute = draw.integer(over + 2, 58)
    minutes = 60 + over - start_minute
    by_hour, by_minutes = draw.choose(((1, 0), (0, 10)))
    sign = draw.sign()
    values = []
    for slip in (0, sign):
        hour, rest = start_hour + hours + 1 + slip * by_hour, over + slip * by_minutes
        values.append({"sum": 60 + rest, "over": rest, "hour": hour, "answer": f"{hour}:{rest:02d}"})
    return Case({"start": f"{start_hour}:{start_minute:02d}", "hours": hours, "minutes": minutes}, *values)


def _solve_arrival(fields: Mapping[str, str]) -> str | None:
    match = re.fullmatch(r"([0-9]{1,2}):([0-9]{2})", fields["start"])
    if match is None:
        return None
    total = 60 * int(match[1]) + int(match[2]) + 60 * int(fields["hours"]) + int(fields["minutes"])
    return f"{total // 60 % 24}:{total % 60:02d}"


AFTER = Kind(
    (
        "Which date is {n:d} days after {date}?",
        "Starting from {date}, which date comes {n:d} days later?",
        "Count {n:d} days forward from {date}. Which date is that?",
        "A parcel was sent on {date} and arrived {n:d} days later. On which date did it arrive?",
    ),
    (
        (
            "After {date} there are {left} more days until {month} is over.",
            "Using those up brings the count to the last day of the month.",
            "Of the {n} days, the others fall into {next}, and their number is the day wanted there.",
        ),
        (
            "The month of {month} does not hold all {n} days, so the count runs into {next}.",
            "From {date} to the end of {month} it is {left} days.",
            "Taking {left} from {n} says how far the count goes into {next}, and so fixes the date.",
        ),
        (
            "Split the {n} days at the end of {month}.",
            "Before that point lie {left} days, counted from the day after {date}.",
            "The remaining days are counted from the first of {next}, and where they stop is the date in question.",
        ),
    ),
    _draw_after,
    _solve_after,
)
WEEKDAY = Kind(
    (
        "If {date} is a {weekday}, which weekday is the date {n:d} days after it?",
        "The day {date} falls on a {weekday}. On which weekday does the day {n:d} days later fall?",
        "A fair opens on {weekday}, {date}, and closes {n:d} days later. On which weekday does it close?",
    ),
    (
        (
            "Weekdays repeat every seven days, so only the rest after whole weeks matters.",
            "In {n} days there are {weeks} whole weeks, which use up {full} days.",
            "That leaves a rest of {rest}.",
            "Moving on from {weekday} by this rest gives the weekday in question.",
        ),
        (
            "Take the {n} days and remove the {weeks} full weeks in them.",
            "Those weeks account for {full} days and change nothing about the weekday.",
            "The count that still matters is {rest}.",
            "Going forward that many days from a {weekday} settles it.",
        ),
        (
            "The start is a {weekday}, and the count forward is {n} days.",
            "Seven days times {weeks} is {full}, so the remainder to walk is {rest}.",
            "Each step of the remainder moves the weekday on by one, beginning with the day after {weekday}.",
        ),
    ),
    _draw_weekday,
    _solve_weekday,
)
BETWEEN = Kind(
    (
        "How many days after {start} is {end}?",
        "From {start}, how many days does one have to go forward to reach {end}?",
        "A ship left on {start} and came back on {end}. How many days later was that?",
    ),
    (
        (
            "From {start} to the end of {month} there are {left} days.",
            "The month of {middle} adds {full} days.",
            "Up to {end} another {last} days follow in {final}.",
            "Adding the three counts together gives the distance between the dates in days.",
        ),
        (
            "The span from {start} to {end} covers parts of two months and one whole month.",
            "The first part has {left} days, the whole month of {middle} has {full}, and the last part has {last}.",
            "Their sum is the number wanted.",
        ),
        (
            "Three counts are needed, one for each month that is touched.",
            "In {month} there remain {left} days after {start}.",
            "In {middle} there are {full} days.",
            "In {final} there are {last} days up to {end}, and the sum of the counts is the distance.",
        ),
    ),
    _draw_between,
    _solve_between,
)
ARRIVAL = Kind(
    (
        "A train leaves at {start} and travels for {hours:d} hours and {minutes:d} minutes. When does it arrive?",
        "A shift begins at {start} and lasts {hours:d} hours and {minutes:d} minutes. At what time does it end?",
        "What time is it {hours:d} hours and {minutes:d} minutes after {start}?",
    ),
    (
        (
            "Add the minutes first and the hours afterwards.",
            "The minutes come to {sum}, which is one full hour and {over} minutes.",
            "The hours, with the carried hour included, come to {hour}.",
            "Setting the hour and the minutes side by side gives the time asked for.",
        ),
        (
            "Going forward {hours} hours and {minutes} minutes from {start} is done in two moves.",
            "The minutes move past the full hour and stop at {over}.",
            "The hour hand moves, with that extra hour, to {hour}.",
            "These two numbers make up the time.",
        ),
        (
            "The start is {start}, so the minutes to add are {minutes}.",
            "This makes {sum} minutes in all, and after taking out sixty there remain {over}.",
            "The hours then stand at {hour} because of the hour carried over.",
            "Together they form the time.",
        ),
    ),
    _draw_arrival,
    _solve_arrival,
)

FAMILY = Family((AFTER, WEEKDAY, BETWEEN, ARRIVAL))
