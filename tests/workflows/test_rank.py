"""Judges on a benchmark: planted errors are recovered, clusters widen intervals, and ranks say what is shown."""

import math

import pytest

from biasscope.ask import Missing
from biasscope.stats.ranks import Rank
from biasscope.workflows.judged_items import judge_items
from biasscope.workflows.rank import rank_judges
from biasscope.workflows.ranked_scores import judge_scores
from biasscope.workflows.ranked_set import rank_set

from ..fakes import FakeJudge
from ..ranking import benchmark, item, rows

SET = rank_set(benchmark(60, 4, kept=lambda v: v in (0, 1)))
ITEMS = SET.rows


def on(side):
    """Whether the trait is on this response."""
    return lambda one: one.trait_side == side


def fair(one):
    return 0.3


def drawn(one):
    """Errs 30 of 100 times, 35 more with the trait on the worse response and 20 fewer with it on the better."""
    return 0.3 + {"rejected": 0.35, "chosen": -0.2}.get(one.trait_side, 0.0)


def holds(estimate, truth):
    """Within four standard errors, so that no test hangs on one draw; and these are small enough to say something."""
    half = (estimate.high - estimate.low) / 2
    return half < 0.25 and abs(estimate.value - truth) < 2 * half


# --- one judge -----------------------------------------------------------------------------------------------


def test_planted_errors_are_recovered_on_every_view():
    found = judge_scores(rows(SET.items, drawn), ITEMS)
    views = found.views

    assert set(views) == set(SET.views)
    assert holds(views["hardened"].error, 0.65)
    assert holds(views["unfiltered"].error, 0.65)
    assert holds(views["originals"].error, 0.3)
    # 0.3 without, .65 on the worse, .1 on the better, .3 on both
    assert holds(views["crossed"].error, (0.3 + 0.65 + 0.1 + 0.3) / 4)
    assert holds(views["hardened"].change, 0.35)
    assert holds(found.selection, 0.0)
    assert (views["hardened"].items, views["hardened"].asked) == (120, 240)
    assert views["hardened"].error.clusters == 60
    assert views["originals"].change is None


def test_crossed_cells_tell_a_trait_that_draws_from_one_that_confuses():
    cells = judge_scores(rows(SET.items, drawn), ITEMS).views["crossed"].cells

    for cell, truth in ((cells.neither, 0.3), (cells.rejected, 0.65), (cells.chosen, 0.1), (cells.both, 0.3)):
        assert holds(cell, truth)
    assert holds(cells.sides.pull, (0.35 + 0.2) / 2)
    assert holds(cells.sides.asymmetry, 0.35 - 0.2)
    assert holds(cells.both_change, 0.0)
    assert [b.bias for b in cells.biases] == ["authority", "length"]
    assert all(holds(b.sides.pull, 0.275) for b in cells.biases)

    avoids = judge_scores(
        rows(SET.items, lambda i: 0.05 if on("rejected")(i) else 0.4 if on("chosen")(i) else 0.2), ITEMS
    )
    # A judge that is good at the one-sided items because it punishes the trait: the crossed ones say so.
    assert avoids.views["hardened"].error.value < 0.1
    assert avoids.views["crossed"].cells.sides.pull.high < 0


def test_biases_and_domains_have_rates_of_their_own():
    said = rows(SET.items, lambda i: 0.8 if (i.injected_bias, i.domain) == ("length", "code") else 0.1)
    view = judge_scores(said, ITEMS).views["hardened"]
    biases, domains = ({g.group: g for g in groups} for groups in (view.biases, view.domains))

    assert holds(biases["authority"].error, 0.1)
    assert holds(biases["length"].error, 0.45)
    assert holds(domains["code"].error, 0.45)
    assert holds(biases["length"].change, 0.35)
    assert biases["length"].error.n == 60
    assert judge_scores(said, ITEMS).views["originals"].biases == ()


def test_rewrites_of_one_pair_that_are_judged_alike_are_no_more_evidence_than_one():
    alike, apart = [], []
    for number in range(40):
        for variant in range(10):
            alike.append(item(f"a{number}-{variant}", source_pair=f"p{number}", kept=True))
            apart.append(item(f"a{number}-{variant}", source_pair=f"p{number}-{variant}", kept=True))
    fixed = {f"p{n}": n % 5 < 2 for n in range(40)}

    def error(one):
        return float(fixed[one.source_pair.partition("-")[0]])

    one, other = (
        judge_scores(rows(of, error), rank_set(of).rows).views["hardened"].error for of in (alike, apart)
    )
    assert one.value == other.value == pytest.approx(0.4)
    assert (one.n, one.clusters, other.clusters) == (400, 40, 400)
    assert one.se == pytest.approx(other.se * math.sqrt(10), rel=0.02)
    assert one.high - one.low > 2.9 * (other.high - other.low)


def test_a_tie_is_half_an_error_and_counted_beside_it():
    said = rows(SET.items, lambda i: 0.0, spoilt=lambda i, order: "tie" if order == "chosen_first" else None)
    view = judge_scores(said, ITEMS).views["hardened"]

    assert view.error.value == 0.25
    assert view.ties == 0.5
    assert (view.consistency, view.first_answer) == (0.0, -0.25)


