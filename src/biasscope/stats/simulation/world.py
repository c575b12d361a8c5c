"""A judge as a latent model, and one draw of everything it says about a suite of candidate biases.

The judge is right where its margin, in logits, is above 0:

    margin = difficulty of the item +- slot habit - pull of the rewrite + noise of the wording + noise of the verdict

It knows nothing of tests: scores come out as arrays, with NaN for what a run would not have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from biasscope import seeds

Floats = NDArray[np.float32]
Size = Literal["null", "small", "medium", "large"]
SIZES: tuple[Size, ...] = get_args(Size)

NEUTRALS = 5
"""Neutral rewrites drawn for every item; a rule uses as many of them as it plans."""
LOGISTIC_SD = 1.702
"""The normal distribution with this standard deviation is the closest one to the standard logistic."""
SIGNS = np.array([1, -1], np.float32)
"""The chosen response stands first, then second: the two orders along the last axis."""


@dataclass(frozen=True, slots=True)
class JudgeWorld:
    """A judge and its writers. Margins, habits, pulls and their spreads are in logits; the rest are probabilities.

    `stickiness` is the share of the variance of a verdict's noise that an item and order keep whatever is
    rewritten; `score_noise` the share of the rest (as a standard deviation) that stays in a log-probability score.
    `wording` is what any rewrite does, before a trait is added. `answer_fixed` rewrites turn the wrong answer
    right, `answer_changed` ones into another wrong answer; the answer check sees `check_sensitivity` of both.
    Candidates fail `failure_spread` times as often as neutral rewrites. Every phrasing of an instruction has a pull
    of its own with `instruction_sd`; phrasings rotate over the items.

    The defaults are the middle judge: an error rate of .42, with habits and item differences fitted to two
    published LLM judges; noise of wording, failures and pulls are assumed.
    """

    domain_means: tuple[float, ...] = (0.10, 0.42, 1.00, 0.55)
    domain_shares: tuple[float, ...] = (73 / 620, 286 / 620, 112 / 620, 149 / 620)
    item_sd: float = 1.57
    slot_habit: float = 0.48
    slot_habit_sd: float = 0.5
    wording: float = 0.2
    wording_sd: float = 0.5
    stickiness: float = 0.3
    score_noise: float = 0.5
    answer_fixed: float = 0.02
    answer_changed: float = 0.03
    unreadable: float = 0.02
    check_sensitivity: float = 0.9
    failure_spread: tuple[float, float] = (0.5, 2.0)
    instruction_sd: float = 0.0
    phrasings: int = 1
    listed_first: float = 0.542
    small: tuple[float, float] = (0.1, 0.2)
    medium: float = 0.4
    large: float = 0.8


MIDDLE = JudgeWorld()
WEAK = JudgeWorld(domain_means=(-0.21, 0.10, -0.10, 0.02), slot_habit=0.55, item_sd=1.38)
"""Fitted to a small LLM judge: close to guessing, no domain it is better at."""
STRONG = JudgeWorld(domain_means=(2.3, 1.25, 2.8, 1.6), slot_habit=0.42, item_sd=1.66)
"""Fitted to a reasoning LLM judge: an error rate of .25, the same pull is fewer points."""


@dataclass(frozen=True, slots=True)
class Suite:
    """How many candidates have no effect, a small, a medium and a large one."""

    name: str
    counts: tuple[int, int, int, int]

    @property
    def sizes(self) -> tuple[Size, ...]:
        """The size of each candidate: nulls first, large ones last."""
        return tuple(size for size, count in zip(SIZES, self.counts, strict=True) for _ in range(count))


SUITES = {
    suite.name: suite
    for suite in (
        Suite("20-10-10", (20, 0, 10, 10)),
        Suite("30-12-5-3", (30, 12, 5, 3)),
        Suite("null-20", (20, 0, 0, 0)),
    )
}


@dataclass(frozen=True, slots=True, eq=False)
class Simulated:
    """One draw. Arms (first axis) are the originals, `NEUTRALS` neutral rewrites, then the candidates.

    Items (second axis) are in the order in which they would be judged; every prefix has nearly the same mix of
    domains. `wrong`, `margins` and `unreadable` have the two orders as a third axis, chosen shown first and second;
    `margins` are what a judge with log-probabilities would report. `refused` rewrites failed the answer check.
    `file_order`, `shuffled` and `single` are the order (0 or 1) of an item in the file, after one shuffle of the
    file, and drawn at random. `arrival` lists the candidates as a loop would find them, those with an effect first.
    """

    suite: Suite
    shifts: NDArray[np.float64]
    domains: NDArray[np.int64]
    wrong: NDArray[np.bool_]
    margins: Floats
    unreadable: NDArray[np.bool_]
    refused: NDArray[np.bool_]
    file_order: NDArray[np.int64]
    shuffled: NDArray[np.int64]
    single: NDArray[np.int64]
    arrival: NDArray[np.int64]

    @property
    def pairs(self) -> int:
        """How many items there are."""
        return len(self.domains)

    @property
    def candidates(self) -> int:
        """How many candidates there are."""
        return len(self.shifts)

    def scores(self, *, graded: bool = False) -> NDArray[np.float64]:
        """Item scores of all arms, the mean over both orders: errors, or margins with the sign turned.

        Higher is worse for the chosen response. NaN where the rewrite was refused or one order is unreadable.
        """
        known = ~self.refused & ~self.unreadable.any(axis=2)
        raw = -self.margins if graded else self.wrong
        return np.where(known, raw.mean(axis=2, dtype=np.float64), np.nan)

    def errors(self, orders: NDArray[np.int64], *, checked: bool = True) -> NDArray[np.float64]:
        """Errors of all arms in one order per item; without the answer check, refused rewrites count too."""
        items = np.arange(self.pairs)
        gone = self.unreadable[:, items, orders] | (self.refused & checked)
        return np.where(gone, np.nan, self.wrong[:, items, orders])


def draw(world: JudgeWorld, suite: Suite, *, pairs: int, seed: int) -> Simulated:
    """Draw a judge of this world and everything it would say. Equal arguments give equal draws."""
    rng = seeds.generator("simulated judge", suite.name, pairs, seed)
    shifts = _shifts(rng, world, suite)
    arms = 1 + NEUTRALS + len(shifts)
    domains = _domains(rng, world, pairs)
    means = np.asarray(world.domain_means, np.float32)[domains]
    difficulty = means + world.item_sd * _normal(rng, pairs)
    pulls = _pulls(rng, world, shifts, pairs)
    habit = world.slot_habit + world.slot_habit_sd * _normal(rng, pairs)
    kept = LOGISTIC_SD * np.sqrt(world.stickiness) * _normal(rng, pairs, 2)
    wording = np.float32(world.wording_sd) * _normal(rng, arms, pairs)
    fixed, changed = _failures(rng, world, arms, pairs)
    text = np.where(fixed, np.float32(0), difficulty - pulls + wording)
    text = np.where(changed, means + world.item_sd * _normal(rng, arms, pairs) - pulls, text)
    settled = text[:, :, None] + (SIGNS * habit[:, None] + kept).astype(np.float32)
    noise = np.float32(LOGISTIC_SD * np.sqrt(1 - world.stickiness)) * _normal(rng, arms, pairs, 2)
    listed = (rng.random(pairs) >= world.listed_first).astype(np.int64)
    swapped = rng.integers(0, 2, pairs)
    drawn = rng.permutation(len(shifts))
    return Simulated(
        suite=suite,
        shifts=shifts,
        domains=domains,
        wrong=settled + noise < 0,
        margins=settled + np.float32(world.score_noise) * noise,
        unreadable=rng.random((arms, pairs, 2), np.float32) < world.unreadable,
        refused=(fixed | changed) & (rng.random((arms, pairs), np.float32) < world.check_sensitivity),
        file_order=listed,
        shuffled=listed ^ swapped,
        single=rng.integers(0, 2, pairs),
        arrival=drawn[np.argsort(shifts[drawn] == 0, kind="stable")],
    )


def _normal(rng: np.random.Generator, *shape: int) -> Floats:
    return rng.standard_normal(shape, np.float32)


def _shifts(rng: np.random.Generator, world: JudgeWorld, suite: Suite) -> NDArray[np.float64]:
    null, small, medium, large = suite.counts
    return np.concatenate(
        [
            np.zeros(null),
            rng.uniform(*world.small, small),
            np.full(medium, world.medium),
            np.full(large, world.large),
        ]
    )


def _domains(rng: np.random.Generator, world: JudgeWorld, pairs: int) -> NDArray[np.int64]:
    """Domain labels in an order of which every prefix has nearly the mix of the whole."""
    ends = np.rint(np.cumsum(world.domain_shares) * pairs).astype(int)
    counts = np.diff(ends, prepend=0)
    places = np.concatenate([(np.arange(count) + rng.random()) / max(count, 1) for count in counts])
    return np.repeat(np.arange(len(counts)), counts)[np.argsort(places, kind="stable")]


def _pulls(rng: np.random.Generator, world: JudgeWorld, shifts: NDArray[np.float64], pairs: int) -> Floats:
    """What each arm takes from the margin: nothing in the originals; wording, phrasing and trait in rewrites.

    What wording and a trait do differs between items: both are spread by gamma distributions with mean 1.
    """
    arms = 1 + NEUTRALS + len(shifts)
    pulls = np.zeros((arms, pairs), np.float32)
    phrased = np.float32(world.instruction_sd) * _normal(rng, arms, world.phrasings)
    pulls[1:] = world.wording * _spread(rng, pairs) + phrased[1:, np.arange(pairs) % world.phrasings]
    acting = np.flatnonzero(shifts)
    pulls[1 + NEUTRALS + acting] += shifts[acting, None].astype(np.float32) * _spread(rng, len(acting), pairs)
    return pulls


def _spread(rng: np.random.Generator, *shape: int) -> Floats:
    return rng.standard_gamma(2.0, shape, np.float32) / np.float32(2)


def _failures(
    rng: np.random.Generator, world: JudgeWorld, arms: int, pairs: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which rewrites turned the answer right, and which into another wrong one; originals never do."""
    rate = np.ones(arms)
    rate[0] = 0
    rate[1 + NEUTRALS :] = rng.uniform(*world.failure_spread, arms - 1 - NEUTRALS)
    chance = rng.random((arms, pairs), np.float32)
    fixed = chance < (rate * world.answer_fixed)[:, None]
    changed = ~fixed & (chance < (rate * (world.answer_fixed + world.answer_changed))[:, None])
    return fixed, changed
