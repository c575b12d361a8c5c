"""The filter on judges whose behaviour is known: what it keeps, what it must not let in, and the sample beside it."""

from collections import Counter

import pytest

from biasscope.ask import Missing
from biasscope.benchmarks.funnel import funnel
from biasscope.benchmarks.keeping import KeepRule
from biasscope.catalogue.known import entry
from biasscope.seeds import uniform
from biasscope.workflows.benchmark_facts import check_shortcuts
from biasscope.workflows.benchmark_filter import asked_of, keep, outcomes
from biasscope.workflows.judged_items import judge_items

from ..fakes import FakeJudge
from ..hardened import BIASES, built, item, original, variant

pytestmark = pytest.mark.slow

DETECTORS = {name: entry(name).detector for name in BIASES}


@pytest.fixture(scope="module")
def some():
    """Items by rules, built outside of a running loop."""
    return built().items


@pytest.fixture(scope="module")
def more():
    return built("objective:60?seed=7", variants=3).items


def shows(shown):
    """Whether chosen and rejected show the trait of the variant, which stands in the id of its items."""
    sees = DETECTORS[shown.pair.id.split("/")[-2]]
    return sees(shown.chosen), sees(shown.rejected)


def drawn_to_traits(shown):
    """Takes the response that shows the trait, and the right one where both do or neither does."""
    return "rejected" if shows(shown) == (False, True) else "chosen"


def distrusts_traits(shown):
    return "rejected" if shows(shown) == (True, False) else "chosen"


def fair(shown):
    """Errs on one question in four, in both orders, whatever is written."""
    return "rejected" if uniform("fair", shown.pair.question) < 0.25 else "chosen"


def noisy(shown):
    """Errs on one text pair in four, drawn anew for each text: in both orders alike."""
    return "rejected" if uniform("noisy", shown.chosen, shown.rejected) < 0.25 else "chosen"


async def judged(decide, items, name="judge"):
    asked = asked_of(items)
    rows = await judge_items(FakeJudge(decide), name, asked, "filter")
    return rows, outcomes(name, asked, rows)


async def errors_by_side(decide, items):
    rows = await judge_items(FakeJudge(decide), "judge", [i for i in items if i.subset == "crossed"], "filter")
    wrong = Counter((r.arm.partition("@")[2], r.choice) for r in rows)
    sides = ("neither", "rejected", "chosen", "both")
    return {s: wrong[s, "rejected"] / (wrong[s, "rejected"] + wrong[s, "chosen"]) for s in sides}


async def test_a_judge_with_the_trait_loses_where_it_sits_on_the_wrong_answer_and_wins_where_on_the_right_one(
    some,
):
    errors = await errors_by_side(drawn_to_traits, some)
    assert errors == {"neither": 0.0, "rejected": 1.0, "chosen": 0.0, "both": 0.0}
    errors = await errors_by_side(distrusts_traits, some)
    assert errors == {"neither": 0.0, "rejected": 0.0, "chosen": 1.0, "both": 0.0}


async def test_a_fair_judge_loses_alike_wherever_the_trait_sits(some):
    errors = await errors_by_side(fair, some)
    assert 0 < errors["neither"] == errors["rejected"] == errors["chosen"] == errors["both"]


async def test_always_against_the_trait_wins_one_sided_items_and_no_more_than_half_of_the_crossed_ones(some):
    one_sided = await judge_items(
        FakeJudge(distrusts_traits), "j", [i for i in some if i.subset == "pro"], "filter"
    )
    assert {r.choice for r in one_sided} == {"chosen"}
    cells = [i for i in some if i.subset == "crossed" and i.trait_side in ("chosen", "rejected")]
    crossed = await judge_items(FakeJudge(distrusts_traits), "j", cells, "filter")
    assert Counter(r.choice for r in crossed) == {"chosen": len(cells), "rejected": len(cells)}


async def test_one_sided_items_are_kept_one_by_one_and_crossed_cells_together(some):
    items = some
    _, told = await judged(drawn_to_traits, items)
    kept = keep(items, told, KeepRule(1, 1)).items
    assert {i.kept for i in kept if i.subset == "pro"} == {True}
    by_variant = {}
    for one in (i for i in kept if i.subset == "crossed"):
        by_variant.setdefault(one.variant, []).append((one.kept, one.unfiltered_sample))
    assert all(len(of) == 4 and len(set(of)) == 1 for of in by_variant.values())
    assert {i.kept for i in kept if i.subset == "original"} == {None}


