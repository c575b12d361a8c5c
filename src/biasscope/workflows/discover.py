"""The iterative loop: perturb, judge, explain, identify, merge, validate, until nothing new is found.

Yields records as they come; stores and prints nothing. Pairs that proposed a candidate never validate it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from biasscope import seeds
from biasscope.ask import Answered, Asker
from biasscope.catalogue.known import Catalogue
from biasscope.config import GRADED_SHAMS, Identity
from biasscope.judges.base import Explaining, Judge
from biasscope.quantities import FeatureProposals, NullControl
from biasscope.records import (
    ORIGINAL,
    Baseline,
    Bias,
    BiasLibrary,
    Explanation,
    Iteration,
    PreferencePair,
    Shift,
    Trial,
    Unit,
)
from biasscope.steps.explain import explain_shifts
from biasscope.steps.followups import Bench
from biasscope.steps.identify import identify_biases
from biasscope.steps.judge import Table, judge_pairs
from biasscope.steps.merge import merge_proposals
from biasscope.steps.perturb import Job, RuleWriter, Writer, perturb_pairs
from biasscope.steps.shifts import Perturbed, Shifts, choose_evidence, find_shifts
from biasscope.steps.validate import Tested, baseline, settle, validate_candidates
from biasscope.steps.watching import unseen
from biasscope.workflows.conclude import conclude, decide_trials, design_of
from biasscope.workflows.discovery_state import Named, State
from biasscope.workflows.evidence import Sighting, gather_evidence, sightings_of
from biasscope.workflows.follow_up import follow_up
from biasscope.workflows.from_features import entries_to_try, look_at_features, rule_shams
from biasscope.workflows.library_effect import library_effect
from biasscope.workflows.null_control import null_control
from biasscope.workflows.outcome import (
    NOT_EXPLAINING,
    Missed,
    Outcome,
    count_missing,
    missing_accounts,
    unreadable,
)
from biasscope.workflows.roles import Roles
from biasscope.workflows.stages import OnSeen
from biasscope.workflows.verdict_rows import Judged, verdict_rows


async def discover(
    judge: Judge,
    teacher: Asker | None,
    writer: Writer,
    roles: Roles,
    library: BiasLibrary,
    identity: Identity,
    *,
    on_seen: OnSeen = unseen,
) -> AsyncIterator[Baseline | Iteration | Outcome]:
    """Run the loop on one judge; yields the baseline, every iteration, and the outcome.

    `library` holds the biases to start from; only text traits (estimand pull) are given to the writer. Where features
    alone propose (and once), nothing is perturbed, explained or named, and no `teacher` is needed. `on_seen` is told how
    the run goes, and changes nothing.
    """
    state = State(library, writer, Table(orders=judge.orders), Table(orders=judge.orders), on_seen=on_seen)
    state.at("baseline")
    await judge_pairs(judge, state.tried, roles.validation, (ORIGINAL,))
    before = baseline(state.tried, roles.validation)
    if before is None:
        raise unreadable(state.tried)
    yield before
    stopped = f"the cap of {identity.iterations} iterations"
    for index in range(1, identity.iterations + 1):
        state.index = index
        iteration = await _iterate(state, index, judge, teacher, writer, roles, identity)
        yield iteration
        if not iteration.candidates or _proposed_all(state, identity):
            stopped = "no new candidate was named"
            break
        held = any(t.provisional for t in iteration.trials)
        if identity.validate_when == "early" and not held and not state.waiting:
            stopped = "nothing new held"
            break
    if identity.validate_when == "late":
        most = identity.candidate_limit * index
        due, state.waiting = state.waiting[:most], state.waiting[most:]
        state.tested += await _validate(state, judge, roles.validation, due, identity, index)
    yield await _end(state, judge, teacher, roles, library, identity, before, stopped)


async def _end(
    state: State,
    judge: Judge,
    teacher: Asker | None,
    roles: Roles,
    library: BiasLibrary,
    identity: Identity,
    before: Baseline,
    stopped: str,
) -> Outcome:
    """Decide over everything that was tried, ask further about what holds, and look where nothing is to be found."""
    trials = await _decide(state, judge, teacher, roles.validation, identity)
    accepted = tuple(t.bias for t in trials if t.status == "accepted")
    control = await _control(state, judge, roles.validation, identity, teacher is not None)
    unit: Unit = next((t.unit for t in state.tested if t.graded), "fraction")
    state.at("library effect")
    held_out, last = await library_effect(
        judge,
        state.writer,
        roles.holdout,
        accepted,
        state.tried,
        roles.validation,
        seed=identity.seed,
        unit=unit,
    )
    return Outcome(
        library.add(*(b for b in accepted if b.id not in library)),
        tuple(trials),
        before,
        held_out,
        count_missing([*state.missing, *state.seen.missing(), *state.tried.missing(), *last.missing()]),
        stopped,
        tuple(state.waiting),
        control,
        gather_evidence(state.seen, state.tried, state.tested, trials, state.sightings, judge.margin_unit),
        verdict_rows(
            identity.judge.spec,
            (
                Judged(state.seen, roles.discovery, "discovery"),
                Judged(state.tried, roles.validation, tested=state.tested),
                Judged(last, roles.holdout, "holdout"),
            ),
        ),
    )


async def _decide(
    state: State, judge: Judge, teacher: Asker | None, pairs: Sequence[PreferencePair], identity: Identity
) -> list[Trial]:
    """One decision over the whole run, after trials that it would take back went on; then the follow-ups."""
    state.index = 0
    design = design_of(identity)
    if identity.rule == "paper":
        return await conclude(teacher, state.tried, state.tested, state.provisional, design.rule)
    state.tested = await settle(
        judge, state.writer, state.tried, pairs, state.tested, design, on_look=state.on_seen
    )
    state.at("follow-ups")
    trials = await conclude(teacher, state.tried, state.tested, state.provisional, design.rule)
    return await follow_up(Bench(judge, state.writer, teacher, state.tried), state.tested, trials, identity)


def _proposed_all(state: State, identity: Identity) -> bool:
    """Whether nothing more can come: features propose once, and no candidate waits for a later iteration."""
    return identity.proposer == "features" and (identity.validate_when == "late" or not state.waiting)


async def _iterate(
    state: State,
    index: int,
    judge: Judge,
    teacher: Asker | None,
    writer: Writer,
    roles: Roles,
    identity: Identity,
) -> Iteration:
    features: FeatureProposals | None = None
    before = len(state.waiting)
    if index == 1 and identity.proposer != "teacher":
        features = await _propose(state, judge, roles.discovery, identity)
    named = Named()
    if teacher is not None and identity.proposer != "features":
        named = await _by_teacher(state, index, judge, teacher, writer, roles.discovery, identity)
    state.missing += named.missing
    due, tested = state.waiting[before:], list[Tested]()
    if identity.validate_when == "early":
        due, state.waiting = (
            state.waiting[: identity.candidate_limit],
            state.waiting[identity.candidate_limit :],
        )
        tested = await _validate(state, judge, roles.validation, due, identity, index)
        state.tested += tested
    trials = decide_trials(state.tried, tested, design_of(identity).rule)
    held = [t.bias for t in trials if t.status == "accepted"]
    state.provisional |= {b.id for b in held}
    kept = held if identity.validate_when == "early" else due
    state.library = state.library.add(*(b for b in kept if b.id not in state.library))
    return Iteration(
        index=index,
        perturbed=named.perturbed,
        judged=named.found.judged,
        moved=named.found.moved,
        shifts=len(named.found.shifts),
        expected_noise=named.found.expected_noise,
        decoys=named.decoys,
        decoys_named=named.decoys_named,
        named=named.named,
        merged=named.merged,
        candidates=tuple(due),
        trials=tuple(replace(t, provisional=t.status == "accepted") for t in trials),
        missing=count_missing(named.missing),
        features=features,
    )


async def _propose(
    state: State, judge: Judge, pairs: Sequence[PreferencePair], identity: Identity
) -> FeatureProposals:
    """Let features propose from the verdicts on the originals; what rules can write waits for its trial."""
    state.at("features")
    await judge_pairs(judge, state.seen, pairs, (ORIGINAL,))
    found = look_at_features(state.seen, pairs, judge.margin_unit, seed=identity.seed)
    entries = entries_to_try(found)
    state.waiting += [known.bias for known in entries]
    if identity.rewrites != "rules":
        # The teacher goes on writing what it named, also where rules could.
        state.writer = RuleWriter(state.writer, identity.seed, Catalogue(entries))
    return found


async def _by_teacher(
    state: State,
    index: int,
    judge: Judge,
    teacher: Asker,
    writer: Writer,
    pairs: Sequence[PreferencePair],
    identity: Identity,
) -> Named:
    """Perturb, look for shifts, explain, name and merge; what is new waits for its trial."""
    perturbed = await _perturb(state, index, judge, writer, pairs, identity)
    found = find_shifts(state.seen, perturbed, graded=judge.margin_unit is not None)
    named, decoys, decoys_named, missing = await _name(state, judge, teacher, found, identity)
    state.at("merge")
    merged = await merge_proposals(teacher, [s.proposal for s in named], state.known())
    state.sightings |= sightings_of(merged.candidates, named)
    missing += [("merge", reason, 1) for _, reason in merged.undecided]
    state.waiting += merged.candidates
    return Named(len(perturbed), found, decoys, decoys_named, len(named), merged.merged, tuple(missing))


async def _perturb(
    state: State, index: int, judge: Judge, writer: Writer, pairs: Sequence[PreferencePair], identity: Identity
) -> list[Perturbed]:
    """Give each discovery pair one bias of the library, another one in each iteration, and a neutral rewrite."""
    traits = [b for b in state.library.biases if b.estimand == "pull"]
    if not traits:
        raise ValueError("the library holds no trait of a text (estimand pull) to perturb with")
    jobs: list[Job] = []
    perturbed: list[Perturbed] = []
    arms: dict[str, list[str]] = {}
    for pair in pairs:
        bias = traits[(seeds.pick(1 << 30, "assign", identity.seed, pair.id) + index) % len(traits)]
        (neutral,) = writer.neutral_jobs(pair, bias, 1)
        jobs += [neutral, Job(pair, bias.id, bias)]
        perturbed.append(Perturbed(pair, bias.id, bias.id, neutral.arm))
        arms[pair.id] = [ORIGINAL, neutral.arm, bias.id]
    state.at("perturb")
    await perturb_pairs(writer, state.seen, jobs)
    state.at("judge")
    await judge_pairs(judge, state.seen, pairs, arms)
    return perturbed


async def _name(
    state: State, judge: Judge, teacher: Asker, found: Shifts, identity: Identity
) -> tuple[list[Sighting], int, int, list[Missed]]:
    """Explain and identify the strongest shifts; decoys go the same way but propose nothing."""
    shifts, decoys = choose_evidence(found, identity.evidence_limit)
    evidence: list[Shift] = [*shifts, *decoys]
    if not isinstance(judge, Explaining):
        return [], len(decoys), 0, [("explain", NOT_EXPLAINING, len(evidence))] if evidence else []
    state.at("explain")
    explained = await explain_shifts(judge, state.seen, evidence, deeper=identity.deeper_explain)
    told = [e for e in explained if isinstance(e, Explanation)]
    missing = missing_accounts(explained, deeper=identity.deeper_explain)
    named: list[Sighting] = []
    decoys_named = 0
    state.at("name")
    for explanation, answer in zip(told, await identify_biases(teacher, told, state.library), strict=True):
        if not isinstance(answer, Answered):
            missing.append(("identify", answer.reason, 1))
        elif answer.value is not None and explanation.shift.decoy:
            decoys_named += 1
        elif answer.value is not None:
            named.append(Sighting(explanation, answer.value))
    return named, len(decoys), decoys_named, missing


async def _validate(
    state: State,
    judge: Judge,
    pairs: Sequence[PreferencePair],
    candidates: Sequence[Bias],
    identity: Identity,
    index: int,
) -> list[Tested]:
    state.at("trials")
    return await validate_candidates(
        judge,
        state.writer,
        state.tried,
        pairs,
        candidates,
        design_of(identity),
        iteration=index,
        on_look=state.on_seen,
    )


async def _control(
    state: State, judge: Judge, pairs: Sequence[PreferencePair], identity: Identity, taught: bool
) -> NullControl | None:
    """The null control, with shams where they are asked for; None by the published rule, which knows none."""
    if identity.rule == "paper":
        return None
    shams = identity.null_control
    if shams is None:
        shams = GRADED_SHAMS if any(t.graded for t in state.tested) else 0
    state.at("null control")
    design, writer = design_of(identity), state.writer
    if not taught:
        writer, most = rule_shams(writer, [t.bias for t in state.tested], design.rule.neutrals)
        if shams > most:
            state.missing.append(("null control", "no rule is left to write a sham", shams - most))
        shams = min(shams, most)
    return await null_control(
        judge, writer, state.tried, pairs, state.tested, design, shams=shams, on_look=state.on_seen
    )
