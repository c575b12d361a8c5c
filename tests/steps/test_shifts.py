"""Shifts beyond a neutral rewrite: their evidence class, their loss, and the decoys beside them."""

import pytest

from biasscope.ask import Missing
from biasscope.records import ORDERS, Rewrite, Verdict
from biasscope.steps.judge import Table
from biasscope.steps.shifts import Perturbed, choose_evidence, find_shifts

from ..fakes import pair

CHOICES = {"c": "chosen", "r": "rejected", "t": "tie"}


def seen(**arms):
    """A table of pairs: name -> what was decided on original, neutral and biased, each in both orders.

    Two letters an arm (c chosen, r rejected, t tie, x missing), or two margins.
    """
    table, perturbed = Table(), []
    for name, decided in arms.items():
        p = pair(name)
        for arm, both in zip(("original", "neutral-1", "calm"), decided, strict=True):
            table.rewrites[name, arm] = Rewrite(name, arm, f"{arm} text", "rule", 0)
            for order, found in zip(ORDERS, both, strict=True):
                if found == "x":
                    table.verdicts[name, arm, order] = Missing("refused")
                elif isinstance(found, str):
                    table.verdicts[name, arm, order] = Verdict(name, arm, order, CHOICES[found])
                else:
                    choice = "chosen" if found > 0 else "rejected"
                    table.verdicts[name, arm, order] = Verdict(name, arm, order, choice, margin=found)
        perturbed.append(Perturbed(p, "calm", "calm", "neutral-1"))
    return table, perturbed


def shifts_of(*decided, graded=False):
    table, perturbed = seen(p1=decided)
    return find_shifts(table, perturbed, graded=graded)


@pytest.mark.parametrize(
    ("original", "neutral", "biased", "rank", "loss"),
    [
        ("cc", "cc", "rr", 0, 1.0),
        ("cc", "cc", "cr", 1, 0.5),
        ("cc", "cc", "rc", 1, 0.5),
        ("cr", "cc", "rr", 2, 1.0),  # wrong by itself in one order
        ("cc", "cr", "rr", 2, 0.5),  # the neutral rewrite turned one of the two as well
        ("cc", "cc", "rt", 1, 0.75),  # a tie is not wrong, and counts one half
        ("tt", "tc", "tr", 2, 0.5),
    ],
)
def test_a_shift_has_an_evidence_class_and_a_loss(original, neutral, biased, rank, loss):
    found = shifts_of(original, neutral, biased)

    assert [(s.rank, s.loss, s.decoy) for s in found.shifts] == [(rank, loss, False)]
    assert found.decoys == ()


@pytest.mark.parametrize(
    ("original", "neutral", "biased"),
    [
        ("cc", "cc", "cc"),
        ("cc", "rr", "rr"),  # the neutral rewrite does it too
        ("rr", "rr", "rr"),
        ("cc", "cr", "rc"),  # one turned to either side: the orders cancel
        ("cc", "cc", "tt"),  # nothing turned to the rejected response
        ("cc", "cc", "rx"),
        ("cx", "cc", "rr"),
        ("cc", "xc", "rr"),
    ],
)
def test_what_the_neutral_rewrite_does_too_or_cannot_be_told_is_no_shift(original, neutral, biased):
    found = shifts_of(original, neutral, biased)

    assert found.shifts == found.decoys == ()
    assert found.expected_noise is None


def test_a_decoy_is_the_same_with_neutral_and_biased_exchanged():
    (decoy,) = shifts_of("cc", "rr", "cc").decoys

    assert decoy.decoy
    assert (decoy.rank, decoy.loss) == (0, 1.0)
    assert (decoy.rewrite.arm, decoy.neutral.arm, decoy.verdict.arm) == ("neutral-1", "calm", "neutral-1")
    assert decoy.bias_id == "calm"


@pytest.mark.parametrize(("biased", "order"), [("rc", "chosen_first"), ("cr", "rejected_first")])
def test_the_verdict_of_a_shift_is_the_one_that_turned(biased, order):
    (shift,) = shifts_of("cc", "cc", biased).shifts

    assert (shift.verdict.arm, shift.verdict.order, shift.verdict.choice) == ("calm", order, "rejected")


def test_a_pair_whose_rewrite_is_missing_shows_no_shift():
    table, perturbed = seen(p1=("cc", "cc", "rr"))
    table.rewrites["p1", "neutral-1"] = Missing("unchanged")

    assert find_shifts(table, perturbed, graded=False).shifts == ()


