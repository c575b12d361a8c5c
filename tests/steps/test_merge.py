"""What is new, what repeats a bias that was named before, and what could not be decided."""

import json

import pytest

from biasscope.ask import Missing, Reply, Unreadable
from biasscope.steps.identify import Proposal
from biasscope.steps.merge import (
    MergeAsk,
    collapse,
    grams,
    merge_proposals,
    same_name,
    shortlist,
    similarity,
    slug,
)

from ..fakes import FakeAsker, bias

LENGTH = bias("Length bias", "The text is long.", id="length", origin="seed")
CALM = bias("Calm bias", "The text sounds calm.")


def proposal(name, *evidence, definition="A feature of the text."):
    return Proposal(name, definition, evidence or ("p1",))


def answering(same_as):
    """A teacher that says the same number of every proposal."""
    return FakeAsker(lambda ask, attempt: json.dumps({"reason": "so", "same_as": same_as}))


def knowing(**pairs_of_names):
    """A teacher that knows which proposal repeats which entry (by names), and finds all others new."""

    def say(ask, attempt):
        wanted = pairs_of_names.get(ask.proposal.name.split()[0])
        names = [b.name for b in ask.known]
        return json.dumps({"same_as": names.index(wanted) + 1 if wanted in names else 0})

    return FakeAsker(say)


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("Appeal to Authority!", "appeal_to_authority"),
        ("  Judge's   pet ", "judge_s_pet"),
        ("snake_case bias", "snake_case_bias"),
        ("Größenwahn", "grössenwahn"),
        ("长度偏差", "长度偏差"),
        ("कल", "कल"),
        ("🙂", "bias"),
        ("", "bias"),
        ("long " * 20, "long_long_long_long_long_long_long_long_long_lon"),
    ],
)
def test_an_id_is_made_of_the_words_of_a_name_in_any_script(name, made):
    assert slug(name) == made
    assert len(slug(name)) <= 48


def test_names_are_the_same_whatever_their_spelling():
    assert same_name("Calm bias", "calm")
    assert same_name("Calm-Bias.", "CALM")
    assert same_name("Ｃａｌｍ", "calm")
    assert not same_name("Calm tone", "Calm")
    assert same_name("Bias", "bias!")


def test_names_in_other_scripts_are_told_apart():
    assert not same_name("长度偏差", "权威偏差")
    assert not same_name("कल", "काल")  # they differ in a vowel sign
    assert not same_name("🙂", "🙃")


def test_proposals_of_one_name_are_joined_and_the_most_evidence_comes_first():
    joined = collapse(
        [
            proposal("Calm bias", "p1", definition="first"),
            proposal("Zeal", "p3", "p4", "p5"),
            proposal("calm", "p2", "p1", definition="second"),
            proposal("Awe", "p6", "p7"),
        ]
    )

    assert joined == [
        (proposal("Zeal", "p3", "p4", "p5"), ()),
        (proposal("Awe", "p6", "p7"), ()),
        (proposal("Calm bias", "p1", "p2", definition="first"), ("calm",)),
    ]


def test_similarity_is_the_cosine_of_three_gram_counts():
    assert grams("ab") == {" ab": 1, "ab ": 1}
    assert similarity(grams("ab"), grams("Ab")) == 1.0
    assert similarity(grams("ab"), grams("xy")) == 0.0
    assert similarity(grams("ab"), grams("")) == 0.0
    # " ab", "ab " against " ab", "abc", "bc ": one of 2 and 3 in common
    assert similarity(grams("ab"), grams("abc")) == pytest.approx(1 / 6**0.5)


def test_the_shortlist_holds_the_most_similar_entries_and_keeps_the_order_of_ties():
    known = [bias(f"Other {n}", "Something else.") for n in range(9)] + [CALM]
    short = shortlist(proposal("Calmness", definition="The text sounds calm."), known, 8)

    assert short[0] == CALM
    assert [b.name for b in short[1:]] == [f"Other {n}" for n in range(7)]


@pytest.mark.parametrize(
    ("same_as", "index"), [(0, None), (1, 0), (2, 1), ("2", 1), (" 1 ", 0), ("0", None), (2.0, 1)]
)
def test_an_answer_is_a_number_on_the_list_or_nought(same_as, index):
    ask = MergeAsk(proposal("Calmness"), (LENGTH, CALM))

    assert ask.parse(Reply(json.dumps({"same_as": same_as}))) == (None if index is None else ask.known[index])


@pytest.mark.parametrize("same_as", [3, -1, "3", "²", "9" * 5000, 1.5, None, True, "", "Calm bias", [1]])
def test_what_was_not_offered_is_unreadable(same_as):
    with pytest.raises(Unreadable, match="unparsable"):
        MergeAsk(proposal("Calmness"), (LENGTH, CALM)).parse(Reply(json.dumps({"same_as": same_as})))


def test_the_entries_are_numbered_and_a_second_attempt_has_more_room():
    ask = MergeAsk(proposal("Calmness"), (LENGTH, CALM))

    assert (
        "<known>\n1. Length bias: The text is long.\n2. Calm bias: The text sounds calm.\n</known>"
        in ask.request(0).messages[-1].content
    )
    assert [ask.request(n).max_tokens for n in range(ask.attempts)] == [256, 512]


