"""Everything that was judged in a run as rows, each with what it was for. Asks nobody, stores nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from biasscope import seeds
from biasscope.ask import Missing
from biasscope.records import ORIGINAL, PreferencePair
from biasscope.steps.judge import Table
from biasscope.steps.validate import Tested
from biasscope.verdict_rows import VerdictRole, VerdictRow

VARIANT = "@"
"""Stands in the name of an arm that was made of another one."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A table with the pairs that it is about, and what its verdicts were for.

    `tested` are the trials whose verdicts are in it: they tell a trial from what came after it. None where everything is
    of one `role`.
    """

    table: Table
    pairs: Sequence[PreferencePair]
    role: VerdictRole = "trial"
    tested: Sequence[Tested] | None = None


@dataclass(frozen=True, slots=True)
class _Roles:
    """The arms of all trials, and the pairs that each was visited with."""

    visited: Mapping[str, AbstractSet[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, tested: Iterable[Tested]) -> _Roles:
        visited: dict[str, set[str]] = {}
        for trial in tested:
            seen = {p.id for p in trial.visited}
            for arm in (trial.bias.id, *trial.neutral_arms):
                visited.setdefault(arm, set()).update(seen)
        return cls(visited)

    def role(self, pair: str, arm: str) -> VerdictRole:
        if arm == ORIGINAL:
            return "trial"
        if arm in self.visited:
            return "trial" if pair in self.visited[arm] else "fresh"
        return "follow_up" if VARIANT in arm else "control"


def verdict_rows(judge: str, judged: Iterable[Judged]) -> tuple[VerdictRow, ...]:
    """The rows of one judge, sorted by role, pair, arm and order, so that no completion order shows.

    A rewrite that is missing has rows too, with its own reason: the verdict on it could not be asked for.
    """
    rows = [row for each in judged for row in _rows(judge, each)]
    return tuple(sorted(rows, key=lambda r: (r.role, r.pair, r.arm, r.order or "")))


def _rows(judge: str, judged: Judged) -> Iterator[VerdictRow]:
    roles = None if judged.tested is None else _Roles.of(judged.tested)
    of = {p.id: (p, seeds.question_hash(p.question)) for p in judged.pairs}
    for (pair_id, arm, order), verdict in judged.table.verdicts.items():
        pair, question = of[pair_id]
        role = judged.role if roles is None else roles.role(pair_id, arm)
        where = (judge, role, pair_id, question, pair.domain, arm, order)
        if isinstance(verdict, Missing):
            reason = _reason(judged.table, pair_id, arm, verdict)
            yield VerdictRow(*where, choice=None, margin=None, missing=reason, keys=verdict.keys)
        else:
            yield VerdictRow(*where, verdict.choice, verdict.margin, missing=None, keys=verdict.keys)


def _reason(table: Table, pair: str, arm: str, verdict: Missing) -> str:
    """Why there is no verdict; where there is no rewrite, why that is so."""
    rewrite = table.rewrites.get((pair, arm))
    return f"rewrite: {rewrite.reason}" if isinstance(rewrite, Missing) else f"verdict: {verdict.reason}"
