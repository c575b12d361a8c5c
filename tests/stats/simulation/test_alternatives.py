"""The rules beside ours do what they are known to do on judges whose truth is known."""

from dataclasses import replace

import numpy as np
import pytest

from biasscope.stats.simulation.alternatives import ALTERNATIVES, published
from biasscope.stats.simulation.score import characteristics
from biasscope.stats.simulation.world import MIDDLE, NEUTRALS, SUITES, Suite, draw


def measured(rule, suite, runs, *, world=MIDDLE, pairs=620):
    return characteristics([rule(draw(world, SUITES[suite], pairs=pairs, seed=k)) for k in range(runs)])


@pytest.mark.parametrize(("suite", "rate"), [("20-10-10", 0.49), ("30-12-5-3", 0.59)])
def test_the_published_rule_accepts_nearly_everything(suite, rate):
    found = measured(published, suite, 200)

    assert found.fdr.value == pytest.approx(rate, abs=0.02)  # four standard errors
    assert found.recall_medium_large.value > 0.999
    assert found.calls_ratio.value == pytest.approx(1.01, abs=0.01)


def test_the_published_rule_compares_the_file_order_with_a_shuffled_one():
    habit = replace(MIDDLE, slot_habit=40.0, wording=0.0, unreadable=0.0, listed_first=1.0)
    drawn = draw(habit, Suite("nulls", (10, 0, 0, 0)), pairs=100, seed=1)

    # Such a judge is always right in the file's order and wrong wherever the shuffle swapped.
    assert not drawn.errors(drawn.file_order, checked=False)[0].any()
    assert published(drawn).accepted.all()


def test_without_a_placebo_rewording_itself_is_found_and_with_one_it_is_not():
    placebo = measured(ALTERNATIVES["without_placebo"], "20-10-10", 15)
    paired = measured(ALTERNATIVES["single_order"], "20-10-10", 15)

    assert placebo.fdr.value > 0.2
    assert paired.fdr.value < 0.05
    assert min(placebo.recall_medium_large.value, paired.recall_medium_large.value) > 0.9


def test_two_unpaired_proportions_find_less_and_still_what_is_only_wording():
    found = measured(ALTERNATIVES["unpaired"], "30-12-5-3", 60)

    assert found.fdr.value > 0.05
    assert found.recall["medium"].value < 0.999


def test_every_call_of_a_rule_is_counted():
    drawn = draw(MIDDLE, Suite("few", (2, 1, 1, 1)), pairs=100, seed=2)
    calls = {name: (rule(drawn).rewrites, rule(drawn).verdicts) for name, rule in ALTERNATIVES.items()}

    assert calls == {
        "paper": (500, 600),
        "unpaired": (500, 600),
        "single_order": (800, 900),
        "without_placebo": (500, 1200),
    }


def test_nothing_but_neutral_rewrites_and_the_originals_is_a_control():
    drawn = draw(MIDDLE, Suite("few", (0, 0, 0, 2)), pairs=200, seed=3)
    swapped = replace(drawn, wrong=drawn.wrong[[*range(1 + NEUTRALS), NEUTRALS + 2, NEUTRALS + 1]],
                      unreadable=drawn.unreadable[[*range(1 + NEUTRALS), NEUTRALS + 2, NEUTRALS + 1]],
                      refused=drawn.refused[[*range(1 + NEUTRALS), NEUTRALS + 2, NEUTRALS + 1]])  # fmt: skip

    for rule in ALTERNATIVES.values():
        assert np.array_equal(rule(drawn).accepted[::-1], rule(swapped).accepted)
