"""Rules that are measured beside ours: the published one, and tests that each leave one precaution out.

They see all items at once and count their calls by the same prices; none gives an interval.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from biasscope.stats import multiple, paired
from biasscope.stats.simulation.score import Outcome
from biasscope.stats.simulation.world import NEUTRALS, Simulated

AlternativeName = Literal["paper", "unpaired", "single_order", "without_placebo"]

Q = 0.05
SINGLE_ORDER_NEUTRALS = 3


def published(simulated: Simulated) -> Outcome:
    """The published rule as it was run: accept when the error exceeds that of the originals.

    The originals are judged in the order of the file, in which the chosen response mostly stands first, and every
    candidate in one and the same shuffled order. Verdicts that cannot be read are left out; rewrites are unchecked.
    """
    before = np.nanmean(simulated.errors(simulated.file_order, checked=False)[0])
    after = np.nanmean(simulated.errors(simulated.shuffled, checked=False)[1 + NEUTRALS :], axis=1)
    return _outcome(simulated, after > before, verdicts_each=1, baseline=1)


def unpaired(simulated: Simulated) -> Outcome:
    """Two proportions, candidate against originals, in one random order per pair, with Benjamini-Hochberg.

    As if other pairs had been judged: the difference of two shares over its pooled standard error.
    """
    errors = simulated.errors(simulated.single)
    n = (~np.isnan(errors)).sum(axis=1)
    rate = np.nanmean(errors, axis=1)
    pooled = (n * rate + n[0] * rate[0]) / (n + n[0])
    z = (rate - rate[0]) / np.sqrt(pooled * (1 - pooled) * (1 / n + 1 / n[0]))
    return _outcome(simulated, _discoveries(special.ndtr(-z[1 + NEUTRALS :])), verdicts_each=1, baseline=1)


def single_order(simulated: Simulated) -> Outcome:
    """Exact paired test against three neutral rewrites, but in one random order per pair."""
    errors = simulated.errors(simulated.single)
    neutrals = errors[1 : 1 + SINGLE_ORDER_NEUTRALS]
    accepted = _discoveries(_exact(errors, neutrals))
    return _outcome(simulated, accepted, verdicts_each=1, baseline=1, neutrals=SINGLE_ORDER_NEUTRALS)


def without_placebo(simulated: Simulated) -> Outcome:
    """Exact paired test in both orders, but against the originals: rewording itself counts as an effect."""
    errors = simulated.scores()
    accepted = _discoveries(_exact(errors, errors[:1]))
    return _outcome(simulated, accepted, verdicts_each=2, baseline=2)


ALTERNATIVES: Mapping[AlternativeName, Callable[[Simulated], Outcome]] = MappingProxyType(
    {
        "paper": published,
        "unpaired": unpaired,
        "single_order": single_order,
        "without_placebo": without_placebo,
    }
)
"""By name; `paper` is the published rule."""


def _exact(errors: NDArray[np.float64], controls: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([paired.exact_p_of(np.vstack([e[None], controls])) for e in errors[1 + NEUTRALS :]])


def _discoveries(p_values: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(multiple.adjusted(p_values.tolist())) <= Q


def _outcome(
    simulated: Simulated, accepted: NDArray[np.bool_], *, verdicts_each: int, baseline: int, neutrals: int = 0
) -> Outcome:
    """Every candidate and neutral rewrite of every pair is one rewrite and some verdicts; originals are only judged."""
    rewrites = simulated.pairs * (simulated.candidates + neutrals)
    verdicts = verdicts_each * rewrites + baseline * simulated.pairs
    return Outcome(simulated.suite, simulated.pairs, accepted, rewrites, verdicts)
