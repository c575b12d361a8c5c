"""The table of measured operating characteristics in `docs/statistics.md`, between two marks.

`python -m biasscope.cli.calibration_table FILE RUNS` measures and writes it (`make calibration-table`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from biasscope.stats.simulation.alternatives import AlternativeName
from biasscope.stats.simulation.score import Characteristics, Measure
from biasscope.stats.simulation.world import MIDDLE, STRONG, SUITES, WEAK
from biasscope.workflows.calibrate import Calibration, Setup, calibrate

BEGIN, END = "<!-- calibration table: make calibration-table -->", "<!-- end of the calibration table -->"
HEAD = """\
| judges, candidates | rule | FDR | recall: medium, large | recall: small | calls | teacher | interval | fresh | sham |
|---|---|--:|--:|--:|--:|--:|--:|--:|--:|
"""
OTHERS: dict[AlternativeName, str] = {
    "paper": "published rule",
    "unpaired": "two proportions",
    "single_order": "one order only",
    "without_placebo": "no neutral rewrites",
}
DENSE, SPARSE = SUITES["20-10-10"], SUITES["30-12-5-3"]
ROWS: tuple[tuple[str, Setup], ...] = (
    *(("", Setup(suite, rule)) for suite in (DENSE, SPARSE) for rule in ("default", "fast", "thorough", "fixed")),
    *(("graded", Setup(suite, graded=True)) for suite in (DENSE, SPARSE)),
    ("in 5 iterations", Setup(SPARSE, iterations=5)),
    ("310 pairs", Setup(SPARSE, pairs=310)),
    ("200 pairs", Setup(SPARSE, pairs=200)),
    ("weak judge", Setup(SPARSE, world=WEAK)),
    ("strong judge", Setup(SPARSE, world=STRONG)),
    ("three phrasings that differ", Setup(SPARSE, world=replace(MIDDLE, instruction_sd=0.1, phrasings=3))),
    ("one phrasing, and it differs", Setup(SPARSE, world=replace(MIDDLE, instruction_sd=0.1))),
)
"""What is measured: the middle judge at 620 pairs unless it says otherwise."""


def markdown(measure: Callable[[Setup], Calibration], *, runs: int, seed: int) -> str:
    """Measure every row and give the table as Markdown."""
    lines = [line for note, setup in ROWS for line in _lines(note, measure(replace(setup, runs=runs, seed=seed)))]
    return f"{HEAD}{''.join(lines)}\n{runs:,} runs for every row, seed {seed}; ± is one Monte-Carlo standard error.\n"


def _lines(note: str, found: Calibration) -> Iterator[str]:
    setup = found.setup
    where = setup.suite.name + (f", {note}" if note else "")
    yield _line(where, f"**{setup.rule}**", found.measured, found.sham_acceptance)
    if setup.rule == "default" and not note:
        for name, words in OTHERS.items():
            yield _line(where, words, found.alternatives[name], None)


def _line(where: str, rule: str, found: Characteristics, sham: Measure | None) -> str:
    shares = (found.fdr, found.recall_medium_large, found.recall["small"])
    cells = [
        where,
        rule,
        *map(_share, shares),
        *(f"{c.value:.2f}" for c in (found.calls_ratio, found.teacher_calls_ratio)),
        *map(_share, (found.coverage_fcr, found.coverage_fresh, sham)),
    ]
    return f"| {' | '.join(cells)} |\n"


def _share(found: Measure | None) -> str:
    return "" if found is None else f"{found.value:.3f} ± {found.mc_error:.3f}"


def write(page: Path, table: str, marks: tuple[str, str] = (BEGIN, END)) -> None:
    """Put a table between the two marks of a page. Raises ValueError where it does not have both, in this order."""
    before, begin, rest = page.read_text(encoding="utf-8").partition(marks[0])
    _, end, after = rest.partition(marks[1])
    if not begin or not end:
        raise ValueError(f"{page} needs the lines {marks[0]!r} and {marks[1]!r}")
    page.write_text(f"{before}{begin}\n\n{table}\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), markdown(calibrate, runs=int(sys.argv[2]), seed=0))
