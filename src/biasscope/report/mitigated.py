"""The machine-readable summary of a mitigation: ``report.json`` of its folder, with a versioned schema.

Rates and changes are fractions. What is not known is null, never 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from biasscope import __version__
from biasscope.benchmarks import BenchmarkItem
from biasscope.config import Adjustment, JudgeSpec, MitigateIdentity
from biasscope.quantities import Estimate, Unit
from biasscope.records import Bias
from biasscope.report.measured import JudgeCallsOut
from biasscope.report.summary import Out
from biasscope.stats.mitigation import HARMFUL, CellChange, FixEffect, FixStatus
from biasscope.workflows.fixes import FIXES
from biasscope.workflows.mitigation import Compared, FixOutcome, PlainChange, SlotChange, VerdictUse

SCHEMA: Literal["biasscope.mitigation/1"] = "biasscope.mitigation/1"

Verdict = Literal["works", "works_for_slot", "harmful", "not_shown"]
"""Of a fix as a whole."""


class PairsUsedOut(Out):
    """Which pairs there were."""

    source: str
    """Where they come from."""
    tuning: int
    """Pairs that chose forms and fitted coefficients."""
    held_out: int
    """Pairs that everything below is about. They had no part in finding a bias, nor in choosing a form."""
    refused: int
    """Pairs left out since their question had a part in finding the biases."""
    unlabelled: int
    """Pairs left out since nobody knows which response is better."""
    skipped: int
    """Rows that could not be read."""
    variants: int
    """Pairs with a bias written into them, each in four cells."""


class BiasFixOut(Out):
    """What a fix does to one bias."""

    bias: str
    """Id of the bias."""
    name: str
    """Its name, for people."""
    status: FixStatus
    """`works` (the pull shrinks and no error is seen to rise), `not_shown`, `no_pull` (there was none to begin with on these
    pairs), `raises_error` or `turned_round` (both harmful), `no_signal` (too few verdicts)."""
    reason: str
    """The same in words."""
    unit: Unit
    """Unit of the pull: `fraction` of verdicts, or `log-odds` or `score` where the judge gives margins before and after."""
    before: Estimate | None
    """The pull before: half of what P(prefers the rejected response) gains when the trait moves from the chosen to the rejected
    response; null without a variant that was judged in both cells, before and after."""
    after: Estimate | None
    """The pull after."""
    shrink: Estimate | None
    """Before less after, paired by variant."""
    p: float | None
    """One-sided p-value that it shrinks, in [0, 1]."""
    q: float | None
    """The same adjusted over all biases and fixes (Benjamini-Hochberg)."""
    p_before: float | None
    """One-sided p-value that there was a pull before."""
    q_turned: float | None
    """Adjusted p-value that the judge is drawn the other way afterwards."""
    detectable: float | None
    """The smallest true shrinkage that would have been seen with 80 % power in a single test, in `unit`; null where nothing
    varies."""
    cells: tuple[CellChange, ...]
    """The error before and after by where the trait is, in verdicts."""


class FixOut(Out):
    """One fix."""

    fix: str
    """Its name."""
    what: str
    """What it is."""
    chosen: str
    """What the tuning pairs chose for it; empty where nothing was to be chosen."""
    verdict: Verdict
    """`works` for at least one bias, `works_for_slot` (the slot habit alone shrinks), `harmful` (an error is seen to rise, or the
    judge is drawn the other way), or `not_shown`."""
    judge_file: str
    """The judge with this fix as a file in the folder, which `--judge` takes."""
    instrument: str
    """How it is asked, in a few words."""
    guard: str
    """The text that extends the prompt; empty for other fixes."""
    adjustment: Adjustment | None
    """The coefficients that were fitted; null for other fixes."""
    plain: PlainChange
    """The pairs as they were."""
    slot: SlotChange
    """The slot habit."""
    biases: tuple[BiasFixOut, ...]
    """Each bias."""
    use: VerdictUse
    """Verdicts and the replies behind them."""
    scale: float | None
    """Standard deviation of the margins after over before: far from 1, a pull in log-odds cannot be compared; null without
    margins."""
    calls: JudgeCallsOut
    """What it took in this start."""


class MitigatedOut(Out):
    """``biasscope mitigate judge --json``: what fixes of a judge do, on pairs that chose nothing."""

    schema_version: Literal["biasscope.mitigation/1"] = SCHEMA
    """Name and version of this schema."""
    version: str
    """Version of the program that wrote it."""
    run: str
    """The folder, as it was named to the program."""
    found: str
    """The run whose biases are mended."""
    judge: str
    """Spec of the judge."""
    instrument: str
    """How it is asked before any fix."""
    pairs: PairsUsedOut
    """The pairs."""
    q: float
    """Level of the false discovery rate, in (0, 1)."""
    seed: int
    """Seed of roles and draws."""
    before: VerdictUse
    """Verdicts before any fix, and the replies behind them."""
    calls: JudgeCallsOut
    """What the judge took before any fix in this start."""
    fixes: tuple[FixOut, ...]
    """The fixes, in the order in which they were named."""


@dataclass(frozen=True, slots=True)
class FixRun:
    """A fix as it was measured: its name, the judge that it makes, what was chosen, its file and its calls."""

    name: str
    spec: JudgeSpec
    chosen: str
    file: str
    calls: JudgeCallsOut


@dataclass(frozen=True, slots=True)
class Setting:
    """What fixes were measured in; `pairs` are counts by name, `calls` those before any fix."""

    run: str
    identity: MitigateIdentity
    biases: Sequence[Bias]
    source: str
    pairs: Mapping[str, int]
    calls: JudgeCallsOut


def mitigated_out(
    setting: Setting, items: Sequence[BenchmarkItem], compared: Compared, fixes: Sequence[FixRun]
) -> MitigatedOut:
    """The whole as one object."""
    identity, names = setting.identity, {b.id: b.name for b in setting.biases}
    variants = len({item.variant for item in items if item.subset == "crossed"})
    return MitigatedOut(
        version=__version__,
        run=setting.run,
        found=identity.found,
        judge=identity.judge.spec,
        instrument=identity.judge.instrument,
        pairs=PairsUsedOut(source=setting.source, variants=variants, **setting.pairs),
        q=identity.q,
        seed=identity.seed,
        before=compared.use,
        calls=setting.calls,
        fixes=tuple(
            _fix_out(fix, outcome, names, identity.q) for fix, outcome in zip(fixes, compared.fixes, strict=True)
        ),
    )


def _fix_out(fix: FixRun, found: FixOutcome, names: Mapping[str, str], q: float) -> FixOut:
    biases = tuple(_bias_out(bias, names.get(bias, bias), effect) for bias, effect in found.biases)
    return FixOut(
        fix=fix.name,
        what=FIXES[fix.name],
        chosen=fix.chosen,
        verdict=overall(found, q),
        judge_file=fix.file,
        instrument=fix.spec.instrument,
        guard=fix.spec.guard if fix.name.startswith("guard") else "",
        adjustment=fix.spec.adjustment if fix.name.startswith("adjust") else None,
        plain=found.plain,
        slot=found.slot,
        biases=biases,
        use=found.use,
        scale=found.scale,
        calls=fix.calls,
    )


def overall(found: FixOutcome, q: float) -> Verdict:
    """The verdict on a fix: harm anywhere outweighs what works elsewhere."""
    raised = found.plain.q_rise is not None and found.plain.q_rise <= q
    if raised or any(effect.status in HARMFUL for _, effect in found.biases):
        return "harmful"
    if any(effect.status == "works" for _, effect in found.biases):
        return "works"
    return "works_for_slot" if found.slot.q is not None and found.slot.q <= q else "not_shown"


def _bias_out(bias: str, name: str, effect: FixEffect) -> BiasFixOut:
    return BiasFixOut(
        bias=bias,
        name=name,
        status=effect.status,
        reason=effect.reason,
        unit=effect.unit,
        before=effect.before,
        after=effect.after,
        shrink=effect.shrink,
        p=effect.p,
        q=effect.q,
        p_before=effect.p_before,
        q_turned=effect.q_turned,
        detectable=effect.detectable,
        cells=effect.cells,
    )
