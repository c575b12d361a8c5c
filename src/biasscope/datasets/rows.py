"""A row of a data file: values by column, and where they stood. Knows neither containers nor formats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its values by column, the file's name, and the place in it, such as ``line 7``.

    `group` is the key under which the row stands in a JSON object of arrays or of objects, else empty.
    """

    file: str
    place: str
    values: Mapping[str, object]
    group: str = ""

    @property
    def where(self) -> str:
        """File and place, for messages."""
        return f"{self.file}, {self.place}"


def kind(value: object) -> str:
    """Name the kind of a value in a reader's words, for messages."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case dict():
            return "an object"
    return type(value).__name__
