"""Read a judge's score on a declared scale from text.

Knows how scores are announced, that the last one meant is the score, and that the numbers of the scale itself, of
quoted text and of other scales are none. A score outside the scale is `Unreadable`, never clipped or rescaled.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from biasscope.ask import Unreadable
from biasscope.parsing.formats import PASS_FAIL
from biasscope.parsing.json_blocks import read_json
from biasscope.parsing.plain import mask_quotes, plain_text, unwrapped
from biasscope.parsing.retractions import stands
from biasscope.parsing.statements import Statement, sentence_before
from biasscope.parsing.thinking import split_thinking
from biasscope.parsing.verdicts import read_as, read_value
from biasscope.parsing.wording import ADVERB, CJK, any_of, compiled


@dataclass(frozen=True, slots=True)
class Scale:
    """What scores may be: from `low` (worst) to `high` (best); with `passes`, fail (0) or pass (1) in words."""

    low: float
    high: float
    passes: bool = False

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ValueError(f"a scale goes from a lower to a higher number, got {self.low:g} to {self.high:g}")

    def on(self, value: float) -> float:
        """Give back a value that lies on the scale; raises `Unreadable` (``off_scale``) for any other."""
        if not self.low <= value <= self.high:
            raise Unreadable("off_scale", f"{value:g} is not between {self.low:g} and {self.high:g}")
        return value


PASS_OR_FAIL = Scale(0.0, 1.0, passes=True)
NAMED = {"likert": Scale(1.0, 5.0), "pass-fail": PASS_OR_FAIL}
_RANGE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*-\s*(-?\d+(?:\.\d+)?)\s*")


def scale_of(name: str) -> Scale:
    """The scale of a name: ``likert`` (1-5), ``pass-fail``, or ``LOW-HIGH`` such as ``1-10``; raises ValueError."""
    if name.strip() in NAMED:
        return NAMED[name.strip()]
    found = _RANGE.fullmatch(name)
    if found is None:
        raise ValueError(f"{name!r} is not a scale; a scale is LOW-HIGH, {' or '.join(NAMED)}")
    return Scale(float(found[1]), float(found[2]))


_NUMBER = r"[-+]?\d+(?:\.\d+|,\d{1,2})?"
_BOUND = rf"(?!(?!{CJK})[\w⁄])(?![.,:]\d)(?!\s*⁄)"
_VALUE = rf"(?P<value>{_NUMBER}){_BOUND}"
# What the number is out of, or the other end of a range: 7/10, 7 out of 10, 85 %; 7-8, 7 or 8.
_BEHIND = (
    r"[\])}>\"'`]{0,4}(?:"
    rf"\s*(?:/|\bout\s+of\b|\bof\b|\bvon\b|\bsur\b|\bsobre\b|\bиз\b|\bمن\b)\s*[\[(<]{{0,2}}(?P<of>\d+(?:\.\d+)?){_BOUND}"
    rf"|(?P<percent>\s*%)|\s*(?:-|–|—|~|\bto\b|\bor\b)\s*(?P<until>{_NUMBER}){_BOUND})?[\])}}>\"'`]{{0,4}}"
)
_SCORE = _VALUE + _BEHIND
_HEAD = any_of("""
    scores? | ratings? | grade | marks? | overall | verdict | assessment | note | nota | puntuación | puntaje |
    calificación | bewertung | punktzahl | wertung | punkte | оценка | балл | الدرجة | التقييم | النتيجة |
    评分 | 分数 | 得分 | 总分 | 打分 | 評分 | 分數 | スコア | 評価 | 評点 | 点数 | 점수 | 평점
