"""The table of known biases in docs/catalogue.md, measured anew: ``python -m biasscope.cli.catalogue_table PAGE``.

For every text trait a judge is planted that is drawn to it and to nothing else; every trait is then measured on that
judge by rule, so that the table says both whether the trait is found and which others move with it.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.known import built_in
from biasscope.cli.calibration_table import write
from biasscope.engine.direct import Direct
from biasscope.judges.pairwise import PairwiseJudge
from biasscope.models.planted import open_planted
from biasscope.objective import generate
from biasscope.records import Trial
from biasscope.stats.rules import RULES
from biasscope.steps.perturb import RuleWriter
from biasscope.steps.validate import TrialDesign
from biasscope.workflows.measure import measure_biases

PAIRS, LOGITS = 100, 4
MARKS = "<!-- table of the catalogue: make catalogue-table -->", "<!-- end of the table of the catalogue -->"
DESIGN = TrialDesign(replace(RULES["fixed"], neutral_plan=((1.0, 1),)))
HEAD = (
    "| id | name | kind | expected | phrasings | on its planted judge | moves as well | source |\n"
    "|---|---|---|---|---|---|---|---|\n"
)


@dataclass(frozen=True, slots=True)
class Specific:
    """One trait on the judge that is planted with it: its own trial, and the other traits that were accepted."""

    own: Trial
    others: tuple[Trial, ...]


def traits() -> list[CatalogueEntry]:
    """The entries of text traits that rules write."""
    return [e for e in built_in().entries if e.bias.estimand == "pull" and e.detector is not None]


def measure_specificity(entry: CatalogueEntry, *, pairs: int = PAIRS, seed: int = 0) -> Specific:
    """Measure every trait on a judge that is drawn to one of them."""
    judge = PairwiseJudge(Direct(open_planted(f"biases={entry.bias.id}@{LOGITS};noise=0.8;seed={seed}")))
    of = list(generate(pairs, seed=seed + 1))
    biases = [e.bias for e in traits()]
    found = asyncio.run(measure_biases(judge, RuleWriter(seed=seed), of, biases, DESIGN))
    own = next(t for t in found.trials if t.bias.id == entry.bias.id)
    others = tuple(t for t in found.trials if t.status == "accepted" and t.bias.id != entry.bias.id)
    return Specific(own, others)


def markdown() -> str:
    """Measure every row and give the table as Markdown."""
    known = built_in()
    lines = [f"### {name}\n\n{HEAD}{''.join(_rows(known.family(name)))}" for name, _ in known.families]
    return "\n".join(lines) + (
        f"\n{PAIRS} generated pairs, one neutral rewrite each; the planted judge gains {LOGITS} log-odds where the trait shows.\n"
    )


def _rows(entries: tuple[CatalogueEntry, ...]) -> Iterator[str]:
    for e in entries:
        moved, others = "", ""
        if e.bias.estimand == "pull" and e.detector is not None:
            found = measure_specificity(e)
            effect = found.own.effect
            moved = "not shown" if effect is None or found.own.status != "accepted" else _points(found.own)
            others = ", ".join(f"{t.bias.id} {_points(t)}" for t in found.others) or "none"
        cells = [e.bias.id, e.bias.name, e.bias.estimand, e.sign, str(e.phrasings or ""), moved, others, e.source]
        yield f"| {' | '.join(cells)} |\n"


def _points(trial: Trial) -> str:
    return "" if trial.effect is None else f"{100 * trial.effect.value:+.0f} points"


if __name__ == "__main__":
    write(Path(sys.argv[1]), markdown(), MARKS)
