"""Whole runs on planted judges, as the command line makes them, but on models that are handed in; with what came when."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from biasscope.api.discovery import load_data
from biasscope.api.known import known_biases
from biasscope.ask import Reply, Request, request_key
from biasscope.catalogue.known import seed_library
from biasscope.config import DataSpec, Identity, JudgeSpec, MeasureIdentity, ModelSpec
from biasscope.datasets import load
from biasscope.engine import Engine
from biasscope.judges.open import open_judge
from biasscope.models.base import Model
from biasscope.models.planted import PlantedModel, open_planted
from biasscope.models.planted.latency import Latency
from biasscope.records import Baseline, Iteration
from biasscope.steps.perturb import TeacherWriter
from biasscope.steps.watching import LookSeen
from biasscope.workflows.conclude import design_of
from biasscope.workflows.discover import discover
from biasscope.workflows.measure import Controls, measure_biases
from biasscope.workflows.outcome import Outcome
from biasscope.workflows.paper import discover_as_published
from biasscope.workflows.stages import Seen, StageSeen

JUDGE, TEACHER = "planted:two-biases", "planted:teacher"
MEASURED = ("authority", "sentiment", "refinement")


def discovery(pairs: int, *, url: str | None = None, **settings: Any) -> Identity:
    """A discovery on `pairs` pairs to look on and as many to validate on, two iterations unless told otherwise."""
    judge, teacher = named(JUDGE, url), named(TEACHER, url)
    data = DataSpec(discovery=f"objective:{pairs}?seed=1", validation=f"objective:{pairs}?seed=2")
    given = {"iterations": 2} | settings
    return Identity(judge=JudgeSpec(**judge.model_dump()), teacher=teacher, data=data, **given)


def measurement(pairs: int, *, url: str | None = None) -> MeasureIdentity:
    """A measurement of three known biases that a teacher writes."""
    judge, teacher = named(JUDGE, url), named(TEACHER, url)
    return MeasureIdentity(
        judges=(JudgeSpec(**judge.model_dump()),),
        teacher=teacher,
        data=f"objective:{pairs}?seed=2",
        biases=MEASURED,
        rewrites="teacher",
    )


def named(planted: str, url: str | None) -> ModelSpec:
    """The spec of a planted model: in process, or behind a server."""
    return ModelSpec(spec=planted) if url is None else ModelSpec(spec=f"openai:{planted}", url=url)


async def run_discovery(
    engine: Engine, judge: Model, teacher: Model, identity: Identity, on_seen: Callable[[Seen], None]
) -> list[Baseline | Iteration | Outcome]:
    """Run the loop of the preset, with nothing stored but replies; gives what it yields, the outcome last."""
    asker, paper = engine.asker(teacher, "teacher"), identity.preset == "paper"
    loop = discover_as_published if paper else discover
    records = loop(
        open_judge(engine.asker(judge, "judge"), identity.judge),
        asker,
        TeacherWriter((asker,), 1 if paper else None, identity.seed),
        load_data(identity).roles,
        seed_library(),
        identity,
        on_seen=on_seen,
    )
    return [record async for record in records]


async def run_measurement(
    engine: Engine, judge: Model, teacher: Model, identity: MeasureIdentity, on_seen: Callable[[Seen], None]
) -> None:
    """Measure the biases, with nothing stored but replies."""
    asker = engine.asker(teacher, "teacher")
    known = known_biases(identity, ())
    await measure_biases(
        open_judge(engine.asker(judge, "judge"), identity.judges[0]),
        TeacherWriter((asker,), None, identity.seed),
        load(identity.data).pairs,
        known.biases,
        design_of(identity),
        teacher=asker,
        controls=Controls(formats=known.formats),
        catalogue=known.catalogue,
        on_seen=on_seen,
    )


@dataclass
class Trace:
    """What was seen when: the start and the length of every call, and the parts of the run, by one clock.

    A part ends where nothing may go on before everything in it has ended: at merging and at a look. What comes before
    naming is one part, what comes after the last decision another.
    """

    clock: Callable[[], float]
    calls: list[tuple[float, float]] = field(default_factory=list)
    parts: list[tuple[float, str]] = field(default_factory=list)
    stages: list[tuple[float, str]] = field(default_factory=list)
    begun: float = 0.0
    ended: float = 0.0

    def __post_init__(self) -> None:
        self.begun = self.clock()

    def end(self) -> None:
        """The run is over."""
        self.ended = self.clock()

    @property
    def seconds(self) -> float:
        """Of the whole run, without what makes its report."""
        return next((at for at, stage in self.stages if stage == "report"), self.ended) - self.begun

    def see(self, seen: Seen) -> None:
        """Take in what a run tells."""
        now = self.clock()
        if isinstance(seen, StageSeen):
            name = f"{seen.iteration or ''}{seen.stage}"
            self.stages.append((now, seen.stage))
            match seen.stage:
                case "baseline" | "features" | "perturb" | "judge" | "explain" | "name":
                    self._begin(now, f"pairs {max(1, seen.iteration)}")
                case "follow-ups" | "null control" | "library effect" | "habits":
                    self._begin(now, "after")
                case _:
                    self._begin(now, name)
        elif isinstance(seen, LookSeen):
            self._begin(now, f"look {len(self.parts)}")

    def _begin(self, now: float, name: str) -> None:
        if not self.parts or self.parts[-1][1] != name:
            self.parts.append((now, name))

    def ideal(self, slots: int) -> float:
        """The least time in seconds: all slots busy within a part, merging one after the other, parts in sequence.

        A part takes at least as long as its longest call; what calls of one pair wait for each other is left out.
        """
        by_part: dict[str, list[float]] = {}
        starts = [start for start, _ in self.parts]
        for start, seconds in self.calls:
            part = self.parts[max(0, bisect_right(starts, start) - 1)][1]
            by_part.setdefault(part, []).append(seconds)
        return sum(
            sum(found) if "merge" in part else max(sum(found) / slots, *found) for part, found in by_part.items()
        )

    def by_stage(self) -> dict[str, dict[str, float]]:
        """Per stage, over the whole run: seconds it lasted, its calls, and seconds that calls lasted."""
        starts = [t for t, _ in self.stages]
        found: dict[str, dict[str, float]] = {}
        for (begin, name), until in zip(self.stages, [*starts[1:], self.ended], strict=True):
            of = found.setdefault(name, {"seconds": 0.0, "calls": 0, "service_s": 0.0})
            of["seconds"] += until - begin
        for start, seconds in self.calls:
            of = found[self.stages[max(0, bisect_right(starts, start) - 1)][1]]
            of["calls"] += 1
            of["service_s"] += seconds
        return {name: {k: round(v, 2) for k, v in of.items()} for name, of in found.items()}


class Slow:
    """A planted model in process that takes its time; `slots` calls at once, shared by all models of one server."""

    endpoint = "slow"

    def __init__(self, spec: str, latency: Latency, slots: int, trace: Trace) -> None:
        self.spec = spec
        self.max_in_flight = slots
        self._model: PlantedModel = open_planted(spec)
        self.fingerprint = self._model.fingerprint
        self.resolved = self._model.resolved
        self._latency, self._trace = latency, trace

    async def complete(self, request: Request) -> Reply:
        """Wait as a server would let it wait, then reply."""
        seconds = self._latency.seconds(0, request_key({}, request), 0)
        self._trace.calls.append((self._trace.clock(), seconds))
        await asyncio.sleep(seconds)
        return await self._model.complete(request)

    async def close(self) -> None:
        """Hold nothing."""
