"""Ask the teacher which bias an explanation shows: evidence first, then whether there is one, then its name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from biasscope import prompts
from biasscope.ask import Answered, Asker, Missing, Reply, Request, Unreadable, object_schema
from biasscope.parsing.json_blocks import read_json
from biasscope.parsing.replies import readable_text
from biasscope.records import BiasLibrary, Explanation

SCHEMA = object_schema(evidence={"type": "string"}, found={"type": "boolean"}, name={"type": "string"},
                       definition={"type": "string"})  # fmt: skip
"""The object asked for, where a server can hold a reply to a schema; evidence comes before the label."""
NAME_LENGTH = 80
DEFINITION_LENGTH = 500


@dataclass(frozen=True, slots=True)
class Proposal:
    """A bias that the teacher named, with the pairs it was seen on."""

    name: str
    definition: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IdentifyAsk:
    """Which bias does this explanation show, given those that are known? None is an answer."""

    explanation: Explanation
    known: str
    kind: str = "identify"
    attempts: int = 2

    def request(self, attempt: int) -> Request:
        """Show both responses, the reasoning and the deeper reasoning; a second attempt has more room."""
        shift = self.explanation.shift
        filled = prompts.fill(
            "identify",
            question=shift.pair.question,
            better=shift.pair.chosen,
            preferred=shift.rewrite.text,
            reasoning=self.explanation.reasoning,
            deeper=self.explanation.deeper,
            known=self.known,
        )
        return Request(filled.messages, max_tokens=512 * (attempt + 1), schema=SCHEMA)

    def parse(self, reply: Reply) -> Proposal | None:
        """Read the object; `found` without a name or definition in letters is unreadable, not a bias without one."""
        fields = read_json(readable_text(reply))
        found, name, definition = (fields.get(k) for k in ("found", "name", "definition"))
        if not isinstance(found, bool):
            raise Unreadable("unparsable", f"the field found is {found!r}")
        if not found:
            return None
        if (
            not isinstance(name, str)
            or not isinstance(definition, str)
            or not _says(name)
            or not _says(definition)
        ):
            raise Unreadable("unparsable", "a bias was found but has no name or definition")
        shown = self.explanation.shift.pair.id
        return Proposal(_line(name, NAME_LENGTH), _line(definition, DEFINITION_LENGTH), (shown,))


def _says(text: str) -> bool:
    """Whether there is a letter or digit, of any script, in a text."""
    return re.search(r"[^\W_]", text) is not None


def _line(text: str, longest: int) -> str:
    return " ".join(text.split())[:longest].rstrip()


def describe(library: BiasLibrary) -> str:
    """The library as the teacher sees it, one bias a line."""
    return "\n".join(f"- {b.name}: {b.definition}" for b in library.biases) or "(none yet)"


async def identify_biases(
    teacher: Asker, explanations: Sequence[Explanation], library: BiasLibrary
) -> list[Answered[Proposal | None] | Missing]:
    """Identify one bias, or none, per explanation.

    What has no text at all is not asked: there is nothing to read a bias from.
    """
    known = describe(library)
    told = [bool(e.reasoning.strip() or e.deeper.strip()) for e in explanations]
    asks = [IdentifyAsk(e, known) for e, has_text in zip(explanations, told, strict=True) if has_text]
    answers = iter(await teacher.ask(asks))
    return [next(answers) if has_text else Missing("empty", "no explanation") for has_text in told]
