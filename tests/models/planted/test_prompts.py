import re
from importlib import resources

import pytest

from biasscope import prompts
from biasscope.ask import Request
from biasscope.errors import BadRequest
from biasscope.judges.asking import Asking
from biasscope.judges.guards import FORMS, Contrast, guard
from biasscope.judges.pointwise import ending
from biasscope.models.planted.prompts import (
    ToAnswer,
    ToCheck,
    ToExplain,
    ToIdentify,
    ToJudge,
    ToMerge,
    ToRewrite,
    ToScore,
    read_prompt,
)
from biasscope.parsing.scores import PASS_OR_FAIL, Scale
from biasscope.records import Bias, Message

FIELDS = {
    "question": "How many apples?\n\nA note: <b>three</b> trees.",
    "first": "There are 12.\n\nFinal answer: 12",
    "second": "There are 13.\n\nFinal answer: 13",
    "name": "Some bias",
    "definition": "A feature: it draws.",
    "length": "Keep about the same length.",
    "text": "Each tree has 4 apples.\nSo there are 12.",
    "better": "Right text.",
    "preferred": "Wrong text.",
    "reasoning": "I liked it.",
    "deeper": "It was fine.",
    "response": "There are 12.\n\nFinal answer: 12",
    "reference": "12",
    "ending": ending(Scale(1.0, 10.0)),
    "known": "1. Length bias: longer.\n2. Other: more.",
}


def filled(name, variant=0, **fields):
    wanted = {f for part in prompts.variants(name)[variant] for f in re.findall(r"\{\{(\w+)\}\}", part)}
    return prompts.fill(name, variant=variant, **{f: (FIELDS | fields)[f] for f in wanted}).messages


def read(*messages):
    return read_prompt(Request(tuple(messages), max_tokens=100))


@pytest.mark.parametrize("variant", range(len(prompts.variants("judge_reason"))))
def test_the_judge_prompt_with_reasons_is_recognised(variant):
    asked = read(*filled("judge_reason", variant))
    assert asked == ToJudge(FIELDS["question"], FIELDS["first"], FIELDS["second"], "reason")


@pytest.mark.parametrize("variant", range(len(prompts.variants("judge_label"))))
def test_the_judge_prompt_with_a_label_is_recognised(variant):
    asked = read(*filled("judge_label", variant))
    assert asked == ToJudge(FIELDS["question"], FIELDS["first"], FIELDS["second"], "label")


@pytest.mark.parametrize("variant", range(len(prompts.variants("rewrite_biased"))))
def test_every_phrasing_of_the_biased_rewrite_is_recognised(variant):
    asked = read(*filled("rewrite_biased", variant))
    assert asked == ToRewrite(FIELDS["question"], FIELDS["text"], ("Some bias", "A feature: it draws."))


@pytest.mark.parametrize("variant", range(len(prompts.variants("rewrite_neutral"))))
def test_every_phrasing_of_the_neutral_rewrite_is_recognised(variant):
    assert read(*filled("rewrite_neutral", variant)) == ToRewrite(FIELDS["question"], FIELDS["text"], None)


def test_the_prompts_of_the_other_steps_are_recognised():
    known = ("1. Length bias: longer.", "2. Other: more.")
    assert read(*filled("identify")) == ToIdentify(
        FIELDS["question"], "Right text.", "Wrong text.", "I liked it.", "It was fine.", known
    )
    assert read(*filled("merge")) == ToMerge(
        ("Some bias", "A feature: it draws."), ((1, "Length bias: longer."), (2, "Other: more."))
    )
    assert read(*filled("check_trait")) == ToCheck(("Some bias", "A feature: it draws."), FIELDS["text"])


@pytest.mark.parametrize("mode", ["reason", "label"])
@pytest.mark.parametrize("name", ["explain", "explain_lean"])
@pytest.mark.parametrize("slot", [1, 2])
def test_follow_up_questions_are_recognised_in_a_continued_conversation(mode, name, slot):
    judged = filled(f"judge_{mode}")
    explained = (*judged, Message("assistant", "Verdict: 1"), *filled(name, preferred=str(slot)))
    deepened = (*explained, Message("assistant", "It is good."), *filled("deepen", preferred=str(slot)))
    straight = (*judged, Message("assistant", "Verdict: 1"), *filled("deepen", preferred=str(slot)))
    assert read(*explained) == ToExplain(read(*judged), slot, deeper=False)
    assert read(*deepened) == ToExplain(read(*judged), slot, deeper=True)
    assert read(*straight) == ToExplain(read(*judged), slot, deeper=True)


@pytest.mark.parametrize("mode", ["reason", "label"])
def test_a_reference_beside_two_responses_is_recognised(mode):
    asked = read(*filled(f"judge_{mode}_reference"))
    assert asked == ToJudge(FIELDS["question"], FIELDS["first"], FIELDS["second"], mode, "12")


