"""Verdicts that were given before: which rows are read, and what is looked up."""

import csv
import gzip
import json
import os
from pathlib import Path

import pytest
from tests.models.programs import failed, opened, request, said

from biasscope.errors import DataError, UsageError

SHOWN = {"first": "A", "second": "B"}
SHARED = Path(os.environ.get("BIASSCOPE_SHARED_DATA", Path(__file__).parents[3] / "shared" / "data"))


@pytest.fixture
def judge(tmp_path):
    """Write rows to a file and open it as a judge."""

    def make(rows, name="verdicts.jsonl"):
        path = tmp_path / name
        if ".csv" in name:
            with path.open("w", newline="") as file:
                table = csv.DictWriter(file, sorted({key for row in rows for key in row}))
                table.writeheader()
                table.writerows(rows)
            return opened(f"recorded:{path}")
        text = json.dumps(rows) if ".json" in name and ".jsonl" not in name else "\n".join(map(json.dumps, rows))
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        return opened(f"recorded:{path}")

    return make


def texts(choice="first", **more):
    return {"question": "Why?", **SHOWN, "choice": choice, **more}


@pytest.mark.parametrize("name", ["v.jsonl", "v.jsonl.gz", "v.json", "v.csv"])
async def test_a_verdict_is_found_by_its_texts_in_their_order_and_in_no_other(judge, name):
    model = judge([texts(margin=0.5, reason="Clear."), texts("second", question="How?")], name)
    assert await said(model, request(**SHOWN)) == {"choice": "first", "margin": 0.5, "reason": "Clear."}
    failed(await said(model, request(first="B", second="A")), reason="not_recorded")
    failed(await said(model, request(question="What?", **SHOWN)), reason="not_recorded")


async def test_a_score_is_found_by_its_text(judge):
    model = judge([{"question": "Why?", "response": "A", "score": "7.5"}], "scores.csv")
    assert await said(model, request(response="A")) == {"score": 7.5}
    failed(await said(model, request(response="B")), reason="not_recorded")


async def test_a_verdict_is_found_by_its_pair_arm_and_order(judge):
    model = judge(
        [
            {"pair_id": "p1", "order": "rejected_first", "choice": "chosen"},
            {"pair_id": "p1", "order": "chosen_first", "arm": "authority", "choice": "tie"},
        ]
    )
    here = {"pair_id": "p1", "arm": "original", "order": "rejected_first"}
    assert await said(model, request(**SHOWN, **here)) == {"choice": "second"}
    assert await said(model, request(**SHOWN, **here | {"arm": "authority", "order": "chosen_first"})) == {
        "choice": "tie"
    }
    failed(await said(model, request(**SHOWN, **here | {"order": "chosen_first"})), "p1", reason="not_recorded")


PLACED = [
    ("chosen_first", "chosen", 2.0, "first", 2.0),
    ("chosen_first", "rejected", -2.0, "second", -2.0),
    ("rejected_first", "chosen", 2.0, "second", -2.0),
    ("rejected_first", "Rejected", -2.0, "first", 2.0),
    ("rejected_first", "tie", 0.5, "tie", -0.5),
    ("rejected_first", "second", -2.0, "second", -2.0),
]


@pytest.mark.parametrize(("order", "choice", "margin", "place", "for_first"), PLACED)
@pytest.mark.parametrize("by", ["pair", "texts"])
async def test_what_is_said_of_chosen_and_rejected_is_kept_as_places_with_its_margin(
    judge, by, order, choice, margin, place, for_first
):
    what = {"pair_id": "p1"} if by == "pair" else {"question": "Why?", **SHOWN}
    other = {"pair_id": "p0", "order": "chosen_first", "choice": "chosen"}
    model = judge([other, {**what, "order": order, "choice": choice, "margin": margin}])
    asked = request(**SHOWN, pair_id="p1", arm="original", order=order)
    assert await said(model, asked) == {"choice": place, "margin": for_first}


async def test_the_margin_of_a_tie_is_of_places_in_a_file_that_speaks_of_nothing_else(judge):
    row = {"pair_id": "p1", "order": "rejected_first", "choice": "tie", "margin": 0.5}
    model = judge([row, {"pair_id": "p0", "order": "rejected_first", "choice": "second"}])
    asked = request(**SHOWN, pair_id="p1", arm="original", order="rejected_first")
    assert await said(model, asked) == {"choice": "tie", "margin": 0.5}


