"""Whether a claim follows, decided by going through all worlds. It knows no question and no valid form.

A world of statements says which of the regions made by the terms have members; a world of rules says which
states are the case. A claim follows when it holds in every world in which the premises hold.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product

_STATEMENTS = {
    "all": re.compile(r"all (\w+) are (\w+)"),
    "no": re.compile(r"no (\w+) are (\w+)"),
    "some not": re.compile(r"some (\w+) are not (\w+)"),
    "some": re.compile(r"some (\w+) are (\w+)"),
}
_STATE = re.compile(r"the (\w+) is (not )?(\w+)")
_MOST_STATES = 6

_Statement = tuple[str, str, str]
_Literal = tuple[str, bool]

_REGIONS = 8
_INSIDE = (0b10101010, 0b11001100, 0b11110000)
"""A world is a set of regions with members, as bits; for each term, the regions that lie inside it."""


def follows_from_statements(premises: Sequence[str], claim: str) -> bool | None:
    """Tell whether a claim about two of three terms follows from statements such as "some a are not b".

    None where a text is no such statement, where there are not three terms, or where the verdict depends on
    whether terms without members are allowed.
    """
    found = [_read_statement(text) for text in (*premises, claim)]
    statements = [statement for statement in found if statement]
    terms = sorted({term for _, x, y in statements for term in (x, y)})
    if len(statements) != len(found) or len(terms) != len(_INSIDE):
        return None
    inside = dict(zip(terms, _INSIDE, strict=True))
    *known, claimed = statements
    counterexamples = [
        world
        for world in range(1 << _REGIONS)
        if all(_holds(s, world, inside) for s in known) and not _holds(claimed, world, inside)
    ]
    populated = [world for world in counterexamples if all(world & regions for regions in _INSIDE)]
    return not populated if bool(populated) == bool(counterexamples) else None


def follows_from_rules(rules: Sequence[tuple[str, str]], fact: str, claim: str) -> bool | None:
    """Tell whether a claim follows from a fact and rules (condition, consequence), all like "the x is not y".

    None where a text is nothing of the kind or where there are more than 6 states.
    """
    found = [_read_state(text) for text in (*(side for rule in rules for side in rule), fact, claim)]
    literals = [literal for literal in found if literal]
    names = sorted({name for name, _ in literals})
    if len(literals) != len(found) or len(names) > _MOST_STATES:
        return None
    *sides, known, claimed = literals
    for bits in product((False, True), repeat=len(names)):
        world = set(zip(names, bits, strict=True))
        ruled = all(a not in world or b in world for a, b in zip(sides[::2], sides[1::2], strict=True))
        if ruled and known in world and claimed not in world:
            return False
    return True


def _holds(statement: _Statement, world: int, inside: Mapping[str, int]) -> bool:
    form, x, y = statement
    # "All" denies "some not", and "no" denies "some".
    meant = inside[x] & (inside[y] if form in ("no", "some") else ~inside[y])
    return bool(world & meant) == form.startswith("some")


def _read_statement(text: str) -> _Statement | None:
    for form, pattern in _STATEMENTS.items():
        match = pattern.fullmatch(text.lower())
        if match:
            return form, match[1], match[2]
    return None


def _read_state(text: str) -> _Literal | None:
    match = _STATE.fullmatch(text.lower())
    return (f"{match[1]} {match[3]}", match[2] is None) if match else None
