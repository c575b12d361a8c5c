"""The machine-readable result of a ranking: what ``biasscope benchmark rank --json`` prints, with a versioned schema.

Rates and differences are fractions. What is not known is null, never 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from biasscope import __version__
from biasscope.benchmarks.provenance import Provenance
from biasscope.config import JudgeSpec
from biasscope.datasets import Skip
from biasscope.quantities import Estimate
from biasscope.report.measured import JudgeCallsOut, judge_names, mode_of
from biasscope.report.summary import Out
from biasscope.stats.ranks import Rank
from biasscope.stats.transfer import Difference
from biasscope.workflows.rank import Ranking, ViewRanks
from biasscope.workflows.ranked_scores import ViewScores
from biasscope.workflows.ranked_set import VIEWS, RankSet, View
from biasscope.workflows.relations import Guess, Relation, guesses, relations

SCHEMA: Literal["biasscope.rank/1"] = "biasscope.rank/1"


class RankedSetOut(Out):
    """The benchmark that judges were ranked on."""

    path: str
    """Where it was read from."""
    sha256: str
    """Hash of its content."""
    plain: bool
    """Whether it has the published columns alone, so that only questions tell which rows belong together."""
    items: int
    """Items that were judged."""
    clusters: int
    """What counts as one draw: source pairs, and those that ask the same together; questions where none is known."""
    limit: int | None
    """Most clusters that were taken, drawn by seed; null for all."""
    read: int
    """Rows that were read."""
    skipped: tuple[Skip, ...]
    """Rows that could not be used, by reason."""
    filtered: bool
    """Whether a filter chose among its items."""
    left_out: int
    """Rows that the filter dropped and that are in no sample; they are not judged."""
    originals: str | None
    """Where the originals come from: `set`, or the data that was given; null without any."""
    unmatched: int
    """Items whose original is not among them."""
    made_by: Provenance
    """Models that had a hand in it."""


class RankedJudgeOut(Out):
    """One judge by itself."""

    name: str
    """A name that tells it from the other judges of the run."""
    judge: str
    """Its spec, such as `openai:MODEL`."""
    mode: str
    """How it was asked, in a word: `reason`, `label`, `own prompt`, `pointwise` or `program`."""
    instrument: str
    """The same in a few words, with prompt, scale and samples."""
    apart: bool
    """Whether it is ranked apart, since it had a hand in the benchmark."""
    relations: tuple[Relation, ...]
    """Why; empty for the others."""
    guesses: tuple[Guess, ...]
    """Models with a hand in the benchmark whose family it may be of, guessed from names. A guess moves no judge."""
    views: tuple[ViewScores, ...]
    """What it did on each view that the benchmark has."""
    selection: Estimate | None
    """Error on what the filter kept less that on the unfiltered sample, a fraction in [-1, 1]: what the choice of items
    adds; null where one of the two is lacking."""
    calls: JudgeCallsOut
    """What it took in this start."""


class PlaceOut(Out):
    """Where one judge stands among those that it is ranked with."""

    judge: str
    """Its name."""
    rank: int | None
    """1 for the fewest errors as they came; null without an error rate."""
    best: int | None
    """The rank it would have if only judges that are shown to err less stood before it."""
    worst: int | None
    """The rank it would have if all but those that are shown to err more did. Judges with common ranks between `best` and
    `worst` are not told apart."""


class JudgeDifferenceOut(Out):
    """Two judges on the items that both judged."""

    judges: tuple[str, str]
    """Names of the two."""
    difference: float | None
    """Error of the second less that of the first, item by item, a fraction in [-1, 1]; null from fewer than two items."""
    low: float | None
    """Lower end of its 95 % interval; null where nothing differs."""
    high: float | None
    """Upper end of the interval; null where nothing differs."""
    p: float | None
    """Two-sided p-value, by exchanging the judges cluster by cluster, in [0, 1]."""
    q: float | None
    """The same adjusted over all pairs of judges on this view (Benjamini-Hochberg), in [0, 1]."""
    n: int
    """Items that both judged."""


class ViewRankingOut(Out):
    """The judges beside each other on one view."""

    view: View
    """Which items, as in the views of a judge."""
    places: tuple[PlaceOut, ...]
    """Judges without a hand in the benchmark, best first."""
    apart: tuple[PlaceOut, ...]
    """The others, ranked among themselves."""
    differences: tuple[JudgeDifferenceOut, ...]
    """Every two judges, related or not."""


class RankOut(Out):
    """``biasscope benchmark rank --json``: judges on a hardened benchmark."""

    schema_version: Literal["biasscope.rank/1"] = SCHEMA
    """Name and version of this schema."""
    version: str
    """Version of the program that wrote it."""
    run: str
    """The run folder, as it was named to the program."""
    complete: bool
    """Whether every judge has judged; until then numbers may change and judges are lacking."""
    benchmark: RankedSetOut
    """The benchmark."""
    main: View
    """The view that the ranking is about: the others stand beside it."""
    q: float
    """False discovery rate at which two judges are told apart, in (0, 1)."""
    seed: int
    """Seed of what is drawn."""
    judges: tuple[RankedJudgeOut, ...]
    """The judges, in the order in which they were named."""
    views: tuple[ViewRankingOut, ...]
    """The judges beside each other, on every view."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a ranking was made with: everything that stands in its output and is not measured."""

    run: str
    benchmark: RankedSetOut
    specs: Sequence[JudgeSpec]
    related: Mapping[str, str]
    q: float
    seed: int

    @property
    def apart(self) -> tuple[bool, ...]:
        """For each judge whether it is ranked apart."""
        return tuple(bool(relations(s.spec, self.benchmark.made_by, self.related)) for s in self.specs)


