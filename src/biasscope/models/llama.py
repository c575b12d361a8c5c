"""One llama.cpp inside this process, spoken to through its own loopback server. Knows no prompts and no labels.

The binding's in-process calls cover completions only, and scoring also needs the chat template and the tokenizer,
which the runtime offers over HTTP alone; so everything goes that one way. The server listens on the loopback
interface, on a free port, behind a random key, and ends with the process. Calls block.
"""

from __future__ import annotations

import http.client
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from biasscope.errors import MissingExtra, ServerFault, WeightsError
from biasscope.models.failures import Failure, RawReply, find_failure

BATCH = 512
"""Tokens evaluated together. Part of what determines a score to the last bit, so it is set and not left to the runtime."""


def runtime_version() -> str:
    """Name the runtime with its version, without importing it; raises `MissingExtra` where it is not installed."""
    if find_spec("xllamacpp") is None:
        raise MissingExtra("a local model", "local")
    return f"xllamacpp {metadata.version('xllamacpp')}"


class Llama:
    """A loaded model with one slot; loading takes seconds. Not for two threads at once."""

    def __init__(self, path: Path, *, context: int) -> None:
        self._key = secrets.token_urlsafe(32)
        self._server: Any = _start(path, context, self._key)
        self._address = str(self._server.listening_address).rpartition("/")[2]

    def close(self) -> None:
        """Stop the server and free the memory; may be called twice."""
        self._server = None

    def send(self, route: str, body: Mapping[str, object]) -> RawReply:
        """Make one call; whatever status comes is returned. Raises `ServerFault` when the server has died."""
        connection = http.client.HTTPConnection(self._address)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"}
        try:
            connection.request("POST", route, json.dumps(body).encode(), headers)
            answer = connection.getresponse()
            return RawReply(answer.status, {}, answer.read())
        except (OSError, http.client.HTTPException) as error:
            raise ServerFault(f"llama.cpp broke off: {error!r}") from error
        finally:
            connection.close()

    def ask(self, route: str, body: Mapping[str, object]) -> Mapping[str, Any] | Failure:
        """Make one call and decode its JSON; a refusal is a `Failure`."""
        raw = self.send(route, body)
        try:
            decoded = json.loads(raw.body)
        except ValueError:
            decoded = None
        failure = find_failure(raw, decoded, now=0)
        return decoded if failure is None else failure

    def tokenise(self, text: str) -> tuple[int, ...]:
        """Turn rendered text into tokens, with what the model wants at the start of a text."""
        answer = self.ask("/tokenize", {"content": text, "add_special": True, "parse_special": True})
        if isinstance(answer, Failure):
            raise ServerFault(f"llama.cpp cannot tokenise: {answer.message}")
        return tuple(answer["tokens"])

    def evaluate(self, tokens: Sequence[int], *, reuse: bool, **options: object) -> Mapping[str, Any]:
        """Evaluate a prompt of tokens and generate one token.

        Without `reuse` everything is evaluated; with it, what the slot holds already is kept up to the first
        difference. Raises `ServerFault` where the runtime refuses.
        """
        body = {"prompt": list(tokens), "n_predict": 1, "cache_prompt": reuse, **options}
        answer = self.ask("/completion", body)
        if isinstance(answer, Failure):
            raise ServerFault(f"llama.cpp cannot evaluate {len(tokens)} tokens: {answer.message}")
        return answer


def _start(path: Path, context: int, key: str) -> Any:
    # Waiting threads that spin take the processor from working ones; read when the library is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        import xllamacpp
    except ImportError as error:
        raise MissingExtra("a local model", "local") from error
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = context
    params.fit_params = False  # the context is ours to choose, whatever memory is free
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = BATCH
    params.warmup = False
    # Nothing may be reused but what `evaluate` asks for, and a cut-back must always be possible.
    params.n_cache_reuse = params.cache_ram_mib = params.n_ctx_checkpoints = 0
    params.cache_idle_slots = False
    params.slot_prompt_similarity = 0.0
    params.swa_full = True
    params.verbosity = -1
    params.ui = params.endpoint_slots = False
    params.cors_origins = ""
    params.api_keys = [key]
    if threads := _threads():
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    try:
        return xllamacpp.Server(params)
    except (RuntimeError, ValueError) as error:
        raise WeightsError(
            f"llama.cpp cannot load {path}",
            hint="The file may be damaged, need a newer xllamacpp, or more memory than is free.",
        ) from error


def _threads() -> int | None:
    """How many threads to use: BIASSCOPE_THREADS, else what a pinned process may use, else the physical cores (None).

    Scores do not depend on it.
    """
    if (chosen := os.environ.get("BIASSCOPE_THREADS", "")).isdecimal() and int(chosen):
        return int(chosen)
    if not hasattr(os, "sched_getaffinity"):
        return None
    allowed = len(os.sched_getaffinity(0))
    return allowed if allowed < (os.cpu_count() or 1) else None
