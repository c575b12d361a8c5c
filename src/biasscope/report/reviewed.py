"""The machine-readable result of a review: what ``biasscope benchmark agreement --json`` prints, with a versioned schema.

Rates are fractions. What is not known is null, never 0. Only whole answers count, those to all three questions; an answer
about texts that were changed since counts nowhere but in `notes`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict
from typing import Literal

import numpy as np

from biasscope import __version__
from biasscope.quantities import Estimate
from biasscope.report.summary import Out
from biasscope.reviews import ADJUDICATOR, Decision, ItemArm, Review, ReviewItem, decide, open_disputes
from biasscope.reviews.decisions import ENOUGH
from biasscope.rundir.reviews import ReviewFiles
from biasscope.stats.agreement import Agreement, agreement, agreement_of
from biasscope.stats.estimates import estimate, mean_estimate
from biasscope.stats.review_gate import review_gate

Asked = Literal["better", "same_answer", "same_content", "valid"]

CATEGORIES: Mapping[Asked, tuple[str, ...]] = {
    "better": ("1", "2", "tie"),
    "same_answer": ("yes", "no"),
    "same_content": ("yes", "no"),
    "valid": ("yes", "no"),
}
"""What may be answered to each question; *valid* is both of the two before it."""


class AskedOut(Out):
    """How far reviewers agree on one question."""

    question: Asked
    """`better` is counted as it was shown, by place; `valid` is that final answer and content are both the same."""
    raw: Estimate | None
    """Share of pairs of answers to an item that are alike, in [0, 1]; null without an item that has two."""
    kappa: Estimate | None
    """Fleiss' kappa, at most 1; null there and where every answer is the same. Of one reviewer with the others: Schouten's."""
    ac1: Estimate | None
    """Gwet's AC1, at most 1; null without an item that has two answers."""
    items: int
    """Items with two answers or more."""
    single: int
    """Items with one answer."""
    ratings: int
    """Answers in all."""
    shares: tuple[tuple[str, float], ...]
    """How often each answer is given, in [0, 1]."""


class ReviewerOut(Out):
    """One reviewer: what was done, and the agreement with the others."""

    name: str
    """The name that the link was made for."""
    answered: int
    """Items whose three questions are answered."""
    begun: int
    """Items of which some are."""
    skipped: int
    """Items left for later."""
    flagged: int
    """Items flagged for a second look."""
    right: int
    """Answers that name the better response, where it is known."""
    known: int
    """Answers on items whose better response is known."""
    questions: tuple[AskedOut, ...]
    """The agreement with the others, by question."""


class BiasReviewOut(Out):
    """The biased items of one bias."""

    bias: str
    """Id of the bias."""
    items: int
    """Its biased items."""
    decided: int
    """Those with two answers or more."""
    valid: int
    """Those of them that are valid for the majority of their reviewers."""
    questions: tuple[AskedOut, ...]
    """How far reviewers agree, by question."""


class ArmReviewOut(Out):
    """The biased or the neutral items."""

    arm: ItemArm
    """`biased` or `neutral`."""
    items: int
    """Items of this arm."""
    decided: int
    """Those with two answers or more."""
    valid: int
    """Those of them that are valid for the majority of their reviewers."""
    rewrite: int
    """Answers that call the rewrite better."""
    original: int
    """Answers that call the original better."""
    tie: int
    """Answers that call neither better."""
    leaning: Estimate | None
    """Mean over items of P(the rewrite is called better) - P(the original is), in [-1, 1]; null without an answer."""


class ReviewGateOut(Out):
    """The gate, on biased items: AC1 of *valid* at least .7, at least .9 valid for the majority, and Wilson's lower bound of
    that share at least .85."""

    passes: bool
    """Whether all three hold."""
    ac1: float | None
    """AC1 of *valid*; null without an item that has two answers."""
    valid: int
    """Items that are valid for the majority of their reviewers."""
    items: int
    """Items with two answers or more."""
    share: float | None
    """Share that is valid, in [0, 1]; null without an item."""
    low: float | None
    """Lower end of Wilson's 95 % interval of that share."""
    failures: tuple[str, ...]
    """What is missing, as sentences; empty where it passes."""


class AgreementOut(Out):
    """``biasscope benchmark agreement --json``."""

    schema_version: Literal["biasscope.agreement/1"] = "biasscope.agreement/1"
    """Name and version of this schema."""
    version: str
    """Version of biasscope that wrote it."""
    run: str
    """The folder."""
    items: int
    """Items of the review."""
    answers: int
    """Whole answers of reviewers, to all three questions."""
    waiting: int
    """Items with fewer than two of them."""
    disputed: int
    """Items on which reviewers differ, or which one of them flagged."""
    adjudicated: int
    """Those of them that the adjudicator decided."""
    gate: ReviewGateOut
    """Whether the rewrites may be used as they were reviewed."""
    questions: tuple[AskedOut, ...]
    """How far all reviewers agree, by question, on all items."""
    reviewers: tuple[ReviewerOut, ...]
    """Each reviewer, by name."""
    biases: tuple[BiasReviewOut, ...]
    """Each bias, by id."""
    arms: tuple[ArmReviewOut, ...]
    """The biased items, then the neutral ones."""
    lean_gap: Estimate | None
    """Leaning to biased rewrites less that to neutral ones, in [-2, 2]; null where one arm has no answers."""
    notes: tuple[str, ...]
    """What of the files does not count, and what else should be known."""


