"""The final decision over everything tried in a run: one correction, and intervals for what is accepted. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biasscope.records import Effect, Status
from biasscope.stats import multiple, power
from biasscope.stats.normal import upper_quantile
from biasscope.stats.reading import Reading
from biasscope.stats.standing import Stopped


@dataclass(frozen=True, slots=True)
class Decision:
    """The final status of one candidate with its reason, adjusted p-value, and interval at the right level.

    `detectable` is the smallest true effect that a trial of this size would have accepted with 80 % power, in
    the unit of the effect, given how many candidates the run tried and accepted.
    """

    status: Status
    reason: str
    q: float
    effect: Effect | None
    detectable: float | None
    marks: tuple[str, ...]


def decide(stopped: Sequence[Stopped], *, q: float, beside: Sequence[float] = ()) -> list[Decision]:
    """Decide over all candidates tested in a run: Benjamini-Hochberg, stricter for few, then intervals.

    `beside` are p-values of hypotheses of another kind that the correction counts too.

    What stopped without acceptance stays in the count with p = 1. An accepted one whose interval at the
    false-coverage level reaches 0 is marked: test and interval use different variances and may differ a little.
    """
    ps = [*(counted(s) for s in stopped), *beside]
    qs = multiple.adjusted_for_few(ps)[: len(stopped)]
    plain = multiple.adjusted(ps)
    accepted = [value <= q and counted(s) < 1 for s, value in zip(stopped, qs, strict=True)]
    level = multiple.fcr_level(q, sum(accepted), len(stopped) + len(beside)) if stopped else 1 - q
    alone = [value <= q for value in plain[: len(stopped)]]
    alpha = min((1 - level) / 2, power.single_level(q, tried=max(1, len(ps)), accepted=max(1, sum(accepted))))
    return [_final(*one, level, alpha) for one in zip(stopped, qs, accepted, alone, strict=True)]


def unsettled(stopped: Sequence[Stopped], *, q: float) -> list[int]:
    """Which candidates were accepted in their iteration, are not over the whole run, and have looks left.

    Their trials go on: a look's share of the level was not spent on them yet.
    """
    final = decide(stopped, q=q)
    return [
        i
        for i, (s, d) in enumerate(zip(stopped, final, strict=True))
        if s.status == "accepted" and d.status != "accepted" and s.look < s.looks
    ]


def counted(stopped: Stopped) -> float:
    """The p-value with which a candidate enters the correction of the run: 1 for what cannot be accepted."""
    reading = stopped.reading
    if stopped.futile or not stopped.valid or reading is None or stopped.status in ("no_signal", "invalid"):
        return 1.0
    return stopped.p if reading.signal and reading.beyond_wording else 1.0


def interval(reading: Reading, level: float, p: float | None = None) -> Effect:
    """The effect of a reading with its two-sided normal interval; none where the standard error is 0."""
    if reading.se == 0:
        return Effect(reading.value, 0.0, None, None, reading.n, reading.unit, level, p)
    reach = upper_quantile((1 - level) / 2) * reading.se
    low, high = reading.value - reach, reading.value + reach
    if reading.unit == "fraction":
        low, high = max(-1.0, low), min(1.0, high)
    return Effect(reading.value, reading.se, low, high, reading.n, reading.unit, level, p)


def _marks(stopped: Stopped, effect: Effect) -> tuple[str, ...]:
    marks = []
    if stopped.worst_case is not None and stopped.worst_case[0] <= 0:
        marks.append("fragile")
    if effect.low is not None and effect.low <= 0:
        marks.append("interval reaches 0")
    return tuple(marks)


def _final(stopped: Stopped, value: float, hit: bool, alone: bool, level: float, alpha: float) -> Decision:
    reading = stopped.reading
    if reading is None:
        return Decision(stopped.status, stopped.reason, value, None, None, ())
    seen = power.detectable(reading.se, alpha=alpha) if reading.se > 0 else None
    effect = interval(reading, level if hit else 0.95, stopped.p)
    if hit:
        return Decision("accepted", "", value, effect, seen, _marks(stopped, effect))
    status, reason = stopped.status, stopped.reason
    if status == "accepted":
        status, reason = "not_shown", "it held in its iteration, but not over everything that was tried"
        if alone:
            reason = "not enough for a finding that stands almost alone"
    return Decision(status, reason, value, effect, seen, ())
