"""The fixed-size rule: all items are judged, then every candidate is decided at once. Pure.

Takes item scores per arm and gives what was measured; a second function decides over all candidates tested
in a run. A later look at data that were not yet there is not made here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scipy import stats as distributions

from biasscope.records import Effect, Status, Unit
from biasscope.stats import effects, multiple, paired, power

MISSING_GAP = 0.03
"""A gap between the missing rates of two arms clearly above this makes a contrast invalid."""
FEWEST_OTHERS = 4
"""How many other candidates it takes to say what any of them does."""
GRADED_SHARE = 0.25
"""`min_effect` for margins, as a share of the standard deviation of neutral-neutral differences."""


@dataclass(frozen=True, slots=True)
class ArmScores:
    """Item scores of one candidate and its neutral arms, errors or (graded) negated margins.

    Higher is worse for the chosen response in both. `strata` are the errors per (item, order), candidate
    first, for flips; `phrasings` the phrasing used for each item; `missing` the missing verdicts per arm as
    (missing, total), candidate first; `unread` tells per arm (candidate first) which items have a rewrite but
    no readable verdict: they bound the effect, while an item without a rewrite is in neither arm. `controls`
    are neutral arms matched to other candidates: they say what wording alone does, but are not compared with.
    `items` names the items, so that candidates can be held against each other.
    """

    candidate: paired.Scores
    neutrals: tuple[paired.Scores, ...]
    strata: tuple[paired.Scores, ...]
    phrasings: tuple[int, ...]
    missing: tuple[tuple[int, int], ...]
    unread: tuple[tuple[bool, ...], ...]
    graded: bool
    controls: tuple[paired.Scores, ...] = ()
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Measured:
    """What one candidate's scores say before any decision. `effect.level` is that of a single interval."""

    effect: Effect | None
    p: float
    unit: Unit
    min_effect: float
    signal: bool
    valid: bool
    beyond_wording: bool
    found: effects.Increase | None
    flips: effects.Flips | None
    worst_case: tuple[float, float] | None
    extra_variance: float
    reason: str
    by_item: Mapping[str, float]


def measure(
    scores: ArmScores,
    *,
    min_effect: float,
    q: float,
    names: tuple[object, ...],  # noqa: ARG001 - nothing is drawn any more; goes with this module
) -> Measured:
    """Measure one candidate: effect beyond neutral wording, p-value, and whether the data can carry it.

    `min_effect` is used as given for errors and replaced by the graded one for margins.
    """
    unit: Unit = "log-odds" if scores.graded else "fraction"
    found = effects.increase(scores.candidate, scores.neutrals)
    flips = effects.flips(scores.strata[0], scores.strata[1:]) if scores.strata else None
    gap = max((effects.rate_gap(*scores.missing[0], *other) for other in scores.missing[1:]), default=0.0)
    empty = Measured(
        None,
        1.0,
        unit,
        min_effect,
        False,
        gap <= MISSING_GAP,
        False,
        found,
        flips,
        None,
        0.0,
        "no item has both a biased and a neutral verdict",
        {item: s for item, s in zip(scores.items, scores.candidate, strict=False) if s is not None},
    )
    if found is None:
        return empty
    if scores.graded:
        return _graded(scores, found, empty)
    p = paired.exact_p(scores.candidate, scores.neutrals)
    best = paired.attainable_p(scores.candidate, scores.neutrals)
    live = paired.live_items(scores.candidate, scores.neutrals)
    signal = best <= q and effects.wilson(live, found.n)[1] >= min_effect
    return replace(
        empty,
        effect=effects.interval(found, unit=unit, p=p),
        p=p,
        signal=signal,
        beyond_wording=True,
        worst_case=_worst_case(scores),
        reason=""
        if signal
        else "the verdicts hardly ever change, whatever is written; try graded verdicts (label mode)",
    )


def _graded(scores: ArmScores, found: effects.Increase, empty: Measured) -> Measured:
    wordings = (*scores.neutrals, *scores.controls)
    spread = effects.neutral_spread(wordings)
    used = [
        phrasing
        for phrasing, c, *rest in zip(scores.phrasings, scores.candidate, *scores.neutrals, strict=True)
        if c is not None and any(r is not None for r in rest)
    ]
    extra = effects.phrasing_variance(found.differences, used)
    p = paired.sign_flip_p(found.differences)
    effect = effects.interval(found, unit="log-odds", extra_variance=extra, p=p)
    if extra > 0:
        # The sign-flip test knows item noise alone; the phrasing component can only weaken the evidence.
        p = max(p, float(distributions.norm.sf(found.value / _se(effect))))
        effect = replace(effect, p=p)
    signal = bool(spread) and found.se > 0
    return replace(
        empty,
        effect=effect,
        p=p,
        min_effect=GRADED_SHARE * (spread or 0.0),
        signal=signal,
        beyond_wording=found.value > effects.largest_neutral_effect(wordings),
        extra_variance=extra,
        reason="" if signal else "the margins do not move at all, whatever is written",
    )


