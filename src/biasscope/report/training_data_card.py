"""The card of training data: what a stranger needs to train on it, with the header that the hub reads. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from biasscope.report.benchmark_page import table
from biasscope.report.markdown import bullets, cell
from biasscope.report.training_data import LengthPart, Stage, TrainingDataOut

_IDENTIFIER = re.compile(r"[a-z0-9][a-z0-9.+-]*")
PARTS: dict[LengthPart, str] = {
    "plain": "plain rows",
    "augmented_as_it_was": "pairs of augmented rows, as they were",
    "augmented_neutral": "the same, both responses rewritten neutrally",
    "augmented": "augmented rows",
}
STAGES: dict[Stage, str] = {
    "read": "row that cannot be used",
    "admitted": "pair that must not be trained on",
    "rewritten": "rewrite that did not come through",
    "mixed": "row left out",
}


def render(out: TrainingDataOut) -> str:
    """The whole card."""
    parts = [
        _header(out),
        f"# Preference data of {cell(out.data)}",
        f"{cell(headline(out))}.",
        "## Files",
        *_files(out),
        "## What is in it",
        *_mix(out),
        "## Lengths",
        *_lengths(out),
        "## What is kept apart",
        _evaluation(out),
        "## What was left out, and why",
        _left_out(out),
        "## Licence",
        _licence(out),
        "## How it was made",
        _made(out),
        *(["## Notes", bullets(out.notes)] if out.notes else []),
    ]
    return "\n\n".join(parts) + "\n"


def headline(out: TrainingDataOut) -> str:
    """What there is, in a sentence."""
    kinds = "verdicts of a judge" if out.task == "judge" else "responses"
    return (
        f"{out.rows:,} rows of {kinds} from {out.pairs:,} pairs: {out.plain:,} as they were, {out.augmented:,} with a trait on "
        "one response"
    )


def side_line(out: TrainingDataOut) -> str:
    """On how many chosen and rejected responses a trait stands."""
    chosen, rejected = (sum(getattr(b, name) for b in out.biases) for name in ("on_chosen", "on_rejected"))
    return f"The trait stands on {chosen:,} chosen and on {rejected:,} rejected responses."


def length_line(out: TrainingDataOut) -> str:
    """What the traits do to length, before and after it was looked at."""
    found = out.trait_length
    dropped = f", {found.dropped:,} rows dropped for it" if found.dropped else ""
    return (
        f"The traits make chosen responses longer than rejected ones by {found.kept:+.2f} words a row ({found.drawn:+.2f} as drawn by "
        f"seed alone{dropped})."
    )


def loss_lines(out: TrainingDataOut) -> Iterable[str]:
    """What did not become a row, by stage, largest first."""
    for stage, words in STAGES.items():
        lost = sorted((one for one in out.left_out if one.stage == stage), key=lambda one: -one.count)
        for one in lost:
            about = f"{one.bias}: " if one.bias else ""
            yield f"{words}: {about}{one.reason} {one.count:,}"


def _header(out: TrainingDataOut) -> str:
    named = out.licence is not None and _IDENTIFIER.fullmatch(out.licence) is not None
    lines = ["---", f"license: {out.licence if named else 'unknown' if out.licence is None else 'other'}"]
    if out.licence is not None and not named:
        lines.append(f"license_name: {json.dumps(out.licence, ensure_ascii=False)}")
    lines += ["tags:", "- preference", "- dpo", "- bias", "configs:"]
    for number, file in enumerate(out.files):
        lines += [
            f"- config_name: {file.path.removesuffix('.jsonl')}",
            *(["  default: true"] if number == 0 else []),
        ]
        lines += ["  data_files:", "  - split: train", f"    path: {file.path}"]
    return "\n".join([*lines, "---"])


def _files(out: TrainingDataOut) -> list[str]:
    what = {
        "train.jsonl": "what is trained on: `prompt`, `chosen`, `rejected` and no other column",
        "plain.jsonl": "the same pairs, line by line, without augmentation: the arm to compare with, at the same number of rows",
    }
    rows = [[f"`{file.path}`", f"{file.rows:,}", what[file.path]] for file in out.files]
    rows.append(
        ["`provenance.jsonl`", f"{out.rows:,}", "where the row in the same line comes from (`row` is its number)"]
    )
    shape = (
        "texts; a completion stands right behind its prompt"
        if out.format == "standard"
        else "lists of `role` and `content`, for the chat template of the model"
    )
    return [table(["file", "rows", "what"], rows), f"Format: {out.format} ({shape})."]


def _mix(out: TrainingDataOut) -> list[str]:
    rows = [
        [
            cell(b.bias),
            cell(b.definition),
            f"{b.on_chosen:,}",
            f"{b.on_rejected:,}",
            f"{b.shown:,} of {b.read:,}" if b.read else "-",
            f"{b.shown_in_neutral:,} of {b.read_neutral:,}" if b.read_neutral else "-",
        ]
        for b in out.biases
    ]
    lines = [
        f"Asked for was a share of {out.declared:g} augmented rows; it is {out.share:.3f}. {side_line(out)} So the trait tells "
        "nothing about which response is better: on rejected responses alone it would be learned as bad, which is the same bias "
        "turned round. The other response of an augmented row is the neutral rewrite by the same writer, so that having been "
        "rewritten tells nothing either.",
        table(["bias", "definition", "on chosen", "on rejected", "shows in biased", "in neutral"], rows),
    ]
    if out.slots is not None:
        lines.append(
            f"The better response stands in slot 1 in {out.slots[0]:,} rows and in slot 2 in {out.slots[1]:,}, alike for every bias and side."
        )
    return lines


def _lengths(out: TrainingDataOut) -> list[str]:
    rows = [
        [PARTS[one.part], f"{one.rows:,}", f"{one.chosen:.1f}", f"{one.rejected:.1f}", f"{one.gap:+.1f}"]
        for one in out.lengths
    ]
    by_bias = [
        [cell(b.bias), *("-" if v is None else f"{v:+.1f}" for v in (b.adds_to_chosen, b.adds_to_rejected))]
        for b in out.biases
    ]
    return [
        f"Mean words. {length_line(out)}",
        table(["", "rows", "chosen", "rejected", "chosen less rejected"], rows),
        table(["bias", "adds to chosen", "adds to rejected"], by_bias),
    ]


def _evaluation(out: TrainingDataOut) -> str:
    if not out.evaluation:
        return "No source of evaluation was named. Do not evaluate on questions of this data."
    rows = [[cell(one.source), f"{one.questions:,}", f"{one.refused:,}"] for one in out.evaluation]
    return (
        "Questions of these sources are not in it, by the hash of the normalised question (with and without a system prompt). A question "
        "in other words is not found that way.\n\n" + table(["source", "questions", "pairs refused"], rows)
    )


def _left_out(out: TrainingDataOut) -> str:
    return bullets(loss_lines(out)) or "Nothing."


def _licence(out: TrainingDataOut) -> str:
    if out.licence is None and out.data.startswith("objective:"):
        return "The pairs were generated by biasscope: no texts of others are in them."
    if out.licence is None:
        return (
            f"The licence of {cell(out.data)} is not known to whoever made this; fill it in here. Rewrites contain its texts: find out "
            "what it allows before you train on them or pass them on."
        )
    return f"{cell(out.data)}: {cell(out.licence)}. Rewrites contain its texts and follow it."


def _made(out: TrainingDataOut) -> str:
    by = ", ".join(cell(writer) for writer in out.writers) or "nobody"
    return (
        f"Rewritten by {by}, seed {out.seed}, biasscope {cell(out.version)}. The final answer was cut out and put back; rewrites that change it, "
        f"change nothing or leave their length are not used.\n\n```\n{out.command}\n```"
    )
