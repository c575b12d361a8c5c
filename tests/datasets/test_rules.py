import json

import polars as pl
import pytest

from biasscope.datasets import Skip, load
from biasscope.errors import DataError

ROW = {"id": "a", "prompt": "Name a colour.", "chosen": "Teal.", "rejected": "Four."}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"prompt": None}, "missing prompt"),
        ({"prompt": " \n"}, "missing prompt"),
        ({"prompt": float("nan")}, "missing prompt"),
        ({"chosen": None}, "missing response"),
        ({"rejected": float("nan")}, "missing response"),
        ({"rejected": ""}, "empty response"),
        ({"chosen": " \n"}, "empty response"),
        ({"rejected": "Teal."}, "identical responses"),
        ({"rejected": " Teal.\n"}, "identical responses"),
        ({"chosen": "\ud83d"}, "invalid characters"),
    ],
)
def test_what_cannot_be_used_is_counted_with_its_place(write, change, reason):
    loaded = load(write([ROW, {**ROW, **change}]))
    assert (loaded.read, len(loaded.pairs)) == (2, 1)
    assert loaded.skipped == (Skip(reason, 1, ("line 2",)),)


def test_a_column_that_a_row_lacks_counts_as_missing(write):
    loaded = load(write([ROW, {"prompt": "q", "chosen": "a"}]))
    assert loaded.skipped == (Skip("missing response", 1, ("line 2",)),)


def test_everything_read_is_kept_or_counted_and_three_places_are_named(write):
    bad = [{**ROW, "id": n, "rejected": ""} for n in range(5)]
    loaded = load(write([ROW, *bad, {**ROW, "id": "z", "prompt": ""}]))
    assert loaded.skipped == (
        Skip("empty response", 5, ("line 2", "line 3", "line 4")),
        Skip("missing prompt", 1, ("line 7",)),
    )
    assert loaded.read == len(loaded.pairs) + sum(skip.count for skip in loaded.skipped)


def test_nan_in_parquet_counts_as_missing(tmp_path):
    rows = [{"question": str(n), "response_A": "a", "response_B": "b", "label": float(n)} for n in (1, 2)]
    frame = pl.DataFrame([*rows, {**rows[0], "label": float("nan")}, {**rows[0], "label": None}])
    frame.write_parquet(tmp_path / "a.parquet")
    loaded = load(str(tmp_path / "a.parquet"))
    assert [pair.chosen for pair in loaded.pairs] == ["a", "b"]
    assert loaded.skipped == (Skip("missing label", 2, ("row 3", "row 4")),)


@pytest.mark.parametrize("value", [4, True, ["a"], {"text": "a"}])
def test_anything_but_text_where_text_belongs_is_an_error_with_its_place(write, value):
    row = {"question": "q", "response_A": "a", "response_B": "b", "label": 1}
    path = write([row, {**row, "question": value}])
    with pytest.raises(DataError, match=r"line 2: 'question' is .*, not text"):
        load(path)


def test_bytes_in_a_table_are_no_text(tmp_path):
    pl.DataFrame([{**ROW, "chosen": b"Teal."}]).write_parquet(tmp_path / "a.parquet")
    with pytest.raises(DataError, match="row 1: 'chosen' is bytes, not text"):
        load(str(tmp_path / "a.parquet"))


def test_the_same_id_with_the_same_texts_is_a_duplicate(write):
    loaded = load(write([ROW, ROW, ROW]))
    assert len(loaded.pairs) == 1
    assert loaded.skipped == (Skip("duplicate", 2, ("line 2", "line 3")),)


def test_the_same_id_with_other_texts_is_kept_under_another_id_and_noted(write):
    others = [{**ROW, "chosen": colour} for colour in ("Red.", "Blue.", "Red.")]
    loaded = load(write([ROW, {**ROW, "id": "a#2"}, *others]))
    assert [(pair.id, pair.chosen) for pair in loaded.pairs] == [
        ("a", "Teal."),
        ("a#2", "Teal."),
        ("a#3", "Red."),
        ("a#4", "Blue."),
    ]
    assert loaded.skipped == (Skip("duplicate", 1, ("line 5",)),)
    assert any("2" in note and "ID#2" in note for note in loaded.notes)


def test_swapped_roles_under_one_id_are_other_content_and_noted_as_a_contradiction(write):
    loaded = load(write([ROW, {**ROW, "chosen": ROW["rejected"], "rejected": ROW["chosen"]}]))
    assert [pair.id for pair in loaded.pairs] == ["a", "a#2"]
    assert "pairs of responses labelled both ways round: 1" in loaded.notes


def test_ids_made_from_texts_do_not_depend_on_the_place_in_the_file(write):
    rows = [{"prompt": f"q{n}", "chosen": "a", "rejected": "b"} for n in range(3)]
    forward = load(write(rows)).pairs
    backward = load(write(rows[::-1])).pairs
    assert len({pair.id for pair in forward}) == 3
    assert forward == backward[::-1]


def test_ids_may_be_numbers_also_in_a_column_with_gaps(write):
    rows = [{**ROW, "id": 7}, {**ROW, "prompt": "q", "id": 8.0}, {**ROW, "prompt": "r", "id": None}]
    ids = [pair.id for pair in load(write(rows)).pairs]
    assert ids[:2] == ["7", "8"]
    assert len(ids[2]) == 16


def test_questions_that_come_again_are_kept_and_noted(write):
    rows = [
        {"prompt": q, "chosen": c, "rejected": "d"} for q, c in (("Why?", "a"), ("  why? ", "b"), ("How?", "c"))
    ]
    loaded = load(write(rows))
    assert len(loaded.pairs) == 3
    assert loaded.notes == ("questions that occur in more than one pair: 1 (in 2 pairs)",)


def test_a_limit_keeps_the_first_pairs_and_says_so(write):
    rows = [{"prompt": str(n), "chosen": "a", "rejected": "" if n == 0 else "b"} for n in range(9)]
    path = write(rows)
    loaded = load(path, limit=2)
    assert [pair.question for pair in loaded.pairs] == ["1", "2"]
    assert loaded.read == 3
    assert "stopped at the limit of 2" in loaded.notes
    assert loaded.sha256 == load(path).sha256


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_refused(write, limit):
    with pytest.raises(ValueError, match="at least 1"):
        load(write([ROW]), limit=limit)


def test_the_hash_is_of_the_bytes_of_the_file(write):
    first, second = write([ROW], "a.jsonl"), write([ROW], "b.jsonl")
    other = write(json.dumps(ROW) + "\n\n", "c.jsonl")
    assert load(first).sha256 == load(second).sha256 != load(other).sha256
    assert len(load(first).sha256) == 64


def test_a_file_whose_rows_are_all_skipped_loads_as_nothing(write):
    loaded = load(write([{**ROW, "chosen": ""}]))
    assert loaded.pairs == ()
    assert loaded.skipped[0].count == 1
