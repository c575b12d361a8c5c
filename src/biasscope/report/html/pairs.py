"""Evidence as it is read: the texts with their edit, who said what in which order, and how a name came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from biasscope.records import ORIGINAL, Evidence, Order, Verdict
from biasscope.report.findings import amount
from biasscope.report.html.diff import Piece, compare
from biasscope.steps.mirror import own_id

LABELLED = ("better response", "worse response")
"""What the chosen and the rejected response of a pair are called."""
UNLABELLED = ("other response", "response with the trait")
"""The same where nobody knows which is better, and of a pair whose roles were exchanged for a trial."""


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
    other_name: str
    other: str
    rewritten_name: str
    against: str
    pieces: tuple[Piece, ...]
    note: str
    writer: str
    strength: str
    orders: tuple[str, ...]
    arms: tuple[tuple[str, tuple[Said | None, ...]], ...]
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
    names = LABELLED if pair.labelled else UNLABELLED
    on_chosen = rewrite.side == "chosen"
    original, other = (pair.chosen, pair.rejected) if on_chosen else (pair.rejected, pair.chosen)
    return Shown(
        pair_id=own_id(pair),
        domain=pair.domain,
        question=pair.question,
        reference=pair.reference,
        other_name=names[1] if on_chosen else names[0],
        other=other,
        rewritten_name=names[0] if on_chosen else names[1],
        against="the original" if neutral is None else "the neutral rewrite",
        pieces=compare(rewrite.shown, original if neutral is None else neutral.shown),
        note=rewrite.note,
        writer=rewrite.writer,
        strength=amount(evidence.loss, evidence.unit),
        orders=tuple(_order(o, names) for o in _orders(evidence)),
        arms=_arms(evidence, names),
        keys=tuple(k for r in (neutral, rewrite) if r is not None for k in r.keys),
    )


def _orders(evidence: Evidence) -> list[Order | None]:
    return list(dict.fromkeys(v.order for v in evidence.verdicts))


def _order(order: Order | None, names: tuple[str, str]) -> str:
    if order is None:
        return "responses scored one by one"
    return f"{names[order == 'rejected_first']} shown first"


def _arms(evidence: Evidence, names: tuple[str, str]) -> tuple[tuple[str, tuple[Said | None, ...]], ...]:
    """The verdicts in rows: on the original, the neutral rewrite and that with the trait."""
    neutral, biased = evidence.neutral, evidence.rewrite.arm
    arms = {ORIGINAL: "original"} | ({} if neutral is None else {neutral.arm: "neutral rewrite"})
    arms[biased] = "rewrite with the trait"
    calm = ORIGINAL if neutral is None else neutral.arm
    found = {(v.arm, v.order): v for v in evidence.verdicts}
    rows = []
    for arm, words in arms.items():
        cells = []
        for order in _orders(evidence):
            verdict, before = found.get((arm, order)), found.get((calm, order))
            turned = (
                arm == biased
                and verdict is not None
                and before is not None
                and (before.choice, verdict.choice) == ("chosen", "rejected")
            )
            cells.append(None if verdict is None else _said(verdict, words, names, turned=turned))
        rows.append((words, tuple(cells)))
    return tuple(rows)


def _said(verdict: Verdict, arm: str, names: tuple[str, str], *, turned: bool) -> Said:
    return Said(
        arm=arm,
        order=_order(verdict.order, names),
        choice={"chosen": names[0], "rejected": names[1], "tie": "tie"}[verdict.choice],
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
