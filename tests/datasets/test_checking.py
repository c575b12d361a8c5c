import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.datasets import Lengths, Skip, Twins, check, load, shared_questions
from biasscope.datasets.checking import measure_lengths


def row(question, chosen, rejected, **more):
    return {"prompt": question, "chosen": chosen, "rejected": rejected, **more}


def test_a_report_counts_everything_about_pairs(write):
    path = write(
        [
            row("Why?", "aaa", "b", domain="x", objective=True),
            row("why?", "a", "bb", domain="x"),
            row("How?", "a", "bb", domain="y", labelled=False),
            row("Who?", "a", ""),
        ]
    )
    report = check(path)
    assert (report.spec, report.format, report.holds) == (path, "pairs", "pairs")
    assert (report.read, report.records) == (4, 3)
    assert report.skipped == (Skip("empty response", 1, ("line 4",)),)
    assert report.groups == (("x", 2), ("y", 1))
    assert (report.labelled, report.objective) == (2, 1)
    assert report.twins == Twins(1, 2)
    assert report.longer == 1
    assert report.listed is None
    assert dict(report.lengths)["prompt"] == Lengths(4, 4, 4, 4, 4)
    assert dict(report.lengths)["chosen"].greatest == 3
    assert report.sha256 == load(path).sha256


def test_a_report_counts_where_the_file_lists_the_better_response(write):
    rows = [{"question": str(n), "response_A": "a", "response_B": "b", "label": 1 + (n == 0)} for n in range(5)]
    assert check(write(rows)).listed == (4, 1)


def test_without_labels_there_is_no_longer_better_response(write):
    report = check(write([{"prompt": "q", "answer1": "a", "answer2": "bb"}]))
    assert (report.labelled, report.longer, report.listed) == (0, None, None)


def test_a_report_of_rewrites_counts_traits(write):
    rows = [{"original": "a", "rewritten": f"a{n}", "trait": t} for n, t in enumerate(("x", "y", "y"))]
    report = check(write(rows))
    assert (report.holds, report.records, report.groups) == ("rewrites", 3, (("y", 2), ("x", 1)))
    assert [what for what, _ in report.lengths] == ["original", "rewritten"]
    assert (report.labelled, report.twins) == (None, None)


def test_a_report_of_a_seed_library_names_its_biases(write):
    report = check(write({"Length bias ": {"Definition": "Longer wins."}}, "seed.json"))
    assert (report.holds, report.records, report.groups) == ("biases", 1, (("Length bias", 1),))


def test_a_report_of_a_source_of_which_nothing_is_left_has_no_lengths(write):
    report = check(write([row("q", "a", "a")]))
    assert (report.records, report.lengths, report.groups) == (0, (), ())


def test_a_report_becomes_plain_json(write):
    rows = [row("q", "a", "bb", domain="x"), row("r", "", "b")]
    value = check(write(rows)).to_json()
    assert json.loads(json.dumps(value)) == value
    assert value["groups"] == {"x": 1}
    assert value["skipped"] == [{"reason": "empty response", "count": 1, "places": ["line 2"]}]
    assert value["lengths"]["rejected"] == {"least": 2, "p10": 2, "median": 2, "p90": 2, "greatest": 2}
    assert value["twins"] == {"questions": 0, "pairs": 0}
    listed = check(write([{"question": "q", "response_A": "a", "response_B": "b", "label": 2}])).to_json()
    assert listed["listed"] == {"first": 0, "second": 1}


def test_lengths_are_nearest_ranks():
    assert measure_lengths(["x" * n for n in range(10, 0, -1)]) == Lengths(1, 1, 5, 9, 10)
    with pytest.raises(ValueError, match="no text"):
        measure_lengths([])


@given(st.lists(st.text(), min_size=1))
def test_lengths_are_lengths_of_the_texts_in_order(texts):
    measured = measure_lengths(texts)
    values = [measured.least, measured.p10, measured.median, measured.p90, measured.greatest]
    assert values == sorted(values)
    assert set(values) <= {len(text) for text in texts}


def test_shared_questions_ignore_case_and_white_space(write):
    a = load(write([row("Why not?", "a", "b"), row("How?", "a", "b")], "a.jsonl"))
    b = load(write([row(" why  NOT?\n", "c", "d"), row("Who?", "a", "b")], "b.jsonl"))
    assert len(shared_questions(a.pairs, b.pairs)) == 1
    assert shared_questions(a.pairs, b.pairs) == shared_questions(b.pairs, a.pairs)
    assert shared_questions(a.pairs, ()) == set()
