"""A measurement as a Markdown page, and a short one for a step of CI."""

from __future__ import annotations

from biasscope.report import details, measured_words
from biasscope.report.findings import STATUS_WORDS, amount, interval_text, p_text
from biasscope.report.markdown import bullets, cell
from biasscope.report.measured import EffectOut, JudgedOut, MeasuredOut


def render(out: MeasuredOut) -> str:
    """Render the whole page."""
    parts = [
        "# Biases of judges",
        cell(measured_words.headline(out)),
        cell(measured_words.pairs_line(out)),
        *(part for judged in out.judges for part in _judge(judged)),
        *_comparison(out),
        "## How to read this",
        _reading(out),
    ]
    return "\n\n".join(parts) + "\n"


def step_summary(out: MeasuredOut) -> str:
    """What fits into the summary of a CI step: the gate's outcome and one table a judge."""
    parts = [f"### biasscope: {cell(measured_words.headline(out))}", cell(measured_words.pairs_line(out))]
    for judged in out.judges:
        lines = measured_words.gate_lines(judged) or [judged.name]
        parts += [bullets(lines), effects_table(judged)]
    return "\n\n".join(parts) + "\n"


def _judge(judged: JudgedOut) -> list[str]:
    parts = [f"## {cell(judged.name)}"]
    gate = measured_words.gate_lines(judged)
    if gate:
        parts.append(bullets(gate))
    parts += [f"Asked: {cell(judged.instrument)}.", cell(measured_words.baseline_line(judged))]
    held = [e for e in judged.effects if e.status == "accepted"]
    if held:
        parts.append(bullets(measured_words.finding(e) for e in held))
    parts.append(effects_table(judged))
    control = details.null_lines(judged.null_control)
    if control:
        parts.append(bullets(control))
    if judged.missing:
        rows = [f"| {cell(m.arm)} | {cell(m.reason)} | {m.count} |" for m in judged.missing]
        parts.append("\n".join(["| missing in arm | reason | count |\n|---|---|---|", *rows]))
    else:
        parts.append("Missing: nothing; every rewrite and every verdict could be used.")
    return [*parts, measured_words.cost_line(judged)]


def _comparison(out: MeasuredOut) -> list[str]:
    if out.comparison is None:
        return []
    head = "| bias | judges | difference | interval | p | q | n |\n|---|---|---|---|---|---|---|"
    rows = [
        f"| {cell(d.name)} | {cell(d.judges[1])} less {cell(d.judges[0])} "
        f"| {'' if d.difference is None else amount(d.difference, 'fraction')} | {interval_text(d.low, d.high, 'fraction')} "
        f"| {p_text(d.p)} | {'' if d.q is None else f'{d.q:.4f}'} | {d.n} |"
        for d in out.comparison.differences
    ]
    lines = bullets(measured_words.comparison_lines(out))
    return ["## The judges beside each other", lines, "\n".join([head, *rows])]


def effects_table(judged: JudgedOut) -> str:
    """One row a bias."""
    gated = judged.gate is not None
    head = "| bias | status | effect | interval | p | q | n |" + (" gate |" if gated else "")
    line = "|---|---|---|---|---|---|---|" + ("---|" if gated else "")
    return "\n".join([f"{head}\n{line}", *(_row(e, gated=gated) for e in judged.effects)])


def _row(e: EffectOut, *, gated: bool) -> str:
    unit = e.unit or "fraction"
    marks = [*e.marks, *(["discovered on this judge"] if e.discovered_here else [])]
    status = STATUS_WORDS[e.status] + (f": {e.reason}" if e.reason and e.status != "accepted" else "")
    status += f" ({', '.join(marks)})" if marks else ""
    effect = "" if e.effect is None else amount(e.effect, unit)
    row = (
        f"| {cell(e.name)} | {cell(status)} | {effect} | {interval_text(e.low, e.high, unit)} | {p_text(e.p)} "
        f"| {'' if e.q is None else f'{e.q:.4f}'} | {e.n} |"
    )
    return row + (f" {e.gate} |" if gated else "")


def _reading(out: MeasuredOut) -> str:
    side = {"rejected": "the worse", "chosen": "the better", "both": "either"}[out.sides]
    where = side if out.pairs.labelled else "one"
    return (
        f"Each trait was written into {where} response of a pair, beside neutral rewrites of the same text by the same "
        "writer. An effect is how much more often the response with the trait is preferred than with those. A slot "
        "bias is how often the answer shown first is preferred, beyond one half. Benjamini-Hochberg at "
        f"{100 * out.q:g} % runs over everything tried on a judge; a slot bias is in its count and helps no trait. "
        "*Not shown* means not proven, not absent."
    )
