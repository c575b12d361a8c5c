"""The functions a notebook calls and the command line calls too: open, run, store, give back. Nothing prints."""

from biasscope.api.auditing import audit
from biasscope.api.discovery import Data, Record, discover, load_data, make_plan, summarise
from biasscope.api.listing import catalogue_of
from biasscope.api.looking import FirstLook, first_look
from biasscope.api.measuring import MeasureData, load_measure, measure, read_policy
from biasscope.api.reporting import report, write_tables
from biasscope.api.reviewing import agreement, review_decisions, write_answers
from biasscope.api.running import opened
from biasscope.api.showing import show

__all__ = [
    "Data",
    "FirstLook",
    "MeasureData",
    "Record",
    "agreement",
    "audit",
    "catalogue_of",
    "discover",
    "first_look",
    "load_data",
    "load_measure",
    "make_plan",
    "measure",
    "opened",
    "read_policy",
    "report",
    "review_decisions",
    "show",
    "summarise",
    "write_answers",
    "write_tables",
]
