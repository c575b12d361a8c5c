"""From the options of a command, by name, to a configuration: words mean the same on the command line and in Python.

A name is that of the option with underscores. None stands for what is not given, so that a file's setting is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from biasscope.api.settings import (
    OPTIONS,
    build,
    build_benchmark,
    build_judges,
    build_measure,
    build_mitigate,
    build_rank,
    build_training_data,
)
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
from biasscope.rundir import read_values

JUDGE = {
    "judge_url": "url",
    "judge_mode": "mode",
    "judge_kind": "kind",
    "judge_prompt": "template",
    "scale": "scale",
    "reference": "reference",
    "samples": "samples",
    "judge_tokens": "max_tokens",
    "judge_temperature": "temperature",
}
"""Options that say how a judge is asked, with their fields of `JudgeSpec`."""
RUN = {
    "null_control": "identity.null_control",
    "seed": "identity.seed",
    "max_calls": "execution.max_calls",
    "ledger": "execution.ledger",
}
"""Options of every run, with their settings."""
MEASURE = {
    **RUN,
    "data": "identity.data",
    "limit": "identity.limit",
    "rule": "identity.rule",
    "sides": "identity.sides",
    "neutrals": "identity.neutrals",
    "minutes": "identity.minutes",
}
"""Options of a measurement that are one setting each."""
DISCOVER = {
    **RUN,
    "proposer": "identity.proposer",
    "data": "identity.data.data",
    "discovery": "identity.data.discovery",
    "validation": "identity.data.validation",
    "limit": "identity.data.limit",
    "rule": "identity.rule",
    "preset": "identity.preset",
    "rewrites": "identity.rewrites",
    "iterations": "identity.iterations",
    "validate": "identity.validate_when",
    "confirm": "identity.confirm",
    "equal_length": "identity.equal_length",
}
"""Options of a discovery that are one setting each."""
BENCHMARK = {
    "data": "identity.data",
    "limit": "identity.limit",
    "rewrites": "identity.rewrites",
    "variants": "identity.variants",
    "seed": "identity.seed",
    "max_calls": "execution.max_calls",
    "ledger": "execution.ledger",
}
"""Options of a benchmark that is built, that are one setting each."""
RANK = {
    "data": "identity.benchmark",
    "originals": "identity.originals",
    "limit": "identity.limit",
    "seed": "identity.seed",
    "max_calls": "execution.max_calls",
    "ledger": "execution.ledger",
    "max_in_flight": "execution.judge.max_in_flight",
}
"""Options of a ranking that are one setting each."""
MITIGATE = {
    "found": "identity.found",
    "fresh": "identity.fresh",
    "limit": "identity.limit",
    "variants": "identity.variants",
    "samples": "identity.samples",
    "seed": "identity.seed",
    "max_calls": "execution.max_calls",
    "ledger": "execution.ledger",
}
"""Options of a mitigation that are one setting each."""
TRAINING_DATA = {
    **BENCHMARK,
    "format": "identity.format",
    "task": "identity.task",
    "judge_mode": "identity.mode",
    "augmented": "identity.augmented",
    "licence": "licence",
}
"""Options of training data that are one setting each."""
NEGATED = {"no_deeper_explain": "identity.deeper_explain", "one_side": "identity.both_sides"}
"""Options of a discovery that switch a setting off."""


def measure_config(options: Mapping[str, Any], *, source: str = OPTIONS) -> MeasureConfig:
    """Make the configuration of a measurement; `source` says in errors where the options come from.

    A judge, teacher or writer is a spec or a table of its fields, `judge` also several, or a file of such a table; `biases` are names, joined by
    commas or apart. Raises ConfigError naming what does not fit, and UsageError for a kind of model that does not exist.
    """
    rewrites = _plain(options.get("rewrites"))
    by = rewrites if rewrites in (None, "rules", "teacher") else "data"
    given = {
        **{path: _plain(options.get(name)) for name, path in MEASURE.items()},
        **_teacher(options),
        **_in_flight(options),
        "identity.biases": _names(options.get("biases")),
        "identity.rewrites": by,
        "identity.supplied": rewrites if by == "data" else None,
    }
    judges = [_table(judge, "judge") for judge in listed(options.get("judge"))]
    return build_measure(given, judges, _asked(options), _file(options), source=source)


def rank_config(options: Mapping[str, Any], *, source: str = OPTIONS) -> RankConfig:
    """Make the configuration of a ranking; words and errors as for `measure_config`. `related` are reasons by spec of a judge."""
    given = {path: _plain(options.get(name)) for name, path in RANK.items()}
    judges = [_table(judge, "judge") for judge in listed(options.get("judge"))]
    settled = build_rank(given, judges, _asked(options), _file(options), source=source)
    related = options.get("related")
    return settled if related is None else settled.model_copy(update={"related": dict(related)})


def discover_config(options: Mapping[str, Any], *, source: str = OPTIONS) -> RunConfig:
    """Make the configuration of a discovery; words and errors as for `measure_config`, and there is one judge."""
    judge, writers, url = options.get("judge"), listed(options.get("writer")), options.get("teacher_url")
    given = {
        **{path: _plain(options.get(name)) for name, path in DISCOVER.items()},
        **{path: _not(name, options.get(name)) for name, path in NEGATED.items()},
        **_teacher(options),
        **_in_flight(options),
        **({} if judge is None else _placed("identity.judge", _table(judge, "judge"))),
        "identity.writers": [{"url": url} | _table(w, "writer") for w in writers] or None,
    }
    for name, value in _asked(options).items():
        if value is not None:
            given[f"identity.judge.{name}"] = value
    return build(given, _file(options), source=source)


def benchmark_config(options: Mapping[str, Any], *, source: str = OPTIONS) -> BenchmarkConfig:
    """Make the configuration of a benchmark that is to be built; words and errors as for `measure_config`."""
    given = {
        **{path: _plain(options.get(name)) for name, path in BENCHMARK.items()},
        **_teacher(options),
        "execution.teacher.max_in_flight": options.get("max_in_flight"),
        "identity.biases": _names(options.get("biases")),
        "identity.writers": [_table(w, "writer") for w in listed(options.get("writer"))] or None,
    }
    return build_benchmark(given, _file(options), source=source)


def mitigate_config(options: Mapping[str, Any], *, source: str = OPTIONS) -> MitigateConfig:
    """Make the configuration of a mitigation; words and errors as for `measure_config`. `judge` names one of several in the run."""
    given = {
        **{path: _plain(options.get(name)) for name, path in MITIGATE.items()},
        **_in_flight(options),
        "identity.fixes": _names(options.get("fix")),
        "identity.biases": _names(options.get("biases")),
        "identity.panel": [_table(judge, "judge") for judge in listed(options.get("panel"))] or None,
    }
    judge = options.get("judge")
    return build_mitigate(given, judge, _file(options), source=source)


def training_data_config(options: Mapping[str, Any], *, source: str = OPTIONS) -> TrainingDataConfig:
    """Make the configuration of training data; words and errors as for `measure_config`. `evaluation` are one or several sources."""
    given = {
        **{path: _plain(options.get(name)) for name, path in TRAINING_DATA.items()},
        **_teacher(options),
        "execution.teacher.max_in_flight": options.get("max_in_flight"),
        "identity.biases": _names(options.get("biases")),
        "identity.evaluation": [_plain(s) for s in listed(options.get("evaluation"))] or None,
        "identity.writers": [_table(w, "writer") for w in listed(options.get("writer"))] or None,
    }
    return build_training_data(given, _file(options), source=source)


def judge_specs(options: Mapping[str, Any], *, source: str = OPTIONS) -> tuple[JudgeSpec, ...]:
    """The judges that are named, and how they are asked, for commands whose judges stand in no configuration file."""
    judges = [_table(judge, "judge") for judge in listed(options.get("judge"))]
    return build_judges(judges, _asked(options), source=source)


def listed(value: Any) -> list[Any]:
    """Several values as a list, one as a list of one, None as an empty list."""
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def is_judge_file(name: str) -> bool:
    """Whether the name of a judge is that of a file that says how it is asked, such as a mitigation writes."""
    return Path(name).suffix == ".json" and Path(name).is_file()


def read_prompt_file(path: Path | str | None) -> str | None:
    """The text of a prompt file, None where none is given; raises ConfigError for one that cannot be read."""
    if path is None:
        return None
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(
            f"the judge prompt {path} cannot be read: {error.strerror}", hint="Check the path."
        ) from None
    except UnicodeDecodeError:
        raise ConfigError(f"the judge prompt {path} is not UTF-8 text", hint="Save it as UTF-8.") from None


def _asked(options: Mapping[str, Any]) -> dict[str, object]:
    """How a judge is asked, by field of its spec."""
    asked = {field: _plain(options.get(name)) for name, field in JUDGE.items()}
    return asked | {"template": read_prompt_file(options.get("judge_prompt"))}


def _teacher(options: Mapping[str, Any]) -> dict[str, object]:
    teacher = options.get("teacher")
    placed = {} if teacher is None else _placed("identity.teacher", _table(teacher, "teacher"))
    url = options.get("teacher_url")
    return placed if url is None else placed | {"identity.teacher.url": url}


def _in_flight(options: Mapping[str, Any]) -> dict[str, object]:
    most = options.get("max_in_flight")
    return {f"execution.{role}.max_in_flight": most for role in ("judge", "teacher")}


def _file(options: Mapping[str, Any]) -> Path | None:
    config = options.get("config")
    return None if config is None else Path(config)


def _table(model: Any, role: str) -> dict[str, Any]:
    """A model as a table of its fields; of an object of `biasscope.config` what was set in it."""
    if isinstance(model, str):
        return read_values(model) if role == "judge" and is_judge_file(model) else {"spec": model}
    if isinstance(model, BaseModel):
        return model.model_dump(exclude_unset=True)
    if isinstance(model, Mapping):
        return dict(model)
    raise ConfigError(
        f"a {role} is a spec or a table of settings, got {type(model).__name__}",
        hint=f"Give --{role}, such as --{role} openai:MODEL.",
    )


def _placed(path: str, table: Mapping[str, object]) -> dict[str, object]:
    return {f"{path}.{name}": value for name, value in table.items()}


def _names(value: Any) -> list[str] | None:
    if isinstance(value, str):
        return [name.strip() for name in value.split(",") if name.strip()]
    return None if value is None else [str(name) for name in listed(value)]


def _plain(value: Any) -> Any:
    """Paths as text, as configurations hold them."""
    return str(value) if isinstance(value, Path) else value


def _not(name: str, value: Any) -> bool | None:
    if value is not None and not isinstance(value, bool):
        raise ConfigError(f"{name} is True or False, got {value!r}", hint="Leave it out to keep what is usual.")
    return None if value is None else not value
