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
    """How far a judge prefers a place."""

    estimate: float | None
    """P(chooses what is shown first) - .5, in [-.5, .5]; positive prefers the first place, null where `reason` says
    why."""
    low: float | None
    """Lower end of its interval, in [-.5, .5]; null where nothing varies."""
    high: float | None
    """Upper end of its interval, in [-.5, .5]; null where nothing varies."""
    p: float | None
    """Two-sided p-value, in [0, 1]."""
    n: int
    """Pairs that it comes from."""
    level: float
    """Coverage of the interval, in (0, 1)."""
    told_from: Literal["both orders", "one order"] | None
    """Whether pairs were judged in `both orders` or in `one order` each; null without an estimate."""
    reason: str
    """Why there is no estimate; with one, what it rests on where that must be known, else empty."""


class RoundOut(Out):
    """One round of an evaluator that asks again, on the pairs that came to it."""

    number: int
    """Number of the round, from 1."""
    pairs: int
    """Pairs that came to it."""
    verdicts: int
    """Verdicts recorded in it."""
    slot_preference: SlotPreferenceOut
    """Its preference for a place."""
    position_consistency: float | None
    """Share of its pairs that are judged alike in both orders, in [0, 1]; null where that cannot be told."""


class RereadOut(Out):
    """Recorded replies read by our own reader: how many agree with the recorded decision and how many differ."""

    agree: int
    """Replies whose recorded decision is what our reader reads; no decision in both is agreement."""
    differ: int
    """Replies of which it reads another decision."""
    differences: tuple[Counted, ...]
    """What is recorded and what is read, with counts and first places."""
    slot_preference: SlotPreferenceOut | None
    """The preference for a place by our reading; null where nothing differs."""
    reason: str
    """Why no reply was compared; empty where some were."""


class CandidateOut(Out):
    """A feature that the judge seems to go by, and the known bias to try next."""

    feature: str
    """Name of the feature."""
    words: str
    """More of it, in words."""
    bias: str | None
    """Id of the known bias to try; null where no rule writes it."""
    sign: Literal["for", "against"]
    """Whether the judge goes `for` or `against` the response with more of it."""
    change: Estimate
    """Change of P(chooses the response with more of it), a fraction in [-1, 1] per standard deviation of the
    difference."""
    p: float
    """Two-sided p-value, in [0, 1]."""
    q: float
    """The same adjusted over all features (Benjamini-Hochberg), in [0, 1]."""
    weight: float
    """Log-odds per standard deviation of the difference, in a sparse model beside all other features."""
    frequency: float
    """Share of half-samples in which that model holds it with this sign, in [0, 1]."""
    interaction: float
    """Log-odds added to the weight where the response with more of it is the better one, taken off where it is the
    worse."""


class AuditOut(Out):
    """``biasscope audit --json`` of one judge in one log."""

    schema_version: Literal["biasscope.audit/1"] = SCHEMA
    """Name and version of this schema."""
    version: str
    """Version of the program that wrote it."""
    log: str
    """Path of the log, as it was named to the program."""
    format: str
    """Format in which it was read."""
    sha256: str
    """SHA-256 of the file."""
    judge: str
    """Name of the judge, on one line; at most 120 characters."""
    columns: dict[str, str]
    """Which column of the log was read as which field; empty for formats that name their own."""
    read: int
    """Rows (or records) that were read."""
    pairs: int
    """Pairs with a verdict of this judge."""
    verdicts: int
    """Verdicts recorded, one for each pair and order (and repetition)."""
    answered: int
    """Those of them that decide something."""
    missing: tuple[Counted, ...]
    """The others, by reason."""
    skipped: tuple[Counted, ...]
    """What in the log is no verdict, by reason."""
    notes: tuple[Counted, ...]
    """What else should be known of the log."""
    duplicates: int
    """Rows that came again and were left out."""
    repeated: int
    """Verdicts that share their pair and order with others."""
    slot_preference: SlotPreferenceOut
    """How far it prefers a place."""
    position_consistency: float | None
    """Share of pairs that are judged alike in both orders, in [0, 1]; null where `reasons` says why."""
    error_rate: float | None
    """Share of verdicts that are not for the better response, in [0, 1], a tie counting one half; null where `reasons`
    says why."""
    intervals: dict[Literal["position_consistency", "error_rate"], Estimate]
    """Intervals of `position_consistency` and `error_rate`, where those are known."""
    ties: float | None
    """Share of verdicts that are ties, in [0, 1]; null where no verdict decides anything."""
    by_order: dict[Order, OrderTells]
    """What the verdicts in each order tell, by `chosen_first` and `rejected_first`."""
    rounds: tuple[RoundOut, ...]
    """The rounds of an evaluator that asks again; empty for a judge that is asked once."""
    scores_alone: bool
    """Whether the judge scores responses one by one, equal in both orders."""
    reread: RereadOut
    """Recorded replies read by our own reader."""
    associations: tuple[FeatureAssociation, ...]
    """How the choices go with features of the texts. These are no effects: only a rewrite shows what moves a judge."""
    candidates: tuple[CandidateOut, ...]
    """Features that the judge seems to go by, as candidates for a measurement."""
    command: str | None
    """The command that tries the candidates that can be written; null without any."""
    before: str | None
    """What must be run before that command; null where nothing must."""
    reasons: dict[str, str]
    """Why keys are null or empty, by the name of the key."""


class AuditsOut(Out):
    """``biasscope audit --json`` of several judges or logs; of one judge in one log it is the audit itself."""

    schema_version: Literal["biasscope.audits/1"] = "biasscope.audits/1"
    """Name and version of this schema."""
    version: str
    """Version of the program that wrote it."""
    audits: tuple[AuditOut, ...]
    """The audits, one for each judge in each log."""


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
