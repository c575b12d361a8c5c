"""A published benchmark read back to its items, and a file with the published columns alone."""

import json

import polars as pl
import pytest

from biasscope.benchmarks.provenance import Provenance
from biasscope.datasets.hardened import load_items
from biasscope.errors import DataError
from biasscope.seeds import question_hash

PLAIN = {
    "question": "Is 7  prime?",
    "response_A": "Yes.",
    "response_B": "Experts say no.",
    "label": 1,
    "injected_bias": "authority",
    "domain": "math",
}
TRACED = PLAIN | {
    "id": "p1--authority--1--pro",
    "variant": "p1--authority--1",
    "subset": "pro",
    "source_pair": "p1",
    "source": "mine",
    "chosen_form": "original",
    "rejected_form": "biased",
    "writer": "openai:gpt-x",
    "kept": True,
    "unfiltered_sample": False,
    "objective": True,
}


def test_a_row_with_the_published_columns_is_one_sided_and_known_by_its_question(write):
    found = load_items(write([PLAIN, PLAIN | {"question": "IS 7 PRIME?", "label": "2"}]))
    first, second = found.items

    assert found.plain
    assert (first.subset, first.trait_side, first.kept, first.source_pair) == ("pro", "rejected", None, "")
    assert (first.chosen, first.rejected, first.injected_bias) == ("Yes.", "Experts say no.", "authority")
    assert second.chosen == "Experts say no."
    assert first.question_hash == second.question_hash == question_hash("is 7 prime?")
    assert first.id != second.id


def test_columns_that_others_use_for_something_else_make_no_benchmark_of_a_file(write):
    found = load_items(write([PLAIN | {"subset": "alpacaeval-easy", "pair_id": "abc", "id": 3}]))

    assert found.plain
    assert (found.items[0].id, found.items[0].subset) == ("abc", "pro")


@pytest.mark.parametrize("ending", ["jsonl", "parquet", "csv"])
def test_a_row_with_its_provenance_keeps_it_in_every_container(write, tmp_path, ending):
    rows = [
        TRACED,
        TRACED
        | {"id": "x2", "subset": "crossed", "chosen_form": "biased", "kept": None, "unfiltered_sample": True},
        TRACED
        | {"id": "p1", "subset": "original", "rejected_form": "original", "injected_bias": "", "kept": None},
    ]
    path = tmp_path / f"set.{ending}"
    frame = pl.DataFrame(rows)
    {"jsonl": frame.write_ndjson, "parquet": frame.write_parquet, "csv": frame.write_csv}[ending](path)
    pro, crossed, original = load_items(str(path)).items

    assert (pro.kept, pro.unfiltered_sample, pro.variant, pro.writer) == (
        True, False, "p1--authority--1", "openai:gpt-x",
    )  # fmt: skip
    assert (crossed.kept, crossed.unfiltered_sample, crossed.trait_side) == (None, True, "both")
    assert (original.subset, original.injected_bias, original.trait_side) == ("original", "", "neither")
    assert (pro.objective, pro.domain, pro.source) == (True, "math", "mine")


def test_what_cannot_be_used_is_counted(write):
    found = load_items(
        write([TRACED, TRACED, TRACED | {"id": "e", "response_A": " "}, TRACED | {"id": "s", "response_A": "Experts say no."},
               TRACED | {"id": "n", "label": None}, TRACED | {"response_A": "Other."}])
    )  # fmt: skip

    assert (found.read, [item.id for item in found.items]) == (6, [TRACED["id"], f"{TRACED['id']}#2"])
    assert {s.reason: s.count for s in found.skipped} == {
        "duplicate": 1, "empty response": 1, "identical responses": 1, "missing label": 1,
    }  # fmt: skip


