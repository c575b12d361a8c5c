"""The filter of a benchmark: judges on its items in both orders, and what is kept by a declared rule. Prints nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from biasscope.api.benchmark_files import (
    REVIEWED,
    BenchmarkFiles,
    read_benchmark,
    require_benchmark,
    write_benchmark,
)
from biasscope.api.judges import judge_models, open_judges
from biasscope.api.measuring import judge_role
from biasscope.api.running import opened
from biasscope.benchmarks.keeping import parse_rule
from biasscope.config import JudgeSpec, MeasureExecution
from biasscope.engine import Engine, Event
from biasscope.ledger import Ledger
from biasscope.models.lookup import Function
from biasscope.report.benchmark_summary import Filtering, FilterJudge, FilterRun
from biasscope.report.benchmarked import BenchmarkOut
from biasscope.report.summarising import calls_out
from biasscope.rundir import RunDir
from biasscope.steps.watching import unseen
from biasscope.verdict_rows import VerdictRow
from biasscope.workflows.benchmark_filter import VariantOutcome, asked_of, outcomes
from biasscope.workflows.judged_items import judge_items
from biasscope.workflows.stages import JudgeSeen, OnSeen, StageSeen


async def filter_benchmark(
    run: Path,
    judges: Sequence[JudgeSpec],
    keep: str | None = None,
    *,
    execution: MeasureExecution | None = None,
    review: int = REVIEWED,
    on_event: Callable[[Event], None] | None = None,
    on_seen: OnSeen | None = None,
    functions: Mapping[str, Function] | None = None,
) -> BenchmarkOut:
    """Filter the benchmark in the folder `run`: judge its items, mark what `keep` keeps, and store everything.

    `keep` is a rule such as ``2/3``, more than half of the judges where None. The same call continues a filter that was stopped
    and pays nothing twice; another rule or other judges replace the marks, and replies are kept. Raises UsageError for a rule
    that does not fit and where no benchmark was built, ConfigError for a judge that cannot be asked, and what calls raise.
    """
    parse_rule(keep, len(judges))
    require_benchmark(run)
    execution = execution or MeasureExecution()
    tell = on_seen or unseen
    with RunDir.amend(run) as folder, Ledger.open(folder.ledger_path) as ledger:
        files = read_benchmark(folder)
        engine = Engine(ledger, max_calls=execution.max_calls, on_event=on_event)
        rows, told = await _judge(files, judges, execution, engine, tell, functions)
        tell(StageSeen("report"))
        folder.write_verdicts(rows)
        seen = tuple(FilterJudge(j.spec, j.instrument, _missing(rows, j.spec)) for j in judges)
        filtering = Filtering(FilterRun(str(parse_rule(keep, len(judges))), seen), tuple(told))
        total = engine.calls.total()
        return write_benchmark(
            folder,
            files.config,
            files.facts,
            files.items,
            files.tallies,
            filtering,
            review=review,
            calls=calls_out(total, engine.calls.total(role="teacher")),
        )


async def _judge(
    files: BenchmarkFiles,
    judges: Sequence[JudgeSpec],
    execution: MeasureExecution,
    engine: Engine,
    tell: OnSeen,
    functions: Mapping[str, Function] | None,
) -> tuple[list[VerdictRow], list[VariantOutcome]]:
    """Every verdict, judge after judge, and what they say about the variants."""
    items = asked_of(files.items)
    rows: list[VerdictRow] = []
    told: list[VariantOutcome] = []
    tell(StageSeen("filter"))
    async with opened(*judge_models(judges, execution.of), functions=functions) as models:
        asked = open_judges(judges, models, lambda m, k: engine.asker(m, judge_role(k, len(judges))))
        for number, (spec, judge) in enumerate(zip(judges, asked, strict=True)):
            tell(JudgeSeen(number + 1, len(judges), spec.spec, len(items)))
            found = await judge_items(judge, spec.spec, items, "filter")
            rows += found
            told += outcomes(spec.spec, items, found)
    return rows, told


def _missing(rows: Sequence[VerdictRow], judge: str) -> tuple[tuple[str, str, int], ...]:
    counts = Counter((r.arm, r.missing) for r in rows if r.judge == judge and r.missing is not None)
    return tuple((arm, reason, n) for (arm, reason), n in sorted(counts.items()))
