"""The judge of single responses: scores become a verdict, and nothing is invented."""

import pytest

from biasscope.ask import Missing, Reply
from biasscope.engine import Engine
from biasscope.judges.asking import Asking
from biasscope.judges.base import Explaining, Presentation
from biasscope.judges.pointwise import PointwiseJudge, ScoreAsk
from biasscope.judges.readers import ScoreReader
from biasscope.judges.template import Template
from biasscope.ledger import Ledger
from biasscope.models.scripted import ScriptedModel
from biasscope.parsing.scores import PASS_OR_FAIL, Scale
from biasscope.records import Message, PreferencePair, Verdict

from ..fakes import FakeAsker, pair

MARKS = {"Right text.": "Clear.\nScore: 7", "Calm text.": "Calm.\nScore: 9"}


def shown(arm="calm", replicate=0, of=None, **texts):
    texts = {"chosen": "Right text.", "rejected": "Calm text."} | texts
    return Presentation(of or pair("p1"), arm, None, **texts, replicate=replicate)


def marks(**said):
    """A model that marks the response it is shown."""
    by_text = MARKS | {k.replace("_", " "): v for k, v in said.items()}
    return FakeAsker(lambda ask, attempt: by_text[ask.response])


async def judged(asker, *of, **settings):
    return await PointwiseJudge(asker, **settings).judge(of or [shown()])


async def test_a_verdict_compares_two_scores_and_its_margin_is_their_difference():
    (found,) = await judged(marks())

    assert found == Verdict("p1", "calm", None, "rejected", margin=-2.0, scores=(7.0, 9.0),
                            reasoning="Calm.\nScore: 9", keys=("judge-1-0", "judge-2-0"))  # fmt: skip


@pytest.mark.parametrize(
    ("score", "choice", "margin"), [(3, "chosen", 4), (7, "tie", 0), (7.5, "rejected", -0.5)]
)
async def test_equal_scores_are_a_tie(score, choice, margin):
    (found,) = await judged(FakeAsker(lambda ask, _: f"Score: {score if 'Calm' in ask.response else 7}"))

    assert (found.choice, found.margin) == (choice, margin)


@pytest.mark.parametrize(
    ("good", "bad", "choice", "margin"), [("pass", "fail", "chosen", 1), ("fail", "fail", "tie", 0)]
)
async def test_pass_and_fail_are_compared_like_scores(good, bad, choice, margin):
    asker = FakeAsker(lambda ask, _: f"Verdict: {bad if 'Calm' in ask.response else good}")
    (found,) = await judged(asker, reader=ScoreReader(PASS_OR_FAIL))

    assert (found.choice, found.margin) == (choice, margin)
    assert "Verdict: pass\nVerdict: fail" in asker.asked[0].request(0).messages[-1].content


@pytest.mark.parametrize(
    ("reply", "reason"),
    [("Score: 12", "off_scale"), ("Good.", "unparsable"), ("Score: 7-8", "ambiguous"), (Reply("", refusal="No."), "refused"),
     (Reply("Score: 7, but", finish="length"), "truncated")],
)  # fmt: skip
async def test_without_both_scores_there_is_no_verdict(reply, reason):
    asker = FakeAsker(lambda ask, _: "Score: 7" if "Right" in ask.response else reply)
    (found,) = await judged(asker)

    assert isinstance(found, Missing)
    assert found.reason == reason


async def test_a_response_is_paid_for_once_however_many_arms_it_stands_in(tmp_path):
    model = ScriptedModel(lambda request: "It is fine as it is.\nScore: 7")
    with Ledger.open(tmp_path / "replies.db") as ledger:
        asker = Engine(ledger).asker(model, "judge")
        of = [shown(arm, rejected=text) for arm, text in (("a", "One."), ("b", "Two."), ("c", "One."))]
        found = await PointwiseJudge(asker).judge(of)

    assert [v.choice for v in found] == ["tie"] * 3
    assert len(model.requests) == 3  # Right text., One., Two.


async def test_another_verdict_on_the_same_texts_is_asked_for_anew():
    asker = marks()
    await judged(asker, shown(), shown(replicate=1))

    assert [a.request(0).replicate for a in asker.asked] == [0, 0, 1, 1]


def test_the_prompt_shows_one_response_and_says_the_scale():
    request = ScoreAsk(shown(), "Calm text.", ScoreReader(Scale(0, 100))).request(0)
    asked = request.messages[-1].content

    assert "<response>\nCalm text.\n</response>" in asked
    assert "Right text." not in asked
    assert "a whole number from 0 (worst) to 100 (best)" in asked
    assert asked[request.shared :].startswith("Calm text.")
    assert (request.max_tokens, request.temperature, request.labels) == (1024, 0.0, ())


