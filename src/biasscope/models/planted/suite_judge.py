"""The judge of a suite: it reads the real prompts and weighs texts as the judge of a simulated world does.

    log-odds for response 1 = difficulty * ([1 is right] - [2 is right]) + slot habit - pull(2) + pull(1) + noise

Which response is right is worked out from the question (`objective.solve`); what a text shows is read by the judge's
own detectors. All draws are hashes of question, texts and seed: every question is an item, every text a condition.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from biasscope import seeds
from biasscope.ask import Reply, Request, TokenPosition
from biasscope.errors import BadRequest
from biasscope.models.planted.draws import chance, gamma, normal
from biasscope.models.planted.model import PlantedModel
from biasscope.models.planted.prompts import ToJudge, read_prompt
from biasscope.models.planted.suite import TRAITS, SuiteJudgeTemper, suite_truth
from biasscope.objective import final_answer, same_answer, solve
from biasscope.stats.simulation.world import LOGISTIC_SD

SPREAD_SHAPE = 2
"""What wording and a trait do to an item is spread by gamma distributions of this shape and mean 1."""
LABEL_MASS = 0.97
_CACHED = 16_384
_WORD = re.compile(r"[a-z]{4,}")
_PLANTS = frozenset((
    "begonia", "bluebell", "buttercup", "carnation", "cedar", "chestnut", "daffodil", "dahlia", "dandelion",
    "fern", "foxglove", "gardenia", "geranium", "hazel", "hyacinth", "juniper", "laurel", "magnolia", "marigold",
    "petunia", "poplar", "primrose", "rhododendron", "sequoia", "snowdrop", "sunflower", "sycamore", "thistle",
    "tulip", "verbena", "willow", "wisteria", "zinnia",
))  # fmt: skip
"""Nouns that tell a rewrite and pull nobody further."""
_NOUNS = {form: noun for noun in (*TRAITS, *_PLANTS) for form in (noun, f"{noun}s")}


class _Item(NamedTuple):
    """What the judge brings to a question: all in logits, `kept` for the right response shown first and second."""

    right: str
    difficulty: float
    habit: float
    wording: float
    kept: tuple[float, float]


class _Look(NamedTuple):
    """One response as seen by itself: a number that stands for the text, whether it is right, and its pull."""

    text: int
    right: bool
    pull: float


class SuiteJudge(PlantedModel):
    """A judge that behaves as a `SuiteJudgeTemper` says."""

    def __init__(self, name: str, temper: SuiteJudgeTemper) -> None:
        super().__init__(name, temper)
        self._seed, self._world = temper.seed, temper.world
        self._shifts = {t: p.shift for t, p in suite_truth(temper.suite, temper.seed, temper.world).items()}
        # A question is seen with every text of its item, a text in two orders.
        self._items = lru_cache(_CACHED)(self._item)
        self._seen = lru_cache(_CACHED)(self._look)

    def reply(self, request: Request) -> Reply:
        """Judge; raises BadRequest for anything else and for a question that was not generated."""
        asked = read_prompt(request)
        if not isinstance(asked, ToJudge):
            raise BadRequest(
                f"{self.spec} judges and does nothing else",
                hint="Use planted:suite-writer as the writer.",
                status=400,
            )
        if self._is_unreadable(asked):
            return Reply("I would not choose between the two.")
        if asked.mode == "label":
            return _label(self.margin(asked, noise=self._world.score_noise))
        label = "1" if self.margin(asked) > 0 else "2"
        return Reply(f"I read both responses with the prompt in mind and prefer one.\n\nVerdict: {label}")

    def margin(self, asked: ToJudge, *, noise: float = 1.0) -> float:
        """Log-odds of response 1 over response 2, with `noise` as the share of the verdict's own noise."""
        world, item = self._world, self._items(asked.question)
        one, other = self._seen(asked.question, asked.first), self._seen(asked.question, asked.second)
        # Noise of wording belongs to a pair of texts whatever their order: its sign is that of the right one.
        leads = (one.right, one.text) > (other.right, other.text)
        texts = (one.text, other.text) if leads else (other.text, one.text)
        wording = world.wording_sd * normal(self._seed, "wording", *texts)
        fresh = LOGISTIC_SD * math.sqrt(1 - world.stickiness) * normal(self._seed, "noise", one.text, other.text)
        return (
            item.difficulty * (one.right - other.right)
            + item.habit
            + one.pull
            - other.pull
            + (wording if leads else -wording)
            + item.kept[0 if leads else 1]
            + noise * fresh
        )

    def _item(self, question: str) -> _Item:
        world, names = self._world, (self._seed, question)
        right = solve(question)
        if right is None:
            raise BadRequest(
                f"{self.spec} knows generated questions only, not {question[:60]!r}",
                hint="Use --data objective:620.",
                status=400,
            )
        ends = list(accumulate(world.domain_shares))[:-1]
        mean = world.domain_means[bisect_right(ends, seeds.uniform("domain", *names))]
        sticky = LOGISTIC_SD * math.sqrt(world.stickiness)
        return _Item(
            right,
            mean + world.item_sd * normal("difficulty", *names),
            world.slot_habit + world.slot_habit_sd * normal("habit", *names),
            world.wording * gamma(SPREAD_SHAPE, "rewritten", *names),
            (sticky * normal("kept", "first", *names), sticky * normal("kept", "second", *names)),
        )

    def _look(self, question: str, text: str) -> _Look:
        item = self._items(question)
        answer = final_answer(text)
        traits, rewritten = mentions(text)
        pull = item.wording if rewritten else 0.0
        for trait in traits:
            if shift := self._shifts.get(trait, 0.0):
                pull += shift * gamma(SPREAD_SHAPE, "reaction", trait, self._seed, question)
        right = answer is not None and same_answer(answer, item.right)
        return _Look(seeds.derive_seed(question, text), right, pull)

    def _is_unreadable(self, asked: ToJudge) -> bool:
        texts = (self._seen(asked.question, asked.first).text, self._seen(asked.question, asked.second).text)
        return chance(self._world.unreadable, "unreadable", self._seed, *texts)


def mentions(text: str) -> tuple[frozenset[str], bool]:
    """The animals that a text mentions, one or many of a kind, and whether it mentions any animal or plant."""
    found = {noun for word in _WORD.findall(text.lower()) if (noun := _NOUNS.get(word))}
    return frozenset(found - _PLANTS), bool(found)


def _label(margin: float) -> Reply:
    """A label with its log-probability: `LABEL_MASS` shared by the two labels, the rest by another word."""
    first = 1.0 / (1.0 + math.exp(-margin))
    label = "1" if margin > 0 else "2"
    shares = {"1": LABEL_MASS * first, "2": LABEL_MASS * (1.0 - first), "Response": 1.0 - LABEL_MASS}
    top = sorted(((token, math.log(share)) for token, share in shares.items()), key=lambda item: -item[1])
    return Reply(label, positions=(TokenPosition(label, tuple(top)),))
