"""Following from premises: checked against the classical lists and against truth by hand."""

from __future__ import annotations

from itertools import product

import pytest

from biasscope.objective.logic import FIGURES, INVALID, STATEMENTS, VALID
from biasscope.objective.worlds import follows_from_rules, follows_from_statements

# Valid only if "all" and "no" are taken to speak of something.
NEED_MEMBERS = {"AAI1", "EAO1", "EAO2", "AEO2", "AAI3", "EAO3", "AAI4", "AEO4", "EAO4"}


def verdict(form: str) -> bool | None:
    major, minor, claim, figure = list(form)
    orders = (*FIGURES[figure], "sp")
    *premises, claimed = (
        STATEMENTS[kind].format(*(f"{letter}s" for letter in order))
        for kind, order in zip((major, minor, claim), orders, strict=True)
    )
    return follows_from_statements(premises, claimed)


def test_of_all_256_syllogisms_exactly_the_fifteen_valid_ones_follow_and_nine_depend_on_empty_terms():
    forms = ["".join(form) for form in product("AEIO", "AEIO", "AEIO", "1234")]
    verdicts = {form: verdict(form) for form in forms}
    assert {form for form, follows in verdicts.items() if follows} == set(VALID)
    assert {form for form, follows in verdicts.items() if follows is None} == NEED_MEMBERS
    assert all(verdicts[form] is False for form in INVALID)
    assert len(VALID) == len(INVALID) == len(set(INVALID)) == 15


@pytest.mark.parametrize(
    ("fact", "claim", "follows"),
    [
        ("the lamp is lit", "the oven is full", True),
        ("the oven is not full", "the lamp is not lit", True),
        ("the oven is full", "the lamp is lit", False),
        ("the lamp is not lit", "the oven is not full", False),
        ("the fan is on", "the fan is on", True),
        ("the fan is on", "the gate is shut", False),
    ],
)
def test_a_chain_of_rules_carries_forward_and_its_denial_backward(fact, claim, follows):
    rules = [("the lamp is lit", "the fan is on"), ("the fan is on", "the oven is full")]
    assert follows_from_rules(rules, fact, claim) is follows


def test_texts_that_are_no_states_or_too_many_states_are_not_decided():
    assert follows_from_rules([("it rains", "the fan is on")], "it rains", "the fan is on") is None
    many = [(f"the a{i} is on", f"the b{i} is on") for i in range(4)]
    assert follows_from_rules(many, "the a0 is on", "the b0 is on") is None


def test_statements_about_other_than_three_terms_are_not_decided():
    assert follows_from_statements(["all as are bs"], "all as are bs") is None
    assert follows_from_statements(["all as are bs", "as rule"], "all as are cs") is None
