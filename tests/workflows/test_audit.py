"""What an audit tells, against values computed by hand and judges whose habits are known."""

import random
from dataclasses import replace

import numpy as np
import pytest

from biasscope.datasets.logs import LoadedLog, LoggedVerdict
from biasscope.parsing.formats import BRACKETED
from biasscope.workflows.audit import audit_log

BOTH = ("chosen_first", "rejected_first")


def log(verdicts):
    return LoadedLog("log.jsonl", "columns", tuple(verdicts), len(verdicts), (), (), {}, "", "0")


def audit(verdicts, **more):
    return audit_log(log(verdicts), "judge", **more)


def verdict(pair, order, choice, **more):
    """A verdict on a labelled pair; `choice` by place, or None with its reason."""
    reason = "" if choice else "no decision was recorded"
    said = {"judge": "judge", "place": f"{pair} {order}", "labelled": True, "reason": reason} | more
    return LoggedVerdict(pair_id=str(pair), order=order, choice=choice, **said)


def pairs(number, in_chosen_first, in_rejected_first, name="p", **more):
    """Pairs judged alike, by place in each order."""
    return [
        verdict(f"{name}{n}", order, choice, **more)
        for n in range(number)
        for order, choice in zip(BOTH, (in_chosen_first, in_rejected_first), strict=True)
    ]


def of_three_kinds():
    """20 pairs: 10 prefer the first place, 5 the second, 5 the better response."""
    return [
        *pairs(10, "first", "first", "a"),
        *pairs(5, "second", "second", "b"),
        *pairs(5, "first", "second", "c"),
    ]


def test_the_tells_of_twenty_pairs_are_those_computed_by_hand():
    found = audit(of_three_kinds())
    slot = found.slot.effect
    # Values are .5 (10 pairs), -.5 (5), 0 (5): mean .125, variance 3.4375 / 19.
    assert (slot.value, slot.n, found.slot.told_from) == (0.125, 20, "both orders")
    assert slot.se == pytest.approx((3.4375 / 19 / 20) ** 0.5)
    # 15 pairs lean, and Student's t with 14 degrees of freedom is 2.14479 at 95 %.
    assert (slot.low, slot.high) == pytest.approx(
        (0.125 - 2.14479 * slot.se, 0.125 + 2.14479 * slot.se), rel=1e-5
    )
    # Two-sided sign test: 10 or more of 15 at one half, by a saddlepoint.
    assert slot.p == pytest.approx(2 * 4944 / 2**15, rel=0.03)
    assert found.consistency.value == 0.25
    assert found.error.value == pytest.approx(0.375)
    tells = found.orders
    assert (tells["chosen_first"].error_rate, tells["rejected_first"].error_rate) == (0.25, 0.5)
    assert (tells["chosen_first"].first_chosen, tells["rejected_first"].first_chosen) == (0.75, 0.5)
    assert (found.pairs, found.verdicts, found.missing, found.ties) == (20, 40, (), 0.0)
    assert set(found.reasons) == {"reread", "associations", "candidates"}


def test_a_tie_counts_one_half_in_errors_and_places():
    found = audit([*pairs(10, "tie", "first"), *pairs(10, "tie", "tie", "q")])
    assert found.slot.effect.value == pytest.approx(0.125)
    assert found.error.value == pytest.approx((10 * 0.5 + 10 * 1 + 20 * 0.5) / 40)
    assert found.consistency.value == 0.5
    assert found.ties == 0.75


def test_pairs_that_ask_the_same_count_as_one():
    asked = [replace(v, question=f"Question {int(v.pair_id[1:]) // 5}?") for v in pairs(30, "first", "first")]
    asked += [replace(v, question="Another?") for v in pairs(10, "first", "second", "q")]
    alone, together = audit([replace(v, question=None) for v in asked]).slot.effect, audit(asked).slot.effect
    assert together.value == alone.value == pytest.approx(0.375)
    assert together.se > 2 * alone.se
    assert alone.p == pytest.approx(2 / 2**30, rel=0.05)
    assert together.p == pytest.approx(2 / 2**6)  # six questions lean, all to one side


