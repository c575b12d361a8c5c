"""What a training is: everything that determines the adapter. Pure; knows no library that trains."""

from __future__ import annotations

import math
from typing import Any, Literal

from pydantic import Field

from biasscope.config.models import Strict

Device = Literal["cpu", "cuda"]

DEFAULTS: dict[Device, dict[str, Any]] = {
    # 7 to 8 billion weights in half precision on one GPU of 24 GB or more
    "cuda": {
        "rank": 16, "alpha": 32, "beta": 0.1, "learning_rate": 2e-5, "batch": 2, "accumulate": 8, "max_length": 2048,
    },
    # up to a few hundred million weights; small models move little at the rates of large ones
    "cpu": {
        "rank": 8, "alpha": 16, "beta": 0.1, "learning_rate": 1e-4, "batch": 2, "accumulate": 4, "max_length": 512,
    },
}  # fmt: skip
"""Settings that are not given, by device."""


class TrainSettings(Strict):
    """One training. Two that agree in all of this, with the same versions on the same machine, give the same adapter.

    `weights` is the hash of the base's files (None for a name on the hub), `data` that of the rows; `max_length` counts
    the tokens of a prompt with a reply, `batch` the pairs that are evaluated together and `accumulate` how many of these
    make one step.
    """

    model: str
    weights: str | None
    data: str
    steps: int = Field(ge=1)
    rank: int = Field(ge=1, le=1024)
    alpha: float = Field(gt=0)
    beta: float = Field(gt=0)
    learning_rate: float = Field(gt=0, le=1)
    batch: int = Field(ge=1)
    accumulate: int = Field(ge=1)
    max_length: int = Field(ge=8)
    seed: int = 0
    device: Device


class TrainOptions(Strict):
    """What a person may say about a training; what is None is taken from `DEFAULTS` of the device.

    `epochs` says how often each pair is seen, `steps` in its place how many steps are made.
    """

    epochs: float | None = Field(default=None, gt=0)
    steps: int | None = Field(default=None, ge=1)
    rank: int | None = Field(default=None, ge=1, le=1024)
    alpha: float | None = Field(default=None, gt=0)
    beta: float | None = Field(default=None, gt=0)
    learning_rate: float | None = Field(default=None, gt=0, le=1)
    batch: int | None = Field(default=None, ge=1)
    accumulate: int | None = Field(default=None, ge=1)
    max_length: int | None = Field(default=None, ge=8)
    seed: int = 0

    def on(self, device: Device) -> dict[str, Any]:
        """The settings of `DEFAULTS` with what was said in their place; with a rank alone, alpha stays twice the rank."""
        said = {name: value for name in DEFAULTS[device] if (value := getattr(self, name)) is not None}
        if self.rank is not None and self.alpha is None:
            said["alpha"] = 2 * self.rank
        return DEFAULTS[device] | said

    def steps_for(self, pairs: int, device: Device) -> int:
        """The steps that were said, else those in which each of `pairs` is seen `epochs` times (once by default)."""
        if self.steps is not None:
            return self.steps
        made = self.on(device)
        return steps_for(pairs, epochs=self.epochs or 1.0, batch=made["batch"], accumulate=made["accumulate"])


def steps_for(pairs: int, *, epochs: float, batch: int, accumulate: int) -> int:
    """Steps in which each of `pairs` is seen `epochs` times, rounded up."""
    return max(1, math.ceil(pairs * epochs / (batch * accumulate) - 1e-9))


def changes(saved: TrainSettings, wanted: TrainSettings) -> list[str]:
    """The settings in which two trainings differ, as ``name: saved -> wanted``."""
    old, new = saved.model_dump(), wanted.model_dump()
    return [f"{name}: {_brief(old[name])} -> {_brief(new[name])}" for name in old if old[name] != new[name]]


def _brief(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:12]}..."


def log_every(steps: int) -> int:
    """Steps from one point of a curve to the next: about a hundred points."""
    return max(1, steps // 100)


def save_every(steps: int) -> int:
    """Steps from one checkpoint to the next: about twenty, and at points of the curve, so that none is cut in two."""
    every = log_every(steps)
    return max(1, round(steps / 20 / every)) * every
