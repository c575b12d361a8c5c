"""What a judge was asked to write: the labels offered, and how and where its verdict stands.

A format is a frozen value, so a user declares a reader in one place. Nothing here reads a text; the named
formats at the end are those in common use.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

Where = Literal["anywhere", "first_line", "last_line", "whole"]

HEADS = (
    "verdict", "decision", "winner", "choice", "preference", "judgment", "judgement", "ruling", "vote", "pick", "selection",
    "判定", "决定", "裁决", "结论", "决策", "胜者", "決定", "結論", "勝者", "판정", "결론",
    "urteil", "entscheidung", "veredicto", "decisión", "décision",
)  # fmt: skip
"""Words that announce a verdict. *Answer* and *result* are not among them: in a judge's text they mostly
announce the answer of the question that the responses are about."""

NOUNS = (
    "answer", "response", "output", "assistant", "model", "option", "candidate", "rewrite", "text", "reply", "version",
    "completion", "solution", "summary", "translation", "essay", "submission", "system", "chatbot", "agent", "choice",
    "回答", "答案", "回复", "响应", "助手", "模型", "选项", "応答", "アシスタント", "답변", "응답", "antwort", "respuesta", "réponse",
)  # fmt: skip
"""Words for the things that labels name: *Answer* 1, *model*_a, *Output* (b)."""

DOUBLE_BRACKETS = (("[[", "]]"),)


@dataclass(frozen=True, slots=True)
class VerdictFormat:
    """How a verdict is written.

    `labels` are the offered decisions, as they are to be given back; `tie` is the one among them (or one
    more) that means that neither is better. `aliases` are further spellings, as (spelling, label); case never
    counts. `heads` announce a verdict, `nouns` are what a label names, `brackets` enclose a bare label that
    is a verdict by itself. `prose` admits sentences such as "Answer 1 is better" where nothing is marked.

    `where` restricts reading to the first or last line, or asks that the whole text be one label. `pattern`
    is a regular expression that the line (or the whole) must fit, its first group being the label. `field`
    names a field of a JSON object instead.
    """

    labels: tuple[str, ...]
    tie: str | None = None
    aliases: tuple[tuple[str, str], ...] = ()
    heads: tuple[str, ...] = HEADS
    nouns: tuple[str, ...] = NOUNS
    brackets: tuple[tuple[str, str], ...] = DOUBLE_BRACKETS
    prose: bool = True
    where: Where = "anywhere"
    pattern: str | None = None
    field: str | None = None

    def __post_init__(self) -> None:
        spellings = [label.casefold() for label in self.offered]
        if len(self.labels) < 2 or len(set(spellings)) < len(spellings) or not all(s.strip() for s in spellings):
            raise ValueError(f"need two or more different labels, got {self.offered}")
        unknown = sorted({label for _, label in self.aliases} - set(self.offered))
        if unknown:
            raise ValueError(f"aliases name labels that are not offered: {unknown}")
        if self.pattern is not None and re.compile(self.pattern).groups < 1:
            raise ValueError(f"the pattern needs a group for the label, got {self.pattern!r}")

    @property
    def offered(self) -> tuple[str, ...]:
        """All labels that may be given back: `labels`, and `tie` where it is not one of them."""
        return self.labels if self.tie is None or self.tie in self.labels else (*self.labels, self.tie)


NUMBERED = VerdictFormat(("1", "2"), tie="tie", brackets=())
"""A line such as ``Decision: 1``; in brackets a number is rather a footnote."""

BRACKETED = VerdictFormat(("A", "B", "C"), tie="C")
"""``[[A]]``, ``[[B]]``, ``[[C]]`` for a tie: MT-Bench and everything built after it."""

BOXED = VerdictFormat(("A", "B"), tie="tie", brackets=(("BOXED[", "]"), ("\\boxed{", "}"), *DOUBLE_BRACKETS))
"""``BOXED[A]`` or ``\\boxed{A}``."""

FEEDBACK_RESULT = VerdictFormat(("A", "B"), heads=(*HEADS, "result"))
"""Feedback, then ``[RESULT] A``: Prometheus."""

OUTPUTS = VerdictFormat(("a", "b"), nouns=("output",))
"""``Output (a)`` or ``Output (b)``: AlpacaEval, LLMBar."""

FIRST_LINE = VerdictFormat(("1", "2"), tie="tie", where="first_line")
"""The label on the first line, reasons after it: PandaLM."""

ANSWER_LETTER = VerdictFormat(("A", "B", "C", "D"), heads=("answer", *HEADS), prose=False)
"""``ANSWER: B``: multiple choice."""

GRADE = VerdictFormat(
    ("C", "P", "I"),
    aliases=(("correct", "C"), ("partially correct", "P"), ("partial", "P"), ("incorrect", "I")),
    heads=("grade", *HEADS),
    prose=False,
)
"""``GRADE: C``, with P for partially correct and I for incorrect."""

_PASS = ("correct", "success", "successful", "yes", "true", "passed", "passes")
_FAIL = (
    "incorrect",
    "failure",
    "unsuccessful",
    "no",
    "false",
    "failed",
    "fails",
    "does not pass",
    "did not pass",
)
PASS_FAIL = VerdictFormat(
    ("pass", "fail"),
    aliases=(
        *((word, "pass") for word in _PASS),
        *((word, "fail") for word in _FAIL),
        *((f"not {word}", "fail") for word in ("pass", *_PASS[:5])),
    ),
)
"""Pass or fail in any of the usual words."""

WINNER_FIELD = VerdictFormat(("A", "B"), tie="tie", where="whole")
"""The value of a recorded winner: ``A``, ``model_a``, ``tie``, ``tie (both bad)``."""

WINNER_JSON = replace(WINNER_FIELD, field="winner")
"""A JSON object with a field ``winner``."""


def compared(first: str, second: str) -> VerdictFormat:
    """Describe the scale of five: much better, better, equal, worse, much worse, as in ``[[A>>B]]``."""
    a, b = first, second
    return VerdictFormat(
        (f"{a}>>{b}", f"{a}>{b}", f"{a}={b}", f"{b}>{a}", f"{b}>>{a}"),
        tie=f"{a}={b}",
        aliases=(
            (f"{a}<<{b}", f"{b}>>{a}"),
            (f"{a}<{b}", f"{b}>{a}"),
            (f"{b}={a}", f"{a}={b}"),
            (f"{b}<{a}", f"{a}>{b}"),
            (f"{b}<<{a}", f"{a}>>{b}"),
        ),
        prose=False,
    )


COMPARED = compared("A", "B")
"""``[[A>>B]]`` ... ``[[B>>A]]``: Arena-Hard."""
