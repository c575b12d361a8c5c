"""The pages of a review as HTML: what each shows, and the templates that show it. Knows no request and no server.

Every text is escaped where it is put out. Pages hold no script and no style of their own; those are files beside them, so
that a policy can forbid everything else.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from biasscope.report.html.diff import Piece, compare
from biasscope.report.seeing import seen
from biasscope.review.board import Progress
from biasscope.review.desk import MOST_NOTE, Said
from biasscope.reviews import Review, ReviewItem

FILES = {
    "review.css": "text/css; charset=utf-8",
    "review.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
"""Files that pages load, with their types."""


@dataclass(frozen=True, slots=True)
class Message:
    """A page that says one thing: a refusal, or what to do."""

    title: str
    words: str


@dataclass(frozen=True, slots=True)
class Welcome:
    """What the personal link opens: who is asked, what for, and the button that begins. `address` is that of the link."""

    title: str
    person: str
    adjudicator: bool
    address: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class Listed:
    """An item in a list: its number in the person's order, and its address."""

    number: int
    address: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """How far a person is, when nothing is open."""

    title: str
    person: str
    adjudicator: bool
    progress: Progress
    skipped: tuple[Listed, ...]
    flagged: tuple[Listed, ...]
    can_undo: bool
    key: str


@dataclass(frozen=True, slots=True)
class Heard:
    """What one reviewer said, for the adjudicator; `name` tells reviewers of an item apart and not who they are."""

    name: str
    better: str
    same_answer: str
    same_content: str
    note: str
    flag: bool


@dataclass(frozen=True, slots=True)
class Question:
    """One question of the form: the name of its field, its words, its choices (value, words, key), and the value chosen."""

    field: str
    words: str
    choices: tuple[tuple[str, str, str], ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class Form:
    """The form of an item: `key`, `version` and `shown` say from which page an answer comes; `stored` that it is whole."""

    address: str
    key: str
    version: int
    shown: str
    questions: tuple[Question, ...]
    flag: bool
    note: str
    stored: bool
    can_undo: bool
    most_note: int = MOST_NOTE


@dataclass(frozen=True, slots=True)
class ItemView:
    """One item with its form. `columns` are the two responses in pieces, `alike` that they are the same text."""

    title: str
    person: str
    adjudicator: bool
    number: int
    progress: Progress
    prompt: str
    columns: tuple[tuple[Piece, ...], tuple[Piece, ...]]
    alike: bool
    heard: tuple[Heard, ...]
    form: Form
    notice: str


_YES_NO = (("yes", "Yes", "y"), ("no", "No", "n"))
_BETTER = (("1", "Response 1", "1"), ("2", "Response 2", "2"), ("tie", "About the same", "t"))
_WORDS = {
    "1": "response 1",
    "2": "response 2",
    "tie": "about the same",
    True: "yes",
    False: "no",
    None: "not answered",
}


def questions(said: Said) -> tuple[Question, ...]:
    """The three questions, with what was said so far."""
    yes_no = {True: "yes", False: "no", None: ""}
    return (
        Question("better", "Which response is better?", _BETTER, said.better or ""),
        Question("same_answer", "The same final answer?", _YES_NO, yes_no[said.same_answer]),
        Question("same_content", "Otherwise the same content?", _YES_NO, yes_no[said.same_content]),
    )


def heard(reviews: Sequence[Review]) -> tuple[Heard, ...]:
    """What reviewers said, as words."""
    return tuple(
        Heard(
            f"Reviewer {number}",
            _WORDS[review.better],
            _WORDS[review.same_answer],
            _WORDS[review.same_content],
            review.note,
            review.flag,
        )
        for number, review in enumerate(reviews, 1)
    )


class Differences:
    """The two responses of an item in pieces, made once: long texts take a moment. May be used by several threads."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[tuple[Piece, ...], tuple[Piece, ...]]] = {}
        self._one_at_a_time = threading.Lock()

    def of(self, item: ReviewItem) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
        """Each response in pieces that the other has too (``same``) or has not (``added``); together they are its text."""
        with self._one_at_a_time:
            if item.id not in self._made:
                one, two = item.response_1, item.response_2
                self._made[item.id] = (_own(one, two), _own(two, one))
            return self._made[item.id]


def _own(text: str, other: str) -> tuple[Piece, ...]:
    return tuple(piece for piece in compare(text, other) if piece.kind != "removed")


def render(view: Message | Welcome | Done | ItemView) -> str:
    """The page of a view."""
    name = {Message: "message", Welcome: "welcome", Done: "done", ItemView: "item"}[type(view)]
    return _environment().get_template(f"{name}.html.jinja").render(view=view)


def file(name: str) -> bytes:
    """The content of one of `FILES`."""
    return resources.files(__package__).joinpath("templates", name).read_bytes()


@cache
def _environment() -> Environment:
    return Environment(
        loader=FunctionLoader(lambda name: file(name).decode("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _visible(value: object) -> object:
    return seen(value) if isinstance(value, str) and not isinstance(value, Markup) else value
