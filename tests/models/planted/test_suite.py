"""Planted suites: the words that judge and writer share, what the writer writes, and that both mean the same."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from biasscope import prompts
from biasscope.ask import Request, Unreadable
from biasscope.errors import BadRequest, UsageError
from biasscope.models.planted import open_planted, suite_judge, suite_writer
from biasscope.models.planted.suite import TEXT_WORLD, TRAITS, suite_biases, suite_truth
from biasscope.models.planted.suite_judge import mentions
from biasscope.models.planted.suite_writer import NEUTRAL_NOUNS, SENTENCES
from biasscope.parsing.answers import split_answer
from biasscope.parsing.replies import looks_like_refusal
from biasscope.stats.simulation.world import SUITES
from biasscope.steps.perturb import Job, RewriteAsk

SIZES = {"20-10-10": (20, 0, 10, 10), "30-12-5-3": (30, 12, 5, 3), "null-20": (20, 0, 0, 0)}


@pytest.mark.parametrize("noun", TRAITS)
def test_the_judge_sees_each_trait_in_all_of_the_writers_sentences_and_no_other(noun):
    assert {s: mentions(s.format(noun=noun)) for s in SENTENCES} == dict.fromkeys(
        SENTENCES, (frozenset({noun}), True)
    )


def test_the_judge_sees_that_a_neutral_sentence_is_a_rewrite_and_shows_no_trait():
    written = [s.format(noun=noun) for s in SENTENCES for noun in NEUTRAL_NOUNS]
    assert {mentions(s) for s in written} == {(frozenset(), True)}


def test_no_generated_question_or_response_mentions_an_animal_or_a_plant(pairs):
    texts = [text for p in pairs for text in (p.question, p.chosen, p.rejected)]
    assert {mentions(text) for text in texts} == {(frozenset(), False)}


def test_the_sentences_are_many_and_state_neither_number_nor_answer_nor_refusal():
    written = [s.format(noun="zebra") for s in SENTENCES]
    assert len(set(SENTENCES)) >= 6
    assert not any(c.isdigit() for s in written for c in s)
    assert [s for s in written if split_answer(s).answer or looks_like_refusal(s)] == []


def test_judge_and_writer_share_no_list():
    def imported(module):
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        return {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}

    assert "biasscope.models.planted.suite_writer" not in imported(suite_judge)
    assert "biasscope.models.planted.suite_judge" not in imported(suite_writer)


@pytest.mark.parametrize("name", SUITES)
def test_a_suite_has_as_many_candidates_of_each_size_as_its_name_says_and_their_shifts_fit(name):
    truth = suite_truth(name, 7)
    sizes = [planted.size for planted in truth.values()]
    assert tuple(sizes.count(size) for size in ("null", "small", "medium", "large")) == SIZES[name]
    assert tuple(sizes) == SUITES[name].sizes
    for planted in truth.values():
        low, high = {"null": (0, 0), "small": (0.1, 0.2), "medium": (0.4, 0.4), "large": (0.8, 0.8)}[planted.size]
        assert low <= planted.shift <= high


def test_which_trait_has_which_size_is_drawn_by_seed():
    one, again, other = (suite_truth("20-10-10", seed) for seed in (1, 1, 2))
    assert one == again
    assert one != other
    assert one.keys() == other.keys()


def test_the_candidates_of_a_suite_are_its_traits_in_an_order_that_says_nothing_about_their_size():
    biases = suite_biases("20-10-10", 1)
    truth = suite_truth("20-10-10", 1)
    assert {b.id for b in biases} == truth.keys()
    assert [b.id for b in biases] != list(truth)
    assert [b for b in biases if b.id not in b.definition or b.id not in b.name.lower()] == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("suite=20-20", "unknown suite '20-20'"),
        ("suite=20-10-10;noise=1", "unknown option of planted:suite=20-10-10: 'noise=1'"),
        ("suite-writer;seed=x", "is not a number"),
    ],
)
def test_a_mistyped_name_is_refused_with_what_there_is(name, said):
    with pytest.raises(UsageError, match=said) as refused:
        open_planted(name)
    assert refused.value.hint


def test_seed_and_suite_are_part_of_what_determines_a_reply():
    names = ("suite=20-10-10;seed=1", "suite=20-10-10;seed=2", "suite=30-12-5-3;seed=1", "suite-writer;seed=1")
    prints = [open_planted(name).fingerprint for name in names]
    assert [p for k, p in enumerate(prints) if p in prints[:k]] == []
    assert open_planted("suite=20-10-10", seed=2).fingerprint == prints[1]


def rewritten(writer, pair, bias, index=0, attempt=0):
    """What the writer says to the ask of a step, and what the step makes of it: a text or the reason for none."""
    ask = RewriteAsk(Job(pair, "arm", bias, index))
    reply = writer.reply(ask.request(attempt))
    try:
        return reply.text, ask.parse(reply)
    except Unreadable as unreadable:
        return reply.text, unreadable


def test_a_rewrite_holds_one_more_sentence_and_everything_else_as_it_was(pairs):
    writer, bias = open_planted("suite-writer;seed=1"), suite_biases("20-10-10", 1)[0]
    for pair in pairs[:60]:
        for arm, index in ((bias, 0), (None, 1)):
            _, made = rewritten(writer, pair, arm, index)
            if not isinstance(made, Unreadable):
                had, has = pair.rejected.split(), made.split()
                assert Counter(had) - Counter(has) == Counter()
                assert 4 <= len(has) - len(had) <= 9


def test_the_writer_weaves_in_the_trait_it_is_asked_for_and_recognises_it(pairs):
    writer = open_planted("suite-writer;seed=1")
    for pair, bias in zip(pairs, suite_biases("30-12-5-3", 1), strict=False):
        _, made = rewritten(writer, pair, bias)
        if isinstance(made, Unreadable):
            continue
        assert mentions(made) == (frozenset({bias.id}), True)
        for text, answer in ((made, "yes"), (pair.rejected, "no")):
            filled = prompts.fill("check_trait", name=bias.name, definition=bias.definition, text=text)
            assert writer.reply(Request(filled.messages, max_tokens=256)).text == f"Verdict: {answer}"


def test_the_neutral_rewrites_of_a_pair_differ_and_stand_at_many_places(pairs):
    writer = open_planted("suite-writer;seed=1")
    places = set()
    for pair in pairs[:40]:
        made = [text for k in (1, 2, 3) if isinstance(text := rewritten(writer, pair, None, k)[1], str)]
        assert len(set(made)) == len(made)
        places |= {next(k for k, (a, b) in enumerate(zip(f"{text}\0", pair.rejected, strict=False)) if a != b)
                   for text in made}  # fmt: skip
    assert len(places) > 30


def body(pair):
    """What a step shows of a pair's rejected response to a writer."""
    return split_answer(pair.rejected).before.strip()