async def test_the_same_choice_with_other_reasons_is_a_repetition(judge):
    model = judge([texts(reason="Clear."), texts(reason="Short."), texts(), texts(margin=1, question="How?"),
                   texts(margin=2, question="How?")])  # fmt: skip
    assert await said(model, request(**SHOWN)) == {"choice": "first", "reason": "Clear."}
    failed(await said(model, request(question="How?", **SHOWN)), "not alike", reason="ambiguous")


async def test_verdicts_that_contradict_each_other_are_ambiguous_and_repetitions_are_not(judge):
    model = judge([texts(), texts(), texts(question="How?"), texts("second", question="How?")])
    assert (await said(model, request(**SHOWN)))["choice"] == "first"
    failed(await said(model, request(question="How?", **SHOWN)), "not alike", reason="ambiguous")


async def test_nothing_was_recorded_of_a_second_reply_to_the_same_request(judge):
    failed(await said(judge([texts()]), request(replicate=1, **SHOWN)), reason="not_recorded")


async def test_what_is_not_recorded_never_stops_a_run(judge):
    model = judge([texts()])
    for number in range(20):
        failed(await said(model, request(question=str(number), **SHOWN)), reason="not_recorded")


def judgebench(*judgments):
    return {"pair_id": "x", "question": "Why?", "response_A": "A", "response_B": "B", "label": "A>B",
            "judgments": list(judgments)}  # fmt: skip


async def test_an_output_of_judgebench_holds_both_orders_by_place(judge):
    model = judge(
        [
            judgebench(
                {"decision": "A>B", "judgment": {"response": "A is.", "scores": [3.0, 1.0]}},
                {"decision": "B>A", "judgment": {"scores": [1.0, 3.0]}},
            )
        ]
    )
    assert await said(model, request(**SHOWN)) == {"choice": "first", "reason": "A is."}
    assert (await said(model, request(first="B", second="A")))["choice"] == "second"
    assert await said(model, request(response="A")) == {"score": 3.0}


async def test_a_judgement_without_a_decision_is_unparsable_and_one_that_is_absent_not_recorded(judge):
    model = judge([judgebench({"decision": None, "judgment": {}}, None)])
    failed(await said(model, request(**SHOWN)), "no decision", reason="unparsable")
    failed(await said(model, request(first="B", second="A")), reason="not_recorded")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], ["holds no verdict"]),
        ([texts(), {"question": "Why?"}], ["row 2", "neither choice nor score"]),
        ([{"choice": "first"}], ["row 1", "does not say what was judged"]),
        ([{"pair_id": "p", "choice": "first", "order": "left"}], ["no order", "chosen_first"]),
        ([texts("chosen")], ["row 1", "no order"]),
        ([texts("chosen", order="chosen_first"), texts("tie", margin=1)], ["row 2", "no order"]),
        ([texts(), texts(0)], ["row 2", "0 could mean either", "the first is 1"]),
        ([texts("0")], ["row 1", "0 could mean either"]),
        ([texts(margin="much")], ["'much' is no margin"]),
        ([{"judgments": []}], ["no output of JudgeBench"]),
        ([[1]], ["no list of rows"]),
    ],
)
def test_a_file_without_verdicts_is_refused_with_its_row_and_what_a_row_holds(judge, rows, words):
    with pytest.raises(DataError) as error:
        judge(rows)
    for word in words:
        assert word in f"{error.value} {error.value.hint}"


def test_a_file_that_is_absent_or_broken_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no file"):
        opened(f"recorded:{tmp_path}/absent.jsonl")
    (tmp_path / "broken.jsonl").write_text('{"choice": ')
    with pytest.raises(DataError, match=r"broken.jsonl cannot be read"):
        opened(f"recorded:{tmp_path}/broken.jsonl")


def test_recorded_verdicts_are_known_by_their_content(judge):
    model = judge([texts()])
    assert model.fingerprint == judge([texts()], "other.jsonl").fingerprint
    assert model.fingerprint != judge([texts("second")]).fingerprint


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "pairs", "undecided"), [("o1-mini-arena_hard", 350, 0), ("claude-3-haiku-arena_hard", 270, 13)]
)
async def test_real_outputs_of_judgebench_are_read_in_both_orders(name, pairs, undecided):
    path = SHARED / "judgments" / f"judgebench-{name}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    model = opened(f"recorded:{path}")
    rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]
    found = []
    for row in rows:
        both = (row["response_A"], row["response_B"])
        for first, second in (both, both[::-1]):
            found.append(await said(model, request(question=row["question"], first=first, second=second)))
    assert len(rows) == pairs
    assert sum("choice" in answer for answer in found) == 2 * pairs - undecided
    assert all(answer.get("reason") == "unparsable" for answer in found if "error" in answer)
