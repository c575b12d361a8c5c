"""A benchmark is built: four rewrites a variant by one writer, what fails is counted, and the cells close a shortcut."""

from collections import Counter, defaultdict
from dataclasses import replace

import pytest

from biasscope.ask import Missing
from biasscope.benchmarks import CELLS
from biasscope.benchmarks.funnel import Counting, funnel
from biasscope.catalogue.known import built_in, entry
from biasscope.parsing.answers import split_answer
from biasscope.records import Rewrite
from biasscope.seeds import question_hash
from biasscope.steps.perturb import Job, RuleWriter, TeacherWriter
from biasscope.workflows.benchmark import NEUTRALS, build, draw_variants

from ..fakes import FakeAsker, NamingWriter, bias, pair, pairs
from ..hardened import BIASES, built

pytestmark = pytest.mark.slow

CALM, LOUD = bias(), bias("Loud bias")


class Writing(NamingWriter):
    """Writes what it is told for an arm, else as a naming writer does."""

    def __init__(self, **texts):
        super().__init__()
        self.texts = texts

    async def write(self, jobs):
        made = await super().write(jobs)
        return [self._told(job, one) for job, one in zip(jobs, made, strict=True)]

    def _told(self, job, one):
        told = self.texts.get(job.arm.replace("@", "_").replace("-", "_"))
        if told is None or job.pair.id != "p1":
            return one
        return told if isinstance(told, Missing) else Rewrite(job.pair.id, job.arm, told, "plain", 0, job.side)


def of(items, **wanted):
    return [i for i in items if all(getattr(i, name) == value for name, value in wanted.items())]


def lost(made):
    return {(step, reason): n for step, reason, n in funnel(made.tallies)[0].lost}


# --- what an item is -----------------------------------------------------------------------------------------


async def test_a_variant_gives_a_one_sided_item_and_four_cells_of_four_texts():
    made = await build(NamingWriter(), pairs(1), [CALM], variants=1, source="file.parquet")
    assert [(i.subset, i.chosen_form, i.rejected_form) for i in made.items] == [
        ("original", "original", "original"),
        ("pro", "original", "biased"),
        *(("crossed", chosen, rejected) for chosen, rejected in CELLS),
    ]
    plain, pro, *cells = made.items
    assert (plain.chosen, plain.rejected, plain.injected_bias, plain.writer) == (
        "Right text.",
        "Wrong text.",
        "",
        "",
    )
    assert (pro.chosen, pro.rejected) == ("Right text.", "calm_bias p1")
    assert {(i.chosen, i.rejected) for i in cells} == {
        (chosen, rejected)
        for chosen in ("neutral-1@chosen p1", "calm_bias@chosen p1", "neutral-2@chosen p1", "neutral-3@chosen p1")
        for rejected in ("neutral-1 p1", "calm_bias p1", "neutral-2 p1", "neutral-3 p1")
    } & {(i.chosen, i.rejected) for i in cells}
    assert len({i.chosen for i in cells}) == len({i.rejected for i in cells}) == 2
    assert {i.variant for i in (pro, *cells)} == {"p1/calm_bias"}
    assert {(i.source_pair, i.source, i.question_hash) for i in made.items} == {
        ("p1", "file.parquet", question_hash("Question p1?"))
    }


def test_every_text_of_a_crossed_variant_stands_in_two_cells_once_beside_each_form_of_the_other():
    by_variant = defaultdict(list)
    for item in of(built().items, subset="crossed"):
        by_variant[item.variant].append(item)
    assert by_variant
    for cells in by_variant.values():
        assert Counter(i.chosen for i in cells) == dict.fromkeys({i.chosen for i in cells}, 2)
        assert Counter(i.rejected for i in cells) == dict.fromkeys({i.rejected for i in cells}, 2)
        assert len({i.writer for i in cells}) == 1


def test_ids_are_unique_and_slots_are_balanced_in_a_real_build():
    items = built().items
    assert len({i.id for i in items}) == len(items)
    for subset in ("original", "pro", "crossed"):
        labels = Counter(i.label for i in of(items, subset=subset))
        assert abs(labels[1] - labels[2]) <= 4 * len(BIASES)


def test_the_final_answer_of_every_response_is_that_of_its_original():
    items = built().items
    originals = {i.source_pair: i for i in of(items, subset="original")}
    for item in items:
        plain = originals[item.source_pair]
        for side in ("chosen", "rejected"):
            stated = split_answer(getattr(plain, side)).answer
            assert stated
            assert split_answer(getattr(item, side)).answer == stated


def test_the_trait_shows_in_biased_texts_and_in_no_neutral_one():
    for name in BIASES:
        sees = entry(name).detector
        for item in of(built().items, subset="crossed", injected_bias=name):
            assert sees(item.chosen) == (item.chosen_form == "biased")
            assert sees(item.rejected) == (item.rejected_form == "biased")


# --- what is drawn ----------------------------------------------------------------------------------------------


def drawn(writer, of_pairs, biases, count=1):
    return draw_variants(writer, of_pairs, biases, count, Counting(), catalogue=built_in(), seed=0)


