"""Asking a judge why: its own reasoning, then its account of it."""

from biasscope.ask import Missing, Reply
from biasscope.judges.asking import Asking
from biasscope.judges.base import Explaining
from biasscope.judges.pairwise import PairwiseJudge
from biasscope.judges.pointwise import PointwiseJudge
from biasscope.judges.readers import VerdictReader
from biasscope.judges.template import Template
from biasscope.records import Explanation, Rewrite, Shift
from biasscope.steps.explain import explain_shifts
from biasscope.steps.judge import Table, judge_pairs

from ..fakes import FakeAsker, FakeJudge, pairs

REASONED = "Both are short, and the calm one convinces.\n\nVerdict: 2"


def says(**replies):
    """A judge's model: `verdict` to the judge's prompt, `first` to a first question, `deeper` to the second."""
    spoken = {"verdict": REASONED, "first": "It sounds calm.", "deeper": "Calm means true."} | replies

    def say(ask, attempt):
        if ask.kind == "judge":
            return spoken["verdict"]
        return spoken["deeper" if ask.name.startswith("deepen") else "first"]

    return FakeAsker(say)


async def shifted(asker, mode="reason", count=1, order="chosen_first", judge=None):
    """The judge, its table, and a shift on each of `count` pairs, seen in one order."""
    judge = judge or PairwiseJudge(asker, mode)
    table, of = Table(orders=judge.orders), pairs(count)
    for p in of:
        table.rewrites[p.id, "calm"] = Rewrite(p.id, "calm", f"Calm text of {p.id}.", "rule", 0)
    await judge_pairs(judge, table, of, ("calm",))
    asker.asked.clear()
    found = [
        Shift(p, "calm", table.rewrites[p.id, "calm"], table.rewrites[p.id, "calm"],
              table.verdict(p, "calm", order), 1.0, 0)
        for p in of
    ]  # fmt: skip
    return judge, table, found


def turns(ask):
    return [(m.role, m.content) for m in ask.request(0).messages]


async def test_the_reasoning_of_the_reply_comes_first_and_its_justification_second():
    asker = says()
    judge, table, found = await shifted(asker)
    (explained,) = await explain_shifts(judge, table, found)

    assert explained == Explanation(
        found[0], REASONED, "Calm means true.", (*found[0].verdict.keys, "explain-1-0")
    )
    (ask,) = asker.asked
    roles, texts = zip(*turns(ask), strict=True)
    assert roles == ("system", "user", "assistant", "user")
    assert "<response_2>\nCalm text of p1.\n</response_2>" in texts[1]
    assert texts[2] == REASONED
    assert "features of response 2" in texts[3]


async def test_the_slot_is_that_of_the_rejected_response():
    asker = says(verdict="Fine.\n\nVerdict: 1")
    judge, table, found = await shifted(asker, order="rejected_first")
    await explain_shifts(judge, table, found)

    assert found[0].verdict.choice == "rejected"
    assert "features of response 1" in turns(asker.asked[0])[-1][1]


async def test_without_reasoning_the_judge_is_first_asked_what_led_it():
    asker = says(verdict="2")
    judge, table, found = await shifted(asker, "label")
    (explained,) = await explain_shifts(judge, table, found)

    assert (explained.reasoning, explained.deeper) == ("It sounds calm.", "Calm means true.")
    assert explained.keys == ("explain-1-0", "explain-2-0")
    first, second = asker.asked
    assert [role for role, _ in turns(first)] == ["system", "user", "assistant", "user"]
    assert turns(first)[2][1] == "2"
    assert turns(first)[3][1].startswith("You preferred response 2.")
    assert turns(second)[:4] == turns(first)
    assert turns(second)[4] == ("assistant", "It sounds calm.")


async def test_a_judge_that_only_leaned_is_not_told_that_it_preferred_the_response():
    asker = says(verdict="1")
    judge, table, found = await shifted(asker, "label")
    await explain_shifts(judge, table, found)

    assert found[0].verdict.choice == "chosen"
    assert turns(asker.asked[0])[-1][1].startswith("Whatever you decided, response 2")


SCORED = "It is short and clear, and it sounds calm.\n\nScore: 8"


