"""What the plain functions give back: a summary with its tables, charts and pages, frozen, and shown by a notebook."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from biasscope.api.frames import (
    associations_frame,
    audited_frame,
    candidates_frame,
    effects_frame,
    missing_frame,
    reasons_frame,
)
from biasscope.api.reporting import PAGE
from biasscope.models.failures import plain
from biasscope.report import findings, measured_words
from biasscope.report.audited import AuditOut, AuditsOut
from biasscope.report.measured import MeasuredOut
from biasscope.report.summary import CallsOut, Summary
from biasscope.rundir import RunDir

if TYPE_CHECKING:
    import polars as pl

    from biasscope.api.plots import DiscoverPlots, MeasurePlots
    from biasscope.report.cards import Card

_LONGEST = 200


@dataclass(frozen=True, repr=False)
class Result(ABC):
    """What a run found, and the folder `path` that holds it.

    `summary` is what ``--json`` prints, as an object. Tables are polars DataFrames, made anew each time.
    """

    summary: MeasuredOut | Summary
    path: Path

    @property
    def effects(self) -> pl.DataFrame:
        """A row a bias that was tried, by judge, with the numbers of the summary.

        Columns begin with id, name, status, effect, unit, low, high, level, p, q, n, judge, judge_name. Fractions are
        fractions, and what is not known is null.
        """
        return effects_frame(self.summary)

    @property
    def trials(self) -> pl.DataFrame:
        """The same table as `effects`."""
        return self.effects

    @property
    def verdicts(self) -> pl.DataFrame:
        """A row a verdict that was asked for, with the columns of ``verdicts.parquet``.

        Raises DataError where the folder holds none, as that of a run that was stopped early.
        """
        return RunDir.read(self.path).read_verdicts()

    @property
    def missing(self) -> pl.DataFrame:
        """A row an arm (or step) and reason, with how often: judge, judge_name, arm, reason, count."""
        return missing_frame(self.summary)

    @property
    def calls(self) -> CallsOut:
        """Calls paid in the latest start by role, replies read from the ledger instead, and tokens."""
        return self.summary.calls

    @property
    def report(self) -> Path | None:
        """The HTML page of the run; None where it has none yet, as before its end."""
        page = self.path / PAGE
        return page if page.is_file() else None

    def to_json(self) -> str:
        """What ``--json`` prints."""
        return self.summary.model_dump_json(indent=2)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {plain(f'{self._headline()} {self.path}', _LONGEST)}>"

    @abstractmethod
    def _headline(self) -> str:
        """What was found, in one sentence."""

    @abstractmethod
    def _card(self) -> Card:
        """What a notebook shows."""

    def _repr_html_(self) -> str:
        return self._card().html

    def _repr_markdown_(self) -> str:
        return self._card().markdown


@dataclass(frozen=True, repr=False)
class MeasureResult(Result):
    """What `measure` gives: a `Result` whose `summary` is that of ``biasscope measure --json``."""

    summary: MeasuredOut

    @property
    def plot(self) -> MeasurePlots:
        """The charts of the report: ``plot.forest()``, ``slots()``, ``differences()``; ``plot.available`` names those there are."""
        from biasscope.api.plots import MeasurePlots

        return MeasurePlots(self.summary)

    def _headline(self) -> str:
        return measured_words.headline(self.summary)

    def _card(self) -> Card:
        from biasscope.report.cards import measured_card

        return measured_card(self.summary, str(self.path))


@dataclass(frozen=True, repr=False)
class DiscoverResult(Result):
    """What `discover` gives: a `Result` whose `summary` is that of ``biasscope discover --json``."""

    summary: Summary

    @property
    def plot(self) -> DiscoverPlots:
        """The charts of the report: ``plot.forest()``, ``slots()``, ``growth()``, ``library()``, and of one bias ``size(ID)``,
        ``domains(ID)``, ``features(ID)``; ``plot.available`` names those there are."""
        from biasscope.api.plots import DiscoverPlots

        return DiscoverPlots(self.summary)

    def _headline(self) -> str:
        return findings.headline(self.summary)

    def _card(self) -> Card:
        from biasscope.report.cards import discovered_card

        return discovered_card(self.summary, str(self.path))


@dataclass(frozen=True, repr=False)
class AuditResult:
    """What `audit` gives: `audits`, one a judge of a log. No folder holds it: an audit takes seconds and asks nobody."""

    audits: tuple[AuditOut, ...]

    @property
    def summary(self) -> AuditOut | AuditsOut:
        """What ``--json`` prints, as an object: the audit itself where there is one."""
        if len(self.audits) == 1:
            return self.audits[0]
        return AuditsOut(version=self.audits[0].version, audits=self.audits)

    @property
    def judges(self) -> pl.DataFrame:
        """A row a judge of a log: its slot preference with interval and p, position consistency, error rate, ties."""
        return audited_frame(self.audits)

    @property
    def associations(self) -> pl.DataFrame:
        """A row a feature of the texts, by judge: how its choices go with it. An association is no effect."""
        return associations_frame(self.audits)

    @property
    def candidates(self) -> pl.DataFrame:
        """A row a feature that a judge seems to go by, with the known bias that tests it."""
        return candidates_frame(self.audits)

    @property
    def missing(self) -> pl.DataFrame:
        """A row a reason why verdicts decide nothing, with how often: log, judge, reason, count."""
        return reasons_frame(self.audits)

    def to_json(self) -> str:
        """What ``--json`` prints."""
        return self.summary.model_dump_json(indent=2)

    def __repr__(self) -> str:
        told = "; ".join(f"{a.judge} in {a.log}: {a.verdicts:,} verdicts" for a in self.audits)
        return f"<{type(self).__name__} {plain(told, _LONGEST)}>"

    def _card(self) -> Card:
        from biasscope.report.cards import audited_card

        return audited_card(self.audits)

    def _repr_html_(self) -> str:
        return self._card().html

    def _repr_markdown_(self) -> str:
        return self._card().markdown
