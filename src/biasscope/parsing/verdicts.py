"""Read a judge's decision from text.

Knows that the last verdict a judge means is its verdict, that only offered labels count, and that what cannot be
told apart is `Unreadable`, never a guess. It does not know slots from responses: labels come back as offered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from biasscope.ask import Reason, Unreadable
from biasscope.parsing.formats import COMPARED, DOUBLE_BRACKETS, VerdictFormat
from biasscope.parsing.grammar import grammar
from biasscope.parsing.json_blocks import read_json
from biasscope.parsing.plain import mask_quotes, plain_text, unwrapped
from biasscope.parsing.retractions import is_reported, stands, without_lists
from biasscope.parsing.statements import marked_statements, told_statements
from biasscope.parsing.thinking import split_thinking

_LAST = 60  # statements that are looked at: a judge in a loop states its verdict a thousand times
_OBJECT_START = re.compile(r"(?:^|\n|(?<=\w):)[ \t]*(?:```\w*\s*)?(?=\{)")
_FAREWELL = 60  # characters that may follow a JSON object at the end of a text
_REMARK = re.compile(r"(?<=\S)\s*\(([^()]*)\)$")


@dataclass(frozen=True, slots=True)
class Comparison:
    """A verdict on a graded scale: `label` (None for a tie) and how strongly, 2 much better, 1 better, 0 a tie."""

    label: str | None
    strength: int


def read_verdict(text: str, labels: tuple[str, ...], *, tie: str | None = None, prose: bool = True) -> str:
    """Read the last verdict a text means; give the label as offered.

    Thinking, quoted text and the list of choices copied from the prompt do not count, nor does what the text
    negates, asks, supposes or takes back. `tie` is the label that means a tie, one of `labels` or one more.
    Without `prose` a sentence such as "Answer 1 is better" is no verdict.

    Raises `Unreadable`: ``ambiguous`` where only contradicting verdicts stand side by side, else ``unparsable``.

    >>> read_verdict("Verdict: A would be too kind, so: Verdict: B", ("A", "B"))
    'B'
    """
    numbers = all(label.isdigit() for label in labels)  # a number in brackets is rather a footnote
    return read_as(text, VerdictFormat(labels, tie=tie, prose=prose, brackets=() if numbers else DOUBLE_BRACKETS))


def read_as(text: str, form: VerdictFormat) -> str:
    """Read a verdict in a format; gives a label and raises `Unreadable` as `read_verdict` does."""
    answer = split_thinking(text)[1]
    if form.field is not None:
        return read_value(read_json(answer, keys=(form.field,))[form.field], form)
    plain = unwrapped(plain_text(answer))
    if form.where == "whole":
        return read_value(plain, form)
    lines = [line for line in plain.splitlines() if line.strip()]
    if form.where != "anywhere" and lines:
        plain = lines[0 if form.where == "first_line" else -1]
    if form.pattern is not None:
        return _fitted(plain, form)
    if plain.startswith("{") and plain.endswith("}"):
        return _json_verdict(answer, form)
    try:
        return _meant(plain, form)[-1]
    except Unreadable:
        closing = _closing_object(answer)
        if not closing:
            raise
        return _json_verdict(closing, form)


def read_comparison(text: str, form: VerdictFormat = COMPARED) -> Comparison:
    """Read a verdict on a graded scale such as ``[[A>>B]]``; raises `Unreadable`.

    Verdicts that prefer different sides are ``ambiguous`` even where one comes last: judges who are asked for
    this scale often rate one response after the other, each with a verdict of its own.
    """
    plain = unwrapped(plain_text(split_thinking(text)[1]))
    comparisons = [_comparison(label) for label in _meant(plain, form)]
    if len({comparison.label for comparison in comparisons}) > 1:
        raise Unreadable("ambiguous", f"{len(comparisons)} verdicts that contradict each other")
    return comparisons[-1]


def read_value(value: object, form: VerdictFormat) -> str:
    """Read a value that is a label and nothing else, such as a recorded winner: ``A``, ``model_a``, ``tie (both bad)``.

    Raises `Unreadable` (``unparsable``) for any value that is not one of the offered labels, null included.
    """
    spoken = value if isinstance(value, str) else str(value).lower() if isinstance(value, bool | int) else ""
    plain = unwrapped(plain_text(spoken))
    rules = grammar(form)
    for candidate in (plain, _REMARK.sub("", plain)):
        if bare := rules.bare.fullmatch(candidate):
            return rules.label(bare["label"])
        if form.tie is not None and rules.tie.fullmatch(candidate):
            return form.tie
    raise Unreadable("unparsable", f"{str(value)[:80]!r} is none of {', '.join(form.offered)}")


def value_remark(value: str) -> str:
    """Give the remark in parentheses that follows a recorded value: *inconsistent* in ``tie (inconsistent)``, or ""."""
    remark = _REMARK.search(plain_text(value))
    return remark[1].strip() if remark else ""


def _meant(plain: str, form: VerdictFormat) -> list[str]:
    """List the labels of the verdicts a text means, the last of which is its verdict; raises `Unreadable`."""
    rules = grammar(form)
    text = mask_quotes(plain, rules.announced)
    stated = marked_statements(text, rules)[-_LAST:]
    meant = [s for s in without_lists(stated, text) if stands(s, text)]
    if not meant and form.prose:
        since = max((s.end for s in stated if stands(s, text)), default=0)
        told = [s for s in told_statements(text, rules) if s.start >= since][-_LAST:]
        stated += told
        meant = [s for s in without_lists(told, text) if stands(s, text)]
    if not meant:
        contradicting = {s.label for s in stated if stands(s, text)}
        _refuse("ambiguous" if len(contradicting) > 1 else "unparsable", plain)
    if meant[-1].label is None:
        _refuse("unparsable", plain)
    return [s.label for s in meant if s.label is not None]


def _json_verdict(answer: str, form: VerdictFormat) -> str:
    """Read the field of a JSON object that is named like a verdict, in a text that was not asked for JSON."""
    value = read_json(answer)
    fields = [key for key in value if key.casefold() in form.heads]
    if len(fields) != 1:
        raise Unreadable("unparsable", f"a JSON object with the fields {', '.join(value)[:80]}")
    return read_value(value[fields[0]], form)


def _closing_object(answer: str) -> str:
    """Give the JSON object that ends a text (but for a few words), on lines of its own or announced; or ""."""
    end = answer.rfind("}") + 1
    starts = list(_OBJECT_START.finditer(answer, 0, end))
    if not starts or len(answer[end:].strip("` \n")) > _FAREWELL:
        return ""
    reported = is_reported(answer[: starts[-1].start()].rstrip(" :\n"))
    return "" if reported else answer[starts[-1].end() : end]


def _fitted(line: str, form: VerdictFormat) -> str:
    fit = re.fullmatch(form.pattern or "", line.strip(), re.IGNORECASE)
    if fit is None:
        _refuse("unparsable", line)
    return read_value(fit[1], form)


def _comparison(label: str) -> Comparison:
    left, sign, right = re.split("([<>=]+)", label)
    return Comparison(None, 0) if sign == "=" else Comparison(left if ">" in sign else right, len(sign))


def _refuse(reason: Reason, text: str) -> NoReturn:
    raise Unreadable(reason, f"no verdict in {text[-80:]!r}")
