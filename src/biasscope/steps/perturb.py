"""Rewrite responses: with one trait, or neutrally, the final answer cut out and re-attached.

A `Writer` gives rewrites for (pair, arm) jobs. A model writes by instruction, rules by the catalogue; both
keep the final answer, use several phrasings in rotation over pairs, and give neutral rewrites by the same
means less the trait.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Protocol

from biasscope import prompts, seeds
from biasscope.ask import Answered, Asker, Missing, Reply, Request, Unreadable
from biasscope.catalogue.base import CatalogueEntry, RewriteRule
from biasscope.catalogue.known import Catalogue, built_in
from biasscope.parsing.answers import SplitAnswer, reattach, split_answer
from biasscope.parsing.replies import readable_text
from biasscope.records import Bias, PreferencePair, Rewrite, RewrittenSide, neutral_arm
from biasscope.steps.check import check_body, clean_body
from biasscope.steps.judge import Table

LENGTHS = (
    "Keep about the same length.",
    "Make it about a seventh shorter, without leaving anything out.",
    "Make it about a seventh longer, without adding anything new.",
)
"""What neutral instructions ask of the length, in rotation: without variation within the neutral arms, what
length alone does to a judge could not be told from what a trait does."""


@dataclass(frozen=True, slots=True)
class Job:
    """One rewrite to be made: `bias` is None for the `index`-th neutral one (counted from 1).

    `side` says which response is rewritten.
    """

    pair: PreferencePair
    arm: str
    bias: Bias | None
    index: int = 0
    side: RewrittenSide = "rejected"

    @property
    def response(self) -> str:
        """The text that is to be rewritten."""
        return self.pair.rejected if self.side == "rejected" else self.pair.chosen


def on_chosen(job: Job) -> Job:
    """The same rewrite of the chosen response, in an arm of its own: ``ARM@chosen``."""
    return replace(job, arm=f"{job.arm}@chosen", side="chosen")


class Writer(Protocol):
    """Something that writes rewrites and says which neutral arms match a bias."""

    def neutral_jobs(self, pair: PreferencePair, bias: Bias, count: int) -> list[Job]:
        """The neutral rewrites of a pair that a rewrite with this bias is compared with."""
        ...

    async def write(self, jobs: Sequence[Job]) -> list[Rewrite | Missing]:
        """Write them, in the order of the jobs."""
        ...


@lru_cache(maxsize=4_096)  # every rewrite of a response asks for it, to build the request and to put it back
def cut(response: str) -> SplitAnswer:
    """Cut the final answer out of a response; one that is all answer is left whole."""
    split = split_answer(response)
    return split if split.before.strip() else SplitAnswer(response, "", "")


def rotation(pair: PreferencePair, name: str, phrasings: int, shift: int = 0, *, seed: int = 0) -> int:
    """The phrasing for a pair: drawn from its id and the arm's name, so that pairs use all of them about alike."""
    return (seeds.pick(phrasings, "phrasing", seed, name, pair.id) + shift) % phrasings


@dataclass(frozen=True, slots=True)
class RewriteAsk:
    """Rewrite the body of the response, with the trait of `job.bias` or neutrally.

    A second attempt uses the next phrasing: at temperature 0 the same request gives the same reply.
    """

    job: Job
    phrasings: int | None = None
    seed: int = 0
    kind: str = "rewrite"
    attempts: int = 2

    def phrasing(self, attempt: int) -> int:
        """Which variant of the instruction is used, for a neutral rewrite together with the length it asks for."""
        if self.job.bias is not None:
            count = self.phrasings or len(prompts.variants("rewrite_biased"))
            return rotation(self.job.pair, self.job.bias.id, count, attempt, seed=self.seed)
        variants = len(prompts.variants("rewrite_neutral"))
        count = self.phrasings or variants * len(LENGTHS)
        # A second attempt moves on to another length, so that no two arms of a pair ever share a request.
        return rotation(self.job.pair, "neutral", count, self.job.index + variants * attempt, seed=self.seed)

    def request(self, attempt: int) -> Request:
        """Instruct with the body only; the answer is not shown as part of the text."""
        bias, variant = self.job.bias, self.phrasing(attempt)
        body = cut(self.job.response).before.strip()
        texts = {"question": self.job.pair.question, "text": body}
        if bias is None:
            turn = variant + variant // len(prompts.variants("rewrite_neutral"))
            length = LENGTHS[0 if self.phrasings else turn % len(LENGTHS)]
            filled = prompts.fill("rewrite_neutral", variant=variant, length=length, **texts)
        else:
            filled = prompts.fill(
                "rewrite_biased", variant=variant, name=bias.name, definition=bias.definition, **texts
            )
        return Request(filled.messages, max_tokens=_room(body))

    def parse(self, reply: Reply) -> str:
        """Check the body and put the answer back; the whole new response."""
        split = cut(self.job.response)
        body = clean_body(readable_text(reply), split.before)
        return reattach(check_body(split.before, body, split, self.job.bias), split)


