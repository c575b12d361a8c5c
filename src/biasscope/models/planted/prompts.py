"""Reading the real prompts back: what a planted model was asked. Knows the blocks of the prompt files, not their
wording; decides nothing.

A prompt is told by its outermost ``<block>`` lines, so rewording a prompt file changes nothing here while
renaming a block does. Whatever is not recognised raises BadRequest: a planted model never guesses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal, TypeAlias

from biasscope.ask import Request
from biasscope.errors import BadRequest
from biasscope.prompts import variants
from biasscope.records import Message


@dataclass(frozen=True, slots=True)
class ToJudge:
    """Which of two responses is better: with reasons, or by a label alone; perhaps beside a reference answer.

    `instructions` is the system part of the prompt, which a guard extends.
    """

    question: str
    first: str
    second: str
    mode: Literal["reason", "label"]
    reference: str | None = None
    labels: tuple[str, str] = ("1", "2")
    instructions: str = field(default="", compare=False)

    def response(self, slot: int) -> str:
        """The response in slot 1 or 2."""
        return self.first if slot == 1 else self.second


@dataclass(frozen=True, slots=True)
class ToScore:
    """How good is one response, from `low` (worst, perhaps the higher number) to `high`; in words where `passes`."""

    question: str
    response: str
    low: float
    high: float
    passes: bool = False
    reference: str | None = None
    instructions: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class ToAnswer:
    """What is the judge's own answer to a question."""

    question: str


@dataclass(frozen=True, slots=True)
class ToExplain:
    """Why the response in slot `preferred` (0 where there was one alone) was judged so.

    `deeper` asks for an account of the explanation.
    """

    judged: ToJudge | ToScore
    preferred: int
    deeper: bool


@dataclass(frozen=True, slots=True)
class ToRewrite:
    """Rewrite `text`, an answer to `question`; `trait` is (name, definition), or None for other words only."""

    question: str
    text: str
    trait: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class ToCondense:
    """Say `text`, an answer to `question`, in `words` words."""

    question: str
    text: str
    words: int


@dataclass(frozen=True, slots=True)
class ToIdentify:
    """Name the bias that a judge's own account shows; `known` are the lines of the library."""

    question: str
    better: str
    preferred: str
    reasoning: str
    deeper: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToMerge:
    """Is `entry` (name, definition) one of `known`, (number, text) each."""

    entry: tuple[str, str]
    known: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class ToCheck:
    """Does `text` show `trait` (name, definition)."""

    trait: tuple[str, str]
    text: str


Asked: TypeAlias = (
    ToJudge | ToScore | ToAnswer | ToExplain | ToRewrite | ToCondense | ToIdentify | ToMerge | ToCheck
)

_TAGS = (
    "prompt", "reference", "response", r"response_\w{1,8}", "trait", "text", "words", "entry", "known",
    "better_response", "preferred_response", "reasoning", "deeper_reasoning",
)  # fmt: skip
_OPEN = re.compile(rf"^<(({'|'.join(_TAGS)})(?:-\d+)?)>\n", re.MULTILINE)
_NUMBERED = re.compile(r"^\W*(\d+)\W+(.*)$")
_ENDS = re.compile(r"from (-?\d+(?:\.\d+)?) \((worst|best)\) to (-?\d+(?:\.\d+)?) \((?:worst|best)\)")
_RESPONSE = "response_"
_SHOWN = 80


def read_prompt(request: Request) -> Asked:
    """Say what a request asks for; raises BadRequest for anything but the project's own prompts."""
    turns = [m for m in request.messages if m.role != "system"]
    if not turns or turns[-1].role != "user":
        raise BadRequest("the request ends with no user message", status=400)
    system = "\n\n".join(m.content for m in request.messages if m.role == "system")
    if len(turns) > 1:
        return _read_follow_up(turns)
    asked = _read_opening(turns[0].content)
    return replace(asked, instructions=system) if isinstance(asked, ToJudge | ToScore) else asked


