"""Variants of a discovery on its ledger: each is a run of its own, and what they share is paid once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biasscope import __version__
from biasscope.api.discovery import Record, discover
from biasscope.api.settings import PAPER, build
from biasscope.api.showing import show
from biasscope.config import RunConfig
from biasscope.engine import Event
from biasscope.errors import ConfigError, DataError, UsageError
from biasscope.records import Trial
from biasscope.report.ablation import COLUMNS, AblationOut, row, variant_out
from biasscope.report.latex import table
from biasscope.report.summary import Summary
from biasscope.rundir import RunDir
from biasscope.workflows.ablation import Variant, ablated
from biasscope.workflows.stages import Seen

FOLDER = "ablation"
FIELDS = {
    "validate": "identity.validate_when",
    "deeper-explain": "identity.deeper_explain",
    "teacher": "identity.teacher.spec",
    "rule": "identity.rule",
    "preset": "identity.preset",
    "proposer": "identity.proposer",
    "rewrites": "identity.rewrites",
    "iterations": "identity.iterations",
    "neutrals": "identity.neutrals",
    "evidence-limit": "identity.evidence_limit",
    "candidate-limit": "identity.candidate_limit",
    "seed": "identity.seed",
}
"""What may be varied, and the setting that it is."""
USUAL = ("validate", "deeper-explain")
"""What is varied where nothing is named: the published ablations that need no other model."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A variant that is to be run."""

    label: str
    settings: dict[str, Any]


def wanted_variants(config: RunConfig, vary: Sequence[str]) -> tuple[Wanted, ...]:
    """The variants that ``NAME=VALUE[,VALUE...]`` name; without any the published ablations.

    Raises ConfigError for a name that cannot be varied or a word without values. A value that the run has already is left out.
    """
    settings = config.model_dump(mode="json")
    words = vary or [f"{name}={_other(settings, FIELDS[name])}" for name in USUAL]
    found: list[Wanted] = []
    for word in words:
        name, _, values = word.partition("=")
        if name not in FIELDS or not values:
            raise ConfigError(
                f"--vary {word} names nothing that can be varied",
                hint=f"NAME=VALUE[,VALUE...] with NAME one of {', '.join(FIELDS)}.",
            )
        for value in values.split(","):
            label, given = f"{name} = {value}", _value(value)
            if given != _at(settings, FIELDS[name]) and label not in [w.label for w in found]:
                found.append(Wanted(label, {FIELDS[name]: given}))
    if not found:
        raise ConfigError("every variant is the run itself", hint="Name other values than those of the run.")
    return tuple(found)


def _other(settings: dict[str, Any], path: str) -> str:
    return {"early": "late", "late": "early"}.get(_at(settings, path), str(not _at(settings, path)).lower())


def _value(text: str) -> Any:
    word = {"on": "true", "off": "false"}.get(text.lower(), text.lower())
    try:
        return json.loads(word)
    except ValueError:
        return text


def _at(settings: Any, path: str) -> Any:
    for name in path.split("."):
        settings = settings.get(name) if isinstance(settings, dict) else None
    return settings


async def ablate(
    run: Path,
    vary: Sequence[str] = (),
    *,
    on_event: Callable[[Event], None] | None = None,
    on_record: Callable[[Record], None] | None = None,
    on_seen: Callable[[Seen], None] | None = None,
    on_variant: Callable[[str, RunConfig], None] | None = None,
) -> AblationOut:
    """Run variants of the discovery in the folder `run` on its ledger, and put them beside it.

    The discovery itself is continued where it is unfinished. Each variant is a run folder in ``ablation`` of `run`, with
    ``ablation.json`` and the table ``ablation.tex`` beside them; the same call continues. `on_variant` hears the label
    and the configuration of each variant before its turn; the others are as for a discovery. Raises UsageError for a folder of another command, ConfigError for what cannot be varied.
    """
    config = RunDir.read(run).config
    if not isinstance(config, RunConfig):
        raise UsageError(f"{run} is no discovery", hint="Name the folder of biasscope discover.")
    wanted = wanted_variants(config, vary)
    ledger = RunDir.read(run).ledger_path.resolve()
    steps = [("the run", run, config)]
    steps += [(w.label, run / FOLDER / _slug(w.label), _settled(run, w, ledger)) for w in wanted]
    found: list[Variant] = []
    for label, folder, settled in steps:
        if on_variant is not None:
            on_variant(label, settled)
        summary = _finished(folder)
        if summary is None or folder != run:
            summary = await discover(folder, settled, on_event=on_event, on_record=on_record, on_seen=on_seen)
        found.append(_variant(label, folder, summary))
    out = AblationOut(
        version=__version__,
        run=str(run),
        variants=tuple(variant_out(a, str(step[1])) for a, step in zip(ablated(found), steps, strict=True)),
    )
    with RunDir.amend(run) as entered:
        entered.write_text("ablation.json", out.model_dump_json(indent=2) + "\n")
        entered.write_text("ablation.tex", latex(out))
    return out


def latex(out: AblationOut) -> str:
    """The ablation table in LaTeX."""
    caption = "Variants of one discovery, each differing from it in one setting."
    return table(COLUMNS, [row(v) for v in out.variants], caption=caption, label="tab:ablation")


def _settled(run: Path, wanted: Wanted, ledger: Path) -> RunConfig:
    """The configuration of a variant: the run's, with its own setting, on the run's ledger."""
    given: dict[str, object] = {**wanted.settings, "execution.ledger": str(ledger)}
    if given.get("identity.preset") == "paper":
        given |= {f"identity.{name}": value for name, value in PAPER.items()}
    return build(given, run / "config.json")


def _slug(label: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", label).strip("-.") or "variant"


def _finished(folder: Path) -> Summary | None:
    """The summary of a discovery that is complete, with its verdicts; None where it is to be run."""
    if not all((folder / name).exists() for name in ("config.json", "verdicts.parquet")):
        return None
    try:
        summary = show(folder)
    except DataError:
        return None
    return summary if isinstance(summary, Summary) and summary.complete else None


def _variant(label: str, folder: Path, summary: Summary) -> Variant:
    of = RunDir.read(folder)
    calls = summary.calls
    baseline = summary.baseline
    return Variant(
        label=label,
        verdicts=of.read_verdicts(),
        trials=tuple(of.read_records("trials", Trial)),
        error=None if baseline is None else baseline.error_rate,
        named=sum(len(i.candidates) for i in summary.iterations),
        asked=calls.judge + calls.teacher + calls.replayed,
        paid=calls.judge + calls.teacher,
    )
