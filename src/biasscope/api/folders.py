"""Where a run is kept when nobody says where: a folder that the same call finds again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from biasscope.ask import digest
from biasscope.config import AnyConfig
from biasscope.rundir import MAY_GROW, by_endpoint

RUNS = "biasscope-runs"
"""The folder of such runs, in the working folder."""
_CHARACTERS = 12


def folder_of(command: str, config: AnyConfig, data: Mapping[str, str]) -> Path:
    """``biasscope-runs/COMMAND-HASH``, the hash being of everything that binds a run: its identity and its data.

    `data` are hashes of content by name. What may be raised when a run is continued is left out, and so is what has its
    usual value, so that a setting that a later version adds changes nothing.
    """
    identity = by_endpoint(config.identity.model_dump(mode="json", exclude_defaults=True))
    bound = {name: value for name, value in identity.items() if name not in MAY_GROW}
    return Path(RUNS) / f"{command}-{digest({'identity': bound, 'data': dict(data)})[:_CHARACTERS]}"