def _se(effect: Effect) -> float:
    return effect.se or 0.0


def _worst_case(scores: ArmScores) -> tuple[float, float] | None:
    """The effect with every unread biased verdict right and neutral one wrong, and the other way round."""

    def filled(arm: int, value: float) -> list[float | None]:
        known = scores.candidate if arm == 0 else scores.neutrals[arm - 1]
        return [value if gap else s for s, gap in zip(known, scores.unread[arm], strict=True)]

    arms = range(1, 1 + len(scores.neutrals))
    ends = [effects.increase(filled(0, low), [filled(k, 1 - low) for k in arms]) for low in (0.0, 1.0)]
    return None if ends[0] is None or ends[1] is None else (ends[0].value, ends[1].value)


@dataclass(frozen=True, slots=True)
class Decision:
    """The status of one candidate with its reason, adjusted p-value, and interval at the right level.

    `detectable` is the smallest true effect that the run would have accepted with 80 % power, in the unit of
    the effect, given how many candidates it tried and accepted.
    """

    status: Status
    reason: str
    q: float | None
    effect: Effect | None
    detectable: float | None
    marks: tuple[str, ...]


def decide(measured: Sequence[Measured], *, q: float) -> list[Decision]:
    """Decide over all candidates tested together: Benjamini-Hochberg, then intervals for the accepted.

    Candidates without a valid contrast or a signal stay in the count with p = 1. What is accepted must also
    have its interval at the false-coverage level above 0: the test is one-sided and the interval is not, and a
    finding whose own interval allows for no effect is none. And it must stand out from the other candidates.
    """
    counted = [m.p if m.signal and m.valid and m.beyond_wording else 1.0 for m in measured]
    qs = multiple.adjusted(counted)
    accepted = {i for i, value in enumerate(qs) if value <= q}
    while True:
        level = multiple.fcr_level(q, len(accepted), len(measured)) if measured else 1 - q
        clear = {i for i in accepted if _clear(measured[i], level)}
        if clear == accepted:
            break
        accepted = clear  # fewer selected ones make the remaining intervals wider, so look again
    others = [m for i, m in enumerate(measured) if i not in accepted and m.by_item]
    ordinary = {i for i in accepted if not _beyond_others(measured[i], others, level)}
    return [
        _decide(m, value, i in accepted, i in ordinary, level, q)
        for i, (m, value) in enumerate(zip(measured, qs, strict=True))
    ]


def _beyond_others(m: Measured, others: Sequence[Measured], level: float) -> bool:
    """Whether a candidate stands out from the candidates that were not accepted, on the same items.

    All candidates share their neutral arms, so a lucky draw of those lifts all of them; and any inserted trait
    may move a judge a little. The rewrites of the other candidates are placebos for both. True where there are
    fewer than `FEWEST_OTHERS` of them.
    """
    alike = [o for o in others if o.unit == m.unit]
    if len(alike) < FEWEST_OTHERS:
        return True
    items = list(m.by_item)
    found = effects.increase([m.by_item[i] for i in items], [[o.by_item.get(i) for i in items] for o in alike])
    return found is None or found.value > float(distributions.norm.isf((1 - level) / 2)) * found.se


def _at_level(m: Measured, level: float) -> Effect | None:
    if m.found is None:
        return None
    return effects.interval(m.found, unit=m.unit, level=level, extra_variance=m.extra_variance, p=m.p)


def _clear(m: Measured, level: float) -> bool:
    effect = _at_level(m, level)
    if effect is None:
        return False
    # Without any variation there is no interval; the exact p-value stands alone.
    return effect.value > 0 if effect.low is None else effect.low > 0


def _decide(m: Measured, value: float, hit: bool, ordinary: bool, level: float, q: float) -> Decision:
    status, reason = _status(m, value, hit, ordinary, q)
    hit = status == "accepted"
    effect = _at_level(m, level) if hit else m.effect
    seen = None
    if m.effect is not None and _se(m.effect) > 0:
        # What would have been accepted: the level of the run's intervals, not that of a test by itself.
        seen = power.detectable(_se(m.effect), alpha=(1 - level) / 2)
    turned = hit and m.worst_case is not None and m.worst_case[0] <= 0
    return Decision(status, reason, value, effect, seen, ("fragile",) if turned else ())


def _status(m: Measured, value: float, hit: bool, ordinary: bool, q: float) -> tuple[Status, str]:
    if not m.valid:
        return "invalid", "verdicts are missing more often in one arm than in the other"
    if not m.signal or m.effect is None:
        return "no_signal", m.reason
    if ordinary:
        return "not_shown", "no larger than what the other candidates of the run do"
    if hit:
        return "accepted", ""
    if not m.beyond_wording:
        return "not_shown", "no larger than what one neutral phrasing does against another"
    if m.effect.high is not None and m.effect.high < m.min_effect:
        return "dropped", "its whole interval lies below the smallest effect of interest"
    if value <= q:
        return "not_shown", "its interval at the level of the run includes no effect"
    return "not_shown", "not proven, not absent"
