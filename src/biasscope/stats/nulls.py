"""Null controls: what the trial says where nothing is to be found. Neutral arms against each other, and shams.

Decides nothing about a candidate; it says whether the instrument can be trusted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from biasscope.quantities import Estimate, NeutralArm, Scale, ShamControl
from biasscope.stats.estimates import Array, mean_estimate, neutral_mean
from biasscope.stats.paired import exact_p_of, sign_flip_p_of

WIDE_SD = 0.015
"""A larger standard deviation between instructions (1.5 points of error) makes null candidates look real."""


def leave_one_out(
    neutrals: Array, names: Sequence[str], *, graded: bool, level: float = 0.95
) -> tuple[NeutralArm, ...]:
    """Take each neutral arm [arms, items] in turn as the candidate, against the others, by the candidates' test.

    Errors are tested by the exact within-item test, margins (`graded`) by sign flips; one-sided, as candidates
    are. The p-values share data: they are to be looked at, not pooled. An arm without an item that another arm
    has too is left out. Empty with fewer than two arms. Raises ValueError for another number of names.
    """
    if len(names) != len(neutrals):
        raise ValueError(f"need one name per neutral arm ({len(neutrals)}), got {list(names)}")
    if len(neutrals) < 2:
        return ()
    found = []
    for k, name in enumerate(names):
        others = np.delete(neutrals, k, axis=0)
        differences = neutrals[k] - neutral_mean(others)
        effect = mean_estimate(differences, level=level, limit=None if graded else 1.0)
        if effect is not None:
            p = sign_flip_p_of(differences) if graded else exact_p_of(np.vstack([neutrals[k][None], others]))
            found.append(NeutralArm(name, effect, p))
    return tuple(found)


def instruction_sd(effects: Sequence[float], ses: Sequence[float]) -> float | None:
    """Standard deviation of null effects between instructions: tau^2 = max(0, variance - mean se^2).

    The method of moments of DerSimonian & Laird (1986) with equal weights. In the unit of the effects; None with
    fewer than two. Raises ValueError for another number of standard errors.
    """
    if len(effects) != len(ses):
        raise ValueError(f"need one standard error per effect, got {len(ses)} for {len(effects)}")
    if len(effects) < 2:
        return None
    noise = float(np.mean(np.square(ses)))
    return float(np.sqrt(max(0.0, float(np.var(effects, ddof=1)) - noise)))


def sham_control(
    differences: Array, accepted: Sequence[bool], *, scale: Scale = "fraction", level: float = 0.95
) -> ShamControl:
    """Judge sham candidates: how many passed, whether their mean effect is 0, how far instructions differ.

    `differences` [shams, items] are sham minus neutral mean, NaN where a sham was not visited or is missing. The
    mean is taken within items first: shams share their neutral arms, so that items are independent and shams are
    not; and what was visited says nothing about the scores then found, so that early stops do not bend it. For
    the same reason the noise in `instruction_sd` is what is left within items when the shams' common part is
    taken out. Raises ValueError for another number of decisions than shams.
    """
    if differences.ndim != 2 or len(accepted) != len(differences):
        raise ValueError(
            f"need one decision per sham [shams, items], got {len(accepted)} for {differences.shape}"
        )
    passed = sum(bool(a) for a in accepted)
    verdict: Literal["pass", "warn", "fail"] = "pass" if passed == 0 else "warn" if passed == 1 else "fail"
    limit = 1.0 if scale == "fraction" else None
    mean = mean_estimate(neutral_mean(differences), level=level, limit=limit) if len(differences) else None
    spread = instruction_sd(*_own_noise(differences))
    return ShamControl(
        shams=len(differences),
        accepted=passed,
        verdict=verdict,
        mean=mean,
        centred=_is_centred(mean),
        instruction_sd=spread,
        wide=None if spread is None or scale != "fraction" else spread > WIDE_SD,
    )


def _is_centred(mean: Estimate | None) -> bool | None:
    if mean is None or mean.se is None:
        return None
    return abs(mean.value) <= 2 * mean.se


def _own_noise(differences: Array) -> tuple[list[float], list[float]]:
    """Each sham's effect and the standard error of the part that is its own, beyond what the item's shams share."""
    shared = (~np.isnan(differences)).sum(axis=0)
    usable = differences[:, shared > 1]
    if usable.size == 0:
        return [], []
    count = shared[shared > 1]
    # A deviation from the mean of S shams keeps (S - 1) / S of the variance.
    own = (usable - neutral_mean(usable)) * np.sqrt(count / (count - 1))
    effects, ses = [], []
    for scores, residuals in zip(usable, own, strict=True):
        n = int((~np.isnan(scores)).sum())
        if n > 1:
            effects.append(float(np.nanmean(scores)))
            ses.append(float(np.nanstd(residuals, ddof=1) / np.sqrt(n)))
    return effects, ses
