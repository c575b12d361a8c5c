"""Asking a judge why: its own reasoning, then its account of it."""

from biasscope.ask import Missing, Reply
from biasscope.judges.base import Explaining
from biasscope.judges.pairwise import PairwiseJudge
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
        return spoken["deeper" if ask.name == "deepen" else "first"]

    return FakeAsker(say)


async def shifted(asker, mode="reason", count=1, order="chosen_first"):
    """The judge, its table, and a shift on each of `count` pairs, seen in one order."""
    judge, table, of = PairwiseJudge(asker, mode), Table(), pairs(count)
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
