"""From composed rows to the summary of training data. Pure."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from biasscope import __version__
from biasscope.config import TrainingDataIdentity
from biasscope.records import Bias, Order
from biasscope.report.benchmark_summary import LEAST_SHOWN, MOST_IN_NEUTRAL, TraitCount
from biasscope.report.summary import CallsOut
from biasscope.report.training_data import (
    EvaluationOut,
    LeftOutOut,
    LengthOut,
    LengthPart,
    Stage,
    TrainedBiasOut,
    TrainingDataOut,
    TrainingFileOut,
    TraitLengthOut,
)
from biasscope.workflows.training_data import Composed, ComposedRow, length

UNLIKE = 0.2
"""Share of the mean length by which chosen and rejected responses of plain rows may differ before a note says so."""
FAR = 1.0
"""Words a row by which the traits may lengthen one side, above which a note says so."""


@dataclass(frozen=True, slots=True)
class Intake:
    """What was read: rows of the source, what could not be used or must not be trained on, and how many pairs are left.

    `evaluation` are (source, questions, pairs refused).
    """

    source: str
    read: int
    skipped: tuple[tuple[str, int], ...]
    left_out: tuple[tuple[str, int], ...]
    evaluation: tuple[tuple[str, int, int], ...]
    pairs: int


@dataclass(frozen=True, slots=True)
class Shown:
    """What is told besides the rows: the biases with their traits read, names of sources, licence, calls, files by rows."""

    run: str
    biases: tuple[Bias, ...]
    traits: tuple[TraitCount, ...]
    names: Mapping[str, str]
    licence: str | None
    notes: tuple[str, ...]
    files: Mapping[str, int]
    calls: CallsOut | None


def training_data_out(
    identity: TrainingDataIdentity,
    intake: Intake,
    composed: Composed,
    orders: Mapping[str, Order] | None,
    shown: Shown,
) -> TrainingDataOut:
    """The summary of what was made; `orders` are those in which a judge is shown the rows."""
    rows = composed.rows
    augmented = [row for row in rows if row.bias]
    first = None if orders is None else sum(orders[row.id] == "chosen_first" for row in rows)
    return TrainingDataOut(
        version=__version__,
        run=shown.run,
        command=command(identity, shown.names),
        data=intake.source,
        task=identity.task,
        mode=None if orders is None else identity.mode,
        format=identity.format,
        files=tuple(TrainingFileOut(path=path, rows=count) for path, count in shown.files.items()),
        read=intake.read,
        pairs=intake.pairs,
        rows=len(rows),
        plain=len(rows) - len(augmented),
        augmented=len(augmented),
        declared=identity.augmented,
        share=len(augmented) / len(rows) if rows else 0.0,
        variants=identity.variants,
        rewrites=identity.rewrites,
        writers=tuple(sorted({row.writer for row in augmented})),
        biases=tuple(_biases(shown, composed)),
        lengths=tuple(_lengths(composed)),
        trait_length=TraitLengthOut(
            drawn=composed.sides.drawn, kept=composed.sides.kept, dropped=len(composed.sides.dropped)
        ),
        slots=None if first is None else (first, len(rows) - first),
        evaluation=tuple(EvaluationOut(source=s, questions=q, refused=r) for s, q, r in intake.evaluation),
        left_out=tuple(_left_out(intake, composed)),
        licence=shown.licence,
        seed=identity.seed,
        notes=tuple(_notes(identity, composed, shown)),
        calls=shown.calls,
    )


def command(identity: TrainingDataIdentity, names: Mapping[str, str]) -> str:
    """The command that makes the same, files by their names alone; settings that are usual are left out."""
    usual = TrainingDataIdentity(data="-")
    words = ["--data", names[identity.data]]
    if identity.biases:
        words += ["--biases", ",".join(names.get(name, name) for name in identity.biases)]
    for source in identity.evaluation:
        words += ["--evaluation", names[source]]
    options = {"limit": "limit", "format": "format", "task": "task", "mode": "judge-mode", "augmented": "augmented",
               "variants": "variants", "rewrites": "rewrites", "seed": "seed"}  # fmt: skip
    for field, option in options.items():
        value = getattr(identity, field)
        if value != getattr(usual, field):
            words += [f"--{option}", f"{value:g}" if isinstance(value, float) else str(value)]
    if identity.teacher is not None:
        words += ["--teacher", identity.teacher.spec]
    for writer in identity.writers:
        words += ["--writer", writer.spec]
    return f"biasscope mitigate data OUT {shlex.join(words)}"


def _biases(shown: Shown, composed: Composed) -> Iterator[TrainedBiasOut]:
    by_side = Counter((row.bias, row.side) for row in composed.rows if row.bias)
    added = {name: variant.added() for name, variant in composed.variants.items()}
    traits = {trait.bias: trait for trait in shown.traits}
    for bias in sorted(shown.biases, key=lambda b: b.id):
        own = [one for one in added.values() if one.group == bias.id]
        read = traits.get(bias.id, TraitCount(bias.id, 0, 0, 0, 0))
        yield TrainedBiasOut(
            bias=bias.id,
            name=bias.name,
            definition=bias.definition,
            origin=bias.origin,
            estimand=bias.estimand,
            on_chosen=by_side[bias.id, "chosen"],
            on_rejected=by_side[bias.id, "rejected"],
            adds_to_chosen=_mean(one.chosen for one in own if one.id in composed.sides.chosen),
            adds_to_rejected=_mean(one.rejected for one in own if one.id in composed.sides.rejected),
            shown=read.shown,
            read=read.read,
            shown_in_neutral=read.shown_in_neutral,
            read_neutral=read.read_neutral,
        )


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return fmean(found) if found else None


def _lengths(composed: Composed) -> Iterator[LengthOut]:
    plain = [row for row in composed.rows if not row.bias]
    augmented = [row for row in composed.rows if row.bias]
    neutral = {name: variant.cells["neutral", "neutral"] for name, variant in composed.variants.items()}
    parts: tuple[tuple[LengthPart, list[ComposedRow], Callable[[ComposedRow], tuple[str, str]]], ...] = (
        ("plain", plain, lambda row: (row.chosen, row.rejected)),
        ("augmented_as_it_was", augmented, lambda row: (row.pair.chosen, row.pair.rejected)),
        ("augmented_neutral", augmented, lambda row: (neutral[row.id].chosen, neutral[row.id].rejected)),
        ("augmented", augmented, lambda row: (row.chosen, row.rejected)),
    )
    for part, rows, texts in parts:
        if rows:
            chosen, rejected = (
                fmean(length(text) for text in side) for side in zip(*map(texts, rows), strict=True)
            )
            yield LengthOut(part=part, rows=len(rows), chosen=chosen, rejected=rejected, gap=chosen - rejected)


def _left_out(intake: Intake, composed: Composed) -> Iterator[LeftOutOut]:
    refused = [(f"asks a question of {source}", count) for source, _, count in intake.evaluation if count]
    found: list[tuple[Stage, str, str, int]] = [
        *(("read", "", reason, count) for reason, count in intake.skipped),
        *(("admitted", "", reason, count) for reason, count in (*intake.left_out, *refused)),
        *(("rewritten", one.bias, one.reason, one.count) for one in composed.lost),
        *(("mixed", one.bias, one.reason, one.count) for one in composed.spare),
    ]
    for stage, bias, reason, count in found:
        yield LeftOutOut(stage=stage, bias=bias, reason=reason, count=count)


def _notes(identity: TrainingDataIdentity, composed: Composed, shown: Shown) -> Sequence[str]:
    rows, kept = len(composed.rows), composed.sides.kept
    augmented = sum(bool(row.bias) for row in composed.rows)
    found = [
        (
            not identity.evaluation,
            "No source of evaluation was named: whether a question of it is trained on was not looked at.",
        ),
        (
            abs(augmented - identity.augmented * rows) > 1 and bool(rows),
            f"The share of augmented rows is {augmented / max(rows, 1):.2f} and not {identity.augmented:g}: too few rewrites came through.",
        ),
        (
            abs(kept) > FAR,
            f"The traits make {'chosen' if kept > 0 else 'rejected'} responses longer by {abs(kept):.1f} words a row: more biases or "
            "more pairs give more to choose from.",
        ),
        (
            identity.task == "judge" and identity.mode == "reason",
            "The verdicts have no reasons before them: a judge that is trained on them learns to decide at once.",
        ),
    ]
    plain = next((one for one in _lengths(composed) if one.part == "plain"), None)
    if plain is not None and abs(plain.gap) > UNLIKE * (plain.chosen + plain.rejected) / 2:
        longer = "longer" if plain.gap > 0 else "shorter"
        text = f"In plain rows chosen responses are {longer} by {abs(plain.gap):.0f} words: length comes with the source, and is trained."
        found.append((identity.task == "responses", text))
    return [*shown.notes, *(text for applies, text in found if applies), *_trait_notes(shown.traits)]


def _trait_notes(traits: Iterable[TraitCount]) -> Iterator[str]:
    for one in traits:
        if one.read and one.shown < LEAST_SHOWN * one.read:
            yield f"{one.bias} shows in {one.shown:,} of {one.read:,} rewrites that were to have it: what is trained is weaker than that."
        if one.read_neutral and one.shown_in_neutral > MOST_IN_NEUTRAL * one.read_neutral:
            yield f"{one.bias} shows in {one.shown_in_neutral:,} of {one.read_neutral:,} neutral rewrites."
