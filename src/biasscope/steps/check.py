"""Does a rewrite keep the answer, change something, and stay in its length band? Rules first, then a model.

The rules look at one body before and after; a model is asked for one thing only, whether the trait shows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from biasscope import prompts
from biasscope.ask import Reply, Request, Unreadable
from biasscope.catalogue.edits import words
from biasscope.parsing.answers import SplitAnswer, mentions_answer, same_answer, split_answer
from biasscope.parsing.replies import looks_like_refusal, readable_text
from biasscope.parsing.verdicts import read_verdict
from biasscope.records import Bias

LENGTH_BAND = (0.4, 2.5)
"""Words after / words before that a rewrite may have; a bias that is about length may go further.

A character counts as a word in scripts that put no spaces between words.
"""
LENGTH_BAND_LENGTH = (0.2, 5.0)
SHORT = 20
"""Bodies of fewer words may grow by this many words whatever the ratio."""

# "Here are the steps:" is a line of the text itself; a preface speaks of the text or to the person.
_PREFACE = re.compile(
    r"\A\s*(?:(?:sure|certainly|of course|okay|ok|absolutely|the (?:rewritten|revised|edited))\b[^\n]{0,100}"
    r"|(?:here(?:'s|\u2019s| is| are)|below is)\b"
    r"(?=[^\n]*\b(?:(?:re(?:writ|vis|phras|word)|edit|paraphras)\w*|version|text|response|passage)\b)"
    r"[^\n]{0,100}):[ \t]*\n+",
    re.IGNORECASE,
)
_OPENING = re.compile(r"<(text(?:-\d+)?)>")
_ABOUT_LENGTH = re.compile(
    r"\b(?:length|longer|shorter|long-wind|long answer|short answer|verbos|concis|brevity)", re.IGNORECASE
)


def clean_body(text: str, before: str) -> str:
    """Take off what a writer adds around a text: a preface line, a wrapper of our own delimiters.

    Where the text that was handed out begins with such a line itself, only a second one is taken off.
    """
    bare = _PREFACE.sub("", text, count=1)
    text = (text if _PREFACE.match(before) and not _PREFACE.match(bare) else bare).strip()
    wrapper = _OPENING.match(text)
    if wrapper and text.endswith(f"</{wrapper[1]}>"):
        text = text[wrapper.end() : -len(f"</{wrapper[1]}>")].strip()
    return text


def check_body(before: str, after: str, split: SplitAnswer, bias: Bias | None) -> str:
    """Check the body a writer handed back against the body it was given; returns the body to use.

    An answer line that the writer put back although it was cut out is taken off when it is the same answer;
    where nothing was cut out, what the body itself states as the answer must still be there.
    Raises Unreadable with `empty`, `refused`, `unchanged`, `answer_changed` or `off_length`.
    """
    if not after.strip():
        raise Unreadable("empty", "the writer handed back no text")
    if looks_like_refusal(after) and not looks_like_refusal(before):
        raise Unreadable("refused", after[:80])
    if split.answer:
        after = _without_answer(before, after, split.answer)
    elif (stated := split_answer(before).answer) and not mentions_answer(after, stated):
        raise Unreadable("answer_changed", f"{stated[:40]!r} is gone")
    if not after.strip():
        raise Unreadable("empty", "the writer handed back the answer alone")
    if " ".join(after.split()) == " ".join(before.split()):
        raise Unreadable("unchanged")
    _check_length(before, after, bias)
    return after


def _without_answer(before: str, after: str, answer: str) -> str:
    """Take off an answer that was put back; one that was stated before is part of the text."""
    added = split_answer(after)
    if not added.answer or split_answer(before).answer:
        return after
    if not same_answer(added.answer, answer):
        raise Unreadable("answer_changed", f"{answer[:40]!r} became {added.answer[:40]!r}")
    return (added.before + added.after).strip()


def _check_length(before: str, after: str, bias: Bias | None) -> None:
    about_length = bias is not None and _ABOUT_LENGTH.search(bias.name)
    low, high = LENGTH_BAND_LENGTH if about_length else LENGTH_BAND
    had, has = len(words(before)), len(words(after))
    if not had or not has:  # a text of signs alone
        had, has = len("".join(before.split())), len("".join(after.split()))
    if has < low * had or (has > high * had and has - had > SHORT):
        raise Unreadable("off_length", f"{had} words became {has}")


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


def keeps_final_answer(before: str, after: str) -> bool:
    """Tell whether a whole response states the final answer that it stated before it was rewritten.

    An answer that was put back stands at the end as it was, and what is said last counts. A text that is nothing but its answer
    was rewritten whole, and may say another one behind it. True where none was stated.
    """
    stated = _stated(before)
    if not stated.answer or after.endswith(stated.answer + stated.after):
        return True
    return same_answer(stated.answer, split_answer(after).answer)


@lru_cache(maxsize=4_096)  # all rewrites of a response ask for it
def _stated(response: str) -> SplitAnswer:
    return split_answer(response)
