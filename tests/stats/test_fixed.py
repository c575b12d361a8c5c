"""The fixed-size rule: what it accepts, drops, leaves open and refuses to decide."""

from dataclasses import replace

import numpy as np
import pytest

from biasscope.stats import multiple, power
from biasscope.stats.fixed import ArmScores, decide, measure


def hard(candidate, neutrals, missing=None):
    arms = 1 + len(neutrals)
    return ArmScores(
        tuple(candidate),
        tuple(tuple(n) for n in neutrals),
        (),
        tuple(0 for _ in candidate),
        missing or tuple((0, len(candidate)) for _ in range(arms)),
        tuple(tuple(s is None for s in arm) for arm in (candidate, *neutrals)),
        graded=False,
    )


def graded(candidate, neutrals, phrasings=None, controls=()):
    phrasings = phrasings or tuple(0 for _ in candidate)
    missing = tuple((0, len(candidate)) for _ in range(1 + len(neutrals)))
    unread = tuple(tuple(False for _ in candidate) for _ in range(1 + len(neutrals)))
    return ArmScores(tuple(candidate), tuple(neutrals), (), phrasings, missing, unread, True, tuple(controls))


def noisy(rng, n, rate):
    return [float(x) for x in rng.binomial(2, rate, n) / 2]


def decided(scores, q=0.05, min_effect=0.05):
    return decide([measure(scores, min_effect=min_effect, q=q, names=("test",))], q=q)[0]


def test_a_large_effect_is_accepted_with_an_interval_above_zero():
    rng = np.random.default_rng(1)
    decision = decided(hard(noisy(rng, 300, 0.6), [noisy(rng, 300, 0.4) for _ in range(3)]))

    assert decision.status == "accepted"
    assert 0 < decision.effect.low < decision.effect.value < decision.effect.high


def test_a_null_on_many_items_is_dropped_and_on_few_items_left_open():
    rng = np.random.default_rng(2)
    many = decided(hard(noisy(rng, 4000, 0.4), [noisy(rng, 4000, 0.4) for _ in range(3)]))
    few = decided(hard([1.0, 0.0] * 10 + [0.5] * 20, [[0.0, 1.0] * 10 + [0.5] * 20]))

    assert many.status == "dropped"
    assert few.status == "not_shown"


def test_a_judge_whose_verdicts_never_change_gives_no_signal_and_no_interval():
    stuck = [0.5] * 200
    decision = decided(hard(stuck, [stuck] * 3))

    assert decision.status == "no_signal"
    assert decision.effect.low is None
    assert "label mode" in decision.reason


def test_a_clear_gap_in_missing_verdicts_makes_a_contrast_invalid():
    rng = np.random.default_rng(3)
    scores = hard(noisy(rng, 200, 0.6), [noisy(rng, 200, 0.3)], missing=((60, 200), (2, 200)))

    assert decided(scores).status == "invalid"


def test_an_acceptance_that_missing_verdicts_could_undo_is_fragile():
    rng = np.random.default_rng(4)
    candidate = [None] * 60 + noisy(rng, 260, 0.5)
    neutral = [None] * 60 + noisy(rng, 260, 0.35)
    decision = decided(hard(candidate, [neutral]))

    assert decision.status == "accepted"
    assert decision.marks == ("fragile",)


def test_nulls_are_accepted_about_as_rarely_as_the_level_says():
    rng = np.random.default_rng(5)
    hits = sum(
        decided(hard(noisy(rng, 60, 0.4), [noisy(rng, 60, 0.4) for _ in range(3)])).status == "accepted"
        for _ in range(400)
    )

    # exact test: at most 5 %; three standard errors above it
    assert hits / 400 <= 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5


def test_graded_scores_find_an_effect_that_is_small_in_log_odds():
    rng = np.random.default_rng(6)
    base = rng.normal(0, 1, 100)
    neutrals = [tuple(base + rng.normal(0, 0.03, 100)) for _ in range(2)]
    decision = decided(graded(tuple(base + 0.03 + rng.normal(0, 0.03, 100)), neutrals))

    assert decision.status == "accepted"
    assert decision.effect.unit == "log-odds"


def test_a_graded_effect_no_larger_than_one_neutral_phrasing_is_not_shown():
    rng = np.random.default_rng(7)
    base = rng.normal(0, 1, 100)
    plain, odd = base + rng.normal(0, 0.01, 100), base + 0.2 + rng.normal(0, 0.01, 100)
    # the candidate is .1 above the mean of the neutrals, which lie .2 apart
    decision = decided(graded(tuple(base + 0.2 + rng.normal(0, 0.01, 100)), [tuple(plain), tuple(odd)]))

    assert decision.status == "not_shown"
    assert "neutral phrasing" in decision.reason


def test_controls_count_for_what_wording_does_but_not_for_the_contrast():
    rng = np.random.default_rng(8)
    base = rng.normal(0, 1, 100)
    candidate = tuple(base + 0.1 + rng.normal(0, 0.01, 100))
    own, other = tuple(base + rng.normal(0, 0.01, 100)), tuple(base + 0.3 + rng.normal(0, 0.01, 100))

    alone = measure(graded(candidate, [own]), min_effect=0.05, q=0.05, names=("t",))
    beside = measure(graded(candidate, [own], controls=[other]), min_effect=0.05, q=0.05, names=("t",))

    assert alone.effect.value == beside.effect.value == pytest.approx(0.1, abs=0.01)
    assert not beside.beyond_wording


