"""The published procedure of BiasScope as it was run, so that its numbers can be reproduced. Preset `paper`.

One seeded order per pair, the same in all arms; every mistake on a rewrite is evidence; one phrasing of each
instruction; a new name is compared with every entry, one call each; a candidate is kept when the error on
rewritten pairs exceeds the error on the originals. It has no neutral rewrite, no interval and no correction:
what it keeps is called `accepted` by its own rule only, and each trial carries the mark ``rule: paper``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from biasscope import seeds
from biasscope.ask import Answered, Asker
from biasscope.config import Identity
from biasscope.judges.base import Explaining, Judge
from biasscope.records import (
    ORDERS,
    ORIGINAL,
    Baseline,
    Bias,
    BiasLibrary,
    Effect,
    Evidence,
    Explanation,
    Iteration,
    Order,
    PreferencePair,
    Shift,
    Trial,
    Verdict,
)
from biasscope.steps.explain import explain_shifts
from biasscope.steps.identify import identify_biases
from biasscope.steps.judge import ERROR, Table, judge_pairs
from biasscope.steps.merge import merge_proposals
from biasscope.steps.perturb import Job, Writer, perturb_pairs
from biasscope.steps.watching import unseen
from biasscope.workflows.conclude import RULE_MARK
from biasscope.workflows.evidence import MOST, Sighting, Sightings, shown, sighted, sightings_of
from biasscope.workflows.outcome import NOT_EXPLAINING, Missed, Outcome, count_missing, missing_accounts
from biasscope.workflows.roles import Roles
from biasscope.workflows.stages import OnSeen, Stage, StageSeen
from biasscope.workflows.verdict_rows import Judged, verdict_rows


@dataclass
class _State:
    library: BiasLibrary
    seen: Table
    tried: Table
    trials: list[Trial] = field(default_factory=list)
    missing: list[Missed] = field(default_factory=list)
    named: list[Bias] = field(default_factory=list)
    sightings: Sightings = field(default_factory=dict)
    on_seen: OnSeen = unseen
    index: int = 0

    def at(self, stage: Stage) -> None:
        """Tell whoever watches that a stage begins."""
        self.on_seen(StageSeen(stage, self.index))


def one_order(pairs: Sequence[PreferencePair], seed: int) -> dict[str, Order]:
    """Draw one order per pair; it is used in every arm, so that reordering alone moves nothing."""
    return {p.id: ORDERS[seeds.pick(2, "paper-order", seed, p.id)] for p in pairs}


async def discover_as_published(
    judge: Judge,
    teacher: Asker,
    writer: Writer,
    roles: Roles,
    library: BiasLibrary,
    identity: Identity,
    *,
    on_seen: OnSeen = unseen,
) -> AsyncIterator[Baseline | Iteration | Outcome]:
    """Run the published loop; yields the baseline, every iteration and the outcome."""
    state = _State(library, Table(orders=judge.orders), Table(orders=judge.orders), on_seen=on_seen)
    state.at("baseline")
    pairs = (*roles.validation, *roles.holdout)
    orders = one_order((*roles.discovery, *pairs), identity.seed)
    await judge_pairs(judge, state.tried, pairs, (ORIGINAL,), orders=orders)
    before = _error(state.tried, pairs, ORIGINAL, orders)
    if before is not None:
        yield (start := Baseline(before[0], None, None, None, before[1]))
    stopped = f"the cap of {identity.iterations} iterations"
    for index in range(1, identity.iterations + 1):
        state.index = index
        iteration = await _iterate(state, index, judge, teacher, writer, roles.discovery, orders, identity)
        if identity.validate_when == "early":
            trials = await _try(state, judge, writer, pairs, iteration.candidates, orders, before, index)
            iteration = replace(iteration, trials=tuple(trials))
            kept = [t.bias for t in trials if t.status == "accepted"]
        else:
            trials, kept = [], list(iteration.candidates)
        state.library = state.library.add(*kept)
        yield iteration
        if not kept:
            stopped = "nothing new was kept"
            break
    if identity.validate_when == "late":
        await _try(state, judge, writer, pairs, state.named, orders, before, index)
    accepted = tuple(t.bias for t in state.trials if t.status == "accepted")
    yield Outcome(
        BiasLibrary(library.biases + accepted),
        tuple(state.trials),
        start if before is not None else None,
        None,
        count_missing([*state.missing, *state.seen.missing(), *state.tried.missing()]),
        stopped,
        evidence=tuple(e for bias in accepted for e in _evidence(state, bias, pairs, orders)),
        verdicts=verdict_rows(
            identity.judge.spec, (Judged(state.seen, roles.discovery, "discovery"), Judged(state.tried, pairs))
        ),
    )


async def _iterate(
    state: _State,
    index: int,
    judge: Judge,
    teacher: Asker,
    writer: Writer,
    pairs: Sequence[PreferencePair],
    orders: Mapping[str, Order],
    identity: Identity,
) -> Iteration:
    entries = state.library.biases
    drawn = {p.id: entries[seeds.pick(len(entries), "paper-assign", identity.seed, index, p.id)] for p in pairs}
    state.at("perturb")
    await perturb_pairs(writer, state.seen, [Job(p, drawn[p.id].id, drawn[p.id]) for p in pairs])
    state.at("judge")
    await judge_pairs(judge, state.seen, pairs, {p.id: (drawn[p.id].id,) for p in pairs}, orders=orders)
    mistakes = [m for p in pairs if (m := _mistake(state.seen, p, drawn[p.id].id, orders[p.id])) is not None]
    named, missing = await _name(state, judge, teacher, mistakes, identity)
    state.at("merge")
    merged = await merge_proposals(teacher, [s.proposal for s in named], [*entries, *state.named], pairwise=True)
    state.sightings |= sightings_of(merged.candidates, named)
    fresh = [b for b in merged.candidates if b.id not in state.library]
    state.named += fresh
    missing += [("merge", reason, 1) for _, reason in merged.undecided]
    state.missing += missing
    return Iteration(
        index=index,
        perturbed=len(pairs),
        judged=0,
        moved=0,
        shifts=len(mistakes),
        expected_noise=None,
        decoys=0,
        decoys_named=0,
        named=len(named),
        merged=merged.merged,
        candidates=tuple(fresh),
        trials=(),
        missing=count_missing(missing),
    )


def _mistake(table: Table, pair: PreferencePair, arm: str, order: Order) -> Shift | None:
    verdict, rewrite = table.verdict(pair, arm, order), table.rewrite(pair, arm)
    if verdict is None or rewrite is None or verdict.choice != "rejected":
        return None
    # There is no neutral rewrite in this procedure; the rewrite stands in its own place.
    return Shift(pair, arm, rewrite, rewrite, verdict, 1.0, 2)


async def _name(
    state: _State, judge: Judge, teacher: Asker, mistakes: Sequence[Shift], identity: Identity
) -> tuple[list[Sighting], list[Missed]]:
    if not isinstance(judge, Explaining):
        return [], [("explain", NOT_EXPLAINING, len(mistakes))] if mistakes else []
    state.at("explain")
    explained = await explain_shifts(judge, state.seen, mistakes, deeper=identity.deeper_explain)
    told = [e for e in explained if isinstance(e, Explanation)]
    missing = missing_accounts(explained, deeper=identity.deeper_explain)
    state.at("name")
    answers = await identify_biases(teacher, told, state.library)
    missing += [("identify", a.reason, 1) for a in answers if not isinstance(a, Answered)]
    named = [
        Sighting(of, a.value)
        for of, a in zip(told, answers, strict=True)
        if isinstance(a, Answered) and a.value is not None
    ]
    return named, missing


def _evidence(
    state: _State, bias: Bias, pairs: Sequence[PreferencePair], orders: Mapping[str, Order]
) -> list[Evidence]:
    """The mistake a bias was named from, and those on pairs whose original was judged right; nothing ranks them."""
    right = [p for p in pairs if (v := state.tried.verdict(p, ORIGINAL, orders[p.id])) and v.choice == "chosen"]
    mistakes = [m for p in right if (m := _mistake(state.tried, p, bias.id, orders[p.id])) is not None]
    found = [sighted(state.seen, bias, s, None) for s in state.sightings.get(bias.id, ())[:1]]
    return [*found, *(shown(state.tried, bias, m, None, "fraction") for m in mistakes[:MOST])]


async def _try(
    state: _State,
    judge: Judge,
    writer: Writer,
    pairs: Sequence[PreferencePair],
    candidates: Sequence[Bias],
    orders: Mapping[str, Order],
    before: tuple[float, int] | None,
    index: int,
) -> list[Trial]:
    state.at("trials")
    jobs = [Job(p, b.id, b) for p in pairs for b in candidates]
    await perturb_pairs(writer, state.tried, jobs)
    await judge_pairs(judge, state.tried, pairs, [b.id for b in candidates], orders=orders)
    trials = [_trial(b, index, _error(state.tried, pairs, b.id, orders), before) for b in candidates]
    state.trials += trials
    return trials


def _trial(bias: Bias, index: int, after: tuple[float, int] | None, before: tuple[float, int] | None) -> Trial:
    if after is None or before is None:
        return Trial(bias, index, bias.estimand, "fraction", "no_signal", "no verdict could be read", None,
                     marks=(RULE_MARK,))  # fmt: skip
    gain = after[0] - before[0]
    return Trial(
        bias,
        index,
        bias.estimand,
        "fraction",
        "accepted" if gain > 0 else "dropped",
        "error above the error on the originals" if gain > 0 else "error not above the error on the originals",
        Effect(gain, None, None, None, after[1], "fraction"),
        error_biased=after[0],
        error_original=before[0],
        marks=(RULE_MARK,),
    )


def _error(
    table: Table, pairs: Sequence[PreferencePair], arm: str, orders: Mapping[str, Order]
) -> tuple[float, int] | None:
    """Error rate over the verdicts that can be read, and their number; None without any."""
    found = [table.verdict(p, arm, orders[p.id]) for p in pairs]
    known = [ERROR[v.choice] for v in found if isinstance(v, Verdict)]
    return (sum(known) / len(known), len(known)) if known else None
