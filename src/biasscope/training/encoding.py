"""What a model makes of a row: its chat template and its tokens, in the way of TRL, which trains on the same rows."""

from __future__ import annotations

from typing import Any

from biasscope.errors import WeightsError
from biasscope.models.chat_template import ChatTemplate
from biasscope.models.dialect import fold_system
from biasscope.records import Message
from biasscope.training.rows import TrainingRow


class TokenizerEncoder:
    """An encoder from a tokenizer of transformers. Raises WeightsError for one that cannot end a text."""

    def __init__(self, tokenizer: Any, place: str) -> None:
        if tokenizer.eos_token is None:
            raise WeightsError(
                f"the tokenizer of {place} has no token that ends a text", hint="Set its eos_token."
            )
        self._tokenizer = tokenizer
        self._place = place
        self._made: ChatTemplate | None = None

    @property
    def folds_system(self) -> bool:
        """Whether system messages go into the first user message, since the chat template takes none."""
        return self._template.folds_system

    def require_template(self) -> None:
        """Raise WeightsError where there is no chat template for conversations, or one that cannot be used."""
        _ = self._template

    def encode(self, row: TrainingRow) -> tuple[list[int], list[int], list[int]] | None:
        """As `checking.Encoder`. Raises WeightsError for a conversation where there is no chat template."""
        if isinstance(row.prompt, str):
            prompt = row.prompt
            whole = [prompt + reply.removesuffix(self._eos) + self._eos for reply in (row.chosen, row.rejected)]
            tokens = [list(self._tokenizer(text)["input_ids"]) for text in (prompt, *whole)]
        else:
            prompt = self._template.render(row.prompt, reply_follows=True)
            replies = [Message("assistant", reply) for reply in (row.chosen, row.rejected)]
            whole = [self._template.render((*row.prompt, reply), reply_follows=False) for reply in replies]
            if not all(text.startswith(prompt) for text in whole):
                return None
            plain = [self._tokenizer(text, add_special_tokens=False)["input_ids"] for text in (prompt, *whole)]
            tokens = [list(t) for t in plain]
        return tokens[0], tokens[1], tokens[2]

    def as_trl(self, row: TrainingRow) -> dict[str, object]:
        """The row in TRL's format, with system messages where the chat template takes them."""
        if isinstance(row.prompt, str):
            return {"prompt": row.prompt, "chosen": row.chosen, "rejected": row.rejected}
        turns = fold_system(row.prompt) if self.folds_system else row.prompt
        return {
            "prompt": [{"role": m.role, "content": m.content} for m in turns],
            "chosen": [{"role": "assistant", "content": row.chosen}],
            "rejected": [{"role": "assistant", "content": row.rejected}],
        }

    @property
    def _template(self) -> ChatTemplate:
        if self._made is None:
            self._made = ChatTemplate(self._tokenizer, self._place)
        return self._made

    @property
    def _eos(self) -> str:
        return str(self._tokenizer.eos_token)
