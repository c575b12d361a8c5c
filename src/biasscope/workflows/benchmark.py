"""Build a hardened benchmark: biases drawn for each pair, four rewrites of each, checks, duplicates, items. Stores nothing.

Chosen and rejected are both rewritten with the trait and without it, by one writer under the same checks. If the trait were
only ever on rejected responses, *the text with the trait loses* would be a winning rule that needs no judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from biasscope.ask import Missing
from biasscope.benchmarks import CELLS, BenchmarkItem, Form
from biasscope.benchmarks.draws import bias_order, with_slots
from biasscope.benchmarks.duplicates import Variation, find_duplicates
from biasscope.benchmarks.funnel import Counting, Step, Tally
from biasscope.catalogue.known import Catalogue, built_in
from biasscope.records import Bias, PreferencePair, Rewrite, RewrittenSide
from biasscope.seeds import pick, question_hash
from biasscope.steps.check import keeps_final_answer
from biasscope.steps.judge import Table
from biasscope.steps.perturb import Job, Writer, on_chosen, perturb_pairs
from biasscope.workflows.judged_items import original_item

NEUTRALS = 3
"""Neutral rewrites of a response that the biases of a pair share, where a teacher writes them: they rotate over the biases."""
CHECKED = frozenset({"unchanged", "answer_changed", "off_length"})
"""Reasons of a missing rewrite that was written and did not pass; all others say that none was written."""

RULE = "rule"
"""The writer's name of a rule in records."""

Place = tuple[RewrittenSide, Form]
PLACES: tuple[Place, ...] = (
    ("rejected", "biased"),
    ("rejected", "neutral"),
    ("chosen", "biased"),
    ("chosen", "neutral"),
)
"""The four rewrites of a variant, in the order in which what is wrong with one of them is looked for."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A pair with a bias that was drawn for it, and the jobs of its four rewrites, as in `PLACES`."""

    pair: PreferencePair
    bias: Bias
    jobs: tuple[Job, ...]

    @property
    def id(self) -> str:
        """Names the variant, and its items behind a slash."""
        return f"{self.pair.id}/{self.bias.id}"


@dataclass(frozen=True, slots=True)
class Built:
    """What was built: items in the order of the pairs, what became of every variant, and the rewrites."""

    items: tuple[BenchmarkItem, ...]
    tallies: tuple[Tally, ...]
    table: Table


def draw_variants(
    writer: Writer,
    pairs: Sequence[PreferencePair],
    biases: Sequence[Bias],
    count: int,
    counting: Counting,
    *,
    catalogue: Catalogue,
    seed: int,
) -> list[Variant]:
    """Draw up to `count` biases for each pair, with the rewrites that they need; a neutral one is that matched to its bias.

    A bias that a response of the pair shows as it is, by its detector, is passed over and counted: with it neither response
    would be without the trait.
    """
    known = {b.id: b for b in biases}
    drawn = []
    for pair in pairs:
        left = count
        for name in bias_order(pair.id, known, seed=seed):
            if not left:
                break
            if shown_in := _shows(catalogue, name, pair):
                counting.add(name, pair.domain, "drawn", f"shown already ({shown_in})")
                continue
            bias = known[name]
            biased, neutral = Job(pair, bias.id, bias), _neutral(writer, pair, bias, seed)
            drawn.append(Variant(pair, bias, (biased, neutral, on_chosen(biased), on_chosen(neutral))))
            left -= 1
    return drawn


def _shows(catalogue: Catalogue, name: str, pair: PreferencePair) -> RewrittenSide | None:
    """The response that shows a trait as it is, where a detector can tell."""
    known = catalogue.get(name)
    if known is None or known.detector is None:
        return None
    return "rejected" if known.detector(pair.rejected) else "chosen" if known.detector(pair.chosen) else None


def _neutral(writer: Writer, pair: PreferencePair, bias: Bias, seed: int) -> Job:
    jobs = writer.neutral_jobs(pair, bias, NEUTRALS)
    # A rule's first one is the partner of the biased phrasing in place and length; a teacher's are alike, and rotate.
    return jobs[0] if jobs[0].bias is not None else jobs[pick(len(jobs), "neutral", seed, pair.id, bias.id)]


async def build(
    writer: Writer,
    pairs: Sequence[PreferencePair],
    biases: Sequence[Bias],
    *,
    variants: int,
    seed: int = 0,
    source: str = "",
    catalogue: Catalogue | None = None,
    plain: bool = False,
) -> Built:
    """Build the items of labelled pairs with unique ids; `source` is where pairs come from that do not say so themselves.

    A pair of which no variant is left has no item, unless `plain` asks for every pair as it was.

    A variant that lacks one of its four rewrites, or repeats another one of its question, is left out and counted with its
    reason. Raises ValueError for an unlabelled pair: nothing could be said to be the better response.
    """
    if not all(p.labelled for p in pairs):
        raise ValueError("a benchmark needs labelled pairs")
    table, counting, known = Table(), Counting(), built_in() if catalogue is None else catalogue
    drawn = draw_variants(writer, pairs, biases, variants, counting, catalogue=known, seed=seed)
    await perturb_pairs(writer, table, [job for variant in drawn for job in variant.jobs])
    for pair in pairs:
        counting.add("", pair.domain, "pairs")
    written = _passing(drawn, table, known, counting)
    kept = _different(written, counting)
    items = with_slots(_items(pairs, kept, source, plain=plain), seed=seed)
    return Built(items, counting.tallies(), table)


_Written = tuple[Variant, Mapping[Place, Rewrite]]


