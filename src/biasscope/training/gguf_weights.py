"""Weights from a GGUF file as a folder that can be trained on: converted once, to single precision."""

from __future__ import annotations

import contextlib
import io
import shutil
from pathlib import Path

import torch
import transformers
from safetensors import SafetensorError

from biasscope.errors import RunError, WeightsError
from biasscope.models.programs import first_line

_QUANTISED = ("hf_quantizer", "quantization_method", "is_quantized")


def convert_gguf(source: Path, folder: Path) -> Path:
    """Write the model and tokenizer of a GGUF file into a folder, whole or not at all, and return it.

    A folder that is there is taken as it is. Raises WeightsError for a file that transformers cannot read, RunError where
    the disk is full.
    """
    if (folder / "config.json").is_file():
        return folder
    transformers.utils.logging.disable_progress_bar()
    new = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    place, name = str(source.parent), source.name
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # a progress bar that nothing else turns off
            model = transformers.AutoModelForCausalLM.from_pretrained(place, gguf_file=name, dtype=torch.float32)
            tokenizer = transformers.AutoTokenizer.from_pretrained(place, gguf_file=name)
    except (OSError, ValueError, KeyError, ImportError, RuntimeError, AttributeError) as error:
        raise WeightsError(
            f"{source} cannot be converted: {first_line(error)}",
            hint="Give the model as a folder of safetensors.",
        ) from error
    # The weights are plain numbers now; what still calls them quantised would forbid to train them.
    for attribute in _QUANTISED:
        if hasattr(model, attribute):
            delattr(model, attribute)
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    try:
        new.parent.mkdir(parents=True, exist_ok=True)
        model.save_pretrained(str(new))
        tokenizer.save_pretrained(str(new))
        new.replace(folder)
    except (OSError, SafetensorError) as error:
        raise RunError(
            f"cannot write the weights of {source.name} to {folder}: {first_line(error)}",
            hint="Make room on the disk, or take a folder elsewhere.",
        ) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return folder
