"""Does a rewrite keep the answer, change something, and stay in its length band? Rules first, then a model.

The rules look at one body before and after; a model is asked for one thing only, whether the trait shows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from biasscope import prompts
from biasscope.ask import Reply, Request, Unreadable
from biasscope.parsing.answers import SplitAnswer, same_answer, split_answer
from biasscope.parsing.replies import looks_like_refusal, readable_text
from biasscope.parsing.verdicts import read_verdict
from biasscope.records import Bias

LENGTH_BAND = (0.4, 2.5)
"""Words after / words before that a rewrite may have; a bias that is about length may go further."""
LENGTH_BAND_LENGTH = (0.2, 5.0)
SHORT = 20
"""Bodies of fewer words may grow by this many words whatever the ratio."""

_PREFACE = re.compile(
    r"\A\s*(?:sure|certainly|of course|okay|ok|absolutely|here(?:'s|\u2019s| is| are)|below is"
    r"|the (?:rewritten|revised|edited))\b"
    r"[^\n]{0,100}:[ \t]*\n+",
    re.IGNORECASE,
)
_WRAPPED = re.compile(r"\A\s*<text>\s*(.*?)\s*</text>\s*\Z", re.DOTALL)


def clean_body(text: str) -> str:
    """Take off what a writer adds around a text: a preface line, a wrapper of our own delimiters."""
    text = _PREFACE.sub("", text, count=1)
    wrapped = _WRAPPED.match(text)
    return (wrapped[1] if wrapped else text).strip()


def check_body(before: str, after: str, split: SplitAnswer, bias: Bias | None) -> str:
    """Check the body a writer handed back against the body it was given; returns the body to use.

    An answer line that the writer put back although it was cut out is taken off when it is the same answer.
    Raises Unreadable with `empty`, `refused`, `unchanged`, `answer_changed` or `off_length`.
    """
    if not after.strip():
        raise Unreadable("empty", "the writer handed back no text")
    if looks_like_refusal(after) and not looks_like_refusal(before):
        raise Unreadable("refused", after[:80])
    added = split_answer(after)
    if added.answer and not split_answer(before).answer:
        if split.answer and not same_answer(added.answer, split.answer):
            raise Unreadable("answer_changed", f"{split.answer[:40]!r} became {added.answer[:40]!r}")
        after = (added.before + added.after).strip()
    if " ".join(after.split()) == " ".join(before.split()):
        raise Unreadable("unchanged")
    _check_length(before, after, bias)
    return after


def _check_length(before: str, after: str, bias: Bias | None) -> None:
    about_length = bias is not None and re.search(
        r"length|long|short|verbos|concis|brev", bias.name, re.IGNORECASE
    )
    low, high = LENGTH_BAND_LENGTH if about_length else LENGTH_BAND
    # Characters as well, for scripts that put no spaces between words.
    words = (len(before.split()), len(after.split()))
    ratio = len(after) / max(1, len(before))
    if not low <= ratio <= high and words[1] - words[0] > SHORT:
        raise Unreadable("off_length", f"{words[0]} words became {words[1]}")
    if ratio < low:
        raise Unreadable("off_length", f"{words[0]} words became {words[1]}")


@dataclass(frozen=True, slots=True)
class TraitAsk:
    """Does this text show the trait of this bias?"""

    bias: Bias
    text: str
    kind: str = "check"
    attempts: int = 1

    def request(self, attempt: int) -> Request:
        """Ask for one word."""
        filled = prompts.fill("check_trait", name=self.bias.name, definition=self.bias.definition, text=self.text)
        return Request(filled.messages, max_tokens=256)

    def parse(self, reply: Reply) -> bool:
        """Read yes or no."""
        return read_verdict(readable_text(reply), ("yes", "no")) == "yes"
