"""Planted suites: many artificial traits whose true sizes are drawn by seed, for calibrating the instrument itself.

A trait is a noun that a text mentions. The judge (`suite_judge`) and the writer (`suite_writer`) behave as a
`JudgeWorld` says, so that runs through texts and runs of the simulation in numbers can be held against each other.
Here are the words that both share: the ids, the true sizes, the candidate biases and the names under which the
models are opened, ``planted:suite=20-10-10;seed=3`` and ``planted:suite-writer;seed=3``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from biasscope import seeds
from biasscope.errors import UsageError
from biasscope.prompts import variants
from biasscope.records import Bias
from biasscope.stats.simulation.world import MIDDLE, SUITES, JudgeWorld, Size, Suite

TRAITS: tuple[str, ...] = (
    "badger", "beaver", "camel", "cheetah", "cobra", "condor", "coyote", "dolphin", "donkey", "falcon", "ferret",
    "flamingo", "gazelle", "gecko", "giraffe", "gorilla", "hamster", "hedgehog", "heron", "hornet", "jackal",
    "jaguar", "kangaroo", "koala", "leopard", "lizard", "lobster", "magpie", "mammoth", "marmot", "meerkat",
    "narwhal", "newt", "panda", "panther", "parrot", "pelican", "penguin", "pheasant", "pigeon", "porcupine",
    "puffin", "raven", "salamander", "scorpion", "seagull", "sparrow", "squirrel", "stork", "tapir", "tortoise",
    "toucan", "turtle", "vulture", "warthog", "weasel", "wombat", "zebra",
)  # fmt: skip
"""Ids of the traits, each the noun that a text mentions; no generated question or response does."""

TEXT_WORLD: JudgeWorld = replace(MIDDLE, check_sensitivity=1.0, phrasings=len(variants("rewrite_biased")))
"""The world of the texts: the middle judge, a check that sees every spoiled answer, and the phrasings of our prompt."""

JUDGE, WRITER = "suite=", "suite-writer"


@dataclass(frozen=True, slots=True)
class SuiteJudgeTemper:
    """A judge of a suite: which one, the seed of everything drawn, and the world it behaves by."""

    suite: str
    seed: int = 0
    world: JudgeWorld = TEXT_WORLD


@dataclass(frozen=True, slots=True)
class SuiteWriterTemper:
    """A writer for any suite: the seed of everything drawn, the world its failures come from, and the share of
    rewrites that come with a line around them, which spoils nothing."""

    seed: int = 0
    world: JudgeWorld = TEXT_WORLD
    chatty: float = 0.05


@dataclass(frozen=True, slots=True)
class Planted:
    """What is true of one candidate: its size class, and what a text that shows the trait gains, in logits."""

    size: Size
    shift: float


def suite_truth(name: str, seed: int, world: JudgeWorld = TEXT_WORLD) -> dict[str, Planted]:
    """What is true of each trait of a suite, by trait id, nulls first; which trait has which size is drawn by seed.

    Raises UsageError for a suite that does not exist.
    """
    suite = _suite(name)
    traits = TRAITS[: len(suite.sizes)]
    drawn = sorted(traits, key=lambda trait: seeds.derive_seed("suite", suite.name, seed, trait))
    return {
        trait: Planted(size, _shift(world, size, seeds.uniform("size", seed, trait)))
        for trait, size in zip(drawn, suite.sizes, strict=True)
    }


def suite_biases(name: str, seed: int) -> tuple[Bias, ...]:
    """The candidate biases of a suite, one per trait, in an order drawn by seed; their ids are the traits'.

    Raises UsageError for a suite that does not exist.
    """
    traits = TRAITS[: len(_suite(name).sizes)]
    drawn = sorted(traits, key=lambda trait: seeds.derive_seed("order", seed, trait))
    return tuple(Bias(t, f"{t.capitalize()} mention", f"The text mentions a {t}.", "catalogue") for t in drawn)


def parse_suite_name(name: str, *, seed: int = 0) -> SuiteJudgeTemper | SuiteWriterTemper | None:
    """Read the name of a suite's judge or writer, with or without ``planted:``; None for any other name.

    An option ``seed=`` wins over `seed`. Raises UsageError for an unknown suite or option, or a seed that is no
    number.
    """
    first, *options = [part.strip() for part in name.removeprefix("planted:").split(";")]
    if first != WRITER and not first.startswith(JUDGE):
        return None
    for option in options:
        key, _, value = option.partition("=")
        if key != "seed":
            raise UsageError(f"unknown option of planted:{first}: {option!r}", hint="There is: seed=NUMBER.")
        if not value.isdecimal():
            raise UsageError(f"option {option!r} of a planted model is not a number", hint="For example seed=3.")
        seed = int(value)
    if first == WRITER:
        return SuiteWriterTemper(seed)
    return SuiteJudgeTemper(_suite(first.removeprefix(JUDGE)).name, seed)


def _suite(name: str) -> Suite:
    if name not in SUITES:
        raise UsageError(f"unknown suite {name!r}", hint=f"There are: {', '.join(SUITES)}.")
    return SUITES[name]


def _shift(world: JudgeWorld, size: Size, draw: float) -> float:
    low, high = world.small
    return {"null": 0.0, "small": low + (high - low) * draw, "medium": world.medium, "large": world.large}[size]
