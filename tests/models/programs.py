"""What tests of judges that are programs share: cases, and what is answered to them."""

import json
from collections.abc import Mapping

from biasscope.ask import Request
from biasscope.config import ModelExecution, ModelSpec
from biasscope.models.open import open_model
from biasscope.parsing.program import write_case
from biasscope.records import Message


def request(replicate: int = 0, question: str = "Why?", **texts: str) -> Request:
    texts = texts or {"first": "Long answer.", "second": "Short."}
    case = write_case(question, (Message("user", question),), None, texts)
    return Request((Message("user", case),), 1024, temperature=None, replicate=replicate)


def opened(spec: str, revision: str | None = None, url: str | None = None, **execution):
    return open_model(ModelSpec(spec=spec, revision=revision, url=url), ModelExecution(**execution))


async def said(model, of: Request | None = None) -> object:
    """What a model answers, decoded."""
    return json.loads((await model.complete(of or request())).text)


def failed(answer: object, *words: str, reason: str = "failed") -> None:
    """Check that an answer is a failure with these words."""
    assert isinstance(answer, Mapping), answer
    assert answer["reason"] == reason, answer
    for word in words:
        assert word in answer["error"], answer
