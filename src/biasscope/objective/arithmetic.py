"""Arithmetic with whole numbers: sums, differences, products, remainders and chains of operations.

Cases are computed by parts, as the workings do; questions are solved directly. The slip is a carry or borrow
that is lost or made twice in one of the parts.
"""

from __future__ import annotations

from collections.abc import Mapping

from biasscope.objective.draw import Draw
from biasscope.objective.family import Case, Family, Kind


def _three_digits(draw: Draw) -> int:
    return int("".join(str(draw.integer(2, 9)) for _ in range(3)))


def _draw_sum(draw: Draw) -> Case:
    a, b = _three_digits(draw), _three_digits(draw)
    parts = {"hundreds": (a // 100 + b // 100) * 100, "tens": (a // 10 % 10 + b // 10 % 10) * 10}
    parts["units"] = a % 10 + b % 10
    place, size = draw.choose((("hundreds", 100), ("tens", 10), ("units", 1)))
    slipped = parts | {place: parts[place] + draw.sign() * size}
    right, wrong = ({**values, "answer": sum(values.values())} for values in (parts, slipped))
    return Case({"a": a, "b": b}, right, wrong)


def _solve_sum(fields: Mapping[str, str]) -> str:
    return str(int(fields["a"]) + int(fields["b"]))


def _draw_difference(draw: Draw) -> Case:
    low = draw.integer(1, 5)
    high = draw.integer(low + 3, 9)
    b = 100 * low + draw.integer(21, 79)
    last = draw.integer(11, 89)
    parts = {"first": 100 - b % 100, "middle": (high - low - 1) * 100, "last": last}
    part, size = draw.choose((("first", 10), ("middle", 100)))
    slipped = parts | {part: parts[part] + draw.sign() * size}
    right, wrong = ({**values, "answer": sum(values.values())} for values in (parts, slipped))
    return Case({"a": 100 * high + last, "b": b}, right, wrong)


def _solve_difference(fields: Mapping[str, str]) -> str:
    return str(int(fields["a"]) - int(fields["b"]))


def _draw_product(draw: Draw) -> Case:
    a = 10 * draw.integer(2, 9) + draw.integer(3, 9)
    tens, units = 10 * draw.integer(2, 9), draw.integer(3, 9)
    parts = {"big": a * tens, "small": a * units}
    part, size = draw.choose((("big", 100), ("small", 10)))
    slipped = parts | {part: parts[part] + draw.sign() * size}
    right, wrong = (
        {**values, "tens": tens, "units": units, "answer": sum(values.values())} for values in (parts, slipped)
    )
    return Case({"a": a, "b": tens + units}, right, wrong)


def _solve_product(fields: Mapping[str, str]) -> str:
    return str(int(fields["a"]) * int(fields["b"]))


def _draw_remainder(draw: Draw) -> Case:
    d, q = draw.integer(13, 29), draw.integer(12, 48)
    rest = draw.integer(4, d - 5)
    n = q * d + rest
    slip = draw.sign() * draw.integer(1, 3)
    right, wrong = ({"q": q, "p": n - left, "answer": left} for left in (rest, rest + slip))
    return Case({"n": n, "d": d}, right, wrong)


def _solve_remainder(fields: Mapping[str, str]) -> str | None:
    return str(int(fields["n"]) % int(fields["d"])) if int(fields["d"]) else None


def _draw_chain(draw: Draw) -> Case:
    a, k, b, c = draw.integer(23, 87), draw.integer(3, 8), draw.integer(34, 96), draw.integer(13, 29)
    at_first, at_second = draw.choose(((10, 0), (0, 10)))
    sign = draw.sign()
    values = []
    for slip in (0, sign):
        first = a * k + slip * at_first
        second = first + b + slip * at_second
        values.append({"first": first, "second": second, "answer": second - c})
    return Case({"a": a, "k": k, "b": b, "c": c}, *values)


def _solve_chain(fields: Mapping[str, str]) -> str:
    a, k, b, c = (int(fields[name]) for name in "akbc")
    return str(a * k + b - c)


SUM = Kind(
    (
        "What is {a:d} + {b:d}?",
        "Add {a:d} and {b:d}. What is the sum?",
        "What do {a:d} and {b:d} make together?",
        "Two crates hold {a:d} and {b:d} apples. How many apples are there in all?",
    ),
    (
        (
            "Split both numbers into hundreds, tens and units and add place by place.",
            "The hundreds of {a} and {b} give {hundreds} together.",
            "The tens give {tens} and the units give {units}.",
            "Adding these three parts, with the carries, leads to the result.",
        ),
        (
            "Adding {a} and {b} is easiest one place at a time.",
            "The units make {units} and the tens make {tens}.",
            "The hundreds on their own make {hundreds}.",
            "What remains is to add the three partial sums, which settles the total.",
        ),
        (
            "Write {a} above {b} and go through the columns.",
            "The column of hundreds is worth {hundreds}, the column of tens is worth {tens}, "
            "and the column of units is worth {units}.",
            "The sum of the three columns is what the question wants.",
        ),
    ),
    _draw_sum,
    _solve_sum,
)
DIFFERENCE = Kind(
    (
        "What is {a:d} - {b:d}?",
        "Subtract {b:d} from {a:d}. What is left?",
        "By how much is {a:d} larger than {b:d}?",
        "A shop had {a:d} candles and sold {b:d} of them. How many candles remain?",
    ),
    (
        (
            "Counting up from {b} to {a} in easy stages avoids any borrowing.",
            "From {b} up to the next full hundred is {first}.",
            "The full hundreds after that make {middle}.",
            "The last stretch up to {a} is {last}, and the three stages together are the difference.",
        ),
        (
            "The gap between {b} and {a} can be cut into three pieces.",
            "The piece up to the next multiple of one hundred measures {first}.",
            "The piece made of whole hundreds measures {middle}, and the final piece measures {last}.",
            "Adding the pieces closes the gap.",
        ),
        (
            "Instead of borrowing, walk from the smaller number {b} to the larger number {a}.",
            "The walk first covers {first} to reach a round hundred, then {middle} in whole hundreds, "
            "then {last} more.",
            "The total length of the walk is the difference.",
        ),
    ),
    _draw_difference,
    _solve_difference,
)
PRODUCT = Kind(
    (
        "What is {a:d} × {b:d}?",
        "Multiply {a:d} by {b:d}. What is the product?",
        "What is {a:d} times {b:d}?",
        "A hall has {a:d} rows with {b:d} chairs each. How many chairs are in the hall?",
    ),
    (
        (
            "Break {b} into {tens} and {units} and multiply each part by {a}.",
            "The first product, {a} times {tens}, is {big}.",
            "The second product, {a} times {units}, is {small}.",
            "The two partial products are added to get the full product.",
        ),
        (
            "Long multiplication of {a} and {b} needs two rows.",
            "The row for the tens of {b} holds {a} times {tens}, which is {big}.",
            "The row for the units holds {a} times {units}, which is {small}.",
            "The rows are then summed.",
        ),
        (
            "Since {b} equals {tens} plus {units}, the product has two parts.",
            "Multiplying {a} by {units} makes {small}, with the carry included.",
            "Multiplying {a} by {tens} makes {big} in the same way.",
            "Together the two parts form the answer to the question.",
        ),
    ),
    _draw_product,
    _solve_product,
)
REMAINDER = Kind(
    (
        "What is the remainder when {n:d} is divided by {d:d}?",
        "Divide {n:d} by {d:d} in whole numbers. Which remainder is left?",
        "Boxes hold {d:d} jars each, and {n:d} jars fill as many boxes as they can. How many jars are left over?",
    ),
    (
        (
            "Find the largest multiple of {d} that still fits into {n}.",
            "The divisor fits {q} times, and {q} times {d} is {p}.",
            "What is left over is the distance from {p} up to {n}.",
            "That distance is smaller than {d}, so it is the remainder.",
        ),
        (
            "Divide {n} by {d} and keep only the whole part, which is {q}.",
            "Multiplying back, {d} times {q} comes to {p}.",
            "Taking {p} away from {n} leaves the remainder, and it lies below the divisor {d} as it must.",
        ),
        (
            "The task is to see how far {n} lies above a multiple of {d}.",
            "The closest multiple from below is {q} times {d}, and this product equals {p}.",
            "Subtracting {p} from {n} gives the part that the division cannot share out evenly.",
        ),
    ),
    _draw_remainder,
    _solve_remainder,
)
CHAIN = Kind(
    (
        "Start with {a:d}, multiply it by {k:d}, add {b:d} and then subtract {c:d}. What is the result?",
        "Take the number {a:d}. Multiply by {k:d}, then add {b:d}, then take away {c:d}. Which number comes out?",
        "A till holds {a:d} coins. First the coins are multiplied by {k:d}, then {b:d} are added and {c:d} removed. "
        "How many coins does it hold in the end?",
    ),
    (
        (
            "Follow the instructions in their order, beginning with {a}.",
            "Multiplying {a} by {k} brings the value to {first}.",
            "Adding {b} moves it on to {second}.",
            "The last instruction takes {c} away again, and what then remains is the value asked for.",
        ),
        (
            "There are three operations, and each one uses the value before it.",
            "After the multiplication by {k} the value is {first}.",
            "After the addition of {b} the value is {second}.",
            "Only the subtraction of {c} is left, which produces the result.",
        ),
        (
            "Keep a running value, which is {a} at the start.",
            "It becomes {first} once it has been multiplied by {k}.",
            "It becomes {second} once {b} has been added.",
            "Removing {c} from that running value completes the list of instructions.",
        ),
    ),
    _draw_chain,
    _solve_chain,
)

FAMILY = Family((SUM, DIFFERENCE, PRODUCT, REMAINDER, CHAIN))
