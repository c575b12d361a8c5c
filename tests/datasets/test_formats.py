import json
import re
from pathlib import Path

import pytest

from biasscope.datasets import Skip, check, load
from biasscope.datasets.sources import FORMATS
from biasscope.errors import DataError

JUDGEBENCH = {
    "pair_id": "p1",
    "original_id": 3,
    "source": "livecodebench",
    "question": "Add one.",
    "response_model": "m",
    "response_A": "x - 1",
    "response_B": "x + 1",
    "label": "B>A",
}
NUMBERED = {"question": "Add one.", "response_A": "x - 1", "response_B": "x + 1", "label": 2}
LLMBAR = {"input": "Add one.", "output_1": "x + 1", "output_2": "x - 1", "label": 1}
EVALBIASBENCH = {
    "bias": "concreteness",
    "instruction": "Add one.",
    "response1": "x - 1",
    "response2": "x + 1",
    "label": 2,
}
REWARDBENCH = {
    "id": 3,
    "subset": "hep-go",
    "prompt": "Add one.",
    "chosen": "x + 1",
    "chosen_model": "human",
    "rejected": "x - 1",
    "rejected_model": "human",
}
RMBENCH = {
    "id": 8,
    "prompt": "Add one.",
    "chosen": ["x+1", "It is x+1.", "**x+1**"],
    "rejected": ["x-1", "It is x-1.", "**x-1**"],
}

LABELLED = [
    ("judgebench", JUDGEBENCH),
    ("biasscope", NUMBERED),
    ("llmbar", LLMBAR),
    ("evalbiasbench", EVALBIASBENCH),
    ("rewardbench", {**NUMBERED, "subset": "hep-go", "chosen_model": "a", "rejected_model": "b"}),
]


@pytest.mark.parametrize(("name", "row"), [*LABELLED, ("rewardbench", REWARDBENCH)])
def test_each_format_is_recognised_and_puts_the_better_response_into_chosen(write, name, row):
    loaded = load(write([row]))
    assert loaded.format == name
    pair = loaded.pairs[0]
    assert (pair.question, pair.chosen, pair.rejected) == ("Add one.", "x + 1", "x - 1")
    assert pair.labelled
    assert loaded.pairs == load(f"{name}:{write([row])}").pairs


@pytest.mark.parametrize(("name", "row"), LABELLED)
def test_an_unknown_label_is_an_error_that_names_the_place_and_the_labels_known(write, name, row):
    with pytest.raises(DataError, match="line 2: unknown label 0") as caught:
        load(f"{name}:{write([row, {**row, 'label': 0}])}")
    assert caught.value.hint.startswith("Known here: ")


@pytest.mark.parametrize(("name", "row"), LABELLED)
@pytest.mark.parametrize("label", [None, "", float("nan"), "nan"])
def test_a_missing_label_is_counted(write, name, row, label):
    loaded = load(f"{name}:{write([row, {**row, 'label': label}])}")
    assert loaded.skipped == (Skip("missing label", 1, ("line 2",)),)


@pytest.mark.parametrize("question", ["", " \n", None])
def test_a_blank_question_is_counted(write, question):
    loaded = load(write([NUMBERED, {**NUMBERED, "question": question}]))
    assert loaded.skipped == (Skip("missing prompt", 1, ("line 2",)),)


def test_a_label_that_is_true_or_false_is_an_error(write):
    with pytest.raises(DataError, match="true or false, not text or a number"):
        load("biasscope:" + write([{**NUMBERED, "label": True}]))


def test_a_judgebench_tie_is_counted(write):
    loaded = load(write([JUDGEBENCH, {**JUDGEBENCH, "pair_id": "p2", "label": "A=B"}]))
    assert loaded.skipped == (Skip("tie", 1, ("line 2",)),)


@pytest.mark.parametrize(
    ("source", "domain"),
    [
        ("mmlu-pro-math", "knowledge"),
        ("mmlu-pro-computer science", "knowledge"),
        ("livebench-reasoning", "reasoning"),
        ("livebench-math", "math"),
        ("livecodebench", "coding"),
    ],
)
def test_judgebench_domains_follow_from_the_source_and_its_pairs_are_objective(write, source, domain):
    pair = load(write([{**JUDGEBENCH, "source": source}])).pairs[0]
    assert (pair.id, pair.domain, pair.source, pair.objective) == ("p1", domain, source, True)


def test_a_foreign_source_in_judgebench_columns_claims_no_objective_label(write):
    pair = load(write([{**JUDGEBENCH, "source": "my own questions"}])).pairs[0]
    assert (pair.domain, pair.objective) == ("all", False)


def test_biasscope_rows_from_judgebench_are_objective_and_others_are_not(write):
    rows = [
        {**NUMBERED, "pair_id": "p1", "source": "mmlu-pro-law", "domain": "knowledge"},
        {**NUMBERED, "pair_id": "p2", "source": None, "domain": None, "question": "q"},
    ]
    first, second = load(write(rows)).pairs
    assert (first.id, first.domain, first.objective) == ("p1", "knowledge", True)
    assert (second.id, second.domain, second.objective) == ("p2", "all", False)


