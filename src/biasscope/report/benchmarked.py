"""The machine-readable summary of a hardened benchmark: ``report.json`` of its folder, with a versioned schema.

Rates and growth are fractions (0.084 is 8.4 %). What is not known is null, never 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from biasscope.benchmarks import Subset
from biasscope.benchmarks.funnel import Step
from biasscope.quantities import Estimate
from biasscope.records import Estimand, Origin, RewrittenSide
from biasscope.report.summary import CallsOut, MissingOut, Out
from biasscope.stats.rates import Rate
from biasscope.stats.shortcuts import Standing
from biasscope.workflows.benchmark_facts import Baseline

SCHEMA: Literal["biasscope.benchmark/1"] = "biasscope.benchmark/1"

Scope = Literal["all", "kept", "unfiltered"]
"""All items of a subset, those that the filter kept, or the unfiltered sample."""


class LossOut(Out):
    """Variants that were lost at a step for one reason."""

    step: Step
    """The step at which they were lost."""
    reason: str
    """Why, in words; of a rewrite with its form and side."""
    count: int
    """How many variants."""


class FunnelOut(Out):
    """What became of every variant (a source pair with a bias) of one bias, one domain, or one of both."""

    bias: str
    """Id of the bias; empty for all of them."""
    domain: str
    """The domain; empty for all of them."""
    passed: Mapping[Step, int]
    """By step how many came through: `pairs` (source pairs of the domain), `drawn`, `written`, `checked`, `deduplicated`, and
    where a filter ran `pro_kept` and `crossed_kept`."""
    lost: tuple[LossOut, ...]
    """What did not, by step and reason."""


class InjectedOut(Out):
    """A bias that was injected."""

    bias: str
    """Its id, as in `injected_bias`."""
    name: str
    """Its name, for people."""
    definition: str
    """What it is, in a sentence or two."""
    origin: Origin
    """Where it is from: `seed`, `discovered` or `catalogue`."""
    estimand: Estimand
    """`pull` for a trait of the text, `cue` for a fact that is shown about a response."""
    discovered_on: tuple[str, ...]
    """Specs of the judges on which it was discovered."""
    shown: int
    """Biased rewrites of rejected responses that show the trait, of those read: by detector where a rule wrote, else by the
    teacher on a sample."""
    read: int
    """Biased rewrites that were read; 0 where nobody could."""
    shown_in_neutral: int
    """Neutral rewrites that show the trait although the original does not, or, where a teacher reads, at all."""
    read_neutral: int
    """Neutral rewrites that were read."""


class GrowthOut(Out):
    """How much longer biased rewrites are, mean relative growth in words with its interval by question."""

    bias: str
    """Id of the bias; empty for all of them."""
    side: RewrittenSide
    """The response that was rewritten."""
    over_original: Estimate
    """Beyond the response as it was."""
    over_neutral: Estimate
    """Beyond the neutral rewrite by the same writer."""


class ShortcutOut(Out):
    """A baseline that sees no more than some features of two responses, tried on questions that it was not fitted on."""

    subset: Subset
    """The items that it was tried on."""
    scope: Scope
    """All of them, what the filter kept, or the unfiltered sample."""
    baseline: Baseline
    """`length`: number of words; `format`: how texts are set out; `trait`: the detector of the injected bias; `words`: which
    words occur."""
    items: int
    """Items it was tried on."""
    questions: int | None
    """Different questions among them; null where nothing was tried."""
    auc: Estimate | None
    """Area under the curve, .5 by chance; null for too few questions or no feature."""
    accuracy: Estimate | None
    """Share of items on which it names the better response, ties one half; .5 by chance."""
    standing: Standing | None
    """`shortcut`, `near_chance`, or `open` where the items do not tell."""
    top: tuple[tuple[str, float], ...]
    """Its features with the largest weights; above 0 speaks for a response."""


class FilterCellOut(Out):
    """How one judge did on some of the variants."""

    scope: Scope
    """All variants, those kept, or the unfiltered sample."""
    variants: int
    """How many."""
    wrong: Rate | None
    """Share on which it is wrong in both orders, what is missing counting as not wrong, with its interval by question."""
    missing: int
    """Variants without an outcome, since a verdict is missing."""


class FilterJudgeOut(Out):
    """One judge of the filter."""

    judge: str
    """Its spec."""
    instrument: str
    """How it was asked, in a few words."""
    pro: tuple[FilterCellOut, ...]
    """On one-sided items."""
    crossed: tuple[FilterCellOut, ...]
    """On crossed variants, wrong on either cell whose trait is on one response only."""
    missing: tuple[MissingOut, ...]
    """Verdicts that were asked for and are missing, by arm and reason."""


class FilterOut(Out):
    """The adversarial filter that was run."""

    keep: str
    """The rule: at least so many of so many judges wrong in both orders, as in `2/3`."""
    judges: tuple[FilterJudgeOut, ...]
    """The judges."""
    pro: tuple[int, int, int]
    """One-sided variants: all, kept, and in the unfiltered sample."""
    crossed: tuple[int, int, int]
    """Crossed variants: the same."""


class BenchmarkOut(Out):
    """``report.json`` of a benchmark, and what ``biasscope benchmark build --json`` and ``filter --json`` print."""

    schema_version: Literal["biasscope.benchmark/1"] = SCHEMA
    """Name and version of this schema."""
    version: str
    """Version of biasscope that wrote it."""
    run: str
    """The folder."""
    data: str
    """The source of the pairs."""
    pairs: int
    """Labelled pairs that were taken."""
    unlabelled: int
    """Pairs that were left out since nobody has labelled them."""
    skipped: int
    """Rows of the source that could not be used."""
    variants: int
    """Biases drawn for each pair, fewer where there are fewer biases."""
    rewrites: Literal["rules", "teacher"]
    """Who writes: rules where a bias has them, or the teacher everything."""
    writers: tuple[str, ...]
    """Specs of the models that wrote, `rule` among them."""
    biases: tuple[InjectedOut, ...]
    """The biases, by id."""
    items: Mapping[Subset, int]
    """Items by subset, as they were built."""
    funnel: tuple[FunnelOut, ...]
    """In total, by bias, by domain, and by both."""
    growth: tuple[GrowthOut, ...]
    """Of all that was built: in total, then by bias; the rejected response, then the chosen one."""
    shortcuts: tuple[ShortcutOut, ...]
    """Baselines on each subset."""
    filter: FilterOut | None
    """The filter; null where none was run."""
    review: int
    """Items that were put before reviewers."""
    notes: tuple[str, ...]
    """What else should be known, as sentences."""
    calls: CallsOut | None
    """Calls of the latest start of a command that wrote this."""
