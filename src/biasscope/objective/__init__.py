"""Preference pairs whose label can be proved, generated in any number, and the means to prove it.

`generate` makes them, `solve` finds the right answer from a question's text by another way, `final_answer` and
`same_answer` read and compare what a response says. Nothing here does I/O.
"""

from biasscope.objective.answers import final_answer, same_answer
from biasscope.objective.pairs import DOMAINS, generate, solve

__all__ = ["DOMAINS", "final_answer", "generate", "same_answer", "solve"]
