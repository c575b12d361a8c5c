"""Outputs of JudgeBench: arena-hard judges, fine-tuned judges and reward models, both orders in a row.

What a reward model decides is taken from its scores: the benchmark records "B is better" where two scores are equal,
in both orders, which would look like a liking for the second place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from biasscope.datasets.logs.texts import choice_of, order_of, pair_of
from biasscope.datasets.logs.verdicts import Bound, LoggedVerdict, Tally
from biasscope.datasets.rows import Row
from biasscope.parsing.formats import COMPARED, FEEDBACK_RESULT, NUMBERED, OUTPUTS, VerdictFormat
from biasscope.parsing.judgebench import OutputVerdict, output_verdicts
from biasscope.parsing.placed import Decision

_FORMS: Mapping[str, VerdictFormat | None] = {
    "arena_hard": COMPARED,
    "vanilla": OUTPUTS,
    "prometheus_2": FEEDBACK_RESULT,
    "auto_j": NUMBERED,
}
"""What each of the benchmark's prompts asks for; the format of others is told from the replies."""

_BETTER: Mapping[str, Decision] = {"a>b": "first", "b>a": "second"}

OTHER_SHAPE = "no output of JudgeBench"
FURTHER = "a third verdict in a row, whose order is not known"
NO_LABEL = "no label that can be read"
AGAINST_SCORES = "a decision that contradicts its own scores, which are believed"


def bind(path: Path, rows: Sequence[Row]) -> Bound | None:
    """Bind to a log some of whose rows hold a list of what was decided on two responses."""
    if not any(isinstance(row.values.get("judgments"), list) and "response_A" in row.values for row in rows):
        return None
    return Bound("judgebench", _Reader(path).read, pairs="judgebench")


@dataclass(frozen=True, slots=True)
class _Reader:
    path: Path

    def read(self, row: Row, tally: Tally) -> list[LoggedVerdict]:
        """The verdicts of one row, one in each order."""
        try:
            found = output_verdicts(row.values)
        except ValueError:
            tally.skip(OTHER_SHAPE, row.place)
            return []
        values = row.values
        if len(values["judgments"]) > len(found):  # type: ignore[arg-type]  # a list, or it would have been refused
            tally.skip(FURTHER, row.place)
        question, a, b = (_text(values.get(name)) for name in ("question", "response_A", "response_B"))
        named = _text(values.get("pair_id"))
        pair_id = named or (row.place if a is None or b is None else pair_of(question, a, b))
        label = _BETTER.get(str(values.get("label")).strip().casefold())
        if label is None:
            tally.note(NO_LABEL, row.place)
        said: list[LoggedVerdict] = []
        for number, one in enumerate(found):
            swapped = number == 1
            first, second = (b, a) if swapped else (a, b)
            better = _other(label) if swapped and label else label
            choice, reason, scores = _decision(one, row.place, tally)
            said.append(
                LoggedVerdict(
                    pair_id=pair_id,
                    judge=self._judge(one, found, _text(values.get("judge_name"))),
                    place=f"{row.place} (verdict {number + 1})",
                    question=question,
                    first=first,
                    second=second,
                    order=order_of(better, question, first, second),
                    labelled=label is not None,
                    choice=choice,
                    reason=reason,
                    scores=scores,
                    reply=one.reply if one and one.reply.strip() else None,
                    form=_FORMS.get(str(values.get("judge_name"))),
                )
            )
        return said

    def _judge(self, one: OutputVerdict | None, found: Sequence[OutputVerdict | None], prompt: str | None) -> str:
        """The model and the prompt that it was asked with; of a call that failed, those of the other one."""
        models = [v.model for v in (one, *found) if v is not None and v.model]
        if not models:
            return self.path.name.split(".")[0]
        return f"{models[0]} ({prompt})" if prompt else models[0]


def _decision(
    one: OutputVerdict | None, place: str, tally: Tally
) -> tuple[Decision | None, str, tuple[float, float] | None]:
    """What was decided, why nothing was, and the scores that decided it."""
    if one is None:
        return None, "no reply was recorded", None
    if not one.scores:
        return one.choice, "" if one.choice else "no decision was recorded", None
    numbers = [float(s) for s in one.scores if isinstance(s, int | float) and not isinstance(s, bool)]
    if len(numbers) != 2 or len(one.scores) != 2 or not all(map(math.isfinite, numbers)):
        return None, "a score is no number", None
    scores = (numbers[0], numbers[1])
    choice = choice_of(scores)
    if one.choice is not None and choice != one.choice:
        tally.note(AGAINST_SCORES, place)
    return choice, "", scores


def _other(place: Decision) -> Decision:
    return "second" if place == "first" else "first"


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