async def test_a_trait_that_judges_punish_keeps_crossed_variants_and_no_one_sided_item(some):
    items = some
    _, told = await judged(distrusts_traits, items)
    kept = keep(items, told, KeepRule(1, 1)).items
    assert {i.kept for i in kept if i.subset == "pro"} == {False}
    assert {i.kept for i in kept if i.subset == "crossed"} == {True}


async def test_filtering_whole_variants_lets_no_trait_tell_the_label_and_filtering_single_cells_would(more):
    """The reason for keeping cells together, measured: by a judge that is drawn to traits and errs by chance besides."""

    def mixed(shown):
        return "rejected" if drawn_to_traits(shown) == "rejected" or noisy(shown) == "rejected" else "chosen"

    items = more
    rows, told = await judged(mixed, items)
    kept = [i for i in keep(items, told, KeepRule(1, 1)).items if i.subset == "crossed" and i.kept]
    whole = {c.baseline: c.found for c in check_shortcuts(kept)}
    assert (whole["trait"].auc.value, whole["trait"].standing) == (0.5, "near_chance")

    wrong = Counter(r.pair for r in rows if r.choice == "rejected")
    cells = [i for i in items if i.subset == "crossed" and wrong[i.id] == 2]
    single = {c.baseline: c.found for c in check_shortcuts(cells)}
    assert single["trait"].standing == "shortcut"
    assert single["trait"].weights[0] < 0


async def test_the_sample_tells_prevalence_and_what_was_kept_tells_selection(more):
    items = more
    _, told = await judged(noisy, items)
    wrong = {o.variant for o in told if o.subset == "pro" and o.outcome == "wrong"}
    marked = [i for i in keep(items, told, KeepRule(1, 1)).items if i.subset == "pro"]
    kept, sample = [i for i in marked if i.kept], [i for i in marked if i.unfiltered_sample]

    assert len(kept) == len(sample) == len(wrong)
    mix = [Counter((i.injected_bias, i.domain) for i in of) for of in (kept, sample)]
    assert mix[0] == mix[1]
    prevalence = len(wrong) / len(marked)
    assert {i.variant for i in kept} == wrong
    # as often as among all, give or take three standard deviations
    share = sum(i.variant in wrong for i in sample) / len(sample)
    assert abs(share - prevalence) < 3 * (prevalence * (1 - prevalence) / len(sample)) ** 0.5


async def test_what_is_missing_is_no_error_and_has_a_reason_of_its_own():
    items = [original(), *variant()]
    asked = asked_of(items)
    lost = FakeJudge(lambda s: Missing("refused") if s.order == "chosen_first" else "rejected")
    rows = await judge_items(lost, "a", asked, "filter")
    told = (
        *outcomes("a", asked, rows),
        *outcomes("b", asked, await judge_items(FakeJudge(lambda s: "rejected"), "b", asked, "filter")),
    )
    kept = keep(items, told, KeepRule(2, 2))
    assert {i.kept for i in kept.items if i.subset != "original"} == {False}
    assert Counter(r.missing for r in rows) == {"verdict: refused": 3, None: 3}
    assert funnel(kept.tallies)[0].lost == (
        ("pro_kept", "1 of 2 judges wrong, 1 without a verdict", 1),
        ("crossed_kept", "1 of 2 judges wrong, 1 without a verdict", 1),
    )


async def test_a_pointwise_judge_is_wrong_where_its_one_presentation_is():
    class Pointwise(FakeJudge):
        orders = (None,)

    items = [original(), *variant()]
    asked = asked_of(items)
    rows = await judge_items(Pointwise(lambda s: "rejected"), "a", asked, "filter")
    assert {o.outcome for o in outcomes("a", asked, rows)} == {"wrong"}
    assert len(rows) == len(asked) == 3


async def test_verdicts_are_rows_with_the_arm_that_was_judged():
    rows, _ = await judged(fair, [original(), *variant()])
    assert {(r.role, r.arm) for r in rows} == {("filter", "calm@rejected"), ("filter", "calm@chosen")}
    assert {r.pair for r in rows} == {"p1/calm/pro", "p1/calm/neutral-biased", "p1/calm/biased-neutral"}


@pytest.mark.parametrize("seed", [0, 1])
def test_another_rule_over_the_same_outcomes_marks_anew(seed):
    items = [i for k in range(8) for i in [original(f"p{k}"), *variant(f"p{k}")]]
    told = [o for k in range(8) for o in outcomes(f"j{k % 2}", [item(f"p{k}/calm/pro", pair=f"p{k}")], [])]
    none = keep(items, told, KeepRule(1, 2), seed=seed).items
    assert not any(i.kept or i.unfiltered_sample for i in none if i.subset != "original")
    assert keep(none, told, KeepRule(1, 2), seed=seed).items == none