def test_verdicts_that_came_again_are_left_out_and_repetitions_are_averaged():
    once = of_three_kinds()
    again = audit([*once, *(replace(v, place=f"{v.place} again") for v in once[:6])])
    assert (again.duplicates, again.repeated, again.verdicts) == (6, 0, 40)
    assert again.slot == audit(once).slot
    drawn = [
        replace(once[0], choice=choice, place=str(n)) for n, choice in enumerate(["first", "second", "second"])
    ]
    found = audit([*once[1:], *drawn])
    assert (found.duplicates, found.repeated, found.verdicts) == (0, 3, 42)
    # The pair now chooses the first 1/3 and 1 of the time, and alike in 2/3 * 1 of draws.
    assert found.slot.effect.value == pytest.approx((9 * 0.5 + (1 / 3 + 1) / 2 - 0.5 - 5 * 0.5) / 20)
    assert found.consistency.value == pytest.approx((5 + 2 / 3) / 20)


def test_missing_verdicts_are_counted_with_their_places_and_their_pairs_left_out():
    rows = [*of_three_kinds(), verdict("x", "chosen_first", None), verdict("x", "rejected_first", "first")]
    found = audit(rows)
    assert [(m.reason, m.count, m.places) for m in found.missing] == [
        ("no decision was recorded", 1, ("x chosen_first",))
    ]
    assert (found.pairs, found.verdicts, found.slot.effect.n) == (21, 42, 20)
    assert found.orders["chosen_first"].missing == 1
    assert found.error.value == pytest.approx((20 * 0.375 * 2 + 1) / 41)


def test_exchanging_the_places_changes_nothing_but_the_sign():
    def turned(v):
        places = {"first": "second", "second": "first", "tie": "tie"}
        return replace(v, choice=places[v.choice], order=BOTH[v.order == BOTH[0]], first=v.second, second=v.first)

    rows = [*of_three_kinds(), *pairs(4, "tie", "first", "d")]
    there, back = audit(rows), audit([turned(v) for v in rows])
    one, other = there.slot.effect, back.slot.effect
    assert (other.value, other.se, other.p, other.n) == pytest.approx((-one.value, one.se, one.p, one.n))
    assert (other.low, other.high) == pytest.approx((-one.high, -one.low))
    assert (back.error, back.consistency, back.ties) == (there.error, there.consistency, there.ties)


def test_naming_the_other_response_the_better_one_changes_the_error_alone():
    rows = of_three_kinds()
    other = audit([replace(v, order=BOTH[v.order == BOTH[0]]) for v in rows])
    there = audit(rows)
    assert other.slot.effect == there.slot.effect
    assert other.error.value == pytest.approx(1 - there.error.value)


def test_the_order_of_a_log_changes_no_digit():
    rows = [replace(v, first=f"{v.pair_id} a {'long ' * 3}", second=f"{v.pair_id} b") for v in of_three_kinds()]
    shuffled = random.Random(3).sample(rows, len(rows))
    assert replace(audit(rows), log=log(())) == replace(audit(shuffled), log=log(()))


# --- one order per pair -----------------------------------------------------------------------------------


def single(ahead, behind):
    """Verdicts on as many pairs: those with the better response first, then those with it second."""
    return [verdict(f"a{n}", "chosen_first", c) for n, c in enumerate(ahead)] + [
        verdict(f"b{n}", "rejected_first", c) for n, c in enumerate(behind)
    ]


def test_from_one_order_a_pair_the_preference_is_the_mean_over_the_strata():
    found = audit(single(["first"] * 24 + ["second"] * 6, ["first"] * 10 + ["second"] * 10))
    slot = found.slot.effect
    assert found.slot.told_from == "one order"
    assert "drawn by chance" in found.slot.reason
    assert slot.value == pytest.approx((0.8 + 0.5) / 2 - 0.5)
    # Variances of the two means: 30 * .16 / 30^2 and 20 * .25 / 20^2, each with weight 1/4, and C / (C - 1).
    assert slot.se == pytest.approx(((0.16 / 30 + 0.25 / 20) / 4 * 50 / 49) ** 0.5)
    assert slot.p == pytest.approx(0.0262, abs=0.0002)
    assert found.consistency is None
    assert found.reasons["position_consistency"] == "no pair has a verdict in both orders"


