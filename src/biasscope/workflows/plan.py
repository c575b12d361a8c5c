"""About what a discovery run will take, before anything is paid: arithmetic over the pairs and the settings.

Second attempts are not reckoned with; how many candidates there are is what the run finds out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biasscope.config import GRADED_SHAMS, Identity, ModelExecution
from biasscope.records import PreferencePair
from biasscope.steps.followups import LENGTH_PAIRS, SIDE_PAIRS
from biasscope.steps.manipulation import TRAIT_SAMPLE
from biasscope.workflows.conclude import design_of
from biasscope.workflows.null_control import REPEATED_PAIRS
from biasscope.workflows.roles import Roles

CHARACTERS_PER_TOKEN = 4
PROMPT_TOKENS = 250
"""Instructions around the texts, about."""
REPLY_TOKENS = {"reason": 200, "label": 1}
PAPER_CANDIDATES, PAPER_MISTAKES, PAPER_SEEDS = 25, 0.3, 7
"""Of the published runs: candidates per iteration, share of pairs with a mistake (900 of 2,985), known biases."""
TYPICAL_VISITED = 0.4
"""Share of the validation pairs that a candidate visits before its trial stops, on average over suites."""
TYPICAL_CANDIDATES, TYPICAL_HELD = 6, 1
"""Candidates per iteration that a plan reckons with, and how many of them hold; how many there are is what the run finds out."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Calls and tokens of judge and teacher; `price` in the currency of the declared prices, None if unknown."""

    judge_calls: int
    teacher_calls: int
    input_tokens: int
    output_tokens: int
    price: float | None


@dataclass(frozen=True, slots=True)
class Plan:
    """About what the first iteration takes, and what the whole run takes when every limit is reached."""

    first: Cost
    at_limits: Cost


def plan(roles: Roles, identity: Identity, judge: ModelExecution, teacher: ModelExecution) -> Plan:
    """Plan a run: one iteration with a typical number of candidates, and every iteration at its limits."""
    paper = identity.preset == "paper"
    usual = PAPER_CANDIDATES if paper else TYPICAL_CANDIDATES
    most = PAPER_CANDIDATES if paper else identity.candidate_limit
    tried = most * identity.iterations
    early = not paper and design_of(identity).rule.futility is not None
    # Futility stops most candidates early; how early is what the run finds out.
    share = TYPICAL_VISITED if early else 1.0
    first = _cost(roles, identity, judge, teacher, iterations=1, candidates=usual, held=TYPICAL_HELD, share=share)
    limits = _cost(
        roles, identity, judge, teacher, iterations=identity.iterations, candidates=most, held=tried, share=1.0
    )
    return Plan(first, limits)


def _beyond_trials(identity: Identity, pairs: int, *, held: int, share: float) -> tuple[int, int]:
    """Rewrites and judged arms of pairs that go to shams, and to what accepted candidates are asked further."""
    if "paper" in (identity.preset, identity.rule):
        return 0, 0
    graded = identity.judge.mode == "label" or identity.judge.kind == "pointwise"
    usual = GRADED_SHAMS if graded else 0
    shams = usual if identity.null_control is None else identity.null_control
    sides = min(SIDE_PAIRS, pairs) if identity.both_sides else 0
    equal = min(LENGTH_PAIRS, pairs) if identity.equal_length else 0
    # What a trial did not visit comes first wherever anything is asked for, and is written and judged once.
    left = (1 - share) * pairs
    fresh = max(min(sides, left), min(equal, left), left if identity.confirm else 0.0)
    # Beside each biased arm a neutral one: shared by all candidates, but for its length.
    chosen, brought = sides * (held + 1), equal * 2 * held
    made = shams * share * pairs + held * fresh + chosen
    again = min(REPEATED_PAIRS, pairs) if shams else 0
    # The shorter of two rewrites stays as it is.
    condensed = brought // 2 if identity.equal_length == "condense" else 0
    return round(made) + condensed, round(made) + brought + again


def _mean_tokens(pairs: Sequence[PreferencePair]) -> float:
    characters = sum(len(p.question) + len(p.chosen) + len(p.rejected) for p in pairs)
    return characters / max(1, len(pairs)) / CHARACTERS_PER_TOKEN


def _cost(
    roles: Roles,
    identity: Identity,
    judge: ModelExecution,
    teacher: ModelExecution,
    *,
    iterations: int,
    candidates: int,
    held: int,
    share: float,
) -> Cost:
    n, t, kept = len(roles.discovery), len(roles.validation), len(roles.holdout)
    paper = identity.preset == "paper"
    orders, neutrals = (1, 0) if paper else (2, int(design_of(identity).rule.neutrals_at(t).sum()))
    tried = candidates * iterations
    visits = round(share * tried * t)
    more, judged_more = _beyond_trials(identity, t, held=held, share=share)
    evidence = round(PAPER_MISTAKES * n) if paper else min(n, identity.evidence_limit)
    asked = evidence + (0 if paper else -(-evidence // 5))
    explain = asked * (int(identity.deeper_explain) + int(identity.judge.mode == "label"))
    # Rules write the perturbations of known biases; what is discovered has no rule.
    perturbed = 0 if identity.rewrites == "rules" else n * (iterations + (0 if paper else 1))
    rewrites = perturbed + neutrals + visits + more + (0 if paper else 2 * kept)
    checks = 0 if identity.rule == "paper" else 2 * min(TRAIT_SAMPLE, t) * held
    merges = evidence * (PAPER_SEEDS + tried // 2 if paper else 1)
    teacher_calls = rewrites + checks + iterations * (asked + merges)
    known = n * (iterations + (0 if paper else 2)) + (0 if paper else 3 * kept)
    judged = known + t + neutrals + visits + judged_more
    # A judge of single responses sees the better one of a pair once, and each rewrite of the other one once.
    alone = identity.judge.kind == "pointwise"
    verdicts = identity.judge.samples * (judged + n + t + kept if alone else orders * judged)
    judge_calls = verdicts + iterations * explain
    size = _mean_tokens([*roles.discovery, *roles.validation])
    sent_judge = int(judge_calls * (size + PROMPT_TOKENS))
    got_judge = verdicts * REPLY_TOKENS[identity.judge.mode] + iterations * explain * 200
    sent_teacher = int(
        rewrites * (size * 2 / 3 + PROMPT_TOKENS) + (teacher_calls - rewrites) * (size + PROMPT_TOKENS)
    )
    got_teacher = int(rewrites * size / 3 + (teacher_calls - rewrites) * 100)
    price = None
    if judge.price is not None and teacher.price is not None:
        price = (sent_judge * judge.price[0] + got_judge * judge.price[1]) / 1e6
        price += (sent_teacher * teacher.price[0] + got_teacher * teacher.price[1]) / 1e6
    return Cost(judge_calls, teacher_calls, sent_judge + sent_teacher, got_judge + got_teacher, price)
