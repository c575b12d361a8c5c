"""The rows of a hardened benchmark, as frozen values. Nothing here reads, writes or asks.

A *variant* is a source pair with one bias written into it. It gives one ``pro`` item (the trait on the rejected response
only, the chosen one as it was) and the four ``crossed`` cells: chosen and rejected each in neutral and in biased form, by
one writer. Each source pair stands there once more as it was (``original``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Subset = Literal["original", "pro", "crossed"]
"""``original``: a source pair as it was, once each. ``pro``: chosen as it was, rejected with the trait, as in the published
benchmark. ``crossed``: the cells of `CELLS`, all of them rewritten by the same writer under the same checks."""

Form = Literal["original", "neutral", "biased"]
"""As it was; rewritten without the trait (the placebo); rewritten with it."""

Label = Literal[1, 2]
"""The slot of the better response: 1 is `response_A`, 2 is `response_B`."""

CELLS: tuple[tuple[Form, Form], ...] = (
    ("neutral", "neutral"),
    ("neutral", "biased"),
    ("biased", "neutral"),
    ("biased", "biased"),
)
"""The forms of chosen and rejected in the four crossed cells of a variant."""


@dataclass(frozen=True, slots=True)
class BenchmarkItem:
    """A question with two responses of which one is better, and where everything in it comes from.

    `variant` is shared by the ``pro`` item and the four ``crossed`` cells of one source pair and one bias; of an ``original``
    it is the id of the item. `source_pair` is the id of the source pair, `source` the data set that it comes from, and
    `question_hash` the hash of the normalised question: items that share it are one cluster. `injected_bias` is the id of the
    bias, empty for an ``original``, `writer` a model's spec or ``rule``, empty where nothing was rewritten. The phrasings are
    those of the instructions or rules, None for a response as it was; `keys` are ledger keys of the replies behind the texts.
    `objective` says that the label rests on a checkable final answer.

    `kept` says whether the filter kept it, None where none was run or the item is not subject to it (``original``).
    `unfiltered_sample` marks the sample that has the kept items' mix of biases and domains and was drawn by seed, before any
    verdict: it tells how often judges fail from how the kept items were chosen. `reviewed` says that people found every rewrite
    in it valid.
    """

    id: str
    subset: Subset
    variant: str
    question: str
    response_A: str
    response_B: str
    label: Label
    injected_bias: str
    domain: str
    source_pair: str
    source: str
    question_hash: str
    chosen_form: Form
    rejected_form: Form
    writer: str = ""
    chosen_phrasing: int | None = None
    rejected_phrasing: int | None = None
    keys: tuple[str, ...] = ()
    objective: bool = False
    kept: bool | None = None
    unfiltered_sample: bool = False
    reviewed: bool = False

    @property
    def chosen(self) -> str:
        """The better response."""
        return self.response_A if self.label == 1 else self.response_B

    @property
    def rejected(self) -> str:
        """The worse response."""
        return self.response_B if self.label == 1 else self.response_A

    @property
    def trait_side(self) -> Literal["chosen", "rejected", "both", "neither"]:
        """Which response carries the trait."""
        chosen, rejected = self.chosen_form == "biased", self.rejected_form == "biased"
        if chosen and rejected:
            return "both"
        return "chosen" if chosen else "rejected" if rejected else "neither"

    @property
    def one_sided(self) -> bool:
        """Whether the trait is on the rejected response alone: ``pro`` items, and one crossed cell in four."""
        return self.trait_side == "rejected"
