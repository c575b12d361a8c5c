"""Who may review: personal links, and what a browser must show afterwards. Knows no page and no answer.

A link holds a random token; what a browser keeps, and what a form carries, are derived from a secret of the folder, so that
a server that was killed and started again knows its reviewers without asking them anything.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from biasscope.errors import DataError, UsageError
from biasscope.reviews import ADJUDICATOR
from biasscope.rundir.files import named_errors, read_record

FOLDER = ".review"
FILE = "links.json"

MOST_REVIEWERS = 50
"""More people than this review nothing together on one machine; a larger number is a typing error."""

_NAME = re.compile(r"[^\W_](?:[\w .@'-]{0,38}[\w.)])?")


@dataclass(frozen=True, slots=True)
class Links:
    """The secret of a review (hexadecimal) and the token of each person's link, by name."""

    secret: str
    tokens: dict[str, str]

    @property
    def reviewers(self) -> tuple[str, ...]:
        """Everybody but the adjudicator, in the order in which they were added."""
        return tuple(name for name in self.tokens if name != ADJUDICATOR)

    def owner(self, token: str) -> str | None:
        """Whose link holds this token."""
        return self._whose(token, self.tokens)

    def session(self, name: str) -> str:
        """What the browser of this person keeps; new links make it worthless."""
        return self._derived("session", name, self.tokens[name])

    def bearer(self, session: str) -> str | None:
        """Who shows this session."""
        return self._whose(session, {name: self.session(name) for name in self.tokens})

    def form_key(self, name: str) -> str:
        """What every form of this person carries: a page of somebody else's site cannot know it."""
        return self._derived("form", name, self.tokens[name])

    def place(self, item_id: str) -> str:
        """The item's name in addresses, which tells nothing about it."""
        return self._derived("item", item_id)[:20]

    @property
    def cookie(self) -> str:
        """The name of the cookie, of this review alone: browsers send cookies to every port of a machine."""
        return f"biasscope_review_{self._derived('cookie')[:8]}"

    def _derived(self, *parts: str) -> str:
        text = "\x1f".join(parts).encode("utf-8", "surrogatepass")
        return hmac.new(bytes.fromhex(self.secret), text, hashlib.sha256).hexdigest()

    def _whose(self, given: str, known: Mapping[str, str]) -> str | None:
        shown = given.encode("utf-8", "surrogatepass")
        found = [name for name, value in known.items() if hmac.compare_digest(value.encode(), shown)]
        return found[0] if found else None


def parse_reviewers(text: str) -> int | tuple[str, ...]:
    """Read ``3`` as a number of reviewers and ``ana,ben`` as their names.

    Raises UsageError for a number out of range and a name that is none, is taken, or stands there twice.
    """
    if text.strip().isdecimal():
        count = int(text)
        if not 1 <= count <= MOST_REVIEWERS:
            raise UsageError(f"--reviewers {text} is out of range", hint=f"Name 1 to {MOST_REVIEWERS} reviewers.")
        return count
    names = tuple(" ".join(part.split()) for part in text.split(","))
    _check(names)
    return names


def _check(names: Sequence[str]) -> None:
    for name in names:
        if not _NAME.fullmatch(name):
            raise UsageError(
                f"{name!r} is no name of a reviewer",
                hint="A name has up to 40 letters, digits, spaces and .-_'@, such as ana,ben.",
            )
        if name.casefold() == ADJUDICATOR:
            raise UsageError(
                f"no reviewer can be called {name!r}", hint="The adjudicator has a link in any case."
            )
    if len({name.casefold() for name in names}) < len(names):
        raise UsageError("two reviewers have one name", hint="Tell them apart: ana a,ana b.")
    if len(names) > MOST_REVIEWERS:
        raise UsageError(f"{len(names)} reviewers are too many", hint=f"Name at most {MOST_REVIEWERS} reviewers.")


def open_links(run: Path, wanted: int | Sequence[str] | None, *, renew: bool = False) -> Links:
    """The links of a review, which stay when it is started again; whoever is new gets one.

    `wanted` is how many reviewers there should be at least, or the names of those who should be among them; None keeps those
    there are, two at first. `renew` makes every link anew and so ends the old ones. The file can be read by its owner only.
    Raises UsageError as `parse_reviewers` does, DataError for a file that was damaged, and RunError where it cannot be written.
    """
    folder = run / FOLDER
    path = folder / FILE
    known = _read(path) if path.exists() else None
    names = _names(known.reviewers if known else (), wanted)
    tokens = {} if known is None or renew else known.tokens
    secret = secrets.token_hex(32) if known is None else known.secret
    links = Links(secret, {name: tokens.get(name) or secrets.token_urlsafe(24) for name in names})
    with named_errors(path):
        folder.mkdir(mode=0o700, exist_ok=True)
        _write_private(path, json.dumps(asdict(links), ensure_ascii=False, indent=2) + "\n")
    return links


def _names(known: Iterable[str], wanted: int | Sequence[str] | None) -> tuple[str, ...]:
    names = list(known)
    if isinstance(wanted, int) or wanted is None:
        count = wanted if wanted is not None else 0 if names else 2
        free = (f"reviewer-{n}" for n in range(1, 2 * MOST_REVIEWERS) if f"reviewer-{n}" not in names)
        names += [next(free) for _ in range(count - len(names))]
    else:
        here = {name.casefold() for name in names}
        names += [name for name in wanted if name.casefold() not in here]
    _check(names)
    return (*names, ADJUDICATOR)


def _read(path: Path) -> Links:
    hint = "Restore it, or delete it: everybody then gets a new link, and no answer is lost."
    try:
        links = read_record(path, Links)
        bytes.fromhex(links.secret)
        _check(links.reviewers)
    except (DataError, UsageError, ValueError) as error:
        raise DataError(f"the links of the reviewers are damaged: {error}", hint=hint) from error
    if len(links.secret) < 32 or any(len(token) < 16 for token in links.tokens.values()):
        raise DataError(f"the links of the reviewers are damaged: {path} holds a short secret", hint=hint)
    return links


def _write_private(path: Path, text: str) -> None:
    """Write a file that its owner alone can read, from its first byte on, whole or not at all."""
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.unlink(missing_ok=True)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