REFUSED = [
    (single(["first"] * 19, ["second"] * 30), "19 show the better response first, 30 show it second"),
    (single(["first"] * 80, ["second"] * 30), "it does in 73 % of the verdicts"),
    (pairs(19, "first", "second"), "only 19 pairs have a verdict in both orders, and 20 are needed"),
    (
        [replace(v, labelled=False) for v in single(["first"] * 30, ["first"] * 30)],
        "without labels, a judge that",
    ),
    ([replace(v, order=None, labelled=False) for v in single(["first"] * 30, [])], "does not say which response"),
    (pairs(30, None, None), "no verdict decides anything"),
]


@pytest.mark.parametrize(("rows", "reason"), REFUSED)
def test_a_preference_that_cannot_be_told_has_its_reason(rows, reason):
    found = audit(rows)
    assert found.slot.effect is None
    assert reason in found.reasons["slot_preference"]
    assert found.slot.reason == found.reasons["slot_preference"]


def test_without_labels_places_and_consistency_are_told_and_errors_are_not():
    found = audit([replace(v, labelled=False) for v in of_three_kinds()])
    assert found.slot.effect.value == 0.125
    assert found.consistency.value == 0.25
    assert found.error is None
    assert found.orders["chosen_first"].error_rate is None
    assert found.reasons["error_rate"] == "no pair has a label that says which response is better"


# --- judges whose habits are known --------------------------------------------------------------------------


def judged(rng, number, *, slot=0.0, both=True):
    """A noisy judge: sure of some pairs, guessing at others; `slot` is a liking for the first place in log-odds.

    On average it changes its verdict with the order in about 26 % of the pairs.
    """
    liking = rng.normal(1.0, 2.2, number)
    rows = []
    for n in range(number):
        for order in BOTH if both else (BOTH[rng.integers(2)],):
            towards_first = (liking[n] if order == "chosen_first" else -liking[n]) + slot
            first = rng.random() < 1 / (1 + np.exp(-towards_first))
            rows.append(verdict(n, order, "first" if first else "second"))
    return rows


@pytest.mark.parametrize("both", [True, False])
def test_a_fair_noisy_judge_is_called_biased_no_more_often_than_the_level_allows(both):
    rng = np.random.default_rng(7)
    called, outside, changed = 0, 0, []
    logs = 400
    for _ in range(logs):
        found = audit(judged(rng, 80 if both else 160, both=both))
        slot = found.slot.effect
        called += slot.p < 0.05
        outside += not slot.low <= 0 <= slot.high
        changed.append(1 - found.consistency.value if both else 0.26)
    assert np.mean(changed) == pytest.approx(0.26, abs=0.02)
    # 5 % of 400, and twice the standard error of such a share.
    assert called <= 20 + 2 * 4.4
    assert outside <= 20 + 2 * 4.4


def test_a_judge_that_likes_the_first_place_is_found_in_either_design():
    rng = np.random.default_rng(11)
    for both in (True, False):
        found = audit(judged(rng, 400, slot=1.0, both=both)).slot.effect
        assert found.p < 0.001
        assert 0.05 < found.low < found.value < found.high < 0.3


def test_a_judge_that_scores_responses_alone_has_no_place_and_a_place_in_its_scores_is_seen():
    scores = [verdict(n, order, choice, scores=s) for n in range(25) for order, choice, s in
              (("chosen_first", "first", (2.0, 1.0)), ("rejected_first", "second", (1.0, 2.0)))]  # fmt: skip
    found = audit(scores)
    assert found.alone
    assert (found.slot.effect.value, found.slot.effect.low, found.slot.effect.p) == (0.0, None, 1.0)
    assert "responses alone" in found.slot.reason
    moved = [replace(v, scores=(2.5, 1.0)) if v.order == "chosen_first" else v for v in scores]
    assert not audit(moved).alone


# --- replies, rounds, texts -----------------------------------------------------------------------------------


