"""A model from a GGUF file, run by llama.cpp inside this process, behind the same protocol as a remote one.

Knows how a request becomes tokens and an answer a `Reply`; files, the runtime and the exact evaluation of shared
prefixes are other modules. Opening reads the header only; the model is loaded by the first call.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast, get_args
from urllib.parse import parse_qsl

from biasscope.ask import Reply, Request, TokenPosition
from biasscope.config import ModelExecution
from biasscope.errors import UsageError, WeightsError
from biasscope.models import weights
from biasscope.models.dialect import Dialect
from biasscope.models.failures import Failure, as_error, as_fact
from biasscope.models.gguf import read_header
from biasscope.models.llama import Llama, runtime_version
from biasscope.models.replies import read_reply
from biasscope.models.scoring import ALTERNATIVES, PREFILL, SCHEME, Scoring, Slot, is_scored, shared_length

CONTEXT = 8192
"""Tokens of prompt and reply together, unless the model was trained for fewer."""

LEAST_PREFIX = 16
"""A shorter shared prefix is not worth a call of its own."""


def open_local(name_or_path: str, execution: ModelExecution | None = None) -> LocalModel:
    """Open what follows ``local:`` in a spec: a name or a path, with options such as ``?scoring=prefill&context=4096``.

    `execution` has nothing that applies: one call at a time, no deadline. Downloads nothing and loads nothing.
    Raises `WeightsError`, `MissingExtra`, and `UsageError` for options that do not exist.
    """
    del execution
    name, _, query = name_or_path.partition("?")
    options = dict(parse_qsl(query, keep_blank_values=True))
    scoring = options.pop("scoring", weights.scoring_of(name))
    context = options.pop("context", str(CONTEXT))
    if options or scoring not in get_args(Scoring) or not context.isdecimal() or int(context) < 1:
        raise UsageError(
            f"local:{name_or_path} has options that do not exist",
            hint=f"Options are scoring={' or '.join(get_args(Scoring))} and context=TOKENS.",
        )
    path, sha256 = weights.locate(name)
    return LocalModel(f"local:{name_or_path}", path, sha256, scoring=cast(Scoring, scoring), context=int(context))


class LocalModel:
    """A model in this process. One call at a time: scores are exact only when nothing else uses the slot."""

    max_in_flight = 1

    def __init__(
        self, spec: str, path: Path, sha256: str, *, scoring: Scoring = "plain", context: int = CONTEXT
    ) -> None:
        header = read_header(path)
        if header.chat_template is None:
            raise WeightsError(
                f"{path.name} has no chat template, so it is not a model that answers messages",
                hint="Use the instruct or chat version of the model.",
            )
        self._spec = spec
        self._path = path
        self._sha256 = sha256
        self._context = min(context, header.context or context)
        self._scoring = scoring
        self._fingerprint: dict[str, object] = {
            "provider": "llama.cpp",
            "weights": sha256,
            "runtime": runtime_version(),
            "chat_template": hashlib.sha256(header.chat_template.encode()).hexdigest(),
            "context": self._context,
            "scoring": f"{scoring}/{SCHEME}",
        }
        self._dialect = Dialect(top_logprobs=ALTERNATIVES)
        self._loaded: _Loaded | None = None
        # One thread of its own: the event loop lives on, calls come one after the other, and one that is under
        # way when the run is interrupted is finished.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="llama")

    def __repr__(self) -> str:
        return f"LocalModel({self._spec!r})"

    @property
    def spec(self) -> str:
        """The spec as the user wrote it."""
        return self._spec

    @property
    def endpoint(self) -> str:
        """The same weights share one gate, under whatever name."""
        return f"local:{self._sha256[:12]}"

    @property
    def fingerprint(self) -> Mapping[str, object]:
        """Weights and chat template by hash, runtime, context and how labels are scored; no name, no path."""
        return self._fingerprint

    @property
    def resolved(self) -> str:
        """The hash of the weights."""
        return f"sha256:{self._sha256}"

    async def complete(self, request: Request) -> Reply:
        """Score the labels where the answer is a label alone, else generate; loads the model when first called."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._complete, request)

    async def close(self) -> None:
        """Free the memory once a call under way is finished; the next call loads the model again."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._unload)

    def _complete(self, request: Request) -> Reply:
        if self._loaded is None:
            self._loaded = _Loaded(Llama(self._path, context=self._context), self._context, self._scoring)
        act = self._loaded.score if is_scored(request) else self._loaded.generate
        return self._adapted(request, act)

    def _unload(self) -> None:
        if self._loaded is not None:
            self._loaded.llama.close()
        self._loaded = None

    def _adapted(self, request: Request, act: Callable[[Request, Dialect], Reply | Failure]) -> Reply:
        """Act, and again without what the runtime refuses (a system message that the template does not know)."""
        dialect = self._dialect
        while True:
            outcome = act(request, dialect)
            if isinstance(outcome, Reply):
                self._dialect = dialect.joined(self._dialect)
                return replace(outcome, model=self.resolved, dropped=dialect.dropped(request))
            if (fact := as_fact(outcome)) is not None:
                return replace(fact, model=self.resolved, dropped=dialect.dropped(request))
            narrower = dialect.after(outcome, request)
            if narrower is None:
                raise as_error(outcome, where="llama.cpp", model=self._spec, key_variable="")
            dialect = narrower


class _Loaded:
    """A loaded model and its slot."""

    def __init__(self, llama: Llama, context: int, scoring: Scoring) -> None:
        self.llama = llama
        self._slot = Slot(llama)
        self._context = context
        self._prefill = PREFILL if scoring == "prefill" else ""
        self._tokens_before = lru_cache(maxsize=1)(self._without_last)  # siblings share it

    def generate(self, request: Request, dialect: Dialect) -> Reply | Failure:
        """Generate text; nothing is reused, so that the same request gives the same text."""
        self._slot.forget()
        body = dialect.body("local", request) | {"cache_prompt": False}
        return read_reply(self.llama.send("/v1/chat/completions", body), now=0)

    def score(self, request: Request, dialect: Dialect) -> Reply | Failure:
        """Read the probabilities of the labels where the reply would begin, evaluating the shared prefix once."""
        body = dialect.body("local", request)
        rendered = self.llama.ask("/apply-template", {"messages": body["messages"]})
        if isinstance(rendered, Failure):
            return rendered
        text = str(rendered["prompt"])
        tokens = self._tokens(text, request)
        if len(tokens) >= self._context:
            return Reply("", finish="other", over_long=True, input_tokens=len(tokens))
        sampling = {"temperature": request.temperature} if request.temperature is not None else {}
        seed = {"seed": body["seed"]} if "seed" in body else {}
        prefix = self._prefix(text, tokens, request)
        answer = self._slot.evaluate(tokens, prefix, n_probs=ALTERNATIVES, **sampling, **seed)
        return _read_score(answer, len(tokens))

    def _tokens(self, text: str, request: Request) -> tuple[int, ...]:
        """The prompt's tokens; a prefilled beginning ends where this vocabulary begins the label's token."""
        if not self._prefill:
            return self.llama.tokenise(text)
        return self.llama.tokenise(text + self._prefill + request.labels[0])[:-1]

    def _prefix(self, text: str, tokens: tuple[int, ...], request: Request) -> tuple[int, ...]:
        """The tokens that sibling requests share, cut back by one since a token could reach over the boundary."""
        content = next((m.content for m in reversed(request.messages) if m.role == "user"), "")
        start = text.rfind(content)
        if request.shared < 1 or start < 0:  # a template that rewrites the content shares nothing
            return ()
        before = self._tokens_before(text[: start + request.shared])
        common = before[: shared_length(before, tokens)]
        return common if len(common) >= LEAST_PREFIX else ()

    def _without_last(self, text: str) -> tuple[int, ...]:
        return self.llama.tokenise(text)[:-1]


def _read_score(answer: Mapping[str, Any], input_tokens: int) -> Reply:
    """Read the one generated position: its token, and the most probable alternatives by their log-probability."""
    position = answer["completion_probabilities"][0]
    top = tuple((str(a["token"]), float(a["logprob"])) for a in position["top_logprobs"])
    return Reply(
        str(answer["content"]),
        input_tokens=input_tokens,
        output_tokens=1,
        positions=(TokenPosition(str(position["token"]), top),),
    )
