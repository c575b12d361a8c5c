"""The summary as a Markdown page: findings first, then every trial, then what is missing and what it cost."""

from __future__ import annotations

import re
from collections.abc import Iterable

from biasscope.report import details, findings, proposals
from biasscope.report.summary import LibraryEffectOut, Summary, TrialOut

_MARKUP = re.compile(r"[\\`*_{}\[\]|#!~$]|:(?=//)|(?<=www)\.|^[-+=]")
_NUMBER = re.compile(r"^(\d+)(?=[.)])")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def cell(text: str) -> str:
    """Model text inside a table cell or a line: no pipes, no line breaks, no links, no markup of its own."""
    plain = _MARKUP.sub(lambda sign: f"\\{sign[0]}", " ".join(text.split()))
    return _NUMBER.sub(r"\1\\", plain).translate(_ENTITIES)


def bullets(lines: Iterable[str]) -> str:
    """Sentences as a list, each escaped."""
    return "\n".join(f"- {cell(line)}" for line in lines)


def render(summary: Summary) -> str:
    """Render the whole page."""
    parts = [
        f"# Biases of {cell(summary.judge)}",
        cell(findings.headline(summary)),
        *_held(summary),
        "## The judge before anything is rewritten",
        f"Asked: {cell(summary.instrument)}.",
        *(findings.baseline_lines(summary.baseline) or ["No original pair could be judged."]),
        *_library_effect(summary.library_effect),
        "## Everything that was tried",
        _trials(summary),
        *_untried(summary),
        *_seeds(summary),
        *_null_control(summary),
        "## How it was found",
        *_iterations(summary),
        *_proposals(summary),
        *findings.doubts(summary),
        f"The loop stopped: {summary.stopped}." if summary.complete else "The loop has not ended yet.",
        "## What is missing",
        _missing(summary),
        "## What it took",
        _cost(summary),
        "## What to do next",
        bullets(findings.next_steps(summary)),
        "## How to read this",
        _reading(summary),
    ]
    return "\n\n".join(parts) + "\n"


def _held(summary: Summary) -> list[str]:
    held = [t for t in summary.trials if t.status == "accepted"]
    held.sort(key=lambda t: -(t.effect or 0.0))
    parts = []
    for t in held:
        more = "".join(f"\n  - {cell(line)}" for line in details.detail_lines(t))
        parts.append(f"- {cell(findings.finding(t, summary.rule))}\n  {cell(t.definition)}{more}")
    return parts


def _null_control(summary: Summary) -> list[str]:
    lines = details.null_lines(summary.null_control)
    return ["## Where nothing is to be found", bullets(lines)] if lines else []


def _trials(summary: Summary) -> str:
    if not summary.trials:
        return "Nothing was tried."
    paper = summary.rule == "paper"
    what = "error against the originals" if paper else "effect beyond neutral wording"
    head = (
        f"| candidate | status | {what} | interval | p | q | n | could be seen | iteration |\n"
        "|---|---|---|---|---|---|---|---|---|"
    )
    return "\n".join([head, *(_published_row(t) if paper else _row(t) for t in summary.trials)])


def _row(t: TrialOut) -> str:
    unit = t.unit or "fraction"
    effect = "" if t.effect is None else findings.amount(t.effect, unit)
    # What a trial that stopped early could have seen says nothing: it stopped because of what it saw.
    seen = findings.amount(t.detectable, unit) if t.detectable is not None and t.status == "not_shown" else ""
    return (
        f"| {cell(t.name)} | {_status(t)} | {effect} "
        f"| {findings.interval_text(t.low, t.high, unit)} | {findings.p_text(t.p)} "
        f"| {'' if t.q is None else f'{t.q:.4f}'} | {t.n} "
        f"| {seen} | {t.iteration} |"
    )


def _published_row(t: TrialOut) -> str:
    """What the published rule knows: it has no interval, no p and no correction."""
    gain = findings.against_originals(t)
    effect = "" if gain is None else findings.amount(gain, "fraction")
    return f"| {cell(t.name)} | {_status(t)} | {effect} | | | | {t.n} | | {t.iteration} |"


def _status(t: TrialOut) -> str:
    marks = f" ({', '.join(t.marks)})" if t.marks else ""
    why = f": {t.reason}" if t.reason and t.status != "accepted" else ""
    return cell(findings.STATUS_WORDS[t.status] + why + marks)


