"""What a program that judges is sent, and what it answers: one JSON value each way. Text in, values out.

Knows the words of both sides and refuses what could mean two things. It runs nothing, and does not know which of
the two responses is the better one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from biasscope.ask import Reason, Unreadable
from biasscope.parsing.scores import Scale, read_score_value, scale_of
from biasscope.records import Message

Slot = Literal["first", "second", "tie"]

FIELDS = ("kind", "question", "messages", "first", "second", "response", "scale", "reference")
"""What a case may hold: `first` and `second` where two responses are compared, `response` and `scale` where one is
scored. `scale` and `reference` are null where none was declared or shown."""

_SLOTS: Mapping[str, Slot] = {
    "first": "first", "1": "first", "a": "first",
    "second": "second", "2": "second", "b": "second",
    "tie": "tie",
}  # fmt: skip
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Comparison:
    """Which of two responses is better; `margin` is in favour of the first, None where none was given."""

    choice: Slot
    margin: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """How good one response is; higher is better."""

    value: float
    reason: str = ""


class CountedFromZero(Unreadable):
    """A choice is 0: whoever gives it counts from 0, so that the 1 that is read as the first meant the second."""


def write_case(
    question: str, messages: Sequence[Message], reference: str | None, texts: Mapping[str, str | None]
) -> str:
    """The JSON object for one case.

    `texts` holds ``first`` and ``second``, or ``response`` and the name of its ``scale``; for recorded verdicts, which
    are looked up, also ``pair_id``, ``arm`` and ``order``, of which a program that judges is not told.
    """
    case = {
        "kind": "pointwise" if "response" in texts else "pairwise",
        "question": question,
        "messages": [{"role": m.role, "content": m.content} for m in messages],
        **texts,
        "reference": reference,
    }
    return json.dumps(case, ensure_ascii=False)


def read_case(text: str) -> dict[str, object] | None:
    """Read a case; None for a text that is none, such as a prompt."""
    try:
        case = json.loads(text)
    except ValueError:
        return None
    return case if isinstance(case, dict) and case.get("kind") in ("pairwise", "pointwise") else None


def write_failure(error: str, reason: Reason = "failed") -> str:
    """The answer where there is no verdict, and why."""
    return json.dumps({"error": error, "reason": reason}, ensure_ascii=False)


def read_comparison(text: str) -> Comparison:
    """Read which response is better, from an object with ``choice`` or from the choice alone.

    A choice is ``"first"``, ``"second"`` or ``"tie"``, also ``1`` or ``2``, ``"A"`` or ``"B"``. Raises `Unreadable`:
    ``ambiguous`` for a truth value, a number with a fraction, a margin against the choice, and 0, which is
    `CountedFromZero`.
    """
    answer = _answer(text)
    fields = answer if isinstance(answer, dict) else {"choice": answer}
    if "choice" not in fields:
        raise Unreadable("unparsable", f"an answer without a 'choice': {_shown(answer)}")
    choice = _slot(fields["choice"])
    margin = fields.get("margin")
    if margin is None:
        return Comparison(choice, None, _reason(fields))
    value = _number(margin, "margin")
    favoured: Slot = "first" if value > 0 else "second" if value < 0 else choice
    if choice not in (favoured, "tie"):
        raise Unreadable("ambiguous", f"it chooses the {choice} and its margin {value:g} favours the {favoured}")
    return Comparison(choice, value, _reason(fields))


def read_score(text: str, scale: Scale | None = None) -> Score:
    """Read a score, from an object with ``score`` or from a number alone.

    A declared scale also takes its own words and forms, such as ``"pass"``, a truth value for pass or fail, or
    ``"7/10"``. Raises `Unreadable`, ``off_scale`` for a number outside the scale.
    """
    answer = _answer(text)
    fields = answer if isinstance(answer, dict) else {"score": answer}
    if "score" not in fields:
        raise Unreadable("unparsable", f"an answer without a 'score': {_shown(answer)}")
    value = fields["score"]
    if value is None:
        raise Unreadable("empty", "the score is null")
    number = _number(value, "score") if scale is None else read_score_value(value, scale)
    return Score(number, _reason(fields))


def check_answer(case: Mapping[str, object], text: str) -> None:
    """Read the answer to a case and give nothing back; raises `Unreadable` where it is none."""
    if case["kind"] == "pairwise":
        read_comparison(text)
    else:
        scale = case.get("scale")
        read_score(text, scale_of(scale) if isinstance(scale, str) else None)


def _answer(text: str) -> object:
    """Decode an answer; raises `Unreadable` for one that is empty or says that there is no verdict."""
    answer = _decoded(text)
    if isinstance(answer, str) and answer.lstrip().startswith("{"):  # a program that hands on a model's reply
        answer = _decoded(answer)
    if answer is None or answer == "":
        raise Unreadable("empty", f"the answer is {_shown(answer)}")
    if isinstance(answer, dict) and answer.get("error") is not None:
        reason = answer.get("reason")
        known: dict[object, Reason] = {name: name for name in get_args(Reason)}
        raise Unreadable(known.get(reason, "failed"), _line(str(answer["error"])))
    return answer


def _decoded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable("unparsable", f"the answer is not JSON: {_line(text)}") from None


def _slot(value: object) -> Slot:
    if value is None:
        raise Unreadable("empty", "the choice is null")
    if isinstance(value, bool | float) or value in (0, "0"):
        from_zero = not isinstance(value, bool | float)
        raise (CountedFromZero if from_zero else Unreadable)(
            "ambiguous", f"{_shown(value)} could mean either response; a choice is first, second or tie"
        )
    slot = _SLOTS.get(str(value).strip().lower()) if isinstance(value, str | int) else None
    if slot is None:
        raise Unreadable("unparsable", f"{_shown(value)} is no choice; there are first, second and tie")
    return slot


def _number(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unreadable("unparsable", f"{_shown(value)} is no {name}, which is a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise Unreadable("unparsable", f"the {name} is not a finite number")
    return number


def _reason(fields: Mapping[str, object]) -> str:
    reason = fields.get("reason")
    return reason.strip() if isinstance(reason, str) else ""


def _shown(value: object) -> str:
    return _line(json.dumps(value, ensure_ascii=False))


def _line(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN else flat[: _SHOWN - 1] + "…"
