"""A measurement of known biases in a run folder: read the pairs, measure judge after judge, store. Prints nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from biasscope.api.judges import in_flight, judge_models, open_judges
from biasscope.api.known import KnownBiases, is_bias_file, known_biases
from biasscope.api.reporting import PAGE, write_page
from biasscope.api.results import Result, measured_out
from biasscope.api.running import entered, opened
from biasscope.ask import Asker, digest
from biasscope.catalogue.base import CatalogueEntry
from biasscope.config import GatePolicy, MeasureConfig, MeasureIdentity, ModelExecution, ModelSpec, PolicyFile
from biasscope.datasets import SuppliedRewrite, load, load_rewrites
from biasscope.engine import Engine, Event
from biasscope.errors import ConfigError, DataError
from biasscope.judges.base import Judge
from biasscope.models.base import Model
from biasscope.records import Bias, PreferencePair
from biasscope.report import measured_page
from biasscope.report.measured import MeasuredOut, judge_labels
from biasscope.rundir import RunDir, parse_as, read_values
from biasscope.stats.rules import FEWEST
from biasscope.steps.judge import Table
from biasscope.steps.mirror import on_sides
from biasscope.steps.perturb import RuleWriter, TeacherWriter, Writer
from biasscope.steps.rule_shams import RuleShams
from biasscope.steps.supplied import SuppliedWriter
from biasscope.steps.validate import TrialDesign
from biasscope.steps.watching import unseen
from biasscope.verdict_rows import VerdictRow
from biasscope.workflows.blocks import Blocks
from biasscope.workflows.conclude import design_of
from biasscope.workflows.evidence import trial_evidence
from biasscope.workflows.measure import Controls, measure_biases
from biasscope.workflows.sample import Budget, Sample, Spent, choose_sample, in_order
from biasscope.workflows.stages import JudgeSeen, OnSeen, Seen, StageSeen
from biasscope.workflows.verdict_rows import Judged, verdict_rows

RULE_NEUTRALS = 2
"""Neutral edits per pair where rules write: each bias has its own, so that a third one costs as much as a bias."""


@dataclass(frozen=True, slots=True)
class MeasureData:
    """What a measurement is made of: pairs in the order in which they are taken, biases, supplied rewrites."""

    pairs: tuple[PreferencePair, ...]
    known: KnownBiases
    rows: tuple[SuppliedRewrite, ...]
    skipped: int
    hashes: dict[str, str]
    design: TrialDesign

    @property
    def ruled(self) -> list[Bias]:
        """The biases that rules write."""
        return [e.bias for e in self.entries if e.rewrite is not None or e.about is not None]

    @property
    def entries(self) -> list[CatalogueEntry]:
        """The catalogue's entries of the biases that have one."""
        found = (self.known.catalogue.get(b.id) for b in self.known.biases)
        return [e for e in found if e is not None and e.by_rule]


def load_measure(identity: MeasureIdentity) -> MeasureData:
    """Read the pairs, the biases and the rewrites that a configuration names; asks nobody.

    Raises ConfigError for settings that do not fit together, DataError or UsageError for what cannot be used.
    """
    if identity.rewrites == "teacher" and identity.teacher is None:
        raise ConfigError(
            "no teacher is named that could write", hint="Give --teacher, such as --teacher openai:MODEL."
        )
    if (identity.rewrites == "data") != (identity.supplied is not None):
        raise ConfigError("rewrites = data and the file `supplied` go together", hint="Give --rewrites FILE.")
    if len(identity.judges) > 1 and identity.rule != "fixed":
        raise ConfigError(
            "judges are compared at a fixed number of pairs", hint="Leave out --rule, or measure one judge."
        )
    loaded = load(identity.data, limit=identity.limit)
    if len(loaded.pairs) < FEWEST:
        raise DataError(
            f"{identity.data} has {len(loaded.pairs)} usable pairs, and at least {FEWEST} are needed",
            hint="Give more pairs; `biasscope power` says how many an effect needs.",
        )
    hashes = {"data": loaded.sha256}
    rows: tuple[SuppliedRewrite, ...] = ()
    if identity.supplied is not None:
        given = load_rewrites(identity.supplied)
        rows, hashes["rewrites"] = given.rewrites, given.sha256
    known = known_biases(identity, rows)
    hashes["biases"] = digest([[b.id, b.name, b.definition] for b in known.biases])
    if files := sorted(n for n in identity.biases if is_bias_file(n)):
        hashes["bias files"] = digest([Path(n).read_text(encoding="utf-8") for n in files])
    skipped = sum(s.count for s in loaded.skipped)
    pairs = tuple(in_order(loaded.pairs, identity.seed))
    data = MeasureData(pairs, known, rows, skipped, hashes, _design(identity, rows))
    most = most_shams(identity, data)
    if most is not None and (identity.null_control or 0) > most:
        raise ConfigError(
            f"{identity.null_control} shams are asked for, and {most} can be written here",
            hint="Name a --teacher, or lower --null-control.",
        )
    return data


