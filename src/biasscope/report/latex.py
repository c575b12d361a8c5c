"""Tables for a paper, in LaTeX with booktabs: `table` for any, `main_table` and `bias_table` for runs. Pure.

Text is escaped where a table is made, unless it is `Tex` already, so that no name can end a row or a run of LaTeX. What is
not known is a dash.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from biasscope.report.findings import STATUS_WORDS, against_originals, amount, number, p_cell, span
from biasscope.report.measured import EffectOut, MeasuredOut
from biasscope.report.seeing import seen
from biasscope.report.summary import Summary, TrialOut

DASH = "--"
PACKAGES = {False: "booktabs", True: "booktabs,longtable"}
"""What a document loads for a table that stays on its page, and for one that may go over several."""

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "`": r"\textasciigrave{}", "'": r"\textquotesingle{}", '"': r"\char34{}",
    # After the end of a row or a rule, brackets would be read as its argument and a star as a variant of it.
    "[": "{[}", "]": "{]}", "*": "{*}",
}  # fmt: skip
_JOINED = "-,"
"""Signs of which LaTeX sets two in a row as another one."""
_SIGN = re.compile(r"(?<![\w.])([-+])(?=\d)")
_NUMBERS = re.compile(r"(?:[-+]?\d[\d.,]*|[()<>=%]|\bto\b|\s)+")
_LABEL = re.compile(r"[A-Za-z0-9:._-]+")


class Tex(str):
    """LaTeX that is put out as it is; every other text is escaped."""

    __slots__ = ()


class Column(NamedTuple):
    """The head of a column, and whether its cells stand left, right or in the middle."""

    title: str
    align: Literal["l", "r", "c"] = "r"


def escape(text: str) -> Tex:
    """The text for LaTeX, on one line: every special sign is written so that it prints itself; Unicode is kept.

    Signs that show nothing or turn the direction of writing are shown by their number, as in the HTML report.
    """
    if isinstance(text, Tex):
        return text
    plain = " ".join(seen(text).split())
    apart = (
        "{}" if sign == before and sign in _JOINED else ""
        for before, sign in zip(" " + plain, plain, strict=False)
    )
    return Tex("".join(gap + _SPECIAL.get(sign, sign) for gap, sign in zip(apart, plain, strict=True)))


def signed(text: str) -> Tex:
    """The text for LaTeX with the signs of numbers set as such, and not as hyphens."""
    return Tex(_SIGN.sub(r"$\1$", escape(text)))


def table(
    columns: Sequence[str | Column],
    rows: Iterable[Sequence[str | None]],
    caption: str,
    label: str,
    *,
    long: bool = False,
) -> str:
    """A table with a caption above it; `long` ones may go over several pages.

    Without a `Column` the first column stands left and the others right. A cell that is None or empty is a dash. Raises
    ValueError for a row with another number of cells than columns, and for a label that LaTeX cannot refer to.
    """
    if not _LABEL.fullmatch(label):
        raise ValueError(f"need a label of letters, digits and :._-, got {label!r}")
    heads = [c if isinstance(c, Column) else Column(c, "r" if k else "l") for k, c in enumerate(columns)]
    lines = []
    for row in rows:
        if len(row) != len(heads):
            raise ValueError(f"need {len(heads)} cells in a row, got {list(row)}")
        lines.append(_line(_cell(cell) for cell in row))
    place = "".join(h.align for h in heads)
    head = [r"\toprule", _line(escape(h.title) for h in heads), r"\midrule"]
    named = rf"\caption{{{escape(caption)}}}\label{{{label}}}"
    packages = rf"% Needs \usepackage{{{PACKAGES[long]}}}."
    if long:
        begun = [rf"\begin{{longtable}}{{{place}}}", named + r" \\", *head, r"\endfirsthead", *head, r"\endhead"]
        parts = [packages, *begun, r"\bottomrule", r"\endfoot", *lines, r"\end{longtable}"]
    else:
        begun = [r"\begin{table}", r"\centering", named, rf"\begin{{tabular}}{{{place}}}"]
        parts = [packages, *begun, *head, *lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(parts) + "\n"


def _line(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(text: str | None) -> str:
    if text is None or not text.strip():
        return DASH
    return signed(text) if _NUMBERS.fullmatch(text) else escape(text)


# --- runs -------------------------------------------------------------------------------------------------

Run = Summary | MeasuredOut
MAIN = (
    Column("Judge", "l"),
    Column("Validated biases"),
    Column("Error before (%)"),
    Column("Reworded (%)"),
    Column("Error after (%)"),
    Column("Gain (points)"),
)
MAIN_CAPTION = (
    "Biases that hold, and the error of each judge on held-out pairs: on the originals (before), on neutral rewrites of them "
    "(reworded), and with one of its biases written into each pair (after). The gain is after less reworded, with its 95 % interval."
)
MEASURED_NOTE = "Of a judge on which known biases were measured, the error is that on all its pairs."
ONLY_BEFORE = "Where nothing was held out or nothing holds, the error before is that on the validation pairs."
PUBLISHED_NOTE = (
    "Rows with a dagger are by the published rule: the mean error over the biases that it accepts, on the pairs that selected "
    "them, less the error on the originals; no neutral rewrite and no interval."
)
DAGGER = Tex(r"$^{\dagger}$")


def main_table(runs: Sequence[Run]) -> str:
    """One row for each judge of each run: how many biases hold, and what they do together on held-out pairs.

    Rates are per cent, gains points. Judges of one name are told apart by the folders of their runs.
    """
    rows = [row for run in runs for row in _main_rows(run)]
    names = told_apart([(name, folder) for name, folder, _, _ in rows])
    lines = [(Tex(escape(name) + mark), *cells) for name, (_, _, mark, cells) in zip(names, rows, strict=True)]
    notes = (
        (ONLY_BEFORE, any(isinstance(run, Summary) for run in runs)),
        (MEASURED_NOTE, any(isinstance(run, MeasuredOut) for run in runs)),
        (PUBLISHED_NOTE, any(mark for _, _, mark, _ in rows)),
    )
    caption = " ".join([MAIN_CAPTION, *(note for note, needed in notes if needed)])
    return table(MAIN, lines, caption, "tab:main")


def told_apart(named: Sequence[tuple[str, str]]) -> list[str]:
    """Names of judges, given with the folders of their runs: with the folder where a name alone is not enough."""
    names = [name for name, _ in named]
    return [f"{name} ({folder})" if names.count(name) > 1 else name for name, folder in named]


_Row = tuple[str, str, str, tuple[str, ...]]
"""Name of the judge, folder of the run, a mark behind the name (LaTeX), and the cells."""


def _folder(run: Run) -> str:
    return re.split(r"[/\\]", run.run.rstrip("/\\"))[-1]


def _main_rows(run: Run) -> list[_Row]:
    if isinstance(run, Summary):
        return [_discovered(run)]
    rows: list[_Row] = []
    for j in run.judges:
        held = sum(e.status == "accepted" for e in j.effects)
        before = _rate(None if j.baseline is None else j.baseline.error_rate)
        rows.append((j.name, _folder(run), "", (str(held), before, "", "", "")))
    return rows


def _discovered(run: Summary) -> _Row:
    if not run.complete:
        return f"{run.judge} (not finished)", _folder(run), "", ("",) * 5
    held = [t for t in run.trials if t.status == "accepted"]
    before = None if run.baseline is None else run.baseline.error_rate
    cells: tuple[str, ...] = (_rate(before), "", "", "")
    mark, together = "", run.library_effect
    errors = [t.error_biased for t in held if t.error_biased is not None]
    if together is not None:
        interval = span(together.low, together.high, together.unit)
        gain = _amount(together.gain, together.unit) + (f" ({interval})" if interval else "")
        cells = (_rate(together.before), _rate(together.neutral), _rate(together.after), signed(gain))
    elif run.rule == "paper" and before is not None and errors:
        after = sum(errors) / len(errors)
        mark, cells = DAGGER, (_rate(before), "", _rate(after), number(after - before, "fraction"))
    return run.judge, _folder(run), mark, (str(len(held)), *cells)


def _rate(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f}"


def _amount(value: float | None, unit: str | None) -> str:
    """Points without a unit, anything else with its unit."""
    if value is None or unit is None:
        return ""
    return number(value, unit) if unit == "fraction" else amount(value, unit)


BIASES = (
    Column("Bias", "l"),
    Column("Effect"),
    Column("Interval"),
    Column(Tex("$p$")),
    Column(Tex("$q$")),
    Column(Tex("$n$")),
    Column("Status", "l"),
)
BIASES_CAPTION = (
    "Every bias that was tried. Effects are points beyond neutral rewrites of the same texts, unless another unit is named. "
    "Intervals cover 95 %, those of what holds more, since it was picked; q is p adjusted over everything that was tried. "
    "Not shown means not proven, not absent."
)


def bias_table(runs: Sequence[Run]) -> str:
    """Every bias that was tried, for each judge what holds first and then by effect; with a column of judges for several."""
    groups = [group for run in runs for group in _groups(run)]
    names = told_apart([(name, folder) for name, folder, _, _ in groups])
    several = len(groups) > 1
    columns = [Column("Judge", "l"), *BIASES] if several else list(BIASES)
    rows = [
        [*([name] if several else []), *_bias_row(one, rule)]
        for name, (_, _, found, rule) in zip(names, groups, strict=True)
        for one in sorted(found, key=_strength)
    ]
    published = any(rule == "paper" for *_, rule in groups)
    caption = f"{BIASES_CAPTION} By the published rule: less the originals." if published else BIASES_CAPTION
    return table(columns, rows, caption, "tab:biases", long=True)


def _groups(run: Run) -> list[tuple[str, str, tuple[TrialOut | EffectOut, ...], str]]:
    """Name of the judge, folder of the run, what was tried, and the rule."""
    if isinstance(run, MeasuredOut):
        return [(j.name, _folder(run), j.effects, run.rule) for j in run.judges]
    return [(run.judge, _folder(run), run.trials, run.rule)]


def _strength(found: TrialOut | EffectOut) -> tuple[bool, float]:
    return found.status != "accepted", -(found.effect or 0.0)


def _bias_row(found: TrialOut | EffectOut, rule: str) -> list[str]:
    effect, unit = found.effect, found.unit
    if rule == "paper" and isinstance(found, TrialOut):
        effect, unit = against_originals(found), "fraction"
    marks = f" ({', '.join(found.marks)})" if found.marks else ""
    return [
        found.name,
        signed(_amount(effect, unit)),
        span(found.low, found.high, found.unit),
        p_cell(found.p),
        p_cell(found.q),
        str(found.n),
        STATUS_WORDS[found.status] + marks,
    ]
