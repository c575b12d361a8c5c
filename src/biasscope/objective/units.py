"""Conversions between units that have an exact whole-number factor.

The slip is a wrong factor, as often too small as too large. Questions are solved from a table of sizes in the
smallest unit, not from the factors that make them.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from biasscope.objective.draw import Draw
from biasscope.objective.family import Case, Family, Kind


class Conversion(NamedTuple):
    """One unit in terms of a smaller one: its factor, and a plausible factor too small and one too large."""

    one: str
    big: str
    unit: str
    small: str
    factor: int
    too_small: int
    too_large: int


TIMES = (
    Conversion("minute", "minutes", "second", "seconds", 60, 50, 100),
    Conversion("hour", "hours", "minute", "minutes", 60, 50, 100),
    Conversion("day", "days", "hour", "hours", 24, 20, 25),
    Conversion("week", "weeks", "day", "days", 7, 5, 10),
)
CONVERSIONS = (
    *TIMES,
    Conversion("metre", "metres", "centimetre", "centimetres", 100, 10, 1000),
    Conversion("kilometre", "kilometres", "metre", "metres", 1000, 100, 10000),
    Conversion("foot", "feet", "inch", "inches", 12, 10, 16),
    Conversion("yard", "yards", "foot", "feet", 3, 2, 4),
    Conversion("mile", "miles", "yard", "yards", 1760, 1600, 2000),
    Conversion("kilogram", "kilograms", "gram", "grams", 1000, 100, 10000),
    Conversion("tonne", "tonnes", "kilogram", "kilograms", 1000, 100, 10000),
    Conversion("pound", "pounds", "ounce", "ounces", 16, 12, 18),
    Conversion("litre", "litres", "millilitre", "millilitres", 1000, 100, 10000),
    Conversion("gallon", "gallons", "pint", "pints", 8, 6, 10),
)

_SIZES: tuple[Mapping[str, int], ...] = (
    {"seconds": 1, "minutes": 60, "hours": 3_600, "days": 86_400, "weeks": 604_800},
    {"centimetres": 1, "metres": 100, "kilometres": 100_000},
    {"inches": 1, "feet": 12, "yards": 36, "miles": 63_360},
    {"grams": 1, "kilograms": 1_000, "tonnes": 1_000_000},
    {"ounces": 1, "pounds": 16},
    {"millilitres": 1, "litres": 1_000},
    {"pints": 1, "gallons": 8},
)


def _ratio(big: str, small: str) -> Fraction | None:
    return next((Fraction(sizes[big], sizes[small]) for sizes in _SIZES if big in sizes and small in sizes), None)


def _factors(conversion: Conversion, draw: Draw) -> tuple[int, int]:
    return conversion.factor, conversion.too_small if draw.chance(0.5) else conversion.too_large


def _words(conversion: Conversion) -> dict[str, object]:
    return {"one": conversion.one, "big": conversion.big, "unit": conversion.unit, "small": conversion.small}


def _draw_mixed(draw: Draw) -> Case:
    conversion = draw.choose(CONVERSIONS)
    n, m = draw.integer(3, 19), draw.integer(2, conversion.factor - 1)
    right, wrong = (
        {"factor": factor, "product": n * factor, "answer": n * factor + m}
        for factor in _factors(conversion, draw)
    )
    return Case(_words(conversion) | {"n": n, "m": m}, right, wrong)


def _solve_mixed(fields: Mapping[str, str]) -> str | None:
    ratio = _ratio(fields["big"], fields["small"])
    return None if ratio is None else str(ratio * int(fields["n"]) + int(fields["m"]))


def _draw_back(draw: Draw) -> Case:
    conversion = draw.choose(CONVERSIONS)
    total = draw.integer(2, 12) * lcm(conversion.factor, conversion.too_small, conversion.too_large)
    right, wrong = ({"factor": factor, "answer": total // factor} for factor in _factors(conversion, draw))
    return Case(_words(conversion) | {"total": total}, right, wrong)


def _solve_back(fields: Mapping[str, str]) -> str | None:
    ratio = _ratio(fields["small"], fields["big"])
    return None if ratio is None else str(ratio * int(fields["total"]))


def _draw_together(draw: Draw) -> Case:
    conversion = draw.choose(CONVERSIONS)
    n, k = draw.integer(3, 14), draw.integer(3, 14)
    m, j = draw.integer(2, conversion.factor - 1), draw.integer(2, conversion.factor - 1)
    right, wrong = (
        {"factor": factor, "bigs": n + k, "smalls": m + j}
        | {"product": (n + k) * factor, "answer": (n + k) * factor + m + j}
        for factor in _factors(conversion, draw)
    )
    return Case(_words(conversion) | {"n": n, "m": m, "k": k, "j": j}, right, wrong)


def _solve_together(fields: Mapping[str, str]) -> str | None:
    ratio = _ratio(fields["big"], fields["small"])
    if ratio is None:
        return None
    n, m, k, j = (int(fields[name]) for name in "nmkj")
    return str(ratio * n + m + ratio * k + j)


def _draw_rate(draw: Draw) -> Case:
    conversion = draw.choose(TIMES)
    n, r = draw.integer(3, 12), draw.integer(4, 45)
    right, wrong = (
        {"factor": factor, "product": n * factor, "answer": n * factor * r}
        for factor in _factors(conversion, draw)
    )
    return Case(_words(conversion) | {"n": n, "r": r}, right, wrong)


def _solve_rate(fields: Mapping[str, str]) -> str | None:
    ratio = _ratio(fields["big"], f"{fields['unit']}s")
    return None if ratio is None else str(ratio * int(fields["n"]) * int(fields["r"]))


MIXED = Kind(
    (
        "How many {small} are {n:d} {big} and {m:d} {small}?",
        "Convert {n:d} {big} and {m:d} {small} into {small}. How many {small} is that?",
        "A label says {n:d} {big} and {m:d} {small}. What is this in {small} alone?",
    ),
    (
        (
            "One {one} is the same as {factor} {small}.",
            "The {n} {big} therefore make {product} {small}.",
            "The {m} {small} that are given on their own need no conversion.",
            "They are added to the converted part, and this sum is the amount asked for.",
        ),
        (
            "To convert {big} into {small}, multiply by {factor}.",
            "With {n} {big} the multiplication gives {product}.",
            "The other {m} are already in {small} and are simply joined on.",
            "The whole amount in {small} is the sum of the two parts.",
        ),
        (
            "The mixed amount has two parts, {n} {big} and {m} {small}.",
            "Since there are {factor} {small} in one {one}, the first part equals {product} {small}.",
            "The second part stays as it is.",
            "Adding both parts puts everything into {small}.",
        ),
    ),
    _draw_mixed,
    _solve_mixed,
)
BACK = Kind(
    (
        "How many {big} are {total:d} {small}?",
        "Convert {total:d} {small} into {big}. How many {big} is that?",
        "A label says {total:d} {small}. What is this in {big}?",
    ),
    (
        (
            "One {one} is made up of {factor} {small}.",
            "The amount of {total} {small} has to be divided by that number.",
            "Dividing by {factor} turns {small} into {big}, and the division comes out even.",
            "The quotient is the amount in {big}.",
        ),
        (
            "Going from {small} to the larger unit means dividing.",
            "The number to divide by is {factor}, as that many {small} fit into one {one}.",
            "So {total} is shared out into groups of {factor}, and the number of groups is the amount in {big}.",
        ),
        (
            "The larger unit here is the {one}, which stands for {factor} {small}.",
            "In {total} {small} this block of {factor} fits a whole number of times.",
            "That number of times, found by dividing {total} by {factor}, is how many {big} there are.",
        ),
    ),
    _draw_back,
    _solve_back,
)
TOGETHER = Kind(
    (
        "One part measures {n:d} {big} and {m:d} {small}, another {k:d} {big} and {j:d} {small}. "
        "How many {small} are both together?",
        "Add {n:d} {big} and {m:d} {small} to {k:d} {big} and {j:d} {small}. What is the sum in {small}?",
    ),
    (
        (
            "Add the {big} first, which makes {bigs} of them.",
            "The {small} that stand alone add up to {smalls}.",
            "At {factor} {small} to one {one}, the {big} are worth {product} {small}.",
            "Joining the {smalls} to this gives both amounts together.",
        ),
        (
            "Both amounts can be pooled before anything is converted.",
            "In the pool there are {bigs} {big} and {smalls} {small}.",
            "One {one} counts as {factor} {small}, so the {big} become {product}.",
            "The other {smalls} are put on top to reach the total.",
        ),
        (
            "First comes the conversion, with {factor} {small} for each {one}.",
            "The two amounts hold {bigs} {big} between them, which is {product} {small}.",
            "They also hold {smalls} loose {small}.",
            "The sum of these two numbers is the combined amount.",
        ),
    ),
    _draw_together,
    _solve_together,
)
RATE = Kind(
    (
        "A machine makes {r:d} parts every {unit}. How many parts does it make in {n:d} {big}?",
        "Water drips at {r:d} drops per {unit}. How many drops fall in {n:d} {big}?",
        "With {r:d} pages printed each {unit}, how many pages are printed in {n:d} {big}?",
    ),
    (
        (
            "The rate is given for one {unit}, so the time is needed in {small}.",
            "One {one} has {factor} {small}, and {n} {big} have {product}.",
            "The rate of {r} applies to every one of those {small}.",
            "Multiplying the two numbers gives the full count.",
        ),
        (
            "First change {n} {big} into {small}.",
            "With {factor} {small} to the {one} this makes {product} {small}.",
            "In each of them {r} more are counted.",
            "So the count grows {product} times by {r}, and the product of the two is the answer wanted.",
        ),
        (
            "The time of {n} {big} and the rate per {unit} use different units.",
            "Brought to {small}, at {factor} for one {one}, the time is {product}.",
            "Each {unit} contributes {r}, so the rate times this number of {small} is the count.",
        ),
    ),
    _draw_rate,
    _solve_rate,
)

FAMILY = Family((MIXED, BACK, TOGETHER, RATE))
