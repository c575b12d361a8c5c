"""What a mitigation says in words and table rows; the page and the command line share them."""

from __future__ import annotations

from biasscope.quantities import Estimate, Unit
from biasscope.report.findings import number, p_cell, span
from biasscope.report.mitigated import BiasFixOut, FixOut, MitigatedOut, Verdict
from biasscope.report.ranked_words import rate_cell
from biasscope.stats.mitigation import Cell, CellChange
from biasscope.workflows.mitigation import VerdictUse

VERDICTS: dict[Verdict, str] = {
    "works": "works",
    "works_for_slot": "works for the slot habit",
    "harmful": "harmful",
    "not_shown": "not shown",
}
STATUSES: dict[str, str] = {
    "works": "works",
    "not_shown": "not shown",
    "no_pull": "no pull to begin with",
    "raises_error": "harmful: error rises",
    "turned_round": "harmful: turned round",
    "no_signal": "no signal",
}
SIDES: dict[Cell, str] = {
    "neither": "neither",
    "rejected": "the worse",
    "chosen": "the better",
    "both": "both",
}
FIXES = ("fix", "outcome", "error %", "change", "first %", "replies", "tokens", "interval of the change")
FIXES_SHORT = 7
"""The columns that have room in a terminal."""
BIASES = ("bias", "outcome", "pull", "shrinks by", "q", "interval", "could be seen")
BIASES_SHORT = 5
"""The same of a fix on each bias."""
CELLS = ("bias", "trait on", "error % before", "after", "rise", "interval", "q")


def headline(out: MitigatedOut) -> str:
    """The mitigation in one sentence."""
    good = [f.fix for f in out.fixes if f.verdict in ("works", "works_for_slot")]
    bad = [f.fix for f in out.fixes if f.verdict == "harmful"]
    parts = [f"{_listed(good)} {'works' if len(good) == 1 else 'work'} for {out.judge}" if good else ""]
    parts += [f"{_listed(bad)} {'does' if len(bad) == 1 else 'do'} harm" if bad else ""]
    told = "; ".join(part for part in parts if part)
    return f"{told}." if told else f"Of no fix is it shown that it mends {out.judge}, and of none that it harms."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def set_line(out: MitigatedOut) -> str:
    """On what, and what was left out."""
    p = out.pairs
    parts = [
        f"On {p.held_out:,} pairs of {p.source} that found no bias and chose no form, with {p.variants:,} variants in four "
        f"cells each; {p.tuning:,} others chose forms and coefficients."
    ]
    left = [
        f"{p.refused:,} refused, since they had a part in finding the biases" if p.refused else "",
        f"{p.unlabelled:,} without a label" if p.unlabelled else "",
        f"{p.skipped:,} rows unreadable" if p.skipped else "",
    ]
    if any(left):
        parts.append(f"Left out: {', '.join(part for part in left if part)}.")
    return " ".join(parts)


def fix_row(fix: FixOut) -> tuple[str, ...]:
    """A fix on the pairs as they were."""
    change = fix.plain.change
    return (
        fix.fix + (f" ({fix.chosen})" if fix.chosen else ""),
        VERDICTS[fix.verdict],
        f"{rate_cell(fix.plain.before)} to {rate_cell(fix.plain.after)}",
        _value(change, "fraction"),
        _slot(fix),
        "" if fix.use.replies is None else f"{fix.use.replies:.1f}",
        _tokens(fix.use),
        _span(change, "fraction"),
    )


def _tokens(use: VerdictUse) -> str:
    known = use.input_tokens is not None and use.output_tokens is not None
    return f"{use.input_tokens:.0f} + {use.output_tokens:.0f}" if known else ""


def cost_line(out: MitigatedOut) -> str:
    """What a verdict took before any fix."""
    tokens = _tokens(out.before)
    many = out.before.replies
    replies = "" if many is None else "one reply" if many == 1 else f"{many:.1f} replies"
    told = " and ".join(
        part for part in (replies, f"{tokens} tokens (sent + received)" if tokens else "") if part
    )
    return f"Before any fix a verdict takes {told}; the tables have what it takes with each." if told else ""


def bias_row(found: BiasFixOut) -> tuple[str, ...]:
    """What a fix does to one bias."""
    return (
        found.name,
        STATUSES[found.status],
        f"{_value(found.before, found.unit)} to {_value(found.after, found.unit)}",
        _value(found.shrink, found.unit),
        p_cell(found.q),
        _span(found.shrink, found.unit),
        number(found.detectable, found.unit).removeprefix("+"),
    )


def cell_rows(found: BiasFixOut) -> list[tuple[str, ...]]:
    """The errors of one bias by where the trait is."""
    return [_cell_row(found.name, cell) for cell in found.cells]


def _cell_row(name: str, cell: CellChange) -> tuple[str, ...]:
    return (
        name,
        SIDES[cell.cell],
        rate_cell(cell.before),
        rate_cell(cell.after),
        _value(cell.rise, "fraction"),
        _span(cell.rise, "fraction"),
        p_cell(cell.q),
    )


def _slot(fix: FixOut) -> str:
    before, after = fix.slot.before, fix.slot.after
    if before is None or after is None:
        return ""
    return f"{50 + 100 * before.value:.0f} to {50 + 100 * after.value:.0f}"


def _value(found: Estimate | None, unit: Unit) -> str:
    return "" if found is None else number(found.value, unit)


def _span(found: Estimate | None, unit: Unit) -> str:
    return "" if found is None else span(found.low, found.high, unit)


def unit_line(out: MitigatedOut) -> str:
    """What the numbers are counted in."""
    units = {b.unit for f in out.fixes for b in f.biases}
    soft = sorted(units - {"fraction"})
    if not soft:
        return "Pulls and errors are in points of verdicts."
    told = " and ".join(soft)
    hard = ", in points where a fix leaves no margins" if "fraction" in units else ""
    return f"Pulls are in {told}{hard}; errors in points of verdicts."


def notes(out: MitigatedOut) -> list[str]:
    """What else has to be known to read the tables."""
    told = [cost_line(out)] if cost_line(out) else []
    for fix in out.fixes:
        if fix.slot.by_construction:
            told.append(
                f"{fix.fix}: no slot is left whatever the judge does, since both orders are asked each time."
            )
        if fix.scale is not None and not 0.67 <= fix.scale <= 1.5:
            told.append(
                f"{fix.fix}: margins are {fix.scale:.2f} times as large as before, so that its pulls in log-odds cannot be "
                "compared as they are; look at the errors."
            )
        lost = sum(count for _, count in fix.use.missing)
        if lost:
            reasons = ", ".join(f"{reason} {count:,}" for reason, count in fix.use.missing)
            told.append(f"{fix.fix}: {lost:,} of {fix.use.asked:,} verdicts are missing ({reasons}).")
        if fix.use.ties:
            told.append(f"{fix.fix}: {100 * fix.use.ties:.0f} % of its verdicts are ties, which count one half.")
    lost = sum(count for _, count in out.before.missing)
    if lost:
        told.append(f"Before any fix {lost:,} of {out.before.asked:,} verdicts are missing.")
    return told


def use_line(out: MitigatedOut, fix: FixOut) -> str:
    """How the judge with a fix is used."""
    return f"biasscope measure NEW_RUN --judge {out.run}/{fix.judge_file} --data DATA"
