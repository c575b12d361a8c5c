"""The configuration of a mitigation: which fixes of a judge are tried, on what."""

from __future__ import annotations

from pydantic import Field

from biasscope.config.judges import JudgeSpec
from biasscope.config.models import MeasureExecution, Strict


class MitigateIdentity(Strict):
    """What determines how fixes of a judge come out.

    `found` is the folder of the run whose biases are to be mended, `judge` the judge in it. `biases` are ids of it or of the
    catalogue, none for all that were accepted there. `fixes` are names of fixes. Pairs come from `fresh`, and without it from
    the run's own data: those that selected no bias. The share `tuning` of their questions chooses forms and fits coefficients,
    the rest is reported on. Every pair gets up to `variants` biases. `samples` is the number of samples of the fix of that
    name, `panel` the other judges of a panel.
    """

    found: str
    judge: JudgeSpec
    fixes: tuple[str, ...] = Field(min_length=1)
    biases: tuple[str, ...] = ()
    fresh: str | None = None
    limit: int | None = Field(default=None, ge=1)
    variants: int = Field(default=4, ge=1, le=100)
    tuning: float = Field(default=0.4, gt=0, lt=1)
    samples: int = Field(default=5, ge=2, le=99)
    panel: tuple[JudgeSpec, ...] = ()
    q: float = Field(default=0.05, gt=0, lt=1)
    seed: int = 0


class MitigateConfig(Strict):
    """A whole configuration of a mitigation, as saved in its folder and as read from ``--config``."""

    identity: MitigateIdentity
    execution: MeasureExecution = MeasureExecution()