async def test_a_new_name_becomes_a_candidate_with_its_evidence():
    merged = await merge_proposals(answering(0), [proposal("Calmness", "p1", "p2")], [LENGTH])
    (candidate,) = merged.candidates

    assert (candidate.id, candidate.name, candidate.origin) == ("calmness", "Calmness", "discovered")
    assert (candidate.estimand, candidate.evidence) == ("pull", ("p1", "p2"))
    assert merged.merged == merged.undecided == ()


async def test_a_known_bias_under_a_new_name_is_merged():
    merged = await merge_proposals(knowing(Lengthiness="Length bias"), [proposal("Lengthiness")], [CALM, LENGTH])

    assert merged.candidates == ()
    assert merged.merged == (("Lengthiness", "length"),)


async def test_a_known_name_is_merged_without_a_call():
    teacher = answering(0)
    merged = await merge_proposals(teacher, [proposal("LENGTH"), proposal("length bias")], [CALM, LENGTH])

    assert merged.merged == (("LENGTH", "length"), ("length bias", "length"))
    assert teacher.asked == []


async def test_a_proposal_can_repeat_another_one_of_the_same_iteration():
    teacher = knowing(Serenity="Calmness")
    merged = await merge_proposals(
        teacher, [proposal("Serenity", "p3"), proposal("Calmness", "p1", "p2")], [LENGTH]
    )

    assert [(b.id, b.evidence) for b in merged.candidates] == [("calmness", ("p1", "p2", "p3"))]
    assert merged.merged == (("Serenity", "calmness"),)


async def test_every_proposal_is_a_candidate_merged_or_undecided():
    def say(ask, attempt):
        known = knowing(Lengthiness="Length bias").say(ask, attempt)
        return "no idea" if ask.proposal.name == "Haste" else known

    proposals = [
        proposal(name)
        for name in ("Calmness", "calmness", "CALMNESS", "Lengthiness", "lengthiness", "Haste", "haste", "Length")
    ]
    merged = await merge_proposals(FakeAsker(say), proposals, [LENGTH])

    assert [b.id for b in merged.candidates] == ["calmness"]
    assert sorted(merged.merged) == [
        ("CALMNESS", "calmness"),
        ("Length", "length"),
        ("Lengthiness", "length"),
        ("calmness", "calmness"),
        ("lengthiness", "length"),
    ]
    assert merged.undecided == (("Haste", "unparsable"), ("haste", "unparsable"))


async def test_what_the_teacher_cannot_decide_is_asked_twice_and_not_tried():
    teacher = answering(9)
    merged = await merge_proposals(teacher, [proposal("Calmness")], [LENGTH])

    assert (merged.candidates, merged.merged) == ((), ())
    assert merged.undecided == (("Calmness", "unparsable"),)


async def test_names_without_a_common_word_do_not_become_one_candidate():
    merged = await merge_proposals(answering(0), [proposal("长度偏差"), proposal("权威偏差")], [LENGTH])

    assert {b.id for b in merged.candidates} == {"长度偏差", "权威偏差"}


async def test_ids_are_free_also_of_the_arm_of_the_originals():
    merged = await merge_proposals(
        answering(0),
        [proposal("Original"), proposal("Calm: bias?"), proposal("🙂"), proposal("🙃")],
        [bias("Soothing", id="calm_bias"), bias("Older", id="calm_bias_2")],
    )

    assert {b.name: b.id for b in merged.candidates} == {
        "Original": "original_2",
        "Calm: bias?": "calm_bias_3",
        "🙂": "bias",
        "🙃": "bias_2",
    }


async def test_with_nothing_known_the_first_name_is_new_without_a_call():
    teacher = answering(0)
    merged = await merge_proposals(teacher, [proposal("Calmness")], [])

    assert [b.id for b in merged.candidates] == ["calmness"]
    assert teacher.asked == []


async def test_nothing_proposed_is_nothing_merged():
    merged = await merge_proposals(answering(0), [], [LENGTH])

    assert (merged.candidates, merged.merged, merged.undecided) == ((), (), ())


async def test_pairwise_every_entry_is_asked_about_by_itself():
    teacher = knowing(Lengthiness="Length bias")
    merged = await merge_proposals(teacher, [proposal("Lengthiness")], [CALM, LENGTH], pairwise=True)

    assert [[b.id for b in ask.known] for ask in teacher.asked] == [["calm_bias"], ["length"]]
    assert merged.merged == (("Lengthiness", "length"),)


@pytest.mark.parametrize(("decided", "merged", "undecided"), [(1, 1, 0), (0, 0, 1)])
async def test_pairwise_one_entry_that_cannot_be_decided_leaves_only_a_match(decided, merged, undecided):
    def say(ask, attempt):
        return "no idea" if ask.known[0] == CALM else json.dumps({"same_as": decided})

    found = await merge_proposals(FakeAsker(say), [proposal("Lengthiness")], [CALM, LENGTH], pairwise=True)

    assert (len(found.candidates), len(found.merged), len(found.undecided)) == (0, merged, undecided)


async def test_a_missing_answer_is_never_taken_for_new():
    class Silent:
        name = "silent"

        async def ask(self, asks):
            return [Missing("refused") for _ in asks]

    found = await merge_proposals(Silent(), [proposal("Calmness")], [LENGTH])

    assert found.undecided == (("Calmness", "refused"),)
    assert found.candidates == ()
