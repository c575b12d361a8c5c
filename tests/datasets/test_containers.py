import json

import polars as pl
import pytest

from biasscope.datasets import load, tables
from biasscope.datasets.tables import hub_rows
from biasscope.errors import DataError

ROW = {"prompt": "Name a colour.", "chosen": "Teal.", "rejected": "Four."}
OTHER = {"prompt": "Name a river.", "chosen": "The Po.", "rejected": "The moon."}


def places(loaded):
    return {skip.reason: skip.places for skip in loaded.skipped}


def test_all_containers_give_the_same_pairs(write, tmp_path):
    frame = pl.DataFrame([ROW, OTHER])
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_csv(tmp_path / "a.csv")
    frame.write_csv(tmp_path / "a.tsv", separator="\t")
    paths = [write([ROW, OTHER]), write([ROW, OTHER], "a.json"), write([ROW, OTHER], "a.ndjson")]
    paths += [str(tmp_path / f"a.{ending}") for ending in ("parquet", "csv", "tsv")]
    loaded = [load(path) for path in paths]
    assert loaded[0].read == 2
    assert [pair.chosen for pair in loaded[0].pairs] == ["Teal.", "The Po."]
    assert all(other.pairs == loaded[0].pairs for other in loaded)


def test_parquet_is_told_by_its_content_whatever_its_name(tmp_path):
    pl.DataFrame([ROW]).write_parquet(tmp_path / "a.json")
    assert len(load(str(tmp_path / "a.json")).pairs) == 1


def test_json_lines_under_the_ending_json_are_read(write):
    assert len(load(write(f"{json.dumps(ROW)}\n{json.dumps(OTHER)}\n", "a.json")).pairs) == 2


def test_a_single_json_object_is_one_row(write):
    assert len(load(write(ROW, "a.json")).pairs) == 1


def test_a_byte_order_mark_is_no_data(write):
    line = json.dumps(ROW).encode()
    assert len(load(write(b"\xef\xbb\xbf" + line + b"\n")).pairs) == 1
    assert len(load(write(b"\xef\xbb\xbf[" + line + b"]", "a.json")).pairs) == 1
    assert len(load(write(b"\xef\xbb\xbfprompt,chosen,rejected\n1,2,3\n", "a.csv")).pairs) == 1


def test_blank_lines_are_no_rows_and_keep_the_line_numbers(write):
    tie = json.dumps({**ROW, "rejected": ROW["chosen"]})
    loaded = load(write(f"\n{json.dumps(ROW)}\n   \n{tie}\n\n"))
    assert loaded.read == 2
    assert places(loaded) == {"identical responses": ("line 4",)}


def test_a_blank_line_in_csv_is_no_row(write):
    loaded = load(write("prompt,chosen,rejected\na,b,c\n\nd,e,e\n", "a.csv"))
    assert loaded.read == 2
    assert places(loaded) == {"identical responses": ("row 3",)}


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])
def test_unicode_line_separators_inside_a_text_split_no_line(write, separator):
    row = {**ROW, "chosen": f"one{separator}two"}
    lines = json.dumps(row, ensure_ascii=False) if separator > "\x1f" else json.dumps(row)
    assert load(write(lines)).pairs[0].chosen == f"one{separator}two"
    assert load(write(f"[{lines}]", "a.json")).pairs[0].chosen == f"one{separator}two"


def test_windows_line_ends_are_no_part_of_a_row_and_stay_inside_texts(write):
    text = json.dumps({**OTHER, "chosen": "a\r\nb"})
    lines = json.dumps(ROW) + "\r\n" + text + "\r\n"
    assert [pair.chosen for pair in load(write(lines)).pairs] == ["Teal.", "a\r\nb"]
    table = load(write('prompt,chosen,rejected\r\nq,"a\r\nb",c\r\n', "a.csv"))
    assert (table.pairs[0].chosen, table.pairs[0].rejected) == ("a\r\nb", "c")


def test_texts_are_kept_as_they_are_written(write):
    row = {"prompt": "  q\n", "chosen": "\tx ", "rejected": " y\n\n"}
    pair = load(write([row])).pairs[0]
    assert (pair.question, pair.chosen, pair.rejected) == ("  q\n", "\tx ", " y\n\n")


def test_numbers_in_csv_are_texts(write):
    pair = load(write("prompt,chosen,rejected\n2+2,4,04.0\n", "a.csv")).pairs[0]
    assert (pair.chosen, pair.rejected) == ("4", "04.0")


def refused(spec):
    with pytest.raises(DataError) as caught:
        load(spec)
    assert caught.value.hint
    return str(caught.value)


def test_a_broken_json_line_names_file_line_and_column(write):
    message = refused(path := write(json.dumps(ROW) + '\n\n{"prompt": "q", "chosen": \n'))
    assert message.startswith(f"{path}, line 3: broken JSON at column ")


def test_a_broken_line_far_behind_the_first_rows_is_an_error_too(write):
    rows = "".join(json.dumps({**ROW, "prompt": str(n)}) + "\n" for n in range(99))
    assert ", line 100: broken JSON" in refused(write(rows + "{\n"))


def test_a_broken_document_names_the_line(write):
    assert ", line 3: broken JSON" in refused(write('[\n{"prompt": "q"},\n{"prompt"]\n', "a.json"))