def _design(identity: MeasureIdentity, rows: Sequence[SuppliedRewrite]) -> TrialDesign:
    """The design with as many neutral rewrites as there is somebody to write."""
    neutrals, supplied = identity.neutrals, SuppliedWriter(rows).neutrals
    if supplied:
        neutrals = min(neutrals or supplied, supplied)
    elif identity.teacher is None and identity.rewrites == "data":
        raise DataError(
            f"{identity.supplied} holds no neutral rewrites, without which no effect can be told from rewording",
            hint="Add rows with the trait neutral, or name a --teacher that writes them.",
        )
    elif identity.teacher is None:
        neutrals = neutrals or RULE_NEUTRALS
    return design_of(identity.model_copy(update={"neutrals": neutrals}))


def most_shams(identity: MeasureIdentity, data: MeasureData) -> int | None:
    """How many shams can be written; None where a teacher writes as many as there are.

    Neutral rewrites of a file have no writer that could be asked for another; a rule has as many as it has phrasings.
    """
    if data.rows and SuppliedWriter(data.rows).neutrals:
        return 0
    if identity.teacher is not None:
        return None
    left = [e.phrasings - data.design.rule.neutrals for e in data.entries if e.bias in data.ruled]
    return min(left, default=0) * len(left)


def check_policy(policy: GatePolicy, data: MeasureData) -> None:
    """Refuse a policy about a bias that is neither measured nor known: it would guard nothing."""
    ids = {b.id for b in (*data.known.biases, *data.known.formats)} | {"position"}
    unknown = [name for name in policy.bias if name not in ids and data.known.catalogue.get(name) is None]
    if unknown:
        raise ConfigError(
            f"the policy names {unknown[0]!r}, which is not measured", hint=f"Measured: {', '.join(sorted(ids))}."
        )


@dataclass
class _Bench:
    """What one start measures with: `in_flight` calls of each judge at once, and whoever watches."""

    config: MeasureConfig
    data: MeasureData
    engine: Engine
    judges: list[Judge]
    teacher: Asker | None
    blocks: Blocks
    in_flight: tuple[int, ...]
    on_seen: OnSeen


async def measure(
    run: Path,
    config: MeasureConfig,
    *,
    data: MeasureData | None = None,
    policy: GatePolicy | None = None,
    on_event: Callable[[Event], None] | None = None,
    on_sample: Callable[[Sample], None] | None = None,
    on_seen: Callable[[Seen], None] | None = None,
    clock: Callable[[], float] = time.monotonic,
    functions: Mapping[str, Callable[..., object]] | None = None,
) -> MeasuredOut:
    """Measure judges, storing everything in the folder `run`; the same call continues a run and pays nothing twice.

    `on_event` is told of calls, `on_sample` of the number of pairs that a budget of minutes has room for, `on_seen` of
    stages, of the budget after each block, and of how candidates stand after each look, which is no result.
    `functions` are judges that are objects of this process, by the spec that names them (`Named.spec`).
    Raises BiasscopeError subclasses; finished replies are always kept.
    """
    data = data or load_measure(config.identity)
    if policy is not None:
        check_policy(policy, data)
    with entered(run, config, data.hashes, on_event) as (folder, engine):
        async with opened(*_models(config), functions=functions) as models:
            bench = _bench(config, data, engine, models, on_seen or unseen)
            sample = await _sample(folder, bench, clock)
            if on_sample is not None and sample is not None:
                on_sample(sample)
            return await _measure_all(folder, bench, sample, policy)


def _models(config: MeasureConfig) -> list[tuple[ModelSpec, ModelExecution]]:
    identity, execution = config.identity, config.execution
    judges = judge_models(identity.judges, execution.of)
    teachers = [] if identity.teacher is None else [identity.teacher, *identity.writers]
    return [*judges, *((model, execution.teacher) for model in teachers)]


def judge_role(number: int, judges: int) -> str:
    """The role under which a judge's calls are counted."""
    return "judge" if judges == 1 else f"judge {number + 1}"


def _bench(
    config: MeasureConfig,
    data: MeasureData,
    engine: Engine,
    models: list[Model],
    on_seen: OnSeen,
) -> _Bench:
    identity = config.identity
    count = len(judge_models(identity.judges, config.execution.of))
    asked, writing = models[:count], models[count:]
    judges = open_judges(
        identity.judges, asked, lambda m, k: engine.asker(m, judge_role(k, len(identity.judges)))
    )
    teachers = [engine.asker(model, "teacher") for model in writing]
    written: Writer | None = (
        TeacherWriter(tuple(teachers[1:] or teachers), None, identity.seed) if teachers else None
    )
    writer: Writer
    if identity.rewrites == "data":
        writer = SuppliedWriter(data.rows, written)
    elif identity.rewrites == "teacher" and written is not None:
        writer = written
    else:
        writer = RuleWriter(written, identity.seed, data.known.catalogue)
    shams = _controls(identity, data, writer, written)
    blocks = Blocks(judges, writer, data.known.biases, data.design, identity.sides, shams)
    teacher = teachers[0] if teachers else None
    return _Bench(config, data, engine, judges, teacher, blocks, in_flight(identity.judges, asked), on_seen)