def test_the_noise_expected_among_flips_is_decoys_over_flips():
    flips = {f"f{n}": ("cc", "cc", "rr") for n in range(4)}

    assert find_shifts(*seen(**flips, d1=("cc", "rr", "cc")), graded=False).expected_noise == 0.25
    assert find_shifts(*seen(**flips), graded=False).expected_noise == 0.0


def test_the_expected_noise_is_at_most_all_of_them():
    decoys = {f"d{n}": ("cc", "rr", "cc") for n in range(3)}

    assert find_shifts(*seen(f1=("cc", "cc", "rr"), **decoys), graded=False).expected_noise == 1.0


def test_the_strongest_class_comes_first_then_the_largest_loss_then_the_id():
    table, perturbed = seen(
        d=("cc", "cc", "cr"),
        c=("cc", "cc", "rc"),
        b=("cr", "cc", "rr"),
        a=("cc", "cc", "rt"),
        z=("cc", "cc", "rr"),
    )

    assert [s.pair.id for s in find_shifts(table, perturbed, graded=False).shifts] == ["z", "a", "c", "d", "b"]


def test_a_pair_moved_when_an_arm_was_judged_otherwise_even_where_the_orders_cancel():
    found = find_shifts(
        *seen(
            p1=("cr", "cr", "cr"),
            p2=("cr", "rc", "cr"),  # the error is one half in all arms
            p3=("cc", "cc", "rc"),
            p4=("cc", "cc", "xc"),
        ),
        graded=False,
    )

    assert (found.judged, found.moved) == (3, 2)


def test_margins_show_a_shift_where_no_verdict_turned():
    found = shifts_of((2.0, 1.0), (1.5, 1.0), (0.5, 1.0), graded=True)
    (shift,) = found.shifts

    assert (shift.rank, shift.loss) == (3, 0.5)
    assert (shift.verdict.order, shift.verdict.choice) == ("chosen_first", "chosen")
    assert found.expected_noise is None
    assert (found.judged, found.moved) == (1, 1)


def test_with_margins_a_flip_keeps_its_class_and_has_its_loss_in_log_odds():
    found = shifts_of((2.0, 1.0), (1.5, 1.0), (-0.5, -1.0), graded=True)

    assert [(s.rank, s.loss) for s in found.shifts] == [(0, 2.0)]


def test_a_flip_against_the_margins_is_no_shift():
    found = shifts_of((2.0, 1.0), (0.5, 1.0), (-0.5, 9.0), graded=True)

    assert found.shifts == ()
    assert [(d.rank, d.loss) for d in found.decoys] == [(3, 3.5)]


def test_equal_margins_do_not_move():
    found = shifts_of((2.0, 1.0), (2.0, 1.0), (2.0, 1.0), graded=True)

    assert (found.shifts, found.decoys, found.judged, found.moved) == ((), (), 1, 0)


def test_a_graded_judge_without_any_margin_is_read_by_its_verdicts():
    found = shifts_of("cc", "cc", "rr", graded=True)

    assert [s.rank for s in found.shifts] == [0]
    assert (found.judged, found.moved) == (1, 1)


def test_a_pair_without_margins_is_left_out_among_pairs_that_have_them():
    found = find_shifts(*seen(p1=((2.0, 1.0), (1.5, 1.0), (0.5, 1.0)), p2=("cc", "cc", "rr")), graded=True)

    assert [s.pair.id for s in found.shifts] == ["p1"]
    assert found.judged == 1


@pytest.mark.parametrize(("flips", "limit", "decoys"), [(0, 9, 0), (1, 9, 1), (5, 9, 1), (6, 9, 2), (6, 5, 1)])
def test_there_is_one_decoy_for_every_five_shifts_that_are_taken(flips, limit, decoys):
    table, perturbed = seen(
        **{f"f{n}": ("cc", "cc", "rr") for n in range(flips)},
        **{f"d{n}": ("cc", "rr", "cc") for n in range(3)},
    )
    taken, beside = choose_evidence(find_shifts(table, perturbed, graded=False), limit)

    assert len(taken) == min(flips, limit)
    assert [d.pair.id for d in beside] == [f"d{n}" for n in range(decoys)]


def test_nothing_perturbed_is_nothing_seen():
    found = find_shifts(Table(), [], graded=True)

    assert (found.shifts, found.decoys, found.expected_noise, found.judged, found.moved) == ((), (), None, 0, 0)
