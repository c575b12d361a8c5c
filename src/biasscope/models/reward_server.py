"""A reward model behind vLLM: its route for classifiers takes a conversation and gives the score.

Transport, retries and keys are those of `ChatModel`; here stand the body and how the score is read from the answer.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import replace

from biasscope.ask import Reply, Request
from biasscope.config import ModelExecution, ModelSpec
from biasscope.errors import ConfigError, ProgramFailed, ServerFault
from biasscope.models.chat import ChatModel, read_key
from biasscope.models.failures import Failure, as_fact, find_failure
from biasscope.models.programs import POINTWISE
from biasscope.parsing.program import read_case

ROUTE = "/classify"


def open_reward_server(
    spec: ModelSpec, execution: ModelExecution, *, environ: Mapping[str, str] = os.environ
) -> RewardServer:
    """Open a reward model behind the URL of a vLLM server.

    Raises ConfigError for a URL that cannot be used, and AuthenticationFailed for a key that cannot be one.
    """
    if spec.url is None:
        raise ConfigError(f"{spec.spec} needs the URL of its server", hint="It looks like http://localhost:8000.")
    url = spec.url.strip().rstrip("/").removesuffix(ROUTE).removesuffix("/v1")  # the route lies beside /v1
    return RewardServer(spec, execution, url=url, key=read_key(execution, environ))


class RewardServer(ChatModel):
    """A model that scores one conversation at a time."""

    @property
    def fingerprint(self) -> Mapping[str, object]:
        """As of any server, and that what comes is the score before any activation."""
        return {**super().fingerprint, "route": ROUTE, "activation": False}

    async def _attempt(self, request: Request) -> Reply:
        case = read_case(request.messages[-1].content)
        if case is None or case["kind"] != "pointwise":
            raise ProgramFailed(
                f"{self.spec} scores one response at a time and does nothing else",
                hint=POINTWISE,
            )
        messages = [*_listed(case["messages"]), {"role": "assistant", "content": case["response"]}]
        body = {"model": self._model, "messages": messages, "use_activation": False}
        raw = await self._send("POST", ROUTE, body)
        try:
            found: object = json.loads(raw.body)
        except ValueError:
            found = None
        failure = find_failure(raw, found, now=self._clock())
        if failure is not None:
            return self._fact(failure)
        self._key_worked = True
        return self._read(found)

    def _fact(self, failure: Failure) -> Reply:
        """A failure that is about this case alone is a reply; any other is raised."""
        if failure.status in (404, 405) and "model" not in failure.message.lower():
            raise ProgramFailed(
                f"{self._at.shown} has no route {ROUTE}", hint="Start vLLM with --runner pooling."
            )
        fact = as_fact(failure)
        if fact is None:
            raise self._error(failure)
        return replace(fact, model=self._model)

    def _read(self, found: object) -> Reply:
        """Read the score: the one class of the one conversation."""
        data = found.get("data") if isinstance(found, Mapping) else None
        one = data[0] if isinstance(data, list) and len(data) == 1 else None
        scores = one.get("probs") if isinstance(one, Mapping) else None
        if not isinstance(scores, list) or not all(isinstance(s, int | float) for s in scores):
            raise ServerFault(f"{self._at.shown}{ROUTE} sent no score", hint="Start vLLM with --runner pooling.")
        if len(scores) != 1:
            raise ProgramFailed(
                f"{self._model} has {len(scores)} classes; a reward model has one",
                hint="A classifier with several classes can be a judge as a function: python:FILE:FUNCTION.",
            )
        score = scores[0] if math.isfinite(scores[0]) else None
        model = found.get("model") if isinstance(found, Mapping) else None
        usage = found.get("usage") if isinstance(found, Mapping) else None
        read = usage.get("prompt_tokens") if isinstance(usage, Mapping) else None
        return Reply(
            json.dumps({"score": score}),
            model=model if isinstance(model, str) else "",
            input_tokens=read if isinstance(read, int) else None,
            output_tokens=0 if isinstance(read, int) else None,
        )


def _listed(messages: object) -> list[object]:
    return messages if isinstance(messages, list) else []
