"""Fixes of a judge by name: each is another way of asking it, so that it is measured as any judge is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from biasscope.config import Adjustment, JudgeSpec
from biasscope.errors import ConfigError
from biasscope.judges.guards import FORMS, Contrast, GuardForm, guard
from biasscope.judges.open import check_judge, margin_unit_of
from biasscope.records import Bias

GUARD = "guard"
FIXES: Mapping[str, str] = {
    GUARD: "the prompt extended by a warning of the biases; its form is chosen on the tuning pairs",
    **{f"guard-{form}": f"the prompt extended by a warning of the biases, in the form {form}" for form in FORMS},
    "swap-and-tie": "both orders asked, a tie where they differ",
    "swap-and-average": "both orders asked, the sign of the mean margin",
    "adjust": "margins less what slot, length and style add, fitted on the tuning pairs",
    "adjust-and-average": "the same on both orders, then their mean",
    "samples": "several samples and their majority",
    "answer-first": "the judge answers the prompt itself, then judges",
    "reference": "the reference answer of the pair in the prompt",
    "panel": "the majority of several judges",
}
"""Every fix and what it is, in the order in which they are shown."""
TEMPERATURE = 0.7
"""Of samples, where the judge is asked at temperature 0."""


@dataclass(frozen=True, slots=True)
class Means:
    """What some fixes need: the biases to warn of, a text without and with a trait, coefficients, other judges."""

    biases: tuple[Bias, ...] = ()
    contrast: Contrast | None = None
    adjustment: Adjustment | None = None
    samples: int = 5
    panel: tuple[JudgeSpec, ...] = ()


def usual_fixes(judge: JudgeSpec) -> tuple[str, ...]:
    """What is tried where nobody says otherwise: a guard where there is a prompt, and what margins or orders allow."""
    guards = () if judge.is_program else (GUARD,)
    if margin_unit_of(judge) is None:
        return (*guards, "swap-and-tie")
    return (*guards, "adjust") if judge.kind == "pointwise" else (*guards, "swap-and-average", "adjust")


def check_fixes(names: Sequence[str], judge: JudgeSpec, *, panel: Sequence[JudgeSpec] = ()) -> None:
    """Refuse a fix that there is not, and one that this judge has no use for, before anything is asked. Raises ConfigError."""
    for name in names:
        if name not in FIXES:
            close = get_close_matches(name, FIXES, n=1)
            meant = f"Did you mean {close[0]}? " if close else ""
            raise ConfigError(f"there is no fix {name!r}", hint=f"{meant}There are: {', '.join(FIXES)}.")
        unit = margin_unit_of(judge)
        if name in ("adjust", "adjust-and-average") and unit is None:
            raise ConfigError(
                f"{name} corrects margins, and this judge gives none",
                hint="Measure it with --judge-mode label, where its server gives log-probabilities.",
            )
        if name == "panel" and not panel:
            raise ConfigError("a panel needs other judges", hint="Name them with --panel, once or more often.")
        probe = Adjustment(unit="score" if unit == "score" else "log-odds")
        texts = Contrast(_PROBE, "-", "-")
        check_judge(fixed(name, judge, Means((_PROBE,), texts, probe, panel=tuple(panel))))


_PROBE = Bias("-", "-", "-", "catalogue")
"""Stands for any bias where only the kind of fix is checked."""


def forms_of(name: str) -> tuple[GuardForm, ...]:
    """The forms of guard that stand behind a fix: all, one, or none."""
    if name == GUARD:
        return FORMS
    return tuple(form for form in FORMS if name == f"guard-{form}")


def fixed(name: str, judge: JudgeSpec, means: Means) -> JudgeSpec:
    """The judge with one fix; for `guard` without a chosen form that of definitions.

    A guard extends one that the judge has already. Raises ConfigError for what the fix needs and `means` lack.
    """
    if forms := forms_of(name):
        text = guard(forms[0], means.biases, means.contrast)
        return judge.model_copy(update={"guard": f"{judge.guard}\n\n{text}".strip()})
    match name:
        case "swap-and-tie":
            return judge.model_copy(update={"procedure": "swap_and_tie"})
        case "swap-and-average":
            return judge.model_copy(update={"procedure": "swap_and_average"})
        case "adjust" | "adjust-and-average":
            if means.adjustment is None:
                raise ConfigError(
                    f"{name} has nothing to go by: no verdict on the tuning pairs had a margin",
                    hint="Leave it out, or ask the judge so that it gives margins.",
                )
            more = {"procedure": "swap_and_average"} if name == "adjust-and-average" else {}
            return judge.model_copy(update={"adjustment": means.adjustment, **more})
        case "samples":
            warm = judge.temperature or TEMPERATURE
            return judge.model_copy(update={"samples": means.samples, "temperature": warm})
        case "answer-first":
            return judge.model_copy(update={"answer_first": True})
        case "reference":
            return judge.model_copy(update={"reference": True})
    return judge.model_copy(update={"panel": means.panel})
