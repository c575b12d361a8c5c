"""About what a discovery run will take, before anything is paid: arithmetic over the pairs and the settings.

Second attempts are not reckoned with; how many candidates there are is what the run finds out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biasscope.config import Identity, ModelExecution
from biasscope.records import PreferencePair
from biasscope.steps.manipulation import TRAIT_SAMPLE
from biasscope.workflows.conclude import design_of
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
    first = _cost(roles, identity, judge, teacher, iterations=1, candidates=usual, checked=TYPICAL_HELD)
    limits = _cost(
        roles, identity, judge, teacher, iterations=identity.iterations, candidates=most, checked=tried
    )
    return Plan(first, limits)


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
    checked: int,
) -> Cost:
    n, t, held = len(roles.discovery), len(roles.validation), len(roles.holdout)
    paper = identity.preset == "paper"
    rule = design_of(identity).rule
    # Futility stops most candidates early; how early is what the run finds out.
    share = TYPICAL_VISITED if checked == TYPICAL_HELD and rule.futility is not None else 1.0
    orders, neutrals = (1, 0.0) if paper else (2, float(rule.neutrals_at(t).mean()))
    tried = candidates * iterations
    visits = tried if paper else round(share * tried)
    evidence = round(PAPER_MISTAKES * n) if paper else min(n, identity.evidence_limit)
    asked = evidence + (0 if paper else -(-evidence // 5))
    explain = asked * (int(identity.deeper_explain) + int(identity.judge_mode == "label"))
    # Rules write the perturbations of known biases; what is discovered has no rule.
    perturbed = 0 if identity.rewrites == "rules" else n * (iterations + (0 if paper else 1))
    rewrites = perturbed + round(t * (neutrals + visits)) + (0 if paper else 2 * held)
    checks = 0 if paper else 2 * min(TRAIT_SAMPLE, t) * checked
    merges = evidence * (PAPER_SEEDS + tried // 2 if paper else 1)
    teacher_calls = rewrites + checks + iterations * (asked + merges)
    judged = (
        n * (iterations + (0 if paper else 2)) + round(t * (1 + neutrals + visits)) + (0 if paper else 3 * held)
    )
    judge_calls = orders * judged + iterations * explain
    size = _mean_tokens([*roles.discovery, *roles.validation])
    sent_judge = int(judge_calls * (size + PROMPT_TOKENS))
    got_judge = orders * judged * REPLY_TOKENS[identity.judge_mode] + iterations * explain * 200
    sent_teacher = int(
        rewrites * (size * 2 / 3 + PROMPT_TOKENS) + (teacher_calls - rewrites) * (size + PROMPT_TOKENS)
    )
    got_teacher = int(rewrites * size / 3 + (teacher_calls - rewrites) * 100)
    price = None
    if judge.price is not None and teacher.price is not None:
        price = (sent_judge * judge.price[0] + got_judge * judge.price[1]) / 1e6
        price += (sent_teacher * teacher.price[0] + got_teacher * teacher.price[1]) / 1e6
    return Cost(judge_calls, teacher_calls, sent_judge + sent_teacher, got_judge + got_teacher, price)
