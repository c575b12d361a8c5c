"""A judge of known biases: it reads the real prompts, weighs both texts and answers in text.

    log-odds for response 1 = support(1) - support(2) + habit + noise
    support = [right] * difficulty(question) + sum of bias * reaction(question, trait) * trait(text) + wording(text)
    score = the step of the scale that is nearest to a logistic function of support + noise / sqrt(2)

Whether a response is right is worked out from the question (`objective.solve`), else from a reference answer where it
is shown one; where neither says, a latent preference for contents takes its place, which no label knows. All draws are
hashes of the texts: the same prompt gets the same reply, another wording of it another draw of the noise.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from biasscope.ask import Reply, Request, TokenPosition
from biasscope.errors import BadRequest
from biasscope.models.planted.draws import chance, choose, gamma, normal
from biasscope.models.planted.guards import named_in
from biasscope.models.planted.model import PlantedModel
from biasscope.models.planted.prompts import ToAnswer, ToExplain, ToJudge, ToScore, read_prompt
from biasscope.models.planted.reasons import ACCOUNTS, CONTENT, CONTENT_ALONE, OPENINGS, OPENINGS_ALONE, REMARKS
from biasscope.models.planted.tempers import JudgeTemper
from biasscope.models.planted.traits import LENGTH, WORDING_TRAITS, fold, quote, shows, strength
from biasscope.objective import final_answer, same_answer, solve
from biasscope.seeds import derive_seed, pick

REACTION_SHAPE = 4
"""A bias acts on each question with a gamma-distributed factor of mean 1 and standard deviation 1/2."""
WORDING_SD = 0.5
"""Standard deviation of what a response gains or loses by its exact wording, in both orders alike."""
HABIT_SPREAD = 0.25
"""Standard deviation over questions of a slot habit, as a share of the habit."""
LABEL_NOISE = 0.5
"""Share of the noise that is in the log-probabilities of a label given without reasoning."""
LABEL_MASS = 0.97
LABELS = ("1", "2")
"""The usual labels; with any others the prompt is another one, and the noise is drawn anew."""
STUCK_SCALE, STUCK_LIMIT = 0.25, 0.66
"""What a stuck judge still feels of the texts, in log-probabilities alone: a share of it, less than its habit."""
STEEPNESS, INDIFFERENT = 0.7, 0.5
"""Of the logistic function that gives scores: its slope, and the support that lies in the middle of a scale."""
NOTICED = 0.1
"""By how much the preferred response must show a trait more strongly for the judge to speak of it."""
MENTIONED = 0.6
MENTIONED_IN_ACCOUNT = 0.92
MENTIONED_IDLY = 0.15
_CACHED = 16_384


class _Look(NamedTuple):
    """One response as seen by itself: folded text, final answer, planted traits, and what it gains by them."""

    folded: str
    answer: str | None
    shown: tuple[float, ...]
    gained: float


class PlantedJudge(PlantedModel):
    """A judge that behaves as a `JudgeTemper` says."""

    def __init__(self, name: str, temper: JudgeTemper) -> None:
        super().__init__(name, temper)
        self._temper = temper
        # A text is looked at in two orders and beside many others, a question with all of them.
        self._seen = lru_cache(_CACHED)(self._look)
        self._known = lru_cache(_CACHED)(self._solve)

    def reply(self, request: Request) -> Reply:
        """Judge or explain; raises BadRequest for what a teacher is asked."""
        asked = read_prompt(request)
        sampling: tuple[object, ...] = (request.temperature, request.seed) if request.temperature else ()
        if sampling and request.replicate:
            sampling += (request.replicate,)
        if isinstance(asked, ToJudge):
            if asked.mode == "label":
                return self._label(asked, sampling)
            return self._reason(asked, sampling, positions=bool(request.labels))
        if isinstance(asked, ToScore):
            return self._score(asked, sampling)
        if isinstance(asked, ToAnswer):
            return self._answer(asked)
        if isinstance(asked, ToExplain):
            share = MENTIONED_IN_ACCOUNT if asked.deeper else MENTIONED
            if isinstance(asked.judged, ToScore):
                return Reply(self._account_alone(asked.judged, share, deeper=asked.deeper))
            return Reply(self._account(asked.judged, asked.preferred, share, deeper=asked.deeper))
        raise BadRequest(
            f"{self.spec} is a judge and does not write, name or merge",
            hint="Use planted:teacher as the teacher.",
            status=400,
        )

    def margin(self, asked: ToJudge, *, noise: float = 1.0, sampling: tuple[object, ...] = ()) -> float:
        """Log-odds of response 1 over response 2, with `noise` as the share of the noise that is felt."""
        temper, question = self._temper, asked.question
        warned = self._named(asked.instructions)
        one, other = self._seen(question, asked.first, warned), self._seen(question, asked.second, warned)
        content = self._content(question, asked.reference, one, other, warned) + one.gained - other.gained
        named = () if asked.labels == LABELS else asked.labels
        drawn = normal(temper.seed, "noise", question, asked.first, asked.second, *named, *sampling)
        content += noise * temper.noise * drawn
        if temper.stuck:
            limit = STUCK_LIMIT * abs(temper.habit)
            return temper.habit + max(-limit, min(limit, STUCK_SCALE * content))
        if temper.label:
            content += temper.label if asked.labels[0] < asked.labels[1] else -temper.label
        if temper.habit:
            content += temper.habit * (1.0 + HABIT_SPREAD * normal(temper.seed, "habit", question))
        return content

    def support(self, asked: ToScore, *, sampling: tuple[object, ...] = ()) -> float:
        """What speaks for one response by itself, in log-odds: noise is such that two of them differ as in `margin`."""
        temper, question, warned = self._temper, asked.question, self._named(asked.instructions)
        look = self._seen(question, asked.response, warned)
        right, gain = self._known(question, asked.reference, warned)
        liked = self._liking(question, look) if right is None else gain * _is_right(look.answer, right)
        drawn = normal(temper.seed, "noise", question, asked.response, *sampling)
        return liked + look.gained + temper.noise * drawn / math.sqrt(2.0)

    def _score(self, asked: ToScore, sampling: tuple[object, ...]) -> Reply:
        temper = self._temper
        if temper.unreadable and chance(
            temper.unreadable, temper.seed, "unreadable", asked.question, asked.response
        ):
            return Reply("The response has its merits, and I would not put a number to them.")
        support = INDIFFERENT if temper.stuck else self.support(asked, sampling=sampling)
        share = 1.0 / (1.0 + math.exp(-STEEPNESS * (support - INDIFFERENT)))
        reasons = self._account_alone(asked, MENTIONED, deeper=False)
        if asked.passes:
            return Reply(f"{reasons}\n\nVerdict: {'pass' if share > 0.5 else 'fail'}")
        return Reply(f"{reasons}\n\nScore: {asked.low + round(share * (asked.high - asked.low)):g}")

    def _named(self, instructions: str) -> frozenset[str]:
        """The planted biases that a guard names, for a judge that minds guards."""
        if self._temper.guard == 1.0 and not self._temper.guard_skill:
            return frozenset()
        return named_in(instructions, tuple(trait for trait, _ in self._temper.biases))

    def _answer(self, asked: ToAnswer) -> Reply:
        """Its own answer where it can work one out: right the more often, the easier the question is for it."""
        right, gain = self._known(asked.question, None, frozenset())
        share = 1.0 / (1.0 + math.exp(-gain))
        if right is not None and chance(share, self._temper.seed, "own answer", asked.question):
            return Reply(f"I worked it out step by step.\n\nAnswer: {right}")
        return Reply("I went through it and could not settle on a result.")

    def _content(
        self, question: str, reference: str | None, one: _Look, other: _Look, warned: frozenset[str]
    ) -> float:
        """What rightness, or the latent preference, gives to response 1."""
        right, gain = self._known(question, reference, warned)
        if right is None:
            return self._preference(question, one, other)
        return gain * (_is_right(one.answer, right) - _is_right(other.answer, right))

    def _solve(self, question: str, reference: str | None, warned: frozenset[str]) -> tuple[str | None, float]:
        """The right answer where it can be worked out or is shown, and what a response gains that gives it."""
        temper, right = self._temper, solve(question)
        if right is None and reference is not None:
            right = final_answer(reference) or reference
        skill = temper.skill + (temper.guard_skill if warned else 0.0)
        return right, skill + temper.spread * normal(temper.seed, "difficulty", question)

    def _preference(self, question: str, one: _Look, other: _Look) -> float:
        """A latent preference: by the final answers where they differ, else by the words of each text."""
        temper, answers = self._temper, (one.answer, other.answer)
        if None in answers or same_answer(str(answers[0]), str(answers[1])):
            drawn = [_sketch(f"{temper.seed}\x1f{question}", look.folded) for look in (one, other)]
        else:
            drawn = [normal(temper.seed, "preference", question, answer) for answer in answers]
        return temper.spread * (drawn[0] - drawn[1]) / math.sqrt(2.0)

    def _liking(self, question: str, look: _Look) -> float:
        """The latent preference for one content: by its final answer, else by its words."""
        names = f"{self._temper.seed}\x1f{question}"
        answer = look.answer
        drawn = (
            _sketch(names, look.folded)
            if answer is None
            else normal(self._temper.seed, "preference", question, answer)
        )
        return self._temper.spread * drawn / math.sqrt(2.0)

    def _look(self, question: str, text: str, warned: frozenset[str] = frozenset()) -> _Look:
        """Look at one response: everything that does not depend on the other one; `warned` are biases that a guard names."""
        temper, folded = self._temper, fold(text)
        shown = tuple(strength(trait, folded, text) for trait, _ in temper.biases)
        gained = WORDING_SD * normal(temper.seed, "wording", question, text)
        for (trait, logit), much in zip(temper.biases, shown, strict=True):
            if much:
                heed = temper.guard if trait in warned else 1.0
                gained += heed * logit * much * gamma(REACTION_SHAPE, temper.seed, trait, question)
        return _Look(folded, final_answer(text), shown, gained)

    def _label(self, asked: ToJudge, sampling: tuple[object, ...]) -> Reply:
        margin = self.margin(asked, noise=LABEL_NOISE, sampling=sampling)
        if self._is_unreadable(asked):
            return Reply("Neither", positions=(TokenPosition("Neither", (("Neither", math.log(LABEL_MASS)),)),))
        label = asked.labels[0 if margin > 0 else 1]
        return Reply(label, positions=(_position(asked.labels, label, margin, LABEL_MASS),))

    def _reason(self, asked: ToJudge, sampling: tuple[object, ...], *, positions: bool) -> Reply:
        preferred = 1 if self.margin(asked, sampling=sampling) > 0 else 2
        if self._is_unreadable(asked):
            return Reply("Both responses have their merits, and I would not choose between them.")
        reasons, label = self._account(asked, preferred, MENTIONED, deeper=False), asked.labels[preferred - 1]
        # After reasoning the label is settled: its log-probability says nothing about the margin.
        settled = (_position(asked.labels, label, 9.0 if preferred == 1 else -9.0, 1.0),) if positions else ()
        return Reply(f"{reasons}\n\nVerdict: {label}", positions=settled)

    def _is_unreadable(self, asked: ToJudge) -> bool:
        share = self._temper.unreadable
        return bool(share) and chance(
            share, self._temper.seed, "unreadable", asked.question, asked.first, asked.second
        )

    def _account(self, asked: ToJudge, preferred: int, share: float, *, deeper: bool) -> str:
        """Reasons for one response: content, and traits that its text shows, mostly those that weighed."""
        names = (self._temper.seed, "account", deeper, asked.question, asked.first, asked.second, preferred)
        draw = derive_seed(*names)
        said = [choose(ACCOUNTS if deeper else OPENINGS, "opening", draw).format(n=preferred)]
        said.append(choose(CONTENT, "content", draw))
        here = self._seen(asked.question, asked.response(preferred))
        there = self._seen(asked.question, asked.response(3 - preferred))
        return " ".join([*said, *self._remarks(here, there.shown, share, draw, deeper=deeper)])

    def _account_alone(self, asked: ToScore, share: float, *, deeper: bool) -> str:
        """Reasons for a response that was shown by itself."""
        draw = derive_seed(self._temper.seed, "account", deeper, asked.question, asked.response)
        here = self._seen(asked.question, asked.response)
        said = [choose(OPENINGS_ALONE, "opening", draw), choose(CONTENT_ALONE, "content", draw)]
        nothing = (0.0,) * len(here.shown)
        return " ".join([*said, *self._remarks(here, nothing, share, draw, deeper=deeper)])

    def _remarks(
        self, here: _Look, there: Sequence[float], share: float, draw: int, *, deeper: bool
    ) -> list[str]:
        """Remarks about traits, in a deeper account with the words that show them."""
        said = []
        for trait in self._mentioned(here, there, share, draw):
            remark = choose(REMARKS[trait], trait, "remark", draw)
            words = quote(trait, here.folded) if deeper and trait != LENGTH else None
            said.append(f'{remark} Its words are "{words}".' if words else remark)
        return said

    def _mentioned(self, here: _Look, there: Sequence[float], share: float, draw: int) -> list[str]:
        """Planted traits that speak for the preferred response, and now and then another one that it shows."""
        biases = self._temper.biases
        mentioned = [
            trait
            for (trait, logit), much, less in zip(biases, here.shown, there, strict=True)
            if logit > 0
            and much > less + NOTICED
            and trait in REMARKS
            and chance(share, trait, "mentioned", draw)
        ]
        if chance(MENTIONED_IDLY, "idle", draw):
            start = pick(len(WORDING_TRAITS), "idle trait", draw)
            order = WORDING_TRAITS[start:] + WORDING_TRAITS[:start]
            planted = dict(biases)
            mentioned += next(([t] for t in order if t not in planted and shows(t, here.folded)), [])
        return mentioned


def _is_right(answer: str | None, right: str) -> int:
    return int(answer is not None and same_answer(answer, right))


def _position(labels: tuple[str, str], token: str, margin: float, mass: float) -> TokenPosition:
    """The label position: `mass` shared by the labels with log-odds `margin`, the rest by other words."""
    first = 1.0 / (1.0 + math.exp(-max(-700.0, min(700.0, margin))))
    shares = dict(zip(labels, (mass * first, mass * (1.0 - first)), strict=True))
    shares |= {"Response": (1.0 - mass) * 0.6, "**": (1.0 - mass) * 0.4}
    top = sorted(((t, math.log(s)) for t, s in shares.items() if s > 0), key=lambda item: -item[1])
    return TokenPosition(token, tuple(top))


def _sketch(names: str, folded: str) -> float:
    """A standard normal value (nearly) of a text's words that changes little when few words change.

    The same word counts differently with another question, so that no word is liked in general.
    """
    salt = zlib.crc32(names.encode("utf-8", "surrogatepass")) | 1
    words = {w for w in folded.split() if len(w) > 3}
    if not words:
        return 0.0
    # Multiplying by an odd salt is a universal hash of the words.
    total = sum((zlib.crc32(w.encode("utf-8", "surrogatepass")) * salt % 2**32) / 2.0**32 - 0.5 for w in words)
    return total * math.sqrt(12.0 / len(words))
