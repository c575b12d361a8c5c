"""From dotted settings (and a config file) to a configuration, for the command line and for Python. Knows no workflow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from biasscope.api.finding import read_found
from biasscope.config import (
    BenchmarkConfig,
    JudgeSpec,
    MeasureConfig,
    MitigateConfig,
    RankConfig,
    RunConfig,
    TrainingDataConfig,
)
from biasscope.errors import ConfigError
from biasscope.judges.open import check_judge
from biasscope.models.open import check_spec
from biasscope.rundir import parse_as, parse_config, read_values
from biasscope.workflows.fixes import usual_fixes

OPTIONS = "the options"
"""Where settings come from, in errors, unless a file holds some."""
PAPER: dict[str, Any] = {
    "rule": "paper",
    "judge.mode": "reason",
    "rewrites": "teacher",
    "holdout_share": 0.0,
    "proposer": "teacher",
}
"""What the published procedure fixes; naming one of these otherwise beside ``--preset paper`` is refused."""


def build(given: Mapping[str, object], config: Path | None, *, source: str = OPTIONS) -> RunConfig:
    """Make a configuration from dotted settings, on top of a config file if there is one.

    The file may leave out what the settings give; `source` says in errors where these come from. Raises ConfigError in one
    line that names the setting, and UsageError for the spec of a model whose kind does not exist.
    """
    settings = {} if config is None else read_values(config)
    if _part(settings, "identity.data") is None:
        _place(settings, "identity.data", {})
    for path, value in given.items():
        _place(settings, path, value)
    if _part(settings, "identity.preset") == "paper":
        _apply_paper(settings)
    if isinstance(settings["identity"], dict):
        _check_named(settings["identity"])
    settled = parse_config(settings, source=source if config is None else str(config))
    teachers = [] if settled.identity.teacher is None else [settled.identity.teacher]
    for model in (settled.identity.judge, *teachers, *settled.identity.writers):
        check_spec(model.spec)
    check_judge(settled.identity.judge)
    return settled


def _check_named(identity: Mapping[str, object]) -> None:
    """Refuse a discovery without a judge, or without a teacher where one is to name candidates."""
    if "judge" not in identity:
        raise ConfigError("no judge is named", hint="Give --judge, such as --judge openai:MODEL.")
    if identity.get("teacher") is None and identity.get("proposer") != "features":
        raise ConfigError(
            "no teacher is named",
            hint="Give --teacher, such as --teacher openai:MODEL; --proposer features needs none.",
        )


def build_measure(
    given: Mapping[str, object],
    judges: Sequence[Mapping[str, object]],
    asked: Mapping[str, object],
    config: Path | None,
    *,
    source: str = OPTIONS,
) -> MeasureConfig:
    """Make the configuration of a measurement; `judges` are tables, and `asked` says how each of them is asked.

    A file's judges are kept where none is named, and asked as `asked` says. Errors as for `build`.
    """
    settings = _judged(given, judges, asked, config)
    if _part(settings, "identity.data") is None:
        raise ConfigError(
            "no pairs are named", hint="Give --data; for a first try --data 'objective:100?seed=1'."
        )
    settled = parse_as(MeasureConfig, settings, source=source if config is None else str(config))
    teachers = [] if settled.identity.teacher is None else [settled.identity.teacher]
    for model in (*settled.identity.judges, *teachers, *settled.identity.writers):
        check_spec(model.spec)
    for judge in settled.identity.judges:
        check_judge(judge)
    return settled


def build_rank(
    given: Mapping[str, object],
    judges: Sequence[Mapping[str, object]],
    asked: Mapping[str, object],
    config: Path | None,
    *,
    source: str = OPTIONS,
) -> RankConfig:
    """Make the configuration of a ranking; judges and errors as for `build_measure`."""
    settings = _judged(given, judges, asked, config)
    if _part(settings, "identity.benchmark") is None:
        raise ConfigError("no benchmark is named", hint="Give --data, the file that was published.")
    settled = parse_as(RankConfig, settings, source=source if config is None else str(config))
    for judge in settled.identity.judges:
        check_spec(judge.spec)
        check_judge(judge)
    return settled


def build_benchmark(
    given: Mapping[str, object], config: Path | None, *, source: str = OPTIONS
) -> BenchmarkConfig:
    """Make the configuration of a benchmark that is to be built; errors as for `build_measure`."""
    settings = {} if config is None else read_values(config)
    for path, value in given.items():
        _place(settings, path, value)
    if _part(settings, "identity.data") is None:
        raise ConfigError("no pairs are named", hint="Give --data, labelled pairs; see biasscope data check.")
    settled = parse_as(BenchmarkConfig, settings, source=source if config is None else str(config))
    identity = settled.identity
    if identity.teacher is None and (identity.rewrites == "teacher" or identity.writers):
        raise ConfigError(
            "no teacher is named that could write", hint="Give --teacher, such as --teacher openai:MODEL."
        )
    for model in [] if identity.teacher is None else [identity.teacher, *identity.writers]:
        check_spec(model.spec)
    return settled


def build_training_data(
    given: Mapping[str, object], config: Path | None, *, source: str = OPTIONS
) -> TrainingDataConfig:
    """Make the configuration of training data; errors as for `build_measure`."""
    settings = {} if config is None else read_values(config)
    for path, value in given.items():
        _place(settings, path, value)
    if _part(settings, "identity.data") is None:
        raise ConfigError("no pairs are named", hint="Give --data, labelled pairs; see biasscope data check.")
    settled = parse_as(TrainingDataConfig, settings, source=source if config is None else str(config))
    identity = settled.identity
    for model in [] if identity.teacher is None else [identity.teacher, *identity.writers]:
        check_spec(model.spec)
    return settled


def build_mitigate(
    given: Mapping[str, object], judge: str | None, config: Path | None, *, source: str = OPTIONS
) -> MitigateConfig:
    """Make the configuration of a mitigation. Its judge, and how calls are made, are those of the run that is named.

    `judge` names one of several. Errors as for `build_measure`, and those of `read_found`.
    """
    settings = {} if config is None else read_values(config)
    for path, value in given.items():
        _place(settings, path, value)
    run = _part(settings, "identity.found")
    if not isinstance(run, str):
        raise ConfigError("no run is named whose biases are to be mended", hint="Give --found RUN.")
    if _part(settings, "identity.judge") is None:
        found = read_found(run, judge)
        settings["identity"]["judge"] = found.judge.model_dump(exclude_unset=True)
        settings["execution"] = {
            "judge": found.execution.model_dump(exclude_unset=True),
            "teacher": found.writing.model_dump(exclude_unset=True),
        } | {k: v for k, v in settings.get("execution", {}).items() if k not in ("judge", "teacher")}
        for path in ("execution.judge.max_in_flight", "execution.teacher.max_in_flight"):
            _place(settings, path, given.get(path))
    if _part(settings, "identity.fixes") is None:
        spec = parse_as(JudgeSpec, settings["identity"]["judge"], source=run)
        settings["identity"]["fixes"] = list(usual_fixes(spec))
    settled = parse_as(MitigateConfig, settings, source=source if config is None else str(config))
    for named in (settled.identity.judge, *settled.identity.panel):
        for member in named.members:
            check_spec(member.spec)
        check_judge(named)
    return settled


def build_judges(
    judges: Sequence[Mapping[str, object]], asked: Mapping[str, object], *, source: str = OPTIONS
) -> tuple[JudgeSpec, ...]:
    """Make the specifications of judges that stand in no configuration file; errors as for `build_measure`."""
    settings = _judged({}, judges, asked, None)
    found = tuple(parse_as(JudgeSpec, judge, source=source) for judge in settings["identity"]["judges"])
    for judge in found:
        check_spec(judge.spec)
        check_judge(judge)
        if sum(other.spec == judge.spec for other in found) > 1:
            raise ConfigError(f"the judge {judge.spec} is named twice", hint="Name each judge once.")
    return found


def _judged(
    given: Mapping[str, object],
    judges: Sequence[Mapping[str, object]],
    asked: Mapping[str, object],
    config: Path | None,
) -> dict[str, Any]:
    """Settings with their judges, each asked as `asked` says; raises ConfigError where there is none."""
    settings = {} if config is None else read_values(config)
    for path, value in given.items():
        _place(settings, path, value)
    named = [dict(judge) for judge in judges] or _part(settings, "identity.judges")
    if not named:
        raise ConfigError("no judge is named", hint="Give --judge, such as --judge openai:MODEL.")
    how = {name: value for name, value in asked.items() if value is not None}
    _place(settings, "identity.judges", [one | how if isinstance(one, dict) else one for one in named])
    return settings


def _place(settings: dict[str, Any], path: str, value: object) -> None:
    """Put a value at a dotted path, unless it is None (not given); a file's wrong table is left to be refused."""
    if value is None:
        return
    *parents, last = path.split(".")
    table: object = settings
    for name in parents:
        table = table.setdefault(name, {}) if isinstance(table, dict) else None
    if isinstance(table, dict):
        table[last] = value


def _part(settings: Any, path: str) -> Any:
    """What stands at a dotted path, None where nothing does."""
    for name in path.split("."):
        settings = settings.get(name) if isinstance(settings, dict) else None
    return settings


def _apply_paper(settings: dict[str, Any]) -> None:
    for name, value in PAPER.items():
        asked = _part(settings, f"identity.{name}")
        if asked is not None and asked != value:
            raise ConfigError(
                f"--preset paper fixes {name.replace('.', '-').replace('_', '-')} to {value}, not {asked}",
                hint="Leave that setting out, or leave out --preset paper.",
            )
        _place(settings, f"identity.{name}", value)
