"""Candidates without a teacher: what features of the texts propose, and who writes for them."""

from __future__ import annotations

from collections.abc import Sequence

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.known import entry
from biasscope.quantities import FeatureProposals
from biasscope.records import Bias, PreferencePair, Unit
from biasscope.steps.judge import Table
from biasscope.steps.observe import observe
from biasscope.steps.perturb import Writer
from biasscope.steps.propose import propose_features
from biasscope.steps.rule_shams import RuleShams


def look_at_features(
    table: Table, pairs: Sequence[PreferencePair], margins: Unit | None, *, seed: int
) -> FeatureProposals:
    """What the judge's verdicts on the original pairs, which the table holds, seem to go by."""
    return propose_features(observe(table, pairs, margins), seed=seed)


def entries_to_try(found: FeatureProposals) -> tuple[CatalogueEntry, ...]:
    """The catalogue's entries of what is proposed and can be written by rule, in the order of the proposals, each once."""
    ids = dict.fromkeys(p.candidate for p in found.proposals if p.candidate is not None)
    return tuple(known for bias_id in ids if (known := entry(bias_id)) is not None)


def rule_shams(writer: Writer, tested: Sequence[Bias], neutrals: int) -> tuple[Writer, int]:
    """Who writes shams where no teacher does, and how many: edits of the tested biases beyond their `neutrals`."""
    ruled = [b for b in tested if (known := entry(b.id)) is not None and known.phrasings > neutrals]
    if not ruled:
        return writer, 0
    left = min(known.phrasings for b in ruled if (known := entry(b.id)) is not None) - neutrals
    return RuleShams(writer, ruled, neutrals), left * len(ruled)
