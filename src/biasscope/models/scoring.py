"""Scores labels with a local model so that a score depends on nothing but its prompt and its shared prefix.

Sibling requests share a prefix P (same question, same first response). P is evaluated once from scratch; before
each sibling the slot is cut back to exactly P, and the sibling's own tokens follow. What was scored before, in
which order, or in another process, then changes no bit. Measured against full evaluation the same score moves
(floating point depends on how tokens are batched), so sharing is part of the request and of its key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from biasscope.ask import Request
from biasscope.errors import ServerFault
from biasscope.models.llama import Llama

Scoring = Literal["plain", "prefill"]
SCHEME = 1
"""Counts the ways of evaluation; another way is another instrument, so it is in the fingerprint."""

ALTERNATIVES = 40
"""Alternatives read at the label's position; with 20 a label can be missed."""

PREFILL = "Answer: "

LABEL_TOKENS = 8
"""With labels and no more output than this, the answer is the label alone and is scored instead of generated."""


def is_scored(request: Request) -> bool:
    """Whether one position answers the request: a label of one character is one token in every vocabulary."""
    return (
        0 < request.max_tokens <= LABEL_TOKENS
        and bool(request.labels)
        and all(len(t) == 1 for t in request.labels)
    )


class Slot:
    """The one slot of a loaded model, and what is known to lie in it: a prefix, and the prompt that went on from it."""

    def __init__(self, llama: Llama) -> None:
        self._llama = llama
        self._prefix: tuple[int, ...] = ()
        self._held: tuple[int, ...] = ()
        self._can_cut = True  # False for architectures whose state cannot be cut back (recurrent ones)

    def forget(self) -> None:
        """Say that something else uses the slot."""
        self._prefix = self._held = ()

    def evaluate(self, tokens: tuple[int, ...], prefix: tuple[int, ...], **options: object) -> Mapping[str, Any]:
        """Evaluate a prompt that begins with `prefix` (which may be empty) and return the runtime's answer."""
        held = self._held if self._prefix == prefix else ()
        self.forget()  # should a call fail, nothing is known
        if not prefix or not self._can_cut or not self._hold(prefix, held, tokens):
            return self._llama.evaluate(tokens, reuse=False, **options)
        answer = self._llama.evaluate(tokens, reuse=True, **options)
        if answer["timings"]["cache_n"] != len(prefix):
            raise ServerFault(
                f"llama.cpp kept {answer['timings']['cache_n']} tokens where {len(prefix)} are shared",
                hint="This xllamacpp reuses prompts in another way; another version of it is needed.",
            )
        self._prefix, self._held = prefix, tokens
        return answer

    def _hold(self, prefix: tuple[int, ...], held: tuple[int, ...], tokens: tuple[int, ...]) -> bool:
        """Make the slot hold exactly `prefix`, as far as an evaluation of `tokens` can tell; False where it cannot."""
        if not held:
            self._llama.evaluate(prefix, reuse=False)
        elif shared_length(held, tokens) == len(prefix):
            return True  # the runtime will cut here by itself, at the first difference
        # Sending the prefix again cuts off what follows it; its last token is evaluated anew, alone, every time.
        cut = self._llama.evaluate(prefix, reuse=True)
        self._can_cut = cut["timings"]["cache_n"] == len(prefix) - 1
        return self._can_cut


def shared_length(first: Sequence[int], second: Sequence[int]) -> int:
    """Count the leading tokens that two prompts have in common."""
    count = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        count += 1
    return count
