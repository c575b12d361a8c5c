"""What is learned from the words of a refusal, and that learning comes to an end."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biasscope.ask import Request
from biasscope.models.dialect import Dialect
from biasscope.models.failures import Failure
from biasscope.records import Message

FULL = Request((Message("user", "Q"),), max_tokens=5, seed=1, labels=("1", "2"), schema="{}")
PLAIN = Request((Message("user", "Q"),), max_tokens=5, temperature=None)


def after(message: str, request: Request = FULL, status: int = 400, **failure: Any) -> Dialect | None:
    return Dialect().after(Failure(status, message, **failure), request)


def refusing(*names: str) -> Dialect:
    return Dialect(refused=frozenset(names))


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("'temperature' does not support 0.0 with this model", "temperature"),
        ("Unrecognized request argument supplied: seed", "seed"),
        ('Unknown name "seed": cannot find field', "seed"),
        ("Logprobs is not enabled for models/m", "logprobs"),
        ("This model does not support response_format of that kind", "schema"),
        ("temperature together with seed is not supported", "temperature"),
        ("at temperature 0 the parameter `seed` is not supported", "seed"),
    ],
)
def test_the_refused_parameter_is_found_by_its_name(message: str, name: str) -> None:
    assert after(message) == refusing(name)


def test_a_named_field_wins_over_words() -> None:
    assert after("temperature or seed?", param="seed") == refusing("seed")
    assert after("bad schema with a temperature in it", param="response_format.json_schema") == refusing("schema")
    assert after("temperature", param="messages[0].content") is None


def test_reasoning_models_that_forbid_log_probabilities_do_so_with_403() -> None:
    assert after("You are not allowed to request logprobs from this model", status=403) == refusing("logprobs")


@pytest.mark.parametrize("status", [200, 401, 404, 413, 429, 500, 503])
def test_other_statuses_teach_nothing(status: int) -> None:
    assert after("seed is not supported", status=status) is None


def test_what_was_not_sent_cannot_have_been_refused() -> None:
    assert after("temperature and seed are not supported", PLAIN) is None


def test_the_name_of_the_token_limit_is_switched_once() -> None:
    said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    switched = after(said, param="max_tokens")
    assert switched == Dialect(token_field="max_completion_tokens")
    assert switched.after(Failure(400, "Unsupported parameter: 'max_completion_tokens'"), PLAIN) is None


def test_a_token_limit_that_is_too_large_is_no_refusal_of_its_name() -> None:
    assert after("max_tokens is too large: 99999", param="max_tokens") is None
    assert after("max_tokens is too large: 99999") is None


@pytest.mark.parametrize(
    ("message", "number"),
    [
        ("Requested sample logprobs of 40, which is greater than max allowed: 20", 20),
        ("the valid range of top_logprobs is [0, 5]", 5),
        ("top_logprobs must be less than or equal to 11", 11),
        ("top_logprobs exceeds what is allowed", 20),
    ],
)
def test_the_number_of_alternatives_follows_the_message(message: str, number: int) -> None:
    dialect = Dialect(top_logprobs=40).after(Failure(400, message), FULL)
    assert dialect == Dialect(top_logprobs=number)


def test_alternatives_fall_to_twenty_and_five_before_they_are_given_up() -> None:
    dialect: Dialect | None = Dialect(top_logprobs=40)
    seen = []
    while dialect is not None and "logprobs" not in dialect.refused:
        seen.append(dialect.top_logprobs)
        dialect = dialect.after(Failure(400, "top_logprobs is above the limit"), FULL)
    assert seen == [40, 20, 5]


def test_a_digit_of_a_model_name_is_no_limit() -> None:
    assert after("logprobs not supported by gpt-4.1 or o3") == refusing("logprobs")


def test_a_refused_system_role_is_folded_even_after_a_server_fault() -> None:
    request = Request((Message("system", "S"), Message("assistant", "A")), max_tokens=5)
    assert after("System role not supported", request, status=500) == Dialect(folds_system=True)
    assert after("System role not supported", PLAIN) is None
    folded = Dialect(folds_system=True).body("m", request)["messages"]
    assert folded == [{"role": "user", "content": "S"}, {"role": "assistant", "content": "A"}]


def test_lone_surrogates_are_replaced_in_what_is_sent() -> None:
    request = Request((Message("user", "a\ud800b\U0001f600"),), max_tokens=5)
    assert Dialect().body("m", request)["messages"] == [{"role": "user", "content": "a\ufffdb\U0001f600"}]


WORDS = [
    "temperature",
    "seed",
    "top_logprobs",
    "max_tokens",
    "max_completion_tokens",
    "unsupported",
    "max 17",
    "3",
]
WORDS += ["response_format", "System role", "logprobs"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), min_size=30, max_size=30))
def test_learning_from_any_refusals_comes_to_an_end(messages: list[str]) -> None:
    request = Request((Message("system", "S"), *FULL.messages), max_tokens=5, seed=1, labels=("1",), schema="{}")
    dialect, learned = Dialect(top_logprobs=40), 0
    for message in messages:
        narrower = dialect.after(Failure(400, message), request)
        if narrower is not None:
            assert narrower.joined(dialect) == narrower != dialect
            dialect, learned = narrower, learned + 1
    assert learned <= 10


def test_two_lessons_are_joined() -> None:
    one = Dialect(token_field="max_completion_tokens", top_logprobs=20, refused=frozenset({"seed"}))
    two = Dialect(top_logprobs=5, refused=frozenset({"temperature"}), folds_system=True)
    both = Dialect("max_completion_tokens", 5, frozenset({"seed", "temperature"}), folds_system=True)
    assert one.joined(two) == two.joined(one) == both
