"""The outputs of JudgeBench: one row is a pair with what a judge decided in each order. Knows rows, not files.

Tan et al. 2024, arXiv 2410.12784. The first entry of a row's list was given with response A shown first, the second
with response B shown first; what an entry decides, and its scores, go by place and not by response.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from biasscope.parsing.placed import Decision

DECISIONS: Mapping[str, Decision] = {"A>B": "first", "B>A": "second", "A=B": "tie"}


@dataclass(frozen=True, slots=True)
class OutputVerdict:
    """One entry of an output, by place.

    `swapped` says that response B was shown first. `choice` is None where nothing was decided, `reply` what the judge
    wrote (empty where it writes nothing), `scores` those of the two shown responses as they are written, empty
    without any, and `model` who judged.
    """

    swapped: bool
    choice: Decision | None
    reply: str
    scores: tuple[object, ...]
    model: str


def output_verdicts(row: Mapping[str, object]) -> list[OutputVerdict | None]:
    """The entries of a row in the order of the list, at most two; None for a call that failed.

    Raises ValueError where the row holds no list of entries.
    """
    found = row.get("judgments")
    if not isinstance(found, list):
        raise ValueError("judgments is no list")
    return [_entry(one, swapped=swapped) for swapped, one in zip((False, True), found, strict=False)]


def _entry(one: object, *, swapped: bool) -> OutputVerdict | None:
    if not isinstance(one, Mapping):
        return None
    told = one.get("judgment")
    told = told if isinstance(told, Mapping) else {}
    scores = told.get("scores")
    return OutputVerdict(
        swapped=swapped,
        choice=DECISIONS.get(str(one.get("decision"))),
        reply=str(told.get("response") or ""),
        scores=tuple(scores) if isinstance(scores, list) else (),
        model=str(told.get("judge_model") or ""),
    )
