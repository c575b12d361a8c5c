"""The quickstart: one judge on generated pairs with rule-based rewrites. Prints nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from biasscope.api.running import entered, opened
from biasscope.config import DataSpec, Identity, JudgeSpec, ModelExecution, ModelSpec, RunConfig
from biasscope.datasets import load
from biasscope.engine import Event
from biasscope.judges.open import open_judge
from biasscope.steps.watching import unseen
from biasscope.workflows import quickstart as quick
from biasscope.workflows.measure import Measurement
from biasscope.workflows.quickstart import Example
from biasscope.workflows.stages import Seen
from biasscope.workflows.verdict_rows import Judged, verdict_rows


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What `quickstart` measured: the judge, trials, slot habit as (first, of), examples, and calls paid."""

    judge: str
    measured: Measurement
    slots: tuple[int, int]
    examples: list[Example]
    missing: tuple[tuple[str, str, int], ...]
    calls: int
    replayed: int
    pairs: int


async def first_look(
    run: Path,
    judge: str,
    *,
    pairs: int,
    seed: int,
    on_event: Callable[[Event], None] | None = None,
    on_seen: Callable[[Seen], None] | None = None,
) -> FirstLook:
    """Measure a judge on generated pairs with rule-based rewrites, graded; the same call continues a run.

    `on_event` is told of calls, `on_seen` of stages and of how traits stand after each look, which is no result.
    """
    spec, judged = ModelSpec(spec=judge), JudgeSpec(spec=judge, mode="label")
    source = f"objective:{pairs}?seed={seed}"
    made = load(source)
    identity = Identity(judge=judged, teacher=spec, data=DataSpec(data=source), rewrites="rules",
                        rule="fixed", neutrals=quick.DESIGN.rule.neutrals, seed=seed)  # fmt: skip
    with entered(run, RunConfig(identity=identity), {"data": made.sha256}, on_event) as (folder, engine):
        async with opened((spec, ModelExecution())) as (model,):
            asker = engine.asker(model, "judge")
            found = await quick.quickstart(open_judge(asker, judged), list(made.pairs), on_seen=on_seen or unseen)
        folder.write_records("trials", list(found.trials))
        folder.write_verdicts(verdict_rows(judge, [Judged(found.table, made.pairs, tested=found.tested)]))
    count = engine.calls.total()
    return FirstLook(
        judge,
        found,
        quick.slot_counts(found),
        quick.examples(found, list(made.pairs)),
        tuple(found.table.missing()),
        count.paid,
        count.replayed,
        len(made.pairs),
    )
