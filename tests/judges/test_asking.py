"""Several replies to one prompt: the majority, or a reason."""

import pytest

from biasscope.ask import Answered, Missing
from biasscope.judges.asking import NO_REFERENCE, Asking, majority
from biasscope.judges.template import Template
from biasscope.records import Verdict


def sample(choice, margin=None, key="k", reasoning=""):
    return Answered(Verdict("p1", "calm", "chosen_first", choice, margin, reasoning=reasoning), (key,))


UNREAD = Missing("unparsable", keys=("u",))


@pytest.mark.parametrize(
    ("choices", "verdict"),
    [
        (("chosen", "rejected", "chosen"), "chosen"),
        (("rejected", "tie", "rejected"), "rejected"),
        (("chosen", "rejected"), "tie"),
        (("chosen", "rejected", "tie"), "tie"),
        (("chosen", "chosen", "tie", "tie"), "tie"),
    ],
)
def test_the_most_frequent_choice_is_the_verdict_and_equal_counts_are_a_tie(choices, verdict):
    found = majority([sample(c) for c in choices])

    assert found.choice == verdict
    assert found.samples == choices
    assert found.keys == ("k",) * len(choices)


def test_margins_are_averaged_where_there_are_any():
    assert majority([sample("chosen", 1.0), sample("chosen", None), sample("rejected", -0.5)]).margin == 0.25
    assert majority([sample("chosen"), sample("chosen")]).margin is None


def test_the_reasons_are_those_of_a_sample_that_agrees():
    found = majority([sample("chosen", reasoning="a"), sample("rejected", reasoning="b"), sample("rejected")])

    assert (found.choice, found.reasoning) == ("rejected", "b")


def test_unreadable_samples_are_left_out_as_long_as_most_can_be_read():
    found = majority([sample("chosen"), UNREAD, sample("chosen")])

    assert (found.choice, found.samples, found.keys) == ("chosen", ("chosen", "chosen"), ("k", "u", "k"))


@pytest.mark.parametrize(
    "samples", [[UNREAD, sample("chosen")], [UNREAD, Missing("empty"), UNREAD, sample("tie")]]
)
def test_half_unreadable_is_missing_with_the_commonest_reason(samples):
    found = majority(samples)

    assert isinstance(found, Missing)
    assert found.reason == "unparsable"
    assert f"of {len(samples)} samples" in found.detail


def test_one_sample_is_a_plain_verdict():
    assert majority([sample("chosen")]) == Verdict("p1", "calm", "chosen_first", "chosen", keys=("k",))
    assert majority([UNREAD]) == UNREAD
    assert majority([NO_REFERENCE]) == NO_REFERENCE


def test_a_short_reply_to_a_users_prompt_holds_no_reasons():
    own = Asking(Template("", ""))

    assert own.reasons('{"winner": "A"}') == ""
    assert own.reasons("The first names the source and the second does not. A") != ""
    assert Asking().reasons("Verdict: 1") == "Verdict: 1"
