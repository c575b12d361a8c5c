"""Readers of preference data: one small file per format, one entry point, and an account of every row.

The rules, for every format:

- What a file *says* but cannot be used is skipped and counted with its first places: identical or empty
  responses, a missing prompt, response or label, a tie, a duplicate. Nothing is dropped silently.
- What cannot be *understood* is a `DataError` naming file and place, and nothing is loaded: a broken JSON line,
  bytes that are not UTF-8, a label outside the format's, a number where text belongs, columns that do not fit.
- Texts are kept as they are written. Blank lines and a byte order mark are no data; U+2028 splits no line. NaN
  and null are the same.
- Ids are unique: an id that comes again with the same texts is a duplicate, with other texts it is kept as
  ``ID#2`` and noted. Without an id it is made from the texts, so reordering a file changes no id.
- The order in which a file lists two responses never reaches a pair. Roles of unlabelled pairs are drawn by
  seed from the texts.
- `objective` is True only where the label rests on a checkable answer.
"""

from biasscope.datasets.checking import DataReport, Lengths, check
from biasscope.datasets.intake import Skip
from biasscope.datasets.loading import Loaded, LoadedLibrary, LoadedRewrites, load, load_library, load_rewrites
from biasscope.datasets.rewrites import SuppliedRewrite
from biasscope.datasets.twins import Twins, shared_questions, twins

__all__ = [
    "DataReport",
    "Lengths",
    "Loaded",
    "LoadedLibrary",
    "LoadedRewrites",
    "Skip",
    "SuppliedRewrite",
    "Twins",
    "check",
    "load",
    "load_library",
    "load_rewrites",
    "shared_questions",
    "twins",
]
