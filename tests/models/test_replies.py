"""What the bodies of many servers mean: a reply, a fact about the request, or a failure."""

import json
from typing import Any

import pytest

from biasscope.ask import Reply, Request, TokenPosition
from biasscope.models.failures import Failure, RawReply
from biasscope.models.replies import FIRST_POSITIONS, LAST_POSITIONS, read_offered, read_reply, was_cut
from biasscope.records import Message


def read(body: object, status: int = 200) -> Reply | Failure:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    return read_reply(RawReply(status, {}, sent), now=0.0)


def completion(message: object, finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    return {"model": "m-1", "choices": [{"index": 0, "finish_reason": finish, "message": message}]} | more


def reply_to(message: object, finish: str | None = "stop", **more: Any) -> Reply:
    reply = read(completion(message, finish, **more))
    assert isinstance(reply, Reply)
    return reply


def test_text_model_and_usage_are_read() -> None:
    usage = {"prompt_tokens": 50, "completion_tokens": 9, "total_tokens": 59}
    expected = Reply("[[B]]", finish="stop", model="m-1", input_tokens=50, output_tokens=9)
    assert reply_to({"role": "assistant", "content": "[[B]]"}, usage=usage) == expected


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_thinking_is_kept_apart_and_never_becomes_text(name: str) -> None:
    cut = reply_to({"content": None, name: "The first looks right, so [[A]] might"}, "length")
    assert (cut.text, cut.reasoning, cut.finish) == ("", "The first looks right, so [[A]] might", "length")
    assert reply_to({"content": "2", name: "Hm."}).reasoning == "Hm."


def test_content_in_parts_is_joined_and_its_thinking_and_refusals_are_sorted_out() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "Let me see. "}]},
        {"type": "reasoning", "reasoning": "Done."},
        {"type": "text", "text": "Verdict: "},
        {"type": "text", "text": "1"},
        {"type": "refusal", "refusal": "no"},
    ]
    reply = reply_to({"content": parts})
    assert (reply.text, reply.reasoning, reply.refusal) == ("Verdict: 1", "Let me see. Done.", "no")


def test_a_refusal_is_kept_in_its_own_field() -> None:
    assert (
        reply_to({"content": None, "refusal": "I cannot help with that."}).refusal == "I cannot help with that."
    )
    assert reply_to({"content": "I must decline."}, "refusal").refusal == "I must decline."
    assert reply_to({"content": ""}, "refusal").refusal == "refusal"


@pytest.mark.parametrize(
    ("said", "finish"),
    [
        ("stop", "stop"),
        ("STOP", "stop"),
        ("eos", "stop"),
        ("length", "length"),
        ("MAX_TOKENS", "length"),
        ("content_filter", "filtered"),
        ("SAFETY", "filtered"),
        (None, "other"),
        ("tool_calls", "other"),
    ],
)
def test_finish_reasons_of_all_servers_become_four(said: str | None, finish: str) -> None:
    assert reply_to({"content": "[[B]]"}, said).finish == finish


@pytest.mark.parametrize("choices", [[], None])
def test_no_choices_is_an_empty_reply_with_its_usage(choices: object) -> None:
    reply = read({"choices": choices, "usage": {"prompt_tokens": 5, "completion_tokens": 0, "total_tokens": 5}})
    assert reply == Reply("", finish="other", input_tokens=5, output_tokens=0)


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        (None, (None, None)),
        ({}, (None, None)),
        ({"prompt_tokens": 0, "completion_tokens": 0}, (None, None)),
        ({"prompt_tokens": "7", "completion_tokens": True}, (None, None)),
        ({"prompt_tokens": 7, "completion_tokens": 3}, (7, 3)),
        ({"prompt_tokens": 100, "completion_tokens": 1364, "total_tokens": 1959}, (100, 1859)),
    ],
)
def test_tokens_that_are_not_told_are_unknown_and_thinking_is_counted(
    usage: object, counts: tuple[int | None, int | None]
) -> None:
    reply = reply_to({"content": "1"}, usage=usage)
    assert (reply.input_tokens, reply.output_tokens) == counts


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>please log in</html>",
        b'{"choices": [{"mess',
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'"text"',
        b"[]",
        {"object": "chat.completion"},
        {"choices": [None]},
        {"choices": "none"},
        {"choices": [{"finish_reason": "stop"}]},
        {"choices": [{"message": {"content": 5}}]},
    ],
)
def test_a_success_that_is_no_completion_is_a_failure_that_keeps_its_status(body: object) -> None:
    failure = read(body)
    assert isinstance(failure, Failure)
    assert failure.status == 200


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ({"code": 429, "message": "slow down"}, 429),
        ({"code": "429", "message": "slow down"}, 429),
        ({"code": 401, "message": "bad key"}, 401),
        ({"type": "rate_limit_error", "message": "slow down"}, 429),
        ({"code": "invalid_api_key", "message": "no"}, 401),
        ({"status": "INVALID_ARGUMENT", "message": "no"}, 400),
        ({"type": "overloaded_error", "message": "busy"}, 500),
        ("something broke", 500),
    ],
)
def test_an_error_inside_a_success_counts_by_its_own_code(error: object, status: int) -> None:
    failure = read({"error": error})
    assert isinstance(failure, Failure)
    assert failure.status == status


def test_an_error_inside_the_choice_counts_too() -> None:
    error = {"code": 502, "message": "upstream"}
    body = {"choices": [{"finish_reason": "error", "error": error, "message": {"content": ""}}]}
    assert read(body) == Failure(502, "upstream", code="502")
    assert isinstance(broken := read(completion({"content": "half a te"}, "abort")), Failure)
    assert broken.status == 500


