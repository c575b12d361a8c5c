"""Results as tables: a row a bias, a row a reason, a row an association. Numbers as they are in the summary, nothing rounded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from biasscope.quantities import Estimate
from biasscope.report.audited import AuditOut
from biasscope.report.measured import EffectOut, JudgedOut, MeasuredOut
from biasscope.report.summary import MissingOut, Summary, TrialOut

Columns = Mapping[str, Any]

_BIAS: Columns = {
    "id": pl.String,
    "name": pl.String,
    "status": pl.String,
    "effect": pl.Float64,
    "unit": pl.String,
    "low": pl.Float64,
    "high": pl.Float64,
    "level": pl.Float64,
    "p": pl.Float64,
    "q": pl.Float64,
    "n": pl.Int64,
    "judge": pl.String,
    "judge_name": pl.String,
}
"""What a measurement and a discovery both say of a bias."""
_BESIDE: Columns = {
    "min_effect": pl.Float64,
    "detectable": pl.Float64,
    "trait_shown": pl.Float64,
    "trait_in_neutral": pl.Float64,
    "worst_low": pl.Float64,
    "worst_high": pl.Float64,
    "claim": pl.String,
    "estimand": pl.String,
    "reason": pl.String,
    "marks": pl.List(pl.String),
    "definition": pl.String,
}
MEASURED: Columns = {
    **_BIAS,
    "change": pl.Float64,
    "change_low": pl.Float64,
    "change_high": pl.Float64,
    "side": pl.String,
    "gate": pl.String,
    "more_pairs": pl.Int64,
    "discovered_here": pl.Boolean,
    **_BESIDE,
}
"""Columns of a measurement's effects; `change` is the effect as a change of preference, a fraction whatever `unit` is."""
DISCOVERED: Columns = {
    **_BIAS,
    "origin": pl.String,
    "iteration": pl.Int64,
    "provisional": pl.Boolean,
    "look": pl.Int64,
    "looks": pl.Int64,
    "visited": pl.Int64,
    "error_original": pl.Float64,
    "error_biased": pl.Float64,
    "error_neutral": pl.Float64,
    "harm": pl.Float64,
    "rescue": pl.Float64,
    "noise_floor": pl.Float64,
    **_BESIDE,
}
"""Columns of a discovery's trials."""
MISSING: Columns = {
    "judge": pl.String,
    "judge_name": pl.String,
    "arm": pl.String,
    "reason": pl.String,
    "count": pl.Int64,
}
"""Columns of what is missing; `arm` is a step of the loop where a discovery misses something else than a verdict."""
_LOG: Columns = {"log": pl.String, "judge": pl.String}
AUDITED: Columns = {
    **_LOG,
    "pairs": pl.Int64,
    "verdicts": pl.Int64,
    "answered": pl.Int64,
    "slot_preference": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "p": pl.Float64,
    "n": pl.Int64,
    "position_consistency": pl.Float64,
    "error_rate": pl.Float64,
    "ties": pl.Float64,
}
"""Columns of audited judges; `low` to `n` belong to the slot preference."""
_CHANGE: Columns = {
    "change": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "p": pl.Float64,
    "q": pl.Float64,
    "bias": pl.String,
}
ASSOCIATIONS: Columns = {**_LOG, "feature": pl.String, "words": pl.String, **_CHANGE}
"""Columns of associations; `change` is of P(chooses the response with more of the feature) a standard deviation."""
CANDIDATES: Columns = {
    **ASSOCIATIONS,
    "sign": pl.String,
    "weight": pl.Float64,
    "frequency": pl.Float64,
    "interaction": pl.Float64,
}
"""Columns of candidates."""
REASONS: Columns = {**_LOG, "reason": pl.String, "count": pl.Int64}
"""Columns of what is missing from logs."""


