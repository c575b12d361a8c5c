"""Direct preference optimisation of a low-rank adapter by TRL and PEFT, continued from its last whole checkpoint.

The reference is the base without its adapter, so that one model is in memory. Imports what trains; only `api` imports this.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import peft
import torch
import transformers
import trl
from safetensors import SafetensorError
from transformers import PrinterCallback, TrainerCallback

import datasets
from biasscope.errors import RunError
from biasscope.models.hf import TRAINED_ON
from biasscope.models.hf_loaded import load_weights
from biasscope.models.programs import first_line
from biasscope.training.checking import TokenRow
from biasscope.training.encoding import TokenizerEncoder
from biasscope.training.folder import Point, TrainFolder
from biasscope.training.rows import TrainingRow
from biasscope.training.settings import TrainSettings, log_every, save_every

FULL = "The disk may be full: make room and run the same command again; it goes on from the last checkpoint."
COPIES = 3
"""Checkpoints that are on the disk at once, each with the adapter and two moments of every weight."""


@dataclass(frozen=True, slots=True)
class Material:
    """What is trained on: rows that passed the check, the same as tokens, and the tokenizer."""

    rows: Sequence[TrainingRow]
    tokens: Sequence[TokenRow]
    tokenizer: Any
    encoder: TokenizerEncoder


def train_adapter(
    settings: TrainSettings, material: Material, folder: TrainFolder, on_point: Callable[[Point], None]
) -> None:
    """Train, or continue, and write the adapter; nothing is done where it is there already.

    The same settings give the same adapter, killed in between or not. Raises RunError where the disk is full or the
    memory too small, with the last checkpoint kept.
    """
    if folder.adapter.is_dir():
        return
    folder.sweep()
    with quiet():
        trainer = make_trainer(
            settings, material, folder.checkpoints, load_weights(settings.model, settings.device)
        )
        _check_tokens(trainer, material.tokens)
        _check_room(trainer.model, folder.path)
        done = folder.whole_checkpoints()
        folder.cut_curve(done[-1][0] if done else 0)
        trainer.add_callback(_Keeper(folder, on_point))
        try:
            trainer.train(resume_from_checkpoint=str(done[-1][1]) if done else None)
            _write_adapter(settings, trainer.model, material.tokenizer, folder)
        except (OSError, SafetensorError, RuntimeError) as error:
            folder.sweep()
            raise _stopped(error, trainer.state.global_step) from error
    for _, old in folder.whole_checkpoints()[:-1]:
        shutil.rmtree(old)


def make_trainer(settings: TrainSettings, material: Material, checkpoints: Path, model: Any) -> Any:
    """A trainer of TRL for these settings, with an adapter on `model`; checkpoints go into a folder."""
    on_gpu = settings.device == "cuda"
    arguments = trl.DPOConfig(
        output_dir=str(checkpoints),
        max_steps=settings.steps,
        per_device_train_batch_size=settings.batch,
        gradient_accumulation_steps=settings.accumulate,
        learning_rate=settings.learning_rate,
        beta=settings.beta,
        max_length=settings.max_length,
        seed=settings.seed % 2**32,
        lr_scheduler_type="linear",
        warmup_steps=min(settings.steps // 10, 100),
        logging_steps=log_every(settings.steps),
        save_steps=save_every(settings.steps),
        save_strategy="steps",
        use_cpu=not on_gpu,
        bf16=on_gpu,
        gradient_checkpointing=on_gpu,
        dataloader_pin_memory=on_gpu,
        disable_tqdm=True,
        report_to="none",
    )
    adapter = peft.LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha,
        lora_dropout=0.0,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )
    trainer = _Trainer(
        model=model,
        args=arguments,
        train_dataset=datasets.Dataset.from_list([material.encoder.as_trl(row) for row in material.rows]),
        processing_class=material.tokenizer,
        peft_config=adapter,
    )
    trainer.remove_callback(PrinterCallback)  # it prints; curves are ours
    return trainer


class _Trainer(trl.DPOTrainer):  # type: ignore[misc]  # a class that the type checker does not look at
    """TRL's trainer without its model card, which would stand in every checkpoint; ours stands beside the adapter."""

    def create_model_card(self, *arguments: object, **named: object) -> None:
        """Write nothing."""


class _Keeper(TrainerCallback):  # type: ignore[misc]  # the same
    """Keeps the curve, and marks each checkpoint as whole once everything of it is written."""

    def __init__(self, folder: TrainFolder, on_point: Callable[[Point], None]) -> None:
        self._folder, self._on_point = folder, on_point

    def on_log(
        self, args: Any, state: Any, control: Any, logs: dict[str, float] | None = None, **more: Any
    ) -> None:
        """Add a point to the curve."""
        if logs is None or "rewards/margins" not in logs or "loss" not in logs:
            return
        point = Point(
            step=int(state.global_step),
            loss=float(logs["loss"]),
            reward_margin=float(logs["rewards/margins"]),
            accuracy=float(logs["rewards/accuracies"]),
            learning_rate=float(logs["learning_rate"]),
        )
        self._folder.add_point(point)
        self._on_point(point)

    def on_save(self, args: Any, state: Any, control: Any, **more: Any) -> None:
        """Mark the checkpoint."""
        self._folder.mark(int(state.global_step))


def _write_adapter(settings: TrainSettings, model: Any, tokenizer: Any, folder: TrainFolder) -> None:
    with folder.writing_adapter() as new:
        model.save_pretrained(str(new))
        tokenizer.save_pretrained(str(new))
        (new / "README.md").unlink(missing_ok=True)  # PEFT's card says nothing about this training
        record = {"base": settings.model, "weights": settings.weights}
        (new / TRAINED_ON).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def _check_tokens(trainer: Any, tokens: Sequence[TokenRow]) -> None:
    """Make sure that what is trained on is what was checked: TRL makes tokens itself, and may do it in another way."""
    made = trainer.train_dataset
    for name, of in (("prompt_ids", "prompt"), ("chosen_ids", "chosen"), ("rejected_ids", "rejected")):
        if [tuple(ids) for ids in made[name]] != [getattr(row, of) for row in tokens]:
            raise RunError(
                f"trl {trl.__version__} turns rows into other tokens than were checked",
                hint="Take another version of trl, or report this with the name of the model.",
            )


def _check_room(model: Any, path: Path) -> None:
    trained = sum(p.numel() for p in model.parameters() if p.requires_grad)
    needed, free = trained * 4 * 3 * COPIES, shutil.disk_usage(path).free
    if needed > free:
        raise RunError(
            f"checkpoints need {needed / 1e6:,.0f} MB of disk in {path}, {free / 1e6:,.0f} MB are free",
            hint="Make room, take a folder elsewhere, or a smaller --rank.",
        )


def _stopped(error: Exception, step: int) -> RunError:
    if isinstance(error, torch.OutOfMemoryError):
        hint = "Take a smaller --batch with a larger --accumulate, or a smaller --max-length."
        return RunError(
            f"training stopped at step {step}, the memory is too small: {first_line(error)}", hint=hint
        )
    # torch's own writer of checkpoints says which line of it failed, and not why.
    if isinstance(error, OSError | SafetensorError) or "inline_container" in str(error):
        return RunError(
            f"training stopped at step {step}, its files cannot be written: {first_line(error)}", hint=FULL
        )
    hint = "Run the same command again to go on from the last checkpoint."
    return RunError(f"training stopped at step {step}: {first_line(error)}", hint=hint)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep the progress bars and advice of others off the terminal."""
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    datasets.disable_progress_bars()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
