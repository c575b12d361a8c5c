"""Prompts are Markdown files, one per ask; filling is one pass and complete.

A file holds one or more *variants* (phrasings of the same instruction), each with a system and a user part:

    --- system ---
    ...
    --- user ---
    ... {{field}} ...

Further variants repeat the two markers. Braces inside a filled-in text are never expanded; a missing or a
surplus field raises. Texts stand between lines such as ``<text>`` and ``</text>``; where a text holds such a
tag itself, the block is called ``<text-2>``, so that no text ends its block or begins another. The offsets of
fields are given back, so that a caller knows how much of the text is shared between sibling requests.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import count

from biasscope.records import Message

FIELD = re.compile(r"\{\{\s*(\w+)\s*\}\}")
"""A named field of a prompt."""
_BLOCK = re.compile(r"^<(\w+)>$", re.MULTILINE)
_PART = re.compile(r"^--- (system|user) ---\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Filled:
    """A filled prompt: its parts, and where each field's text starts in the user part (in characters)."""

    system: str
    user: str
    offsets: Mapping[str, int]

    @property
    def messages(self) -> tuple[Message, ...]:
        """The prompt as messages; an empty system part is left out."""
        user = Message("user", self.user)
        return (Message("system", self.system), user) if self.system else (user,)


@cache
def variants(name: str) -> tuple[tuple[str, str], ...]:
    """Read the (system, user) templates of a prompt file; raises ValueError for a file without that form."""
    text = resources.files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8")
    pieces = _PART.split(text)
    parts = [(pieces[i], pieces[i + 1].strip()) for i in range(1, len(pieces), 2)]
    names = [part for part, _ in parts]
    if pieces[0].strip() or not parts or names != ["system", "user"] * (len(parts) // 2):
        raise ValueError(f"prompt {name!r} must hold pairs of a system and a user part")
    return tuple((parts[i][1], parts[i + 1][1]) for i in range(0, len(parts), 2))


def fill(name: str, /, *, variant: int = 0, **fields: str) -> Filled:
    """Fill variant `variant` (modulo their number) of a prompt.

    Raises ValueError when a field is missing or surplus.
    """
    choices = variants(name)
    return fill_template(name, *choices[variant % len(choices)], fields)


def fill_template(name: str, system: str, user: str, fields: Mapping[str, str]) -> Filled:
    """Fill the two parts of the prompt `name`, perhaps with other words than its file has.

    Raises ValueError when a field is missing or surplus.
    """
    wanted = set(FIELD.findall(system)) | set(FIELD.findall(user))
    if wanted != fields.keys():
        raise ValueError(f"prompt {name!r} takes {sorted(wanted)}, got {sorted(fields)}")
    return fill_parts(system, _set_apart(user, fields.values()), fields)


def fill_parts(system: str, user: str, fields: Mapping[str, str]) -> Filled:
    """Fill the two parts of any prompt in one pass: what is filled in is never read again.

    Raises KeyError for a field that is not given.
    """
    offsets: dict[str, int] = {}
    filled: list[str] = []
    length = position = 0
    for match in FIELD.finditer(user):
        literal = user[position : match.start()]
        length += len(literal)
        offsets.setdefault(match[1], length)
        filled += [literal, fields[match[1]]]
        length += len(fields[match[1]])
        position = match.end()
    filled.append(user[position:])
    return Filled(FIELD.sub(lambda m: fields[m[1]], system), "".join(filled), offsets)


def _set_apart(template: str, texts: Collection[str]) -> str:
    """Give a block another name where a text that is filled in holds its tags."""
    for name in _BLOCK.findall(template):
        tags = re.compile(rf"</?\s*{name}(?:-(\d+))?\s*>", re.IGNORECASE)
        held = {tag[1] for text in texts for tag in tags.finditer(text)}
        if held:
            own = next(f"{name}-{n}" for n in count(2) if str(n) not in held)
            template = template.replace(f"<{name}>", f"<{own}>").replace(f"</{name}>", f"</{own}>")
    return template
