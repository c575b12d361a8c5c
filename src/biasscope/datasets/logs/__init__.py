"""Readers of logs: verdicts that somebody's judge gave before, in the formats in which they are kept.

What a log says but is no verdict is counted with its first places, and a log that breaks off is read up to there:
nothing is dropped silently. One file per format, and one entry point.
"""

from biasscope.datasets.logs.columns import parse_columns
from biasscope.datasets.logs.loading import load_log
from biasscope.datasets.logs.verdicts import Counted, LoadedLog, LoggedVerdict, counted

__all__ = ["Counted", "LoadedLog", "LoggedVerdict", "counted", "load_log", "parse_columns"]
