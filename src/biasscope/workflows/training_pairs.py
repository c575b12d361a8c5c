"""Which preference pairs may be trained on: labelled, once each, and of no question that is evaluated on. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from biasscope.benchmarks.duplicates import normalised
from biasscope.records import PreferencePair
from biasscope.seeds import question_hash

UNLABELLED = "unlabelled"
CONTRADICTED = "labelled both ways round"
SAME = "chosen equals rejected"
REPEATED = "repeats another pair"


@dataclass(frozen=True, slots=True)
class Admitted:
    """The pairs that may be trained on, by their ids; and for what reason how many others were left out.

    `overlap` counts by source of evaluation the pairs whose question it asks; a pair counts for the first such source.
    """

    pairs: tuple[PreferencePair, ...]
    left_out: tuple[tuple[str, int], ...]
    overlap: tuple[tuple[str, int], ...]


def asked(pair: PreferencePair) -> frozenset[str]:
    """Hashes of what is asked: of the whole prompt, and of the user's turns alone, since system prompts differ between files."""
    return asked_by(pair.question, [m.content for m in pair.prompt if m.role == "user"])


def asked_by(question: str, turns: Sequence[str] = ()) -> frozenset[str]:
    """The same for a question as text, with the user's turns of it where they are known."""
    return frozenset(question_hash(text) for text in (question, "\n\n".join(turns)) if text.strip())


def admit_pairs(
    pairs: Sequence[PreferencePair], evaluated: Mapping[str, frozenset[str]] | None = None
) -> Admitted:
    """Leave out what must not or cannot be trained on; `evaluated` are hashes of questions by source of evaluation.

    Out goes, in this order: a pair without a label; one whose question is evaluated on; one whose responses are the same but for
    what nobody sees; two that call each the better of the same two responses; and all but one of equal pairs. The same pairs are
    left, sorted by id, in whatever order they come.
    """
    lost: Counter[str] = Counter()
    overlap: Counter[str] = Counter(dict.fromkeys(evaluated or {}, 0))
    fresh: list[PreferencePair] = []
    for pair in sorted(pairs, key=lambda p: p.id):
        hashes = asked(pair)
        source = next((name for name, known in (evaluated or {}).items() if known & hashes), None)
        if not pair.labelled:
            lost[UNLABELLED] += 1
        elif source is not None:
            overlap[source] += 1
        else:
            fresh.append(pair)
    kept = _once(fresh, lost)
    reasons = (UNLABELLED, SAME, CONTRADICTED, REPEATED)
    return Admitted(tuple(kept), tuple((r, lost[r]) for r in reasons if lost[r]), tuple(overlap.items()))


def _once(pairs: Iterable[PreferencePair], lost: Counter[str]) -> list[PreferencePair]:
    """Those that say something, and no other one the same or the contrary."""
    texts = {p.id: (question_hash(p.question), normalised(p.chosen), normalised(p.rejected)) for p in pairs}
    said = set(texts.values())
    kept, seen = [], set[tuple[str, str, str]]()
    for pair in pairs:
        question, chosen, rejected = texts[pair.id]
        if chosen == rejected:
            lost[SAME] += 1
        elif (question, rejected, chosen) in said:
            lost[CONTRADICTED] += 1
        elif texts[pair.id] in seen:
            lost[REPEATED] += 1
        else:
            seen.add(texts[pair.id])
            kept.append(pair)
    return kept
