"""Which rows can be trained on, as tokens; what is left out is counted with its reason. Pure: tokens come from a parameter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from biasscope.errors import BiasscopeError, DataError
from biasscope.training.rows import TrainingRow

LeftOut = Literal["equal", "empty", "over_long", "split", "template"]
"""Why a row is not trained on."""

REASONS: dict[LeftOut, str] = {
    "equal": "chosen and rejected are the same",
    "empty": "a prompt or a reply is empty",
    "over_long": "longer than the most tokens of a row",
    "split": "the prompt becomes other tokens when the reply follows it",
    "template": "the chat template refuses the conversation, or writes the prompt otherwise when the reply follows it",
}
FEWEST = 20
"""Rows below which nothing is trained."""


class Encoder(Protocol):
    """What a model makes of texts and conversations."""

    def encode(self, row: TrainingRow) -> tuple[list[int], list[int], list[int]] | None:
        """The prompt alone, and with each reply behind it to the end of its turn, as tokens.

        None where a chat template writes the prompt otherwise when a reply follows; raises BiasscopeError where it
        refuses the conversation.
        """
        ...


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A row as tokens: the prompt's, then each reply's with the end of its turn."""

    prompt: tuple[int, ...]
    chosen: tuple[int, ...]
    rejected: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """The rows that can be trained on, in the order of the file, and (reason, where it stood) of each other one."""

    kept: tuple[TokenRow, ...]
    left_out: tuple[tuple[LeftOut, str], ...]

    @property
    def counts(self) -> dict[LeftOut, int]:
        """How many rows were left out, by reason, in the order of `REASONS`."""
        found = Counter(reason for reason, _ in self.left_out)
        return {reason: found[reason] for reason in REASONS if found[reason]}


def check_rows(rows: Iterable[TrainingRow], encoder: Encoder, *, longest: int) -> Checked:
    """Turn rows into tokens; a row is left out for the first reason in `REASONS` that holds. `longest` counts tokens."""
    kept: list[TokenRow] = []
    left_out: list[tuple[LeftOut, str]] = []
    for row in rows:
        found = _checked(row, encoder, longest)
        if isinstance(found, TokenRow):
            kept.append(found)
        else:
            left_out.append((found, row.where))
    return Checked(tuple(kept), tuple(left_out))


def require_enough(checked: Checked, source: str, *, longest: int) -> None:
    """Raise DataError where fewer than `FEWEST` rows are left, saying what became of the others."""
    if len(checked.kept) >= FEWEST:
        return
    why = "; ".join(f"{count} left out: {REASONS[reason]}" for reason, count in checked.counts.items())
    places = ", ".join(where for _, where in checked.left_out[:3])
    raise DataError(
        f"{source} has {len(checked.kept)} pairs to train on, and at least {FEWEST} are needed"
        + (f" ({why}; first at {places})" if why else ""),
        hint=f"Give more pairs, or raise --max-length (now {longest} tokens)."
        if "over_long" in checked.counts
        else "Give more pairs; biasscope mitigate data makes them.",
    )


def _checked(row: TrainingRow, encoder: Encoder, longest: int) -> TokenRow | LeftOut:
    if row.chosen == row.rejected:
        return "equal"
    before = row.prompt if isinstance(row.prompt, str) else "".join(m.content for m in row.prompt)
    if not all(text.strip() for text in (before, row.chosen, row.rejected)):
        return "empty"
    try:
        encoded = encoder.encode(row)
    except BiasscopeError:
        return "template"
    if encoded is None:
        return "template"
    prompt, *whole = encoded
    if any(len(tokens) > longest for tokens in whole):
        return "over_long"
    if any(tokens[: len(prompt)] != prompt or len(tokens) == len(prompt) for tokens in whole):
        return "split"
    chosen, rejected = (tuple(tokens[len(prompt) :]) for tokens in whole)
    return "equal" if chosen == rejected else TokenRow(tuple(prompt), chosen, rejected)


def longest_row(rows: Sequence[TokenRow]) -> int:
    """The most tokens of a prompt with a reply; 0 without rows."""
    return max((len(r.prompt) + max(len(r.chosen), len(r.rejected)) for r in rows), default=0)
