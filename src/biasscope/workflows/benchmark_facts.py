"""What can be said about the items of a benchmark from their texts alone: growth, and which shortcuts work. Asks nobody."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import numpy as np
from scipy import sparse

from biasscope.benchmarks import BenchmarkItem
from biasscope.catalogue.edits import words
from biasscope.catalogue.features import Feature, text_features
from biasscope.catalogue.known import Catalogue, built_in
from biasscope.quantities import Estimate
from biasscope.records import RewrittenSide
from biasscope.stats.estimates import Array, estimate
from biasscope.stats.reading import clustered_se
from biasscope.stats.shortcuts import Shortcut, shortcut

Baseline = Literal["length", "format", "trait", "words"]
BASELINES: tuple[Baseline, ...] = ("length", "format", "trait", "words")
"""``length``: the number of words; ``format``: how a text is set out; ``trait``: whether the detector of
the injected bias sees it; ``words``: which words occur."""

FORMAT = (
    "paragraphs", "list_items", "bold", "headings", "table_rows", "code_fences", "inline_code", "latex", "emoji", "exclamations",
    "questions", "quotations", "links", "parentheses", "capitals", "dashes",
)  # fmt: skip
"""The features that are about how a text is set out."""
SIDES: tuple[RewrittenSide, ...] = ("rejected", "chosen")
VOCABULARY = 400
"""Words of a bag: those that tell the responses of the most items apart."""
_CACHED = 65_536


_Features = tuple[list[str], Array]


@dataclass(frozen=True, slots=True)
class Growth:
    """How much longer biased responses are, as mean relative growth in words (0.084 is 8.4 %) with intervals by question.

    `bias` is empty for all of them together. Over the original response, and over the neutral rewrite by the same writer.
    """

    bias: str
    side: RewrittenSide
    over_original: Estimate
    over_neutral: Estimate


@dataclass(frozen=True, slots=True)
class ShortcutCheck:
    """One baseline on one set of items; `top` are its columns with the largest weights, above 0 for the better response."""

    baseline: Baseline
    found: Shortcut | None
    top: tuple[tuple[str, float], ...]


@lru_cache(maxsize=_CACHED)  # a response stands in several items
def _length(text: str) -> int:
    return len(words(text))


def growth(items: Sequence[BenchmarkItem]) -> tuple[Growth, ...]:
    """The growth of rejected, then of chosen responses, of all biases and then of each; of variants that have all cells.

    Raises KeyError where the original of a variant's pair is not among the items.
    """
    originals = {i.source_pair: i for i in items if i.subset == "original"}
    cells = {(i.variant, i.chosen_form, i.rejected_form): i for i in items if i.subset == "crossed"}
    rows: list[tuple[str, RewrittenSide, str, float, float]] = []
    for (variant, chosen, rejected), biased in cells.items():
        if (chosen, rejected) != ("biased", "biased"):
            continue
        neutral, original = cells[variant, "neutral", "neutral"], originals[biased.source_pair]
        where = biased.injected_bias, biased.question_hash
        for side in SIDES:
            has, plain, had = (_length(getattr(i, side)) for i in (biased, neutral, original))
            if plain and had:
                rows.append((where[0], side, where[1], has / had - 1, has / plain - 1))
    found = []
    for bias in ("", *sorted({row[0] for row in rows})):
        for side in SIDES:
            own = [row for row in rows if row[1] == side and bias in ("", row[0])]
            if own:
                questions = [row[2] for row in own]
                over = _mean([row[3] for row in own], questions), _mean([row[4] for row in own], questions)
                found.append(Growth(bias, side, *over))
    return tuple(found)


def _mean(values: Sequence[float], questions: Sequence[str]) -> Estimate:
    array = np.array(values)
    _, clusters = np.unique(np.array(questions), return_inverse=True)
    several = len(set(questions)) > 1
    return estimate(float(array.mean()), clustered_se(array, clusters) if several else None, len(array))


def check_shortcuts(
    items: Sequence[BenchmarkItem], *, catalogue: Catalogue | None = None, seed: int = 0
) -> tuple[ShortcutCheck, ...]:
    """Try each baseline on these items; without a result where the questions are too few."""
    known = built_in() if catalogue is None else catalogue
    if not items:
        return tuple(ShortcutCheck(baseline, None, ()) for baseline in BASELINES)
    questions = [i.question_hash for i in items]
    texts = _Texts(items)
    makers: Mapping[Baseline, Callable[[], _Features]] = {
        "length": lambda: (["words"], texts.differences([[np.log1p(_length(text))] for text in texts.all])),
        "format": lambda: _formats(texts),
        "trait": lambda: _trait(items, known),
        "words": lambda: _bag(texts),
    }
    found = []
    for baseline in BASELINES:
        names, differences = makers[baseline]()
        result = shortcut(differences, questions, seed=seed) if names else None
        found.append(ShortcutCheck(baseline, result, () if result is None else _top(names, result.weights)))
    return tuple(found)


def _top(names: Sequence[str], weights: Sequence[float]) -> tuple[tuple[str, float], ...]:
    strongest = sorted(zip(names, weights, strict=True), key=lambda pair: (-abs(pair[1]), pair[0]))[:5]
    return tuple((name, weight) for name, weight in strongest if weight)


@dataclass(frozen=True)
class _Texts:
    """The different responses of items, each once, and which of them each item has."""

    items: Sequence[BenchmarkItem]
    all: list[str] = field(init=False)
    better: list[int] = field(init=False)
    worse: list[int] = field(init=False)

    def __post_init__(self) -> None:
        numbers: dict[str, int] = {}
        for name, of in (("better", "chosen"), ("worse", "rejected")):
            found = [numbers.setdefault(getattr(item, of), len(numbers)) for item in self.items]
            object.__setattr__(self, name, found)
        object.__setattr__(self, "all", list(numbers))

    def differences(self, features: Sequence[Sequence[float]] | Array) -> Array:
        """From features of every text those of the better less those of the worse response, shape (items, columns)."""
        table = np.array(features, dtype=np.float64).reshape(len(self.all), -1)
        return np.asarray(table[self.better] - table[self.worse])


def _formats(texts: _Texts) -> _Features:
    return [f.name for f in _features()], texts.differences([_format_of(text) for text in texts.all])


@lru_cache(maxsize=1)
def _features() -> tuple[Feature, ...]:
    return tuple(f for f in text_features() if f.name in FORMAT)


@lru_cache(maxsize=_CACHED)  # the same responses are looked at for all items, for those kept and for the sample
def _format_of(text: str) -> tuple[float, ...]:
    return tuple(f.count(text) for f in _features())


def _trait(items: Sequence[BenchmarkItem], catalogue: Catalogue) -> _Features:
    """Whether the detector of an item's own trait sees it; no column where no trait has a detector."""
    entries = {e.bias.id: e for e in catalogue.entries}
    ids = {i.injected_bias for i in items} & entries.keys()
    seen = {name: d for name in ids if (d := _sees(entries[name].cues, entries[name].detector)) is not None}
    of = [(i, seen.get(i.injected_bias)) for i in items]
    rows = [[0.0 if sees is None else _seen(sees, i.chosen) - _seen(sees, i.rejected)] for i, sees in of]
    return ["its own trait"] if seen else [], np.array(rows, dtype=np.float64).reshape(len(items), 1)


