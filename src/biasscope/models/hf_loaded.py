"""A causal language model that is loaded: requests become tokens, and tokens text or the probabilities of labels.

Calls block and are not for two threads at once.
"""

from __future__ import annotations

import contextlib
import gc
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
import transformers

from biasscope import seeds
from biasscope.ask import Reply, Request, TokenPosition
from biasscope.errors import ServerFault, WeightsError
from biasscope.models.chat_template import ChatTemplate
from biasscope.models.hf import Place
from biasscope.models.programs import first_line
from biasscope.models.scoring import ALTERNATIVES, PREFILL, Scoring

WRITTEN = 20
"""Alternatives kept at each position of a text that is generated."""


def load_tokenizer(place: str, revision: str | None = None) -> Any:
    """The tokenizer of a folder or a name on the hub; raises WeightsError."""
    with _loading(place):
        return transformers.AutoTokenizer.from_pretrained(place, **_revision(place, revision))


def load_weights(place: str, device: str, revision: str | None = None) -> Any:
    """The causal language model of a folder or a name on the hub, on a device; raises WeightsError.

    On a processor it is of single precision, since half precision is slow there and differs by machine.
    """
    kept: dict[str, Any] = _revision(place, revision)
    dtype = torch.float32 if device == "cpu" else "auto"
    with _loading(place):
        return transformers.AutoModelForCausalLM.from_pretrained(place, dtype=dtype, **kept).to(device)


def load(place: Place, revision: str | None, device: str, context: int, scoring: Scoring) -> Loaded:
    """Load a model with its adapter and tokenizer; raises WeightsError, also where there is no chat template."""
    tokenizer = load_tokenizer(place.tokenizer, revision)
    model = load_weights(place.base, device, revision)
    if place.adapter is not None:
        import peft

        with _loading(str(place.adapter)):
            model = peft.PeftModel.from_pretrained(model, str(place.adapter))
    known = getattr(model.config, "max_position_embeddings", None)
    return Loaded(model.eval(), tokenizer, place.base, min(context, known or context), scoring)


def _revision(place: str, revision: str | None) -> dict[str, Any]:
    return {} if revision is None or Path(place).is_dir() else {"revision": revision}


@contextlib.contextmanager
def _loading(place: str) -> Iterator[None]:
    transformers.utils.logging.disable_progress_bar()  # ours stands there
    try:
        with warnings.catch_warnings():
            # Between these libraries, and nothing a user can change.
            warnings.simplefilter("ignore", FutureWarning)
            yield
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        raise WeightsError(
            f"the model {place} cannot be loaded: {first_line(error)}",
            hint="Give the folder of a causal language model, or its name on the Hugging Face hub (with a connection).",
        ) from error