def _read_opening(text: str) -> Asked:
    blocks, tail = _read_blocks(text)
    match tuple(blocks):
        case ("prompt", one, other) if one.startswith(_RESPONSE) and other.startswith(_RESPONSE):
            labels = one.removeprefix(_RESPONSE), other.removeprefix(_RESPONSE)
            return ToJudge(blocks["prompt"], blocks[one], blocks[other], _mode(tail, labels), labels=labels)
        case ("prompt", "reference", one, other) if one.startswith(_RESPONSE) and other.startswith(_RESPONSE):
            labels = one.removeprefix(_RESPONSE), other.removeprefix(_RESPONSE)
            question, reference, first, second = blocks.values()
            return ToJudge(question, first, second, _mode(tail, labels), reference, labels)
        case ("prompt", "response") | ("prompt", "reference", "response"):
            return ToScore(blocks["prompt"], blocks["response"], *_scale(tail), blocks.get("reference"))
        case ("trait", "prompt", "text"):
            return ToRewrite(blocks["prompt"], blocks["text"], _entry(blocks["trait"]))
        case ("prompt",):
            return ToAnswer(blocks["prompt"])
        case ("prompt", "text"):
            return ToRewrite(blocks["prompt"], blocks["text"], None)
        case ("prompt", "text", "words") if blocks["words"].isdecimal():
            return ToCondense(blocks["prompt"], blocks["text"], int(blocks["words"]))
        case ("trait", "text"):
            return ToCheck(_entry(blocks["trait"]), blocks["text"])
        case ("entry", "known"):
            return ToMerge(_entry(blocks["entry"]), tuple(_numbered(blocks["known"])))
        case ("prompt", "better_response", "preferred_response", "reasoning", "deeper_reasoning", "known"):
            question, better, preferred, reasoning, deeper, known = blocks.values()
            lines = tuple(line for line in known.splitlines() if line.strip())
            return ToIdentify(question, better, preferred, reasoning, deeper, lines)
    raise _unknown(text)


def _read_follow_up(turns: list[Message]) -> ToExplain:
    judged = _read_opening(turns[0].content)
    question = turns[-1].content
    if isinstance(judged, ToJudge | ToScore) and [m.role for m in turns[1::2]] == ["assistant"] * (
        len(turns) // 2
    ):
        alone = isinstance(judged, ToScore)
        for name in ("explain_score", "deepen_score") if alone else ("explain", "explain_lean", "deepen"):
            for pattern in _follow_ups(name):
                if found := pattern.search(question):
                    return ToExplain(judged, 0 if alone else int(found[1]), deeper=name.startswith("deepen"))
    raise _unknown(question)


@cache
def _follow_ups(name: str) -> tuple[re.Pattern[str], ...]:
    """Patterns of a follow-up prompt's variants; it has no blocks, so its own words are the mark."""
    return tuple(
        re.compile("([12])".join(re.escape(part) for part in user.split("{{preferred}}", 1)))
        for _, user in variants(name)
    )


def _read_blocks(text: str) -> tuple[dict[str, str], str]:
    """Read the outermost blocks in order, and what follows the last one.

    A block's text may hold any tag of another block; a tag that was already seen belongs to the text around
    it, and the last block ends at the last closing line.
    """
    blocks: dict[str, str] = {}
    position = start = 0
    tag = name = ""
    while found := _OPEN.search(text, position):
        if found[2] in blocks:
            position = found.end()
            continue
        tag, name, start = found[1], found[2], found.end()
        end = text.find(f"\n</{tag}>", start)
        if end < 0:
            raise BadRequest(f"the block <{tag}> of the prompt is not closed", status=400)
        blocks[name] = text[start:end]
        position = end
    if not blocks:
        return blocks, text
    end = text.rindex(f"\n</{tag}>")
    blocks[name] = text[start:end]
    return blocks, text[end + len(tag) + 4 :]


def _mode(tail: str, labels: tuple[str, str]) -> Literal["reason", "label"]:
    one, other = labels
    if f"Verdict: {one}" in tail and f"Verdict: {other}" in tail:
        return "reason"
    if re.search(rf"\b{one} or {other}\b", tail):
        return "label"
    raise BadRequest(f"the prompt offers no verdict that is known: {tail.strip()[:_SHOWN]!r}", status=400)


def _scale(tail: str) -> tuple[float, float, bool]:
    """The worst and the best score, and whether they are words."""
    if "Verdict: pass" in tail and "Verdict: fail" in tail:
        return 0.0, 1.0, True
    if found := _ENDS.search(tail):
        ends = float(found[1]), float(found[3])
        return (*(ends if found[2] == "worst" else ends[::-1]), False)
    raise BadRequest(f"the prompt offers no scale that is known: {tail.strip()[:_SHOWN]!r}", status=400)


def _entry(text: str) -> tuple[str, str]:
    name, _, definition = text.partition(": ")
    return name.strip(), definition.strip()


def _numbered(known: str) -> list[tuple[int, str]]:
    return [(int(found[1]), found[2]) for line in known.splitlines() if (found := _NUMBERED.match(line))]


def _unknown(text: str) -> BadRequest:
    return BadRequest(
        f"a planted model reads the project's own prompts only, not {text.strip()[:_SHOWN]!r}",
        hint="Use a real or scripted model for other prompts.",
        status=400,
    )
