"""A mitigation as a Markdown page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from biasscope.report import mitigated_words as words
from biasscope.report.markdown import bullets, cell
from biasscope.report.mitigated import FixOut, MitigatedOut

READING = """- The *pull* of a bias is half of what the judge's preference for the worse response gains when the trait moves from the better
  to the worse one; what rewording does, and which response a judge favours by itself, drop out.
- A fix *works* for a bias where the pull is shown to shrink and no error is seen to rise: with the trait on the worse response,
  the better one, both or neither. With the trait on the better response the error is held against that with the trait on
  neither: what the trait gave to the better response is no merit that a fix could take away.
- *Turned round*: the judge is now drawn the other way, which is a bias too. *No pull to begin with*: on these pairs there was
  nothing to mend.
- *Could be seen* is the smallest true change that a single test would have shown with 80 % power, with the scatter that was
  found. A rise that is not seen is not a rise that is not there: the upper end of its interval says how large it could be.
- Every kind of test has one correction (Benjamini-Hochberg) over all biases and fixes. Intervals are at 95 %, questions counted
  as one draw."""


def render(out: MitigatedOut) -> str:
    """Render the whole page."""
    parts = [
        f"# Fixes of {cell(out.judge)}",
        cell(words.headline(out)),
        cell(words.set_line(out)),
        f"The judge before any fix: {cell(out.instrument)}. {words.unit_line(out)}",
        "## The pairs as they were",
        _table(words.FIXES, [words.fix_row(fix) for fix in out.fixes]),
    ]
    if told := words.notes(out):
        parts.append(bullets(told))
    for fix in out.fixes:
        parts += _fix(fix)
    return "\n\n".join([*parts, "## How to read this", READING]) + "\n"


def _fix(fix: FixOut) -> list[str]:
    parts = [f"## {fix.fix}", f"{cell(fix.what[:1].upper() + fix.what[1:])}."]
    if fix.biases:
        parts.append(_table(words.BIASES, [words.bias_row(b) for b in fix.biases]))
        parts.append(_table(words.CELLS, [row for b in fix.biases for row in words.cell_rows(b)]))
    if fix.guard:
        parts += ["The prompt is extended by:", _quoted(fix.guard)]
    if fix.adjustment is not None:
        a = fix.adjustment
        parts.append(f"Taken off a margin, in {a.unit} (fitted on {a.pairs} pairs): the slot {a.slot:+.3f}.")
        if a.slopes:
            parts.append(_table(("feature", "each unit"), [(n, f"{v:+.3f}") for n, v in a.slopes.items()]))
    return [*parts, f"The judge with it: `{fix.judge_file}`, which `--judge` takes."]


def _quoted(text: str) -> str:
    return "\n".join(f"> {cell(line)}" if line.strip() else ">" for line in text.splitlines())


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}"
    return "\n".join([head, *(f"| {' | '.join(cell(c) for c in row)} |" for row in rows)])
