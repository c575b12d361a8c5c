"""What ``biasscope mitigate train`` did: as one object, and as the card that lies beside an adapter."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Literal

from biasscope import __version__
from biasscope.report.summary import Out
from biasscope.training.checking import REASONS, LeftOut
from biasscope.training.folder import Point
from biasscope.training.settings import TrainSettings

SCHEMA: Literal["biasscope.train/1"] = "biasscope.train/1"
ENDS = 0.1
"""Share of a curve at its beginning and at its end of which means are told."""


class LeftOutOut(Out):
    """Rows that were not trained on, for one reason."""

    reason: LeftOut
    """`equal`, `empty`, `over_long`, `split` (a prompt whose tokens change when a reply follows) or `template`."""
    rows: int
    """How many rows, at least 1."""


class CurveOut(Out):
    """Means over a part of the curve, on the pairs that were being trained on."""

    loss: float
    """DPO loss; ln 2, about 0.69, where nothing is learnt."""
    reward_margin: float
    """Implicit reward of the chosen reply less that of the rejected one."""
    accuracy: float
    """Share of pairs whose chosen reply has the larger implicit reward, in [0, 1]."""


class TrainedArmOut(Out):
    """One adapter."""

    arm: str
    """Name of the arm; `trained` where there is one only."""
    data: str
    """File of its rows."""
    pairs: int
    """Pairs it was trained on, at least 20."""
    left_out: tuple[LeftOutOut, ...]
    """Rows of the file that were not, by reason; each one's place is in `left-out.jsonl`."""
    steps: int
    """Steps, the same in every arm."""
    seen: float
    """How often each pair was seen on average."""
    first: CurveOut
    """The first tenth of the steps."""
    last: CurveOut
    """The last tenth of the steps."""
    folder: str
    """Folder of the arm; `hf:FOLDER` is it as a judge."""


class TrainOut(Out):
    """``biasscope mitigate train --json``: adapters of one base on the same budget."""

    schema_version: Literal["biasscope.train/1"] = SCHEMA
    """Name and version of this schema."""
    version: str
    """Version of biasscope."""
    base: str
    """The model that was trained, a folder or a name on the hub; `hf:BASE` is it as a judge."""
    device: str
    """`cpu` or `cuda`."""
    folds_system: bool
    """Whether system messages went into the first user message, since the chat template takes none."""
    arms: tuple[TrainedArmOut, ...]
    """The adapters."""


def curve_ends(points: Sequence[Point]) -> tuple[CurveOut, CurveOut]:
    """Means over the first and the last tenth of a curve, at least one point each. Raises ValueError for no points."""
    if not points:
        raise ValueError("need at least one point of the curve")
    count = max(1, round(len(points) * ENDS))
    return _mean(points[:count]), _mean(points[-count:])


def _mean(points: Sequence[Point]) -> CurveOut:
    n = len(points)
    return CurveOut(
        loss=sum(p.loss for p in points) / n,
        reward_margin=sum(p.reward_margin for p in points) / n,
        accuracy=sum(p.accuracy for p in points) / n,
    )


def arm_line(arm: TrainedArmOut) -> str:
    """An arm in one sentence."""
    left = sum(one.rows for one in arm.left_out)
    rest = f" ({left:,} of its rows left out)" if left else ""
    return (
        f"{arm.arm}: {arm.pairs:,} pairs{rest}, {arm.steps:,} steps, each pair seen {arm.seen:.1f} times; loss "
        f"{arm.first.loss:.3f} to {arm.last.loss:.3f}, chosen above rejected in {100 * arm.first.accuracy:.0f} % to "
        f"{100 * arm.last.accuracy:.0f} % of the pairs being trained on"
    )


def next_lines(out: TrainOut) -> list[str]:
    """The commands that measure whether a bias is gone."""
    judges = [("base", out.base), *((arm.arm, arm.folder) for arm in out.arms)]
    lines = [
        f"biasscope measure runs/{name} --judge {shlex.quote(f'hf:{place}')} --data PAIRS --biases IDS"
        for name, place in judges
    ]
    return [*lines, "biasscope compare " + " ".join(f"runs/{name}" for name, _ in judges)]


def card(out: TrainOut, arm: TrainedArmOut, settings: TrainSettings) -> list[str]:
    """The card of an adapter as lines of Markdown."""
    rows = {"base": out.base, "rows": arm.data} | settings.model_dump(exclude={"model", "weights", "data"})
    rows |= {"hash of the base": settings.weights or "none: a name on the hub", "hash of the rows": settings.data}
    left = [f"| {REASONS[one.reason]} | {one.rows:,} |" for one in arm.left_out]
    alone = out.model_copy(update={"arms": (arm,)})
    return [
        f"# {arm.arm}: a low-rank adapter of {out.base}",
        "",
        f"Made by biasscope {__version__} with direct preference optimisation. {arm_line(arm)}.",
        "",
        "These figures are of the pairs being trained on: they say that something was learnt, not that a bias is gone. That "
        "is measured on other pairs:",
        "",
        "```",
        *next_lines(alone),
        "```",
        "",
        *(["System messages were put into the first user message, as the chat template takes none.", ""] if out.folds_system else []),
        "| setting | value |",
        "|---|---|",
        *(f"| {name} | {value} |" for name, value in rows.items()),
        "",
        *(["| left out because | rows |", "|---|---|", *left, ""] if left else []),
        "The curve is in `curves.jsonl`, the versions of everything that took part in `manifest.json`.",
    ]  # fmt: skip
