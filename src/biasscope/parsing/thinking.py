"""Tell a model's thinking from its answer where both came in one text.

Knows the tags that models and chat templates put around thinking, also when the template wrote the opening tag
(only the closing one is seen) or when the output limit cut the thinking off. It does not know what an answer
looks like: a draft inside the thinking is simply not part of the rest.
"""

from __future__ import annotations

import re

_NAMES = r"think|thinking|thought|thoughts|reasoning|scratchpad|seed:think"
_OPEN = rf"<(?:{_NAMES})(?:\s[^<>]{{0,80}})?>|\[THINK\]|◁think▷|<\|begin_of_thought\|>"
_CLOSE = rf"</(?:{_NAMES})\s*>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>"
_TAG = re.compile(rf"(?P<open>{_OPEN})|(?P<close>{_CLOSE})", re.IGNORECASE)
_QUOTES = {"`": "`", '"': '"', "'": "'", "“": "”", "‘": "’"}
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>")
_CHANNEL_END = re.compile(r"<\|(?:end|return|call|start)\|>")


def split_thinking(text: str) -> tuple[str, str]:
    """Split a text into (thinking, rest), both without the tags.

    A closing tag without an opening one ends thinking that began with the text; an opening tag without a
    closing one starts thinking that lasts to the end, unless it stands in the middle of a line, where it is a
    word of the answer. A tag in quotation marks is always a word. Nested blocks belong to the outer one.
    Texts in channels (``<|channel|>analysis<|message|>``) give the channel ``final`` as the rest.
    """
    if _CHANNEL.search(text):
        return _split_channels(text)
    thinking: list[str] = []
    rest: list[str] = []
    depth = 0
    start = 0  # where the piece that is being read begins
    closed: re.Match[str] | None = None  # the last closing tag inside the open block
    tags = [tag for tag in _TAG.finditer(text) if not _is_quoted(text, tag)]
    last_closing = max((tag.start() for tag in tags if tag["close"]), default=-1)
    for tag in tags:
        if tag["open"]:
            if depth == 0:
                if tag.start() > last_closing and not _starts_line(text, tag.start()):
                    continue
                rest.append(text[start : tag.start()])
                start, closed = tag.end(), None
            depth += 1
        elif depth <= 1:
            if depth == 0:  # the template wrote the opening tag: all that came so far was thinking
                thinking += rest
                rest = []
            thinking.append(text[start : tag.start()])
            depth, start = 0, tag.end()
        else:
            depth, closed = depth - 1, tag
    if depth == 0:
        rest.append(text[start:])
    elif closed is not None:  # an opening tag too many inside the block: its last closing tag ends it
        thinking.append(text[start : closed.start()])
        rest.append(text[closed.end() :])
    else:
        thinking.append(text[start:])
    return _TAG.sub("", "\n".join(thinking)).strip(), "".join(rest).strip() if thinking else text


def _is_quoted(text: str, tag: re.Match[str]) -> bool:
    before, after = text[: tag.start()][-1:], text[tag.end() : tag.end() + 1]
    return bool(before) and _QUOTES.get(before) == after


def _starts_line(text: str, position: int) -> bool:
    return not text[text.rfind("\n", 0, position) + 1 : position].strip()


def _split_channels(text: str) -> tuple[str, str]:
    thinking: list[str] = []
    rest: list[str] = []
    starts = list(_CHANNEL.finditer(text))
    for i, start in enumerate(starts):
        until = starts[i + 1].start() if i + 1 < len(starts) else len(text)
        piece = _CHANNEL_END.split(text[start.end() : until], maxsplit=1)[0]
        (rest if start[1] == "final" else thinking).append(piece)
    return "\n".join(thinking).strip(), "\n".join(rest).strip()