class Loaded:
    """A model with its tokenizer and chat template; `commit` names what was loaded of a name on the hub."""

    def __init__(self, model: Any, tokenizer: Any, place: str, context: int, scoring: Scoring) -> None:
        self._model, self._tokenizer, self._context = model, tokenizer, context
        self._prefill = PREFILL if scoring == "prefill" else ""
        self._template = ChatTemplate(tokenizer, place)
        self.commit = str(getattr(model.config, "_commit_hash", None) or place)

    def folds(self, request: Request) -> bool:
        """Whether the system message of a request goes into its first user message."""
        return self._template.folds_system and any(m.role == "system" for m in request.messages)

    def score(self, request: Request) -> Reply:
        """Read the probabilities of the labels where the reply would begin."""
        text = self._template.render(request.messages, reply_follows=True)
        tokens = self._tokens(text)
        if self._prefill:  # it ends where this vocabulary begins the label's token
            tokens = self._tokens(text + self._prefill + request.labels[0])[:-1]
        if len(tokens) >= self._context:
            return Reply("", finish="other", over_long=True, input_tokens=len(tokens))
        with self._evaluating():
            logits = self._model(torch.tensor([tokens], device=self._model.device), logits_to_keep=1).logits
        logprobs = torch.log_softmax(logits[0, -1].float(), dim=-1)
        best = torch.topk(logprobs, min(ALTERNATIVES, len(logprobs))).indices.tolist()
        wanted = dict.fromkeys([*best, *self._spellings(request.labels)])
        position = self._position(best[0], {i: float(logprobs[i]) for i in wanted})
        return Reply(position.token, input_tokens=len(tokens), output_tokens=1, positions=(position,))

    def generate(self, request: Request) -> Reply:
        """Go on from the conversation: the most probable token each time, or drawn by the request's seed."""
        tokens = self._tokens(self._template.render(request.messages, reply_follows=True))
        room = min(request.max_tokens, self._context - len(tokens))
        if room < 1:
            return Reply("", finish="other", over_long=True, input_tokens=len(tokens))
        seen = _Seen() if request.labels else None
        ends = _ends(self._model, self._tokenizer)
        with self._evaluating(), _seeded(request):
            written = self._model.generate(
                torch.tensor([tokens], device=self._model.device),
                attention_mask=torch.ones(1, len(tokens), dtype=torch.long, device=self._model.device),
                generation_config=_settings(request, room, ends),
                logits_processor=transformers.LogitsProcessorList([seen] if seen else []),
            )[0, len(tokens) :].tolist()
        ended = bool(written) and written[-1] in ends
        said = written[:-1] if ended else written
        rows = [] if seen is None else seen.rows
        return Reply(
            self._tokenizer.decode(written, skip_special_tokens=True),
            finish="stop" if ended else "length",
            input_tokens=len(tokens),
            output_tokens=len(written),
            positions=tuple(self._position(token, row) for token, row in zip(said, rows, strict=False)),
        )

    def release(self) -> None:
        """Free the memory."""
        self._model = None
        gc.collect()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()

    def _tokens(self, text: str) -> list[int]:
        """The template writes what stands at the beginning of a text, so that nothing is put there a second time."""
        return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def _spellings(self, labels: tuple[str, ...]) -> list[int]:
        """Tokens that are a label, alone or behind a blank: read whatever their probability."""
        spelt = [self._tokens(text) for label in labels for text in (label, f" {label}")]
        return [tokens[0] for tokens in spelt if len(tokens) == 1]

    def _position(self, token: int, offered: dict[int, float]) -> TokenPosition:
        decode = self._tokenizer.decode
        return TokenPosition(decode([token]), tuple((decode([i]), p) for i, p in offered.items()))

    @contextlib.contextmanager
    def _evaluating(self) -> Iterator[None]:
        try:
            with torch.inference_mode():
                yield
        except RuntimeError as error:  # torch's word for too little memory too
            raise ServerFault(
                f"the model failed: {first_line(error)}",
                hint="With too little memory, take a smaller model or ?context=; finished replies are kept.",
            ) from error


class _Seen(transformers.LogitsProcessor):  # type: ignore[misc]  # a class that the type checker does not look at
    """Keeps what each position offered, as log-probabilities before any temperature."""

    def __init__(self) -> None:
        self.rows: list[dict[int, float]] = []

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        logprobs = torch.log_softmax(scores[0].float(), dim=-1)
        best = torch.topk(logprobs, min(WRITTEN, len(logprobs)))
        self.rows.append(dict(zip(best.indices.tolist(), best.values.tolist(), strict=True)))
        return scores


def _settings(request: Request, room: int, ends: list[int]) -> Any:
    """Settings of our own: those that come with a model would sample, or punish what it has said before."""
    drawn = request.temperature is not None and request.temperature > 0
    return transformers.GenerationConfig(
        max_new_tokens=room,
        do_sample=drawn,
        temperature=request.temperature if drawn else None,
        top_k=0 if drawn else None,
        eos_token_id=ends or None,
        pad_token_id=ends[0] if ends else 0,
    )


def _ends(model: Any, tokenizer: Any) -> list[int]:
    """The tokens that end a reply, as the model and its tokenizer name them."""
    named = getattr(model.generation_config, "eos_token_id", None)
    all_named = [*(named if isinstance(named, list) else [named]), tokenizer.eos_token_id]
    return list(dict.fromkeys(i for i in all_named if i is not None))


@contextlib.contextmanager
def _seeded(request: Request) -> Iterator[None]:
    """The same request draws the same text, whatever was asked before."""
    with torch.random.fork_rng(enabled=True):
        torch.manual_seed(seeds.derive_seed("hf", request.seed, request.replicate) % 2**63)
        yield