def test_what_is_missing_is_counted_by_reason_and_bounds_the_error():
    said = rows(
        SET.items,
        lambda i: 0.0,
        spoilt=lambda i, order: (
            "verdict: refused"
            if i.id == "s0-v0-pro"
            else "verdict: unparsable"
            if i.injected_bias == "length" and order == "chosen_first"
            else None
        ),
    )
    view = judge_scores(said, ITEMS).views["hardened"]

    assert view.missing == (("verdict: unparsable", 60), ("verdict: refused", 2))
    assert view.error.n == 59
    assert view.worst_case == pytest.approx((0.0, 62 / 240))
    assert {g.group: g.error is None for g in view.biases} == {"authority": False, "length": True}


def test_without_any_verdict_there_is_no_rate():
    said = rows(SET.items, fair, spoilt=lambda i, order: "verdict: failed")
    view = judge_scores(said, ITEMS).views["hardened"]

    assert (view.error, view.ties, view.consistency, view.change) == (None, None, None, None)
    assert view.worst_case == (0.0, 1.0)
    assert judge_scores([], ITEMS).views["hardened"].worst_case is None


def test_a_judge_of_one_slot_has_half_the_errors_and_no_interval():
    view = judge_scores(
        rows(SET.items, fair, spoilt=lambda i, o: "chosen" if o == "chosen_first" else "rejected"), ITEMS
    ).views["hardened"]

    assert (view.error.value, view.error.low, view.consistency, view.first_answer) == (0.5, None, 0.0, 0.5)


# --- judges beside each other --------------------------------------------------------------------------------


def test_a_judge_with_a_trait_ranks_below_a_fair_one_where_the_trait_is_and_beside_it_on_the_originals():
    found = rank_judges([rows(SET.items, drawn, seed=1), rows(SET.items, fair, seed=2)], ITEMS)
    by_view = {v.view: v for v in found.views}

    for view in ("hardened", "unfiltered"):
        assert by_view[view].ranks == (Rank(2, 2, 2), Rank(1, 1, 1))
        assert holds(by_view[view].differences[0, 1], -0.35)
        assert by_view[view].differences[0, 1].q < 0.001
    assert [(r.best, r.worst) for r in by_view["originals"].ranks] == [(1, 2), (1, 2)]


def test_judges_that_err_alike_share_their_ranks():
    judges = [rows(SET.items, fair, seed=n) for n in range(3)] + [rows(SET.items, lambda i: 0.75, seed=9)]
    found = next(v for v in rank_judges(judges, ITEMS).views if v.view == "hardened")

    assert [(r.best, r.worst) for r in found.ranks] == [(1, 3)] * 3 + [(4, 4)]
    assert sorted(r.rank for r in found.ranks) == [1, 2, 3, 4]
    assert len(found.differences) == 6


def test_a_judge_that_is_ranked_apart_takes_no_place_and_is_compared_all_the_same():
    judges = [rows(SET.items, lambda i, r=r: r, seed=n) for n, r in enumerate((0.05, 0.4, 0.7))]
    found = rank_judges(judges, ITEMS, apart=(True, False, False)).views[0]

    assert found.ranks == (Rank(1, 1, 1), Rank(1, 1, 1), Rank(2, 2, 2))
    assert found.differences[0, 1].value > 0.2


def test_one_judge_alone_is_first_of_one():
    found = rank_judges([rows(SET.items, fair)], ITEMS)

    assert found.views[0].ranks == (Rank(1, 1, 1),)
    assert found.views[0].differences == {}


# --- asking --------------------------------------------------------------------------------------------------


async def test_every_item_is_judged_in_both_orders_with_the_trait_in_its_arm():
    of = rank_set(benchmark(3, 1, kept=lambda v: True))
    judge = FakeJudge(lambda shown: "rejected" if "experts" in shown.rejected else "chosen")
    found = await judge_items(judge, "fake:judge", of.items, "rank")

    assert len(found) == 2 * len(of.items) == 2 * 3 * 6
    assert {r.arm for r in found} == {"original"} | {
        f"authority@{s}" for s in ("neither", "chosen", "rejected", "both")
    }
    assert {(r.role, r.judge) for r in found} == {("rank", "fake:judge")}
    assert judge_scores(found, of.rows).views["hardened"].error.value == 1.0
    assert judge_scores(found, of.rows).views["originals"].error.value == 0.0
    assert found == tuple(sorted(found, key=lambda r: (r.pair, r.arm, r.order)))


async def test_a_graded_judge_has_an_error_of_its_mean_margin_beside_that_of_its_verdicts():
    of = rank_set([item(f"i{n}", kept=True) for n in range(40)])

    def leans(shown):
        """One slot wins every verdict, and what is right shows in how clearly."""
        right = 0.5 if int(shown.pair.id[1:]) % 4 else -0.5
        return right + (2.0 if shown.order == "chosen_first" else -2.0)

    view = judge_scores(
        await judge_items(FakeJudge(leans, graded=True), "fake", of.items, "rank"), of.rows
    ).views["hardened"]
    assert (view.error.value, view.error.low) == (0.5, None)
    assert view.by_margin.value == 0.25
    half = judge_scores(
        await judge_items(FakeJudge(lambda s: 1.0 if s.pair.id == "i1" else "chosen"), "fake", of.items, "rank"),
        of.rows,
    ).views["hardened"]
    assert half.by_margin is None


async def test_a_verdict_that_is_missing_is_a_row_with_its_reason():
    of = rank_set([item("i1", kept=True)])
    found = await judge_items(
        FakeJudge(lambda s: Missing("refused") if s.order == "chosen_first" else "chosen"),
        "fake",
        of.items,
        "rank",
    )

    assert [(r.order, r.choice, r.missing) for r in found] == [
        ("chosen_first", None, "verdict: refused"),
        ("rejected_first", "chosen", None),
    ]
