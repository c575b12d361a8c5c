"""A tokenizer's chat template: messages as the text that a model was trained to go on from.

What a template does with a system message is found out by giving it one, not guessed from its name. Knows no weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jinja2 import TemplateError

from biasscope.errors import BadRequest, WeightsError
from biasscope.models.dialect import fold_system
from biasscope.models.programs import first_line
from biasscope.records import Message

REFUSALS = (TemplateError, AttributeError, KeyError, TypeError, ValueError)
"""What a template raises for messages that it does not take."""

_SEEN = "a-system-text-that-can-be-found-again"


class ChatTemplate:
    """Renders conversations with a tokenizer of transformers.

    `folds_system` tells whether the template refuses system messages or drops them without a word: their text then goes
    in front of the first user message. Raises WeightsError where there is no template.
    """

    def __init__(self, tokenizer: Any, place: str) -> None:
        if not getattr(tokenizer, "chat_template", None):
            raise WeightsError(
                f"{place} has no chat template, so it is not a model that answers messages",
                hint="Use the instruct or chat version of the model.",
            )
        self._tokenizer = tokenizer
        self._place = place
        self.folds_system = self._loses_system()

    def render(self, messages: Sequence[Message], *, reply_follows: bool) -> str:
        """The conversation as text; with `reply_follows` up to where the assistant's turn begins.

        Raises BadRequest with the template's own words for a conversation that it refuses.
        """
        told = fold_system(messages) if self.folds_system else messages
        try:
            return self._rendered(told, reply_follows)
        except REFUSALS as error:
            raise BadRequest(
                f"the chat template of {self._place} refuses a conversation: {first_line(error)}",
                hint="Its turns must be in the order that the model was trained on.",
            ) from error

    def _rendered(self, messages: Sequence[Message], reply_follows: bool) -> str:
        turns = [{"role": m.role, "content": m.content} for m in messages]
        return str(
            self._tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=reply_follows)
        )

    def _loses_system(self) -> bool:
        tried = (Message("system", _SEEN), Message("user", "Hello."))
        try:
            return _SEEN not in self._rendered(tried, True)
        except REFUSALS:
            return self._takes_a_user_alone()

    def _takes_a_user_alone(self) -> bool:
        """Whether it was the system message that was refused; raises WeightsError for a template that takes nothing."""
        try:
            self._rendered((Message("user", "Hello."),), True)
        except REFUSALS as error:
            raise WeightsError(
                f"the chat template of {self._place} cannot be used: {first_line(error)}",
                hint="Correct chat_template.jinja in the folder of the model.",
            ) from error
        return True
