"""A teacher that rewrites by rule, names what a judge's account shows, merges and checks; with faults at known rates.

It shares no list with the judge: `wordings` is what it writes and looks for, `talk` how it understands talk about
traits, `names` how it puts them. Biased and neutral rewrites get the same rewording, and both carry a *side trait*
at the same rate, drawn from all traits whatever was asked: writers decorate, and that is how a trait outside the
seed library gets in front of the judge. A trait that the teacher does not know gets a sentence that shows none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from biasscope.ask import Reply, Request
from biasscope.errors import BadRequest
from biasscope.models.planted.draws import chance, choose
from biasscope.models.planted.model import PlantedModel
from biasscope.models.planted.names import DEFINITIONS, NAMES
from biasscope.models.planted.prompts import ToCheck, ToCondense, ToIdentify, ToMerge, ToRewrite, read_prompt
from biasscope.models.planted.reword import fitting, insert, reword
from biasscope.models.planted.talk import trait_of, traits_mentioned
from biasscope.models.planted.tempers import TeacherTemper
from biasscope.models.planted.wordings import MARKS, OTHERWISE, PADDING, SENTENCES
from biasscope.seeds import uniform

ROOM = 0.16
"""Share of a text's words that insertions may add; two insertions get half of it each."""

_PREFACES = (
    "Sure, here is the rewritten text:\n\n",
    "Here's the edited version:\n\n",
    "Of course. Rewritten text below.\n\n",
)
_REFUSALS = (
    "I can't help with that request.",
    "I'm sorry, but I am unable to rewrite this text.",
    "I must decline to produce this.",
)
_REASONS = ("Both entries are about the same feature of a text.", "No entry on the list is about this feature.")


