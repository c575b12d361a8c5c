"""A reward model as a judge: a sequence classifier with one output, run in process by transformers.

Scores one response at a time: the higher, the better. Knows how a case becomes tokens; loads nothing before the
first case. torch and transformers are imported only here.
"""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from biasscope.ask import Reply, Request, digest
from biasscope.config import ModelExecution, ModelSpec
from biasscope.errors import BiasscopeError, MissingExtra, ProgramFailed, UsageError, WeightsError
from biasscope.models.base import Model
from biasscope.models.programs import POINTWISE, Failed, ProgramModel, first_line
from biasscope.models.weights import sha256_of

READ = ("*.safetensors", "*.bin", "*.json", "*.jinja", "*.model", "*.txt")
"""Files of a model's folder that determine its scores."""


def open_reward(spec: ModelSpec, execution: ModelExecution) -> Model:
    """Open ``reward:NAME_OR_PATH``; with a URL, the model of that name behind a vLLM server.

    Raises MissingExtra without torch and transformers, and UsageError for a folder that holds no model.
    """
    name = spec.spec.partition(":")[2].strip()
    if not name:
        raise UsageError(f"{spec.spec!r} names no model", hint="Write reward:NAME or reward:FOLDER.")
    if spec.url is not None:
        from biasscope.models.reward_server import open_reward_server

        return open_reward_server(spec, execution)
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtra(spec.spec, "reward") from error
    folder = Path(name)
    if folder.exists() and not (folder / "config.json").is_file():
        raise UsageError(f"{name} is no folder of a model", hint="It holds a config.json and the weights.")
    files = (
        {p.name: sha256_of(p) for pattern in READ for p in sorted(folder.glob(pattern))}
        if folder.is_dir()
        else {}
    )
    weights = digest(files) if files else None
    identity: dict[str, object] = {
        "provider": "transformers",
        "model": weights or name,
        "runtime": transformers.__version__,
        "device": "cuda" if torch.cuda.is_available() else "cpu",
    }
    return RewardModel(spec, execution, name, weights, identity)


class RewardModel(ProgramModel):
    """A classifier in this process, one case at a time: what is scored together changes scores in the last digits."""

    def __init__(
        self,
        spec: ModelSpec,
        execution: ModelExecution,
        name: str,
        weights: str | None,
        identity: dict[str, object],
    ) -> None:
        super().__init__(spec, execution, weights or name, identity, max_in_flight=1)
        self._max_in_flight = 1
        self._place = name
        self._weights = weights
        self._revision = spec.revision
        self._classifier: _Classifier | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reward")

    @property
    def resolved(self) -> str | None:
        """The hash of a folder's files; of a model by name, the commit that was loaded, known after the first reply."""
        return self._weights

    async def answer(self, case: dict[str, Any], request: Request) -> Reply:
        """Score the response; raises WeightsError where the model cannot be loaded or is no reward model."""
        if case["kind"] != "pointwise":
            raise ProgramFailed(f"{self.spec} scores one response at a time and compares no two", hint=POINTWISE)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._scored, case)
        except BiasscopeError:
            raise
        except Exception as error:  # of the chat template, of the tokenizer, or torch's for too little memory
            raise Failed(first_line(error)) from error

    async def close(self) -> None:
        """Let the model go once a case under way is scored."""
        self._classifier = None
        self._thread.shutdown(wait=False)

    def _scored(self, case: dict[str, Any]) -> Reply:
        if self._classifier is None:
            self._classifier = _Classifier(self._place, self._revision)
        model = self._weights or self._classifier.commit
        messages = [*case["messages"], {"role": "assistant", "content": case["response"]}]
        tokens = self._classifier.tokens(messages, case["question"], case["response"])
        if len(tokens["input_ids"][0]) > self._classifier.context:
            return Reply("", finish="other", over_long=True, model=model)
        text = json.dumps({"score": self._classifier.score(tokens)})
        return Reply(text, model=model, input_tokens=len(tokens["input_ids"][0]), output_tokens=0)


class _Classifier:
    """A loaded model with its tokenizer."""

    def __init__(self, place: str, revision: str | None) -> None:
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()  # ours stands there
        kept: dict[str, Any] = {} if revision is None or Path(place).is_dir() else {"revision": revision}
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(place, **kept)
            model = AutoModelForSequenceClassification.from_pretrained(place, dtype="auto", **kept)
        except (OSError, ValueError, ImportError) as error:
            raise WeightsError(
                f"the reward model {place} cannot be loaded: {first_line(error)}",
                hint="Give the name of a sequence classifier on the Hugging Face hub, or its folder.",
            ) from error
        if model.config.num_labels != 1:
            raise WeightsError(
                f"{place} has {model.config.num_labels} outputs; a reward model has one",
                hint="A classifier with several classes can be a judge as a function: python:FILE:FUNCTION.",
            )
        self._torch = torch
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model = model.to(self._device).eval()
        self.commit = str(getattr(model.config, "_commit_hash", None) or place)
        known = getattr(model.config, "max_position_embeddings", None)
        self.context = min(known or (1 << 20), self._tokenizer.model_max_length)

    def tokens(self, messages: list[dict[str, str]], question: str, response: str) -> Any:
        """A conversation by the model's chat template; question and response as two texts where it has none."""
        if self._tokenizer.chat_template is None:
            return self._tokenizer(question, response, return_tensors="pt")
        return self._tokenizer.apply_chat_template(messages, tokenize=True, return_dict=True, return_tensors="pt")

    def score(self, tokens: Any) -> float:
        """The model's one output."""
        with self._torch.inference_mode():
            return float(self._model(**tokens.to(self._device)).logits[0, 0])
