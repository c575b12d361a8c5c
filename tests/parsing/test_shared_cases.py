"""The public fault reports of judge tools, as they are: every case that must hold holds, here as a whole."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from biasscope.ask import Finish, Reply, Unreadable
from biasscope.parsing import formats
from biasscope.parsing.json_blocks import read_json
from biasscope.parsing.replies import readable_text
from biasscope.parsing.verdicts import read_as, read_comparison, value_remark

ROOT = Path(os.environ.get("BIASSCOPE_SHARED_CASES") or Path(__file__).parents[3] / "shared" / "cases")
FORMATS = {
    "bracket_abc": formats.BRACKETED,
    "boxed": formats.BOXED,
    "decision_12": formats.NUMBERED,
    "result_ab": formats.FEEDBACK_RESULT,
    "final_decision_response": formats.NUMBERED,
    "pandalm_first_line": formats.FIRST_LINE,
    "output_ab": formats.OUTPUTS,
    "answer_letter": formats.ANSWER_LETTER,
    "grade_cpi": formats.GRADE,
    "winner_field": formats.WINNER_FIELD,
    "pass_fail": formats.PASS_FAIL,
}
SIDES = {"1": "A", "2": "B", "a": "A", "b": "B"}
FINISH: dict[str | None, Finish] = {"stop": "stop", "length": "length", "content_filter": "filtered"}


def cases(*kinds):
    path = ROOT / "cases_public.jsonl"
    if not path.exists():
        pytest.skip(f"no cases at {path}; set BIASSCOPE_SHARED_CASES")
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [case for case in found if case["kind"] in kinds]


def verdict(text, name):
    """The verdict in the cases' words: A, B, tie, another label, or None."""
    try:
        if name == "arena5":
            return read_comparison(text).label or "tie"
        form = FORMATS[name]
        label = read_as(text, form)
    except Unreadable:
        return None
    return "tie" if label == form.tie else SIDES.get(label, label)


def accepted(case):
    """What may come out: where a case must hold, its own value and those it names; else the same."""
    return [case["expected"], *case.get("also_ok", [])]


@pytest.mark.shared
def test_every_public_verdict_is_read_as_it_should_be():
    wrong = [
        (case["id"], case["input"], found)
        for case in cases("verdict", "verdict_binary")
        if (found := verdict(case["input"], case["format"])) not in accepted(case)
        or found in case.get("must_not", [])
    ]
    assert wrong == []


@pytest.mark.shared
def test_nearly_every_public_verdict_gets_its_first_choice():
    found = [(case["id"], verdict(case["input"], case["format"]), case["expected"]) for case in cases("verdict")]
    assert [case_id for case_id, is_read, expected in found if is_read != expected] == []


@pytest.mark.shared
def test_strength_and_remark_of_the_public_verdicts_are_kept():
    for case in cases("verdict"):
        if "strength" in case:
            assert read_comparison(case["input"]).strength == case["strength"].count(">")
        if "inconsistent" in case.get("note", ""):
            assert value_remark(case["input"]) == "inconsistent"


@pytest.mark.shared
def test_every_public_json_reply_is_read_as_it_should_be():
    wrong = []
    for case in cases("json"):
        try:
            found = read_json(case["input"])
        except Unreadable:
            found = None
        subset = case.get("expected_subset")
        right = found in accepted(case) and not (found is None and subset and None not in case.get("also_ok", []))
        if found is not None and subset:
            right = {key: found.get(key) for key in subset} == subset
            json.dumps(found, ensure_ascii=False).encode("utf-8")
        if not right or found in case.get("must_not", []):
            wrong.append((case["id"], case["input"], found))
    assert wrong == []


@pytest.mark.shared
def test_every_public_reply_gives_its_verdict_or_its_reason():
    wrong = []
    for case in cases("response"):
        choices = case["input"].get("choices", [])
        if "error" in case["input"] or (choices and "error" in choices[0]):
            continue  # what the endpoint reports as an error never becomes a reply
        message = choices[0]["message"] if choices else {}
        reply = Reply(
            message.get("content") or "",
            reasoning=message.get("reasoning_content") or "",
            finish=FINISH.get(choices[0]["finish_reason"] if choices else "stop", "other"),
            refusal=message.get("refusal") or "",
        )
        try:
            found = {"verdict": verdict(readable_text(reply), case["format"]), "status": "ok"}
        except Unreadable as unreadable:
            found = {"verdict": None, "status": unreadable.reason}
        options = [{key: option[key] for key in found} for option in accepted(case)]
        if found not in options:
            wrong.append((case["id"], found))
    assert wrong == []
