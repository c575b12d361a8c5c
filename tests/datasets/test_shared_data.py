"""Real files, as published: every one is recognised, and its counts are known."""

import json

import pytest

from biasscope.datasets import Skip, Twins, check, load, load_library, load_rewrites, shared_questions
from biasscope.datasets.rewardbench import section

pytestmark = pytest.mark.shared

COUNTS = [
    ("judgebench/judgebench-gpt-4o.jsonl", "judgebench", 350, 350),
    ("judgebench/judgebench-claude-3-5-sonnet.jsonl", "judgebench", 270, 269),
    ("judgebench/judge_bench.parquet", "biasscope", 620, 619),
    ("rewardbench/rewardbench_filtered.parquet", "rewardbench", 2985, 2985),
    ("llmbar/Natural.json", "llmbar", 100, 100),
    ("llmbar/Neighbor.json", "llmbar", 134, 134),
    ("llmbar/GPTInst.json", "llmbar", 92, 92),
    ("llmbar/GPTOut.json", "llmbar", 47, 47),
    ("llmbar/Manual.json", "llmbar", 46, 46),
    ("evalbiasbench/biasbench.json", "evalbiasbench", 80, 80),
    ("rmbench/chat_filtered.json", "rmbench", 129, 387),
    ("calm/authority_bias.json", "calm", 150, 851),
    ("calm/fallacy_oversight_bias.json", "calm", 500, 500),
    ("calm/refinement_bias.json", "calm", 150, 147),
    ("calm/sentiment_bias.json", "calm", 150, 1192),
    ("calm/verbosity_bias.json", "calm", 500, 500),
    ("official/basic_biases.json", "seed-library", 7, 7),
]


@pytest.mark.parametrize(("name", "format_", "read", "records"), COUNTS, ids=[name for name, *_ in COUNTS])
def test_a_published_file_is_recognised_and_counted(shared_data, name, format_, read, records):
    report = check(str(shared_data / name))
    assert (report.format, report.read, report.records) == (format_, read, records)
    json.dumps(report.to_json())


def test_every_published_file_is_covered_here(shared_data):
    found = {str(p.relative_to(shared_data)) for p in shared_data.glob("*/*") if p.parent.name != "judgments"}
    assert found == {name for name, *_ in COUNTS}


def test_the_one_judgebench_row_with_identical_responses_is_found_in_both_releases(shared_data):
    lines = load(str(shared_data / "judgebench/judgebench-claude-3-5-sonnet.jsonl"))
    table = load(str(shared_data / "judgebench/judge_bench.parquet"))
    assert lines.skipped == (Skip("identical responses", 1, ("line 265",)),)
    assert table.skipped == (Skip("identical responses", 1, ("row 265",)),)


def test_the_two_releases_of_judgebench_agree_on_every_pair(shared_data):
    names = ("judgebench-gpt-4o.jsonl", "judgebench-claude-3-5-sonnet.jsonl")
    original = {pair.id: pair for name in names for pair in load(str(shared_data / "judgebench" / name)).pairs}
    table = load(str(shared_data / "judgebench/judge_bench.parquet"))
    assert len(table.pairs) == len(original) == 619
    for pair in table.pairs:
        same = original[pair.id]
        assert (pair.prompt, pair.chosen, pair.rejected) == (same.prompt, same.chosen, same.rejected)
        assert pair.objective
        assert same.objective


def test_judgebench_domains_have_the_sizes_the_benchmark_gives(shared_data):
    report = check(str(shared_data / "judgebench/judgebench-gpt-4o.jsonl"))
    assert dict(report.groups) == {"knowledge": 154, "reasoning": 98, "math": 56, "coding": 42}
    assert (report.objective, report.listed) == (350, (193, 157))


def test_rewardbench_has_one_id_twice_and_all_labels_one(shared_data):
    loaded = load(str(shared_data / "rewardbench/rewardbench_filtered.parquet"))
    assert [pair.id for pair in loaded.pairs if "#" in pair.id] == ["3692#2"]
    assert loaded.listed == (2985, 0)
    assert not any(pair.objective for pair in loaded.pairs)
    sections = dict(check(str(shared_data / "rewardbench/rewardbench_filtered.parquet")).groups)
    assert sections == {"Reasoning": 1431, "Safety": 740, "Chat Hard": 456, "Chat": 358}


def test_the_section_of_a_subset_is_the_one_the_file_gives(shared_data):
    loaded = load(str(shared_data / "rewardbench/rewardbench_filtered.parquet"))
    assert all(section(pair.source) == pair.domain for pair in loaded.pairs)


def test_every_question_of_llmbar_is_in_rewardbench(shared_data):
    rewardbench = load(str(shared_data / "rewardbench/rewardbench_filtered.parquet"))
    llmbar = [pair for path in sorted((shared_data / "llmbar").glob("*.json")) for pair in load(str(path)).pairs]
    shared = shared_questions(llmbar, rewardbench.pairs)
    assert len(llmbar) == 419
    assert shared == shared_questions(llmbar, llmbar)
    assert len(shared) == 418  # one question is in two subsets


def test_llmbar_subsets_are_domains(shared_data):
    assert check(str(shared_data / "llmbar/Neighbor.json")).groups == (("Neighbor", 134),)


def test_evalbiasbench_has_six_types_and_lists_the_better_response_first_throughout(shared_data):
    report = check(str(shared_data / "evalbiasbench/biasbench.json"))
    assert len(report.groups) == 6
    assert report.listed == (80, 0)


def test_every_rmbench_question_has_its_three_styles(shared_data):
    loaded = load(str(shared_data / "rmbench/chat_filtered.json"))
    assert check(str(shared_data / "rmbench/chat_filtered.json")).twins == Twins(129, 387)
    styles = [pair.id.partition("/")[2] for pair in loaded.pairs]
    assert styles == ["concise", "detailed", "markdown"] * 129


def test_calm_rewrites_that_the_files_lack_are_counted(shared_data):
    loaded = load_rewrites(str(shared_data / "calm/authority_bias.json"))
    assert [(skip.reason, skip.count) for skip in loaded.skipped] == [("missing rewrite", 49)]
    assert len(loaded.rewrites) + 49 == 150 * 6


def test_the_names_of_the_published_seed_library_are_stripped(shared_data):
    library = load_library(str(shared_data / "official/basic_biases.json")).library
    assert len(library) == 7
    assert all(
        bias.name == bias.name.strip() and bias.definition and bias.origin == "seed" for bias in library.biases
    )
    assert "compassion_fade" in library
