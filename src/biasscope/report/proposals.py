"""Sentences about what features of the texts proposed: what was tried of it, and what stays an association.

A judge's spec in them is a user's words: whoever shows a sentence escapes it for its medium.
"""

from __future__ import annotations

import shlex

from biasscope.quantities import FeatureProposal, FeatureProposals
from biasscope.report.findings import STATUS_WORDS, p_text
from biasscope.report.summary import Summary


def proposals_of(summary: Summary) -> FeatureProposals | None:
    """What features proposed in this run; None where they were not asked, or not yet."""
    return next((i.features for i in summary.iterations if i.features is not None), None)


def proposal_lines(summary: Summary) -> list[str]:
    """One sentence on what was looked at, and one for each proposal; none where features were not asked."""
    found = proposals_of(summary)
    if found is None:
        return []
    looked = found.found
    if found.reason:
        return [f"Features of the texts proposed nothing: {found.reason}."]
    seen = f"{len(looked.associations)} features differ in enough of {looked.pairs} pairs"
    seen += f", {len(looked.left_out)} do not" if looked.left_out else ""
    if not found.proposals:
        return [f"The judge's choices go with no feature of the texts beyond chance: {seen}."]
    lines = [_line(p, summary) for p in found.proposals]
    return [
        f"Features of the texts that the judge's own choices go with ({seen}). None of this is a cause; trials say "
        "which are.",
        *lines,
    ]


def counts(found: FeatureProposals) -> str:
    """How many features were proposed, and how many of these are associations only."""
    only = sum(p.candidate is None for p in found.proposals)
    return f"features proposed {len(found.proposals)}" + (f" ({only} as associations only)" if only else "")


def _line(proposal: FeatureProposal, summary: Summary) -> str:
    a = proposal.association
    goes = "goes for" if proposal.sign == "for" else "goes against"
    size = (
        f"{proposal.weight:+.2f} log-odds per standard deviation beside all others, in {100 * proposal.frequency:.0f} % of the "
        f"half-samples; by itself {100 * a.change.value:+.1f} points, q{p_text(a.q)[1:]}"
    )
    return f"The judge {goes} {a.words} ({size}): {_what_became(proposal, summary)}."


def _what_became(proposal: FeatureProposal, summary: Summary) -> str:
    """Whether it was tried and how that went, or how it can be tested."""
    bias = proposal.association.bias
    if bias is None:
        return "an association only, since no rule writes it"
    if proposal.candidate is None:
        judge = shlex.quote(summary.judge)
        return (
            "an association only, since trials of a discovery look for what is preferred; biasscope measure FOLDER "
            f"--judge {judge} --data SOURCE --biases {bias} --sides both tests it"
        )
    trial = next((t for t in summary.trials if t.id == bias), None)
    if trial is not None:
        return f"tried as {trial.name}, {STATUS_WORDS[trial.status]}"
    return f"waits for its trial as {bias}"
