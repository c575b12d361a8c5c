"""How a judge is asked, as a treatment: the labels of the two responses, and the direction of a scale.

The texts are the originals. What differs is the judge's own prompt, so that only a judge with our prompt has either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from biasscope import seeds
from biasscope.catalogue.families.asking import LABEL_SCHEME, SCALE_DIRECTION
from biasscope.judges.base import Judge, Presentation, Relabelling, Reversing
from biasscope.judges.labels import SCHEMES
from biasscope.records import ORDERS, ORIGINAL, Bias, PreferencePair, Trial, Verdict
from biasscope.stats.estimates import Array
from biasscope.stats.rules import Rule
from biasscope.steps.columns import scores
from biasscope.steps.judge import Table, judge_pairs
from biasscope.steps.slots import habit_trial
from biasscope.steps.validate import questions

FORMATS = (LABEL_SCHEME.bias.id, SCALE_DIRECTION.bias.id)
"""Ids of what is measured here."""


async def measure_format(
    bias: Bias, judge: Judge, table: Table, pairs: Sequence[PreferencePair], rule: Rule, *, beside: int
) -> Trial:
    """One of `FORMATS` as a trial; `table` holds the verdicts on the originals as the judge is usually asked.

    Where it cannot be varied on this judge, the trial says why.
    """
    nothing = np.full(len(pairs), np.nan)
    trial = habit_trial(bias, nothing, questions(pairs), rule, beside=beside, limit=1.0)
    if bias.id == LABEL_SCHEME.bias.id:
        if not isinstance(judge, Relabelling) or judge.relabelled(SCHEMES[0]) is None:
            return replace(
                trial, reason="only a pairwise judge with our own prompt can be asked with other labels"
            )
        values, missing = await _label_preference(judge, pairs)
        limit = 0.5
    else:
        turned = judge.reversed() if isinstance(judge, Reversing) else None
        if turned is None:
            return replace(trial, reason="only a pointwise judge with our own prompt and a scale has a direction")
        if not all(p.labelled for p in pairs):
            return replace(trial, reason="without labels there is no error that a direction could raise")
        values, missing = await _change_of_error(turned, table, pairs)
        limit = 1.0
    found = habit_trial(bias, values, questions(pairs), rule, beside=beside, limit=limit)
    return replace(found, missing=missing)


async def _label_preference(
    judge: Relabelling, pairs: Sequence[PreferencePair]
) -> tuple[Array, tuple[tuple[str, str, int], ...]]:
    """Per pair P(prefers the response with the label read first) - .5, over both orders and both ways of labelling.

    Each label stands for each response in each slot once, so that neither quality nor slot is in it. The scheme of a
    pair is drawn from its id.
    """
    found = np.full((len(pairs), 4), np.nan)
    missing: Counter[tuple[str, str]] = Counter()
    drawn = [seeds.pick(len(SCHEMES), "label scheme", p.id) for p in pairs]
    for number, (one, other) in enumerate(SCHEMES):
        of = [k for k, scheme in enumerate(drawn) if scheme == number]
        for way, labels in enumerate(((one, other), (other, one))):
            asked = judge.relabelled(labels)
            if asked is None or not of:
                continue
            shown = [
                Presentation(pairs[k], ORIGINAL, order, pairs[k].chosen, pairs[k].rejected)
                for k in of
                for order in ORDERS
            ]
            for cell, verdict in enumerate(await asked.judge(shown)):
                row, column = of[cell // 2], 2 * way + cell % 2
                if isinstance(verdict, Verdict):
                    found[row, column] = _liking(shown[cell], verdict, first_has_it=way == 0)
                else:
                    missing[f"labels {labels[0]}, {labels[1]}", f"verdict: {verdict.reason}"] += 1
    return found.mean(axis=1), tuple(sorted((arm, reason, n) for (arm, reason), n in missing.items()))


def _liking(shown: Presentation, verdict: Verdict, *, first_has_it: bool) -> float:
    """.5 where the response with the label is preferred, -.5 where the other one is; a tie is neither."""
    if verdict.choice == "tie":
        return 0.0
    return 0.5 if verdict.choice == shown.choice(is_first=first_has_it) else -0.5


async def _change_of_error(
    turned: Judge, table: Table, pairs: Sequence[PreferencePair]
) -> tuple[Array, tuple[tuple[str, str, int], ...]]:
    """Per pair the error with the scale turned round, minus the error as it is usually asked."""
    other = Table(orders=turned.orders)
    await judge_pairs(turned, other, pairs, (ORIGINAL,))
    change = scores(other, pairs, ORIGINAL, graded=False) - scores(table, pairs, ORIGINAL, graded=False)
    return change, tuple(other.missing())
