import json

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.datasets import Skip, load
from biasscope.datasets.base import draw_roles
from biasscope.errors import DataError
from biasscope.records import Message

ROW = {"prompt": "Name a colour.", "chosen": "Teal.", "rejected": "Four."}
USER = {"role": "user", "content": "Name a colour."}
SYSTEM = {"role": "system", "content": "Be brief."}


def said(words):
    return {"role": "assistant", "content": words}


def test_optional_columns_reach_the_pair(write):
    extra = {"id": "x", "domain": "colours", "reference": "teal", "objective": True}
    pair = load(write([{**ROW, **extra}])).pairs[0]
    assert (pair.id, pair.domain, pair.reference, pair.objective) == ("x", "colours", "teal", True)


def test_without_optional_columns_nothing_is_claimed(write):
    pair = load(write([ROW])).pairs[0]
    assert (pair.domain, pair.reference, pair.objective, pair.labelled) == ("all", None, False, True)


@pytest.mark.parametrize("column", ["question", "instruction", "input", "query"])
def test_usual_names_of_the_prompt_are_understood(write, column):
    pair = load(write([{column: "q", "chosen": "a", "rejected": "b"}])).pairs[0]
    assert pair.prompt == (Message("user", "q"),)


def test_the_column_prompt_is_the_prompt_whatever_other_columns_there_are(write):
    assert load(write([{**ROW, "input": "x", "question": "y"}])).pairs[0].question == ROW["prompt"]


def test_a_prompt_may_be_a_list_of_messages(write):
    pair = load(write([{**ROW, "prompt": [SYSTEM, USER]}])).pairs[0]
    assert pair.prompt == (Message("system", "Be brief."), Message("user", "Name a colour."))


def test_message_lists_without_a_prompt_column_share_their_first_turns_as_prompt(write):
    pair = load(write([{"chosen": [USER, said("Teal.")], "rejected": [USER, said("Four.")]}])).pairs[0]
    assert (pair.prompt, pair.chosen, pair.rejected) == ((Message("user", "Name a colour."),), "Teal.", "Four.")


def test_message_lists_may_restate_the_prompt_with_more_turns(write):
    before = [SYSTEM, USER, said("Which kind?"), {"role": "user", "content": "Any."}]
    row = {**ROW, "chosen": [*before, said("Teal.")], "rejected": [*before, said("Four.")]}
    assert [m.content for m in load(write([row])).pairs[0].prompt] == [m["content"] for m in before]


def test_message_lists_that_begin_with_the_assistant_continue_the_prompt(write):
    more = [said("Which kind?"), {"role": "user", "content": "Any."}]
    row = {**ROW, "prompt": [USER], "chosen": [*more, said("Teal.")], "rejected": [*more, said("Four.")]}
    assert [m.role for m in load(write([row])).pairs[0].prompt] == ["user", "assistant", "user"]


def test_message_lists_in_parquet_are_read_alike(tmp_path):
    rows = [{"prompt": "Name a colour.", "chosen": [USER, said("Teal.")], "rejected": [USER, said("Four.")]}]
    pl.DataFrame(rows).write_parquet(tmp_path / "a.parquet")
    assert load(str(tmp_path / "a.parquet")).pairs[0].chosen == "Teal."


def test_parts_of_a_message_that_are_text_are_joined(write):
    parts = {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}
    assert load(write([{**ROW, "prompt": [parts]}])).pairs[0].question == "a\nb"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"chosen": [USER, said("a")], "rejected": [SYSTEM, said("b")]}, "prompts differ"),
        ({"chosen": [SYSTEM, said("a")], "rejected": [SYSTEM, said("b")]}, "prompts differ"),
        ({"chosen": [USER]}, "missing response"),
        ({"chosen": []}, "missing response"),
        ({"prompt": []}, "missing prompt"),
        ({"prompt": [{"role": "user", "content": " "}]}, "missing prompt"),
        ({"prompt": [{"role": "user", "content": [{"type": "image_url"}]}]}, "not text"),
        ({"prompt": [{"role": "user", "content": None}]}, "not text"),
    ],
)
def test_conversations_that_cannot_be_used_are_counted(write, change, reason):
    assert load(write([ROW, {**ROW, **change}])).skipped == (Skip(reason, 1, ("line 2",)),)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([{"role": "robot", "content": "x"}], "unknown role 'robot'"),
        ([{"content": "x"}], "holds an object where a message belongs"),
        (["x"], "holds text where a message belongs"),
        (5, "is a number, not text or messages"),
    ],
)
def test_messages_that_cannot_be_understood_are_errors(write, value, message):
    with pytest.raises(DataError, match=f"line 2: .*{message}"):
        load(write([ROW, {**ROW, "prompt": value}]))


