"""Preference data of anybody: prompt, chosen, rejected; or prompt, two responses and a label.

Prompts and responses may be texts or lists of messages. The names of the second form are looked up in short
lists of usual ones and accepted only where exactly one of each fits. Optional columns: id, domain, reference,
labelled, objective. Where there is no label, or `labelled` is false, roles are drawn by seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from biasscope.datasets.base import Fit, Format, Reading, Sample, draw_roles, pair_content_id
from biasscope.datasets.fields import First, SkipRow, flag, label, messages, optional_text, response
from biasscope.datasets.rmbench import lists_of_texts
from biasscope.datasets.rows import Row
from biasscope.records import Message, PreferencePair

PROMPTS = ("prompt", "question", "instruction", "input", "query")
RESPONSES = tuple(
    (f"{word}{joint}{first}", f"{word}{joint}{second}")
    for word in ("response", "answer", "output", "completion")
    for joint in ("_", "")
    for first, second in (("A", "B"), ("a", "b"), ("1", "2"))
)
LABELS = ("label", "winner", "preference", "preferred")

_WORDS: dict[str, First | Literal["tie"]] = {
    "a": "first",
    "b": "second",
    "1": "first",
    "2": "second",
    "a>b": "first",
    "b>a": "second",
    "model_a": "first",
    "model_b": "second",
    "tie": "tie",
    "a=b": "tie",
}


def _prompt_column(columns: frozenset[str]) -> str | None:
    """Give the prompt's column: ``prompt`` itself, else the one usual name that is there."""
    if "prompt" in columns:
        return "prompt"
    found = [name for name in PROMPTS if name in columns]
    return found[0] if len(found) == 1 else None


def _reply(row: Row, column: str) -> tuple[tuple[Message, ...], str]:
    """Read a response and the turns before it; in a list of messages the last one is the response."""
    if not isinstance(row.values.get(column), list):
        return (), response(row, column)
    turns = messages(row, column)
    if not turns or turns[-1].role != "assistant":
        raise SkipRow("missing response")
    return turns[:-1], turns[-1].content


def _conversation(prompt: tuple[Message, ...], before: tuple[Message, ...]) -> tuple[Message, ...]:
    """Join the prompt with the turns that stand before both responses: they continue it or restate it."""
    if not before or not prompt:
        return prompt or before
    if before[0].role == "assistant":
        return prompt + before
    if all(message in before for message in prompt):
        return before
    raise SkipRow("prompts differ")


def _pair(row: Row, prompt_column: str | None, columns: tuple[str, str], better: First | None) -> Reading:
    prompt = messages(row, prompt_column) if prompt_column else ()
    before, first = _reply(row, columns[0])
    before_second, second = _reply(row, columns[1])
    if before != before_second:
        raise SkipRow("prompts differ")
    prompt = _conversation(prompt, before)
    if not any(message.content.strip() for message in prompt):
        raise SkipRow("missing prompt")
    labelled = better is not None
    if better is None:
        chosen, rejected = draw_roles(prompt, first, second)
    else:
        chosen, rejected = (first, second) if better == "first" else (second, first)
    return Reading(
        PreferencePair(
            id=optional_text(row, "id") or pair_content_id(prompt, chosen, rejected),
            prompt=prompt,
            chosen=chosen,
            rejected=rejected,
            domain=optional_text(row, "domain", "all"),
            labelled=labelled,
            objective=labelled and flag(row, "objective", default=False),
            reference=optional_text(row, "reference") or None,
        ),
        better,
    )


def _fit_named(sample: Sample) -> Fit[Reading] | None:
    prompt = _prompt_column(sample.columns)
    conversations = bool(sample.values("chosen")) and all(isinstance(v, list) for v in sample.values("chosen"))
    if not sample.columns >= {"chosen", "rejected"} or (prompt is None and not conversations):
        return None

    def read(row: Row) -> Iterator[Reading]:
        known = flag(row, "labelled", default=True)
        # the columns name the roles, so where they stand in the file says nothing
        yield Reading(_pair(row, prompt, ("chosen", "rejected"), "first" if known else None).pair)

    return Fit(frozenset({"chosen", "rejected"} | ({prompt} if prompt else set())), read)


def _fit_listed(sample: Sample) -> Fit[Reading] | None:
    columns = sample.columns
    prompt = _prompt_column(columns)
    pairs = [pair for pair in RESPONSES if columns.issuperset(pair)]
    labels = [name for name in LABELS if name in columns]
    if prompt is None or len(pairs) != 1 or len(labels) > 1:
        return None
    responses, labelled = pairs[0], labels[0] if labels else None
    words: Mapping[str, First | Literal["tie"]] = _WORDS | {
        responses[0].casefold(): "first",
        responses[1].casefold(): "second",
    }

    def read(row: Row) -> Iterator[Reading]:
        known = labelled is not None and flag(row, "labelled", default=True)
        better = label(row, labelled, words) if labelled is not None and known else None
        yield _pair(row, prompt, responses, better)

    return Fit(frozenset({prompt, *responses, *labels}), read)


PAIRS = Format(
    "pairs", "prompt, chosen, rejected", "pairs", _fit_named, lambda sample: not lists_of_texts(sample)
)
LISTED = Format(
    "listed",
    f"one of {'/'.join(PROMPTS)}, two responses such as response_A, response_B, and a label",
    "pairs",
    _fit_listed,
)