def test_what_is_no_benchmark_is_refused_with_the_column_or_the_place(write):
    with pytest.raises(DataError, match="no column 'response_A'"):
        load_items(write([{"question": "a", "chosen": "b", "rejected": "c", "label": 1}]))
    with pytest.raises(DataError, match="'source_pair' but none 'chosen_form'"):
        load_items(write([PLAIN | {"source_pair": "p"}]))
    with pytest.raises(DataError, match=r"line 2: unknown subset 'prof'"):
        load_items(write([TRACED, TRACED | {"id": "b", "subset": "prof"}]))
    with pytest.raises(DataError, match=r"no row of .* can be used \(identical responses: 1\)"):
        load_items(write([PLAIN | {"response_B": "Yes."}]))
    with pytest.raises(DataError, match="no such file"):
        load_items("absent.jsonl")


SUMMARY = {
    "schema_version": "biasscope.benchmark/1",
    "writers": ["openai:gpt-x", "rule"],
    "filter": {"keep": "1/1", "judges": [{"judge": "openai:judge-y"}]},
    "biases": [
        {"bias": "authority", "discovered_on": ["local:judge-z"]},
        {"bias": "length", "discovered_on": []},
    ],
}


def test_a_published_folder_is_read_whole_and_a_row_in_two_files_counts_once(write, tmp_path):
    sample = TRACED | {"id": "p2--pro", "kept": False, "unfiltered_sample": True}
    both = TRACED | {"unfiltered_sample": True}
    write([both], "set/data/pro.jsonl")
    write([both, sample], "set/data/pro-unfiltered.jsonl")
    (tmp_path / "set" / "README.md").write_text("A card.")
    (tmp_path / "set" / "benchmark.json").write_text(json.dumps(SUMMARY))
    found = load_items(str(tmp_path / "set"))

    assert sorted(item.id for item in found.items) == sorted([TRACED["id"], "p2--pro"])
    assert (found.read, found.skipped, found.plain) == (3, (), False)
    assert found.made_by == Provenance(("openai:gpt-x",), ("openai:judge-y",), ("local:judge-z",))
    assert found.sha256 != load_items(str(tmp_path / "set" / "data" / "pro.jsonl")).sha256

    write([both | {"response_A": "Edited."}], "set/data/pro.jsonl")
    with pytest.raises(DataError, match="holds another row 'p1--authority--1--pro'"):
        load_items(str(tmp_path / "set"))


def test_one_file_of_a_published_folder_is_known_by_the_summary_above_it(write, tmp_path):
    path = write([TRACED | {"writer": "openai:other"}], "set/data/pro.jsonl")
    (tmp_path / "set" / "benchmark.json").write_text(json.dumps(SUMMARY | {"filter": None}))

    assert load_items(path).made_by == Provenance(("openai:other", "openai:gpt-x"), (), ("local:judge-z",))


def test_the_folder_of_a_build_is_read_too_and_a_report_of_another_kind_says_nothing(write, tmp_path):
    write([TRACED], "run/items.jsonl")
    (tmp_path / "run" / "report.json").write_text(
        json.dumps({"schema_version": "biasscope.measure/1", "filter": 3})
    )

    assert load_items(str(tmp_path / "run")).made_by == Provenance(("openai:gpt-x",))


def test_a_folder_without_rows_and_a_summary_that_is_torn_are_refused(write, tmp_path):
    (tmp_path / "none").mkdir()
    with pytest.raises(DataError, match=r"neither items\.jsonl nor rows"):
        load_items(str(tmp_path / "none"))
    write([TRACED], "set/data/pro.jsonl")
    for torn in ("{", json.dumps(SUMMARY | {"filter": {"rule": 1}}), json.dumps(SUMMARY | {"biases": [1]})):
        (tmp_path / "set" / "benchmark.json").write_text(torn)
        with pytest.raises(DataError, match=r"cannot be read|who made it"):
            load_items(str(tmp_path / "set"))


@pytest.mark.shared
@pytest.mark.parametrize(
    ("path", "items", "questions"),
    [("judgebench/judge_bench.parquet", 619, 527), ("rewardbench/rewardbench_filtered.parquet", 2985, 2733)],
)
def test_real_files_with_the_published_columns_are_read_as_plain_ones(shared_data, path, items, questions):
    found = load_items(str(shared_data / path))

    assert found.plain
    assert found.read == len(found.items) + sum(skip.count for skip in found.skipped)
    assert (len(found.items), len({item.question_hash for item in found.items})) == (items, questions)
