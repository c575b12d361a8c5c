"""Preference data for training in a run folder: read, refuse what is evaluated on, write the rewrites, store. Prints nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from biasscope.api.benchmarking import source_name, writer_of
from biasscope.api.finding import read_found
from biasscope.api.known import KnownBiases, is_bias_file, known_biases
from biasscope.api.running import entered, opened
from biasscope.ask import Asker, digest
from biasscope.catalogue.known import built_in
from biasscope.config import MeasureConfig, ModelSpec, TrainingDataConfig, TrainingDataIdentity
from biasscope.datasets import load
from biasscope.datasets.hardened import load_items
from biasscope.engine import Event
from biasscope.errors import DataError, UsageError
from biasscope.records import Order, PreferencePair
from biasscope.report import training_data_card
from biasscope.report.benchmark_summary import TraitCount
from biasscope.report.summarising import calls_out
from biasscope.report.training_data import TrainingDataOut
from biasscope.report.training_data_summary import Intake, Shown, training_data_out
from biasscope.rundir import RunDir
from biasscope.rundir.verdicts import FILE as VERDICTS
from biasscope.seeds import question_hash
from biasscope.steps.manipulation import check_traits
from biasscope.steps.perturb import Writer
from biasscope.steps.watching import unseen
from biasscope.workflows.stages import OnSeen, StageSeen
from biasscope.workflows.training_data import Composed, ComposedRow, Mix, compose_rows
from biasscope.workflows.training_pairs import admit_pairs, asked, asked_by
from biasscope.workflows.training_rows import as_it_was, draw_orders, judge_row, origin, response_row

FEWEST = 50
"""Fewest pairs that are worth training on."""
FEWEST_ROWS = 20
"""Fewest rows that `mitigate train` takes: a few of the fewest pairs may be lost to rewrites and balance."""
TRAIN, PLAIN, ORIGINS, CARD, RESULT = "train", "plain", "provenance", "card.md", "report.json"


@dataclass(frozen=True, slots=True)
class TrainingSource:
    """What training data is made of: pairs that may be trained on, biases, what was left out, hashes of all that was read."""

    pairs: tuple[PreferencePair, ...]
    known: KnownBiases
    intake: Intake
    hashes: dict[str, str]
    names: dict[str, str]
    notes: tuple[str, ...]


def load_training_data(identity: TrainingDataIdentity) -> TrainingSource:
    """Read the pairs, the biases and the sources that are evaluated on; asks nobody.

    A source of evaluation is one of pairs, a benchmark, or the folder of a run whose questions have verdicts. Raises DataError
    where fewer than `FEWEST` pairs may be trained on, UsageError where nobody can write a bias, and both for what cannot be used.
    """
    known, notes = _biases(identity)
    loaded = load(identity.data, limit=identity.limit)
    evaluated = {source: _evaluated(source) for source in identity.evaluation}
    admitted = admit_pairs(loaded.pairs, {source: hashes for source, (hashes, _, _) in evaluated.items()})
    overlap = dict(admitted.overlap)
    names = {s: source_name(s) for s in (identity.data, *identity.evaluation)}
    names |= {n: Path(n).name for n in identity.biases if Path(n).exists()}
    intake = Intake(
        source=names[identity.data],
        read=loaded.read,
        skipped=tuple((s.reason, s.count) for s in loaded.skipped),
        left_out=admitted.left_out,
        evaluation=tuple((names[s], n, overlap[s]) for s, (_, n, _) in evaluated.items()),
        pairs=len(admitted.pairs),
    )
    if len(admitted.pairs) < FEWEST:
        raise DataError(_too_few(intake), hint=f"Give a source with at least {FEWEST} pairs, better thousands.")
    hashes = {"data": loaded.sha256, "biases": digest([[b.id, b.name, b.definition] for b in known.biases])}
    hashes |= {f"evaluation {number}": sha256 for number, (_, _, sha256) in enumerate(evaluated.values(), 1)}
    if files := sorted(n for n in identity.biases if is_bias_file(n)):
        hashes["bias files"] = digest([Path(n).read_text(encoding="utf-8") for n in files])
    return TrainingSource(admitted.pairs, known, intake, hashes, names, notes)


def _too_few(intake: Intake) -> str:
    refused = [(f"asks a question of {source}", count) for source, _, count in intake.evaluation if count]
    lost = ", ".join(f"{reason}: {count:,}" for reason, count in (*intake.skipped, *intake.left_out, *refused))
    return f"{intake.pairs} pairs of {intake.source} may be trained on" + (f" ({lost})" if lost else "")


def _evaluated(source: str) -> tuple[frozenset[str], int, str]:
    """Hashes of the questions of a source, how many questions these are, and the hash of its content."""
    path = Path(source)
    if (path / VERDICTS).is_file():
        questions = frozenset(RunDir.read(path).read_verdicts()["question"].drop_nulls().to_list())
        return questions, len(questions), digest(sorted(questions))
    if path.is_dir():
        items = load_items(source)
        hashes = frozenset(h for item in items.items for h in asked_by(item.question))
        return hashes, len(hashes), items.sha256
    loaded = load(source)
    questions = frozenset(question_hash(pair.question) for pair in loaded.pairs)
    return questions | {h for pair in loaded.pairs for h in asked(pair)}, len(questions), loaded.sha256


@dataclass(frozen=True, slots=True)
class _Named:
    """Names of biases, and a teacher that can write those that no rule writes."""

    biases: tuple[str, ...]
    teacher: ModelSpec | None


def _biases(identity: TrainingDataIdentity) -> tuple[KnownBiases, tuple[str, ...]]:
    """The biases that texts can carry, and what is to be known about those left out."""
    known = _named(identity) if identity.augmented else KnownBiases((), (), {}, built_in())
    shown = [b for b in known.biases if b.estimand == "cue" and identity.task == "responses"]
    if shown:
        known = replace(known, biases=tuple(b for b in known.biases if b not in shown))
    if identity.augmented and not known.biases and shown:
        raise UsageError(
            "only facts about a response are named, which no response carries",
            hint="Train a judge on them: --task judge.",
        )
    if identity.augmented and not known.biases:
        raise UsageError(
            "no bias is named that a text can carry", hint="`biasscope catalogue` lists what there is."
        )
    ids = ", ".join(b.id for b in shown)
    note = f"Left out, since no response carries them (a judge is shown them): {ids}."
    return known, (note,) if shown else ()


def _named(identity: TrainingDataIdentity) -> KnownBiases:
    """What is named; of the folder of a measurement the biases that were accepted there, on any of its judges."""
    measured = [n for n in identity.biases if Path(n).is_dir() and _is_measurement(Path(n))]
    if not measured:
        return known_biases(identity)
    rest = tuple(n for n in identity.biases if n not in measured)
    names, accepted = list(rest), set[str]()
    for name in measured:
        config = RunDir.read(name).config
        assert isinstance(config, MeasureConfig)
        for judge in config.identity.judges:
            held = [b.id for b in read_found(name, judge.spec).accepted]
            accepted.update(held)
            names += [i for i in held if built_in().get(i) is not None]
        # What no catalogue knows comes from the files and folders that were named there.
        names += [n for n in config.identity.biases if Path(n).exists()]
    if not accepted and not rest:
        raise DataError(f"no bias was accepted in {', '.join(measured)}", hint="Name biases by their ids.")
    own = {b.id for b in known_biases(_Named(rest, identity.teacher)).biases} if rest else set()
    known = known_biases(_Named(tuple(dict.fromkeys(names)), identity.teacher))
    return replace(known, biases=tuple(b for b in known.biases if b.id in own | accepted))


def _is_measurement(path: Path) -> bool:
    return (path / "config.json").is_file() and isinstance(RunDir.read(path).config, MeasureConfig)


async def make_training_data(
    run: Path,
    config: TrainingDataConfig,
    *,
    data: TrainingSource | None = None,
    on_event: Callable[[Event], None] | None = None,
    on_seen: OnSeen | None = None,
) -> TrainingDataOut:
    """Make training data in the folder `run`; the same call continues, pays nothing twice and writes the same bytes.

    ``train.jsonl`` is what TRL reads, ``plain.jsonl`` the same rows without augmentation, ``provenance.jsonl`` where the row in
    each line comes from; ``card.md`` and ``report.json`` tell of all of it. `on_event` is told of calls, `on_seen` of stages.
    Raises BiasscopeError subclasses; finished replies are kept, and a file is replaced whole or not at all.
    """
    identity = config.identity
    data = data or load_training_data(identity)
    tell = on_seen or unseen
    mix = Mix(identity.augmented, identity.variants, identity.seed)
    with entered(run, config, data.hashes, on_event) as (folder, engine):
        models = [] if identity.teacher is None else [identity.teacher, *identity.writers]
        async with opened(*((model, config.execution.teacher) for model in models)) as taken:
            askers = tuple(engine.asker(model, "teacher") for model in taken)
            writer = writer_of(identity.rewrites, askers, identity.seed, data.known.catalogue)
            tell(StageSeen("rewrite"))
            composed = await compose_rows(
                writer,
                data.pairs,
                data.known.biases,
                mix,
                catalogue=data.known.catalogue,
                source=data.intake.source,
            )
            _check_enough(composed, identity)
            tell(StageSeen("traits"))
            traits = await _traits(askers[0] if askers else None, writer, composed, data)
        tell(StageSeen("report"))
        # From here on somebody may train on the files, so that no others may take their place.
        folder.bind()
        total = engine.calls.total()
        shown = Shown(
            str(folder.path),
            data.known.biases,
            traits,
            data.names,
            config.licence,
            data.notes,
            {f"{TRAIN}.jsonl": len(composed.rows), f"{PLAIN}.jsonl": len(composed.rows)},
            calls_out(total, total),
        )
        return _stored(folder, identity, data.intake, composed, shown)


def _check_enough(composed: Composed, identity: TrainingDataIdentity) -> None:
    augmented = sum(bool(row.bias) for row in composed.rows)
    if len(composed.rows) >= FEWEST_ROWS and (augmented or not identity.augmented):
        return
    lost = sorted((*composed.lost, *composed.spare), key=lambda one: -one.count)
    reasons = ", ".join(f"{one.bias} {one.reason}".strip() + f": {one.count:,}" for one in lost[:3])
    raise DataError(
        f"only {len(composed.rows)} rows came of it, {augmented} of them augmented ({reasons})",
        hint=f"At least {FEWEST_ROWS} are needed: give more pairs, other biases, or a --teacher that writes them.",
    )


async def _traits(
    teacher: Asker | None, writer: Writer, composed: Composed, data: TrainingSource
) -> tuple[TraitCount, ...]:
    """In how many rewrites of rejected responses each trait shows, as for a benchmark."""
    pairs = list({v.pair.id: v.pair for v in composed.variants.values()}.values())
    found = []
    for bias in data.known.biases if pairs else ():
        neutral = writer.neutral_jobs(pairs[0], bias, 1)[0].arm
        shown, plain = await check_traits(teacher, composed.table, pairs, bias, neutral, data.known.catalogue)
        found.append(TraitCount(bias.id, shown.shown, shown.read, plain.shown, plain.read))
    return tuple(found)


def _stored(
    folder: RunDir, identity: TrainingDataIdentity, intake: Intake, composed: Composed, shown: Shown
) -> TrainingDataOut:
    """Write the files, the summary last."""
    orders = draw_orders(composed.rows, seed=identity.seed) if identity.task == "judge" else None
    out = training_data_out(identity, intake, composed, orders, shown)
    folder.write_records(TRAIN, _written(identity, composed.rows, orders))
    folder.write_records(PLAIN, _written(identity, [as_it_was(row) for row in composed.rows], orders))
    folder.write_records(
        ORIGINS,
        (
            origin(row, number, intake.source, None if orders is None else orders[row.id])
            for number, row in enumerate(composed.rows, 1)
        ),
    )
    folder.write_text(CARD, training_data_card.render(out))
    folder.write_text(RESULT, out.model_dump_json(indent=2) + "\n")
    return out


def _written(
    identity: TrainingDataIdentity, rows: Sequence[ComposedRow], orders: Mapping[str, Order] | None
) -> Iterator[object]:
    """The rows as TRL reads them."""
    for row in rows:
        if orders is None:
            yield response_row(row, identity.format)
        else:
            yield judge_row(row, identity.format, identity.mode, orders[row.id])
