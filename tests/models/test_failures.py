"""How failures are described and which exception they become."""

import json

import pytest

from biasscope.errors import (
    AuthenticationFailed,
    BadRequest,
    ModelNotFound,
    ProviderError,
    RateLimited,
    ServerFault,
)
from biasscope.models.failures import (
    SHOWN_CHARACTERS,
    Failure,
    RawReply,
    as_error,
    find_failure,
    offer_hint,
    plain,
    retry_after,
)

NOON = 1_900_000_000.0  # Sun, 17 Mar 2030 17:46:40 GMT


def failure(status: int, body: object, **headers: str) -> Failure:
    text = body if isinstance(body, str) else json.dumps(body)
    raw = RawReply(status, {name.replace("_", "-"): value for name, value in headers.items()}, text.encode())
    found = find_failure(raw, None if isinstance(body, str) else body, now=NOON)
    assert found is not None
    return found


def error(status: int, message: str = "said", code: str = "", wait: float | None = None) -> ProviderError:
    return as_error(
        Failure(status, message, code, retry_after=wait), where="http://h/v1", model="m", key_variable="K"
    )


@pytest.mark.parametrize(
    ("body", "message", "param"),
    [
        ({"error": {"message": "no", "param": "seed", "code": "c"}}, "no", "seed"),
        ([{"error": {"message": "no"}}], "no", ""),
        ({"error": "no"}, "no", ""),
        ({"object": "error", "message": "no"}, "no", ""),
        ({"detail": "no"}, "no", ""),
        ({"detail": [{"loc": ["body", "seed"], "msg": "extra", "input": "long"}]}, "seed: extra", "seed"),
        ({"message": {"detail": [{"loc": ["body", "seed"], "msg": "extra"}]}}, "seed: extra", "seed"),
        ({"error": {"message": "wrapped", "metadata": {"raw": "inner"}}}, "wrapped: inner", ""),
        ({"error": {"type": "odd_error"}}, "odd_error", ""),
        ({"error": {"message": {"reason": 1}}}, '{"reason": 1}', ""),
        ({}, "no explanation", ""),
        ("<html>\n  bad\x1b[31m gateway</html>", "<html> bad [31m gateway</html>", ""),
    ],
)
def test_error_bodies_of_every_shape_are_read(body: object, message: str, param: str) -> None:
    found = failure(400, body)
    assert (found.status, found.message, found.param) == (400, message, param)


def test_a_success_is_no_failure() -> None:
    assert find_failure(RawReply(200, {}, b""), {"choices": [], "error": None}, now=NOON) is None


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, AuthenticationFailed),
        (403, AuthenticationFailed),
        (404, ModelNotFound),
        (429, RateLimited),
        (408, ServerFault),
        (500, ServerFault),
        (503, ServerFault),
        (529, ServerFault),
        (200, ServerFault),
        (302, BadRequest),
        (400, BadRequest),
        (402, BadRequest),
        (422, BadRequest),
    ],
)
def test_every_status_has_its_exception(status: int, kind: type[ProviderError]) -> None:
    raised = error(status)
    assert type(raised) is kind
    assert raised.status == status
    assert "said" in str(raised)
    assert "http://h/v1" in str(raised)


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "model_not_found"),
        (400, "big-one is not a valid model ID"),
        (403, "The model `m` does not exist or you have no access to it"),
        (500, "model 'm' not found, try pulling it first"),
    ],
)
def test_an_unknown_model_is_recognised_by_words(status: int, message: str) -> None:
    assert type(error(status, message)) is ModelNotFound


def test_an_account_without_credit_is_not_worth_a_retry() -> None:
    raised = error(429, "quota", code="insufficient_quota")
    assert type(raised) is BadRequest
    assert "credit" in raised.hint
    assert type(error(429, "You exceeded your current quota, retry in 30 s")) is RateLimited


def test_the_hint_names_the_variable_of_the_key() -> None:
    assert error(401).hint == "Set K to a key that is valid there."


def test_a_long_message_is_cut_for_people() -> None:
    assert len(str(error(400, "x" * 1000))) < SHOWN_CHARACTERS + 60
    assert plain("a\nb\tc\u202e\x00d" + "e" * 50, 9) == "a b c dee"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "Sun, 17 Mar 2030 17:47:40 GMT"}, 60.0),
        ({"retry-after": "Sun, 17 Mar 2030 17:40:00 GMT"}, 0.0),
        ({"retry-after": "Sun, 99 Mar 2030 17:40:00 GMT"}, None),
    ],
)
def test_the_wait_is_read_from_milliseconds_seconds_and_dates(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after(headers, NOON) == seconds


def test_the_wait_travels_with_the_failure_and_the_error() -> None:
    found = failure(429, {"error": {"message": "slow"}}, retry_after="9")
    assert found.retry_after == 9
    assert error(429, wait=found.retry_after).retry_after == 9


def test_the_hint_about_models_names_the_closest_and_does_not_list_hundreds() -> None:
    names = [f"model-{n}" for n in range(300)]
    assert offer_hint("modle-7", names).startswith("Did you mean 'model-7'? The server offers model-0, ")
    assert offer_hint("qqq", names).endswith("model-7 and 292 more.")
    assert "base URL" in offer_hint("m", [])