def _controls(identity: MeasureIdentity, data: MeasureData, writer: Writer, written: Writer | None) -> Controls:
    """Who writes the shams: the teacher, else a rule; nobody where a file has the neutral rewrites."""
    most = most_shams(identity, data)
    formats = data.known.formats
    if most is None:
        return Controls(formats=formats, shams=identity.null_control, writer=written if data.rows else writer)
    if most == 0:
        return Controls(formats=formats, shams=0)
    shams = RuleShams(writer, data.ruled, data.design.rule.neutrals)
    return Controls(formats=formats, shams=identity.null_control, writer=shams)


async def _sample(folder: RunDir, bench: _Bench, clock: Callable[[], float]) -> Sample | None:
    """The pairs that fit into the budget: chosen once, and kept when the run is continued.

    What was spent is kept after each block, so that a run that was stopped goes on with what is left.
    """
    minutes, pairs = bench.config.identity.minutes, bench.data.pairs
    if minutes is None:
        return None
    if (folder.path / "sample.jsonl").exists():
        return folder.read_records("sample", Sample)[0]
    bench.on_seen(StageSeen("sample"))
    budget = Budget(
        minutes,
        bench.blocks.measure,
        lambda: bench.engine.calls.total().written,
        clock,
        at_once=bench.blocks.at_once(pairs[0], bench.in_flight),
        whole=len(bench.data.design.rule.looks) == 1,
        keep=lambda spent: folder.write_records("spent", [spent]),
        tell=bench.on_seen,
    )
    kept = folder.read_records("spent", Spent) if (folder.path / "spent.jsonl").exists() else []
    made = await choose_sample(pairs, budget, kept[0] if kept else None)
    folder.write_records("sample", [made])
    return made


async def _measure_all(
    folder: RunDir, bench: _Bench, sample: Sample | None, policy: GatePolicy | None
) -> MeasuredOut:
    """Measure judge after judge on the same pairs and rewrites; what is known is stored after each."""
    data, identity = bench.data, bench.config.identity
    pairs = data.pairs if sample is None else data.pairs[: sample.pairs]
    results: list[Result] = []
    rows: list[VerdictRow] = []
    labels = judge_labels(identity.judges)
    out: MeasuredOut | None = None
    for number, (spec, judge) in enumerate(zip(identity.judges, bench.judges, strict=True), 1):
        bench.on_seen(JudgeSeen(number, len(identity.judges), spec.spec, len(pairs)))
        found = await measure_biases(
            judge,
            bench.blocks.writer,
            pairs,
            data.known.biases,
            data.design,
            sides=identity.sides,
            table=Table(rewrites=bench.blocks.table.rewrites, orders=judge.orders),
            teacher=bench.teacher,
            controls=bench.blocks.controls,
            catalogue=data.known.catalogue,
            on_seen=bench.on_seen,
        )
        bench.on_seen(StageSeen("report"))
        role = judge_role(number - 1, len(identity.judges))
        results.append(Result(spec, found, bench.engine.calls.total(role=role), data.known.discovered(spec.spec)))
        folder.write_records(f"trials-{number}", [trial for trial, _ in found.effects])
        folder.write_records(f"evidence-{number}", trial_evidence(found.table, found.tested, found.trials))
        shown = (*pairs, *on_sides(pairs, identity.sides))
        rows += verdict_rows(labels[number - 1], [Judged(found.table, shown, tested=found.tested)])
        folder.write_verdicts(rows)
        calls = bench.engine.calls.total(), bench.engine.calls.total(role="teacher")
        out = measured_out(
            folder.path, bench.config, results, calls, policy,
            sample=sample, pairs=pairs, available=len(data.pairs), skipped=data.skipped,
        )  # fmt: skip
        folder.write_text("report.json", out.model_dump_json(indent=2) + "\n")
        folder.write_text("report.md", measured_page.render(out))
        if out.complete or (folder.path / PAGE).exists():
            write_page(folder, out)
    assert out is not None  # a configuration has at least one judge
    return out


def read_policy(path: Path | str) -> GatePolicy:
    """Read a policy file (TOML or JSON with a table ``gate``); raises ConfigError naming what is wrong."""
    return parse_as(PolicyFile, read_values(path), source=str(path)).gate
