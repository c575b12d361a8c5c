"""From everything tested to final trials: one correction over the whole run, then the manipulation check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from biasscope.ask import Asker
from biasscope.config import Identity
from biasscope.records import Effect, PreferencePair, Trial
from biasscope.stats.fixed import Decision, decide
from biasscope.steps.judge import Table
from biasscope.steps.perturb import Writer
from biasscope.steps.validate import Shown, Tested, check_traits

SHOWN = 0.8
"""Least share of biased rewrites in which the trait must be found (clearly below it: invalid)."""
LEAKED = 0.2
"""Largest share of neutral rewrites in which it may be found (clearly above it: invalid)."""


RULE_MARK = "rule: paper"


def decide_trials(tested: Sequence[Tested], identity: Identity) -> list[Trial]:
    """Decide over these candidates together by the rule of the run."""
    if identity.rule == "paper":
        return [_as_published(t) for t in tested]
    return trials_of(tested, identity.q)


def trials_of(tested: Sequence[Tested], q: float) -> list[Trial]:
    """Decide over these candidates together by the fixed-size rule at level `q`."""
    return [_trial(t, d) for t, d in zip(tested, decide([t.measured for t in tested], q=q), strict=True)]


def _as_published(tested: Tested) -> Trial:
    """Accept an error above the error on the originals: no neutral wording, interval or correction in it."""
    biased, original = tested.error_biased, tested.error_original
    if biased is None or original is None:
        return _trial(tested, Decision("no_signal", "no verdict could be read", None, None, None, (RULE_MARK,)))
    higher = biased > original
    n = 0 if tested.measured.found is None else tested.measured.found.n
    decision = Decision(
        "accepted" if higher else "dropped",
        f"error {'' if higher else 'not '}above the error on the originals",
        None,
        Effect(biased - original, None, None, None, n, "fraction"),
        None,
        (RULE_MARK,),
    )
    return replace(_trial(tested, decision), unit="fraction", worst_case=None, min_effect=None)


def _trial(tested: Tested, decision: Decision) -> Trial:
    m = tested.measured
    return Trial(
        bias=tested.bias,
        iteration=tested.iteration,
        estimand=tested.bias.estimand,
        unit=m.unit,
        status=decision.status,
        reason=decision.reason,
        effect=decision.effect,
        q=decision.q,
        detectable=decision.detectable,
        error_biased=tested.error_biased,
        error_original=tested.error_original,
        error_neutral=None if m.found is None or m.unit == "log-odds" else m.found.neutral,
        harm=None if m.flips is None else m.flips.harm,
        rescue=None if m.flips is None else m.flips.rescue,
        noise_floor=None if m.flips is None else m.flips.floor,
        worst_case=m.worst_case,
        marks=decision.marks,
        missing=tested.missing,
        min_effect=m.min_effect,
    )


async def conclude(
    teacher: Asker | None,
    table: Table,
    writer: Writer,
    pairs: Sequence[PreferencePair],
    tested: Sequence[Tested],
    provisional: set[str],
    identity: Identity,
) -> list[Trial]:
    """Decide over every candidate tested in the run, check that accepted traits show, and decide again.

    A candidate whose trait does not show in its rewrites, or shows in the neutral ones, is invalid and keeps
    its place in the count with p = 1.
    """
    trials = decide_trials(tested, identity)
    found: dict[str, tuple[Shown, Shown]] = {}
    for trial in trials:
        if trial.status == "accepted" and identity.rule != "paper":
            neutral = writer.neutral_jobs(pairs[0], trial.bias, 1)[0].arm
            found[trial.bias.id] = await check_traits(teacher, table, pairs, trial.bias, neutral)
    failed = {
        i
        for i, (biased, plain) in found.items()
        if (biased.enough and biased.clearly_below(SHOWN)) or (plain.enough and plain.clearly_above(LEAKED))
    }
    if failed:
        tested = [
            replace(t, measured=replace(t.measured, valid=False)) if t.bias.id in failed else t for t in tested
        ]
        trials = decide_trials(tested, identity)
    return [_final(t, found.get(t.bias.id), t.bias.id in failed, provisional) for t in trials]


def _final(trial: Trial, found: tuple[Shown, Shown] | None, failed: bool, provisional: set[str]) -> Trial:
    marks, reason = trial.marks, trial.reason
    shown, leaked = (None, None) if found is None else (found[0].share, found[1].share)
    if trial.bias.id in provisional and trial.status != "accepted":
        marks = (*marks, "provisional only")
    if found is not None and not (found[0].enough and found[1].enough):
        marks = (*marks, "trait not checked")
    if failed:
        reason = f"the trait shows in {_share(shown)} of its rewrites and {_share(leaked)} of the neutral ones"
    return replace(
        trial,
        provisional=trial.bias.id in provisional,
        trait_shown=shown,
        trait_in_neutral=leaked,
        marks=marks,
        reason=reason,
    )


def _share(share: float | None) -> str:
    return "an unknown share" if share is None else f"{share:.0%}"
