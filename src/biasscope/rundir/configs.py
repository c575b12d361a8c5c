"""Configurations from JSON or TOML files, with errors that name the key and what was probably meant."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from biasscope.config import (
    AnyConfig,
    BenchmarkConfig,
    MeasureConfig,
    MitigateConfig,
    RankConfig,
    RunConfig,
    TrainingDataConfig,
)
from biasscope.errors import ConfigError
from biasscope.rundir.files import describe

M = TypeVar("M", bound=BaseModel)


def read_config(path: Path | str) -> AnyConfig:
    """Read a configuration of any kind; raises `ConfigError` with one line about the first fault."""
    values = read_values(path)
    identity = values.get("identity")
    if isinstance(identity, dict) and "benchmark" in identity:
        return parse_as(RankConfig, values, source=str(path))
    if isinstance(identity, dict) and "judges" in identity:
        return parse_as(MeasureConfig, values, source=str(path))
    if isinstance(identity, dict) and "fixes" in identity:
        return parse_as(MitigateConfig, values, source=str(path))
    if isinstance(identity, dict) and "augmented" in identity:
        return parse_as(TrainingDataConfig, values, source=str(path))
    if isinstance(identity, dict) and "variants" in identity:
        return parse_as(BenchmarkConfig, values, source=str(path))
    return parse_config(values, source=str(path))


def read_values(path: Path | str) -> dict[str, Any]:
    """Read the values of a ``.json`` or ``.toml`` file, not yet checked against the configuration's fields."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
        match path.suffix.lower():
            case ".json":
                values = json.loads(text, object_pairs_hook=_unique)
            case ".toml":
                values = tomllib.loads(text)
            case _:
                raise ConfigError(f"{path} is neither a .json nor a .toml file")
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:  # JSON, TOML and UTF-8 errors are all of this kind, and say where
        raise ConfigError(f"{path}: {error}") from error
    if not isinstance(values, dict):
        raise ConfigError(f"{path}: need a table of settings at the top")
    return values


def parse_config(values: Mapping[str, Any], *, source: str) -> RunConfig:
    """Check values against the fields of a discovery's configuration."""
    return parse_as(RunConfig, values, source=source)


def parse_as(of: type[M], values: Mapping[str, Any], *, source: str) -> M:
    """Check values against the fields of a model; `source` says in errors where they come from."""
    try:
        return of.model_validate(values)
    except ValidationError as error:
        unknown = next((e["loc"] for e in error.errors() if e["type"] == "extra_forbidden"), None)
        if unknown is None:
            raise ConfigError(f"{source}: {describe(error)}") from error
        *place, key = unknown
        where = f" in {'.'.join(map(str, place))}" if place else ""
        meant = get_close_matches(str(key), _fields(of, place), n=1)
        guess = f"; did you mean {meant[0]!r}?" if meant else ""
        raise ConfigError(f"{source}: unknown key {str(key)!r}{where}{guess}") from error


def _fields(model: type[BaseModel], place: list[int | str]) -> list[str]:
    """Return the names of the settings at a place; none below a table whose names are the user's own."""
    for part in place:
        if isinstance(part, int):
            continue
        if part not in model.model_fields:
            return []
        annotation = model.model_fields[part].annotation
        inner = (
            t for t in (annotation, *get_args(annotation)) if isinstance(t, type) and issubclass(t, BaseModel)
        )
        model = next(inner, model)
    return list(model.model_fields)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a JSON object that says something twice: the parser would drop one of the two."""
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(n for n in names if names.count(n) > 1)!r} stands there twice")
    return values