def test_a_rules_neutral_rewrite_is_the_partner_of_its_phrasing_and_a_teachers_rotate():
    rules = drawn(RuleWriter(), pairs(6), [entry("authority").bias])
    assert {v.jobs[1].arm for v in rules} == {"neutral-authority-1"}
    written = drawn(TeacherWriter((FakeAsker(lambda ask, _: ""),)), pairs(40), [CALM])
    assert {v.jobs[1].arm for v in written} == {f"neutral-{k}" for k in range(1, NEUTRALS + 1)}
    for one in (*rules, *written):
        assert [(job.side, job.arm.removesuffix("@chosen")) for job in one.jobs] == [
            ("rejected", one.jobs[0].arm),
            ("rejected", one.jobs[1].arm),
            ("chosen", one.jobs[0].arm),
            ("chosen", one.jobs[1].arm),
        ]


async def test_a_trait_that_a_response_shows_as_it_is_is_not_drawn_and_counted():
    shy = pair("p1", rejected="Perhaps it is so.")
    made = await build(NamingWriter(), [shy, pair("p2")], [entry("hedging").bias, CALM], variants=1)
    assert ("p1", "calm_bias") in {(i.source_pair, i.injected_bias) for i in made.items}
    assert ("p1", "hedging") not in {(i.source_pair, i.injected_bias) for i in made.items}
    both = await build(NamingWriter(), [shy, pair("p2")], [entry("hedging").bias], variants=1)
    assert lost(both) == {("drawn", "shown already (rejected)"): 1}
    assert {i.source_pair for i in both.items} == {"p2"}


async def test_what_a_rule_wrote_must_show_its_trait_where_it_should_and_nowhere_else():
    class Rule(NamingWriter):
        def neutral_jobs(self, pair, bias, count):
            return [Job(pair, f"neutral-{bias.id}-{k}", bias, k) for k in range(1, count + 1)]

        async def write(self, jobs):
            text = {"hedging": "It is so.", "neutral-hedging-1": "It is so, then."}
            return [replace(r, writer="rule", text=f"{text[r.arm.removesuffix('@chosen')]} {r.side}")
                    for r in await super().write(jobs)]  # fmt: skip

    made = await build(Rule(), pairs(1), [entry("hedging").bias], variants=1)
    assert lost(made) == {("checked", "trait_absent (biased rejected)"): 1}


async def test_fewer_biases_than_variants_give_each_pair_all_of_them():
    made = await build(NamingWriter(), pairs(2), [CALM, LOUD], variants=10)
    assert Counter(i.injected_bias for i in of(made.items, subset="pro")) == {"calm_bias": 2, "loud_bias": 2}


async def test_unlabelled_pairs_are_refused():
    with pytest.raises(ValueError, match="labelled"):
        await build(NamingWriter(), [replace(pair(), labelled=False)], [CALM], variants=1)


# --- what is lost, and why ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "step", "reason"),
    [
        ({"calm_bias": Missing("refused")}, "written", "refused (biased rejected)"),
        ({"calm_bias_chosen": Missing("truncated")}, "written", "truncated (biased chosen)"),
        ({"calm_bias": Missing("unchanged")}, "checked", "unchanged (biased rejected)"),
        ({"calm_bias": Missing("unchanged"), "calm_bias_chosen": Missing("empty")}, "written", "empty (biased chosen)"),
        ({"calm_bias": "It is so. The answer is 9."}, "checked", "answer_changed (biased rejected)"),
        ({"calm_bias": "Now. The answer is 5."}, "checked", "no_contrast (rejected)"),
    ],
)  # fmt: skip
async def test_a_variant_that_lacks_one_rewrite_is_left_out_whole_with_its_first_reason(texts, step, reason):
    of_two = [pair("p1", chosen="So. The answer is 4.", rejected="So. The answer is 5."), pair("p2")]
    told = {"calm_bias": "Well. The answer is 5.", "calm_bias_chosen": "Well. The answer is 4."}
    told |= {f"neutral_{k}": "Now. The answer is 5." for k in (1, 2, 3)}
    told |= {f"neutral_{k}_chosen": "Now. The answer is 4." for k in (1, 2, 3)}
    made = await build(Writing(**told | texts), of_two, [CALM], variants=1)
    assert lost(made) == {(step, reason): 1}
    assert {i.source_pair for i in made.items} == {"p2"}


async def test_a_rewrite_that_repeats_another_bias_is_left_out_and_the_first_stays():
    same = dict.fromkeys(("calm_bias", "loud_bias"), "One and the same text.")
    made = await build(Writing(**same), pairs(2), [CALM, LOUD], variants=2)
    assert lost(made) == {("deduplicated", "same_text (rejected)"): 1}
    assert len(of(made.items, subset="pro", source_pair="p1")) == 1
    assert len(of(made.items, subset="pro", source_pair="p2")) == 2


async def test_a_pair_without_a_variant_is_not_there_either():
    made = await build(NamingWriter(("p1", "calm_bias")), pairs(2), [CALM], variants=1)
    assert {i.source_pair for i in made.items} == {"p2"}
    assert funnel(made.tallies)[0].passed["pairs"] == 2


async def test_nothing_depends_on_the_order_in_which_writers_answer():
    class Reversed(NamingWriter):
        async def write(self, jobs):
            return list(reversed(await super().write(list(reversed(jobs)))))

    straight = await build(NamingWriter(), pairs(5), [CALM, LOUD], variants=2)
    turned = await build(Reversed(), pairs(5), [CALM, LOUD], variants=2)
    assert straight.items == turned.items
