"""A discovery in a run folder: read the pairs, run the loop, store what it yields. Prints nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from biasscope import __version__
from biasscope.api.judges import judge_models, open_judges
from biasscope.api.reporting import PAGE, write_page
from biasscope.api.running import entered, opened
from biasscope.ask import Asker
from biasscope.catalogue.known import seed_library
from biasscope.config import Identity, RunConfig
from biasscope.datasets import Loaded, load
from biasscope.engine import Engine, Event
from biasscope.errors import ConfigError, DataError
from biasscope.judges.base import Judge
from biasscope.records import Baseline, Iteration, PreferencePair
from biasscope.report import markdown
from biasscope.report.summarising import (
    baseline_out,
    calls_out,
    has_signal,
    iteration_out,
    library_effect_out,
    library_out,
    missing_out,
    run_status,
    trial_out,
)
from biasscope.report.summary import NamedOut, PairsOut, Summary
from biasscope.rundir import RunDir
from biasscope.steps.perturb import RuleWriter, TeacherWriter, Writer
from biasscope.steps.watching import unseen
from biasscope.workflows.conclude import design_of
from biasscope.workflows.discover import discover as run_loop
from biasscope.workflows.outcome import Outcome
from biasscope.workflows.paper import discover_as_published
from biasscope.workflows.plan import Plan, plan
from biasscope.workflows.roles import Roles, split_one, split_two
from biasscope.workflows.stages import OnSeen, Seen, StageSeen

Record = Baseline | Iteration | Outcome


@dataclass(frozen=True, slots=True)
class Data:
    """The pairs of a run by role, what was skipped while reading, and the hashes of the sources."""

    roles: Roles
    skipped: int
    hashes: dict[str, str]


def load_data(identity: Identity) -> Data:
    """Read the pairs a configuration names and give each its role.

    Raises ConfigError unless there is either one source or one for each of discovery and validation.
    """
    spec = identity.data
    if (spec.data is None) == (spec.discovery is None and spec.validation is None):
        raise ConfigError(
            "name either --data, or both --discovery and --validation",
            hint="For a first try: --discovery 'objective:200?seed=1' --validation 'objective:200?seed=2'.",
        )
    if spec.data is not None:
        loaded = load(spec.data, limit=spec.limit)
        roles = split_one(_labelled(loaded), holdout_share=identity.holdout_share, seed=identity.seed)
        return Data(roles, _skipped(loaded), {"data": loaded.sha256})
    if spec.discovery is None or spec.validation is None:
        raise ConfigError("--discovery and --validation go together", hint="Or give one source with --data.")
    one, two = load(spec.discovery, limit=spec.limit), load(spec.validation, limit=spec.limit)
    roles = split_two(_labelled(one), _labelled(two), holdout_share=identity.holdout_share, seed=identity.seed)
    return Data(roles, _skipped(one) + _skipped(two), {"discovery": one.sha256, "validation": two.sha256})


def _labelled(loaded: Loaded) -> tuple[PreferencePair, ...]:
    if not all(p.labelled for p in loaded.pairs):
        raise DataError("discovery needs pairs with known labels", hint="Leave out the unlabelled rows.")
    return loaded.pairs


def _skipped(loaded: Loaded) -> int:
    return sum(s.count for s in loaded.skipped)


def make_plan(config: RunConfig, data: Data) -> Plan:
    """What the run will take, before anything is paid."""
    return plan(data.roles, config.identity, config.execution.judge, config.execution.teacher)


async def discover(
    run: Path,
    config: RunConfig,
    *,
    data: Data | None = None,
    on_event: Callable[[Event], None] | None = None,
    on_record: Callable[[Record], None] | None = None,
    on_seen: Callable[[Seen], None] | None = None,
    functions: Mapping[str, Callable[..., object]] | None = None,
) -> Summary:
    """Discover the biases of a judge, storing everything in the folder `run`; the same call continues a run.

    `on_event` is told of calls, `on_record` of what is stored, `on_seen` of stages and of how the candidates of a trial
    stand after each look, which is no result. `functions` are judges that are objects of this process, by the spec that
    names them (`Named.spec`).
    Raises BiasscopeError subclasses; finished replies are always kept.
    """
    data = data or load_data(config.identity)
    execution = config.execution
    with entered(run, config, data.hashes, on_event) as (folder, engine):
        named = [m for m in (config.identity.teacher, *config.identity.writers) if m is not None]
        spec = config.identity.judge
        asked = judge_models([spec], lambda _: execution.judge)
        wanted = [*asked, *((m, execution.teacher) for m in named)]
        async with opened(*wanted, functions=functions) as models:
            (judge,) = open_judges([spec], models[: len(asked)], lambda m, _: engine.asker(m, "judge"))
            askers = [engine.asker(m, "teacher") for m in models[len(asked) :]]
            seen = on_seen or unseen
            records = _loop(config.identity, judge, askers, data.roles, seen)
            return await _store(folder, config, data, engine, records, on_record, seen)


def _loop(
    identity: Identity, judge: Judge, others: list[Asker], roles: Roles, on_seen: OnSeen
) -> AsyncIterator[Record]:
    """The loop of a configuration; `others` are the teacher, if there is one, and then the writers."""
    paper, library = identity.preset == "paper", seed_library()
    teacher = None if identity.teacher is None else others[0]
    writers = tuple(others[-len(identity.writers) :] if identity.writers else others)
    written = TeacherWriter(writers, 1 if paper else None, identity.seed) if writers else None
    writer: Writer = RuleWriter(written, identity.seed)
    if written is not None and identity.rewrites == "teacher":
        writer = written
    if paper and teacher is not None:
        return discover_as_published(judge, teacher, writer, roles, library, identity, on_seen=on_seen)
    return run_loop(judge, teacher, writer, roles, library, identity, on_seen=on_seen)


async def _store(
    folder: RunDir,
    config: RunConfig,
    data: Data,
    engine: Engine,
    records: AsyncIterator[Record],
    on_record: Callable[[Record], None] | None,
    on_seen: OnSeen,
) -> Summary:
    baseline: Baseline | None = None
    iterations: list[Iteration] = []
    outcome: Outcome | None = None
    async for record in records:
        if isinstance(record, Baseline):
            baseline = record
        elif isinstance(record, Iteration):
            iterations.append(record)
            folder.write_records("iterations", iterations)
        else:
            outcome = record
            on_seen(StageSeen("report"))
            folder.write_records("trials", list(outcome.trials))
            folder.write_records("library", list(outcome.library.biases))
            folder.write_records("evidence", list(outcome.evidence))
            folder.write_verdicts(outcome.verdicts)
        summary = summarise(folder.path, config, data, engine, baseline, iterations, outcome)
        folder.write_text("report.json", summary.model_dump_json(indent=2) + "\n")
        folder.write_text("report.md", markdown.render(summary))
        # Until the end a page is written only where an earlier one would tell what is no longer so.
        if outcome is not None or (folder.path / PAGE).exists():
            write_page(folder, summary)
        if on_record is not None:
            on_record(record)
    return summary


def summarise(
    run: Path,
    config: RunConfig,
    data: Data,
    engine: Engine,
    baseline: Baseline | None,
    iterations: list[Iteration],
    outcome: Outcome | None,
) -> Summary:
    """The run so far as one object; `complete` once the outcome is known."""
    identity = config.identity
    trials = outcome.trials if outcome else tuple(t for i in iterations for t in i.trials)
    library = outcome.library if outcome else seed_library()
    roles = data.roles
    signal = has_signal(iterations, design_of(identity).rule.min_effect)
    return Summary(
        version=__version__,
        run=str(run),
        complete=outcome is not None,
        status=run_status(trials, complete=outcome is not None, signal=signal),
        judge=identity.judge.spec,
        judge_mode=identity.judge.mode,
        instrument=identity.judge.instrument,
        teacher=None if identity.teacher is None else identity.teacher.spec,
        rule=identity.rule,
        preset=identity.preset,
        q=identity.q,
        seed=identity.seed,
        stopped=outcome.stopped if outcome else "not finished",
        pairs=PairsOut(
            discovery=len(roles.discovery),
            validation=len(roles.validation),
            holdout=len(roles.holdout),
            shared_left_out=roles.shared,
            skipped=data.skipped,
        ),
        library=library_out(library, trials if outcome else (), signal=signal),
        trials=tuple(trial_out(t) for t in trials),
        untried=tuple(NamedOut(id=b.id, name=b.name) for b in outcome.untried) if outcome else (),
        iterations=tuple(iteration_out(i) for i in iterations),
        calls=calls_out(engine.calls.total(), engine.calls.total(role="teacher")),
        missing=missing_out(outcome.missing if outcome else tuple(m for i in iterations for m in i.missing)),
        baseline=baseline_out(baseline),
        library_effect=library_effect_out(outcome.library_effect if outcome else None),
        null_control=outcome.null_control if outcome else None,
    )
