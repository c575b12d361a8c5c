"""Which judges had a hand in a benchmark, and which only look like relatives."""

import pytest

from biasscope.benchmarks.provenance import Provenance
from biasscope.errors import UsageError
from biasscope.workflows.relations import (
    Guess,
    Relation,
    families,
    guesses,
    is_same,
    parse_related,
    relations,
)

MADE = Provenance(
    writers=("openai:gpt-4o-mini", "rule"),
    filters=("openai:meta-llama/Llama-3.1-8B-Instruct",),
    discovery=("local:qwen2.5-coder-0.5b",),
)


def test_a_judge_that_had_a_hand_in_the_set_is_related_wherever_it_is_served():
    (by_filter,) = relations("inspect:hf/meta-llama/llama-3.1-8b-instruct", MADE, {})
    (by_writer,) = relations("openai:gpt-4o-mini", MADE, {})

    assert by_filter.hand == "filter"
    assert by_filter.reason.endswith("(as openai:meta-llama/Llama-3.1-8B-Instruct)")
    assert by_writer == Relation("writer", "it wrote rewrites of the benchmark")
    assert [r.hand for r in relations("local:models/Qwen2.5-Coder-0.5B.gguf", MADE, {})] == ["discovery"]
    assert relations("openai:gpt-4o", MADE, {}) == ()


def test_what_the_user_says_counts_beside_it():
    related = {"openai:gpt-4o": "same vendor as the writer"}

    assert relations("openai:gpt-4o", MADE, related) == (Relation("named", "same vendor as the writer"),)
    both = relations("openai:gpt-4o-mini", MADE, {"openai:gpt-4o-mini": "it is the writer"})
    assert [r.hand for r in both] == ["writer", "named"]


def test_a_relative_by_name_is_a_guess_and_the_model_itself_is_none():
    assert guesses("openai:gpt-4.1", MADE) == (Guess("writer", "openai:gpt-4o-mini", "OpenAI"),)
    assert guesses("openai:o3-mini", MADE)[0].family == "OpenAI"
    assert guesses("openai:gpt-4o-mini", MADE) == ()
    assert guesses("inspect:anthropic/claude-x", MADE) == ()
    distilled = guesses("openai:deepseek-ai/DeepSeek-R1-Distill-Llama-8B", MADE)
    assert [(g.hand, g.family) for g in distilled] == [("filter", "Meta")]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("openai:mistralai/Mixtral-8x7B", ("Mistral",)),
        ("inspect:google/gemini-2.5-pro", ("Google",)),
        ("local:smollm2-135m", ("Hugging Face",)),
        ("openai:phi-4", ("Microsoft",)),
        ("openai:acme-9b-judge", ("acme",)),
        # a name that only holds the letters of another is none of its family
        ("openai:dolphin-3", ("dolphin",)),
        ("python:judge.py:gpt", ()),
        ("planted:fair", ()),
    ],
)
def test_families_are_told_from_names(spec, expected):
    assert families(spec) == expected


def test_programs_are_the_same_only_by_their_whole_spec():
    assert is_same("python:a/judge.py:judge", "python:a/judge.py:judge")
    assert not is_same("python:a/judge.py:judge", "python:b/judge.py:judge")
    assert not is_same("planted:fair", "planted:fair;seed=1")


def test_related_takes_judges_whose_spec_has_signs_of_equality():
    judges = ["planted:biases=authority@3", "planted:biases=authority@3=x", "openai:m"]

    assert parse_related(["planted:biases=authority@3=x=it wrote", "openai:m= a cousin "], judges) == {
        "planted:biases=authority@3=x": "it wrote",
        "openai:m": "a cousin",
    }
    for wrong in ("openai:n=a cousin", "openai:m", "openai:m= "):
        with pytest.raises(UsageError, match="none of the judges") as error:
            parse_related([wrong], judges)
        assert "openai:m" in error.value.hint
