"""Variants of a discovery beside each other: what ``biasscope ablate --json`` prints, and the rows of its tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from biasscope.report.findings import number, p_cell, span
from biasscope.report.summary import Out
from biasscope.workflows.ablation import Ablated

SCHEMA: Literal["biasscope.ablate/1"] = "biasscope.ablate/1"


class VariantOut(Out):
    """One variant beside the first one. Rates and gains are fractions; null where there is nothing to tell."""

    label: str
    """The setting that differs and its value, or `the run`."""
    run: str
    """Folder of the variant."""
    named: int
    """Candidates that were named, at least 0."""
    validated: int
    """Candidates that hold."""
    in_base: int
    """Of those that hold, how many hold in the first variant too, by their id."""
    before: float | None
    """Error rate of the held-out pairs as they were; null without held-out pairs."""
    neutral: float | None
    """Error rate of the same pairs neutrally reworded."""
    after: float | None
    """Error rate of the same pairs, each with one accepted bias."""
    gain: float | None
    """`after` - `neutral`, in [-1, 1]."""
    gain_low: float | None
    """Lower end of its 95 % interval."""
    gain_high: float | None
    """Upper end of its 95 % interval."""
    n: int
    """Held-out pairs behind it."""
    difference: float | None
    """The gain less that of the first variant, on the pairs that both have; null for the first one."""
    low: float | None
    """Lower end of the 95 % interval of the difference."""
    high: float | None
    """Upper end of the 95 % interval of the difference."""
    p: float | None
    """Two-sided p-value of the difference, in [0, 1]."""
    q: float | None
    """Its Benjamini-Hochberg value over the variants."""
    common: int
    """Held-out pairs that both variants have."""
    error: float | None
    """Error rate on the original validation pairs."""
    published: float | None
    """Mean error rate over what holds on the pairs that selected it, as the paper reports it; inflated by selection."""
    asked: int
    """Calls of judge and teacher, whether paid or read from the shared ledger."""
    paid: int
    """Calls that were paid in the latest start."""


class AblationOut(Out):
    """``biasscope ablate --json``: the first variant is the run itself."""

    schema_version: Literal["biasscope.ablate/1"] = SCHEMA
    """Name and version of this schema."""
    version: str
    """Version of biasscope."""
    run: str
    """Folder of the discovery."""
    variants: tuple[VariantOut, ...]
    """The variants, the run itself first."""


def variant_out(found: Ablated, run: str) -> VariantOut:
    """A variant as output."""
    gain, d = found.gain, found.difference
    return VariantOut(
        label=found.label,
        run=run,
        named=found.named,
        validated=found.validated,
        in_base=found.in_base,
        before=found.before,
        neutral=found.neutral,
        after=found.after,
        gain=None if gain is None else gain.value,
        gain_low=None if gain is None else gain.low,
        gain_high=None if gain is None else gain.high,
        n=0 if gain is None else gain.n,
        difference=None if d is None else d.value,
        low=None if d is None else d.low,
        high=None if d is None else d.high,
        p=None if d is None else d.p,
        q=None if d is None else d.q,
        common=0 if d is None else d.n,
        error=found.error,
        published=found.published,
        asked=found.asked,
        paid=found.paid,
    )


COLUMNS = (
    "variant",
    "named",
    "hold",
    "also in the first",
    "error, originals",
    "error, as published",
    "gain on held-out pairs",
    "95 % interval",
    "less the first",
    "95 % interval",
    "q",
    "calls",
)
"""What `row` gives; rates in per cent, gains and differences in points."""


def row(variant: VariantOut) -> tuple[str, ...]:
    """A variant as the cells of a table."""
    return (
        variant.label,
        str(variant.named),
        str(variant.validated),
        str(variant.in_base),
        _rate(variant.error),
        _rate(variant.published),
        number(variant.gain, "fraction"),
        span(variant.gain_low, variant.gain_high, "fraction"),
        number(variant.difference, "fraction"),
        span(variant.low, variant.high, "fraction"),
        p_cell(variant.q),
        f"{variant.asked:,}",
    )


def _rate(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f}"


def headline(out: AblationOut, level: float = 0.05) -> str:
    """What the variants show, in one sentence."""
    told = [v for v in out.variants[1:] if v.difference is not None]
    moved = [v for v in told if v.q is not None and v.q <= level]
    if not told:
        return "No variant has a gain on held-out pairs that could be compared with that of the run."
    if not moved:
        return f"No variant's gain on held-out pairs differs from that of the run ({_differences(told)})."
    return "Another gain on held-out pairs than the run: " + "; ".join(
        f"{v.label} {number(v.difference, 'fraction')} points" for v in moved
    )


def _differences(told: Sequence[VariantOut]) -> str:
    return ", ".join(f"{v.label} {number(v.difference, 'fraction')}" for v in told) + " points"
