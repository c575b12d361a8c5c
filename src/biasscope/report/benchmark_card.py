"""The card of a published benchmark: what a stranger needs to use it, with the header that the hub reads. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from biasscope.benchmarks import Subset
from biasscope.report import benchmark_page as page
from biasscope.report import benchmark_words as words
from biasscope.report import reviewed_words
from biasscope.report.benchmarked import BenchmarkOut
from biasscope.report.markdown import bullets, cell
from biasscope.report.reviewed import AgreementOut

UNKNOWN = "unknown"
_IDENTIFIER = re.compile(r"[a-z0-9][a-z0-9.+-]*")

COLUMNS = {
    "question": "what was asked",
    "response_A, response_B": "two responses; which is the better one is balanced by seed",
    "label": "1 where `response_A` is the better response, 2 where `response_B` is",
    "injected_bias": "id of the bias; empty for source pairs",
    "domain": "as the source names it",
    "id": "of the row",
    "subset": "`original`, `pro` (one-sided) or `crossed`",
    "variant": "shared by the rows of one source pair and one bias",
    "source_pair, source": "the pair it was made of, and where that is from",
    "question_hash": "rows that share it are one cluster: draw intervals by it",
    "chosen_form, rejected_form": "`original`, `neutral` (rewritten without the trait) or `biased`, of the better and the worse response",
    "writer": "model or `rule` that rewrote; empty for source pairs",
    "chosen_phrasing, rejected_phrasing": "which phrasing of the instruction or rule was used",
    "keys": "ids of the replies behind the texts",
    "objective": "whether the label rests on an answer that can be checked",
    "kept": "whether the filter kept it; null where none was run",
    "unfiltered_sample": "whether it is in the sample that no verdict entered",
    "reviewed": "whether people found every rewrite in it valid",
}


@dataclass(frozen=True, slots=True)
class Card:
    """What a card tells: the summary, rows by file, the licence of the sources, and the review if there was one.

    `counts` are rows published by file (without its ending); `taken_out` counts variants that reviewers found not valid.
    """

    name: str
    out: BenchmarkOut
    counts: Mapping[str, int]
    suffix: str
    licence: str | None
    agreement: AgreementOut | None
    taken_out: int = 0


def render(card: Card) -> str:
    """The whole card."""
    out = card.out
    parts = [
        header(card),
        f"# {cell(card.name)}",
        f"Pairs of {cell(out.data)} for testing judges, hardened by rewrites that carry a trait and keep the answer. "
        f"{cell(words.headline(out))}.",
        "## Files",
        _files(card),
        "A judge that goes by a trait loses where the trait is on the worse response and wins where it is on the better one; "
        "`crossed` has both, beside the same texts rewritten without it. `pro` alone rewards *the rewritten text loses*.",
        "## Columns",
        page.table(["column", "meaning"], [[f"`{name}`", meaning] for name, meaning in COLUMNS.items()]),
        "## Licence",
        licence_line(card),
        "## How it was made",
        _made(out),
        *page.funnel(out),
        "### Growth",
        *page.growth(out),
        "## Filter",
        *(page.filtered(out) or ["No filter was run: every variant is here, however easy."]),
        "## Review by people",
        *review_lines(card),
        "## Shortcuts",
        *page.shortcuts(out),
        "## Biases",
        page.biases(out),
        "## Limits",
        bullets(limits(card)),
        "## Citation",
        _CITATION,
    ]
    return "\n\n".join(parts) + "\n"


def header(card: Card) -> str:
    """The YAML that the hub reads: licence, and a configuration for each file, whose rows are the split ``test``."""
    named = card.licence is not None and _IDENTIFIER.fullmatch(card.licence) is not None
    lines = ["---", f"license: {card.licence if named else UNKNOWN if card.licence is None else 'other'}"]
    if card.licence is not None and not named:
        lines.append(f"license_name: {json.dumps(card.licence, ensure_ascii=False)}")
    lines += [
        f"pretty_name: {json.dumps(card.name, ensure_ascii=False)}",
        "tags:",
        "- llm-as-a-judge",
        "- bias",
        "- preference",
    ]
    lines.append("configs:")
    for number, name in enumerate(card.counts):
        lines += [
            f"- config_name: {name}",
            *(["  default: true"] if number == 0 else []),
            "  data_files:",
            "  - split: test",
        ]
        lines.append(f"    path: data/{name}{card.suffix}")
    return "\n".join([*lines, "---"])


FILES = {
    "pro": "one-sided: the better response as it was, the worse one rewritten with the trait",
    "crossed": "four rows a variant: both responses rewritten, each with the trait and without it",
    "original": "the source pairs of these rows, as they were",
    "pro-unfiltered": "one-sided rows with the same biases and domains, drawn before any verdict",
    "crossed-unfiltered": "crossed rows with the same biases and domains, drawn before any verdict",
}


def _files(card: Card) -> str:
    rows = [[f"`data/{name}{card.suffix}`", f"{count:,}", FILES[name]] for name, count in card.counts.items()]
    return page.table(["file", "rows", "what"], rows)


def licence_line(card: Card) -> str:
    """The licence of the sources as it was given; that nothing is known where nobody said."""
    if card.licence is None:
        return (
            f"The licence of {cell(card.out.data)} is not known to whoever published this. Rewrites contain its texts: find out what "
            "it allows before you pass them on."
        )
    return f"{cell(card.out.data)}: {cell(card.licence)}. Rewrites contain its texts and follow it."


def _made(out: BenchmarkOut) -> str:
    by = ", ".join(cell(writer) for writer in out.writers) or "nobody"
    on = sorted({judge for bias in out.biases for judge in bias.discovered_on})
    found = f" Biases were discovered on {', '.join(cell(j) for j in on)}." if on else ""
    judges = [] if out.filter is None else [cell(j.judge) for j in out.filter.judges]
    filtered = f" The filter's judges were {', '.join(judges)}." if judges else ""
    return (
        f"{out.variants} biases were drawn by seed for each pair. Rewritten by {by}; the final answer was cut out and put back. Made with "
        f"biasscope {out.version}.{found}{filtered} Judges that took part in this, and relatives of the writers, should be ranked apart."
    )


def review_lines(card: Card) -> list[str]:
    """What people said, or that nobody was asked."""
    found = card.agreement
    if found is None or not found.answers:
        return [
            "Reviewed: none. Nobody has checked these rewrites; that they keep answer and content was checked by program alone."
        ]
    lines = [
        reviewed_words.state_line(found),
        reviewed_words.gate_line(found),
        reviewed_words.dispute_line(found),
    ]
    if card.taken_out:
        lines.append(f"{card.taken_out:,} variants were taken out since reviewers found a rewrite not valid.")
    rows = [
        [
            reviewed_words.QUESTIONS[q.question],
            *(reviewed_words.number(n) for n in (q.raw, q.kappa, q.ac1)),
            f"{q.items:,}",
        ]
        for q in found.questions
    ]
    return [
        bullets(lines),
        page.table(["question", "raw agreement", "Fleiss' kappa", "Gwet's AC1", "items"], rows),
    ]


def limits(card: Card) -> list[str]:
    """What this set cannot tell."""
    out = card.out
    found = [
        "Rows of one question are not independent: draw intervals by `question_hash`.",
        "Ask a judge in both orders; a slot habit is no bias for a trait.",
    ]
    if out.filter is not None:
        found.append(
            "The filter keeps what its judges fail on: their own errors on it say how it was chosen, and other judges look better "
            "beside them than they are."
        )
        found.append("On kept rows chance errors are kept too; `-unfiltered` files tell how often judges fail.")
    by_source = [s for s in out.shortcuts if s.subset == "crossed" and s.standing == "shortcut"]
    if by_source:
        names = ", ".join(dict.fromkeys(words.BASELINES[s.baseline] for s in by_source))
        found.append(f"A judge can do better than chance on crossed rows by {names}.")
    neutral = "Neutral rewrites are shared by the variants of a pair where a model wrote them: rows with both responses neutral repeat."
    if any(writer != "rule" for writer in out.writers):
        found.append(neutral)
    return [*found, *out.notes]


_CITATION = """The method is that of *BiasScope: Towards Automated Detection of Bias in LLM-as-a-Judge Evaluation* (ICLR 2026,
[arXiv 2602.09383](https://arxiv.org/abs/2602.09383)), and so are the columns; the rows were made with biasscope. Cite where the pairs
are from as well."""


def subset_file(subset: Subset, *, unfiltered: bool) -> str:
    """The file of a row, without its ending."""
    return f"{subset}-unfiltered" if unfiltered else subset
