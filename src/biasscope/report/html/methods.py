"""The methods paragraph of a report, made from what was done in this run, and the references it names."""

from __future__ import annotations

from collections.abc import Iterator

from biasscope.report.measured import MeasuredOut
from biasscope.report.summary import Summary

REFERENCES = {
    "biasscope": "Lai, P., Ou, Z., Wang, Y., Wang, L., Yang, J., Chen, Y. and Chen, G. (2026). BiasScope: Towards Automated "
    "Detection of Bias in LLM-as-a-Judge Evaluation. ICLR 2026. arXiv 2602.09383. The iterative procedure of discovery.",
    "swap": "Zheng et al. (2023). Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena. NeurIPS 2023. arXiv 2306.05685. "
    "Judging in both orders.",
    "bh": "Benjamini, Y. and Hochberg, Y. (1995). Controlling the false discovery rate. Journal of the Royal Statistical "
    "Society B 57, 289-300. The correction for everything that was tried.",
    "fcr": "Benjamini, Y. and Yekutieli, D. (2005). False discovery rate-adjusted multiple confidence intervals for selected "
    "parameters. Journal of the American Statistical Association 100, 71-81. The intervals of what holds.",
    "mcnemar": "McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions or "
    "percentages. Psychometrika 12, 153-157. The test of paired verdicts, of which the one used is the exact form for several rewrites.",
    "permutation": "Fisher, R. A. (1935). The Design of Experiments. Oliver and Boyd. Tests by exchanging what is "
    "exchangeable, here the rewrites of one pair.",
}
"""The literature by what it is named for."""

_LOOKS = (
    "Pairs were visited in a random order with the mix of domains of the whole; after 8, 12, 17, 24, 34, 48, 70 and 100 % of "
    "them (never fewer than 20) each candidate was accepted, given up when it was unlikely to reach the smallest effect of interest, "
    "or taken further; each look had its share of the level."
)
RULES = {
    "default": _LOOKS,
    "fast": _LOOKS,
    "thorough": _LOOKS,
    "fixed": "Every pair was judged in every arm, and there was one look.",
}
"""How trials ended, by the rule of the run."""


def discovery_methods(summary: Summary) -> tuple[str, ...]:
    """What was done, in paragraphs that can be put into a paper."""
    return tuple(_discovery(summary))


def _discovery(s: Summary) -> Iterator[str]:
    teacher = f" and {s.teacher} as teacher" if s.teacher is not None else " and no teacher"
    yield (
        f"biasscope {s.version} looked for biases of the judge {s.judge} ({s.instrument}) with {s.pairs.discovery} pairs for "
        f"discovery, {s.pairs.validation} for validation and {s.pairs.holdout} held out{teacher}. The roles of pairs come from a hash of "
        f"the normalised question, so that pairs which ask the same never have two roles; the seed was {s.seed}."
    )
    if s.rule == "paper":
        yield (
            "The published procedure was followed as it was run: one order per pair, every mistake on a rewrite taken as "
            "evidence, and a candidate kept when the error on rewritten pairs exceeds the error on the originals. It knows no neutral "
            "rewrite, no interval and no correction."
        )
        return
    yield (
        "Worse responses were rewritten to show a known bias, their final answers kept. Where a verdict turned under that rewrite "
        "and not under a neutral one of the same text by the same writer, the judge was asked for its reasons and then to defend them, the "
        "teacher named the bias that the reasons show, if any, and names that mean the same were merged. Where features of texts "
        "proposed, they did so from the verdicts on the originals alone."
    )
    yield (
        "Each candidate was then written into the worse response of validation pairs, beside neutral rewrites of the same text by "
        "the same writer, and both were judged in both orders. The effect is the mean over pairs of the error on the biased rewrite "
        "less that on the neutral ones; p comes from an exact test in which the biased rewrite is exchangeable with the neutral ones of its "
        "pair (sign flips where verdicts are graded). " + RULES.get(s.rule, "")
    )
    yield (
        f"Benjamini and Hochberg's correction at {100 * s.q:g} % runs over everything the run tried, and is stricter where little is "
        "found. The interval of what holds has the level 1 - q R / M for R accepted of M tried (false coverage rate). That the trait "
        "shows in its rewrites, and not in the neutral ones, was checked for what was accepted."
    )


def measurement_methods(out: MeasuredOut) -> tuple[str, ...]:
    """What was done, in paragraphs that can be put into a paper."""
    side = {"rejected": "the worse", "chosen": "the better", "both": "either"}[out.sides]
    where = f"{side} response" if out.pairs.labelled else "one response, drawn by seed,"
    judges = "; ".join(f"{j.name}, {j.instrument}" for j in out.judges)
    return (
        f"biasscope {out.version} measured known biases of {len(out.judges)} "
        f"{'judge' if len(out.judges) == 1 else 'judges'} ({judges}) on {out.pairs.measured} of {out.pairs.available} pairs, seed "
        f"{out.seed}. Each trait was written into {where} of a pair, beside neutral rewrites of the same text by the same writer, and judged "
        "in both orders where a judge compares. The effect is how much more often the response with the trait is preferred than with the "
        "neutral rewrites; a slot bias is how often the answer shown first is preferred, less one half.",
        f"{RULES.get(out.rule, '')} p comes from an exact test in which the biased rewrite is exchangeable with the neutral ones of its "
        f"pair (sign flips where verdicts are graded); Benjamini and Hochberg's correction at {100 * out.q:g} % runs over everything tried on a "
        "judge, slot biases being in its count and helping no trait. The interval of what holds has the level 1 - q R / M for R accepted of M tried.",
    )  # fmt: skip


def references(summary: Summary | MeasuredOut) -> tuple[str, ...]:
    """The references that the methods of this run rest on."""
    if isinstance(summary, MeasuredOut):
        names = ["swap", "permutation", "mcnemar", "bh", "fcr"]
    elif summary.rule == "paper":
        names = ["biasscope"]
    else:
        names = ["biasscope", "swap", "permutation", "mcnemar", "bh", "fcr"]
    return tuple(REFERENCES[name] for name in names)