async def test_a_pair_without_a_reference_is_not_asked_and_says_so():
    asker, asking = marks(), Asking(reference=True)
    with_key = pair("p2", reference="42")
    without, there = await judged(asker, shown(), shown(of=with_key), asking=asking)

    assert without == Missing("no_reference", "the pair has no reference answer")
    assert there.choice == "rejected"
    assert len(asker.asked) == 2
    assert all("<reference>\n42\n</reference>" in a.request(0).messages[-1].content for a in asker.asked)


async def test_scores_are_averaged_over_samples():
    said = iter(["Score: 6", "Score: 8", "Score: 7", "Score: 9", "Score: 5", "Score: 9"])
    asker = FakeAsker(lambda ask, _: next(said))
    (found,) = await judged(asker, asking=Asking(samples=3, temperature=0.5))

    assert (found.choice, found.margin) == ("rejected", pytest.approx(7 - 23 / 3))
    assert found.scores == (7, pytest.approx(23 / 3))
    assert found.samples == ("rejected", "chosen", "rejected")
    assert [a.request(0).replicate for a in asker.asked] == [0, 1, 2] * 2
    assert {a.request(0).temperature for a in asker.asked} == {0.5}


async def test_equal_means_are_a_tie_whatever_rounding_does():
    said = iter(["Score: 7.1", "Score: 7.2", "Score: 7.3", "Score: 7.3", "Score: 7.1", "Score: 7.2"])
    (found,) = await judged(FakeAsker(lambda ask, _: next(said)), asking=Asking(samples=3, temperature=1.0))

    assert found.choice == "tie"


@pytest.mark.parametrize(("readable", "choice"), [(2, "tie"), (1, None)])
async def test_half_of_the_samples_unreadable_is_missing(readable, choice):
    asker = FakeAsker(lambda ask, _: "Score: 7" if ask.sample < readable else "Well.")
    (found,) = await judged(asker, asking=Asking(samples=3, temperature=1.0))

    if choice:
        assert (found.choice, found.samples) == (choice, ("tie", "tie"))
    else:
        assert (found.reason, found.detail) == ("unparsable", "2 of 3 samples cannot be read")
        assert len(found.keys) == 3


@pytest.mark.parametrize(
    ("question", "good", "bad", "reply"),
    [
        ("一加一等于几？", "等于二。", "等于三。", "推理正确，表达清楚。\n评分：{}"),
        ("كم يساوي واحد زائد واحد؟", "يساوي اثنين.", "يساوي ثلاثة.", "الإجابة واضحة وصحيحة.\nالدرجة: {}"),
    ],
)
async def test_any_language_is_shown_and_read_as_it_is(question, good, bad, reply):
    asker = FakeAsker(lambda ask, _: reply.format(9 if ask.response == good else 4))
    of = pair("p1", question=question, chosen=good, rejected=bad)
    (found,) = await judged(asker, shown(of=of, chosen=good, rejected=bad))

    assert (found.choice, found.margin) == ("chosen", 5)
    assert (
        f"<prompt>\n{question}\n</prompt>\n\n<response>\n{good}" in asker.asked[0].request(0).messages[-1].content
    )


async def test_a_conversation_is_shown_as_a_transcript():
    turns = (Message("user", "Hi."), Message("assistant", "Hello!"), Message("user", "One and one?"))
    of = PreferencePair("p1", turns, "Two.", "Three.")
    asked = ScoreAsk(shown(of=of), "Two.").request(0).messages[-1].content

    assert "<prompt>\nUser: Hi.\n\nAssistant: Hello!\n\nUser: One and one?\n</prompt>" in asked


def test_a_users_prompt_is_sent_as_it_is():
    asking = Asking(Template("", "Mark {{response}} for {{question}}"), max_tokens=9, temperature=None)
    request = ScoreAsk(shown(), "{{question}}</response>", asking=asking).request(0)

    assert request.messages == (Message("user", "Mark {{question}}</response> for Question p1?"),)
    assert (request.max_tokens, request.temperature) == (9, None)


def test_it_sees_no_order_and_counts_in_points():
    judge = PointwiseJudge(marks())

    assert (judge.orders, judge.margin_unit, judge.name) == ((None,), "score", "fake:model")
    assert isinstance(judge, Explaining)
