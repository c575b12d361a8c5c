"""What a format is: how it recognises a file by its columns, and how it reads a row. Does no I/O.

`Format.fit` looks at a *sample* (the first rows) and binds to it, or declines. The format that explains the
most columns is the one; see `recognise`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from biasscope import seeds
from biasscope.datasets.fields import First, content_id, label, optional_text, question, response
from biasscope.datasets.rows import Row
from biasscope.records import Message, PreferencePair

T = TypeVar("T")

Holds = Literal["pairs", "rewrites", "biases"]

ONE_OR_TWO: Mapping[str, First | Literal["tie"]] = {"1": "first", "2": "second"}
"""The label that BiasScope, LLMBar and EvalBiasBench write: the number of the better response."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A pair as a file gives it; `listed` says where the file lists the chosen response.

    `listed` is None where the columns name the roles themselves, so that a position means nothing.
    """

    pair: PreferencePair
    listed: First | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """The first rows of a file and every column that occurs in them."""

    path: str
    rows: tuple[Row, ...]

    @property
    def columns(self) -> frozenset[str]:
        """All columns of the sample."""
        return frozenset(column for row in self.rows for column in row.values)

    def values(self, column: str) -> tuple[object, ...]:
        """All values of a column that are not null."""
        return tuple(row.values[column] for row in self.rows if row.values.get(column) is not None)


@dataclass(frozen=True, slots=True)
class Fit(Generic[T]):
    """A format bound to a file: the columns it explains, and how a row is read."""

    columns: frozenset[str]
    read: Callable[[Row], Iterable[T]]


@dataclass(frozen=True, slots=True)
class Format(Generic[T]):
    """One format: its name, the columns it wants (for messages), what it holds, and how it binds to a file.

    `looks` is asked only when a format must be recognised: it looks at values where two formats have the same
    columns. With a format given by name it is not asked, so that a wrong value is reported with its place.
    """

    name: str
    wants: str
    holds: Holds
    fit: Callable[[Sample], Fit[T] | None]
    looks: Callable[[Sample], bool] = lambda _: True


def by_columns(columns: Sequence[str], read: Callable[[Row], Iterable[T]]) -> Callable[[Sample], Fit[T] | None]:
    """Build the plainest `fit`: the file has all these columns."""
    wanted = frozenset(columns)
    return lambda sample: Fit(wanted, read) if wanted <= sample.columns else None


def two_responses(
    row: Row,
    columns: tuple[str, str, str],
    better: First,
    *,
    id_column: str = "",
    domain: str = "all",
    source: str = "",
    objective: bool = False,
) -> Reading:
    """Read a row of the kind prompt, two responses, label; `columns` names the first three."""
    prompt = question(row, columns[0])
    first, second = response(row, columns[1]), response(row, columns[2])
    chosen, rejected = (first, second) if better == "first" else (second, first)
    pair = PreferencePair(
        id=optional_text(row, id_column) or pair_content_id(prompt, chosen, rejected),
        prompt=prompt,
        chosen=chosen,
        rejected=rejected,
        domain=domain,
        source=source,
        objective=objective,
    )
    return Reading(pair, better)


def labelled_one_or_two(row: Row) -> First:
    """Read the column `label` as 1 or 2."""
    return label(row, "label", ONE_OR_TWO)


def pair_content_id(prompt: Sequence[Message], chosen: str, rejected: str) -> str:
    """Make the id of a pair that has none from its texts."""
    return content_id([[m.role, m.content] for m in prompt], chosen, rejected)


def draw_roles(prompt: Sequence[Message], first: str, second: str) -> tuple[str, str]:
    """Draw (chosen, rejected) of a pair nobody has labelled, by seed from its texts.

    The order in which the file lists the two does not enter.
    """
    low, high = sorted((first, second))
    words = [m.content for m in prompt]
    return (low, high) if seeds.pick(2, "roles of an unlabelled pair", *words, low, high) else (high, low)
