"""Printing one JSON object on stdout, and nothing else there."""

from __future__ import annotations

import sys

from pydantic import BaseModel


def print_json(value: BaseModel) -> None:
    """Print a model as indented JSON; text stays readable, as UTF-8."""
    sys.stdout.write(value.model_dump_json(indent=2) + "\n")
