"""The run folder: who writes to it, with which configuration, and its files. Knows no model, ask or ledger.

A folder is entered under a lock by one process at a time, and refuses another identity or other data than it
was started with. It can be read at any time.
"""

from biasscope.rundir.configs import parse_as, parse_config, read_config, read_values
from biasscope.rundir.folder import MAY_GROW, RunDir, by_endpoint
from biasscope.rundir.manifest import Manifest, Outcome, Start

__all__ = [
    "MAY_GROW",
    "Manifest",
    "Outcome",
    "RunDir",
    "Start",
    "by_endpoint",
    "parse_as",
    "parse_config",
    "read_config",
    "read_values",
]
