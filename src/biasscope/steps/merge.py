"""Merge proposals into what was named before: same name first, then one teacher call per remaining name.

The closest known entries are shortlisted by the similarity of character 3-grams and shown to the teacher.
Everything that was ever tested stays in the comparison: a dropped bias does not come back under a new name.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from biasscope import prompts
from biasscope.ask import Answered, Asker, Missing, Reply, Request, Unreadable, object_schema
from biasscope.catalogue.known import built_in
from biasscope.parsing.json_blocks import read_json
from biasscope.parsing.replies import readable_text
from biasscope.records import ORIGINAL, Bias
from biasscope.steps.identify import Proposal

SCHEMA = object_schema(reason={"type": "string"}, same_as={"type": "integer"})
"""The object asked for, where a server can hold a reply to a schema; the reason comes before the number."""
SHORTLIST = 20


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
        return Request(filled.messages, max_tokens=256 * (attempt + 1), schema=SCHEMA)

    def parse(self, reply: Reply) -> Bias | None:
        """The entry it repeats, or None when it is new; a number that was not offered is unreadable."""
        value = read_json(readable_text(reply)).get("same_as")
        # A number may come as text or as 2.0; one of many digits is not on a list.
        shown = "" if isinstance(value, bool) else str(value).strip().removesuffix(".0")
        number = int(shown) if re.fullmatch(r"[0-9]{1,6}", shown) else -1
        if not 0 <= number <= len(self.known):
            raise Unreadable("unparsable", f"same_as is {str(value)[:40]!r}, offered 0 to {len(self.known)}")
        return self.known[number - 1] if number else None


def slug(name: str) -> str:
    """An id from a name: its words in lower case, of any script, joined by underscores; ``bias`` without a word."""
    return "_".join(_words(name))[:48].rstrip("_") or "bias"


def same_name(a: str, b: str) -> bool:
    """Whether two names have the same words, the word *bias* and the spelling aside."""
    return _essence(a) == _essence(b)


def _words(text: str) -> list[str]:
    # By category, since \w leaves out the vowel signs that tell words of many scripts apart.
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in folded).split()


def _essence(name: str) -> tuple[str, ...]:
    words = _words(name)
    return tuple(w for w in words if w != "bias") or tuple(words) or (name,)


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


def collapse(proposals: Sequence[Proposal]) -> list[tuple[Proposal, tuple[str, ...]]]:
    """Join proposals of the same name, each with the names that were joined to it; most evidence first, then by name.

    The name and definition kept are those of the first; evidence is joined in order.
    """
    groups: dict[tuple[str, ...], list[Proposal]] = {}
    for p in proposals:
        groups.setdefault(_essence(p.name), []).append(p)
    joined = [
        (
            replace(first, evidence=_union(first.evidence, *(p.evidence for p in others))),
            tuple(p.name for p in others),
        )
        for first, *others in groups.values()
    ]
    return sorted(joined, key=lambda one: (-len(one[0].evidence), one[0].name))


def _union(*evidence: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(pair_id for part in evidence for pair_id in part))


@dataclass(frozen=True, slots=True)
class Merged:
    """New candidates, and what was merged as (proposed name, id it repeats) or could not be decided, as (name, reason).

    Every proposal is in exactly one of the three.
    """

    candidates: tuple[Bias, ...]
    merged: tuple[tuple[str, str], ...]
    undecided: tuple[tuple[str, str], ...]


async def merge_proposals(
    teacher: Asker, proposals: Sequence[Proposal], known: Sequence[Bias], *, pairwise: bool = False
) -> Merged:
    """Merge proposals with `known` (library and everything tested) and with each other, most evidence first.

    One call per name that is not known yet, with a shortlist; `pairwise` asks once per entry instead (the
    paper's way). A proposal that the teacher cannot decide on is left out and counted, since testing it could
    test a bias twice.
    """
    entries, new = list(known), list[Bias]()
    merged: list[tuple[str, str]] = []
    undecided: list[tuple[str, str]] = []
    for proposal, repeats in collapse(proposals):
        answer = await _same(teacher, proposal, entries, pairwise)
        if isinstance(answer, Missing):
            undecided += [(name, answer.reason) for name in (proposal.name, *repeats)]
            continue
        bias = answer.value
        if bias is None:
            bias = Bias(_free_id(slug(proposal.name), entries), proposal.name, proposal.definition, "discovered",
                        evidence=proposal.evidence)  # fmt: skip
            entries.append(bias)
            new.append(bias)
            merged += [(name, bias.id) for name in repeats]
        else:
            merged += [(name, bias.id) for name in (proposal.name, *repeats)]
            new = [
                replace(b, evidence=_union(b.evidence, proposal.evidence)) if b.id == bias.id else b for b in new
            ]
    return Merged(tuple(new), tuple(merged), tuple(undecided))


def _free_id(wanted: str, entries: Sequence[Bias]) -> str:
    """An id that no entry has; an id names an arm, and one arm is taken already.

    Those of the catalogue are its own: by them rules write and detectors read, and a name says nothing of either.
    """
    taken = {ORIGINAL} | {b.id for b in (*entries, *built_in().biases)}
    return next(i for n in range(1, len(taken) + 2) if (i := wanted if n == 1 else f"{wanted}_{n}") not in taken)


async def _same(
    teacher: Asker, proposal: Proposal, entries: Sequence[Bias], pairwise: bool
) -> Answered[Bias | None] | Missing:
    for bias in entries:
        if same_name(bias.name, proposal.name):
            return Answered(bias)
    if not entries:
        return Answered(None)
    lists = [(b,) for b in entries] if pairwise else [shortlist(proposal, entries)]
    answers = await teacher.ask([MergeAsk(proposal, known) for known in lists])
    for answer in answers:
        if isinstance(answer, Answered) and answer.value is not None:
            return answer
    return next((a for a in answers if isinstance(a, Missing)), answers[0])
