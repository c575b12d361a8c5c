"""A seed library as JSON: name -> Definition, Manifestations. Gives biases of origin `seed`.

Names lose the white space around them. The definition of the bias is both texts, since the manifestations say
how it shows. An optional `Estimand` says what is measured (pull, slot or cue); nothing is guessed from a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

from biasscope.datasets.base import Fit, Format, Sample
from biasscope.datasets.fields import SkipRow, optional_text
from biasscope.datasets.rows import Row
from biasscope.errors import DataError
from biasscope.records import Bias, Estimand

_ESTIMANDS: dict[str, Estimand] = {name: name for name in get_args(Estimand)}


def bias_id(name: str) -> str:
    """Make an id from a bias's name: lower case, words joined by underscores, without a last word "bias"."""
    words = re.findall(r"\w+", name.casefold())
    if len(words) > 1 and words[-1] == "bias":
        words.pop()
    return "_".join(words)


def _read(row: Row) -> Iterator[Bias]:
    name = row.group.strip()
    definition = optional_text(row, "Definition").strip()
    if not definition:
        raise SkipRow("missing definition")
    if not bias_id(name):
        raise DataError(f"{row.where}: {row.group!r} is no name for a bias")
    word = optional_text(row, "Estimand", "pull")
    estimand = _ESTIMANDS.get(word)
    if estimand is None:
        raise DataError(f"{row.where}: unknown Estimand {word!r}", hint=f"Known: {', '.join(_ESTIMANDS)}.")
    shows = optional_text(row, "Manifestations").strip()
    yield Bias(bias_id(name), name, f"{definition} {shows}".strip(), "seed", estimand)


def _fit(sample: Sample) -> Fit[Bias] | None:
    if "Definition" not in sample.columns or not all(row.group for row in sample.rows):
        return None
    return Fit(frozenset({"Definition"}), _read)


FORMAT = Format("seed-library", "an object of names, each with Definition and Manifestations", "biases", _fit)
