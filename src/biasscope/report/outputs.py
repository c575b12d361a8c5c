"""What each command prints with ``--json``, as models with a versioned schema."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from biasscope.catalogue.base import Sign
from biasscope.records import Estimand, Unit
from biasscope.report.ablation import AblationOut
from biasscope.report.audited import AuditOut, AuditsOut
from biasscope.report.benchmarked import BenchmarkOut
from biasscope.report.measured import MeasuredOut
from biasscope.report.mitigated import MitigatedOut
from biasscope.report.published import PublishedOut
from biasscope.report.ranked import RankOut
from biasscope.report.reviewed import AgreementOut
from biasscope.report.run_comparison import CompareOut
from biasscope.report.summary import MissingOut, Out, Summary, TrialOut
from biasscope.report.trained import TrainOut
from biasscope.report.training_data import TrainingDataOut
from biasscope.stats.simulation.alternatives import AlternativeName
from biasscope.workflows.plan import Cost


class SlotHabitOut(Out):
    """How many verdicts picked the answer shown first, of how many."""

    first: int
    verdicts: int


class ExampleOut(Out):
    """A pair that moved: log-odds for the right answer under the neutral and under the biased rewrite."""

    pair_id: str
    bias: str
    question: str
    neutral_text: str
    biased_text: str
    neutral_margin: float
    biased_margin: float


class QuickstartCallsOut(Out):
    """Calls made in this start, and replies read from the ledger."""

    judge: int
    replayed: int


class QuickstartOut(Out):
    """``biasscope quickstart --json``."""

    schema_version: Literal["biasscope.quickstart/1"] = "biasscope.quickstart/1"
    version: str
    run: str
    judge: str
    pairs: int
    slot_habit: SlotHabitOut
    trials: tuple[TrialOut, ...]
    examples: tuple[ExampleOut, ...]
    missing: tuple[MissingOut, ...]
    calls: QuickstartCallsOut


class WeightsOut(Out):
    """Weights known by name; `path` is null where they are not on this machine."""

    name: str
    bytes: int
    licence: str
    path: str | None


class ModelsOut(Out):
    """``biasscope models list --json``."""

    schema_version: Literal["biasscope.models/1"] = "biasscope.models/1"
    models: tuple[WeightsOut, ...]


class FetchOut(Out):
    """``biasscope models fetch --json``."""

    schema_version: Literal["biasscope.fetch/1"] = "biasscope.fetch/1"
    name: str
    path: str


class SkipOut(Out):
    """Rows that were not kept, by reason, with the first places."""

    reason: str
    count: int
    places: tuple[str, ...]


class LengthsOut(Out):
    """Lengths of texts in characters."""

    least: int
    p10: int
    median: int
    p90: int
    greatest: int


class TwinsOut(Out):
    """Questions that occur in more than one pair, and the pairs they occur in."""

    questions: int
    pairs: int


class DataCheckOut(Out):
    """``biasscope data check --json``: what a source holds, and what was not kept and why."""

    schema_version: Literal["biasscope.data/1"] = "biasscope.data/1"
    spec: str
    format: str
    holds: Literal["pairs", "rewrites", "biases"]
    sha256: str
    read: int
    records: int
    skipped: tuple[SkipOut, ...]
    groups: dict[str, int]
    lengths: dict[str, LengthsOut]
    notes: tuple[str, ...]
    labelled: int | None
    objective: int | None
    twins: TwinsOut | None
    listed: dict[Literal["first", "second"], int] | None
    longer: int | None


class PlanOut(Out):
    """``biasscope discover --dry-run --json``: one iteration about, and the whole run when every limit is reached."""

    schema_version: Literal["biasscope.plan/1"] = "biasscope.plan/1"
    discovery: int
    validation: int
    holdout: int
    shared_left_out: int
    first_iteration: Cost
    at_limits: Cost


class MeasureOut(Out):
    """A mean over runs with its Monte-Carlo standard error."""

    value: float
    mc_error: float


class RecallOut(Out):
    """Share of the true biases that were accepted, by size; null where the suite has none."""

    small: MeasureOut | None
    medium: MeasureOut | None
    large: MeasureOut | None


class CharacteristicsOut(Out):
    """What a rule did on simulated judges whose truth is known; null where there is no such thing.

    `fdr` is the mean share of candidates without effect among the accepted. Calls are over those of the published
    rule for its candidates: a rewrite and one verdict for every candidate and pair.
    """

    fdr: MeasureOut
    recall_medium_large: MeasureOut | None
    recall: RecallOut
    calls_ratio: MeasureOut
    teacher_calls_ratio: MeasureOut
    coverage_fcr: MeasureOut | None
    coverage_fresh: MeasureOut | None


class AlternativeOut(CharacteristicsOut):
    """Another rule on the same simulated judges."""

    rule: AlternativeName


class CalibrateOut(CharacteristicsOut):
    """``biasscope calibrate --json``. `sham_acceptance` is the share of runs that accepted any of 20 candidates
    without effect, tried by themselves. With `text` the runs went through texts, `simulated` is the same rule on
    simulated scores of the same world, and there are neither shams nor alternatives."""

    schema_version: Literal["biasscope.calibrate/1"] = "biasscope.calibrate/1"
    version: str
    suite: str
    rule: str
    runs: int
    pairs: int
    graded: bool
    iterations: int
    seed: int
    text: bool
    sham_acceptance: MeasureOut | None
    alternatives: tuple[AlternativeOut, ...]
    simulated: CharacteristicsOut | None


class PowerOut(Out):
    """``biasscope power --json``: effects in `unit`; `pairs` and `pairs_needed` count usable validation pairs.

    `smallest_effect` is null without `pairs`, and like `pairs_needed` where nothing would be shown. `alpha` is the
    level at the last look for one bias that holds among `candidates`.
    """

    schema_version: Literal["biasscope.power/1"] = "biasscope.power/1"
    source: str | None
    source_pairs: int | None
    rule: str
    error: float | None
    change: float | None
    spread: float | None
    unit: Unit
    pairs: int | None
    smallest_effect: float | None
    effect: float
    pairs_needed: int | None
    candidates: int
    neutrals: int
    alpha: float
    power: float


class KnownBiasOut(Out):
    """One entry of the catalogue; `sign` is what is expected of judges, `phrasings` how many wordings there are.

    `family` is the name that measures it together with its like, empty for a bias of a user's file.
    """

    id: str
    family: str
    name: str
    definition: str
    source: str
    estimand: Estimand
    sign: Sign
    phrasings: int
    seed: bool


class CatalogueOut(Out):
    """``biasscope catalogue --json``."""

    schema_version: Literal["biasscope.catalogue/1"] = "biasscope.catalogue/1"
    biases: tuple[KnownBiasOut, ...]


class ReportOut(Out):
    """The page that was made of one run folder; `notes` say what of it could not be read, `tables` are paths of LaTeX."""

    run: str
    report: str
    complete: bool
    charts: tuple[str, ...]
    notes: tuple[str, ...]
    tables: tuple[str, ...] = ()


class ReportsOut(Out):
    """``biasscope report --json``; `tables` are paths of the LaTeX tables over all the runs."""

    schema_version: Literal["biasscope.report/1"] = "biasscope.report/1"
    reports: tuple[ReportOut, ...]
    tables: tuple[str, ...] = ()


SCHEMAS: dict[str, type[BaseModel]] = {
    "discover": Summary,
    "measure": MeasuredOut,
    "audit": AuditOut,
    "audits": AuditsOut,
    "show": Summary,
    "report": ReportsOut,
    "compare": CompareOut,
    "ablate": AblationOut,
    "plan": PlanOut,
    "quickstart": QuickstartOut,
    "models-list": ModelsOut,
    "models-fetch": FetchOut,
    "data-check": DataCheckOut,
    "catalogue": CatalogueOut,
    "calibrate": CalibrateOut,
    "power": PowerOut,
    "benchmark-build": BenchmarkOut,
    "benchmark-agreement": AgreementOut,
    "benchmark-publish": PublishedOut,
    "benchmark-rank": RankOut,
    "mitigate-judge": MitigatedOut,
    "mitigate-train": TrainOut,
    "mitigate-data": TrainingDataOut,
}
"""What is printed, by command; the file of a schema is named by its version, not by this (`report.schemas`)."""
