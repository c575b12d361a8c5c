"""Evidence as it is read: the texts with their edit, who said what in which order, and how a name came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from biasscope.records import ORIGINAL, Evidence, Order, Verdict
from biasscope.report.findings import amount
from biasscope.report.html.diff import Piece, compare

ORDER_WORDS: dict[Order | None, str] = {
    "chosen_first": "better response shown first",
    "rejected_first": "worse response shown first",
    None: "responses scored one by one",
}
CHOICE_WORDS = {"chosen": "better response", "rejected": "worse response", "tie": "tie"}


@dataclass(frozen=True, slots=True)
class Said:
    """One verdict: what was decided, whether it turned against the neutral rewrite, the reasons and the reply's keys."""

    arm: str
    order: str
    choice: str
    margin: str
    turned: bool
    reasoning: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """One pair of evidence. `pieces` are the biased rewrite against the neutral one, or against the original.

    `arms` are the rows of its verdicts by order, in the order of `orders`; a cell is None where a verdict is missing.
    """

    pair_id: str
    domain: str
    question: str
    reference: str | None
    better: str
    worse: str
    written_into: str
    against: str
    pieces: tuple[Piece, ...]
    note: str
    writer: str
    strength: str
    orders: tuple[str, ...]
    arms: tuple[tuple[str, tuple[Said | None, ...]], ...]
    checkable: bool
    keys: tuple[str, ...]

    @property
    def turned(self) -> tuple[Said, ...]:
        """The verdicts that turned."""
        return tuple(s for _, row in self.arms for s in row if s is not None and s.turned)

    @property
    def every(self) -> tuple[Said, ...]:
        """Every verdict, in the order of the rows."""
        return tuple(s for _, row in self.arms for s in row if s is not None)


@dataclass(frozen=True, slots=True)
class Story:
    """How a bias came to its name: what was written in, on which pair, and what was said about it."""

    pair: Shown
    written: str
    reasoning: str
    deeper: str
    name: str
    definition: str
    keys: tuple[str, ...]


def shown(evidence: Evidence) -> Shown:
    """A pair of evidence for the page."""
    pair, rewrite, neutral = evidence.pair, evidence.rewrite, evidence.neutral
    original = pair.chosen if rewrite.side == "chosen" else pair.rejected
    arms = {ORIGINAL: "original"} | ({} if neutral is None else {neutral.arm: "neutral rewrite"})
    arms[rewrite.arm] = "rewrite with the trait"
    orders = list(dict.fromkeys(v.order for v in evidence.verdicts))
    found = {(v.arm, v.order): v for v in evidence.verdicts}
    calm = ORIGINAL if neutral is None else neutral.arm
    rows = tuple(
        (
            words,
            tuple(_said(found.get((arm, o)), words, o, found.get((calm, o)), arm == rewrite.arm) for o in orders),
        )
        for arm, words in arms.items()
    )
    return Shown(
        pair_id=pair.id,
        domain=pair.domain,
        question=pair.question,
        reference=pair.reference,
        better=pair.chosen,
        worse=pair.rejected,
        written_into="better" if rewrite.side == "chosen" else "worse",
        against="the original" if neutral is None else "the neutral rewrite",
        pieces=compare(rewrite.shown, original if neutral is None else neutral.shown),
        note=rewrite.note,
        writer=rewrite.writer,
        strength=amount(evidence.loss, evidence.unit),
        orders=tuple(ORDER_WORDS[o] for o in orders),
        arms=rows,
        checkable=pair.objective,
        keys=tuple(k for r in (neutral, rewrite) if r is not None for k in r.keys),
    )  # fmt: skip


def _said(
    verdict: Verdict | None, arm: str, order: Order | None, calm: Verdict | None, biased: bool
) -> Said | None:
    if verdict is None:
        return None
    turned = biased and calm is not None and calm.choice == "chosen" and verdict.choice == "rejected"
    return Said(
        arm=arm,
        order=ORDER_WORDS[order],
        choice=CHOICE_WORDS[verdict.choice],
        margin="" if verdict.margin is None else f"{verdict.margin:+.2f}",
        turned=turned,
        reasoning=verdict.reasoning,
        keys=verdict.keys,
    )


def pairs_of(evidence: Sequence[Evidence], bias_id: str) -> tuple[Shown, ...]:
    """The pairs of a bias's trial, strongest first."""
    return tuple(shown(e) for e in evidence if e.bias_id == bias_id and e.role == "validation")


def story_of(evidence: Sequence[Evidence], bias_id: str, names: Mapping[str, str]) -> Story | None:
    """How a bias was seen first; None where features proposed it or nothing was kept. `names` are those of biases by id."""
    for e in evidence:
        if e.bias_id == bias_id and e.role == "discovery" and e.account is not None:
            told = e.account
            written = names.get(e.written, e.written)
            return Story(shown(e), written, told.reasoning, told.deeper, told.name, told.definition, told.keys)
    return None