@pytest.mark.parametrize(
    ("first", "second", "column"),
    [
        ("response_A", "response_B", "preference"),
        ("answer1", "answer2", "label"),
        ("output_a", "output_b", "winner"),
        ("completion_1", "completion_2", "preferred"),
    ],
)
@pytest.mark.parametrize("words", [("A", "B"), ("1", "2"), ("A>B", "B>A"), ("model_a", "model_b"), (None, None)])
def test_listed_responses_with_a_label_are_recognised(write, first, second, column, words):
    labels = [word or name for word, name in zip(words, (first, second), strict=True)]
    rows = [{"prompt": label + str(n), first: "x", second: "y", column: label} for n, label in enumerate(labels)]
    loaded = load(write(rows))
    assert loaded.format == "listed"
    assert [(pair.chosen, pair.rejected) for pair in loaded.pairs] == [("x", "y"), ("y", "x")]
    assert loaded.listed == (1, 1)


def test_a_listed_tie_is_counted_and_zero_is_never_guessed(write):
    row = {"prompt": "q", "answer1": "x", "answer2": "y", "winner": "A"}
    assert load(write([row, {**row, "winner": "tie"}])).skipped == (Skip("tie", 1, ("line 2",)),)
    with pytest.raises(DataError, match="line 2: unknown winner 0"):
        load(write([row, {**row, "winner": 0}]))


def test_listed_responses_without_a_label_are_unlabelled(write):
    loaded = load(write([{"prompt": f"q{n}", "answer1": "x", "answer2": "y"} for n in range(40)]))
    assert not any(pair.labelled or pair.objective for pair in loaded.pairs)
    assert {pair.chosen for pair in loaded.pairs} == {"x", "y"}
    assert loaded.listed is None
    assert loaded.notes == ("unlabelled pairs, whose roles are drawn by seed: 40",)


@pytest.mark.parametrize("word", [False, "false", "no", 0, "0"])
def test_rows_marked_as_not_labelled_get_their_roles_by_seed(write, word):
    rows = [{**ROW, "prompt": str(n), "labelled": word, "objective": True} for n in range(40)]
    pairs = load(write(rows)).pairs
    assert {pair.chosen for pair in pairs} == {"Teal.", "Four."}
    assert not any(pair.labelled or pair.objective for pair in pairs)


def test_a_flag_that_is_neither_true_nor_false_is_an_error(write):
    with pytest.raises(DataError, match="line 1: 'labelled' is 'maybe', not true or false"):
        load(write([{**ROW, "labelled": "maybe"}]))


@given(st.text(), st.text(), st.text())
def test_drawn_roles_do_not_depend_on_the_order_in_a_file(question, first, second):
    prompt = (Message("user", question),)
    assert draw_roles(prompt, first, second) == draw_roles(prompt, second, first)


@given(st.lists(st.tuples(st.text(), st.text(), st.text()), max_size=8))
def test_every_row_of_any_texts_is_kept_or_counted(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("any") / "rows.jsonl"
    lines = [{"prompt": "q", "chosen": "a", "rejected": "b"}]
    lines += [dict(zip(("prompt", "chosen", "rejected"), row, strict=True)) for row in rows]
    path.write_text(
        "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8", newline="\n"
    )
    loaded = load(str(path))
    assert loaded.read == len(lines)
    assert loaded.read == len(loaded.pairs) + sum(skip.count for skip in loaded.skipped)
    texts = {tuple(line.values()) for line in lines}
    assert all((pair.question, pair.chosen, pair.rejected) in texts for pair in loaded.pairs)
    assert len({pair.id for pair in loaded.pairs}) == len(loaded.pairs)
