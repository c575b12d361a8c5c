from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.errors import ServerFault
from biasscope.models.scoring import Slot, shared_length


class Runtime:
    """Keeps prompts as llama.cpp does, and answers with how the prompt was cut into evaluations.

    That is what the last bits of a score depend on: every token carries the bounds of the batch it came in with.
    """

    def __init__(self, *, can_cut: bool = True) -> None:
        self.can_cut = can_cut
        self.slot: list[tuple[int, tuple[int, int]]] = []
        self.evaluated = 0
        self.fails = False

    def evaluate(self, tokens: Sequence[int], *, reuse: bool, **options: object) -> Mapping[str, Any]:
        if self.fails:
            self.slot = self.slot[: len(self.slot) // 2]
            raise ServerFault("broken off")
        kept = shared_length([t for t, _ in self.slot], tokens) if reuse else 0
        kept -= kept == len(tokens)  # the last token is always evaluated
        if kept < len(self.slot) and not self.can_cut:
            kept = 0
        self.slot[kept:] = [(t, (kept, len(tokens))) for t in tokens[kept:]]
        self.evaluated += len(tokens) - kept
        return {"timings": {"cache_n": kept}, "layout": tuple(self.slot)}


def layout(slot: Slot, prompt: tuple[tuple[int, ...], tuple[int, ...]]) -> object:
    prefix, rest = prompt
    return slot.evaluate(prefix + rest, prefix)["layout"]


TOKENS = st.lists(st.integers(0, 2), min_size=2, max_size=6).map(tuple)
PROMPTS = st.lists(st.tuples(st.one_of(st.just(()), TOKENS), TOKENS), min_size=1, max_size=12)


@given(PROMPTS, st.booleans())
def test_a_score_depends_on_its_prefix_and_its_prompt_only_whatever_came_before(
    prompts: list[tuple[tuple[int, ...], tuple[int, ...]]], can_cut: bool
) -> None:
    slot = Slot(Runtime(can_cut=can_cut))

    for prompt in prompts:
        assert layout(slot, prompt) == layout(Slot(Runtime(can_cut=can_cut)), prompt)


def test_siblings_evaluate_their_prefix_once() -> None:
    runtime = Runtime()
    slot = Slot(runtime)
    prefix = tuple(range(100))

    for arm in range(5):
        slot.evaluate((*prefix, 1000 + arm, 7, 7), prefix)

    assert runtime.evaluated == 100 + 1 + 5 * 3  # the prefix, its last token again, and what each sibling adds


def test_siblings_that_begin_alike_do_not_lend_each_other_tokens() -> None:
    runtime = Runtime()
    slot = Slot(runtime)
    prefix = tuple(range(50))

    slot.evaluate((*prefix, 7, 8, 9), prefix)
    answer = slot.evaluate((*prefix, 7, 8, 10), prefix)

    assert answer["timings"]["cache_n"] == 50


def test_after_a_failure_nothing_is_taken_to_be_in_the_slot() -> None:
    runtime = Runtime()
    slot = Slot(runtime)
    prompt = (tuple(range(20)), (30, 31))
    expected = layout(slot, prompt)
    runtime.fails = True
    with pytest.raises(ServerFault):
        layout(slot, prompt)
    runtime.fails = False

    assert layout(slot, prompt) == expected


def test_after_another_use_of_the_slot_the_prefix_is_evaluated_again() -> None:
    runtime = Runtime()
    slot = Slot(runtime)
    prompt = (tuple(range(20)), (30, 31))
    expected = layout(slot, prompt)

    runtime.evaluate((0, 1, 2, 99), reuse=True)
    slot.forget()

    assert layout(slot, prompt) == expected


def test_a_runtime_that_keeps_other_tokens_than_agreed_is_not_believed() -> None:
    runtime = Runtime()
    slot = Slot(runtime)
    prefix = tuple(range(20))
    slot.evaluate((*prefix, 30), prefix)
    runtime.slot = runtime.slot[:10]

    with pytest.raises(ServerFault, match="kept 10 tokens where 20 are shared"):
        slot.evaluate((*prefix, 31), prefix)
