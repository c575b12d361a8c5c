"""The manipulation check: does a trait show in the rewrites that should show it, and not in the neutral ones?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biasscope import seeds
from biasscope.ask import Answered, Asker
from biasscope.catalogue.known import Catalogue, built_in
from biasscope.records import Bias, PreferencePair, Rewrite
from biasscope.stats.effects import wilson
from biasscope.steps.check import TraitAsk
from biasscope.steps.judge import Table
from biasscope.steps.supplied import SUPPLIED

TRAIT_SAMPLE = 48
"""Rewrites per arm that a model reads for the manipulation check."""


@dataclass(frozen=True, slots=True)
class Shown:
    """In how many of the texts that were read a trait shows; `asked` counts those that were to be read."""

    shown: int
    read: int
    asked: int = 0

    @property
    def enough(self) -> bool:
        """Whether at least half of the texts that were to be read could be."""
        return self.read > 0 and 2 * self.read >= self.asked

    @property
    def share(self) -> float | None:
        """The share, None where nothing was read."""
        return self.shown / self.read if self.read else None

    def clearly_below(self, share: float) -> bool:
        """Whether the whole 95 % interval lies below a share."""
        return self.read > 0 and wilson(self.shown, self.read)[1] < share

    def clearly_above(self, share: float) -> bool:
        """Whether the whole 95 % interval lies above a share."""
        return self.read > 0 and wilson(self.shown, self.read)[0] > share


async def check_traits(
    teacher: Asker | None,
    table: Table,
    pairs: Sequence[PreferencePair],
    bias: Bias,
    neutral: str,
    catalogue: Catalogue | None = None,
) -> tuple[Shown, Shown]:
    """How many biased and neutral rewrites show the trait: by detector where a rule wrote, else by a model.

    A detector knows the words of its rule, not those of a model that wrote the same trait; a neutral rewrite of a text
    that shows the trait by nature adds none. A model reads `TRAIT_SAMPLE` rewrites of each arm, of pairs drawn by
    their ids. A fact about a response is shown wherever it was written down. Else nothing was read.
    """
    found: list[Shown] = []
    known = (catalogue or built_in()).get(bias.id)
    # Not in the order of the pairs: files are often sorted by domain.
    drawn = sorted(pairs, key=lambda p: seeds.derive_seed("trait-sample", p.id))
    for arm in (bias.id, neutral):
        rewrites = [(p, r) for p in drawn if (r := table.rewrite(p, arm)) is not None]
        by_rule = all(r.writer == "rule" for _, r in rewrites)
        # A person's words are no rule's either: without a reader they stay unread.
        by_person = any(r.writer == SUPPLIED for _, r in rewrites)
        readable = by_rule or (teacher is None and not by_person)
        asked = len(rewrites)
        if known is not None and known.cues and by_rule:
            shown = [r.note in known.cues for _, r in rewrites]
        elif known is not None and known.detector is not None and readable:
            shown = [
                known.detector(r.text) and not (arm == neutral and known.detector(_original(p, r)))
                for p, r in rewrites
            ]
        elif teacher is not None:
            answers = await teacher.ask([TraitAsk(bias, r.text) for _, r in rewrites[:TRAIT_SAMPLE]])
            shown, asked = [a.value for a in answers if isinstance(a, Answered)], min(asked, TRAIT_SAMPLE)
        else:
            shown = []
        found.append(Shown(sum(shown), len(shown), asked))
    return found[0], found[1]


def _original(pair: PreferencePair, rewrite: Rewrite) -> str:
    return pair.chosen if rewrite.side == "chosen" else pair.rejected