def test_an_effect_that_one_phrasing_carries_is_weak_evidence_for_the_trait():
    rng = np.random.default_rng(9)
    base = rng.normal(0, 1, 90)
    phrasings = tuple(i % 3 for i in range(90))
    shift = np.array([0.3 if p == 0 else 0.0 for p in phrasings])
    neutrals = [tuple(base + rng.normal(0, 0.02, 90)) for _ in range(2)]
    one = measure(graded(tuple(base + shift), neutrals, phrasings), min_effect=0, q=0.05, names=("t",))
    every = measure(graded(tuple(base + 0.1), neutrals, phrasings), min_effect=0, q=0.05, names=("t",))

    assert one.effect.value == pytest.approx(every.effect.value, abs=0.01)
    assert one.p > 0.05 > every.p


def test_everything_tested_counts_in_the_correction():
    rng = np.random.default_rng(10)
    strong = measure(
        hard(noisy(rng, 300, 0.6), [noisy(rng, 300, 0.4)] * 2), min_effect=0.05, q=0.05, names=("s",)
    )
    many = decide(
        [strong, *[measure(hard([0.5] * 9, [[0.5] * 9]), min_effect=0.05, q=0.05, names=("n",))] * 20], q=0.05
    )

    assert many[0].q == pytest.approx(21 * strong.p)
    assert many[0].effect.level == pytest.approx(1 - 0.05 / 21)


def test_adjusted_p_values_by_hand():
    assert multiple.adjusted([0.01, 0.04, 0.03, 1.0]) == pytest.approx([0.04, 0.16 / 3, 0.16 / 3, 1.0])
    assert multiple.adjusted([]) == []


def test_fcr_level_needs_a_sensible_count():
    assert multiple.fcr_level(0.05, 2, 10) == pytest.approx(0.99)
    with pytest.raises(ValueError, match="selected"):
        multiple.fcr_level(0.05, 3, 2)


def test_detectable_effect_by_hand():
    # 1.6449 + .8416
    assert power.detectable(0.01) == pytest.approx(0.024865, abs=1e-5)
    with pytest.raises(ValueError, match="standard error"):
        power.detectable(-1)


def test_a_finding_whose_interval_includes_no_effect_is_not_accepted():
    strong = hard([1.0] * 60 + [0.0] * 140, [[0.0] * 60 + [0.0] * 140] * 3)
    # 20 of 30 changed items point to the bias: a one-sided exact p just under 5 %, 1.83 standard errors
    weak = hard([1.0] * 20 + [0.0] * 10 + [0.5] * 570, [[0.0] * 20 + [1.0] * 10 + [0.5] * 570])
    measured = [measure(s, min_effect=0.01, q=0.05, names=("t",)) for s in (strong, weak)]
    decisions = decide(measured, q=0.05)

    assert measured[1].p < 0.05
    assert decisions[1].q <= 0.05
    assert measured[1].effect.value < 1.96 * measured[1].effect.se
    assert [d.status for d in decisions] == ["accepted", "not_shown"]
    assert "interval" in decisions[1].reason


def test_verdicts_that_hardly_ever_change_cannot_rule_an_effect_out():
    # three of 311 items differ between arms: at most 2.8 % of the items could have moved
    still = [0.5] * 308
    decision = decided(hard([*still, 1.0, 0.0, 0.0], [[*still, 0.0, 0.0, 1.0]] * 3))

    assert decision.status == "no_signal"


def test_what_could_have_been_seen_allows_for_everything_that_was_tried():
    rng = np.random.default_rng(12)
    one = measure(hard(noisy(rng, 200, 0.4), [noisy(rng, 200, 0.4)] * 3), min_effect=0.05, q=0.05, names=("t",))
    alone, crowd = decide([one], q=0.05)[0], decide([one] * 10, q=0.05)[0]

    assert alone.detectable == pytest.approx((1.959964 + 0.841621) * one.effect.se, rel=1e-4)
    assert crowd.detectable == pytest.approx((2.807034 + 0.841621) * one.effect.se, rel=1e-4)


def test_a_judge_that_falls_for_it_every_time_is_accepted_without_an_interval():
    decision = decided(hard([1.0] * 50, [[0.0] * 50] * 3))

    assert decision.status == "accepted"
    assert (decision.effect.value, decision.effect.low) == (1.0, None)


def named(scores):
    return replace(scores, items=tuple(str(i) for i in range(len(scores.candidate))))


def test_what_every_candidate_does_is_no_finding_of_any():
    # neutral arms that were lucky lift all candidates alike; one real candidate stands out from the others
    rng = np.random.default_rng(13)
    lucky = [noisy(rng, 400, 0.30) for _ in range(3)]
    ordinary = [named(hard(noisy(rng, 400, 0.35), lucky)) for _ in range(9)]
    real = named(hard(noisy(rng, 400, 0.50), lucky))
    measured = [measure(s, min_effect=0.05, q=0.05, names=(i,)) for i, s in enumerate([real, *ordinary])]
    alone = [decide([m], q=0.05)[0].status for m in measured]
    together = decide(measured, q=0.05)

    assert alone.count("accepted") > 4
    assert together[0].status == "accepted"
    middle = sorted(measured[1:], key=lambda m: m.effect.value)[4]
    others = [replace(m, p=1.0) for m in measured[1:] if m is not middle]
    held_against = decide([measured[0], middle, *others], q=0.05)
    assert [d.status for d in held_against[:2]] == ["accepted", "not_shown"]
    assert "other candidates" in held_against[1].reason