""")
_SCALE_NAMED = rf"(?:\s*[(\[][^()\[\]\n]{{0,60}}[)\]]|\s+(?:from|on a scale (?:of|from))\s+{_NUMBER}\s*(?:-|–|to)\s*{_NUMBER})?"
_SEPARATOR = r"(?:\s{0,4}(?::|=>?|[-–—]+>?(?=\s)|→|\|)\s*|\s+(?:is|was|of)\s+|[ \t]*\n\s*)"
_OPEN = r"[\[({<\"'`]{0,4}\s?"
_HEADED = compiled(
    rf"(?:(?<![^\W_])|(?<={CJK}))(?P<head>{_HEAD})(?!(?!{CJK})\w)[\"'`\])]{{0,4}}{_SCALE_NAMED}{_SEPARATOR}"
    rf"(?:{ADVERB},?\s+)*(?:an?\s+)?{_OPEN}{_SCORE}"
)
_GIVEN = compiled(
    rf"(?:\b(?:I|we)(?:'d|'ll| would| will)?\s+(?:\w+\s+){{0,2}}?{any_of('give | gave | assign | award | rate | score | grade')}\b"
    rf"[^.;\n\d]{{0,60}}?|\b{any_of('it | this | that | response | answer')}\s+"
    rf"(?:(?:is|was)\s+an?\s+|{any_of('deserves | earns | gets | receives | merits | rates')}\s+(?:an?\s+)?)(?:\w+\s+){{0,2}}?"
    rf"|[给打評评][^\d\n。]{{0,20}}){_OPEN}{_SCORE}"
)
_BRACKETED = compiled(rf"\[\[\s*{_SCORE}")
_LOOSE = compiled(rf"(?<![\w.,/⁄-]){_SCORE}")
_ALONE = compiled(rf"\W{{0,4}}(?:scores?\s+)?{_SCORE}\s*(?:points?|stars?|分|点|점)?\s*[.!]{{0,2}}")
_ITEM = re.compile(r"\d+[.)]")
_ANNOUNCED = compiled(rf"(?:{_HEAD}{_SEPARATOR}?|\b(?:give|gave|rate)\b[^.\n]{{0,40}})[\[({{<\"'`]{{0,4}}[ \t]?$")
_OF_ALL = compiled(
    r"(?:^\W*|[^\w\s]\s*|[总最終终合综綜]\w*|\b"
    + any_of("""
        overall | final | total | summary | numeric | numerical | average | combined | the | my | an? | this | its | your | response |
        quality | so | therefore | thus | and | with
    """)
    + r"\s+)$"
)
_DEFINES = re.compile(r"\s*=|\s*:\s*[^\W\d]")
_SUPERSCRIPT = re.compile(r"[⁰¹²³⁴-⁹₀-₉]")
_FIELDS = ("score", "rating", "grade", "overall", "overall_score", "final_score", "verdict")


@dataclass(frozen=True, slots=True)
class _Stated:
    """One score in a text; `whole` where it is announced as that of the response, not of one aspect."""

    statement: Statement
    match: re.Match[str]
    whole: bool


def read_score(text: str, scale: Scale) -> float:
    """Read the last score that a text means; for a scale of words, 1 for a pass and 0 for a fail.

    Scores of aspects (*clarity: 6/10*) count only where no other is stated. Raises `Unreadable`: ``off_scale`` for a number
    outside the scale or out of another maximum; ``ambiguous`` for a range and for scores of aspects that
    differ; else ``unparsable``.

    >>> read_score("On a scale of 1 to 10: Score: 6 would be harsh. **Score: 7/10**", Scale(1, 10))
    7.0
    """
    if scale.passes:
        return float(read_as(text, PASS_FAIL) == "pass")
    answer = _SUPERSCRIPT.sub("", split_thinking(text)[1])
    plain = unwrapped(plain_text(answer))
    if plain.startswith("{") and plain.endswith("}"):
        return _json_score(answer, scale)
    hidden = mask_quotes(plain, _ANNOUNCED)
    found = sorted(_stated(hidden, scale), key=lambda s: s.statement.end)
    meant = [s for s in found if stands(s.statement, hidden)]
    if not meant and plain.rstrip("` \n").endswith("}"):
        return _json_score(answer, scale)
    if not meant:
        raise Unreadable("unparsable", f"no score in {plain[-80:]!r}")
    return _value(_last(meant).match, scale)


def read_score_value(value: object, scale: Scale) -> float:
    """Read a value that is a score and nothing else, such as a field of a JSON object: ``7``, ``"7/10"``, ``"pass"``.

    Raises `Unreadable` as `read_score` does.
    """
    if scale.passes and (isinstance(value, bool) or value in (0, 1)):
        return float(bool(value))
    if scale.passes:
        return float(read_value(value, PASS_FAIL) == "pass")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return scale.on(float(value))
    match = (
        _ALONE.fullmatch(unwrapped(plain_text(_SUPERSCRIPT.sub("", value)))) if isinstance(value, str) else None
    )
    if match is None:
        raise Unreadable("unparsable", f"{str(value)[:80]!r} is no score")
    return _value(match, scale)


def _stated(text: str, scale: Scale) -> Iterator[_Stated]:
    """Every score that is stated, meant or not."""
    covered: list[tuple[int, int]] = []
    for pattern in (_HEADED, _GIVEN, _BRACKETED):
        for match in pattern.finditer(text):
            if any(a <= match.start("value") < b for a, b in covered) or _is_scale(match, text, scale):
                continue
            covered.append(match.span())
            yield _Stated(_statement(match), match, _is_whole(match, text))
    lines = list(re.finditer(r"[^\n]*\S[^\n]*", text))
    for line in dict.fromkeys([*lines[:1], *lines[-1:]]):
        alone = _ALONE.fullmatch(text, line.start(), line.end())
        is_item = len(lines) > 1 and _ITEM.fullmatch(line[0].strip())
        if alone and not is_item and not any(a <= alone.start("value") < b for a, b in covered):
            covered.append(alone.span())
            yield _Stated(_statement(alone), alone, whole=True)
    for match in _LOOSE.finditer(text):
        of_scale = match["of"] is not None and float(match["of"]) == scale.high
        percent = match["percent"] is not None and scale.high == 100
        if (of_scale or percent) and not any(a <= match.start("value") < b for a, b in covered):
            yield _Stated(_statement(match), match, whole=False)


def _statement(match: re.Match[str]) -> Statement:
    return Statement(match.start(), match.end(), match["value"], "score", headed="head" in match.re.groupindex)


def _is_whole(match: re.Match[str], text: str) -> bool:
    return "head" not in match.re.groupindex or bool(_OF_ALL.search(sentence_before(text, match.start())[-40:]))


def _is_scale(match: re.Match[str], text: str, scale: Scale) -> bool:
    """Whether the numbers are those of the scale, or a line of its legend."""
    ends = (match["value"], match["until"])
    whole = ends[1] is not None and [_number(e) for e in ends if e] == [scale.low, scale.high]
    return whole or bool(_DEFINES.match(text, match.end()))


def _last(meant: list[_Stated]) -> _Stated:
    """The statement that counts; raises `Unreadable` where there are scores of aspects alone, and they differ."""
    whole = [s for s in meant if s.whole]
    if not whole and len({_said(s.match) for s in meant}) > 1:
        raise Unreadable("ambiguous", f"{len(meant)} scores of aspects and none of the whole")
    return (whole or meant)[-1]


def _said(match: re.Match[str]) -> tuple[float, str | None]:
    return _number(match["value"]), match["until"]


def _value(match: re.Match[str], scale: Scale) -> float:
    if match["until"] is not None:
        raise Unreadable("ambiguous", f"a range of scores, {match['value']} to {match['until']}")
    maximum = 100.0 if match["percent"] is not None else None if match["of"] is None else float(match["of"])
    if maximum is not None and maximum != scale.high:
        raise Unreadable("off_scale", f"{match['value']} out of {maximum:g} where {scale.high:g} is the best")
    return scale.on(_number(match["value"]))


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _json_score(answer: str, scale: Scale) -> float:
    """Read the one field of a JSON object that is named like a score, in a text that was not asked for JSON."""
    value = read_json(answer)
    fields = [key for key in value if key.casefold() in _FIELDS]
    if len(fields) != 1:
        raise Unreadable("unparsable", f"a JSON object with the fields {', '.join(value)[:80]}")
    return read_score_value(value[fields[0]], scale)