def _room(body: str) -> int:
    """Output tokens for a rewrite: about three times the body, in few steps so that requests stay alike."""
    need = 256 + len(body)
    return min(16_384, 1 << (need - 1).bit_length())


@dataclass(frozen=True, slots=True)
class TeacherWriter:
    """Models that write by instruction; several rotate over pairs, in biased and neutral arms alike."""

    askers: tuple[Asker, ...]
    phrasings: int | None = None
    seed: int = 0

    def neutral_jobs(self, pair: PreferencePair, bias: Bias, count: int) -> list[Job]:
        """Neutral rewrites are shared by all biases: arms ``neutral-1`` to ``neutral-count``."""
        return [Job(pair, neutral_arm(k), None, k) for k in range(1, count + 1)]

    async def write(self, jobs: Sequence[Job]) -> list[Rewrite | Missing]:
        """Ask each writer for its pairs."""
        found: list[Rewrite | Missing | None] = [None] * len(jobs)
        for number, asker in enumerate(self.askers):
            mine = [
                i for i, job in enumerate(jobs) if seeds.pick(len(self.askers), "writer", job.pair.id) == number
            ]
            asks = [RewriteAsk(jobs[i], self.phrasings, self.seed) for i in mine]
            for i, ask, answer in zip(mine, asks, await asker.ask(asks), strict=True):
                found[i] = _rewrite(ask, answer, asker.name)
        return [f for f in found if f is not None]


def _rewrite(ask: RewriteAsk, answer: Answered[str] | Missing, writer: str) -> Rewrite | Missing:
    if isinstance(answer, Missing):
        return answer
    # One key per reply that was read, so their number says which attempt this is.
    phrasing = ask.phrasing(max(0, len(answer.keys) - 1))
    return Rewrite(ask.job.pair.id, ask.job.arm, answer.value, writer, phrasing, ask.job.side, answer.keys)


@dataclass(frozen=True, slots=True)
class RuleWriter:
    """Rules of a catalogue where a bias has them; everything else goes to `otherwise`, if there is one."""

    otherwise: Writer | None = None
    seed: int = 0
    catalogue: Catalogue = field(default_factory=built_in)

    def neutral_jobs(self, pair: PreferencePair, bias: Bias, count: int) -> list[Job]:
        """Neutral rewrites matched to the rule of this bias: arms ``neutral-ID-1`` and so on."""
        if self._known(bias) is None and self.otherwise is not None:
            return self.otherwise.neutral_jobs(pair, bias, count)
        return [Job(pair, f"neutral-{bias.id}-{k}", bias, k) for k in range(1, count + 1)]

    async def write(self, jobs: Sequence[Job]) -> list[Rewrite | Missing]:
        """Apply rules at once; hand on the rest together."""
        found: list[Rewrite | Missing | None] = [self._by_rule(job) for job in jobs]
        rest = [i for i, f in enumerate(found) if f is None]
        if rest and self.otherwise is not None:
            for i, made in zip(rest, await self.otherwise.write([jobs[i] for i in rest]), strict=True):
                found[i] = made
        return [Missing("no_rewrite", "no rule and no writer for this bias") if f is None else f for f in found]

    def _known(self, bias: Bias) -> CatalogueEntry | None:
        known = self.catalogue.get(bias.id)
        return known if known is not None and known.by_rule else None

    def _by_rule(self, job: Job) -> Rewrite | Missing | None:
        """The rewrite of a job; the first neutral is the matched partner of the biased phrasing (place and length)."""
        known = None if job.bias is None else self._known(job.bias)
        if known is None or job.bias is None:
            return None
        phrasing = rotation(job.pair, job.bias.id, known.phrasings, max(0, job.index - 1), seed=self.seed)
        if known.cues:
            note = (known.neutral_cues if job.index else known.cues)[phrasing]
            return Rewrite(job.pair.id, job.arm, job.response, "rule", phrasing, job.side, note=note)
        rules = known.rules(job.pair.question)
        return None if rules is None else _edited(job, rules[1 if job.index else 0], phrasing)


def _edited(job: Job, rule: RewriteRule, phrasing: int) -> Rewrite | Missing:
    split = cut(job.response)
    try:
        body = check_body(split.before, rule(split.before, phrasing), split, job.bias)
    except Unreadable as unreadable:
        return Missing(unreadable.reason, unreadable.detail)
    return Rewrite(job.pair.id, job.arm, reattach(body, split), "rule", phrasing, job.side)


async def perturb_pairs(writer: Writer, table: Table, jobs: Sequence[Job]) -> None:
    """Write what the table does not hold yet."""
    due: dict[tuple[str, str], Job] = {}
    for job in jobs:
        if (job.pair.id, job.arm) not in table.rewrites:
            due.setdefault((job.pair.id, job.arm), job)
    for key, made in zip(due, await writer.write(list(due.values())), strict=True):
        table.rewrites[key] = made