def test_biasscope_rows_may_say_themselves_that_they_are_objective(write):
    said = [{**NUMBERED, "objective": value, "question": f"Q{value}"} for value in (True, False, None)]
    assert [p.objective for p in load("biasscope:" + write(said)).pairs] == [True, False, False]


def test_labels_that_are_all_one_load_without_complaint(write):
    loaded = load(write([{**NUMBERED, "question": str(n), "label": 1} for n in range(3)]))
    assert (loaded.listed, loaded.notes) == ((3, 0), ())


@pytest.mark.parametrize(
    ("subset", "section"),
    [
        ("mt-bench-med", "Chat"),
        ("mt-bench-hard", "Chat Hard"),
        ("xstest-should-refuse", "Safety"),
        ("new", "all"),
    ],
)
def test_rewardbench_sections_follow_from_the_subset(write, subset, section):
    pair = load(write([{**REWARDBENCH, "subset": subset}])).pairs[0]
    assert (pair.domain, pair.source, pair.objective) == (section, subset, False)


def test_rewardbench_uses_the_domain_column_where_there_is_one(write):
    assert load(write([{**REWARDBENCH, "domain": "Mine"}])).pairs[0].domain == "Mine"


@pytest.mark.parametrize("name", ["Neighbor.json", "Neighbor/dataset.json", "any.json"])
def test_the_llmbar_subset_comes_from_the_name_of_the_file_or_folder(write, name):
    loaded = load(write([LLMBAR], name))
    assert loaded.format == "llmbar"
    assert loaded.pairs[0].domain == ("all" if name == "any.json" else "Neighbor")


def test_evalbiasbench_groups_are_read_and_named_in_places(write):
    groups = {
        "one": [EVALBIASBENCH, {**EVALBIASBENCH, "response1": ""}],
        "two": [{**EVALBIASBENCH, "bias": None}],
    }
    loaded = load(write(groups, "a.json"))
    assert [pair.domain for pair in loaded.pairs] == ["concreteness"]
    assert loaded.skipped == (
        Skip("empty response", 1, ("'one' item 2",)),
        Skip("duplicate", 1, ("'two' item 1",)),
    )


def test_an_evalbiasbench_row_without_a_type_takes_the_name_of_its_group(write):
    row = {**EVALBIASBENCH, "bias": None}
    assert load("evalbiasbench:" + write({"two": [row]}, "a.json")).pairs[0].domain == "two"


@pytest.mark.parametrize("store", [list, repr, json.dumps])
def test_rmbench_gives_three_pairs_of_the_same_style_also_from_lists_stored_as_text(write, store):
    row = {**RMBENCH, "chosen": store(RMBENCH["chosen"]), "rejected": store(RMBENCH["rejected"])}
    loaded = load(write([row]))
    assert loaded.format == "rmbench"
    assert [(pair.id, pair.chosen, pair.rejected) for pair in loaded.pairs] == [
        ("8/concise", "x+1", "x-1"),
        ("8/detailed", "It is x+1.", "It is x-1."),
        ("8/markdown", "**x+1**", "**x-1**"),
    ]


def test_one_unusable_style_of_rmbench_leaves_the_others(write):
    loaded = load(write([{**RMBENCH, "rejected": ["x+1", "It is x-1.", ""]}]))
    assert [pair.id for pair in loaded.pairs] == ["8/detailed"]
    assert [skip.reason for skip in loaded.skipped] == ["identical responses", "empty response"]


@pytest.mark.parametrize("value", [["a", "b"], ["a", "b", 3], "plain", "['a' 'b' 'c']", "[open", "[" * 500])
def test_rmbench_without_three_texts_is_an_error(write, value):
    with pytest.raises(DataError, match="line 2: 'rejected' is not a list of 3 texts"):
        load("rmbench:" + write([RMBENCH, {**RMBENCH, "rejected": value}]))


def test_a_null_list_of_rmbench_is_counted(write):
    assert load(write([RMBENCH, {**RMBENCH, "chosen": None}])).skipped[0].reason == "missing response"


def test_responses_in_brackets_do_not_make_a_file_rmbench(write):
    rows = [{"prompt": "q", "chosen": r"[\d matches a digit]", "rejected": "['a', 'b', 'c']"}]
    loaded = load(write(rows))
    assert (loaded.format, loaded.pairs[0].rejected) == ("pairs", "['a', 'b', 'c']")


DOCS = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
EXAMPLES = [
    (name, ending, body)
    for name, text in re.findall(r"^\*\*`([\w-]+)`\*\*(.*?)(?=^\*\*`|^## )", DOCS, re.MULTILINE | re.DOTALL)
    for ending, body in re.findall(r"^```(json|csv)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
]


@pytest.mark.parametrize(("name", "ending", "body"), EXAMPLES)
def test_every_example_of_the_documentation_is_recognised_and_loads_without_a_skip(write, name, ending, body):
    report = check(write(body, f"example.{ending}"))
    assert report.format == name
    assert report.records >= 1
    assert report.skipped == ()


def test_the_documentation_has_an_example_of_every_format():
    assert {name for name, _, _ in EXAMPLES} == {format_.name for format_ in FORMATS}