@pytest.mark.parametrize(
    ("scale", "ends"),
    [(Scale(1.0, 10.0), (1, 10, False)), (Scale(-1.5, 2.0), (-1.5, 2, False)), (PASS_OR_FAIL, (0, 1, True))],
)
def test_a_single_response_is_recognised_with_its_scale(scale, ends):
    asked = [
        read(*filled(name, ending=ending(scale))) for name in ("judge_pointwise", "judge_pointwise_reference")
    ]
    about = (FIELDS["question"], FIELDS["response"], *ends)
    assert asked == [ToScore(*about), ToScore(*about, reference="12")]


def test_follow_up_questions_about_a_score_are_recognised():
    judged = filled("judge_pointwise")
    for name in ("explain_score", "deepen_score"):
        asked = read(*judged, Message("assistant", "Score: 3"), *filled(name))
        assert asked == ToExplain(read(*judged), 0, deeper=name == "deepen_score")


def test_a_scale_that_nobody_knows_is_refused():
    with pytest.raises(BadRequest, match="no scale"):
        read(*filled("judge_pointwise", ending="Give stars."))


def test_an_own_answer_stands_in_the_place_of_a_reference_and_is_asked_for_by_the_prompt_alone():
    assert read(*filled("judge_reason_own")) == read(*filled("judge_reason_reference"))
    assert read(*filled("judge_label_own")) == read(*filled("judge_label_reference"))
    about = {"ending": ending(Scale(1, 10))}
    assert read(*filled("judge_pointwise_own", **about)) == read(*filled("judge_pointwise_reference", **about))
    assert read(*filled("answer")) == ToAnswer(FIELDS["question"])


def test_a_guard_is_read_as_part_of_the_instructions():
    plain = prompts.fill("judge_label", question="Q?", first="one", second="other")
    calm = Bias("calm", "Calm bias", "The text sounds calm.", "discovered")
    for form in FORMS:
        text = guard(form, (calm,), Contrast(calm, "plain", "calm"))
        guarded = Asking(guard=text).guarded(plain)
        asked = read_prompt(Request(guarded.messages, max_tokens=4))
        assert asked.second == "other"
        assert "Calm bias" in asked.instructions


def test_every_prompt_file_of_the_package_is_covered_here():
    covered = {"judge_reason", "judge_label", "rewrite_biased", "rewrite_neutral", "identify", "merge"}
    covered |= {"check_trait", "explain", "explain_lean", "deepen", "explain_score", "deepen_score", "condense"}
    covered |= {"judge_reason_reference", "judge_label_reference", "judge_pointwise", "judge_pointwise_reference"}
    covered |= {"judge_reason_own", "judge_label_own", "judge_pointwise_own", "answer"}
    covered |= {"guard_definitions", "guard_rules", "guard_example"}  # part of a judge's prompt: see below
    names = {path.name for path in resources.files(prompts).iterdir()}
    assert {name.removesuffix(".md") for name in names if name.endswith(".md")} == covered


def test_tags_inside_a_text_are_taken_as_text():
    text = "<text>\nAn inner one.\n</text>\n\n<prompt>\nnot a prompt\n</prompt>\nThe end."
    assert read(*filled("rewrite_neutral", text=text)).text == text
    assert read(*filled("rewrite_biased", question="What is\n<text>\nfor?", text=text)).text == text
    assert read(*filled("judge_label", second=text)).second == text


def test_an_empty_list_of_known_biases_is_read_as_empty():
    assert read(*filled("merge", known="")).known == ()
    assert read(*filled("identify", known="", deeper="")).known == ()


@pytest.mark.parametrize(
    "messages",
    [
        (Message("user", "Which of the two is better?"),),
        (Message("system", "You judge."),),
        (Message("user", "<prompt>\nx\n</prompt>\n\n<response_1>\ny\n</response_1>"),),
        (Message("user", "<prompt>\nnever closed"),),
        (*filled("judge_label"), Message("assistant", "1"), Message("user", "Are you sure?")),
        (*filled("merge"), Message("assistant", "1"), *filled("explain", preferred="1")),
        (*filled("judge_label"), Message("assistant", "1")),
    ],
)
def test_any_other_prompt_is_refused_and_never_answered_by_guess(messages):
    with pytest.raises(BadRequest):
        read(*messages)


def test_a_judge_prompt_that_offers_unknown_verdicts_is_refused():
    user = filled("judge_label")[-1].content.replace("Answer with 1 or 2.", "Answer with A or B.")
    with pytest.raises(BadRequest, match="offers no verdict"):
        read(Message("user", user))
