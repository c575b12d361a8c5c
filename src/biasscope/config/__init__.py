"""The configuration of a run in two parts, and the specification of a model. Pure: nothing is opened here.

*Identity* is what determines results, *execution* is how fast and how far. Unknown keys are refused everywhere.
"""

from biasscope.config.judges import PROGRAMS, Adjustment, JudgeMode, JudgeSpec, Procedure
from biasscope.config.mitigation import MitigateConfig, MitigateIdentity
from biasscope.config.models import Execution, MeasureExecution, ModelExecution, ModelSpec
from biasscope.config.policy import BiasPolicy, GatePolicy, PolicyFile
from biasscope.config.runs import (
    GRADED_SHAMS,
    AnyConfig,
    BenchmarkConfig,
    BenchmarkIdentity,
    DataSpec,
    Identity,
    MeasureConfig,
    MeasureIdentity,
    RankConfig,
    RankIdentity,
    Rewriting,
    Rule,
    RunConfig,
)
from biasscope.config.training_data import (
    TrainingDataConfig,
    TrainingDataIdentity,
    TrainingFormat,
    TrainingTask,
)

__all__ = [
    "GRADED_SHAMS",
    "PROGRAMS",
    "Adjustment",
    "AnyConfig",
    "BenchmarkConfig",
    "BenchmarkIdentity",
    "BiasPolicy",
    "DataSpec",
    "Execution",
    "GatePolicy",
    "Identity",
    "JudgeMode",
    "JudgeSpec",
    "MeasureConfig",
    "MeasureExecution",
    "MeasureIdentity",
    "MitigateConfig",
    "MitigateIdentity",
    "ModelExecution",
    "ModelSpec",
    "PolicyFile",
    "Procedure",
    "RankConfig",
    "RankIdentity",
    "Rewriting",
    "Rule",
    "RunConfig",
    "TrainingDataConfig",
    "TrainingDataIdentity",
    "TrainingFormat",
    "TrainingTask",
]
