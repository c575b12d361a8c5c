"""The known biases as output, or those of a user's file."""

from __future__ import annotations

from pathlib import Path

from biasscope.catalogue.known import built_in
from biasscope.datasets.bias_files import read_bias_file
from biasscope.report.outputs import CatalogueOut, KnownBiasOut


def catalogue_of(file: Path | None = None) -> CatalogueOut:
    """Everything that comes with biasscope, family by family; with a file what that holds, checked.

    Raises DataError naming what is wrong with a file.
    """
    known = built_in()
    of = {i: name for name, ids in known.families for i in ids}
    entries = known.entries if file is None else read_bias_file(file)
    listed = [
        KnownBiasOut(
            id=e.bias.id,
            family=of.get(e.bias.id, "") if file is None else "",
            name=e.bias.name,
            definition=e.bias.definition,
            source=e.source,
            estimand=e.bias.estimand,
            sign=e.sign,
            phrasings=e.phrasings,
            seed=e.bias.origin == "seed",
        )
        for e in entries
    ]
    return CatalogueOut(biases=tuple(sorted(listed, key=lambda b: b.family)))