@lru_cache(maxsize=_CACHED)
def _seen(sees: Callable[[str], bool], text: str) -> float:
    return float(sees(text))


def _sees(cues: tuple[str, ...], detector: Callable[[str], bool] | None) -> Callable[[str], bool] | None:
    """What sees a trait: its detector, or that one of its facts is shown."""
    if cues:
        return lambda text: any(text.startswith(f"[{cue}]") for cue in cues)
    return detector


def _bag(texts: _Texts) -> _Features:
    places: dict[str, int] = {}
    words_of, numbers, ends = array("q"), array("q"), array("q", [0])
    for text in texts.all:
        for word, number in Counter(words(text)).items():
            words_of.append(places.setdefault(word, len(places)))
            numbers.append(number)
        ends.append(len(words_of))
    # Most words are in few texts: whole tables of them would fill memory.
    counts = sparse.csr_array(
        (np.array(numbers, dtype=np.float64), np.array(words_of), np.array(ends)),
        shape=(len(texts.all), len(places)),
    )
    differing = sparse.csr_array(counts[texts.better] - counts[texts.worse])
    differing.eliminate_zeros()
    # Which words are looked at must not depend on which response is the better one.
    spread = np.bincount(differing.indices, minlength=len(places))
    names = sorted((w for w in places if spread[places[w]]), key=lambda w: (-int(spread[places[w]]), w))[
        :VOCABULARY
    ]
    table = counts[:, [places[w] for w in names]].toarray()
    return names, texts.differences(np.log1p(table))