def agreement_out(files: ReviewFiles, *, seed: int = 0) -> AgreementOut:
    """Sum up a review; intervals draw whole source pairs, by `seed`."""
    stand = files.stand
    table = _Table(files.items, stand, seed)
    decisions = decide(files.items, stand)
    biased = [d for d in decisions if d.item.hidden.arm == "biased"]
    arms = tuple(_arm(arm, decisions, table) for arm in ("biased", "neutral"))
    disputes = open_disputes(decisions)
    gated = table.asked("valid", [d.item for d in biased])
    valid, decided = _valid(biased)
    gate = review_gate(gated.ac1.value if gated.ac1 else None, valid, decided)
    return AgreementOut(
        version=__version__,
        run=str(files.path),
        items=len(files.items),
        answers=sum(d.answers for d in decisions),
        waiting=sum(d.answers < ENOUGH for d in decisions),
        disputed=len(disputes),
        adjudicated=sum(d.adjudicated for d in disputes),
        gate=ReviewGateOut(**asdict(gate)),
        questions=table.every(files.items),
        reviewers=tuple(_reviewer(name, table, stand) for name in table.reviewers),
        biases=tuple(
            _bias(bias, [d for d in biased if d.item.hidden.bias == bias], table)
            for bias in sorted({d.item.hidden.bias for d in biased})
        ),
        arms=arms,
        lean_gap=_gap(arms[0].leaning, arms[1].leaning),
        notes=(*files.notes, *_neutral_note(arms)),
    )


class _Table:
    """Whole answers by reviewer and item, as the statistics take them."""

    def __init__(self, items: Sequence[ReviewItem], stand: Mapping[tuple[str, str], Review], seed: int) -> None:
        self.items = items
        self.reviewers = sorted({who for who, _ in stand if who != ADJUDICATOR})
        self.whole = {key: r for key, r in stand.items() if r.whole}
        self._seed = seed

    def every(self, items: Sequence[ReviewItem], rater: int | None = None) -> tuple[AskedOut, ...]:
        """All questions, of all reviewers together or of one with the others."""
        return tuple(self.asked(question, items, rater) for question in CATEGORIES)

    def asked(self, question: Asked, items: Sequence[ReviewItem], rater: int | None = None) -> AskedOut:
        """One question."""
        rows = [[_rating(self.whole.get((name, item.id)), question) for name in self.reviewers] for item in items]
        clusters: list[Hashable] = [item.hidden.pair for item in items]
        categories = CATEGORIES[question]
        found: Agreement
        if rater is None:
            found = agreement(rows, categories=categories, clusters=clusters, seed=self._seed)
        else:
            found = agreement_of(rows, rater, categories=categories, clusters=clusters, seed=self._seed)
        return AskedOut(question=question, **{name: getattr(found, name) for name in Agreement.__slots__})


def _rating(review: Review | None, question: Asked) -> str | None:
    """An answer as one of the question's categories; None without a whole answer."""
    if review is None:
        return None
    said = getattr(review, question)
    return said if isinstance(said, str) else "yes" if said else "no"


def _reviewer(name: str, table: _Table, stand: Mapping[tuple[str, str], Review]) -> ReviewerOut:
    own = [review for (who, _), review in stand.items() if who == name]
    gold = {item.id: item.hidden.gold for item in table.items if item.hidden.gold is not None}
    known = [r for r in own if r.whole and r.item in gold]
    return ReviewerOut(
        name=name,
        answered=sum(r.whole for r in own),
        begun=sum(r.kind == "answer" and not r.whole for r in own),
        skipped=sum(r.kind == "skip" for r in own),
        flagged=sum(r.flag for r in own),
        right=sum(r.better == gold[r.item] for r in known),
        known=len(known),
        questions=table.every(table.items, table.reviewers.index(name)),
    )


def _bias(bias: str, decisions: Sequence[Decision], table: _Table) -> BiasReviewOut:
    valid, decided = _valid(decisions)
    questions = table.every([d.item for d in decisions])
    return BiasReviewOut(bias=bias, items=len(decisions), decided=decided, valid=valid, questions=questions)


def _valid(decisions: Sequence[Decision]) -> tuple[int, int]:
    """How many are valid for the majority, of those with answers enough; without a majority an item is not."""
    decided = [d for d in decisions if d.answers >= ENOUGH]
    return sum(d.majority_valid is True for d in decided), len(decided)


def _arm(arm: ItemArm, decisions: Sequence[Decision], table: _Table) -> ArmReviewOut:
    own = [d for d in decisions if d.item.hidden.arm == arm]
    counts: Counter[str] = Counter()
    leanings = []
    for item in (d.item for d in own):
        said = [table.whole[key].better for name in table.reviewers if (key := (name, item.id)) in table.whole]
        liked = ["tie" if b == "tie" else "rewrite" if b == item.hidden.variant else "original" for b in said]
        counts.update(liked)
        leanings.append((liked.count("rewrite") - liked.count("original")) / len(liked) if liked else np.nan)
    valid, decided = _valid(own)
    return ArmReviewOut(
        arm=arm,
        items=len(own),
        decided=decided,
        valid=valid,
        rewrite=counts["rewrite"],
        original=counts["original"],
        tie=counts["tie"],
        leaning=mean_estimate(np.array(leanings, dtype=float), limit=1.0),
    )


def _gap(biased: Estimate | None, neutral: Estimate | None) -> Estimate | None:
    """The difference of two means of different items."""
    if biased is None or neutral is None:
        return None
    known = biased.se is not None and neutral.se is not None
    se = float(np.hypot(biased.se or 0.0, neutral.se or 0.0)) if known else None
    return estimate(biased.value - neutral.value, se, biased.n + neutral.n, limit=2.0)


def _neutral_note(arms: Sequence[ArmReviewOut]) -> tuple[str, ...]:
    total, neutral = sum(arm.items for arm in arms), arms[1].items
    if neutral / total >= 0.3:
        return ()
    return (
        f"{neutral:,} of {total:,} items are neutral rewrites, less than the third with which reviewers cannot guess the arm.",
    )
