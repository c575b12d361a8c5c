"""Rows to train on: two formats, and the line that is of neither."""

import json

import pytest

from biasscope.errors import DataError
from biasscope.records import Message
from biasscope.training.rows import read_rows

from .tiny import rows, texts, write

USER = {"role": "user", "content": "Why?"}
YES = {"role": "assistant", "content": "Yes."}
NO = {"role": "assistant", "content": "No."}


def one(tmp_path, **row):
    return read_rows(write(tmp_path / "rows.jsonl", [row]))[0]


def test_texts_are_gone_on_from_and_conversations_are_messages(tmp_path):
    text = one(tmp_path, prompt="Why?", chosen=" Yes.", rejected=" No.", source="kept aside")
    assert (text.prompt, text.chosen, text.rejected) == ("Why?", " Yes.", " No.")
    turns = one(tmp_path, prompt=[USER], chosen=[YES], rejected=[NO])
    assert turns.prompt == (Message("user", "Why?"),)
    assert (turns.chosen, turns.rejected) == ("Yes.", "No.")
    assert turns.where.endswith("rows.jsonl, line 1")


def test_a_conversation_without_a_prompt_has_what_both_replies_begin_with(tmp_path):
    assert one(tmp_path, chosen=[USER, YES], rejected=[USER, NO]) == one(
        tmp_path, prompt=[USER], chosen=[YES], rejected=[NO]
    )
    with pytest.raises(DataError, match="differ before their last turn"):
        one(tmp_path, chosen=[USER, YES], rejected=[USER | {"content": "How?"}, NO])


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"prompt": "Why?", "chosen": "Yes."}, "rejected is nothing"),
        ({"prompt": "Why?", "chosen": [YES], "rejected": [NO]}, "prompt is text"),
        ({"prompt": [USER], "chosen": [YES, YES], "rejected": [NO]}, "not one message of the assistant"),
        ({"prompt": [USER], "chosen": [USER], "rejected": [NO]}, "not one message of the assistant"),
        ({"prompt": [{"role": "tool", "content": "x"}], "chosen": [YES], "rejected": [NO]}, "no system, user or"),
        ({"prompt": [{"role": "user", "content": None}], "chosen": [YES], "rejected": [NO]}, "with a text"),
    ],
)
def test_a_row_of_neither_format_is_refused_with_its_line(tmp_path, row, said):
    file = write(
        tmp_path / "rows.jsonl", [*rows(2), row] if isinstance(row["prompt"], list) else [*texts(2), row]
    )
    with pytest.raises(DataError, match="line 3") as error:
        read_rows(file)
    assert said in str(error.value)
    assert "prompt" in error.value.hint


def test_texts_and_conversations_in_one_file_are_refused(tmp_path):
    with pytest.raises(DataError, match="line 3: texts and conversations in one file"):
        read_rows(write(tmp_path / "rows.jsonl", [*rows(2), *texts(1)]))


def test_a_file_without_rows_or_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(DataError, match="holds no row"):
        read_rows(write(tmp_path / "rows.jsonl", []))
    with pytest.raises(DataError, match="cannot read"):
        read_rows(tmp_path / "absent.jsonl")
    (tmp_path / "broken.jsonl").write_text(json.dumps(rows(1)[0])[:-4])
    with pytest.raises(DataError, match="line 1"):
        read_rows(tmp_path / "broken.jsonl")
