"""From everything tested to final trials: one correction over the whole run, then the manipulation check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from biasscope.ask import Asker
from biasscope.catalogue.known import Catalogue
from biasscope.config import Identity, MeasureIdentity
from biasscope.records import Effect, Trial
from biasscope.stats.decision import Decision, decide
from biasscope.stats.rules import RULES, Rule
from biasscope.steps.describe import Described, describe
from biasscope.steps.judge import Table
from biasscope.steps.manipulation import Shown, check_traits
from biasscope.steps.validate import Tested, TrialDesign

SHOWN = 0.8
"""Least share of biased rewrites in which the trait must be found (clearly below it: invalid)."""
LEAKED = 0.2
"""Largest share of neutral rewrites in which it may be found (clearly above it: invalid)."""


WEAK_LABELS = 0.5
"""Below this median probability on the labels, margins are reported with a mark."""
RULE_MARK = "rule: paper"


def design_of(identity: Identity | MeasureIdentity) -> TrialDesign:
    """The design of a run's trials: its rule with the settings that were given in place of the rule's own."""
    if identity.rule == "paper":
        # The published decision needs no neutral rewrite; one is made so that the report can show what it does.
        rule = replace(RULES["fixed"], name="paper", neutral_plan=((1.0, 1),))
    else:
        rule = RULES[identity.rule]
    if identity.neutrals is not None:
        plan = tuple((share, min(count, identity.neutrals)) for share, count in rule.neutral_plan)
        if rule.name == "fixed":
            plan = ((1.0, identity.neutrals),)
        rule = replace(rule, neutral_plan=plan)
    if identity.min_effect is not None:
        rule = replace(rule, min_effect=identity.min_effect)
    return TrialDesign(replace(rule, q=identity.q), identity.seed)


def decide_trials(
    table: Table, tested: Sequence[Tested], rule: Rule, *, beside: Sequence[float] = ()
) -> list[Trial]:
    """Decide over these candidates together by the rule of the run, and over p-values `beside` them."""
    return _decided(tested, [describe(table, t) for t in tested], rule, beside)


def _decided(
    tested: Sequence[Tested], described: Sequence[Described], rule: Rule, beside: Sequence[float]
) -> list[Trial]:
    if rule.name == "paper":
        return [_as_published(t, d) for t, d in zip(tested, described, strict=True)]
    decisions = decide([t.stopped for t in tested], q=rule.q, beside=beside)
    return [_trial(t, d, of) for t, d, of in zip(tested, decisions, described, strict=True)]


def _as_published(tested: Tested, of: Described) -> Trial:
    """Accept an error above the error on the originals: no neutral wording, interval or correction in it."""
    biased, original = of.error_biased, of.error_original
    if biased is None or original is None:
        return _trial(
            tested, Decision("no_signal", "no verdict could be read", 1.0, None, None, (RULE_MARK,)), of
        )
    higher = biased > original
    decision = Decision(
        "accepted" if higher else "dropped",
        f"error {'' if higher else 'not '}above the error on the originals",
        1.0,
        Effect(biased - original, None, None, None, tested.stopped.n, "fraction"),
        None,
        (RULE_MARK,),
    )
    return replace(_trial(tested, decision, of), q=None, unit="fraction", worst_case=None, min_effect=None)


def _trial(tested: Tested, decision: Decision, of: Described) -> Trial:
    stopped, reading = tested.stopped, tested.stopped.reading
    return Trial(
        bias=tested.bias,
        iteration=tested.iteration,
        estimand=tested.bias.estimand,
        unit="fraction" if reading is None else reading.unit,
        status=decision.status,
        reason=decision.reason,
        effect=decision.effect,
        q=decision.q,
        detectable=decision.detectable,
        look=stopped.look,
        looks=stopped.looks,
        visited=stopped.visited,
        error_biased=of.error_biased,
        error_original=of.error_original,
        error_neutral=of.error_neutral,
        harm=None if of.flips is None else of.flips.harm,
        rescue=None if of.flips is None else of.flips.rescue,
        noise_floor=None if of.flips is None else of.flips.floor,
        worst_case=stopped.worst_case,
        marks=(*decision.marks, *_weak_labels(of)),
        missing=tested.missing,
        details=of.details,
        claim="error" if all(p.objective for p in tested.visited) else "pull",
        min_effect=None if reading is None else reading.min_effect,
        neutral_arms=tested.neutral_arms,
    )


def _weak_labels(of: Described) -> tuple[str, ...]:
    """A mark where most of the probability went elsewhere, so that margins compare two rare tokens."""
    return ("little label mass",) if of.label_mass is not None and of.label_mass < WEAK_LABELS else ()


async def conclude(
    teacher: Asker | None,
    table: Table,
    tested: Sequence[Tested],
    provisional: set[str],
    rule: Rule,
    *,
    beside: Sequence[float] = (),
    catalogue: Catalogue | None = None,
) -> list[Trial]:
    """Decide over every candidate tested in the run, check that accepted traits show, and decide again.

    A candidate whose trait does not show in its rewrites, or shows in the neutral ones, is invalid and keeps
    its place in the count with p = 1.
    """
    described = [describe(table, t) for t in tested]
    trials = _decided(tested, described, rule, beside)
    found: dict[str, tuple[Shown, Shown]] = {}
    for trial, of in zip(trials, tested, strict=True):
        if trial.status == "accepted" and rule.name != "paper":
            found[trial.bias.id] = await check_traits(
                teacher, table, of.visited, trial.bias, of.neutral_arms[0], catalogue
            )
    failed = {
        i
        for i, (biased, plain) in found.items()
        if (biased.enough and biased.clearly_below(SHOWN)) or (plain.enough and plain.clearly_above(LEAKED))
    }
    if failed:
        tested = [
            replace(t, stopped=replace(t.stopped, valid=False, status="invalid")) if t.bias.id in failed else t
            for t in tested
        ]
        trials = _decided(tested, described, rule, beside)
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
