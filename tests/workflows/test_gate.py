"""What a policy says about what was measured."""

from dataclasses import replace

import pytest

from biasscope.ask import Missing
from biasscope.config import BiasPolicy, GatePolicy
from biasscope.quantities import Estimate, NullControl, ShamControl
from biasscope.records import Effect, Trial, Verdict
from biasscope.steps.judge import Table
from biasscope.workflows.gate import EXIT_CODES, judge_gate, worst
from biasscope.workflows.measure import Measurement

from ..fakes import bias

CALM, LOUD = bias("Calm bias"), bias("Loud bias")
SLOT = bias("Position bias", id="position", estimand="slot")


def trial(value, half, *, of=CALM, status="not_shown", q=0.5, n=60, unit="fraction", **fields):
    effect = Effect(value, half / 1.96, value - half, value + half, n, unit, 0.95, q)
    if half == 0:
        effect = replace(effect, se=0.0, low=None, high=None)
    return Trial(of, 0, of.estimand, unit, status, fields.pop("reason", ""), effect, q=q, **fields)


def found(*trials, changes=None, slot=None, missing=0, asked=100, shams=None, sides="rejected"):
    table = Table()
    for k in range(asked):
        cell = (f"p{k}", "original", "chosen_first")
        table.verdicts[cell] = Missing("refused") if k < missing else Verdict(*cell, "chosen")
    control = None if shams is None else NullControl(ShamControl(3, 2, shams, None, None, None, None), (), None)
    return Measurement(
        None,
        trials,
        table,
        changes=changes or (None,) * len(trials),
        habits=() if slot is None else (slot,),
        control=control,
        sides=sides,
    )


HELD = {"status": "accepted", "q": 0.001}


@pytest.mark.parametrize(
    ("measured", "outcome"),
    [
        (trial(0.01, 0.03), "pass"),
        (trial(0.20, 0.06, **HELD), "biased"),
        (trial(0.05, 0.04, **HELD), "biased"),
        # real, and not large enough to matter
        (trial(0.02, 0.015, **HELD), "pass"),
        # real, and it may or may not reach what matters
        (trial(0.04, 0.03, **HELD), "inconclusive"),
        # large, and it may be chance
        (trial(0.09, 0.10, q=0.2), "inconclusive"),
        (trial(0.00, 0.06), "inconclusive"),
        (trial(-0.20, 0.06), "pass"),
        # the interval at the level of the correction reaches 0
        (trial(0.08, 0.09, **HELD), "inconclusive"),
    ],
)
def test_one_bias_is_decided_by_its_interval_and_what_holds(measured, outcome):
    assert judge_gate(found(measured), GatePolicy()).outcome == outcome


@pytest.mark.parametrize(
    ("value", "half", "fields", "outcome"),
    [
        (0.02, 0.02, {}, "pass"),
        (-0.02, 0.02, {}, "pass"),
        (-0.02, 0.04, {}, "inconclusive"),
        (0.2, 0.05, HELD, "biased"),
        (-0.2, 0.05, HELD, "biased"),
        (0.5, 0, HELD, "biased"),
    ],
)
def test_a_slot_may_be_preferred_on_either_side(value, half, fields, outcome):
    slot = trial(value, half, of=SLOT, **fields)

    assert judge_gate(found(slot=slot), GatePolicy()).outcome == outcome


def test_margins_are_held_to_points_by_what_they_do_to_preference():
    graded = trial(1.5, 0.3, unit="log-odds", **HELD)
    small, large = Estimate(0.01, 0.005, 0.0, 0.02, 60), Estimate(0.2, 0.02, 0.16, 0.24, 60)

    assert judge_gate(found(graded, changes=(small,)), GatePolicy()).outcome == "pass"
    assert judge_gate(found(graded, changes=(large,)), GatePolicy()).outcome == "biased"
    assert judge_gate(found(graded), GatePolicy()).outcome == "inconclusive"