def rank_out(setting: Setting, of: RankSet, found: Ranking, calls: Sequence[JudgeCallsOut]) -> RankOut:
    """The ranking so far as output: the first judges of the setting, as many as were ranked."""
    names = judge_names(setting.specs)
    judges = tuple(
        _judge(setting, number, names[number], found, calls[number]) for number in range(len(found.scores))
    )
    return RankOut(
        version=__version__,
        run=setting.run,
        complete=len(judges) == len(setting.specs),
        benchmark=setting.benchmark,
        main=of.main,
        q=setting.q,
        seed=setting.seed,
        judges=judges,
        views=tuple(_view(view, judges) for view in found.views),
    )


def _judge(setting: Setting, number: int, name: str, found: Ranking, calls: JudgeCallsOut) -> RankedJudgeOut:
    spec, scores, made_by = setting.specs[number], found.scores[number], setting.benchmark.made_by
    told = relations(spec.spec, made_by, setting.related)
    return RankedJudgeOut(
        name=name,
        judge=spec.spec,
        mode=mode_of(spec),
        instrument=spec.instrument,
        apart=bool(told),
        relations=told,
        guesses=guesses(spec.spec, made_by),
        views=tuple(scores.views[view] for view in VIEWS if view in scores.views),
        selection=scores.selection,
        calls=calls,
    )


def _view(found: ViewRanks, judges: Sequence[RankedJudgeOut]) -> ViewRankingOut:
    placed = [_place(judge.name, rank) for judge, rank in zip(judges, found.ranks, strict=True)]
    groups = [
        tuple(sorted((p for p, j in zip(placed, judges, strict=True) if j.apart == apart), key=_order))
        for apart in (False, True)
    ]
    return ViewRankingOut(
        view=found.view,
        places=groups[0],
        apart=groups[1],
        differences=tuple(
            _difference((judges[j].name, judges[k].name), d) for (j, k), d in found.differences.items()
        ),
    )


def _place(name: str, rank: Rank) -> PlaceOut:
    return PlaceOut(judge=name, rank=rank.rank, best=rank.best, worst=rank.worst)


def _order(place: PlaceOut) -> tuple[bool, int]:
    return place.rank is None, place.rank or 0


def _difference(names: tuple[str, str], d: Difference) -> JudgeDifferenceOut:
    return JudgeDifferenceOut(judges=names, difference=d.value, low=d.low, high=d.high, p=d.p, q=d.q, n=d.n)
