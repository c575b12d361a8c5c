"""The functions a notebook calls and the command line calls too: open, run, store, give back. Nothing prints."""

from biasscope.api.ablating import ablate
from biasscope.api.auditing import audit
from biasscope.api.benchmarking import BenchmarkData, build_benchmark, load_benchmark
from biasscope.api.comparing import compare
from biasscope.api.discovery import Data, Record, discover, load_data, make_plan, summarise
from biasscope.api.filtering import filter_benchmark
from biasscope.api.listing import catalogue_of
from biasscope.api.looking import FirstLook, first_look
from biasscope.api.measuring import MeasureData, load_measure, measure, read_policy
from biasscope.api.mitigating import MitigateData, load_mitigate, mitigate
from biasscope.api.publishing import publish_benchmark
from biasscope.api.ranking import RankData, load_rank, rank
from biasscope.api.reporting import report, write_tables
from biasscope.api.reviewing import agreement, review_decisions, write_answers
from biasscope.api.running import opened
from biasscope.api.showing import show
from biasscope.api.training import train
from biasscope.api.training_data import TrainingSource, load_training_data, make_training_data

__all__ = [
    "BenchmarkData",
    "Data",
    "FirstLook",
    "MeasureData",
    "MitigateData",
    "RankData",
    "Record",
    "TrainingSource",
    "ablate",
    "agreement",
    "audit",
    "build_benchmark",
    "catalogue_of",
    "compare",
    "discover",
    "filter_benchmark",
    "first_look",
    "load_benchmark",
    "load_data",
    "load_measure",
    "load_mitigate",
    "load_rank",
    "load_training_data",
    "make_plan",
    "make_training_data",
    "measure",
    "mitigate",
    "opened",
    "publish_benchmark",
    "rank",
    "read_policy",
    "report",
    "review_decisions",
    "show",
    "summarise",
    "train",
    "write_answers",
    "write_tables",
]
