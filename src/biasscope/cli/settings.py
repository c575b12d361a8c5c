"""From words on the command line (and a config file) to a configuration. Knows no workflow."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from biasscope.config import Identity, RunConfig
from biasscope.errors import ConfigError
from biasscope.rundir import read_config

PAPER: dict[str, Any] = {
    "preset": "paper",
    "rule": "paper",
    "judge_mode": "reason",
    "rewrites": "teacher",
    "holdout_share": 0.0,
}
"""What the published procedure fixes; naming one of these otherwise beside ``--preset paper`` is refused."""


def place(settings: dict[str, Any], path: str, value: object) -> None:
    """Put a value at a dotted path, unless it is None (not given)."""
    if value is None:
        return
    *parents, last = path.split(".")
    for name in parents:
        settings = settings.setdefault(name, {})
    settings[last] = value


def build(given: Mapping[str, object], config: Path | None) -> RunConfig:
    """Make a configuration from dotted settings, on top of a config file if there is one.

    Raises ConfigError in one line that names the setting.
    """
    settings: dict[str, Any] = read_config(config).model_dump() if config is not None else {"identity": {}}
    for path, value in given.items():
        place(settings, path, value)
    if settings["identity"].get("preset") == "paper":
        _apply_paper(settings["identity"], given)
    for name, option in (("judge", "--judge"), ("teacher", "--teacher")):
        if "spec" not in settings["identity"].get(name, {}):
            raise ConfigError(f"no {name} is named", hint=f"Give {option}, such as {option} openai:MODEL.")
    try:
        return RunConfig.model_validate(settings)
    except ValidationError as error:
        raise ConfigError(*_first(error)) from None


def _apply_paper(identity: dict[str, Any], given: Mapping[str, object]) -> None:
    for name, value in PAPER.items():
        asked = given.get(f"identity.{name}")
        if asked is not None and asked != value:
            raise ConfigError(
                f"--preset paper fixes {name.replace('_', '-')} to {value}, not {asked}",
                hint="Leave the option out, or leave out --preset paper.",
            )
        identity[name] = value


def _first(error: ValidationError) -> tuple[str]:
    found = error.errors()[0]
    where = ".".join(str(part) for part in found["loc"])
    return (f"{where}: {found['msg']}, got {found.get('input')!r}",)


def defaults() -> dict[str, Any]:
    """The defaults of the identity, for help texts."""
    return {name: field.default for name, field in Identity.model_fields.items()}
