"""Results of LLMBar's evaluators: a list of rounds, each with what was decided with and without swapped outputs.

Zeng et al. 2023, arXiv 2310.07641. The winner is an output as the row lists it and not a place. An evaluator that
synthesises asks a second time where the first two answers disagree; what it decides is its last round, which is also
what the benchmark scores.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from biasscope.datasets.logs.texts import choice_of, order_of, pair_of
from biasscope.datasets.logs.verdicts import Bound, LoggedVerdict, Tally
from biasscope.datasets.rows import Row
from biasscope.parsing.formats import OUTPUTS
from biasscope.parsing.placed import Decision

COLUMNS = frozenset({"input", "output_1", "output_2", "results"})

OTHER_SHAPE = "no result of an LLMBar evaluator"
NO_LABEL = "no label that can be read"

_SWAPS = (("swap = False", False), ("swap = True", True))
_LISTED: Mapping[str, Decision] = {"1": "first", "2": "second"}


def bind(path: Path, rows: Sequence[Row]) -> Bound | None:
    """Bind to a log some of whose rows have two outputs and a list of results."""
    if not any(row.values.keys() >= COLUMNS and isinstance(row.values["results"], list) for row in rows):
        return None
    return Bound("llmbar", _Reader(_judge(path)).read, pairs="llmbar")


def _judge(path: Path) -> str:
    """The evaluator: the published files are MODEL/EVALUATOR/result.json; any other name is taken as it is."""
    stem = path.name.split(".")[0]
    folders = [p.name for p in (path.parent.parent, path.parent) if p.name]
    return "/".join(folders) if stem == "result" and folders else stem


@dataclass(frozen=True, slots=True)
class _Reader:
    judge: str

    def read(self, row: Row, tally: Tally) -> list[LoggedVerdict]:
        """The verdicts of one row: two of each round."""
        values = row.values
        results = values.get("results")
        rounds = [r for r in results if _is_round(r)] if isinstance(results, list) else []
        if not rounds:
            tally.skip(OTHER_SHAPE, row.place)
            return []
        question, one, two = (_text(values.get(name)) for name in ("input", "output_1", "output_2"))
        label = _LISTED.get(str(values.get("label")).strip())
        if label is None:
            tally.note(NO_LABEL, row.place)
        said = []
        for number, entry in enumerate(rounds, 1):
            for key, swapped in _SWAPS:
                first, second = (two, one) if swapped else (one, two)
                choice, reason, scores = _decision(entry, key, swapped=swapped)
                said.append(
                    LoggedVerdict(
                        pair_id=row.place if one is None or two is None else pair_of(question, one, two),
                        judge=self.judge,
                        place=f"{row.place} (round {number}, {'swapped' if swapped else 'as listed'})",
                        question=question,
                        first=first,
                        second=second,
                        order=order_of(_at(label, swapped=swapped), question, first, second),
                        labelled=label is not None,
                        choice=choice,
                        reason=reason,
                        scores=scores,
                        reply=_reply(entry.get(key)),
                        form=OUTPUTS,
                        round=number,
                        last=number == len(rounds),
                    )
                )
        return said


def _is_round(entry: object) -> bool:
    """Whether an entry holds verdicts; the others are what the evaluator wrote for itself before."""
    return isinstance(entry, Mapping) and any(key in entry for key, _ in _SWAPS)


def _decision(
    entry: Mapping[str, object], key: str, *, swapped: bool
) -> tuple[Decision | None, str, tuple[float, float] | None]:
    """What was decided by place, why nothing was, and the ratings where the outputs were rated one by one.

    Where ratings are equal, or cannot be read, the benchmark records the first place in both orders.
    """
    if "score_1" in entry and "score_2" in entry:
        rated = [_rating(entry[name]) for name in ("score_1", "score_2")]
        if not all(map(math.isfinite, rated)):
            return None, "a score is no number", None
        scores = (rated[1], rated[0]) if swapped else (rated[0], rated[1])
        return choice_of(scores), "", scores
    told = entry.get(key)
    if not isinstance(told, Mapping):
        return None, "no reply was recorded", None
    choice = _at(_LISTED.get(str(told.get("winner")).strip()), swapped=swapped)
    return choice, "" if choice else "no decision was recorded", None


def _at(listed: Decision | None, *, swapped: bool) -> Decision | None:
    """The place of a listed output."""
    if listed is None or not swapped:
        return listed
    return "second" if listed == "first" else "first"


def _rating(written: object) -> float:
    try:
        return float(str(written[0] if isinstance(written, list) and written else written))
    except ValueError:
        return math.nan


def _reply(told: object) -> str | None:
    completion = told.get("completion") if isinstance(told, Mapping) else None
    text = completion[0] if isinstance(completion, list) and completion else completion
    return _text(text)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None
