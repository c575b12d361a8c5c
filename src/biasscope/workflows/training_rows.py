"""Rows of training data as TRL reads them: three columns and no other, as texts or as lists of messages. Pure.

What else is known of a row stands in a record of its own (`RowOrigin`), by the number of its line: a column beside the three
could be one that a trainer takes for something, such as images or tools.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from biasscope.config import JudgeMode, TrainingFormat
from biasscope.judges.base import Presentation
from biasscope.judges.pairwise import OURS, PairwiseAsk
from biasscope.records import ORDERS, ORIGINAL, Message, Order, RewrittenSide
from biasscope.seeds import derive_seed, pick, question_hash
from biasscope.workflows.training_data import ComposedRow

Part = Literal["plain", "augmented"]


@dataclass(frozen=True, slots=True)
class StandardRow:
    """A row as texts. A trainer puts a completion right behind the prompt, which therefore ends with a line of its own."""

    prompt: str
    chosen: str
    rejected: str


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """A row as lists of messages, to which a trainer applies the chat template of its model."""

    prompt: tuple[Message, ...]
    chosen: tuple[Message, ...]
    rejected: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class RowOrigin:
    """Where a row comes from. `row` is the number of its line, from 1, in every file of rows.

    `source_pair` is the id of the pair in `data`, `source` what that says where it is from, `question_hash` the hash of the normalised question. `bias` is the id of the
    trait on the response `side`, empty for a plain row; `writer` wrote both texts of an augmented row, by these phrasings, and
    `keys` are ledger keys of the replies behind them. `slot` is that of the better response in a judge's prompt, 1 or 2.
    """

    row: int
    id: str
    part: Part
    data: str
    source: str
    source_pair: str
    question_hash: str
    domain: str
    bias: str
    side: RewrittenSide | None
    writer: str
    chosen_phrasing: int | None
    rejected_phrasing: int | None
    keys: tuple[str, ...]
    slot: int | None
    objective: bool


def draw_orders(rows: Sequence[ComposedRow], *, seed: int = 0) -> dict[str, Order]:
    """The order in which a judge is shown each row, by its id: as many better responses in one slot as in the other.

    So it is within every bias and side and over all rows, to within one, so that no slot is learned with a trait or without.
    """
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in rows:
        groups[row.bias, row.side or ""].append(row.id)
    turn = pick(2, "odd slot", seed)
    orders: dict[str, Order] = {}
    for group in sorted(groups):
        drawn = sorted(groups[group], key=lambda name: (derive_seed("slot", seed, name), name))
        orders |= {name: ORDERS[(turn + number) % 2] for number, name in enumerate(drawn)}
        turn = (turn + len(drawn)) % 2
    return orders


def response_row(row: ComposedRow, form: TrainingFormat) -> StandardRow | ConversationRow:
    """A prompt with two responses."""
    if form == "standard":
        return _standard(row.pair.question, "Response", row.chosen, row.rejected)
    return _conversation(row.pair.prompt, row.chosen, row.rejected)


def judge_row(
    row: ComposedRow, form: TrainingFormat, mode: JudgeMode, order: Order
) -> StandardRow | ConversationRow:
    """The prompt of our pairwise judge on the two responses, with the right verdict and the wrong one.

    In mode ``label`` a verdict is the label alone, in mode ``reason`` the line that ends a reply, without reasons before it.
    """
    shown = Presentation(row.pair, ORIGINAL, order, row.chosen, row.rejected)
    messages = PairwiseAsk(shown, mode).filled().messages
    first, second = (label if mode == "label" else f"Verdict: {label}" for label in OURS.labels)
    right, wrong = (first, second) if order == "chosen_first" else (second, first)
    if form == "standard":
        return _standard("\n\n".join(m.content for m in messages), "Answer", right, wrong)
    return _conversation(messages, right, wrong)


def origin(row: ComposedRow, number: int, data: str, order: Order | None) -> RowOrigin:
    """The record of a row that stands in line `number` and is made of `data`; `order` is None where no judge is trained."""
    return RowOrigin(
        row=number,
        id=row.id,
        part="augmented" if row.bias else "plain",
        data=data,
        source=row.pair.source,
        source_pair=row.pair.id,
        question_hash=question_hash(row.pair.question),
        domain=row.pair.domain,
        bias=row.bias,
        side=row.side,
        writer=row.writer,
        chosen_phrasing=row.chosen_phrasing,
        rejected_phrasing=row.rejected_phrasing,
        keys=row.keys,
        slot=None if order is None else 1 + ORDERS.index(order),
        objective=row.pair.objective,
    )


def as_it_was(row: ComposedRow) -> ComposedRow:
    """The same row without augmentation: its pair as it was."""
    return ComposedRow(row.id, row.pair, row.pair.chosen, row.pair.rejected)


def _standard(prompt: str, head: str, chosen: str, rejected: str) -> StandardRow:
    # One line end before the completion and none at its start: tokenizers cut there, whatever comes behind.
    return StandardRow(f"{prompt.rstrip()}\n\n{head}:\n", chosen.lstrip(), rejected.lstrip())


def _conversation(prompt: tuple[Message, ...], chosen: str, rejected: str) -> ConversationRow:
    return ConversationRow(prompt, (Message("assistant", chosen),), (Message("assistant", rejected),))
