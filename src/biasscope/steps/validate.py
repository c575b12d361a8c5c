"""Validate candidates on pairs that chose none of them: biased against neutral rewrites, both orders.

Gathers what `stats.fixed` needs; decides nothing itself. Neutral rewrites and their verdicts are shared
between candidates through the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biasscope import seeds
from biasscope.ask import Answered, Asker
from biasscope.catalogue.seed import entry
from biasscope.judges.base import Judge
from biasscope.judges.margins import is_saturated
from biasscope.records import ORDERS, ORIGINAL, Baseline, Bias, PreferencePair, Verdict
from biasscope.stats.effects import wilson
from biasscope.stats.fixed import ArmScores, Measured, measure
from biasscope.steps.check import TraitAsk
from biasscope.steps.judge import ERROR, Table, judge_pairs
from biasscope.steps.perturb import Job, Writer, perturb_pairs

TRAIT_SAMPLE = 48
"""Rewrites per arm that a model reads for the manipulation check."""


@dataclass(frozen=True, slots=True)
class Tested:
    """A candidate with what was measured about it, before any decision.

    `error_original` is the error rate on the originals of the pairs that have the biased verdicts.
    """

    bias: Bias
    iteration: int
    measured: Measured
    error_biased: float | None
    error_original: float | None
    missing: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class TrialDesign:
    """How candidates are tried: neutral rewrites per pair, smallest effect of interest (fraction), BH level."""

    neutrals: int = 3
    min_effect: float = 0.05
    q: float = 0.05
    seed: int = 0


async def validate_candidates(
    judge: Judge,
    writer: Writer,
    table: Table,
    pairs: Sequence[PreferencePair],
    candidates: Sequence[Bias],
    design: TrialDesign,
    *,
    iteration: int = 0,
) -> list[Tested]:
    """Try every candidate on every pair; margins are used where they are unsaturated.

    Raises ValueError without a pair.
    """
    if not pairs:
        raise ValueError("need at least one pair to try candidates on")
    jobs: list[Job] = []
    arms: dict[str, list[str]] = {p.id: [ORIGINAL] for p in pairs}
    for pair in pairs:
        for bias in candidates:
            of_pair = [*writer.neutral_jobs(pair, bias, design.neutrals), Job(pair, bias.id, bias)]
            jobs += of_pair
            arms[pair.id] += [job.arm for job in of_pair if job.arm not in arms[pair.id]]
    await perturb_pairs(writer, table, jobs)
    await judge_pairs(judge, table, pairs, arms)
    graded = judge.graded and not _saturated(table, pairs)
    neutral = {b.id: [j.arm for j in writer.neutral_jobs(pairs[0], b, design.neutrals)] for b in candidates}
    every = list(dict.fromkeys(arm for names in neutral.values() for arm in names))
    tested = []
    for bias in candidates:
        scores = arm_scores(table, pairs, bias.id, neutral[bias.id], every, graded=graded)
        measured = measure(scores, min_effect=design.min_effect, q=design.q, names=(design.seed, bias.id))
        own = {bias.id, *neutral[bias.id]}
        missing = tuple(m for m in table.missing() if m[0] in own)
        tested.append(Tested(bias, iteration, measured, *_errors(table, pairs, bias.id), missing))
    return tested


def _saturated(table: Table, pairs: Sequence[PreferencePair]) -> bool:
    found = [v.margin for p in pairs for o in ORDERS if (v := table.verdict(p, ORIGINAL, o)) is not None]
    known = [m for m in found if m is not None]
    return not known or is_saturated(known)


def arm_scores(
    table: Table,
    pairs: Sequence[PreferencePair],
    arm: str,
    neutral_arms: Sequence[str],
    every_neutral: Sequence[str] = (),
    *,
    graded: bool,
) -> ArmScores:
    """Collect the item scores of an arm and its neutrals, over the pairs that have the biased rewrite.

    Neutral arms of `every_neutral` that are not this arm's own serve as controls of what wording does.
    """
    arms = [arm, *neutral_arms]
    items = [p for p in pairs if table.rewrite(p, arm) is not None]
    score = table.loss if graded else table.error
    columns = [tuple(score(p, a) for p in items) for a in arms]
    unread = [
        tuple(s is None and table.rewrite(p, a) is not None for s, p in zip(column, items, strict=True))
        for a, column in zip(arms, columns, strict=True)
    ]
    strata = [tuple(_single(table.verdict(p, a, o)) for p in items for o in ORDERS) for a in arms]
    shown = [sum(table.rewrite(p, a) is not None for p in items) for a in arms]
    return ArmScores(
        columns[0],
        tuple(columns[1:]),
        tuple(strata),
        tuple(r.phrasing for p in items if (r := table.rewrite(p, arm)) is not None),
        tuple((sum(gaps), max(1, n)) for gaps, n in zip(unread, shown, strict=True)),
        tuple(unread),
        graded,
        tuple(tuple(score(p, a) for p in items) for a in every_neutral if a not in neutral_arms),
        tuple(p.id for p in items),
    )


def _errors(table: Table, pairs: Sequence[PreferencePair], arm: str) -> tuple[float | None, float | None]:
    """Error rates of an arm and of the originals, on the pairs that have both."""
    both = [(table.error(p, arm), table.error(p, ORIGINAL)) for p in pairs]
    known = [(b, o) for b, o in both if b is not None and o is not None]
    if not known:
        return None, None
    return sum(b for b, _ in known) / len(known), sum(o for _, o in known) / len(known)


def _single(verdict: Verdict | None) -> float | None:
    return None if verdict is None else ERROR[verdict.choice]


def baseline(table: Table, pairs: Sequence[PreferencePair]) -> Baseline | None:
    """How the judge does on the originals, over pairs with both orders; None when there are none."""
    both = [[v for o in ORDERS if (v := table.verdict(p, ORIGINAL, o)) is not None] for p in pairs]
    known = [b for b in both if len(b) == 2]
    if not known:
        return None
    flat = [v for b in known for v in b]
    first = [
        0.5 if v.choice == "tie" else float((v.choice == "chosen") == (v.order == "chosen_first")) for v in flat
    ]
    margins = [m for p in pairs if (m := table.loss(p, ORIGINAL)) is not None]
    mean = sum(margins) / len(margins) if margins else 0.0
    spread = (sum((m - mean) ** 2 for m in margins) / len(margins)) ** 0.5 if margins else None
    return Baseline(
        error_rate=sum(ERROR[v.choice] for v in flat) / len(flat),
        position_consistency=sum(b[0].choice == b[1].choice for b in known) / len(known),
        first_answer_preference=sum(first) / len(first) - 0.5,
        tie_rate=sum(v.choice == "tie" for v in flat) / len(flat),
        n=len(known),
        margin_sd=spread,
    )


@dataclass(frozen=True, slots=True)
class Shown:
    """In how many of the texts that were read a trait shows; `asked` counts those that were to be read."""

    shown: int
    read: int
    asked: int = 0

    @property
    def enough(self) -> bool:
        """Whether at least half of the texts that were to be read could be."""
        return self.read > 0 and 2 * self.read >= self.asked

    @property
    def share(self) -> float | None:
        """The share, None where nothing was read."""
        return self.shown / self.read if self.read else None

    def clearly_below(self, share: float) -> bool:
        """Whether the whole 95 % interval lies below a share."""
        return self.read > 0 and wilson(self.shown, self.read)[1] < share

    def clearly_above(self, share: float) -> bool:
        """Whether the whole 95 % interval lies above a share."""
        return self.read > 0 and wilson(self.shown, self.read)[0] > share


async def check_traits(
    teacher: Asker | None, table: Table, pairs: Sequence[PreferencePair], bias: Bias, neutral: str
) -> tuple[Shown, Shown]:
    """How many biased and neutral rewrites show the trait: by detector where there is one, else by a model.

    A model reads `TRAIT_SAMPLE` rewrites of each arm, of pairs drawn by their ids. Nothing was read without either.
    """
    found: list[Shown] = []
    known = entry(bias.id)
    # Not in the order of the pairs: files are often sorted by domain.
    drawn = sorted(pairs, key=lambda p: seeds.derive_seed("trait-sample", p.id))
    for arm in (bias.id, neutral):
        texts = [r.text for p in drawn if (r := table.rewrite(p, arm)) is not None]
        if known is not None and known.detector is not None:
            shown = [known.detector(t) for t in texts]
        elif teacher is not None:
            answers = await teacher.ask([TraitAsk(bias, t) for t in texts[:TRAIT_SAMPLE]])
            shown = [a.value for a in answers if isinstance(a, Answered)]
        else:
            shown = []
        asked = len(texts) if known is not None or teacher is None else min(len(texts), TRAIT_SAMPLE)
        found.append(Shown(sum(shown), len(shown), asked))
    return found[0], found[1]
