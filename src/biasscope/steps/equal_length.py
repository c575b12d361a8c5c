"""Rewrites brought to equal length: cut at a word, or condensed by a writer; the final answer stays whole.

Biased and neutral rewrites of a pair are brought to the length of the shorter one, by the same means: cutting a
response hurts it whatever its trait.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from biasscope import prompts
from biasscope.ask import Answered, Asker, Missing, Reply, Request, Unreadable
from biasscope.parsing.answers import reattach
from biasscope.parsing.replies import readable_text
from biasscope.records import PreferencePair, Rewrite
from biasscope.steps.check import clean_body
from biasscope.steps.judge import Table
from biasscope.steps.perturb import cut

Means = Literal["truncate", "condense"]

CLOSE = 0.05
"""How far a condensed text may be from the length asked for, as a share of it (and always one word)."""
_WORD = re.compile(r"\S+")


def equal_arm(arm: str, means: Means, bias_id: str) -> str:
    """The arm that holds the rewrites of an arm at equal length, for one bias: a neutral arm is brought to another
    length beside each bias that shares it."""
    return f"{arm}@{means}:{bias_id}"


def word_count(text: str) -> int:
    """Words between white space, at least 1."""
    return max(1, len(_WORD.findall(text)))


def truncated(text: str, words: int) -> str:
    """The text up to the end of its `words`-th word; the whole text when it has no more."""
    ends = [m.end() for m in _WORD.finditer(text)]
    return text[: ends[words - 1]] if words < len(ends) else text


@dataclass(frozen=True, slots=True)
class CondenseAsk:
    """Say the body of a rewrite in a given number of words."""

    pair: PreferencePair
    body: str
    words: int
    kind: str = "condense"
    attempts: int = 1

    def request(self, attempt: int) -> Request:
        """Ask with the body alone; the answer is put back afterwards."""
        filled = prompts.fill("condense", question=self.pair.question, text=self.body, words=str(self.words))
        return Request(filled.messages, max_tokens=max(256, 8 * self.words))

    def parse(self, reply: Reply) -> str:
        """Check the length; raises Unreadable with `empty` or `off_length`."""
        body = clean_body(readable_text(reply), self.body)
        if not body:
            raise Unreadable("empty", "the writer handed back no text")
        has = word_count(body)
        if abs(has - self.words) > max(1, CLOSE * self.words):
            raise Unreadable("off_length", f"asked for {self.words} words, got {has}")
        return body


async def equalise(
    teacher: Asker | None, table: Table, pairs: Sequence[PreferencePair], arms: Sequence[str], means: Means
) -> None:
    """Put rewrites of equal length beside those of `arms` into the table, where a pair has all of them.

    The first of `arms` is that of the bias. Raises ValueError when rewrites are to be condensed and there is no model to do it.
    """
    if means == "condense" and teacher is None:
        raise ValueError("condensing needs a model that writes")
    asks: list[CondenseAsk] = []
    due: list[tuple[PreferencePair, str, Rewrite]] = []
    for pair in pairs:
        rewrites = {arm: table.rewrite(pair, arm) for arm in arms}
        whole = {arm: r for arm, r in rewrites.items() if r is not None}
        bodies = {arm: cut(r.text).before for arm, r in whole.items()}
        target = min((word_count(body) for body in bodies.values()), default=1)
        for arm in arms:
            key = (pair.id, equal_arm(arm, means, arms[0]))
            if len(whole) < len(arms):
                table.rewrites[key] = Missing("no_rewrite", "the pair lacks one of the arms")
            elif means == "truncate" or word_count(bodies[arm]) == target:
                table.rewrites[key] = _with_body(whole[arm], key[1], truncated(bodies[arm], target))
            else:
                due.append((pair, key[1], whole[arm]))
                asks.append(CondenseAsk(pair, bodies[arm].strip(), target))
    answers = await teacher.ask(asks) if teacher is not None and asks else []
    for (pair, arm, rewrite), answer in zip(due, answers, strict=True):
        made = _with_body(rewrite, arm, answer.value) if isinstance(answer, Answered) else answer
        table.rewrites[pair.id, arm] = made


def _with_body(rewrite: Rewrite, arm: str, body: str) -> Rewrite:
    text = reattach(body, cut(rewrite.text))
    return Rewrite(rewrite.pair_id, arm, text, rewrite.writer, rewrite.phrasing, rewrite.side, rewrite.keys)
