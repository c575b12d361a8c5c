"""Merge proposals into what was named before: same words first, then one teacher call per remaining name.

The closest known entries are shortlisted by the similarity of character 3-grams and shown to the teacher.
Everything that was ever tested stays in the comparison: a dropped bias does not come back under a new name.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from biasscope import prompts
from biasscope.ask import Answered, Asker, Missing, Reply, Request, Unreadable
from biasscope.parsing.json_blocks import read_json
from biasscope.parsing.replies import readable_text
from biasscope.records import Bias
from biasscope.steps.identify import Proposal

SHORTLIST = 8


@dataclass(frozen=True, slots=True)
class MergeAsk:
    """Is this proposal one of those biases?"""

    proposal: Proposal
    known: tuple[Bias, ...]
    kind: str = "merge"
    attempts: int = 2

    def request(self, attempt: int) -> Request:
        """Show the entries numbered from 1; a second attempt has more room."""
        lines = "\n".join(f"{n}. {b.name}: {b.definition}" for n, b in enumerate(self.known, 1))
        filled = prompts.fill("merge", name=self.proposal.name, definition=self.proposal.definition, known=lines)
        return Request(filled.messages, max_tokens=256 * (attempt + 1))

    def parse(self, reply: Reply) -> Bias | None:
        """The entry it repeats, or None when it is new; a number that was not offered is unreadable."""
        value = read_json(readable_text(reply)).get("same_as")
        number = int(value) if isinstance(value, str) and value.strip().isdigit() else value
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= len(self.known):
            raise Unreadable("unparsable", f"same_as is {value!r}, offered 0 to {len(self.known)}")
        return self.known[number - 1] if number else None


def slug(name: str) -> str:
    """An id from a name: lower-case words joined by underscores."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:48].rstrip("_") or "bias"


def grams(text: str) -> Counter[str]:
    """Character 3-grams of the words of a text."""
    words = re.sub(r"\W+", " ", text.lower()).split()
    return Counter(f" {w} "[i : i + 3] for w in words for i in range(len(w)))


def similarity(a: Counter[str], b: Counter[str]) -> float:
    """Cosine of two 3-gram counts, in [0, 1]; 0 for an empty text."""
    norm = math.sqrt(sum(v * v for v in a.values()) * sum(v * v for v in b.values()))
    return sum(v * b[g] for g, v in a.items()) / norm if norm else 0.0


def shortlist(proposal: Proposal, known: Sequence[Bias], size: int = SHORTLIST) -> tuple[Bias, ...]:
    """The entries most similar in name and definition; ties in the order of the list."""
    mine = grams(f"{proposal.name} {proposal.definition}")
    ranked = sorted(known, key=lambda b: -similarity(mine, grams(f"{b.name} {b.definition}")))
    return tuple(ranked[:size])


def collapse(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Join proposals with the same words in their names; most evidence first, then by name.

    The definition kept is that of the first; evidence is joined in order.
    """
    groups: dict[str, Proposal] = {}
    for p in proposals:
        same = slug(re.sub(r"\bbias\b", "", p.name, flags=re.IGNORECASE))
        held = groups.get(same)
        groups[same] = (
            p if held is None else replace(held, evidence=tuple(dict.fromkeys(held.evidence + p.evidence)))
        )
    return sorted(groups.values(), key=lambda p: (-len(p.evidence), p.name))


@dataclass(frozen=True, slots=True)
class Merged:
    """New candidates, and what was merged as (proposed name, id it repeats) or could not be decided."""

    candidates: tuple[Bias, ...]
    merged: tuple[tuple[str, str], ...]
    undecided: tuple[tuple[str, str], ...]


async def merge_proposals(
    teacher: Asker, proposals: Sequence[Proposal], known: Sequence[Bias], *, pairwise: bool = False
) -> Merged:
    """Merge proposals with `known` (library and everything tested) and with each other, most evidence first.

    One call per distinct name, with a shortlist; `pairwise` asks once per entry instead (the paper's way).
    A proposal that the teacher cannot decide on is left out and counted, since testing it could test a bias
    twice.
    """
    entries, new = list(known), list[Bias]()
    merged: list[tuple[str, str]] = []
    undecided: list[tuple[str, str]] = []
    for proposal in collapse(proposals):
        answer = await _same(teacher, proposal, entries, pairwise)
        if isinstance(answer, Missing):
            undecided.append((proposal.name, answer.reason))
        elif answer.value is not None:
            merged.append((proposal.name, answer.value.id))
            new = [_extended(b, proposal) if b.id == answer.value.id else b for b in new]
        else:
            bias = Bias(_free_id(slug(proposal.name), entries), proposal.name, proposal.definition, "discovered",
                        evidence=proposal.evidence)  # fmt: skip
            entries.append(bias)
            new.append(bias)
    return Merged(tuple(new), tuple(merged), tuple(undecided))


def _extended(bias: Bias, proposal: Proposal) -> Bias:
    return replace(bias, evidence=tuple(dict.fromkeys(bias.evidence + proposal.evidence)))


def _free_id(wanted: str, entries: Sequence[Bias]) -> str:
    taken = {b.id for b in entries}
    return next(i for n in range(1, len(taken) + 2) if (i := wanted if n == 1 else f"{wanted}_{n}") not in taken)


async def _same(
    teacher: Asker, proposal: Proposal, entries: Sequence[Bias], pairwise: bool
) -> Answered[Bias | None] | Missing:
    if not entries:
        return Answered(None)
    lists = [(b,) for b in entries] if pairwise else [shortlist(proposal, entries)]
    answers = await teacher.ask([MergeAsk(proposal, known) for known in lists])
    for answer in answers:
        if isinstance(answer, Answered) and answer.value is not None:
            return answer
    return next((a for a in answers if isinstance(a, Missing)), answers[0])
