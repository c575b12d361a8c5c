"""Rewrites brought to equal length, cut or condensed, with the final answer whole."""

import pytest

from biasscope.ask import Missing, Reply, Unreadable
from biasscope.config import ModelSpec
from biasscope.models.open import open_model
from biasscope.records import Rewrite
from biasscope.steps.equal_length import CondenseAsk, equal_arm, equalise, truncated, word_count
from biasscope.steps.judge import Table
from biasscope.steps.perturb import cut

from ..fakes import FakeAsker, pair, pairs

ANSWER = "The answer is 13."
ARMS = ("calm_bias", "neutral-1")


def words(count, name="w"):
    return " ".join(f"{name}{n}" for n in range(1, count + 1)) + "."


def text(count, name="w"):
    return f"{words(count, name)}\n\n{ANSWER}"


def table_of(**lengths):
    """Two rewrites of p1, as long as told; None is a rewrite that is missing."""
    texts = {"calm_bias": lengths["calm"], "neutral-1": lengths["neutral"]}
    return Table(
        {
            ("p1", arm): Missing("refused") if n is None else Rewrite("p1", arm, text(n, arm[0]), "fake:model", 1)
            for arm, n in texts.items()
        }
    )


async def equal(table, means="truncate", teacher=None):
    await equalise(teacher, table, [pair()], ARMS, means)
    return [table.rewrites["p1", equal_arm(arm, means, "calm_bias")] for arm in ARMS]


def shortens(ask, attempt):
    return words(ask.words, "short")


@pytest.mark.parametrize(("calm", "neutral", "both"), [(9, 6, 6), (6, 9, 6), (7, 7, 7), (40, 1, 1)])
async def test_both_arms_end_with_the_words_of_the_shorter_one_and_the_whole_answer(calm, neutral, both):
    made = await equal(table_of(calm=calm, neutral=neutral))

    for rewrite in made:
        split = cut(rewrite.text)
        assert len(split.before.split()) == both
        assert split.answer == ANSWER
        assert rewrite.text == f"{split.before.rstrip()}\n\n{ANSWER}"


async def test_what_is_cut_is_the_end_of_the_body_and_the_shorter_one_stays_as_it_is():
    table = table_of(calm=5, neutral=3)
    calm, neutral = await equal(table)

    assert calm.text == f"c1 c2 c3\n\n{ANSWER}"
    assert neutral.text == table.rewrites["p1", "neutral-1"].text
    assert (calm.arm, calm.writer, calm.phrasing, calm.side) == (
        "calm_bias@truncate:calm_bias",
        "fake:model",
        1,
        "rejected",
    )


async def test_a_response_that_is_all_answer_is_cut_like_any_other_text():
    texts = {"calm_bias": "13 of them", "neutral-1": "13"}
    table = Table({("p1", arm): Rewrite("p1", arm, said, "w", 0) for arm, said in texts.items()})
    calm, neutral = await equal(table)

    assert (calm.text, neutral.text) == ("13", "13")


@pytest.mark.parametrize("means", ["truncate", "condense"])
@pytest.mark.parametrize("lengths", [{"calm": None, "neutral": 6}, {"calm": 6, "neutral": None}])
async def test_a_pair_that_lacks_an_arm_lacks_both_at_equal_length(means, lengths):
    teacher = FakeAsker(shortens)
    made = await equal(table_of(**lengths), means, teacher)

    assert [m.reason for m in made] == ["no_rewrite", "no_rewrite"]
    assert teacher.asked == []


async def test_condensing_without_a_model_is_refused():
    with pytest.raises(ValueError, match="needs a model that writes"):
        await equal(table_of(calm=9, neutral=6), "condense")


