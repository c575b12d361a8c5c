"""Items of a benchmark as pairs that a judge is shown, pairs as items, and the verdicts of one judge. Stores nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from biasscope.benchmarks import BenchmarkItem
from biasscope.judges.base import Judge
from biasscope.records import ORIGINAL, Message, PreferencePair
from biasscope.seeds import question_hash
from biasscope.steps.judge import Table, judge_pairs
from biasscope.verdict_rows import VerdictRole, VerdictRow
from biasscope.workflows.verdict_rows import Judged, verdict_rows


async def judge_items(
    judge: Judge, spec: str, items: Sequence[BenchmarkItem], role: VerdictRole
) -> tuple[VerdictRow, ...]:
    """Judge every item in all orders of the judge; the rows are sorted, so that no completion order shows.

    Of a row the arm is ``original``, or the bias and the response that carries it (``authority@rejected``).
    """
    pairs, arms = [pair_of(item) for item in items], {item.id: arm_of(item) for item in items}
    table = Table(orders=judge.orders)
    await judge_pairs(judge, table, pairs, (ORIGINAL,))
    rows = verdict_rows(spec, [Judged(table, pairs, role=role)])
    return tuple(replace(row, arm=arms[row.pair]) for row in rows)


def arm_of(item: BenchmarkItem) -> str:
    """The name of the arm that an item is in: ``original``, or the bias and the response that carries it."""
    return ORIGINAL if item.subset == "original" else f"{item.injected_bias}@{item.trait_side}"


def pair_of(item: BenchmarkItem) -> PreferencePair:
    """An item as a pair that a judge is shown."""
    return PreferencePair(
        item.id,
        (Message("user", item.question),),
        item.chosen,
        item.rejected,
        domain=item.domain,
        objective=item.objective,
        source=item.source,
    )


def original_item(pair: PreferencePair, *, name: str, source_pair: str, source: str) -> BenchmarkItem:
    """A pair as it was, as an item of the id `name`; `source_pair` is empty where no other item was made of it."""
    return BenchmarkItem(
        id=name,
        subset="original",
        variant=name,
        question=pair.question,
        response_A=pair.chosen,
        response_B=pair.rejected,
        label=1,
        injected_bias="",
        domain=pair.domain,
        source_pair=source_pair,
        source=source,
        question_hash=question_hash(pair.question),
        chosen_form="original",
        rejected_form="original",
        objective=pair.objective,
    )