@pytest.mark.parametrize(
    ("content", "name", "line"),
    [
        (b'{"prompt": "a"}\n{"prompt": "\xff"}\n', "a.jsonl", 2),
        (b'[\n\n{"prompt": "\xe9"}]', "a.json", 3),
        (b"prompt,chosen,rejected\na,b,c\nd,\xe9,f\n", "a.csv", 3),
    ],
)
def test_bytes_that_are_not_utf8_name_the_line(write, content, name, line):
    assert f", line {line}: not UTF-8" in refused(write(content, name))


@pytest.mark.parametrize("line", ["5", '"text"', "[1]", "null"])
def test_a_line_that_is_no_object_is_an_error(write, line):
    assert ", line 2: not a JSON object" in refused(write(json.dumps(ROW) + f"\n{line}\n"))


def test_an_array_of_other_things_is_an_error(write):
    assert "item 2: not a JSON object but a number" in refused(write([ROW, 5], "a.json"))


def test_a_key_given_twice_is_an_error_since_one_value_would_be_lost(write):
    assert "line 1" in (message := refused(write('{"prompt": "a", "chosen": "b", "chosen": "c"}\n')))
    assert "'chosen' comes twice" in message


def test_a_document_that_is_one_value_is_an_error(write):
    assert "not a JSON array or object but a number" in refused(write(" " * 5000 + "5", "a.json"))


def test_json_that_nests_without_end_is_an_error(write):
    assert "cannot be used" in refused(write("[" * 200_000, "a.json"))


@pytest.mark.parametrize("content", ["a,a,rejected\n1,2,3\n", "a, a,rejected\n1,2,3\n"])
def test_a_csv_header_given_twice_is_an_error(write, content):
    assert "'a' comes twice" in refused(write(content, "a.csv"))


@pytest.mark.parametrize("content", ["prompt,chosen\na,b,c\n", 'prompt,chosen\na,"b\n'])
def test_broken_csv_is_an_error(write, content):
    assert "broken CSV" in refused(write(content, "a.csv"))


def test_damaged_parquet_is_an_error(write):
    assert "damaged Parquet" in refused(write(b"PAR1 and nothing that follows it", "a.parquet"))


def test_a_compressed_file_is_told_apart(write):
    assert "is compressed" in refused(write(b"\x1f\x8b\x08\x00rest", "a.jsonl.gz"))


def test_plain_text_is_no_data(write):
    assert "neither Parquet nor JSON" in refused(write("Dear reader,\n", "a.txt"))


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv", "a.parquet"])
def test_an_empty_file_is_an_error(write, name):
    assert "is empty" in refused(write(b"", name))


@pytest.mark.parametrize(
    ("content", "name"),
    [("\n \n", "a.jsonl"), ("\n", "a.json"), ("[]", "a.json"), ("prompt,chosen,rejected\n", "a.csv")],
)
def test_a_file_without_a_row_is_an_error(write, content, name):
    path = write(content, name)
    with pytest.raises(DataError, match="holds no rows"):
        load(path)


def test_a_missing_file_suggests_the_nearest_name(write, tmp_path):
    path = write([ROW], "colours.jsonl")
    with pytest.raises(DataError, match="no such file") as caught:
        load(str(tmp_path / "colors.jsonl"))
    assert path in caught.value.hint


def test_a_folder_names_the_files_in_it(write, tmp_path):
    write([ROW], "colours.jsonl")
    with pytest.raises(DataError, match="is a folder") as caught:
        load(str(tmp_path))
    assert "colours.jsonl" in caught.value.hint


def test_a_path_the_system_refuses_is_one_clear_line():
    assert "cannot be read" in refused("x" * 5000)


@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl"])
def test_the_hub_reader_reads_what_polars_can_scan(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    frame = pl.DataFrame([ROW, OTHER])
    {"parquet": frame.write_parquet, "csv": frame.write_csv, "jsonl": frame.write_ndjson}[ending](path)
    assert list(hub_rows(str(path))) == [ROW, OTHER]


def test_a_hub_source_loads_like_a_file_and_is_hashed_by_its_rows(tmp_path, monkeypatch):
    pl.DataFrame([ROW, OTHER]).write_parquet(tmp_path / "a.parquet")
    monkeypatch.setitem(tables.SCANS, ".parquet", lambda url: pl.scan_parquet(tmp_path / "a.parquet"))
    hub, file = load("pairs:hf://datasets/owner/name/a.parquet"), load(str(tmp_path / "a.parquet"))
    assert hub.pairs == file.pairs
    assert hub.sha256 == load("hf://datasets/owner/name/a.parquet").sha256 != file.sha256
    pl.DataFrame([OTHER]).write_parquet(tmp_path / "a.parquet")
    assert load("hf://datasets/owner/name/a.parquet").sha256 != hub.sha256


def test_a_hub_file_that_cannot_be_had_says_what_to_do():
    with pytest.raises(DataError, match="cannot be had from the hub") as caught:
        load("hf://not-a-data-set.parquet")  # refused by polars without a request
    assert "download the file" in caught.value.hint


def test_a_hub_file_of_another_kind_is_refused_before_any_request():
    assert "hub paths end in .parquet, .csv, .jsonl" in refused("judgebench:hf://datasets/a/b/c.json")