def effects_frame(found: MeasuredOut | Summary) -> pl.DataFrame:
    """A row a bias that was tried, by judge; what is not known is null."""
    if isinstance(found, MeasuredOut):
        return _frame(MEASURED, (_effect(judged, e) for judged in found.judges for e in judged.effects))
    return _frame(DISCOVERED, (_trial(found, t) for t in found.trials))


def missing_frame(found: MeasuredOut | Summary) -> pl.DataFrame:
    """A row an arm (or step) and reason, with how often; no rows where nothing is missing."""
    if isinstance(found, MeasuredOut):
        by_judge = [(j.judge, j.name, m) for j in found.judges for m in j.missing]
    else:
        by_judge = [(found.judge, name_of(found), m) for m in found.missing]
    return _frame(MISSING, (_missing(*one) for one in by_judge))


def name_of(found: Summary) -> str:
    """The judge of a discovery with how it was asked, as a measurement names it."""
    return f"{found.judge} ({found.judge_mode})"


def audited_frame(audits: Iterable[AuditOut]) -> pl.DataFrame:
    """A row a judge of a log."""
    return _frame(AUDITED, (_log(a) | _picked(AUDITED, a) | _slot(a) for a in audits))


def associations_frame(audits: Iterable[AuditOut]) -> pl.DataFrame:
    """A row a feature of the texts, by judge."""
    rows = ((a, f) for a in audits for f in a.associations)
    return _frame(ASSOCIATIONS, (_log(a) | _picked(ASSOCIATIONS, f) | _interval(f.change) for a, f in rows))


def candidates_frame(audits: Iterable[AuditOut]) -> pl.DataFrame:
    """A row a feature that a judge seems to go by, with the bias that tests it."""
    rows = ((a, c) for a in audits for c in a.candidates)
    return _frame(CANDIDATES, (_log(a) | _picked(CANDIDATES, c) | _interval(c.change) for a, c in rows))


def reasons_frame(audits: Iterable[AuditOut]) -> pl.DataFrame:
    """A row a reason why verdicts of a log decide nothing, with how often."""
    rows = ((a, m) for a in audits for m in a.missing)
    return _frame(REASONS, (_log(a) | {"reason": m.reason, "count": m.count} for a, m in rows))


def _frame(columns: Columns, rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    listed = list(rows)
    return pl.DataFrame({name: [row[name] for row in listed] for name in columns}, schema=dict(columns))


def _picked(columns: Columns, found: object) -> dict[str, Any]:
    """The columns that a value has under the same name."""
    return {name: getattr(found, name) for name in columns if hasattr(found, name)}


def _effect(judged: JudgedOut, effect: EffectOut) -> dict[str, Any]:
    change, worst = effect.change, effect.worst_case
    return _picked(MEASURED, effect) | {
        "judge": judged.judge,
        "judge_name": judged.name,
        "id": effect.bias,
        "marks": list(effect.marks),
        "change": None if change is None else change.value,
        "change_low": None if change is None else change.low,
        "change_high": None if change is None else change.high,
        "worst_low": None if worst is None else worst[0],
        "worst_high": None if worst is None else worst[1],
    }


def _trial(found: Summary, trial: TrialOut) -> dict[str, Any]:
    worst = trial.worst_case
    return _picked(DISCOVERED, trial) | {
        "judge": found.judge,
        "judge_name": name_of(found),
        "marks": list(trial.marks),
        "worst_low": None if worst is None else worst[0],
        "worst_high": None if worst is None else worst[1],
    }


def _missing(judge: str, name: str, missing: MissingOut) -> dict[str, Any]:
    return {"judge": judge, "judge_name": name} | missing.model_dump()


def _log(audit: AuditOut) -> dict[str, Any]:
    return {"log": audit.log, "judge": audit.judge}


def _slot(audit: AuditOut) -> dict[str, Any]:
    slot = audit.slot_preference
    return {"slot_preference": slot.estimate, "low": slot.low, "high": slot.high, "p": slot.p, "n": slot.n}


def _interval(change: Estimate) -> dict[str, Any]:
    return {"change": change.value, "low": change.low, "high": change.high}
