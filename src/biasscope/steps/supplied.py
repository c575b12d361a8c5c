"""Rewrites that somebody else wrote, taken as they are: found by text, checked like any other rewrite.

Rows with the trait ``neutral`` are the neutral rewrites of their original. Knows rows, no file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from biasscope.ask import Missing, Unreadable
from biasscope.catalogue.known import entry
from biasscope.datasets.rewrites import SuppliedRewrite
from biasscope.datasets.seed_library import bias_id
from biasscope.errors import DataError
from biasscope.parsing.answers import SplitAnswer
from biasscope.records import Bias, PreferencePair, Rewrite, neutral_arm
from biasscope.seeds import normalise_question
from biasscope.steps.check import check_body
from biasscope.steps.mirror import own_id
from biasscope.steps.perturb import Job, Writer

SUPPLIED = "supplied"
"""The writer's name in records."""
NEUTRAL = "neutral"
MOST_NEUTRALS = 5


def supplied_biases(rows: Sequence[SuppliedRewrite]) -> list[Bias]:
    """The traits of the rows as biases, in the order in which they come first; known ones with their definition.

    Raises DataError where two traits have one id.
    """
    found: dict[str, Bias] = {}
    names: dict[str, str] = {}
    for row in rows:
        name = bias_id(row.trait)
        if not name:
            raise DataError(f"{row.trait!r} is no name for a trait", hint="Use words.")
        if names.setdefault(name, row.trait) != row.trait:
            raise DataError(
                f"the traits {names[name]!r} and {row.trait!r} mean the same", hint="Use one of them."
            )
        if name != NEUTRAL and name not in found:
            known = entry(name)
            shown = f"As shown by the rewrites that were supplied under {row.trait!r}."
            found[name] = known.bias if known is not None else Bias(name, row.trait, shown, "catalogue")
    return list(found.values())


@dataclass(frozen=True)
class SuppliedWriter:
    """Hands out supplied rewrites; what was not supplied is missing, neutral ones may come from `otherwise`."""

    rows: Sequence[SuppliedRewrite]
    otherwise: Writer | None = None
    _by_text: dict[tuple[str, str], list[SuppliedRewrite]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        for row in self.rows:
            self._by_text.setdefault((bias_id(row.trait), row.original.strip()), []).append(row)

    @property
    def neutrals(self) -> int:
        """The most neutral rewrites that any original has, at most `MOST_NEUTRALS`; 0 where none was supplied."""
        counts = [len(rows) for (trait, _), rows in self._by_text.items() if trait == NEUTRAL]
        return min(MOST_NEUTRALS, max(counts, default=0))

    def neutral_jobs(self, pair: PreferencePair, bias: Bias, count: int) -> list[Job]:
        """Neutral rewrites are shared by all traits, as they are with a teacher."""
        return [Job(pair, neutral_arm(k), None, k) for k in range(1, count + 1)]

    async def write(self, jobs: Sequence[Job]) -> list[Rewrite | Missing]:
        """Look every job up; neutral rewrites are written by `otherwise` where the file has none at all."""
        rest = [job for job in jobs if job.bias is None and self.otherwise is not None and not self.neutrals]
        written = iter([] if self.otherwise is None else await self.otherwise.write(rest))
        waiting = {id(job) for job in rest}
        return [next(written) if id(job) in waiting else self._supplied(job) for job in jobs]

    def _supplied(self, job: Job) -> Rewrite | Missing:
        trait = NEUTRAL if job.bias is None else job.bias.id
        rows = [r for r in self._by_text.get((trait, job.response.strip()), ()) if _belongs(r, job.pair)]
        number = max(0, job.index - 1)
        if number >= len(rows):
            return Missing("no_rewrite", "none was supplied for this response")
        before, after = job.response, rows[number].rewritten
        try:
            check_body(before, after, SplitAnswer(before, "", ""), job.bias)
        except Unreadable as unreadable:
            return Missing(unreadable.reason, unreadable.detail)
        return Rewrite(job.pair.id, job.arm, after, SUPPLIED, 0, job.side)


def _belongs(row: SuppliedRewrite, pair: PreferencePair) -> bool:
    """Whether a row whose original is a response of this pair is meant for it: by id, or by the question."""
    if row.pair_id:
        return row.pair_id == own_id(pair)
    asked = "\n\n".join(m.content for m in row.prompt)
    return not row.prompt or normalise_question(asked) == normalise_question(
        "\n\n".join(m.content for m in pair.prompt)
    )
