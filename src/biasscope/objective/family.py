"""What a family of questions is: kinds of question whose texts are data and whose arithmetic is code.

A kind holds question templates, working templates (a working is a few sentences), a function that draws a case
with a right and a wrong outcome, and a function that solves a question from the fields read out of its text.
The same templates write a question and read it back. Nothing here knows a particular family.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from string import Formatter

from biasscope.objective.answers import same_answer
from biasscope.objective.draw import Draw

Working = tuple[str, ...]
"""The sentences of a working, without the final answer."""


@dataclass(frozen=True, slots=True)
class Case:
    """One drawn case: the fields of the question, and the values of the right and of the wrong working.

    Both value sets have the same keys, among them ``answer``. The slip is a wrong value early in the working;
    the values after it follow from it.
    """

    fields: Mapping[str, object]
    right: Mapping[str, object]
    wrong: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Task:
    """A question with its right and its wrong answer and a working that leads to each."""

    question: str
    right: str
    wrong: str
    working_right: Working
    working_wrong: Working

    def __post_init__(self) -> None:
        if same_answer(self.right, self.wrong):
            raise ValueError(f"right and wrong answer are both {self.right!r}: {self.question!r}")


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of question.

    `questions` are templates with ``{field}`` for text and ``{field:d}`` for a whole number. `workings` are
    templates of sentences over the fields and values; each begins with a common word, gives 37 to 53 words
    and leaves the result to the final answer where it can. `solve` takes the fields as text and gives the
    answer, or None where they make no sense.
    """

    questions: tuple[str, ...]
    workings: tuple[Working, ...]
    draw: Callable[[Draw], Case]
    solve: Callable[[Mapping[str, str]], str | None]

    def make(self, draw: Draw) -> Task:
        """Draw a case and write it; the two workings choose their wording independently."""
        case = self.draw(draw)
        question = draw.choose(self.questions).format(**case.fields)
        right, wrong = (
            tuple(step.format(**{**case.fields, **values}) for step in draw.choose(self.workings))
            for values in (case.right, case.wrong)
        )
        return Task(question, str(case.right["answer"]), str(case.wrong["answer"]), right, wrong)


@dataclass(frozen=True, slots=True)
class Family:
    """The kinds of question of one domain."""

    kinds: tuple[Kind, ...]

    def make(self, draw: Draw) -> Task:
        """Write one question of a drawn kind with both answers and workings."""
        return draw.choose(self.kinds).make(draw)

    def solve(self, text: str) -> str | None:
        """Solve a question of this family from its text; None when no template fits."""
        for kind in self.kinds:
            for template in kind.questions:
                match = question_pattern(template).fullmatch(text)
                answer = kind.solve(match.groupdict()) if match else None
                if answer is not None:
                    return answer
        return None


@cache
def question_pattern(template: str) -> re.Pattern[str]:
    """Turn a question template into the pattern that reads its fields; a repeated field must repeat its text."""
    seen: set[str] = set()
    pieces: list[str] = []
    for literal, name, spec, _ in Formatter().parse(template):
        pieces.append(re.escape(literal))
        if name is None:
            continue
        # Seven digits bound the work that a foreign text can cause.
        body = "[0-9]{1,7}" if spec == "d" else ".+?"
        pieces.append(f"(?P={name})" if name in seen else f"(?P<{name}>{body})")
        seen.add(name)
    return re.compile("".join(pieces), re.DOTALL)


def words(text: str) -> tuple[str, ...]:
    """Split a word list at white space."""
    return tuple(text.split())
