"""A causal language model, run by transformers inside this process: a folder, a name on the hub, or a trained adapter.

Knows what a model is by the hashes of its files, and the protocol; how a request becomes tokens is `hf_loaded`.
Opening loads nothing. torch, transformers and peft are imported only here and there.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args
from urllib.parse import parse_qsl

from biasscope.ask import Reply, Request, digest
from biasscope.config import ModelSpec
from biasscope.errors import MissingExtra, UsageError, WeightsError
from biasscope.models.dialect import FOLDED
from biasscope.models.scoring import SCHEME, Scoring, is_scored
from biasscope.models.weights import sha256_of

if TYPE_CHECKING:
    from biasscope.models.hf_loaded import Loaded

CONTEXT = 8192
"""Tokens of prompt and reply together, unless the model was trained for fewer."""

READ = ("*.safetensors", "*.bin", "*.json", "*.jinja", "*.model", "*.txt")
"""Files of a model's folder that determine its replies."""

ADAPTER = "adapter_config.json"
TRAINED_ON = "trained_on.json"
"""Beside an adapter that was trained here: the hash of the weights that it was trained on."""

_MOVED = ("base_model_name_or_path",)  # where the base lies says nothing about what the adapter is
Device = Literal["auto", "cpu", "cuda"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a model lies: its `base`, an `adapter` upon it or None, and where its `tokenizer` is. Folders or names."""

    base: str
    adapter: Path | None
    tokenizer: str


def find_place(name: str) -> Place:
    """Say what a folder or a name on the hub stands for; the folder of a training stands for its adapter.

    Raises UsageError for a folder that holds no model, WeightsError for an adapter that names no base or whose base is
    a folder that is not there.
    """
    folder = Path(name).expanduser()
    if not folder.is_dir():
        if name.startswith((".", "/", "~")) or folder.exists():
            raise UsageError(
                f"there is no folder {name}", hint="Give the folder of a model, or its name on the hub."
            )
        return Place(name, None, name)
    if not (folder / ADAPTER).is_file() and (folder / "adapter" / ADAPTER).is_file():
        folder = folder / "adapter"
    if not (folder / ADAPTER).is_file():
        if not (folder / "config.json").is_file():
            raise UsageError(f"{name} is no folder of a model", hint="It holds a config.json and the weights.")
        return Place(str(folder), None, str(folder))
    base = str(_json(folder / ADAPTER).get("base_model_name_or_path") or "")
    if not base or (Path(base).is_absolute() and not Path(base).is_dir()):
        raise WeightsError(
            f"the adapter {folder} was trained on {base or 'a model that it does not name'}, which is not there",
            hint=f"Correct base_model_name_or_path in {folder / ADAPTER}.",
        )
    own = (folder / "tokenizer_config.json").is_file()
    return Place(base, folder, str(folder) if own else base)


def weights_of(place: str) -> str | None:
    """The hash of all files of a folder that determine replies; None for a name on the hub."""
    folder = Path(place)
    if not folder.is_dir():
        return None
    return digest({p.name: sha256_of(p) for pattern in READ for p in sorted(folder.glob(pattern))})


def adapter_of(folder: Path) -> str:
    """The hash of an adapter: its weights, its settings and its tokenizer, wherever its base lies."""
    files: dict[str, object] = {
        p.name: sha256_of(p) for pattern in READ for p in sorted(folder.glob(pattern)) if p.name != TRAINED_ON
    }
    settings = {key: value for key, value in _json(folder / ADAPTER).items() if key not in _MOVED}
    return digest(files | {ADAPTER: settings})


def open_hf(spec: ModelSpec, execution: object = None) -> HfModel:
    """Open ``hf:FOLDER`` or ``hf:NAME``, with options such as ``?scoring=prefill&context=4096&device=cpu``.

    `execution` has nothing that applies: one call at a time, no deadline. Raises MissingExtra without torch and
    transformers (an adapter needs peft too), UsageError for options that do not exist and a folder that holds no model,
    WeightsError for an adapter whose base is not there or is not what it was trained on.
    """
    del execution
    name, _, query = spec.spec.partition(":")[2].strip().partition("?")
    options = dict(parse_qsl(query, keep_blank_values=True))
    scoring, device = options.pop("scoring", "plain"), options.pop("device", "auto")
    context = options.pop("context", str(CONTEXT))
    wrong = scoring not in get_args(Scoring) or device not in get_args(Device)
    if options or wrong or not context.isdecimal() or int(context) < 1:
        raise UsageError(
            f"{spec.spec} has options that do not exist",
            hint=f"Options are scoring={' or '.join(get_args(Scoring))}, context=TOKENS and "
            f"device={' or '.join(get_args(Device))}.",
        )
    need(spec.spec, "torch", "transformers")
    place = find_place(name)
    if place.adapter is not None:
        need(spec.spec, "peft")
        _check_base(place)
    return HfModel(spec, place, cast(Scoring, scoring), int(context), cast(Device, device))


def need(what: str, *packages: str) -> None:
    """Raise MissingExtra, with the line that installs it, where a package of the extra `train` is not there."""
    if any(not _is_there(package) for package in packages):
        raise MissingExtra(what, "train")


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ValueError:  # a module that was put there by hand, or blocked
        return False


def _check_base(place: Place) -> None:
    """Refuse a base whose files are not those that the adapter was trained on: its replies would mean nothing."""
    assert place.adapter is not None
    record = place.adapter / TRAINED_ON
    if not record.is_file():
        return
    trained_on = _json(record).get("weights")
    if trained_on is not None and trained_on != weights_of(place.base):
        raise WeightsError(
            f"the adapter {place.adapter} was trained on other weights than those in {place.base} now",
            hint="Put the model back that it was trained on, or train again.",
        )


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise WeightsError(f"cannot read {path}: {error}") from error
    return found if isinstance(found, dict) else {}


def _versions(place: Place) -> str:
    packages = ("transformers", "torch", *(("peft",) if place.adapter else ()))
    return " ".join(f"{package} {metadata.version(package)}" for package in packages)


class HfModel:
    """A model in this process. One call at a time: what is evaluated together changes probabilities in the last digits."""

    max_in_flight = 1

    def __init__(self, spec: ModelSpec, place: Place, scoring: Scoring, context: int, device: Device) -> None:
        self._spec, self._place = spec, place
        self._scoring, self._context, self._device = scoring, context, device
        base = weights_of(place.base)
        adapter = None if place.adapter is None else adapter_of(place.adapter)
        self._fingerprint: dict[str, object] = {
            "provider": "transformers",
            "model": base or place.base,
            "adapter": adapter,
            "revision": None if base else spec.revision,
            "runtime": _versions(place),
            "device": _device(device),
            "context": context,
            "scoring": f"{scoring}/{SCHEME}",
        }
        self._hash = digest([base, adapter]) if base else None
        self._loaded: Loaded | None = None
        # One thread of its own: the event loop lives on, and a call that is under way is finished.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="hf")

    @property
    def spec(self) -> str:
        """The spec as the user wrote it."""
        return self._spec.spec

    @property
    def endpoint(self) -> str:
        """The same weights share one gate, under whatever name."""
        return f"hf:{self._hash or self._place.base}"

    @property
    def fingerprint(self) -> Mapping[str, object]:
        """Weights, adapter and tokenizer by hash (by name and revision from the hub), versions, device, scoring."""
        return self._fingerprint

    @property
    def resolved(self) -> str | None:
        """The hash of a folder's files; of a model by name the commit that was loaded, known after the first reply."""
        return self._hash

    async def complete(self, request: Request) -> Reply:
        """Score the labels where the answer is a label alone, else generate; loads the model when first called.

        Raises WeightsError where the model cannot be loaded, BadRequest where its template refuses the conversation,
        ServerFault where torch fails, as with too little memory.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._complete, request)

    async def close(self) -> None:
        """Let the model go once a call under way is finished; the next call loads it again."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._unload)

    def _complete(self, request: Request) -> Reply:
        if self._loaded is None:
            from biasscope.models.hf_loaded import load

            device = _device(self._device)
            self._loaded = load(self._place, self._spec.revision, device, self._context, self._scoring)
        reply = self._loaded.score(request) if is_scored(request) else self._loaded.generate(request)
        dropped = {FOLDED} if self._loaded.folds(request) else set()
        if request.schema is not None:
            dropped.add("schema")
        return replace(reply, model=self._hash or self._loaded.commit, dropped=tuple(sorted(dropped)))

    def _unload(self) -> None:
        if self._loaded is not None:
            self._loaded.release()
        self._loaded = None


def _device(wanted: Device) -> str:
    if wanted != "auto":
        return wanted
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"