async def test_a_judge_of_single_responses_explains_the_score_of_the_rejected_one():
    asker = says(verdict=SCORED)
    judge, table, found = await shifted(asker, order=None, judge=PointwiseJudge(asker))
    (explained,) = await explain_shifts(judge, table, found)

    assert (explained.reasoning, explained.deeper) == (SCORED, "Calm means true.")
    (ask,) = asker.asked
    roles, texts = zip(*turns(ask), strict=True)
    assert roles == ("system", "user", "assistant", "user")
    assert "<response>\nCalm text of p1.\n</response>" in texts[1]
    assert "Right text." not in texts[1]
    assert texts[2] == SCORED
    assert "features of the response weighed" in texts[3]


async def test_a_judge_of_single_responses_that_gave_a_score_alone_is_first_asked_for_its_reasons():
    asker = says(verdict="8")
    template = Template("", "Mark {{response}} as an answer to {{question}}.")
    judge, table, found = await shifted(asker, order=None, judge=PointwiseJudge(asker, asking=Asking(template)))
    (explained,) = await explain_shifts(judge, table, found)

    assert (explained.reasoning, explained.deeper) == ("It sounds calm.", "Calm means true.")
    assert [a.name for a in asker.asked] == ["explain_score", "deepen_score"]
    assert turns(asker.asked[0])[:2] == [
        ("user", "Mark Calm text of p1. as an answer to Question p1?."),
        ("assistant", "Score: 8"),
    ]


async def test_follow_up_questions_use_the_labels_of_the_users_prompt():
    asker = says(verdict="B")
    asking = Asking(Template("", "{{question}} A: {{first}} B: {{second}}"))
    own = PairwiseJudge(asker, reader=VerdictReader(("A", "B")), asking=asking)
    judge, table, found = await shifted(asker, judge=own)
    await explain_shifts(judge, table, found)

    first, second = asker.asked
    assert turns(first)[1] == ("assistant", "B")
    assert turns(first)[2][1].startswith("You preferred response B.")
    assert "features of response B" in turns(second)[-1][1]


async def test_a_judge_that_is_given_room_to_think_has_it_for_its_account_too():
    asker = says(verdict="2")
    judge, table, found = await shifted(
        asker, judge=PairwiseJudge(asker, "label", asking=Asking(max_tokens=4000))
    )
    await explain_shifts(judge, table, found)

    assert [a.request(0).max_tokens for a in asker.asked] == [4000, 4000]


async def test_the_second_question_can_be_left_out():
    asker = says()
    judge, table, found = await shifted(asker)
    (explained,) = await explain_shifts(judge, table, found, deeper=False)

    assert (explained.reasoning, explained.deeper) == (REASONED, "")
    assert asker.asked == []


async def test_without_a_first_reasoning_there_is_no_explanation_and_no_second_question():
    answers = iter(["It sounds calm.", Reply("", refusal="No."), "It is short."])
    asker = FakeAsker(
        lambda ask, attempt: "2" if ask.kind == "judge" else "More." if ask.name == "deepen" else next(answers)
    )
    judge, table, found = await shifted(asker, "label", count=3)
    explained = await explain_shifts(judge, table, found)

    assert [e.shift.pair.id for e in explained if isinstance(e, Explanation)] == ["p1", "p3"]
    assert isinstance(explained[1], Missing)
    assert explained[1].reason == "refused"
    assert [a.name for a in asker.asked] == ["explain", "explain", "explain", "deepen", "deepen"]


async def test_a_missing_justification_leaves_the_first_reasoning():
    judge, table, found = await shifted(says(deeper=""))
    (explained,) = await explain_shifts(judge, table, found)

    assert (explained.reasoning, explained.deeper) == (REASONED, "")
    assert explained.keys == found[0].verdict.keys


async def test_an_account_that_the_limit_cut_off_is_evidence_all_the_same():
    judge, table, found = await shifted(says(deeper=Reply("Calm texts are usually", finish="length")))
    (explained,) = await explain_shifts(judge, table, found)

    assert explained.deeper == "Calm texts are usually"


async def test_no_shift_is_no_question():
    judge, table, _ = await shifted(says())

    assert await explain_shifts(judge, table, []) == []


def test_only_a_prompted_judge_can_be_asked_why():
    assert isinstance(PairwiseJudge(says()), Explaining)
    assert not isinstance(FakeJudge(lambda s: "chosen"), Explaining)
