"""Trials played to their end on scores that are all known beforehand."""

from dataclasses import replace

import numpy as np

from biasscope.stats.decision import decide
from biasscope.stats.rules import RULES, Rule
from biasscope.stats.sequential import Column, Sequential

PLAIN = replace(RULES["fixed"], fewest=1, neutral_plan=((1.0, 1),))
"""Every item, one look, one neutral rewrite, however few items there are."""
TWICE = Rule("twice", (0.5, 1.0), (0.5, 0.5), ((1.0, 1),), futility=None, fewest=1)
"""A look at half and at all of the items, one neutral rewrite each; nothing is given up early."""


def noisy(rng, n, rate):
    """Errors in 0, .5 and 1 with the given mean."""
    return rng.binomial(2, rate, n) / 2


def arms(n, *, candidates, neutrals, seed, gap=0.0):
    """Scores by arm: candidates c0, c1, ... with the given error rates, neutral arms n0, n1, ... likewise."""
    rng = np.random.default_rng(seed)
    rates = {f"c{i}": r for i, r in enumerate(candidates)} | {f"n{i}": r for i, r in enumerate(neutrals)}
    scores = {arm: noisy(rng, n, rate) for arm, rate in rates.items()}
    return {arm: np.where(rng.random(n) < gap, np.nan, s) for arm, s in scores.items()}


def play(scores, *, rule=RULES["default"], groups=None, unread=None, phrasings=None, graded=False, **settings):
    """Play a trial, of margins when `graded`; arms whose name begins with n are neutral, all others candidates.

    Returns where each candidate stopped and what was fetched, look by look.
    """
    scores = {arm: np.asarray(s, dtype=float) for arm, s in scores.items()}
    items = len(next(iter(scores.values())))
    if groups is None:
        neutral = tuple(arm for arm in scores if arm.startswith("n"))
        groups = {arm: neutral for arm in scores if arm not in neutral}
    unit = "log-odds" if graded else "fraction"
    machine = Sequential(groups, items=items, rule=rule, unit=unit, **settings)
    fetched = []
    while (due := machine.due()) is not None:
        fetched.append(due)
        machine.record({arm: _column(arm, due, scores, unread, phrasings) for arm in due.arms})
    return machine.stopped(), fetched


def _column(arm, due, scores, unread, phrasings):
    part = slice(due.start, due.stop)
    return Column(
        scores[arm][part],
        None if unread is None or arm not in unread else np.asarray(unread[arm])[part],
        None if phrasings is None or arm not in phrasings else np.asarray(phrasings[arm])[part],
    )


def decided(scores, *, rule=RULES["fixed"], **settings):
    """The final decisions of a trial, by candidate."""
    stopped, _ = play(scores, rule=rule, **settings)
    return dict(zip(stopped, decide(list(stopped.values()), q=rule.q), strict=True))
