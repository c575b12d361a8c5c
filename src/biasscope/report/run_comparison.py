"""Runs beside each other: what ``biasscope compare --json`` prints, and the same in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from biasscope.records import Status, Trial
from biasscope.report.findings import interval_text, p_text
from biasscope.report.summary import Out
from biasscope.workflows.compare_runs import Compared, RunComparison, Subject

SCHEMA: Literal["biasscope.compare/1"] = "biasscope.compare/1"


class ChangeOut(Out):
    """One quantity on the reference and on the other judge, over the pairs that both have; fractions."""

    reference: float | None
    """Mean on the reference judge over the pairs that both have, a fraction; null without any."""
    other: float | None
    """The same mean on the other judge."""
    difference: float | None
    """Other less reference, in [-1, 1]; null where it cannot be told from fewer than two pairs."""
    low: float | None
    """Lower end of its 95 % interval; pairs that ask the same count as one."""
    high: float | None
    """Upper end of its 95 % interval."""
    p: float | None
    """Two-sided p-value by exchanging signs, in [0, 1]."""
    q: float | None
    """Its Benjamini-Hochberg value over everything that was compared between the two."""
    n: int
    """Pairs behind it."""
    needed: int | None = None
    """Pairs that would show a true difference of this size with a power of 80 %, two-sided at 5 %, if pairs differ as these
    do; null where nothing differs or all in the same way."""


class ComparedBiasOut(Out):
    """A bias that was tried in both runs: its status in each, and the change of its effect."""

    id: str
    """Id of the bias, the same in both runs."""
    name: str
    """Its name in the reference run."""
    reference_status: Status
    """Status of its trial in the reference run."""
    other_status: Status
    """Status of its trial in the other run."""
    change: ChangeOut
    """Its effect as a change of preference on each, and the difference."""
    selected: tuple[str, ...]
    """Labels of the runs that discovered it, where its effect is inflated by having been picked."""


class HeldOut(Out):
    """A bias that holds in one run and was not tried in the other."""

    id: str
    """Id of the bias."""
    name: str
    """Its name."""
    run: str
    """Label of the judge on which it holds."""


class RunComparisonOut(Out):
    """One judge against the reference, on the pairs that both judged."""

    reference: str
    """Label of the reference judge: its spec, with the run where several runs have the same."""
    other: str
    """Label of the judge that is compared with it."""
    shared_pairs: int
    """Pairs whose originals both judged in every order, at least 20."""
    settings: tuple[str, ...]
    """Settings in which the two runs differ, as `name: reference -> other`."""
    error_rate: ChangeOut
    """Errors on the originals; a tie counts one half."""
    slot_preference: ChangeOut | None
    """P(prefers the answer shown first) - .5 on the originals; null where a judge knows no slots."""
    biases: tuple[ComparedBiasOut, ...]
    """The biases that were tried on both."""
    only_one: tuple[HeldOut, ...]
    """What holds in one run and was not tried in the other."""
    redefined: tuple[str, ...]
    """Ids that stand for different definitions in the two runs; not compared."""


class CompareOut(Out):
    """``biasscope compare --json``: every judge of the runs against the first one."""

    schema_version: Literal["biasscope.compare/1"] = SCHEMA
    """Name and version of this schema."""
    version: str
    """Version of biasscope."""
    runs: tuple[str, ...]
    """Folders of the runs, as they were named."""
    comparisons: tuple[RunComparisonOut, ...]
    """Every judge against the first judge of the first run."""


def comparison_out(
    reference: Subject, other: Subject, found: RunComparison, settings: Sequence[str], discoveries: Sequence[str]
) -> RunComparisonOut:
    """A comparison as output; `discoveries` are the labels of those of the two that chose their biases themselves."""
    return RunComparisonOut(
        reference=reference.label,
        other=other.label,
        shared_pairs=found.shared,
        settings=tuple(settings),
        error_rate=_change(found.errors),
        slot_preference=None if found.slots is None else _change(found.slots),
        biases=tuple(
            ComparedBiasOut(
                id=b.reference.bias.id,
                name=b.reference.bias.name,
                reference_status=b.reference.status,
                other_status=b.other.status,
                change=_change(b.compared),
                selected=tuple(
                    subject.label
                    for subject, trial in ((reference, b.reference), (other, b.other))
                    if subject.label in discoveries and trial.bias.origin == "discovered"
                ),
            )
            for b in found.biases
        ),
        only_one=tuple(
            HeldOut(id=t.bias.id, name=t.bias.name, run=subject.label)
            for subject, beside in ((reference, other), (other, reference))
            for t in _held(subject)
            if t.bias.id not in beside.trials
        ),
        redefined=found.redefined,
    )


def _held(subject: Subject) -> list[Trial]:
    return [t for t in subject.trials.values() if t.status == "accepted"]


def _change(compared: Compared) -> ChangeOut:
    d = compared.difference
    return ChangeOut(
        reference=compared.reference,
        other=compared.other,
        difference=d.value,
        low=d.low,
        high=d.high,
        p=d.p,
        q=d.q,
        n=d.n,
        needed=compared.needed,
    )


def headline(out: RunComparisonOut, level: float = 0.05) -> str:
    """The comparison in one sentence."""
    moved = [b for b in out.biases if b.change.q is not None and b.change.q <= level]
    pairs = f"on {out.shared_pairs:,} common pairs"
    error = out.error_rate
    if error.q is not None and error.q <= level and error.difference is not None:
        more = "more" if error.difference > 0 else "less"
        start = (
            f"{out.other} errs {abs(100 * error.difference):.1f} points {more} often than {out.reference} {pairs}"
        )
    else:
        start = f"No difference in errors is shown between {out.other} and {out.reference} {pairs}"
    if not out.biases:
        return f"{start}; no bias was tried in both."
    if not moved:
        return f"{start}, and none in the {_count(len(out.biases))} tried in both."
    told = "; ".join(f"{b.name} {change_text(b.change)}" for b in moved)
    return f"{start}. What differs: {told}."


def needed_line(change: ChangeOut, level: float = 0.05) -> str:
    """How many pairs a difference in errors of this size takes, where these do not show it; else nothing."""
    if change.needed is None or change.difference is None or (change.q is not None and change.q <= level):
        return ""
    return (
        f"A difference in errors of {abs(100 * change.difference):.1f} points takes about {change.needed:,} pairs to be shown "
        f"(power 80 %); there are {change.n:,}."
    )


def _count(biases: int) -> str:
    return "bias" if biases == 1 else f"{biases} biases"


def change_text(change: ChangeOut) -> str:
    """A difference in points with its interval and p."""
    if change.difference is None:
        return "not known"
    interval = interval_text(change.low, change.high, "fraction")
    return f"{100 * change.difference:+.1f} points ({interval}, {p_text(change.p)}, n = {change.n})"


def notes(out: RunComparisonOut) -> list[str]:
    """What has to be known to read a comparison."""
    told = [line] if (line := needed_line(out.error_rate)) else []
    if out.settings:
        told.append(f"The runs differ in: {'; '.join(out.settings)}.")
    for run in dict.fromkeys(h.run for h in out.only_one):
        names = ", ".join(h.name for h in out.only_one if h.run == run)
        told.append(f"Holds in {run} and was not tried in the other: {names}.")
    for label in dict.fromkeys(label for b in out.biases for label in b.selected):
        told.append(f"Biases discovered in {label} are larger there by having been picked; fresh pairs tell.")
    if fewer := [f"{b.name} ({b.change.n:,})" for b in out.biases if b.change.n < out.shared_pairs]:
        told.append(f"Fewer pairs than the common ones have both effects: {', '.join(fewer)}.")
    if out.redefined:
        told.append(f"Not compared, since the definitions differ: {', '.join(out.redefined)}.")
    return told