class PlantedTeacher(PlantedModel):
    """A teacher that behaves as a `TeacherTemper` says."""

    def __init__(self, name: str, temper: TeacherTemper) -> None:
        super().__init__(name, temper)
        self._temper = temper

    def reply(self, request: Request) -> Reply:
        """Rewrite, name, merge or check; raises BadRequest for what a judge is asked."""
        asked = read_prompt(request)
        # Every draw depends on the whole request: a second attempt at the same thing is another request.
        sampling = (request.temperature, request.seed) if request.temperature else ()
        names = (self._temper.seed, *sampling, *(m.content for m in request.messages))
        match asked:
            case ToRewrite():
                return Reply(self._rewrite(asked, names))
            case ToIdentify():
                return Reply(self._json(self._identify(asked, names), names))
            case ToMerge():
                return Reply(self._json(self._merge(asked, names), names))
            case ToCondense():
                return Reply(_condensed(asked, names))
            case ToCheck():
                return Reply(f"Verdict: {'yes' if _is_shown(asked) else 'no'}")
        raise BadRequest(
            f"{self.spec} is a teacher and does not judge", hint="Use planted:fair or another judge.", status=400
        )

    def _rewrite(self, asked: ToRewrite, names: tuple[object, ...]) -> str:
        fault = self._fault(("refusal", "unchanged", "answer_changed", "chatty"), names)
        if fault == "refusal":
            return choose(_REFUSALS, "refusal", *names)
        if fault == "unchanged":
            return asked.text
        text = self._written(asked, names)
        if fault == "answer_changed":
            return f"{text}\n\nFinal answer: {_other_number(asked.text, names)}"
        return choose(_PREFACES, "preface", *names) + text if fault == "chatty" else text

    def _written(self, asked: ToRewrite, names: tuple[object, ...]) -> str:
        trait = trait_of(*asked.trait) if asked.trait else None
        text = reword(asked.text, *names)
        others = [t for t in SENTENCES if t != trait]
        side = choose(others, "side trait", *names) if chance(self._temper.side, "side", *names) else None
        room = ROOM * len(asked.text.split())
        if asked.trait and side:
            room /= 2
        if trait == "length":
            text = _lengthened(text, room, names)
        elif asked.trait:
            sentences = SENTENCES[trait] if trait else OTHERWISE
            text = insert(text, fitting(sentences, room, "wording", *names), "trait", *names)
        if side:
            text = insert(text, fitting(SENTENCES[side], room, "side wording", *names), "side", *names)
        return text

    def _identify(self, asked: ToIdentify, names: tuple[object, ...]) -> dict[str, object]:
        nothing: dict[str, object] = {"evidence": "", "found": False, "name": "", "definition": ""}
        known = {trait_of(*_split(line)) for line in asked.known}
        spoken = traits_mentioned(asked.deeper)
        first = traits_mentioned(asked.reasoning)
        candidates = [t for t in {**spoken, **first} if t not in known]
        if not candidates or chance(self._temper.overlooked, "overlooked", *names):
            return nothing
        trait = max(candidates, key=lambda t: _weight(t, spoken, first, asked))
        return {
            "evidence": spoken.get(trait) or first[trait],
            "found": True,
            "name": choose(NAMES[trait], "name", *names),
            "definition": choose(DEFINITIONS[trait], "definition", *names),
        }

    def _merge(self, asked: ToMerge, names: tuple[object, ...]) -> dict[str, object]:
        same = _same_entry(asked)
        if chance(self._temper.merge_error, "merge error", *names):
            numbers = [number for number, _ in asked.known]
            same = choose(numbers, "wrong entry", *names) if numbers and not same else 0
        return {"reason": _REASONS[0 if same else 1], "same_as": same}

    def _json(self, value: dict[str, object], names: tuple[object, ...]) -> str:
        text = json.dumps(value, ensure_ascii=False)
        fault = self._fault(("broken_json", "fenced"), names)
        if fault == "broken_json":
            return text[: len(text) // 2]
        return f"```json\n{text}\n```" if fault == "fenced" else text

    def _fault(self, kinds: Sequence[str], names: tuple[object, ...]) -> str | None:
        """Draw at most one fault, each at its rate."""
        draw = uniform("fault", *names)
        for kind in kinds:
            rate = float(getattr(self._temper, kind))
            if draw < rate:
                return kind
            draw -= rate
        return None


def _weight(trait: str, deeper: dict[str, str], first: dict[str, str], asked: ToIdentify) -> int:
    """How well an account supports a trait: said twice, visible in the preferred text, not in the other."""
    mark = MARKS.get(trait)
    visible = mark is None or (bool(mark.search(asked.preferred)) and not mark.search(asked.better))
    return 2 * visible + (trait in deeper) + (trait in first)


def _same_entry(asked: ToMerge) -> int:
    trait = trait_of(*asked.entry)
    for number, line in asked.known:
        name, definition = _split(line)
        other = trait_of(name, definition)
        if (trait is not None and other == trait) or name.casefold() == asked.entry[0].casefold():
            return number
    return 0


def _is_shown(asked: ToCheck) -> bool:
    trait = trait_of(*asked.trait)
    if trait is not None and trait in MARKS:
        return bool(MARKS[trait].search(asked.text))
    return any(s in asked.text for s in (PADDING if trait else OTHERWISE))


def _condensed(asked: ToCondense, names: tuple[object, ...]) -> str:
    """The text without some of its words, all over the text."""
    words = asked.text.split()
    kept = sorted(range(len(words)), key=lambda i: uniform("condense", i, *names))[: asked.words]
    return " ".join(words[i] for i in sorted(kept))


def _lengthened(text: str, room: float, names: tuple[object, ...]) -> str:
    added = 0
    for turn in range(len(PADDING)):
        sentence = fitting(PADDING, max(room - added, 0), "padding", turn, *names)
        if turn and added + len(sentence.split()) > room:
            break
        text = insert(text, sentence, "padding", turn, *names)
        added += len(sentence.split())
    return text


def _other_number(text: str, names: tuple[object, ...]) -> str:
    numbers = re.findall(r"\d+", text)
    return str(int(choose(numbers, "number", *names)[:9]) + 1) if numbers else "none of these"


def _split(line: str) -> tuple[str, str]:
    name, _, definition = re.sub(r"^[\W\d]+", "", line).partition(": ")
    return name.strip(), definition.strip()
