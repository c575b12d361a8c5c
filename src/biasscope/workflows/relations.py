"""Which judges had a hand in a benchmark, or look like relatives of a model that had. Pure.

A judge by which items were chosen, or in whose favour a writer may write, is no neutral contestant: it is marked, and ranked
apart. A family is only guessed, from the names that vendors give; a guess warns and moves nobody.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from biasscope.benchmarks.provenance import Hand, Provenance
from biasscope.config import PROGRAMS
from biasscope.errors import UsageError

WORDS: Mapping[Hand, str] = {
    "filter": "it filtered the items, so that they are those on which it was wrong",
    "discovery": "biases of the benchmark were discovered on it",
    "writer": "it wrote rewrites of the benchmark",
}

FAMILIES: Mapping[str, str] = {
    "OpenAI": r"gpt|davinci|(?<![a-z0-9])o[1-9](?![a-z0-9])",
    "Anthropic": r"claude",
    "Google": r"gemini|gemma|palm-",
    "Meta": r"llama",
    "Alibaba": r"qwen|qwq",
    "Mistral": r"mi[sx]tral|ministral|magistral|codestral|devstral",
    "DeepSeek": r"deepseek",
    "Microsoft": r"(?<![a-z])phi-?\d|wizardlm",
    "Cohere": r"command-[ar]|c4ai|(?<![a-z])aya-",
    "xAI": r"grok",
    "Hugging Face": r"smollm|zephyr",
    "01.AI": r"(?<![a-z])yi-",
    "Zhipu": r"glm",
    "Moonshot": r"kimi|moonshot",
    "NVIDIA": r"nemotron",
    "IBM": r"granite",
    "Ai2": r"olmo|tulu",
    "TII": r"falcon",
    "Amazon": r"(?<![a-z])nova-|titan",
}
"""Vendors, with what the names of their models hold."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Why a judge is ranked apart."""

    hand: Hand
    """What it had to do with the benchmark: `filter`, `discovery`, `writer`, or `named` where the user says so."""
    reason: str
    """The same in words."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A judge that may be of the family of a model that had a hand in the benchmark, by their names alone."""

    hand: Hand
    """What that model had to do with the benchmark."""
    model: str
    """Its spec."""
    family: str
    """The vendor, or the word, that both names speak of."""


def relations(judge: str, provenance: Provenance, related: Mapping[str, str]) -> tuple[Relation, ...]:
    """Why the judge of this spec is ranked apart: what the benchmark says of it, and what the user does (`related`)."""
    found = [
        Relation(hand, WORDS[hand] + ("" if model == judge else f" (as {model})"))
        for hand, model in provenance.hands
        if is_same(judge, model)
    ]
    said = [Relation("named", related[judge])] if judge in related else []
    return tuple(dict.fromkeys([*found, *said]))


def guesses(judge: str, provenance: Provenance) -> tuple[Guess, ...]:
    """Models with a hand in the benchmark, other than the judge itself, that seem to be of a family of its name."""
    own = families(judge)
    return tuple(
        Guess(hand, model, shared)
        for hand, model in provenance.hands
        if not is_same(judge, model) and (shared := next((f for f in own if f in families(model)), ""))
    )


def is_same(one: str, other: str) -> bool:
    """Whether two specs name one model, wherever it is served: the specs, or the last parts of their names, are the same."""
    return one == other or ("" != model_name(one) == model_name(other))


def model_name(spec: str) -> str:
    """The last part of a model's name, in small letters; empty for a program, whose name says nothing."""
    kind, _, name = spec.partition(":")
    if kind in PROGRAMS or not name:
        return ""
    return name if kind == "planted" else name.rpartition("/")[2].lower().removesuffix(".gguf")


def families(spec: str) -> tuple[str, ...]:
    """The vendors that a model's name speaks of, else the word that it begins with; none for a program."""
    kind, _, name = spec.partition(":")
    if kind in PROGRAMS or kind == "planted" or not name:
        return ()
    known = tuple(vendor for vendor, words in FAMILIES.items() if re.search(words, name.lower()))
    first = re.match(r"[a-z]{3,}", model_name(spec))
    return known or ((first[0],) if first else ())


def parse_related(words: Sequence[str], judges: Sequence[str]) -> dict[str, str]:
    """Read ``SPEC=REASON`` for some of the judges; raises UsageError for a judge that is not ranked, or without a reason."""
    found: dict[str, str] = {}
    for word in words:
        judge = max((j for j in judges if word.startswith(f"{j}=")), key=len, default=None)
        reason = "" if judge is None else word[len(judge) + 1 :].strip()
        if judge is None or not reason:
            raise UsageError(
                f"--related {word} says of none of the judges why it is related",
                hint=f"Write SPEC=REASON with SPEC one of {', '.join(judges)}.",
            )
        found[judge] = reason
    return found
