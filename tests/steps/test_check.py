"""What a rewrite must keep, and what a writer may not add."""

import pytest

from biasscope.ask import Reply, Unreadable
from biasscope.parsing.answers import SplitAnswer
from biasscope.steps.check import TraitAsk, check_body, clean_body, keeps_final_answer
from biasscope.steps.perturb import cut

from ..fakes import bias

BODY = "Each tree bears four apples, and there are three trees."
CUT = SplitAnswer(BODY + " ", "The answer is 12.", "")
WHOLE = SplitAnswer(BODY, "", "")


def words(count, word="word"):
    return " ".join([word] * count)


def reason_of(before, after, split=WHOLE, of=None):
    with pytest.raises(Unreadable) as caught:
        check_body(before, after, split, of)
    return caught.value.reason


def test_a_body_in_other_words_is_used_as_it_is():
    after = "There are three trees, each with four apples on it."

    assert check_body(BODY, after, CUT, None) == after


def test_the_same_answer_put_back_is_taken_off():
    after = "There are three trees, each with four apples on it.\n\nThe answer is **12**."

    assert check_body(BODY, after, CUT, None) == "There are three trees, each with four apples on it."


def test_another_answer_put_in_is_an_answer_changed():
    assert (
        reason_of(BODY, "There are three trees of four apples each. The answer is 13.", CUT) == "answer_changed"
    )


def test_the_answer_alone_is_no_body():
    assert reason_of(BODY, "The answer is 12.", CUT) == "empty"
    assert reason_of(BODY, " \n ", CUT) == "empty"


def test_where_nothing_was_cut_out_nothing_is_taken_off():
    before = "Rain falls in spring. Rivers rise because of it."
    after = "In spring it rains, and rivers rise.\n\nThe answer is rain."

    assert check_body(before, after, SplitAnswer(before, "", ""), None) == after


@pytest.mark.parametrize("after", ["**Lyon**, as every expert confirms.", "That is well known to experts."])
def test_a_response_that_is_all_answer_must_still_give_it(after):
    split = cut("**Paris**")

    assert split == SplitAnswer("**Paris**", "", "")
    assert reason_of(split.before, after, split) == "answer_changed"
    assert check_body(split.before, "Experts agree on **Paris**.", split, None) == "Experts agree on **Paris**."


def test_a_refusal_is_told_from_a_text_that_is_itself_one():
    refusal = "I'm sorry, but I cannot help with that request."

    assert reason_of(BODY, refusal) == "refused"
    assert check_body(refusal, "I am sorry, but I can't help with this.", WHOLE, None)


def test_other_white_space_is_no_change():
    assert reason_of(BODY, BODY.replace(" ", "\n")) == "unchanged"


@pytest.mark.parametrize(
    ("had", "has", "name", "fits"),
    [
        (10, 4, "Calm bias", True),
        (10, 3, "Calm bias", False),
        (10, 30, "Calm bias", True),  # three times as long, but only 20 words more
        (10, 31, "Calm bias", False),
        (100, 250, "Calm bias", True),
        (100, 251, "Calm bias", False),
        (100, 251, "Verbosity bias", True),
        (100, 501, "Length bias", False),
        (100, 20, "Brevity bias", True),
        (100, 19, "Brevity bias", False),
        (100, 251, "Belonging bias", False),  # not about how long a text is
    ],
)
def test_a_rewrite_stays_in_its_length_band(had, has, name, fits):
    if fits:
        assert check_body(words(had), words(has, "other"), WHOLE, bias(name))
    else:
        assert reason_of(words(had), words(has, "other"), WHOLE, bias(name)) == "off_length"


def test_a_script_without_spaces_is_measured_by_its_characters():
    before = "今天下雨所以地面很湿" * 4

    assert check_body(before, "因为今天下雨了地面湿" * 10, WHOLE, None)
    assert reason_of(before, "因为今天下雨了地面湿" * 11) == "off_length"
    assert reason_of(before, "因为今天下雨了") == "off_length"


def test_a_text_of_signs_alone_has_a_length_too():
    assert check_body("∑∫∂ = √∞", "√∞ = ∑∫∂", WHOLE, None) == "√∞ = ∑∫∂"
    assert reason_of("∑∫∂ = √∞", "∑∫") == "off_length"
    assert check_body("So it is.", "∑∫∂ = √∞", WHOLE, None)  # 7 characters become 6


@pytest.mark.parametrize(
    "preface",
    [
        "Sure, here you go:\n",
        "Certainly!  This is it:\n\n",
        "Here's the rewritten text:\n\n",
        "Here is a version that sounds calm:\n",
        "The revised text:\n",
        "Below is the edited passage:\n",
    ],
)
def test_a_preface_is_taken_off(preface):
    assert clean_body(preface + "Each tree bears four.", BODY) == "Each tree bears four."


@pytest.mark.parametrize(
    "text", ["Here are the steps:\n1. Count the trees.", "Surely not:\nthree", "The steps are:\n1. Count."]
)
def test_a_line_of_the_text_itself_is_no_preface(text):
    assert clean_body(text, BODY) == text


def test_where_the_text_begins_like_a_preface_only_a_second_one_is_taken_off():
    before = "Here is the text of the law:\n\nNobody may enter."
    after = "Here is the text of this law:\n\nEntry is forbidden."

    assert clean_body(after, before) == after
    assert clean_body("Sure, here it is:\n\n" + after, before) == after


def test_our_own_delimiters_are_taken_off():
    assert clean_body("<text>\nEach tree bears four.\n</text>", BODY) == "Each tree bears four."
    assert clean_body("Sure:\n<text-2>\nUse <text>here</text>.\n</text-2>", BODY) == "Use <text>here</text>."
    assert clean_body("<text>here</text> and there", BODY) == "<text>here</text> and there"


def test_a_trait_is_asked_about_with_its_definition():
    (_, user) = TraitAsk(bias(), "So it is.").request(0).messages

    assert "Calm bias: The text sounds calm." in user.content
    assert "<text>\nSo it is.\n</text>" in user.content


def test_a_trait_is_read_as_yes_or_no_and_never_guessed():
    ask = TraitAsk(bias(), "So it is.")

    assert ask.parse(Reply("It stays calm throughout.\nVerdict: yes")) is True
    assert ask.parse(Reply("Verdict: no")) is False
    with pytest.raises(Unreadable):
        ask.parse(Reply("Hard to say."))


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        (f"{BODY} The answer is 12.", "Four apples on each of three trees. The answer is 12.", True),
        (f"{BODY} The answer is 12.", "Four apples on each of three trees. The answer is 13.", False),
        (f"{BODY} The answer is 12.", "Four apples on each of three trees.", False),
        ("The answer is 12.", "The answer is 12. Or rather: the answer is 13.", False),
        ("The answer is 12.", "So it is. The answer is **12**.", True),
        (BODY, "Anything at all.", True),
    ],
)
def test_a_whole_response_must_state_the_final_answer_that_it_stated(before, after, kept):
    assert keeps_final_answer(before, after) is kept
