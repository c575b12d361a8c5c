"""What the instrument says where there is nothing to find: shams through the whole pipeline, neutral rewrites
against each other, and the same question asked twice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from biasscope.catalogue.shams import sham_biases
from biasscope.judges.base import Judge, Presentation
from biasscope.quantities import NullControl, Repeated, ShamControl
from biasscope.records import ORIGINAL, PreferencePair, Verdict
from biasscope.stats.decision import decide
from biasscope.stats.nulls import leave_one_out, sham_control
from biasscope.stats.rules import Rule
from biasscope.steps.columns import arms
from biasscope.steps.judge import Table
from biasscope.steps.perturb import Writer
from biasscope.steps.preference import beyond_neutral
from biasscope.steps.validate import Tested, TrialDesign, validate_candidates
from biasscope.steps.watching import OnLook, unseen

REPEATED_PAIRS = 20
"""Pairs whose originals are judged a second time, in both orders."""


async def null_control(
    judge: Judge,
    writer: Writer,
    table: Table,
    pairs: Sequence[PreferencePair],
    tested: Sequence[Tested],
    design: TrialDesign,
    *,
    shams: int,
    on_look: OnLook = unseen,
) -> NullControl:
    """Look for what is not there: `shams` candidates that ask for nothing, on the pairs of the real ones.

    Without shams only what is free is told: neutral arms of the trial that visited most, against each other. `on_look`
    is told of their looks.
    """
    found: ShamControl | None = None
    repeated: Repeated | None = None
    if shams:
        tried = await validate_candidates(
            judge, writer, table, pairs, sham_biases(shams), design, on_look=on_look
        )
        found = _shams(table, tried, design.rule)
        tested = [*tested, *tried]
        # In the order of the visit, which is not that of the file.
        repeated = await ask_twice(judge, table, tried[0].visited[:REPEATED_PAIRS])
    if not tested:
        return NullControl(found, (), repeated)
    most = max(tested, key=lambda t: len(t.visited))
    neutral = arms(table, most.visited, most.neutral_arms, graded=most.graded)
    return NullControl(found, leave_one_out(neutral, most.neutral_arms, graded=most.graded), repeated)


def _shams(table: Table, tried: Sequence[Tested], rule: Rule) -> ShamControl:
    decisions = decide([t.stopped for t in tried], q=rule.q)
    longest = max(len(t.visited) for t in tried)
    rows = np.full((len(tried), longest), np.nan)
    for row, of in zip(rows, tried, strict=True):
        row[: len(of.visited)] = beyond_neutral(table, of, graded=True)
    # A sham of which nothing could be read has no unit of its own.
    unit = next((t.unit for t in tried if t.graded), tried[0].unit)
    accepted = [d.status == "accepted" for d in decisions]
    return sham_control(rows, accepted, scale=unit)


async def ask_twice(judge: Judge, table: Table, pairs: Sequence[PreferencePair]) -> Repeated:
    """Judge originals that were judged before once more, past the ledger: anything that differs is serving noise."""
    known = [(p, o, v) for p in pairs for o in table.orders if (v := table.verdict(p, ORIGINAL, o)) is not None]
    shown = [Presentation(p, ORIGINAL, o, p.chosen, p.rejected, replicate=1) for p, o, _ in known]
    again = await judge.judge(shown)
    both = [(v, w) for (_, _, v), w in zip(known, again, strict=True) if isinstance(w, Verdict)]
    moves = [abs(v.margin - w.margin) for v, w in both if v.margin is not None and w.margin is not None]
    return Repeated(len(both), sum(v.choice != w.choice for v, w in both), max(moves, default=None))