def _untried(summary: Summary) -> list[str]:
    if not summary.untried:
        return []
    names = ", ".join(cell(b.name) for b in summary.untried)
    return [f"Named, but the loop ended before their turn: {names}."]


def _seeds(summary: Summary) -> list[str]:
    names = [b.name for b in summary.library if b.status == "not_tested"]
    if not names:
        return []
    used = (
        "used as perturbations and did not test"
        if any(i.perturbed for i in summary.iterations)
        else "did not test"
    )
    return [f"The loop started from these known biases, which this run {used}: "
            + ", ".join(cell(n) for n in names) + "."]  # fmt: skip


def _proposals(summary: Summary) -> list[str]:
    first, *rest = proposals.proposal_lines(summary) or [""]
    return [part for part in (cell(first), bullets(rest)) if part]


def _iterations(summary: Summary) -> list[str]:
    lines = []
    for i in summary.iterations:
        tried = f"{len(i.candidates)} tried, {len(i.accepted)} held"
        by_features = "" if i.features is None else f"{proposals.counts(i.features)}; "
        if not i.perturbed:
            lines.append(f"- Iteration {i.index}: {by_features}{tried}.")
            continue
        noise = "" if i.expected_noise is None else (
            f"; about {100 * i.expected_noise:.0f} % of these flips would occur under a neutral rewrite too")  # fmt: skip
        decoys = f"; the teacher named a bias on {i.decoys_named} of {i.decoys} decoys" if i.decoys else ""
        lines.append(
            f"- Iteration {i.index}: {by_features}{i.perturbed} pairs perturbed, {i.shifts} shifts{noise}; {i.named} named, "
            f"{len(i.merged)} merged, {tried}{decoys}."
        )
    return ["\n".join(lines)] if lines else []


def _library_effect(effect: LibraryEffectOut | None) -> list[str]:
    if effect is None:
        return []
    rate = "error rate" if effect.unit == "fraction" else "probability of the rejected response"
    text = (
        f"On {effect.n} pairs that selected none of the biases, with one accepted bias each, the {rate} goes from "
        f"{100 * effect.before:.1f} % (original) and {100 * effect.neutral:.1f} % (neutral rewrite) to "
        f"{100 * effect.after:.1f} %: {findings.amount(effect.gain, effect.unit)} beyond wording "
        f"({findings.interval_text(effect.low, effect.high, effect.unit, 0.95)})."
    )
    return ["## All accepted biases together", text]


def _missing(summary: Summary) -> str:
    if not summary.missing:
        return "Nothing: every rewrite and every verdict could be used."
    rows = [f"| {cell(m.arm)} | {cell(m.reason)} | {m.count} |" for m in summary.missing]
    return "\n".join(["| arm or step | reason | count |\n|---|---|---|", *rows])


def _cost(summary: Summary) -> str:
    c = summary.calls
    return (
        f"{c.judge} judge calls and {c.teacher} teacher calls in this start, {c.replayed} replies read from the ledger; "
        f"{c.input_tokens} tokens in, {c.output_tokens} out where the endpoint reports them. Pairs: "
        f"{summary.pairs.discovery} discovery, {summary.pairs.validation} validation, {summary.pairs.holdout} held out; "
        f"{summary.pairs.shared_left_out} left out as twins, {summary.pairs.skipped} rows skipped while reading."
    )


def _reading(summary: Summary) -> str:
    if summary.rule == "paper":
        return (
            "This run reproduces the published procedure. It accepts a candidate when the error on rewritten pairs "
            "exceeds the error on the originals, without a neutral rewrite, an interval or a correction for the number "
            "of candidates; do-nothing rewrites pass that rule about half of the time. Use the default rule for claims."
        )
    return (
        "Each candidate was written into the rejected response of validation pairs, beside neutral rewrites of the "
        "same text by the same writer. An effect is what the trait adds beyond those. Both orders are judged, so that a "
        f"liking for one slot cancels. Benjamini-Hochberg at {100 * summary.q:g} % runs over everything tried in this run; the intervals "
        "of what holds allow for having picked it. A trial stops as soon as its candidate is decided, so that sizes of "
        "early stops are a little optimistic; *could be seen* is the effect that a trial of this size finds four times "
        "out of five. *Not shown* means not proven, not absent. Where the label is not a "
        "checkable answer, read the effect as a pull towards the response with the trait, not as an error."
    )