def test_an_empty_error_field_is_no_error() -> None:
    assert reply_to({"content": "1"}, error=None).text == "1"


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"error": {"message": "request (4390 tokens) is large", "type": "exceed_context_size_error"}}),
        (400, {"error": {"message": "too much", "code": "context_length_exceeded"}}),
        (400, {"object": "error", "message": "The maximum context length is 4096 tokens, you asked for 5000"}),
        (400, {"error": {"message": "The input (50 tokens) is longer than the model's context length"}}),
        (400, {"error": {"message": "prompt is too long: 210000 tokens > 200000"}}),
        (400, [{"error": {"code": 400, "message": "The input token count (9) exceeds the maximum number (5)"}}]),
        (422, {"error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096"}),
        (500, {"error": {"code": 500, "message": "Context size has been exceeded.", "type": "server_error"}}),
        (413, {"error": {"message": "payload"}}),
        (429, {"error": {"message": "Request too large for m on tokens per min: limit 10, requested 12"}}),
        (200, {"error": {"code": 400, "message": "it exceeds the available context size"}}),
        (
            400,
            {"error": {"message": "Provider error", "metadata": {"raw": '{"code":"context_length_exceeded"}'}}},
        ),
    ],
)
def test_a_request_that_does_not_fit_is_a_fact_and_no_exception(status: int, body: object) -> None:
    assert read(body, status) == Reply("", finish="other", over_long=True)


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (429, "too many tokens per minute, your context window of requests is full"),
        (401, "no key for the context window"),
        (503, "the input is too long in the queue"),
        (400, "max_tokens is too large: 99999, at most 4096 completion tokens"),
    ],
)
def test_other_refusals_are_not_taken_for_a_long_request(status: int, message: str) -> None:
    assert isinstance(read({"error": {"message": message}}, status), Failure)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, {"code": "content_filter", "message": "blocked by the content management policy"}),
        (400, {"code": "invalid_prompt", "message": "Your prompt was flagged as harmful"}),
        (403, {"code": 403, "message": "The input was flagged by moderation"}),
    ],
)
def test_a_prompt_that_a_filter_blocks_is_a_filtered_reply(status: int, error: object) -> None:
    assert read({"error": error}, status) == Reply("", finish="filtered")


def logprobs(tokens: list[str]) -> dict[str, Any]:
    top = [{"token": "1", "logprob": -0.1}, {"token": "2", "logprob": -2.5}]
    return {"content": [{"token": token, "logprob": -0.3, "top_logprobs": top} for token in tokens]}


def with_logprobs(given: object) -> tuple[TokenPosition, ...]:
    body = completion({"content": "1"})
    body["choices"][0]["logprobs"] = given
    reply = read(body)
    assert isinstance(reply, Reply)
    return reply.positions


def test_log_probabilities_are_read_with_the_token_itself_among_them() -> None:
    top = (("1", -0.1), ("2", -2.5))
    assert with_logprobs(logprobs(["1", "so"])) == (
        TokenPosition("1", top),
        TokenPosition("so", (*top, ("so", -0.3))),
    )


def test_the_first_and_the_last_positions_are_kept() -> None:
    kept = FIRST_POSITIONS + LAST_POSITIONS
    tokens = [str(n) for n in range(kept + 3)]
    assert [p.token for p in with_logprobs(logprobs(tokens[:kept]))] == tokens[:kept]
    ends = tokens[:FIRST_POSITIONS] + tokens[-LAST_POSITIONS:]
    assert [p.token for p in with_logprobs(logprobs(tokens))] == ends


def test_alternatives_without_any_probability_are_left_out() -> None:
    top = [{"token": "1", "logprob": -9999.0}, {"token": "2", "logprob": float("-inf")}, {"token": "3"}, None]
    top += [{"token": "5", "logprob": float("inf")}, {"token": "6", "logprob": float("nan")}]
    entry = {"token": "4", "logprob": -1, "top_logprobs": top}
    assert with_logprobs({"content": [entry]}) == (TokenPosition("4", (("4", -1.0),)),)


@pytest.mark.parametrize("given", [None, {}, {"content": None}, {"content": []}, {"tokens": ["1"]}])
def test_missing_log_probabilities_give_no_positions(given: object) -> None:
    assert with_logprobs(given) == ()


def prompt(text: str) -> Request:
    return Request((Message("system", "Judge."), Message("user", text)), max_tokens=5)


def test_a_prompt_far_longer_than_its_reported_tokens_was_cut() -> None:
    text = "The quick answer explains its steps. " * 500
    assert was_cut(prompt(text), 2048)
    assert not was_cut(prompt(text), 3500)
    assert not was_cut(prompt(text), 900)
    assert not was_cut(prompt(text), None)


def test_runs_of_one_character_do_not_look_like_a_cut_prompt() -> None:
    assert not was_cut(prompt("head" + " " * 40_000 + "=" * 40_000 + "tail"), 1200)


def test_the_models_on_offer_are_listed() -> None:
    listed = {"data": [{"id": "b"}, {"id": "a"}, {"name": "no id"}, "odd"]}
    assert read_offered(RawReply(200, {}, json.dumps(listed).encode()), now=0) == ["a", "b"]
    assert isinstance(read_offered(RawReply(200, {}, b"{}"), now=0), Failure)
    assert isinstance(read_offered(RawReply(404, {}, b"nothing"), now=0), Failure)
