"""What verdicts that exist already tell about a judge. Pure: no model is called, nothing is read or written.

Verdicts of one pair in one order are a *cell*; several verdicts in it are averaged, so that a judge that was sampled more
often on a pair does not count more there. What a log cannot tell is None, with the reason beside it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from biasscope.datasets.logs import Counted, LoadedLog, LoggedVerdict, counted
from biasscope.quantities import Estimate, FeatureProposals
from biasscope.records import ORDERS, Effect, Order
from biasscope.stats.estimates import Array, estimate
from biasscope.stats.reading import clustered_se
from biasscope.stats.rules import FEWEST
from biasscope.stats.slots import both_orders_preference, one_order_preference
from biasscope.steps.propose import Observation, propose_features
from biasscope.workflows.cells import (
    Cell,
    Cells,
    both_orders,
    cells_of,
    clusters_of,
    numbered,
    without_duplicates,
)
from biasscope.workflows.reread import Reread, reread

NO_TEXTS = "the log does not hold the texts that were judged"

BALANCED = (0.3, 0.7)
"""Between these shares of verdicts with the better response first, that is about half of them."""


@dataclass(frozen=True, slots=True)
class OrderTells:
    """The verdicts in one order."""

    verdicts: int
    """Verdicts that were given in this order."""
    missing: int
    """Verdicts that are missing in this order."""
    first_chosen: float | None
    """Share of those given that choose what is shown first, in [0, 1], a tie counting one half; null without any."""
    error_rate: float | None
    """Share of those given that are not for the better response, in [0, 1], a tie counting one half; null without
    labels, where the order is one of drawn roles."""
    ties: float | None
    """Share of those given that are ties, in [0, 1]; null without any."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The preference for a place and what it was told from; `effect` is None for the `reason` given.

    With an effect, `reason` says what it rests on where that must be known.
    """

    effect: Effect | None
    told_from: Literal["both orders", "one order"] | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RoundTells:
    """One round of an evaluator that asks again, on the pairs that came to it."""

    number: int
    pairs: int
    verdicts: int
    slot: Slot
    consistency: float | None


@dataclass(frozen=True, slots=True)
class Audit:
    """What one log tells about one judge.

    `verdicts` counts those recorded, `missing` which of them decide nothing and why; `duplicates` are rows that came
    again and were left out, `repeated` verdicts that share their pair and order with others. Rates are fractions.
    `alone` says that the judge scores responses one by one, equal in both orders. `reasons` says of each tell that is
    None why. `rounds` is empty for a judge that is asked once. `features` are what the choices go with and what is worth
    trying, None without texts: associations, which show no cause.
    """

    log: LoadedLog
    judge: str
    pairs: int
    verdicts: int
    missing: tuple[Counted, ...]
    duplicates: int
    repeated: int
    slot: Slot
    consistency: Estimate | None
    error: Estimate | None
    ties: float | None
    orders: Mapping[Order, OrderTells]
    reread: Reread
    rounds: tuple[RoundTells, ...]
    alone: bool
    features: FeatureProposals | None
    reasons: Mapping[str, str]


def audit_log(log: LoadedLog, judge: str, *, seed: int = 0) -> Audit:
    """Audit one judge of a log; `seed` is that of the half-samples in which features have to hold.

    Raises ValueError where the judge gave no verdict in the log.
    """
    of_judge = [v for v in log.verdicts if v.judge == judge]
    if not of_judge:
        raise ValueError(f"{log.path} holds no verdict of {judge!r}")
    every, duplicates = without_duplicates(of_judge)
    verdicts = [v for v in every if v.last]
    cells = cells_of(verdicts)
    clusters = clusters_of(verdicts)
    found = reread(every)
    slot = slot_preference(cells, clusters)
    alone = _scores_alone(verdicts)
    if alone and slot.effect is not None:
        slot = replace(slot, reason="it scores responses alone, and the same in both orders")
    consistency, no_consistency = _consistency(cells, clusters)
    error, no_error = _error(cells, clusters)
    features = _features(cells, clusters, seed)
    ties = [v.choice == "tie" for v in verdicts if v.choice is not None]
    reasons = {
        "slot_preference": "" if slot.effect else slot.reason,
        "position_consistency": no_consistency,
        "error_rate": no_error,
        "reread": found.reason,
        "associations": NO_TEXTS if features is None else features.found.reason,
        "candidates": NO_TEXTS if features is None else features.reason,
    }
    return Audit(
        log=log,
        judge=judge,
        pairs=len({v.pair_id for v in verdicts}),
        verdicts=len(verdicts),
        missing=missing_of(verdicts),
        duplicates=duplicates,
        repeated=sum(len(cell.verdicts) for cell in cells.values() if len(cell.verdicts) > 1),
        slot=slot,
        consistency=consistency,
        error=error,
        ties=sum(ties) / len(ties) if ties else None,
        orders={order: _order_tells(order, verdicts, cells) for order in ORDERS},
        reread=replace(found, slot=_slot_as_read(verdicts, found)),
        rounds=_rounds(every),
        alone=alone,
        features=features,
        reasons={name: reason for name, reason in reasons.items() if reason},
    )


def missing_of(verdicts: Iterable[LoggedVerdict]) -> tuple[Counted, ...]:
    """The verdicts that decide nothing, by reason."""
    places: dict[str, list[str]] = defaultdict(list)
    for v in verdicts:
        if v.choice is None:
            places[v.reason].append(v.place)
    return counted(places)


def slot_preference(cells: Cells, clusters: Mapping[str, int]) -> Slot:
    """The preference for a place: from pairs with both orders where there are enough, else from the two strata."""
    both = both_orders(cells)
    if len(both) >= FEWEST:
        first = np.array([(a.first + b.first) / 2 - 0.5 for _, a, b in both])
        return Slot(both_orders_preference(first, numbered((p for p, _, _ in both), clusters)), "both orders")
    known = [(pair, cell) for (pair, order), cell in cells.items() if order is not None and cell.labelled]
    reason = _why_no_strata(cells, [cell for _, cell in known], len(both))
    if reason:
        return Slot(None, None, reason)
    effect = one_order_preference(
        np.array([cell.first - 0.5 for _, cell in known]),
        np.array([cell.order == "chosen_first" for _, cell in known]),
        numbered((pair for pair, _ in known), clusters),
    )
    return Slot(
        effect,
        "one order",
        "most pairs were judged in one order only: this holds where it was drawn by chance which response stands first",
    )


def _why_no_strata(cells: Cells, known: Sequence[Cell], both: int) -> str:
    """Why verdicts in one order per pair say nothing about a preference for a place; empty where they do."""
    if not cells:
        return "no verdict decides anything"
    if all(cell.order is None for cell in cells.values()):
        return "the log does not say which response was shown first"
    few = f"only {both} pairs have a verdict in both orders, and {FEWEST} are needed"
    if 2 * both >= len({pair for pair, _ in cells}):
        return few
    if not known:
        return (
            f"{few}; without labels, a judge that rightly prefers what it is shown first cannot be told from one "
            "that prefers the first place"
        )
    ahead = sum(cell.order == "chosen_first" for cell in known)
    behind = len(known) - ahead
    if min(ahead, behind) < FEWEST:
        return (
            f"{few}; of verdicts in one order {FEWEST} of each kind are needed, and {ahead} show the better response "
            f"first, {behind} show it second"
        )
    if not BALANCED[0] <= ahead / len(known) <= BALANCED[1]:
        return (
            f"{few}; in one order per pair the better response must stand first about half of the time, by chance, "
            f"and it does in {100 * ahead / len(known):.0f} % of the verdicts"
        )
    return ""


def _rate(values: Array, clusters: NDArray[np.int64]) -> Estimate:
    """A mean of fractions with its cluster-robust interval, cut at 0 and 1."""
    se = clustered_se(values, clusters) if len(set(clusters.tolist())) > 1 else None
    found = estimate(float(values.mean()), se, len(values))
    if found.low is None or found.high is None:
        return found
    return replace(found, low=max(0.0, found.low), high=min(1.0, found.high))


def _consistency(cells: Cells, clusters: Mapping[str, int]) -> tuple[Estimate | None, str]:
    """How often both orders of a pair are judged alike (drawing one verdict of each); over pairs."""
    both = both_orders(cells)
    if not both:
        return None, "no pair has a verdict in both orders"
    alike = np.array([sum(x * y for x, y in zip(a.shares, b.shares, strict=True)) for _, a, b in both])
    return _rate(alike, numbered((p for p, _, _ in both), clusters)), ""


def _error(cells: Cells, clusters: Mapping[str, int]) -> tuple[Estimate | None, str]:
    """How often the better response is not chosen; over pairs and orders."""
    if not cells:
        return None, "no verdict decides anything"
    known = [(pair, cell.error) for (pair, _), cell in cells.items() if cell.labelled]
    if not known:
        return None, "no pair has a label that says which response is better"
    return _rate(np.array([e for _, e in known]), numbered((p for p, _ in known), clusters)), ""


def _order_tells(order: Order, verdicts: Sequence[LoggedVerdict], cells: Cells) -> OrderTells:
    shown = [v for v in verdicts if v.order == order]
    given = [cell for (_, o), cell in cells.items() if o == order]
    errors = [cell.error for cell in given if cell.labelled]
    return OrderTells(
        verdicts=sum(v.choice is not None for v in shown),
        missing=sum(v.choice is None for v in shown),
        first_chosen=float(np.mean([cell.first for cell in given])) if given else None,
        error_rate=float(np.mean(errors)) if errors else None,
        ties=float(np.mean([cell.shares[2] for cell in given])) if given else None,
    )


def _rounds(verdicts: Sequence[LoggedVerdict]) -> tuple[RoundTells, ...]:
    numbers = sorted({v.round for v in verdicts})
    if len(numbers) < 2:
        return ()
    rounds = []
    for number in numbers:
        here = [v for v in verdicts if v.round == number]
        cells, clusters = cells_of(here), clusters_of(here)
        consistency, _ = _consistency(cells, clusters)
        rounds.append(
            RoundTells(
                number=number,
                pairs=len({v.pair_id for v in here}),
                verdicts=len(here),
                slot=slot_preference(cells, clusters),
                consistency=None if consistency is None else consistency.value,
            )
        )
    return tuple(rounds)


def _features(cells: Cells, clusters: Mapping[str, int], seed: int) -> FeatureProposals | None:
    """What the choices go with in the texts; None where no verdict has texts."""
    made = []
    for (pair, order), cell in cells.items():
        first, second = cell.verdicts[0].first, cell.verdicts[0].second
        if first is None or second is None:
            continue
        gold: Literal[-1, 0, 1] = 0 if not cell.labelled else 1 if order == "chosen_first" else -1
        made.append(Observation(str(clusters[pair]), first, second, cell.first, gold))
    return propose_features(made, seed=seed) if made else None


def _slot_as_read(verdicts: Sequence[LoggedVerdict], found: Reread) -> Effect | None:
    """The preference for a place with our reading of the replies in place of the record; None where they agree."""
    if not found.differ:
        return None
    read = [replace(v, choice=found.read.get(v.place, v.choice)) for v in verdicts]
    return slot_preference(cells_of(read), clusters_of(read)).effect


def _scores_alone(verdicts: Sequence[LoggedVerdict]) -> bool:
    """Whether every verdict rests on two scores, and each response has the same score in both orders of its pair."""
    by_pair: dict[str, set[tuple[float, float]]] = defaultdict(set)
    for v in verdicts:
        if v.choice is None:
            continue
        if v.scores is None or v.order is None:
            return False
        by_pair[v.pair_id].add(v.scores if v.order == "chosen_first" else v.scores[::-1])
    both = {v.pair_id for v in verdicts if v.order == "chosen_first"} & {
        v.pair_id for v in verdicts if v.order == "rejected_first"
    }
    return bool(both) and all(len(scores) == 1 for scores in by_pair.values())
