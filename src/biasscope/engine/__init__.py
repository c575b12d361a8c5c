"""The engine executes asks: the only code that knows asks, models and the ledger. It knows no step and no face.

A reply is looked up under the hash of what determines it, and paid for only where it is absent; it is written
before anyone reads it. So a rerun of the same asks gives the same answers and continues where a killed run
stopped.
"""

from biasscope.engine.accounting import Calls, Count, Event, Plan
from biasscope.engine.core import Engine

__all__ = ["Calls", "Count", "Engine", "Event", "Plan"]
