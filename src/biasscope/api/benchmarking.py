"""A hardened benchmark in a run folder: read the pairs and the library, write the rewrites, check, store. Prints nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from biasscope.api.benchmark_files import REVIEWED, read_filter, write_benchmark
from biasscope.api.known import KnownBiases, is_bias_file, known_biases
from biasscope.api.running import entered, opened
from biasscope.ask import Asker, digest
from biasscope.benchmarks.funnel import Tally
from biasscope.catalogue.known import Catalogue
from biasscope.config import BenchmarkConfig, BenchmarkIdentity, ModelExecution, ModelSpec
from biasscope.datasets import load
from biasscope.engine import Event
from biasscope.errors import DataError, UsageError
from biasscope.records import Bias, PreferencePair
from biasscope.report.benchmark_summary import BuildFacts, TraitCount
from biasscope.report.benchmarked import BenchmarkOut
from biasscope.report.summarising import calls_out
from biasscope.steps.judge import Table
from biasscope.steps.manipulation import check_traits
from biasscope.steps.perturb import RuleWriter, TeacherWriter, Writer
from biasscope.steps.watching import unseen
from biasscope.workflows.benchmark import build
from biasscope.workflows.stages import OnSeen, StageSeen


@dataclass(frozen=True, slots=True)
class BenchmarkData:
    """What a benchmark is made of: labelled pairs as they were read, biases, and what was left out."""

    pairs: tuple[PreferencePair, ...]
    known: KnownBiases
    unlabelled: int
    skipped: int
    hashes: dict[str, str]
    source: str


def load_benchmark(identity: BenchmarkIdentity) -> BenchmarkData:
    """Read the pairs and the biases that a configuration names; asks nobody.

    Raises DataError where no pair is labelled, UsageError where no bias can be injected, and both for what cannot be used.
    """
    loaded = load(identity.data, limit=identity.limit)
    pairs = tuple(p for p in loaded.pairs if p.labelled)
    if not pairs:
        raise DataError(
            f"no pair of {identity.data} is labelled, so that nothing can be said to be the better response",
            hint="Give pairs that say which response is better; biasscope measure needs no labels.",
        )
    known = known_biases(identity)
    if not known.biases:
        raise UsageError(
            "no bias is named that a text can carry", hint="`biasscope catalogue` lists what there is."
        )
    hashes = {"data": loaded.sha256, "biases": digest([[b.id, b.name, b.definition] for b in known.biases])}
    if files := sorted(n for n in identity.biases if is_bias_file(n)):
        hashes["bias files"] = digest([Path(n).read_text(encoding="utf-8") for n in files])
    skipped = sum(s.count for s in loaded.skipped)
    return BenchmarkData(
        pairs, known, len(loaded.pairs) - len(pairs), skipped, hashes, source_name(identity.data)
    )


def source_name(spec: str) -> str:
    """What a source of pairs is called where it is published: a file by its name alone, without its place on a machine."""
    path = spec.rpartition(":")[2]
    return spec if "hf://" in spec or spec.startswith("objective:") else Path(path).name


async def build_benchmark(
    run: Path,
    config: BenchmarkConfig,
    *,
    data: BenchmarkData | None = None,
    review: int = REVIEWED,
    on_event: Callable[[Event], None] | None = None,
    on_seen: OnSeen | None = None,
) -> BenchmarkOut:
    """Build a benchmark in the folder `run`; the same call continues a build, pays nothing twice and gives the same items.

    `review` variants, drawn by seed, are put before reviewers. A filter that was run before is applied again. `on_event` is
    told of calls, `on_seen` of stages. Raises BiasscopeError subclasses; finished replies are always kept.
    """
    identity = config.identity
    data = data or load_benchmark(identity)
    tell = on_seen or unseen
    with entered(run, config, data.hashes, on_event) as (folder, engine):
        async with opened(*_writers(config)) as models:
            askers = tuple(engine.asker(model, "teacher") for model in models)
            writer = writer_of(identity.rewrites, askers, identity.seed, data.known.catalogue)
            tell(StageSeen("rewrite"))
            built = await build(
                writer,
                data.pairs,
                data.known.biases,
                variants=identity.variants,
                seed=identity.seed,
                source=data.source,
                catalogue=data.known.catalogue,
            )
            tell(StageSeen("traits"))
            traits = await _traits(askers[0] if askers else None, writer, built.table, data)
        tell(StageSeen("report"))
        if not built.items:
            raise DataError(_nothing(built.tallies), hint="Name other biases, or a --teacher that writes them.")
        total = engine.calls.total()
        facts = BuildFacts(
            len(data.pairs),
            data.unlabelled,
            data.skipped,
            data.source,
            data.known.biases,
            tuple(data.known.discovered_on.items()),
            traits,
        )
        # From here on people and judges may work with the items, so that no other build may take the folder.
        folder.bind()
        return write_benchmark(
            folder,
            config,
            facts,
            built.items,
            built.tallies,
            read_filter(folder),
            review=review,
            calls=calls_out(total, total),
        )


def _writers(config: BenchmarkConfig) -> list[tuple[ModelSpec, ModelExecution]]:
    identity = config.identity
    models = [] if identity.teacher is None else [identity.teacher, *identity.writers]
    return [(model, config.execution.teacher) for model in models]


def writer_of(rewrites: str, askers: tuple[Asker, ...], seed: int, catalogue: Catalogue) -> Writer:
    """Rules, the teacher, or both: a fact that is shown about a response is never written by a model.

    `askers` are the teacher, if there is one, and then the writers that rotate in its place.
    """
    written = TeacherWriter(askers[1:] or askers, None, seed) if askers else None
    if rewrites == "teacher":
        catalogue = Catalogue(tuple(e for e in catalogue.entries if e.cues))
    return RuleWriter(written, seed, catalogue)


async def _traits(
    teacher: Asker | None, writer: Writer, table: Table, data: BenchmarkData
) -> tuple[TraitCount, ...]:
    """In how many rewrites of rejected responses each trait shows."""
    found = []
    for bias in data.known.biases:
        neutral = _neutral_arm(writer, data.pairs[0], bias)
        shown, plain = await check_traits(teacher, table, data.pairs, bias, neutral, data.known.catalogue)
        found.append(TraitCount(bias.id, shown.shown, shown.read, plain.shown, plain.read))
    return tuple(found)


def _neutral_arm(writer: Writer, pair: PreferencePair, bias: Bias) -> str:
    return writer.neutral_jobs(pair, bias, 1)[0].arm


def _nothing(tallies: Iterable[Tally]) -> str:
    """Why a benchmark has no item."""
    lost: Counter[str] = Counter()
    for tally in tallies:
        if tally.reason:
            lost[tally.reason] += tally.count
    reasons = ", ".join(f"{reason}: {count:,}" for reason, count in lost.most_common(3))
    return f"nothing of what was drawn became an item ({reasons})"
