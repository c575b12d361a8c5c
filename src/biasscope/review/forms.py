"""What browsers send: read within bounds, and refused where no page of ours sends it."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterable
from dataclasses import dataclass
from urllib.parse import parse_qsl

from biasscope.review.desk import Said

MOST_BYTES = 65_536
"""Bytes of a form; a note of the longest takes about a tenth."""

_MOST_FIELDS = 20
_YES_NO = {"": None, "yes": True, "no": False}


class Refused(Exception):
    """A request that gets a page with a reason: `status` is that of HTTP, `title` and `words` what a person reads."""

    def __init__(self, status: int, title: str, words: str) -> None:
        super().__init__(title)
        self.status = status
        self.title = title
        self.words = words


@dataclass(frozen=True, slots=True)
class Sent:
    """The form of an item: what was said, what to do with it, and from which page it comes."""

    said: Said
    do: str
    version: int
    shown: str


async def read_fields(kind: str, body: AsyncIterable[bytes]) -> dict[str, str]:
    """Read the fields of a form of content type `kind`; raises Refused for another kind, too much, or none that is one."""
    if kind.partition(";")[0].strip().lower() != "application/x-www-form-urlencoded":
        raise _unreadable(415)
    content = bytearray()
    async for part in body:
        content += part
        if len(content) > MOST_BYTES:
            raise Refused(413, "That is too long", "Nothing was stored. Go back and make the note shorter.")
    try:
        pairs = parse_qsl(
            content.decode("utf-8"), keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS
        )
    except ValueError as error:
        raise _unreadable(400) from error
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise _unreadable(400)
    return fields


def check_key(fields: dict[str, str], key: str) -> None:
    """Raise Refused where a form does not carry the key of the person who sends it."""
    if not hmac.compare_digest(fields.get("key", "").encode(), key.encode()):
        raise Refused(
            403,
            "This page belongs to another link",
            "Nothing was stored. It was opened before another personal link was used in this browser, or before new links "
            "were made. Open your own link again.",
        )


def read_sent(fields: dict[str, str]) -> Sent:
    """Read the form of an item; raises Refused for a value that no page of ours has."""
    better, version = fields.get("better", ""), fields.get("version", "")
    answer, content = fields.get("same_answer", ""), fields.get("same_content", "")
    do = fields.get("do", "save")
    known = (
        better in ("", "1", "2", "tie")
        and answer in _YES_NO
        and content in _YES_NO
        and do in ("keep", "save", "skip")
        and fields.get("flag", "") in ("", "yes")
        and version.isascii()
        and version.isdecimal()
        and len(version) < 10
    )
    if not known:
        raise _unreadable(400)
    said = Said(
        better=better or None,  # type: ignore[arg-type]  # one of its values, as was checked
        same_answer=_YES_NO[answer],
        same_content=_YES_NO[content],
        flag=fields.get("flag") == "yes",
        note=fields.get("note", "").replace("\r\n", "\n").strip(),
    )
    return Sent(said, do, int(version), fields.get("shown", ""))


def _unreadable(status: int) -> Refused:
    return Refused(
        status, "This form cannot be read", "Nothing was stored. Go back, load the page again and answer anew."
    )
