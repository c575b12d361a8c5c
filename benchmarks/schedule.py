"""What the method asks for: calls and tokens of a discovery by stage, beside the published procedure on the same pairs.

Both run on the same planted judge, teacher and pairs, in process, with their default settings. Besides, the candidates of
a planted suite are validated by the default rule, through texts, and held against a rewrite and a verdict for each
candidate and pair, which is what the published validation asks for. Counted is what is paid; nothing is timed, so that the
figures are the same on every machine.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.planted_run import JUDGE, TEACHER, discovery, run_discovery
from benchmarks.results import Ratio, Result, Size
from biasscope.api.discovery import load_data
from biasscope.api.settings import PAPER
from biasscope.config import Identity
from biasscope.engine import Engine
from biasscope.engine.direct import Direct
from biasscope.ledger import Ledger
from biasscope.models.planted import open_planted
from biasscope.records import Iteration
from biasscope.workflows.calibrate_text import calibrate_text
from biasscope.workflows.outcome import Outcome
from biasscope.workflows.stages import Seen, StageSeen

VALIDATION, MERGES, WHOLE = 0.53, 1.0, 0.75
PAIRS = {"smoke": 24, "small": 120, "full": 300}
SUITE, SUITE_PAIRS = "20-10-10", {"smoke": 0, "small": 200, "full": 620}
SEEDS = {"smoke": (0,), "small": (0,), "full": (0, 1)}
ITERATIONS = {"smoke": 1, "small": 4, "full": 4}

Counts = dict[str, Counter[str]]
"""By stage: calls and tokens."""


@dataclass
class _Ledgered:
    """What was paid in each stage, from an engine's counts whenever a stage begins."""

    engine: Engine
    by_stage: Counts = field(default_factory=dict)
    stage: str = ""
    before: Counter[str] = field(default_factory=Counter)

    def see(self, seen: Seen) -> None:
        """A stage begins: what was paid since the one before belongs to that."""
        if isinstance(seen, StageSeen):
            self.close(seen.stage)

    def close(self, stage: str = "") -> None:
        """Count what was paid since the last time; at the end without a `stage`."""
        total, merges = self.engine.calls.total(), self.engine.calls.total(kind="merge")
        now = Counter(calls=total.paid, tokens=total.input_tokens + total.output_tokens, merges=merges.paid)
        if self.stage:
            self.by_stage.setdefault(self.stage, Counter()).update(now - self.before)
        self.stage, self.before = stage, now


@dataclass(frozen=True)
class _Run:
    """One run: what it paid by stage, how many names came, how many candidates were tried, and on how many pairs."""

    by_stage: Counts
    named: int
    tried: int
    held: int
    pairs: int
    stopped: str

    def total(self, what: str) -> int:
        return sum(count[what] for count in self.by_stage.values())

    def per_trial(self, what: str) -> float:
        """Of the stage in which candidates are tried, per candidate and pair."""
        return self.by_stage.get("trials", Counter())[what] / max(1, self.tried * self.pairs)


def measure(size: Size) -> Result:
    """Run both on the same world, for every seed, and hold them against each other."""
    runs = {
        name: [
            _run(discovery(PAIRS[size], iterations=ITERATIONS[size], seed=seed, **settings))
            for seed in SEEDS[size]
        ]
        for name, settings in (("default", {}), ("paper", _paper()))
    }
    ours, theirs = runs["default"], runs["paper"]
    ratios = []
    if SUITE_PAIRS[size]:
        what = f"validation of 40 candidates on {SUITE_PAIRS[size]} pairs, calls / published"
        ratios.append(Ratio(what, _suite(SUITE_PAIRS[size]), VALIDATION))
    ratios += [
        Ratio(
            f"validation in a discovery, {what} per candidate and pair / published",
            _mean(ours, what) / _mean(theirs, what),
        )
        for what in ("calls", "tokens")
    ]
    merges, names = sum(r.total("merges") for r in ours), sum(r.named for r in ours)
    ratios.append(Ratio("merge calls per name", merges / max(1, names), MERGES))
    for what, target in (("calls", WHOLE), ("tokens", None)):
        value = sum(r.total(what) for r in ours) / sum(r.total(what) for r in theirs)
        ratios.append(Ratio(f"whole run, {what} / published", value, target))
    return Result("schedule", tuple(ratios), {name: [_shown(r) for r in of] for name, of in runs.items()})


def _paper() -> dict[str, object]:
    whole = {name: value for name, value in PAPER.items() if not name.startswith("judge.")}
    return {"preset": "paper"} | whole


def _run(identity: Identity) -> _Run:
    async def work() -> _Run:
        with tempfile.TemporaryDirectory() as folder, Ledger.open(Path(folder) / "replies.db") as ledger:
            counted = _Ledgered(Engine(ledger))
            judge, teacher = open_planted(JUDGE), open_planted(TEACHER)
            records = await run_discovery(counted.engine, judge, teacher, identity, counted.see)
            counted.close()
        *others, outcome = records
        assert isinstance(outcome, Outcome)
        roles = load_data(identity).roles
        pairs = len(roles.validation) + (len(roles.holdout) if identity.preset == "paper" else 0)
        held = sum(t.status == "accepted" for t in outcome.trials)
        # What an iteration named: new candidates, and names that repeat what was known.
        named = sum(len(r.candidates) + len(r.merged) for r in others if isinstance(r, Iteration))
        return _Run(counted.by_stage, named, len(outcome.trials), held, pairs, outcome.stopped)

    return asyncio.run(work())


def _suite(pairs: int) -> float:
    """Calls of the default rule for all candidates of a suite, over a rewrite and a verdict for each and every pair."""
    judge, writer = (
        open_planted(name) for name in (f"planted:suite={SUITE};seed=1", "planted:suite-writer;seed=1")
    )
    found = asyncio.run(calibrate_text(Direct(judge), Direct(writer), pairs=pairs))
    return found.outcome.calls_ratio


def _mean(runs: list[_Run], what: str) -> float:
    return sum(run.per_trial(what) for run in runs) / len(runs)


def _shown(run: _Run) -> dict[str, object]:
    return {
        "names": run.named,
        "candidates": run.tried,
        "held": run.held,
        "validation_pairs": run.pairs,
        "stopped": run.stopped,
        "stages": {name: {k: v for k, v in count.items() if v} for name, count in run.by_stage.items()},
        "calls": run.total("calls"),
        "tokens": run.total("tokens"),
    }
