"""A result in a few lines and one table, for a notebook's cell: as HTML or Markdown, with every text escaped for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from biasscope.models.failures import plain
from biasscope.report import audited_words, findings, measured_words
from biasscope.report.audited import AuditOut
from biasscope.report.html import discovery, measurement
from biasscope.report.html.tables import Table, missing_table
from biasscope.report.markdown import cell
from biasscope.report.measured import MeasuredOut
from biasscope.report.seeing import seen
from biasscope.report.summary import Summary

_CELL = Markup('<{tag} style="text-align: {side}; vertical-align: top; padding: 2px 8px">{text}</{tag}>')


@dataclass(frozen=True, slots=True)
class Card:
    """A headline, sentences below it, tables, and sentences below these."""

    headline: str
    lines: tuple[str, ...]
    tables: tuple[Table, ...]
    below: tuple[str, ...]

    @property
    def html(self) -> str:
        """As HTML without script and style sheet."""
        parts = [Markup("<p><strong>{}</strong></p>").format(seen(self.headline))]
        parts += [Markup("<p>{}</p>").format(seen(line)) for line in self.lines]
        parts += [_html(table) for table in self.tables]
        parts += [Markup("<p>{}</p>").format(seen(line)) for line in self.below]
        return str(Markup('<div class="biasscope">{}</div>').format(Markup("\n").join(parts)))

    @property
    def markdown(self) -> str:
        """As Markdown with tables."""
        parts = [f"**{cell(seen(self.headline))}**", *(cell(seen(line)) for line in self.lines)]
        return (
            "\n\n".join([*parts, *map(_markdown, self.tables), *(cell(seen(line)) for line in self.below)]) + "\n"
        )


def measured_card(out: MeasuredOut, place: str) -> Card:
    """A measurement: its headline, a table a judge, what is missing, and where it is kept."""
    several = len(out.judges) > 1
    comparison = measured_words.comparison_lines(out) if several else []
    gates = [line for j in out.judges for line in measured_words.gate_lines(j)]
    missing = [
        m.model_copy(update={"arm": f"{j.name}: {m.arm}"}) if several else m
        for j in out.judges
        for m in j.missing
    ]
    return Card(
        measured_words.headline(out),
        (measured_words.pairs_line(out), *gates, *comparison),
        (*(measurement.effects_of(j) for j in out.judges), *_tables(missing_table(missing))),
        (*_missing(out.complete and not missing), _kept(place)),
    )


def discovered_card(out: Summary, place: str) -> Card:
    """A discovery: its headline, what holds, everything that was tried, what is missing, and where it is kept."""
    held = [findings.finding(t, out.rule) for t in out.trials if t.status == "accepted"]
    return Card(
        findings.headline(out),
        (*held, *findings.baseline_lines(out.baseline)),
        _tables(discovery.tried(out), missing_table(out.missing)),
        (*_missing(out.complete and not out.missing), _kept(place)),
    )


def audited_card(audits: Sequence[AuditOut]) -> Card:
    """Audits: a row a judge of a log, and what each of them seems to go by."""
    head = (
        "judge",
        "log",
        "pairs",
        "verdicts",
        "answered",
        "slot preference",
        "same choice in both orders",
        "errs",
    )
    rows = tuple(
        (
            out.judge,
            out.log,
            f"{out.pairs:,}",
            f"{out.verdicts:,}",
            f"{out.answered:,}",
            "" if out.slot_preference.estimate is None else findings.amount(out.slot_preference.estimate, "fraction"),
            audited_words.percent(out.position_consistency),
            audited_words.percent(out.error_rate),
        )
        for out in audits
    )  # fmt: skip
    seeming = tuple(f"{out.judge}: {line}." for out in audits for line in audited_words.candidate_lines(out))
    count = len(audits)
    headline = f"Verdicts of {count} judges." if count != 1 else f"Verdicts of {audits[0].judge}."
    return Card(headline, (), (Table("What the verdicts tell", head, rows),), (*seeming, audited_words.CAUSE))


def _missing(nothing: bool) -> tuple[str, ...]:
    return ("Missing: nothing; every rewrite and every verdict could be used.",) if nothing else ()


def _kept(place: str) -> str:
    return f"Kept in {plain(place)}."


def _tables(*tables: Table | None) -> tuple[Table, ...]:
    return tuple(table for table in tables if table is not None)


def _html(table: Table) -> Markup:
    def row(tag: str, cells: Sequence[str]) -> Markup:
        made = [
            _CELL.format(tag=Markup(tag), side="left" if number < 2 else "right", text=seen(text))
            for number, text in enumerate(cells)
        ]
        return Markup("<tr>{}</tr>").format(Markup("").join(made))

    body = Markup("\n").join(row("td", cells) for cells in table.rows)
    return Markup("<table><caption>{caption}</caption><thead>{head}</thead><tbody>{body}</tbody></table>").format(
        caption=escape(seen(table.caption)), head=row("th", table.head), body=body
    )


def _markdown(table: Table) -> str:
    lines = ["| " + " | ".join(table.head) + " |", "|" + "---|" * len(table.head)]
    lines += ["| " + " | ".join(cell(seen(text)) for text in cells) + " |" for cells in table.rows]
    return "\n".join(lines)
