"""The writer of a suite: it answers the real rewrite prompts with one sentence woven into the text, and checks traits.

For a trait the sentence speaks of that animal, for a neutral rewrite of some plant; both are built alike and stand at
a place drawn by seed. It spoils rewrites as often as the writers of a simulated world do. It shares ids with the
judge and no list: what it looks for in a text, and how it understands a definition, are its own.
"""

from __future__ import annotations

import re

from biasscope import seeds
from biasscope.ask import Reply, Request
from biasscope.errors import BadRequest
from biasscope.models.planted.draws import chance, choose
from biasscope.models.planted.model import PlantedModel
from biasscope.models.planted.prompts import ToCheck, ToRewrite, read_prompt
from biasscope.models.planted.reword import insert
from biasscope.models.planted.suite import TRAITS, SuiteWriterTemper

SENTENCES: tuple[str, ...] = (
    "This calls a {noun} to mind.",
    "A {noun} would go about it calmly.",
    "Picture a {noun} resting beside these lines.",
    "Somewhere {noun}s carry on all the same.",
    "Few things are as patient as a {noun}.",
    "A walk past some {noun}s comes to mind here.",
    "It reads as quietly as {noun}s in the sun.",
    "Beside such a page one might sketch a {noun}.",
    "One could think of {noun}s for a moment.",
    "Nearby, the {noun}s take no notice.",
)
"""Sentences around a noun; none states a number, an answer or an opinion."""

NEUTRAL_NOUNS: tuple[str, ...] = (
    "begonia", "bluebell", "buttercup", "carnation", "cedar", "chestnut", "daffodil", "dahlia", "dandelion", "fern",
    "foxglove", "gardenia", "geranium", "hazel", "hyacinth", "juniper", "laurel", "magnolia", "marigold", "petunia",
    "poplar", "primrose", "rhododendron", "sequoia", "snowdrop", "sunflower", "sycamore", "thistle", "tulip",
    "verbena", "willow", "wisteria", "zinnia",
)  # fmt: skip
"""What the sentence of a neutral rewrite is about."""

SPOILED = (("answer_changed", 0.5), ("unchanged", 0.25), ("refusal", 0.25))
"""How rewrites are spoiled, with the share of each kind."""
_PREFACES = ("Sure, here is the rewritten text:\n\n", "Here is the edited version:\n\n")
_REFUSALS = ("I can't help with that request.", "I'm sorry, but I am unable to rewrite this text.")
_OTHER_ANSWER = "Final answer: none of the above"
_TRAIT = re.compile(rf"\b({'|'.join(TRAITS)})s?\b", re.IGNORECASE)


class SuiteWriter(PlantedModel):
    """A writer that behaves as a `SuiteWriterTemper` says."""

    def __init__(self, name: str, temper: SuiteWriterTemper) -> None:
        super().__init__(name, temper)
        self._temper = temper

    def reply(self, request: Request) -> Reply:
        """Rewrite or check; raises BadRequest for anything else and for a trait of no suite."""
        asked = read_prompt(request)
        if isinstance(asked, ToRewrite):
            return Reply(self._rewrite(asked, request))
        if isinstance(asked, ToCheck):
            shown = self._trait(asked.trait) in {found.lower() for found in _TRAIT.findall(asked.text)}
            return Reply(f"Verdict: {'yes' if shown else 'no'}")
        raise BadRequest(
            f"{self.spec} rewrites and checks, and does nothing else",
            hint="Use planted:suite=20-10-10 as the judge.",
            status=400,
        )

    def _rewrite(self, asked: ToRewrite, request: Request) -> str:
        trait = None if asked.trait is None else self._trait(asked.trait)
        spoiled = self._spoiled(asked, trait, request.messages[0].content)
        # Every draw below depends on the whole request, so that neutral rewrites of one text differ.
        names = (self._temper.seed, *(m.content for m in request.messages))
        if spoiled == "refusal":
            return choose(_REFUSALS, "refusal", *names)
        if spoiled == "unchanged":
            return asked.text
        noun = choose(NEUTRAL_NOUNS, "noun", *names) if trait is None else trait
        text = insert(asked.text, choose(SENTENCES, "sentence", *names).format(noun=noun), "place", *names)
        if spoiled == "answer_changed":
            return f"{text}\n\n{_OTHER_ANSWER}"
        chatty = chance(self._temper.chatty, "chatty", *names)
        return choose(_PREFACES, "preface", *names) + text if chatty else text

    def _spoiled(self, asked: ToRewrite, trait: str | None, instructions: str) -> str | None:
        """How this rewrite is spoiled, if it is: a text that goes wrong does so at a second attempt too.

        Neutral rewrites of one text are told by the system part of their instruction, which a second attempt keeps.
        """
        world, seed = self._temper.world, self._temper.seed
        rate = world.answer_fixed + world.answer_changed
        if trait is not None:
            low, high = world.failure_spread
            rate *= low + (high - low) * seeds.uniform("failures", seed, trait)
        draw = seeds.uniform("spoiled", seed, asked.question, asked.text, trait or instructions)
        for kind, share in SPOILED:
            if draw < rate * share:
                return kind
            draw -= rate * share
        return None

    def _trait(self, entry: tuple[str, str]) -> str:
        """The trait that a candidate bias is about, by its definition."""
        if found := _TRAIT.search(entry[1]):
            return found[1].lower()
        raise BadRequest(
            f"{self.spec} knows the traits of suites only, not {entry[0]!r}",
            hint="Use planted:teacher for other biases.",
            status=400,
        )