def test_replies_are_read_again_and_differences_said_with_their_places():
    rows = [*of_three_kinds(), *pairs(5, "first", "second", "d")]
    rows = [replace(v, reply=f"[[{'A' if v.choice == 'first' else 'B'}]]", form=BRACKETED) for v in rows]
    rows[0] = replace(rows[0], reply="Verdict: [[B]]")
    rows[2] = replace(rows[2], choice=None, reason="no decision was recorded")
    rows[20] = replace(rows[20], reply="Hm.")
    found = audit(rows)
    assert (found.reread.agree, found.reread.differ) == (47, 3)
    assert [(d.reason, d.count, d.places) for d in found.reread.differences] == [
        ("recorded first, read second", 1, ("a0 chosen_first",)),
        ("recorded nothing, read first", 1, ("a1 chosen_first",)),
        ("recorded second, read nothing", 1, ("b0 chosen_first",)),
    ]
    # One pair comes back, and another goes.
    assert (found.slot.effect.n, found.reread.slot.n) == (24, 24)
    assert found.slot.effect.value == pytest.approx((9 - 5) * 0.5 / 24)
    assert found.reread.slot.value == pytest.approx((9 * 0.5 - 4 * 0.5) / 24)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, "the log holds no replies"),
        ({"reply": "[[A]]", "form": BRACKETED, "decided": False}, "they are our own reading"),
        ({"reply": "Hm."}, "in no format that is known here"),
    ],
)
def test_why_replies_are_not_read_again_is_said(change, reason):
    found = audit([replace(v, **change) for v in of_three_kinds()])
    assert (found.reread.agree, found.reread.differ) == (0, 0)
    assert reason in found.reasons["reread"]


def test_an_evaluator_that_asks_again_is_audited_by_its_last_round_and_shown_round_by_round():
    first = pairs(30, "first", "first", last=False)
    settled = [replace(v, last=True) for v in pairs(10, "first", "second", "q")]
    second = [replace(v, round=2, last=True, place=f"{v.place} 2") for v in pairs(30, "first", "second")]
    found = audit([*first, *settled, *second])
    assert (found.pairs, found.verdicts, found.slot.effect.value, found.error.value) == (40, 80, 0.0, 0.0)
    assert [(r.number, r.pairs, r.slot.effect.value, r.consistency) for r in found.rounds] == [
        (1, 40, 0.375, 0.25),
        (2, 30, 0.0, 1.0),
    ]


def with_texts(number):
    """A judge that likes long texts, whichever is better: in three of four pairs one is much longer."""
    rng = random.Random(5)
    rows = []
    for n in range(number):
        words = ["river", "stone", "cloud", "field", "house", "light"]
        short = f"Answer {n}: " + " ".join(rng.choices(words, k=12)) + "."
        long = f"Answer {n}: " + " ".join(rng.choices(words, k=rng.choice([12, 30, 40, 60]))) + "."
        chosen, rejected = (long, short) if rng.random() < 0.5 else (short, long)
        for order in BOTH:
            first, second = (chosen, rejected) if order == "chosen_first" else (rejected, chosen)
            likes = len(first) > len(second) if rng.random() < 0.9 else rng.random() < 0.5
            choice = "first" if likes else "second"
            rows.append(verdict(n, order, choice, question=f"{n}?", first=first, second=second))
    return rows


def test_what_the_choices_go_with_is_an_association_and_becomes_a_candidate_from_150_pairs_on():
    few, many = audit(with_texts(60)), audit(with_texts(160))
    found = {a.feature: a for a in few.features.found.associations}
    assert found["words"].q < 0.01
    assert found["words"].change.value > 0.1
    assert few.features.proposals == ()
    assert few.reasons["candidates"] == "150 pairs are needed, and 60 have a verdict"
    assert "length" in {p.candidate for p in many.features.proposals}
    assert {"associations", "candidates"}.isdisjoint(many.reasons)


def test_without_texts_nothing_is_associated_and_the_reason_is_said():
    found = audit(of_three_kinds())
    assert found.features is None
    assert (
        found.reasons["associations"]
        == found.reasons["candidates"]
        == ("the log does not hold the texts that were judged")
    )


def test_a_judge_that_is_not_in_the_log_is_refused():
    with pytest.raises(ValueError, match="holds no verdict of 'nobody'"):
        audit_log(log(of_three_kinds()), "nobody")
