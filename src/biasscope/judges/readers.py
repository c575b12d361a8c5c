"""How a prompted judge's reply is read: which labels or scores were offered, and where its verdict stands.

A reader is a value that is declared once, ours or a user's. It takes the last verdict that is meant, accepts only
what was offered, and raises `Unreadable` for the rest. It does not know which response a label stands for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from biasscope.ask import Unreadable
from biasscope.parsing.formats import DOUBLE_BRACKETS, HEADS, VerdictFormat
from biasscope.parsing.json_blocks import read_json
from biasscope.parsing.plain import plain_text
from biasscope.parsing.scores import Scale, read_score, read_score_value
from biasscope.parsing.thinking import split_thinking
from biasscope.parsing.verdicts import read_as, read_value


@dataclass(frozen=True, slots=True)
class VerdictReader:
    """Reads one of the offered labels: that of the first response, of the second and, where offered, of a tie.

    `json` is the field of the last JSON object that holds the label; `pattern` a regular expression, searched on the
    last line that has a match, whose one group is the label. Without them the last verdict in words is read.
    """

    labels: tuple[str, str] = ("1", "2")
    tie: str | None = None
    pattern: str | None = None
    json: str | None = None

    @property
    def offered(self) -> tuple[str, ...]:
        """Every label, the tie last."""
        return self.labels if self.tie is None else (*self.labels, self.tie)

    def read(self, text: str, *, alone: bool = False) -> str:
        """Read the label; raises `Unreadable`. With `alone` a label was asked for and nothing else.

        >>> VerdictReader(("A", "B"), json="winner").read('It is close. {"winner": "b"}')
        'B'
        """
        # The prompts that ask for a label alone ask for an *answer*, so there that word announces the verdict.
        heads = ("answer", *HEADS) if alone else HEADS
        # A number in brackets is rather a footnote.
        brackets = () if alone or all(label.isdigit() for label in self.labels) else DOUBLE_BRACKETS
        form = VerdictFormat(self.labels, tie=self.tie, heads=heads, brackets=brackets)
        if self.pattern is None and self.json is None:
            return read_as(text, form)
        return read_value(_declared(text, self.pattern, self.json), form)


@dataclass(frozen=True, slots=True)
class ScoreReader:
    """Reads a score on a declared scale; `json` and `pattern` are those of `VerdictReader`."""

    scale: Scale
    pattern: str | None = None
    json: str | None = None

    def read(self, text: str) -> float:
        """Read the score; raises `Unreadable`.

        >>> ScoreReader(Scale(1, 5), pattern=r"<score>(.*?)</score>").read("Clear. <score>4/5</score>")
        4.0
        """
        if self.pattern is None and self.json is None:
            return read_score(text, self.scale)
        return read_score_value(_declared(text, self.pattern, self.json), self.scale)


def _declared(text: str, pattern: str | None, field: str | None) -> object:
    """The value where a user's reader says that it stands."""
    answer = split_thinking(text)[1]
    if field is not None:
        return read_json(answer, keys=(field,))[field]
    for line in reversed(answer.splitlines()):
        # As it was written first: the pattern may name the very marks that are taken off for the second look.
        for written in (line, plain_text(line)):
            if found := list(re.finditer(pattern or "", written)):
                return found[-1][1]
    raise Unreadable("unparsable", f"no line fits the declared pattern, the last is {answer[-80:]!r}")