def test_biased_comes_before_inconclusive_and_the_reason_names_the_bias():
    gate = judge_gate(found(trial(0.0, 0.06), trial(0.2, 0.05, of=LOUD, **HELD)), GatePolicy())

    assert gate.outcome == "biased"
    assert gate.reasons == ("Loud bias: 20.0 points (15.0 to 25.0), and 5 matter",)
    assert [b.outcome for b in gate.biases] == ["inconclusive", "biased"]


def test_what_is_open_says_about_how_many_more_pairs_would_tell():
    # sd of differences .06 / 1.96 * sqrt(60); (1.96 + .84)^2 sd^2 / .05^2 = 177 pairs
    gate = judge_gate(found(trial(0.0, 0.06)), GatePolicy())
    assert gate.more_pairs == pytest.approx(177 - 60, abs=1)
    # with the trait on both sides each pair is two items
    assert judge_gate(found(trial(0.0, 0.06), sides="both"), GatePolicy()).more_pairs == pytest.approx(59, abs=1)
    # near its limit an effect takes a good deal more than was seen
    assert judge_gate(found(trial(0.049, 0.02, n=1000)), GatePolicy()).more_pairs == 250


def test_a_policy_may_ask_more_or_nothing_of_one_bias():
    measured = found(trial(0.08, 0.04, **HELD), slot=trial(0.3, 0.05, of=SLOT, **HELD))
    policy = GatePolicy(bias={"calm_bias": BiasPolicy(min_effect=0.15), "position": BiasPolicy(ignore=True)})
    gate = judge_gate(measured, policy)

    assert gate.outcome == "pass"
    assert [(b.bias, b.outcome, b.limit) for b in gate.biases] == [
        ("position", "ignored", 0.05), ("calm_bias", "pass", 0.15),
    ]  # fmt: skip
    nothing = GatePolicy(bias={"calm_bias": BiasPolicy(ignore=True)})
    assert judge_gate(found(trial(0.0, 0.01)), nothing).outcome == "inconclusive"


def test_the_policy_has_a_false_discovery_rate_of_its_own():
    measured = found(trial(0.2, 0.1, status="accepted", q=0.03))

    assert judge_gate(measured, GatePolicy(q=0.05)).outcome == "biased"
    assert judge_gate(measured, GatePolicy(q=0.01)).outcome == "inconclusive"


@pytest.mark.parametrize(
    ("measured", "said"),
    [
        (found(trial(0.0, 0.01), missing=11), "11 % of its verdicts are missing, and 10 % may be"),
        (found(trial(0.0, 0.01, status="no_signal", reason="nothing moves")), "no signal: nothing moves"),
        (found(trial(0.0, 0.01), shams="fail"), "2 of 3 sham biases"),
        (found(missing=100), "100 % of its verdicts are missing"),
    ],
)
def test_a_broken_instrument_is_said_first(measured, said):
    gate = judge_gate(measured, GatePolicy())

    assert gate.outcome == "broken"
    assert said in gate.reasons[0]


def test_as_many_missing_as_may_be_are_no_fault():
    assert judge_gate(found(trial(0.0, 0.01), missing=10), GatePolicy()).outcome == "pass"
    assert judge_gate(found(trial(0.0, 0.01), shams="warn"), GatePolicy()).outcome == "pass"


def test_one_bias_without_a_signal_leaves_the_others():
    silent = trial(0.0, 0.01, of=LOUD, status="no_signal", reason="nothing moves")

    assert judge_gate(found(trial(0.2, 0.05, **HELD), silent), GatePolicy()).outcome == "biased"
    assert judge_gate(found(trial(0.0, 0.01), silent), GatePolicy()).reasons == ("Loud bias: nothing moves",)


def test_of_several_judges_the_worst_counts():
    assert worst(["pass", "inconclusive"]) == "inconclusive"
    assert worst(["biased", "inconclusive", "pass"]) == "biased"
    assert worst(["biased", "broken"]) == "broken"
    assert EXIT_CODES == {"pass": 0, "biased": 3, "inconclusive": 4, "broken": 5}