async def test_only_the_longer_one_is_condensed_and_its_answer_put_back():
    teacher, table = FakeAsker(shortens), table_of(calm=9, neutral=6)
    calm, neutral = await equal(table, "condense", teacher)
    (ask,) = teacher.asked

    assert (ask.body, ask.words) == (words(9, "c"), 6)
    assert calm.text == f"{words(6, 'short')}\n\n{ANSWER}"
    assert neutral.text == table.rewrites["p1", "neutral-1"].text


async def test_nothing_is_asked_where_the_lengths_are_equal_already():
    teacher = FakeAsker(shortens)
    await equal(table_of(calm=6, neutral=6), "condense", teacher)

    assert teacher.asked == []


@pytest.mark.parametrize(("target", "has"), [(40, 38), (40, 42), (10, 9), (10, 11), (1, 2)])
def test_a_condensed_text_may_be_a_twentieth_off_or_one_word(target, has):
    assert word_count(CondenseAsk(pair(), words(50), target).parse(Reply(words(has)))) == has


@pytest.mark.parametrize(("target", "has"), [(40, 37), (40, 43), (10, 8), (10, 12)])
async def test_condensing_off_the_length_is_missing(target, has):
    teacher = FakeAsker(lambda ask, attempt: words(has))
    calm, neutral = await equal(table_of(calm=60, neutral=target), "condense", teacher)

    assert isinstance(calm, Missing)
    assert (calm.reason, calm.detail) == ("off_length", f"asked for {target} words, got {has}")
    assert isinstance(neutral, Rewrite)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply("  "), "empty"),
        (Reply("", refusal="No."), "refused"),
        (Reply(words(6), finish="length"), "truncated"),
    ],
)
def test_a_reply_without_a_condensed_text_is_missing_with_its_reason(reply, reason):
    with pytest.raises(Unreadable) as caught:
        CondenseAsk(pair(), words(9), 6).parse(reply)
    assert caught.value.reason == reason


def test_the_model_is_shown_the_body_without_the_answer_and_the_number_of_words():
    ask = CondenseAsk(pair(question="How many?"), words(9), 6)
    asked = ask.request(0).messages[-1].content

    assert "<prompt>\nHow many?\n</prompt>" in asked
    assert f"<text>\n{words(9)}\n</text>" in asked
    assert "<words>\n6\n</words>" in asked
    assert ANSWER not in asked
    assert (ask.request(0).max_tokens, CondenseAsk(pair(), "x", 100).request(0).max_tokens) == (256, 800)


async def test_a_preface_and_a_wrapper_are_no_words_of_the_condensed_text():
    reply = Reply(f"Here is the rewritten text:\n\n<text>\n{words(6)}\n</text>")

    assert CondenseAsk(pair(), words(9), 6).parse(reply) == words(6)


async def test_the_planted_teacher_condenses_to_the_word():
    teacher = open_model(ModelSpec(spec="planted:teacher"))
    ask = CondenseAsk(pair(), words(50), 40)
    body = ask.parse(await teacher.complete(ask.request(0)))

    assert word_count(body) == 40
    assert set(body.split()) <= set(words(50).split())
    assert body.split() == sorted(body.split(), key=words(50).split().index)


def test_words_are_what_stands_between_white_space():
    assert [word_count(t) for t in ("", " \n", "one", "one, two\n\nthree\t4")] == [1, 1, 1, 4]
    assert truncated("  one, two\n\nthree", 2) == "  one, two"
    assert truncated("one two", 2) == truncated("one two", 3) == "one two"
    assert truncated("", 1) == ""


async def test_every_pair_has_a_length_of_its_own():
    table = Table()
    for n, p in enumerate(pairs(3), 2):
        for arm, count in (("calm_bias", 3 * n), ("neutral-1", n)):
            table.rewrites[p.id, arm] = Rewrite(p.id, arm, text(count), "w", 0)
    await equalise(None, table, pairs(3), ARMS, "truncate")

    made = [table.rewrites[p.id, "calm_bias@truncate:calm_bias"].text for p in pairs(3)]
    assert [len(cut(m).before.split()) for m in made] == [2, 3, 4]
