"""A first measurement of a judge in minutes: slot habit and a few seed traits by rule, graded. No teacher.

Sized so that it stays under 400 verdicts: every pair is judged in both orders on the original and, for each
trait, on one biased rewrite and its matched neutral; the neutrals of the other traits serve as controls.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from biasscope.catalogue.known import entry
from biasscope.judges.base import Judge
from biasscope.records import ORDERS, Bias, PreferencePair, Trial, Verdict
from biasscope.stats.rules import RULES
from biasscope.steps.perturb import RuleWriter
from biasscope.steps.validate import TrialDesign
from biasscope.steps.watching import unseen
from biasscope.workflows.measure import Measurement, measure_biases
from biasscope.workflows.stages import OnSeen

PAIRS = 24
TRAITS = ("length", "sentiment", "authority")
DESIGN = TrialDesign(replace(RULES["fixed"], neutral_plan=((1.0, 1),)))


@dataclass(frozen=True, slots=True)
class Example:
    """One pair on which a trait moved the judge: texts and order-averaged support for the right response."""

    pair: PreferencePair
    trial: Trial
    neutral_text: str
    biased_text: str
    neutral_margin: float
    biased_margin: float


def traits() -> list[Bias]:
    """The seed traits that are measured."""
    return [known.bias for name in TRAITS if (known := entry(name)) is not None]


def verdicts_needed(pairs: int) -> int:
    """How many verdicts the measurement takes."""
    return pairs * len(ORDERS) * (1 + 2 * len(TRAITS))


async def quickstart(judge: Judge, pairs: list[PreferencePair], *, on_seen: OnSeen = unseen) -> Measurement:
    """Measure the traits on these pairs; `on_seen` is told of stages and looks."""
    return await measure_biases(judge, RuleWriter(), pairs, traits(), DESIGN, on_seen=on_seen)


def examples(found: Measurement, pairs: list[PreferencePair], count: int = 2) -> list[Example]:
    """The pairs that moved most under the trait with the largest effect (by size), strongest first."""
    measured = [t for t in found.trials if t.effect is not None]
    if not measured:
        return []
    trial = max(measured, key=lambda t: abs(t.effect.value) if t.effect else 0.0)
    neutral = RuleWriter().neutral_jobs(pairs[0], trial.bias, 1)[0].arm
    rows = []
    for pair in pairs:
        before, after = found.table.loss(pair, neutral), found.table.loss(pair, trial.bias.id)
        texts = found.table.rewrite(pair, neutral), found.table.rewrite(pair, trial.bias.id)
        if before is not None and after is not None and texts[0] is not None and texts[1] is not None:
            rows.append(Example(pair, trial, texts[0].text, texts[1].text, -before, -after))
    sign = 1 if trial.effect is not None and trial.effect.value >= 0 else -1
    return sorted(rows, key=lambda e: -sign * (e.neutral_margin - e.biased_margin))[:count]


def slot_counts(found: Measurement) -> tuple[int, int]:
    """How many verdicts picked the answer shown first, of how many, over all arms."""
    known = [v for v in found.table.verdicts.values() if isinstance(v, Verdict) and v.choice != "tie"]
    first = sum((v.choice == "chosen") == (v.order == "chosen_first") for v in known)
    return first, len(known)
