"""Which rows are trained on: a reason for each that is not, and too few for anything."""

import pytest

from biasscope.errors import BadRequest, DataError
from biasscope.records import Message
from biasscope.training.checking import (
    FEWEST,
    REASONS,
    Checked,
    TokenRow,
    check_rows,
    longest_row,
    require_enough,
)
from biasscope.training.rows import TrainingRow


class Letters:
    """Every letter a token, but `th` one token: a prompt that ends in `t` changes when `h` follows it."""

    def encode(self, row):
        prompt = row.prompt if isinstance(row.prompt, str) else row.prompt[-1].content
        if prompt == "refused":
            raise BadRequest("no such turns")
        if prompt == "rewritten":
            return None
        return tuple(self._tokens(text) for text in (prompt, prompt + row.chosen, prompt + row.rejected))

    def _tokens(self, text):
        return [ord(c) for c in text.replace("th", "\u00fe")]


def row(prompt="why", chosen=" yes", rejected=" no", where="f, line 1"):
    return TrainingRow(where, prompt, chosen, rejected)


def reasons(*rows, longest=64):
    return [reason for reason, _ in check_rows(rows, Letters(), longest=longest).left_out]


def test_a_row_becomes_its_prompt_and_what_follows_it():
    (kept,) = check_rows([row("ab", "c", "de")], Letters(), longest=64).kept
    assert kept == TokenRow((97, 98), (99,), (100, 101))
    assert longest_row([kept]) == 4


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (row(chosen=" no"), "equal"),
        (row(chosen="  "), "empty"),
        (row(prompt=" "), "empty"),
        (row(prompt=(Message("user", ""),)), "empty"),
        (row("what", "his", "is"), "split"),
        (row("what", "is", "his"), "split"),
        (row("refused"), "template"),
        (row((Message("user", "rewritten"),)), "template"),
        (row(rejected="n" * 100), "over_long"),
    ],
)
def test_a_row_that_cannot_be_trained_on_is_left_out_with_its_reason_and_place(wrong, reason):
    checked = check_rows([row(), wrong, row()], Letters(), longest=64)
    assert checked.left_out == ((reason, "f, line 1"),)
    assert len(checked.kept) == 2
    assert checked.counts == {reason: 1}


def test_a_prompt_that_is_split_in_neither_reply_is_kept():
    assert reasons(row("what", " his", " is")) == []


def test_the_longest_row_counts_the_prompt_and_just_fits():
    assert reasons(row("abcd", "ef", "g"), longest=6) == []
    assert reasons(row("abcd", "ef", "g"), longest=5) == ["over_long"]


def test_too_few_rows_are_refused_with_what_became_of_the_others():
    kept = tuple(check_rows([row()] * (FEWEST - 1), Letters(), longest=64).kept)
    left = (("equal", "f, line 3"), ("equal", "f, line 7"), ("over_long", "f, line 9"))
    with pytest.raises(DataError) as error:
        require_enough(Checked(kept, left), "train.jsonl", longest=64)
    assert str(error.value).startswith(f"train.jsonl has {FEWEST - 1} pairs to train on, and at least {FEWEST}")
    assert f"2 left out: {REASONS['equal']}" in str(error.value)
    assert "f, line 3" in str(error.value)
    assert "--max-length" in error.value.hint
    require_enough(Checked((*kept, kept[0]), left), "train.jsonl", longest=64)