def _passing(drawn: Sequence[Variant], table: Table, catalogue: Catalogue, counting: Counting) -> list[_Written]:
    """The variants whose rewrites were written and pass the checks."""
    passing: list[_Written] = []
    for variant in drawn:
        where = variant.bias.id, variant.pair.domain
        counting.add(*where, "drawn")
        made = {
            place: table.rewrites[job.pair.id, job.arm] for place, job in zip(PLACES, variant.jobs, strict=True)
        }
        rewrites = {place: one for place, one in made.items() if isinstance(one, Rewrite)}
        fault = _fault(variant, made, rewrites, catalogue)
        if fault is None or fault[0] == "checked":
            counting.add(*where, "written")
        if fault is None:
            counting.add(*where, "checked")
            passing.append((variant, rewrites))
        else:
            counting.add(*where, *fault)
    return passing


def _fault(
    variant: Variant,
    made: Mapping[Place, Rewrite | Missing],
    rewrites: Mapping[Place, Rewrite],
    catalogue: Catalogue,
) -> tuple[Step, str] | None:
    """What is wrong with a variant first, and at which step: that nothing came before that something did not pass."""
    missing = [(place, one.reason) for place, one in made.items() if isinstance(one, Missing)]
    missing.sort(key=lambda found: found[1] in CHECKED)
    for (side, form), reason in missing:
        return ("checked" if reason in CHECKED else "written"), f"{reason} ({form} {side})"
    pair = variant.pair
    for (side, form), rewrite in rewrites.items():
        if not keeps_final_answer(pair.rejected if side == "rejected" else pair.chosen, rewrite.text):
            return "checked", f"answer_changed ({form} {side})"
        if wrong := _trait_fault(rewrite, form, catalogue, variant.bias):
            return "checked", f"{wrong} ({form} {side})"
    for side in ("rejected", "chosen"):
        if rewrites[side, "biased"].shown.strip() == rewrites[side, "neutral"].shown.strip():
            return "checked", f"no_contrast ({side})"
    if len({one.writer for one in rewrites.values()}) > 1:
        return "checked", "several_writers"
    return None


def _trait_fault(rewrite: Rewrite, form: Form, catalogue: Catalogue, bias: Bias) -> str:
    """What a detector finds wrong with what a rule wrote, whose words it knows; empty where nothing is."""
    known = catalogue.get(bias.id)
    if known is None or known.detector is None or rewrite.writer != RULE or known.cues:
        return ""
    shows = known.detector(rewrite.text)
    if form == "biased":
        return "" if shows else "trait_absent"
    return "trait_shown" if shows else ""


def _different(written: Sequence[_Written], counting: Counting) -> list[_Written]:
    """The variants that repeat no other one of their question, on the rejected and then on the chosen side."""
    kept = list(written)
    for side in ("rejected", "chosen"):
        repeated = find_duplicates(_variation(variant, rewrites, side) for variant, rewrites in kept)
        for variant, _ in kept:
            if variant.id in repeated:
                counting.add(
                    variant.bias.id, variant.pair.domain, "deduplicated", f"{repeated[variant.id]} ({side})"
                )
        kept = [one for one in kept if one[0].id not in repeated]
    for variant, _ in kept:
        counting.add(variant.bias.id, variant.pair.domain, "deduplicated")
    return kept


def _variation(variant: Variant, rewrites: Mapping[Place, Rewrite], side: RewrittenSide) -> Variation:
    pair = variant.pair
    own, beside = (pair.rejected, pair.chosen) if side == "rejected" else (pair.chosen, pair.rejected)
    return Variation(variant.id, question_hash(pair.question), own, rewrites[side, "biased"].shown, beside)


def _items(
    pairs: Sequence[PreferencePair], kept: Sequence[_Written], source: str, *, plain: bool
) -> Iterator[BenchmarkItem]:
    """The items of each pair that has a variant, or of all: the pair itself, then of each variant the one-sided item and the cells."""
    by_pair: dict[str, list[_Written]] = {}
    for one in kept:
        by_pair.setdefault(one[0].pair.id, []).append(one)
    for pair in pairs:
        if pair.id not in by_pair and not plain:
            continue
        original = original_item(
            pair, name=f"{pair.id}/original", source_pair=pair.id, source=pair.source or source
        )
        yield original
        for variant, rewrites in by_pair.get(pair.id, ()):
            written = replace(
                original, variant=variant.id, injected_bias=variant.bias.id, writer=rewrites[PLACES[0]].writer
            )
            yield _with_forms(written, "pro", "original", "biased", rewrites)
            for chosen, rejected in CELLS:
                yield _with_forms(written, "crossed", chosen, rejected, rewrites)


def _with_forms(
    plain: BenchmarkItem,
    subset: Literal["pro", "crossed"],
    chosen: Form,
    rejected: Form,
    rewrites: Mapping[Place, Rewrite],
) -> BenchmarkItem:
    one, other = rewrites.get(("chosen", chosen)), rewrites.get(("rejected", rejected))
    keys = [key for rewrite in (one, other) if rewrite is not None for key in rewrite.keys]
    return replace(
        plain,
        id=f"{plain.variant}/{'pro' if subset == 'pro' else f'{chosen}-{rejected}'}",
        subset=subset,
        chosen_form=chosen,
        rejected_form=rejected,
        response_A=plain.response_A if one is None else one.shown,
        response_B=plain.response_B if other is None else other.shown,
        chosen_phrasing=None if one is None else one.phrasing,
        rejected_phrasing=None if other is None else other.phrasing,
        keys=tuple(dict.fromkeys(keys)),
    )
