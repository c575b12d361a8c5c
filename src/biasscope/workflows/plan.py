"""About what a discovery run will take, before anything is paid: arithmetic over the pairs and the settings.

Second attempts are not reckoned with; how many candidates there are is what the run finds out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biasscope.catalogue.features import text_features
from biasscope.config import GRADED_SHAMS, Identity, ModelExecution
from biasscope.records import PreferencePair
from biasscope.steps.followups import FRESH_PAIRS, LENGTH_PAIRS, SIDE_PAIRS
from biasscope.steps.manipulation import TRAIT_SAMPLE
from biasscope.workflows.conclude import design_of
from biasscope.workflows.follow_up import MANY
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

TYPICAL_PROPOSED = 2
"""Candidates that features propose and rules write."""


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


@dataclass(frozen=True, slots=True)
class _Size:
    """What a plan reckons with: candidates per iteration, of which features `proposed` some in the first, how many hold
    in the whole run, and the share of the validation pairs that each visits."""

    iterations: int
    candidates: int
    proposed: int
    held: int
    share: float


def plan(roles: Roles, identity: Identity, judge: ModelExecution, teacher: ModelExecution) -> Plan:
    """Plan a run: one iteration with a typical number of candidates, and every iteration at its limits."""
    paper = identity.preset == "paper"
    usual = PAPER_CANDIDATES if paper else TYPICAL_CANDIDATES
    most = PAPER_CANDIDATES if paper else identity.candidate_limit
    proposed, linked = 0, 0
    iterations = identity.iterations
    if identity.proposer != "teacher":
        proposed = TYPICAL_PROPOSED
        linked = min(most, len({f.bias for f in text_features() if f.bias is not None}))
    if identity.proposer == "features":
        # They propose once, so that further iterations try only what had to wait.
        usual, most, iterations = 0, 0, 1
    early = not paper and design_of(identity).rule.futility is not None
    # Futility stops most candidates early; how early is what the run finds out.
    share = TYPICAL_VISITED if early else 1.0
    first = _Size(1, usual + proposed, proposed, TYPICAL_HELD, share)
    tried = max(most, linked)
    limits = _Size(iterations, tried, linked, tried * iterations, 1.0)
    return Plan(*(_cost(roles, identity, judge, teacher, size) for size in (first, limits)))


def _beyond_trials(identity: Identity, pairs: int, held: int, share: float) -> tuple[int, int]:
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
    tried_again = min(FRESH_PAIRS, left) if held < MANY else 0.0
    fresh = max(min(sides, left), min(equal, left), left if identity.confirm else tried_again)
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


@dataclass(frozen=True, slots=True)
class _Asked:
    """Verdicts and explanations of the judge; rewrites of the teacher, and what else it is asked."""

    verdicts: int
    explain: int
    rewrites: int
    others: int


def _cost(roles: Roles, identity: Identity, judge: ModelExecution, teacher: ModelExecution, size: _Size) -> Cost:
    """Calls, tokens and price: texts as they are on average, replies of a usual length."""
    asked = _asked(roles, identity, size)
    tokens = _mean_tokens([*roles.discovery, *roles.validation])
    judge_calls, teacher_calls = asked.verdicts + asked.explain, asked.rewrites + asked.others
    sent_judge = int(judge_calls * (tokens + PROMPT_TOKENS))
    got_judge = asked.verdicts * REPLY_TOKENS[identity.judge.mode] + asked.explain * 200
    sent_teacher = int(
        asked.rewrites * (tokens * 2 / 3 + PROMPT_TOKENS) + asked.others * (tokens + PROMPT_TOKENS)
    )
    got_teacher = int(asked.rewrites * tokens / 3 + asked.others * 100)
    price = None
    if judge.price is not None and (teacher.price is not None or not teacher_calls):
        price = (sent_judge * judge.price[0] + got_judge * judge.price[1]) / 1e6
        if teacher.price is not None:
            price += (sent_teacher * teacher.price[0] + got_teacher * teacher.price[1]) / 1e6
    return Cost(judge_calls, teacher_calls, sent_judge + sent_teacher, got_judge + got_teacher, price)


def _asked(roles: Roles, identity: Identity, size: _Size) -> _Asked:
    n, t, kept = len(roles.discovery), len(roles.validation), len(roles.holdout)
    paper, alone = identity.preset == "paper", identity.proposer == "features"
    neutrals = design_of(identity).rule.neutrals_at(t)
    # Neutral rewrites of a teacher are shared by all candidates, those of a rule are its own.
    shared = 0 if paper or alone else int(neutrals.sum())
    own = size.proposed * int(neutrals[: round(size.share * t)].sum())
    tried = size.candidates * size.iterations
    visits = round(size.share * tried * t)
    more, judged_more = _beyond_trials(identity, t, size.held, size.share)
    held_out = 0 if paper else kept
    judged = t + shared + own + visits + judged_more + 3 * held_out
    # The originals of discovery, and beside them a neutral rewrite and one bias for each iteration.
    perturbed = 0 if alone else n * (size.iterations + (0 if paper else 1))
    judged += perturbed + (0 if paper else n)
    by_rule = round(size.share * size.proposed * t)
    written = 0 if identity.rewrites == "rules" else perturbed
    rewrites = 0 if alone else written + shared + visits - by_rule + more + 2 * held_out
    asked, merges = (0, 0) if alone else _named(identity, n, tried)
    checks = 0 if alone or identity.rule == "paper" else 2 * min(TRAIT_SAMPLE, t) * size.held
    # A judge of single responses sees the better one of a pair once, and each rewrite of the other one once.
    single = identity.judge.kind == "pointwise"
    verdicts = judged + n + t + kept if single else (1 if paper else 2) * judged
    explain = asked * (int(identity.deeper_explain) + int(identity.judge.mode == "label"))
    return _Asked(
        verdicts * identity.judge.samples,
        size.iterations * explain,
        rewrites,
        checks + size.iterations * (asked + merges),
    )


def _named(identity: Identity, pairs: int, tried: int) -> tuple[int, int]:
    """How many shifts and decoys are explained in an iteration, and how often names are compared."""
    if identity.preset == "paper":
        mistakes = round(PAPER_MISTAKES * pairs)
        return mistakes, mistakes * (PAPER_SEEDS + tried // 2)
    evidence = min(pairs, identity.evidence_limit)
    return evidence + -(-evidence // 5), evidence
