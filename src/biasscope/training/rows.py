"""Rows to train on, in the two formats that TRL takes: texts, or conversations. Reads files and knows no tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biasscope.datasets.json_rows import json_lines
from biasscope.datasets.rows import Row, kind
from biasscope.errors import DataError
from biasscope.records import Message

HINT = 'A row is {"prompt": ..., "chosen": ..., "rejected": ...}, each a text or a list of {"role": ..., "content": ...}.'


@dataclass(frozen=True, slots=True)
class TrainingRow:
    """A prompt, a chosen and a rejected reply; `where` is its file and line.

    A prompt that is a text is gone on from as it stands; one of messages goes through the model's chat template.
    """

    where: str
    prompt: str | tuple[Message, ...]
    chosen: str
    rejected: str


def read_rows(path: Path) -> list[TrainingRow]:
    """Read a JSON lines file; further columns are left aside.

    A conversation without a `prompt` has it as what both replies begin with. Raises DataError naming the line that is of
    neither format, or holds both.
    """
    try:
        rows = [_row(row) for row in json_lines(path)]
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}", hint=HINT) from error
    if not rows:
        raise DataError(f"{path} holds no row", hint=HINT)
    other = next((r for r in rows if isinstance(r.prompt, str) != isinstance(rows[0].prompt, str)), None)
    if other is not None:
        raise DataError(
            f"{other.where}: texts and conversations in one file; the first row is the other kind", hint=HINT
        )
    return rows


def _row(row: Row) -> TrainingRow:
    prompt, chosen, rejected = (row.values.get(name) for name in ("prompt", "chosen", "rejected"))
    if isinstance(prompt, str) and isinstance(chosen, str) and isinstance(rejected, str):
        return TrainingRow(row.where, prompt, chosen, rejected)
    if isinstance(chosen, list) and isinstance(rejected, list):
        if isinstance(prompt, list):
            before, good, bad = (_messages(row, v) for v in (prompt, chosen, rejected))
            return TrainingRow(row.where, before, _reply(row, good), _reply(row, bad))
        if prompt is None:
            return _without_prompt(row, _messages(row, chosen), _messages(row, rejected))
    found = ", ".join(f"{name} is {kind(row.values.get(name))}" for name in ("prompt", "chosen", "rejected"))
    raise DataError(f"{row.where}: {found}", hint=HINT)


def _without_prompt(row: Row, chosen: tuple[Message, ...], rejected: tuple[Message, ...]) -> TrainingRow:
    if not chosen[:-1] or chosen[:-1] != rejected[:-1]:
        raise DataError(f"{row.where}: the two conversations differ before their last turn", hint=HINT)
    return TrainingRow(row.where, chosen[:-1], _reply(row, chosen[-1:]), _reply(row, rejected[-1:]))


def _messages(row: Row, values: Sequence[Any]) -> tuple[Message, ...]:
    return tuple(_message(row, value) for value in values)


def _message(row: Row, value: Any) -> Message:
    match value:
        case {"role": "system" | "user" | "assistant" as role, "content": str(content)}:
            return Message(role, content)
    raise DataError(f"{row.where}: a turn is no system, user or assistant message with a text", hint=HINT)


def _reply(row: Row, turns: tuple[Message, ...]) -> str:
    if len(turns) != 1 or turns[0].role != "assistant":
        raise DataError(f"{row.where}: a reply is not one message of the assistant", hint=HINT)
    return turns[0].content
