"""Training adapters on preference pairs: open the model, check the rows, train or continue, write cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from biasscope import __version__, seeds
from biasscope.ask import digest
from biasscope.errors import UsageError
from biasscope.models import weights
from biasscope.models.hf import find_place, need, weights_of
from biasscope.report.trained import LeftOutOut, TrainedArmOut, TrainOut, card, curve_ends
from biasscope.training.checking import Checked, LeftOut, check_rows, require_enough
from biasscope.training.folder import Point, TrainFolder
from biasscope.training.rows import TrainingRow, read_rows
from biasscope.training.settings import Device, TrainOptions, TrainSettings

if TYPE_CHECKING:
    from biasscope.training.dpo import Material

ALONE = "trained"
"""The name of an arm that is the only one; it lies in the folder itself."""
PACKAGES = ("torch", "transformers", "trl", "peft", "datasets", "accelerate")

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class LeftOutRow:
    """A row that was not trained on: why, and where it stands."""

    reason: LeftOut
    where: str


@dataclass(frozen=True, slots=True)
class _Arm:
    """One arm before it is trained: its name, file and folder, what is trained on, and what the check found."""

    name: str
    data: Path
    folder: Path
    material: Material
    checked: Checked


def train(
    out: Path,
    model: str,
    data: Path | str | Mapping[str, Path],
    options: TrainOptions | None = None,
    *,
    cpu: bool = False,
    on_arm: Callable[[str, int, int], None] | None = None,
    on_point: Callable[[str, Point], None] | None = None,
) -> TrainOut:
    """Train an adapter of a model by direct preference optimisation, or one for each arm on the same number of steps.

    `model` is a folder, a name on the hub, or ``local:NAME`` and ``local:PATH.gguf`` (converted once, into the cache).
    `data` is a file of rows, or such a file for each arm by name; an arm lies in a folder of its name in `out`. The same
    call continues what was killed and repeats nothing that is finished. `on_arm` is told an arm, its pairs and the steps
    before it is trained, `on_point` the arm and each point of its curve.

    Raises MissingExtra, UsageError for names of arms that are no plain names, DataError for rows that cannot be read or
    are too few, RunMismatch for a folder with other settings, WeightsError for a model that cannot be loaded, RunError
    where the disk or the memory ends.
    """
    need("biasscope mitigate train", *PACKAGES)
    from biasscope.training.dpo import train_adapter

    options = options or TrainOptions()
    arms_data = {ALONE: Path(data)} if isinstance(data, Path | str) else dict(data)
    _check_names(arms_data)
    base, device = _base(model), _device(cpu)
    made = options.on(device)
    arms = _arms(out, base, arms_data, longest=made["max_length"])
    steps = options.steps_for(max(len(arm.checked.kept) for arm in arms), device)
    told = TrainOut(
        version=__version__,
        base=base,
        device=device,
        folds_system=any(_folds(arm) for arm in arms),
        arms=(),
    )
    done = []
    for arm in arms:
        settings = TrainSettings(
            model=base, weights=weights_of(base), data=_hash(arm.material.rows), steps=steps, seed=options.seed,
            device=device, **made,
        )  # fmt: skip
        with TrainFolder.enter(arm.folder, settings) as folder:
            folder.write_lines("left-out.jsonl", (LeftOutRow(*one) for one in arm.checked.left_out))
            if on_arm is not None:
                on_arm(arm.name, len(arm.checked.kept), steps)
            train_adapter(settings, arm.material, folder, partial(on_point or _unseen, arm.name))
            trained = _trained(arm, folder, steps, settings)
            folder.write_text("card.md", card(told, trained, settings))
        done.append(trained)
    return told.model_copy(update={"arms": tuple(done)})


def _unseen(arm: str, point: Point) -> None:
    del arm, point


def _check_names(arms: Mapping[str, Path]) -> None:
    for name in arms:
        if not _NAME.fullmatch(name):
            raise UsageError(f"{name!r} cannot name an arm", hint="Use letters, digits, '.', '_' and '-'.")
    if not arms:
        raise UsageError(
            "there is nothing to train on", hint="Give --data FILE, or --arm NAME=FILE once or several times."
        )


def _base(model: str) -> str:
    """A folder that can be trained on, by its whole path, or a name on the hub as it is."""
    if model.startswith("local:"):
        from biasscope.training.gguf_weights import convert_gguf

        return str(convert_gguf(*weights.converted(model.partition(":")[2])).resolve())
    place = find_place(model.removeprefix("hf:"))
    if place.adapter is not None:
        raise UsageError(
            f"{model} is an adapter",
            hint="Train its base again with all the rows, or merge the two into a model first.",
        )
    folder = Path(place.base)
    return str(folder.resolve()) if folder.is_dir() else place.base


def _device(cpu: bool) -> Device:
    import torch

    return "cuda" if torch.cuda.is_available() and not cpu else "cpu"


def _arms(out: Path, base: str, data: Mapping[str, Path], *, longest: int) -> list[_Arm]:
    """Read and check the rows of every arm before anything is trained."""
    from biasscope.models.hf_loaded import load_tokenizer
    from biasscope.training.dpo import Material
    from biasscope.training.encoding import TokenizerEncoder

    read = {name: _sorted(read_rows(file)) for name, file in data.items()}
    tokenizer = load_tokenizer(base)
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    encoder = TokenizerEncoder(tokenizer, base)
    arms = []
    for name, rows in read.items():
        if not isinstance(rows[0].prompt, str):
            encoder.require_template()
        checked = check_rows(rows, encoder, longest=longest)
        require_enough(checked, str(data[name]), longest=longest)
        lost = {where for _, where in checked.left_out}
        kept = [row for row in rows if row.where not in lost]
        folder = out if data.keys() == {ALONE} else out / name
        arms.append(_Arm(name, data[name], folder, Material(kept, checked.kept, tokenizer, encoder), checked))
    return arms


def _sorted(rows: list[TrainingRow]) -> list[TrainingRow]:
    """The rows in an order that hangs on what they say, not on how the file was sorted."""
    return sorted(rows, key=lambda row: seeds.derive_seed("training row", row.prompt, row.chosen, row.rejected))


def _hash(rows: object) -> str:
    assert isinstance(rows, list)
    return digest([[_plain(row), row.chosen, row.rejected] for row in rows])


def _plain(row: TrainingRow) -> object:
    return row.prompt if isinstance(row.prompt, str) else [[m.role, m.content] for m in row.prompt]


def _folds(arm: _Arm) -> bool:
    """Whether a system message of these rows went into the first user message."""
    rows = arm.material.rows
    return (
        any(not isinstance(row.prompt, str) and any(m.role == "system" for m in row.prompt) for row in rows)
        and arm.material.encoder.folds_system
    )


def _trained(arm: _Arm, folder: TrainFolder, steps: int, settings: TrainSettings) -> TrainedArmOut:
    first, last = curve_ends(folder.read_curve())
    pairs = len(arm.checked.kept)
    return TrainedArmOut(
        arm=arm.name,
        data=str(arm.data),
        pairs=pairs,
        left_out=tuple(LeftOutOut(reason=r, rows=n) for r, n in arm.checked.counts.items()),
        steps=steps,
        seen=steps * settings.batch * settings.accumulate / pairs,
        first=first,
        last=last,
        folder=str(folder.path),
    )
