from __future__ import annotations

import pytest

from biasscope import prompts
from biasscope.ask import Request
from biasscope.objective import generate
from biasscope.records import PreferencePair


class Prompted:
    """Requests in the project's own prompts, as the steps make them."""

    @staticmethod
    def judge(pair: PreferencePair, first: str, second: str, *, mode: str = "reason", **settings) -> Request:
        filled = prompts.fill(f"judge_{mode}", question=pair.question, first=first, second=second)
        labels = ("1", "2") if mode == "label" else ()
        return Request(filled.messages, **{"max_tokens": 1024, "labels": labels} | settings)

    @staticmethod
    def neutral(pair: PreferencePair, text: str, variant: int = 0) -> Request:
        length = "Keep about the same length."
        filled = prompts.fill(
            "rewrite_neutral", variant=variant, question=pair.question, text=text, length=length
        )
        return Request(filled.messages, max_tokens=2048)

    @staticmethod
    def biased(pair: PreferencePair, text: str, name: str, definition: str, variant: int = 0) -> Request:
        filled = prompts.fill(
            "rewrite_biased", variant=variant, question=pair.question, text=text, name=name, definition=definition
        )
        return Request(filled.messages, max_tokens=2048)


@pytest.fixture(scope="session")
def prompted() -> type[Prompted]:
    return Prompted


@pytest.fixture(scope="session")
def pairs() -> tuple[PreferencePair, ...]:
    return tuple(generate(400, seed=5))