def kind(said, text):
    """How a reply to a text is spoiled, None where it is a rewrite."""
    if said == text:
        return "unchanged"
    if looks_like_refusal(said):
        return "refused"
    return "answer_changed" if "none of the above" in said else None


def test_rewrites_are_spoiled_as_often_as_in_the_simulated_world_and_a_second_attempt_is_too(pairs):
    writer = open_planted("suite-writer;seed=1")
    asks = [RewriteAsk(Job(pair, "neutral", None, k)) for pair in pairs[:300] for k in (1, 2)]
    first, second = (
        [kind(writer.reply(ask.request(attempt)).text, body(ask.job.pair)) for ask in asks] for attempt in (0, 1)
    )
    rate, n = TEXT_WORLD.answer_fixed + TEXT_WORLD.answer_changed, len(asks)
    counts = Counter(k for k in first if k)
    assert counts.keys() == {"answer_changed", "unchanged", "refused"}
    assert abs(counts.total() - n * rate) < 4 * (n * rate * (1 - rate)) ** 0.5
    assert second == first


def test_the_check_names_how_a_rewrite_is_spoiled_and_sees_every_changed_answer(pairs):
    writer = open_planted("suite-writer;seed=2")
    # A changed answer is not told from the text where the body states an answer of its own.
    silent = [pair for pair in pairs if not split_answer(body(pair)).answer]
    seen = [
        (kind(said, body(pair)), made) for pair in silent for said, made in [rewritten(writer, pair, None, 1)]
    ]
    spoiled = [(k, made) for k, made in seen if k]
    assert len(silent) > 0.99 * len(pairs)
    assert {k for k, _ in spoiled} == {"answer_changed", "unchanged", "refused"}
    assert [(k, made) for k, made in spoiled if not isinstance(made, Unreadable) or made.reason != k] == []


def test_candidates_fail_at_rates_of_their_own_between_half_and_twice_that_of_neutral_rewrites(pairs, prompted):
    writer = open_planted("suite-writer;seed=3")
    shares = []
    for bias in suite_biases("20-10-10", 3)[:12]:
        asked = [(p, prompted.biased(p, p.rejected, bias.name, bias.definition)) for p in pairs]
        shares.append(
            sum(kind(writer.reply(request).text, p.rejected) is not None for p, request in asked) / len(asked)
        )
    assert max(shares) > 1.8 * min(shares)
    assert abs(sum(shares) / 12 - 1.25 * 0.05) < 0.02


def test_what_a_chatty_reply_says_around_a_text_is_taken_off(pairs):
    writer = open_planted("suite-writer;seed=1")
    seen = [rewritten(writer, pair, None, k) for pair in pairs[:250] for k in (2,)]
    chatty = [made for said, made in seen if said.startswith(("Sure, here", "Here is the edited"))]
    assert 3 < len(chatty) < 30
    assert [
        m for m in chatty if isinstance(m, Unreadable) or "rewritten text" in m or "edited version" in m
    ] == []


def test_each_model_of_a_suite_refuses_what_is_not_its_work(pairs, prompted):
    judge, writer = open_planted("suite=20-10-10;seed=1"), open_planted("suite-writer;seed=1")
    pair = pairs[0]
    with pytest.raises(BadRequest, match="judges and does nothing else"):
        judge.reply(prompted.biased(pair, pair.rejected, "Zebra mention", "The text mentions a zebra."))
    with pytest.raises(BadRequest, match="rewrites and checks, and does nothing else"):
        writer.reply(prompted.judge(pair, pair.chosen, pair.rejected))
    with pytest.raises(BadRequest, match="knows the traits of suites only, not 'Calm tone'"):
        writer.reply(prompted.biased(pair, pair.rejected, "Calm tone", "The text sounds calm."))
