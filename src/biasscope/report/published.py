"""What ``biasscope benchmark publish --json`` prints, with a versioned schema."""

from __future__ import annotations

from typing import Literal

from biasscope.report.summary import Out


class PublishedFileOut(Out):
    """One file of a published benchmark."""

    path: str
    """Its path inside the folder."""
    rows: int
    """Its rows."""


class PublishedOut(Out):
    """``biasscope benchmark publish --json``."""

    schema_version: Literal["biasscope.published/1"] = "biasscope.published/1"
    """Name and version of this schema."""
    version: str
    """Version of biasscope that wrote it."""
    run: str
    """The folder of the benchmark."""
    folder: str
    """The folder that was written."""
    files: tuple[PublishedFileOut, ...]
    """The files with rows."""
    licence: str | None
    """Licence of the sources as it was given; null where nobody said."""
    reviewed: bool
    """Whether people reviewed anything."""
    passes: bool | None
    """Whether their review passes its gate; null without one."""
    taken_out: int
    """Variants of a subset that were taken out since reviewers found a rewrite not valid."""
    notes: tuple[str, ...]
    """What whoever publishes should know, as sentences."""
