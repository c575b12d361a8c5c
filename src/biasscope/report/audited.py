"""The machine-readable result of an audit: what ``biasscope audit --json`` prints, with a versioned schema.

Rates and preferences are fractions. What is not known is null, never 0, and `reasons` says why. Words that stand in a
log (names of judges, places, columns) are given on one line and without characters that steer a terminal.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from biasscope import __version__
from biasscope.datasets.logs import Counted
from biasscope.models.failures import plain
from biasscope.quantities import Estimate, FeatureAssociation, FeatureProposal
from biasscope.records import Effect, Order
from biasscope.report.summary import Out
from biasscope.workflows.audit import Audit, OrderTells, RoundTells, Slot

SCHEMA: Literal["biasscope.audit/1"] = "biasscope.audit/1"

NAME_CHARACTERS = 120


class SlotPreferenceOut(Out):
    """P(chooses what is shown first) - .5; positive prefers the first place. `p` is two-sided.

    `told_from` says whether pairs were judged in both orders or in one each. `low` and `high` are null where nothing
    varies. Without an `estimate`, `reason` says why; with one, what it rests on where that must be known.
    """

    estimate: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    level: float
    told_from: Literal["both orders", "one order"] | None
    reason: str


class RoundOut(Out):
    """One round of an evaluator that asks again, on the pairs that came to it."""

    number: int
    pairs: int
    verdicts: int
    slot_preference: SlotPreferenceOut
    position_consistency: float | None


class RereadOut(Out):
    """Recorded replies read by our own reader: how many agree with the recorded decision and how many differ.

    `differences` says how; `slot_preference` is what our reading gives, null where nothing differs.
    """

    agree: int
    differ: int
    differences: tuple[Counted, ...]
    slot_preference: SlotPreferenceOut | None
    reason: str


class CandidateOut(Out):
    """A feature that the judge seems to go by, and the known bias to try next; null where no rule writes it.

    `change` is that of P(chooses the response with more of it) per standard deviation of the difference; `frequency` is
    the share of half-samples in which a sparse model holds it.
    """

    feature: str
    words: str
    bias: str | None
    sign: Literal["for", "against"]
    change: Estimate
    p: float
    q: float
    weight: float
    frequency: float
    interaction: float


class AuditOut(Out):
    """``biasscope audit --json`` of one judge in one log.

    `verdicts` counts those recorded, one for each pair and order (and repetition); `answered` those that decide
    something, and `missing` the others by reason. `skipped` counts what in the log is no verdict, `notes` what else should
    be known. `error_rate` is the share of verdicts that are not for the better response; a tie counts one half.
    `scores_alone` says that the judge scores responses one by one. `associations` are no effects: only a rewrite shows
    what moves a judge. `command` tries the candidates that can be written; `before` is what must be run before it.
    """

    schema_version: Literal["biasscope.audit/1"] = SCHEMA
    version: str
    log: str
    format: str
    sha256: str
    judge: str
    columns: dict[str, str]
    read: int
    pairs: int
    verdicts: int
    answered: int
    missing: tuple[Counted, ...]
    skipped: tuple[Counted, ...]
    notes: tuple[Counted, ...]
    duplicates: int
    repeated: int
    slot_preference: SlotPreferenceOut
    position_consistency: float | None
    error_rate: float | None
    intervals: dict[Literal["position_consistency", "error_rate"], Estimate]
    ties: float | None
    by_order: dict[Order, OrderTells]
    rounds: tuple[RoundOut, ...]
    scores_alone: bool
    reread: RereadOut
    associations: tuple[FeatureAssociation, ...]
    candidates: tuple[CandidateOut, ...]
    command: str | None
    before: str | None
    reasons: dict[str, str]


class AuditsOut(Out):
    """``biasscope audit --json`` of several judges or logs; of one judge in one log it is the audit itself."""

    schema_version: Literal["biasscope.audits/1"] = "biasscope.audits/1"
    version: str
    audits: tuple[AuditOut, ...]


def audit_out(audit: Audit) -> AuditOut:
    """An audit as output."""
    log, reasons = audit.log, dict(audit.reasons)
    proposals = () if audit.features is None else audit.features.proposals
    candidates = [p.candidate for p in proposals if p.candidate is not None]
    intervals: dict[Literal["position_consistency", "error_rate"], Estimate] = {}
    if audit.consistency is not None:
        intervals["position_consistency"] = audit.consistency
    if audit.error is not None:
        intervals["error_rate"] = audit.error
    before, data = _data(audit)
    return AuditOut(
        version=__version__,
        log=log.path,
        format=log.format,
        sha256=log.sha256,
        judge=plain(audit.judge, NAME_CHARACTERS),
        columns={field: plain(column) for field, column in log.columns.items()},
        read=log.read,
        pairs=audit.pairs,
        verdicts=audit.verdicts,
        answered=audit.verdicts - sum(m.count for m in audit.missing),
        missing=_plainly(audit.missing),
        skipped=_plainly(log.skipped),
        notes=_plainly(log.notes),
        duplicates=audit.duplicates,
        repeated=audit.repeated,
        slot_preference=_slot(audit.slot),
        position_consistency=None if audit.consistency is None else audit.consistency.value,
        error_rate=None if audit.error is None else audit.error.value,
        intervals=intervals,
        ties=audit.ties,
        by_order=dict(audit.orders),
        rounds=tuple(_round(r) for r in audit.rounds),
        scores_alone=audit.alone,
        reread=RereadOut(
            agree=audit.reread.agree,
            differ=audit.reread.differ,
            differences=_plainly(audit.reread.differences),
            slot_preference=None if audit.reread.slot is None else _slot(Slot(audit.reread.slot, audit.slot.told_from)),
            reason=audit.reread.reason,
        ),
        associations=() if audit.features is None else audit.features.found.associations,
        candidates=tuple(_candidate(p) for p in proposals),
        command=_command(audit, data, candidates) if candidates else None,
        before=before if candidates else None,
        reasons=reasons,
    )  # fmt: skip


def _slot(slot: Slot) -> SlotPreferenceOut:
    effect = slot.effect or Effect(0.0, None, None, None, 0, "fraction")
    return SlotPreferenceOut(
        estimate=None if slot.effect is None else effect.value,
        low=effect.low,
        high=effect.high,
        p=effect.p,
        n=effect.n,
        level=effect.level,
        told_from=slot.told_from,
        reason=slot.reason,
    )


def _round(one: RoundTells) -> RoundOut:
    return RoundOut(
        number=one.number,
        pairs=one.pairs,
        verdicts=one.verdicts,
        slot_preference=_slot(one.slot),
        position_consistency=one.consistency,
    )


def _candidate(proposal: FeatureProposal) -> CandidateOut:
    found = proposal.association
    return CandidateOut(
        feature=found.feature,
        words=found.words,
        bias=proposal.candidate,
        sign=proposal.sign,
        change=found.change,
        p=found.p,
        q=found.q,
        weight=proposal.weight,
        frequency=proposal.frequency,
        interaction=proposal.interaction,
    )


def _plainly(found: Sequence[Counted]) -> tuple[Counted, ...]:
    return tuple(replace(c, places=tuple(plain(place, NAME_CHARACTERS) for place in c.places)) for c in found)


def _command(audit: Audit, data: str, biases: Sequence[str]) -> str:
    """The measurement that tries the candidates on the pairs of the log, with the judge as far as its name tells it."""
    name = plain(audit.judge, NAME_CHARACTERS)
    model = re.sub(r" \([^()]*\)$", "", name)
    judge = "openai:MODEL"
    if audit.alone:
        judge = f"reward:{model}"
    elif audit.log.format == "inspect":
        judge = f"inspect:{model}"
    elif audit.log.format == "judgebench" or "judge" in audit.log.columns:
        judge = f"openai:{model}"
    words = ["biasscope", "measure", "runs/audit", "--judge", judge]
    words += ["--judge-kind", "pointwise"] if audit.alone else []
    return shlex.join([*words, "--data", data, "--biases", ",".join(dict.fromkeys(biases))])


def _data(audit: Audit) -> tuple[str | None, str]:
    """What must be run first, and where the pairs are: the log itself where it can be read as pairs."""
    log = audit.log
    if not log.pairs:
        return None, "PAIRS.jsonl"
    path = plain(log.path)
    unpacked = path.removesuffix(".gz")
    before = None if path == unpacked else shlex.join(["gunzip", "--keep", path])
    return before, f"{log.pairs}:{unpacked}"


def ordered(tells: Mapping[Order, OrderTells]) -> list[tuple[str, OrderTells]]:
    """The orders in words, the better response first and then second."""
    return [("better response first", tells["chosen_first"]), ("better response second", tells["rejected_first"])]
