import asyncio
import itertools
import math
import re
import statistics

import pytest

from biasscope import prompts
from biasscope.ask import Request
from biasscope.errors import BadRequest
from biasscope.judges.margins import label_odds
from biasscope.models.planted import open_planted
from biasscope.models.planted.reasons import REMARKS
from biasscope.models.planted.traits import LENGTH, WORDING_TRAITS, fold, shows
from biasscope.objective import generate
from biasscope.records import Message, PreferencePair


def ask(model, requests):
    async def all_of_them():
        return [await model.complete(r) for r in requests]

    return asyncio.run(all_of_them())


def slot_of(reply):
    return re.search(r"(?:\A|Verdict: )([12])\Z", reply.text)[1]


def verdicts(model, requests):
    return [slot_of(reply) for reply in ask(model, requests)]


def wrongs(name, prompted, pairs, rejected, mode="reason"):
    """1 for each wrong verdict: chosen first, then rejected first, for each pair."""
    requests = [
        prompted.judge(p, *texts, mode=mode)
        for p, r in zip(pairs, rejected, strict=True)
        for texts in ((p.chosen, r), (r, p.chosen))
    ]
    said = verdicts(open_planted(name), requests)
    return [int(v == wrong) for v, wrong in zip(said, itertools.cycle("21"), strict=False)]


def body_with(response, sentence):
    body, mark, answer = response.rpartition("\n\nFinal answer:")
    return f"{body} {sentence}{mark}{answer}"


def test_a_reply_is_a_function_of_the_request_alone(prompted, pairs):
    requests = [prompted.judge(p, p.chosen, p.rejected) for p in pairs[:20]]
    one, other = open_planted("fair"), open_planted("planted:fair")
    assert ask(one, requests) == ask(other, requests[::-1])[::-1] == ask(one, requests)


def test_another_seed_is_another_judge(prompted, pairs):
    requests = [prompted.judge(p, p.chosen, p.rejected) for p in pairs[:60]]
    assert verdicts(open_planted("fair"), requests) != verdicts(open_planted("fair", seed=1), requests)
    assert open_planted("fair").fingerprint != open_planted("fair", seed=1).fingerprint


def test_a_judge_says_who_it_is_before_and_in_every_reply(prompted, pairs):
    judge = open_planted("planted:two-biases")
    (reply,) = ask(judge, [prompted.judge(pairs[0], "a", "b")])
    assert (judge.spec, judge.resolved, reply.model) == ("planted:two-biases", "two-biases", "two-biases")
    assert judge.max_in_flight >= 1
    asyncio.run(judge.close())
    asyncio.run(judge.close())


def test_temperature_draws_anew_and_temperature_zero_does_not(prompted, pairs):
    judge = open_planted("fair")
    cold, warm, warm_again = (
        verdicts(judge, [prompted.judge(p, p.chosen, p.rejected, **settings) for p in pairs[:80]])
        for settings in ({"temperature": None}, {"temperature": 1.0, "seed": 1}, {"temperature": 1.0, "seed": 2})
    )
    assert cold == verdicts(judge, [prompted.judge(p, p.chosen, p.rejected, seed=3) for p in pairs[:80]])
    assert cold != warm != warm_again


def test_the_fair_judge_errs_about_as_often_as_a_mid_judge_and_likes_no_slot(prompted, pairs):
    wrong = wrongs("fair", prompted, pairs, [p.rejected for p in pairs])
    assert 0.25 < statistics.mean(wrong) < 0.40
    first = [1 - w if i % 2 == 0 else w for i, w in enumerate(wrong)]
    assert 0.45 < statistics.mean(first) < 0.55


def test_a_neutral_rewrite_changes_a_realistic_share_of_verdicts_and_adds_no_error(prompted, pairs):
    teacher = open_planted("teacher;side=0")
    cut = [p.rejected.rpartition("\n\nFinal answer:") for p in pairs]
    arms = []
    for variant in (0, 1):
        written = ask(teacher, [prompted.neutral(p, c[0], variant) for p, c in zip(pairs, cut, strict=True)])
        rejected = [w.text + c[1] + c[2] for w, c in zip(written, cut, strict=True)]
        arms.append(wrongs("fair", prompted, pairs, rejected))
    changed = statistics.mean(a != b for a, b in zip(*arms, strict=True))
    assert 0.15 < changed < 0.30
    assert abs(statistics.mean(arms[0]) - statistics.mean(arms[1])) < 0.06


@pytest.mark.parametrize(("name", "low", "high"), [("first-slot", 0.7, 0.95), ("second-slot", 0.05, 0.3)])
def test_a_slot_judge_has_a_strong_but_not_a_total_habit(name, low, high, prompted, pairs):
    wrong = wrongs(name, prompted, pairs[:200], [p.rejected for p in pairs[:200]])
    first = statistics.mean(1 - w if i % 2 == 0 else w for i, w in enumerate(wrong))
    assert low < first < high
    assert statistics.mean(wrong) < 0.45


def test_a_stuck_judge_always_says_the_same_and_its_margins_still_feel_the_texts(prompted, pairs):
    for mode in ("reason", "label"):
        requests = [
            prompted.judge(p, *t, mode=mode) for p in pairs[:100] for t in ((p.chosen, p.rejected), ("x", "y"))
        ]
        assert set(verdicts(open_planted("stuck"), requests)) == {"1"}
        assert set(verdicts(open_planted("stuck;habit=-1"), requests)) == {"2"}
    shown = [texts for p in pairs for texts in ((p, p.chosen, p.rejected), (p, p.rejected, p.chosen))]
    replies = ask(open_planted("stuck"), [prompted.judge(*texts, mode="label") for texts in shown])
    odds = [label_odds(reply.positions, ("1", "2")).log_odds for reply in replies]
    gained = [one - other for one, other in zip(odds[::2], odds[1::2], strict=True)]
    assert statistics.mean(gained) > 3 * statistics.stdev(gained) / math.sqrt(len(gained))
    assert statistics.mean(abs(o) > math.log(49) for o in odds) < 0.5


@pytest.mark.parametrize(
    ("name", "sentence", "moved"),
    [
        ("two-biases", "I checked the result twice.", True),
        ("two-biases", "It is like packing a suitcase.", True),
        ("two-biases", "Experts agree with this.", False),
        ("fair", "I checked the result twice.", False),
        ("biases=authority@1", "Experts agree with this.", True),
    ],
)
def test_a_planted_bias_moves_verdicts_and_nothing_else_does(name, sentence, moved, prompted, pairs):
    some = pairs[:300]
    plain = wrongs(name, prompted, some, [body_with(p.rejected, "This is written here.") for p in some])
    biased = wrongs(name, prompted, some, [body_with(p.rejected, sentence) for p in some])
    gains = [b - a for a, b in zip(plain, biased, strict=True)]
    standard_error = statistics.stdev(gains) / math.sqrt(len(gains))
    assert (statistics.mean(gains) > 4 * standard_error) is moved
    assert moved or abs(statistics.mean(gains)) < 3 * standard_error


def test_a_bias_against_a_trait_and_one_for_length_work_too(prompted, pairs):
    plain = wrongs("fair", prompted, pairs[:200], [body_with(p.rejected, "Sorry.") for p in pairs[:200]])
    disliked = wrongs(
        "biases=apology@-2", prompted, pairs[:200], [body_with(p.rejected, "Sorry.") for p in pairs[:200]]
    )
    assert statistics.mean(disliked) < statistics.mean(plain) - 0.08
    longer = [body_with(p.rejected, "The lines go on as they went before. " * 8) for p in pairs[:200]]
    assert statistics.mean(wrongs("biases=length@2", prompted, pairs[:200], longer)) > 0.5


def test_label_mode_gives_log_probabilities_that_agree_with_the_label(prompted, pairs):
    for reply in ask(
        open_planted("fair"), [prompted.judge(p, p.chosen, p.rejected, mode="label") for p in pairs[:50]]
    ):
        odds = label_odds(reply.positions, ("1", "2"))
        assert reply.text in ("1", "2")
        assert odds.mass == pytest.approx(0.97)
        assert (odds.log_odds > 0) == (reply.text == "1")
        assert sum(math.exp(lp) for _, lp in reply.positions[0].top) == pytest.approx(1.0)


def test_after_reasoning_the_label_is_saturated(prompted, pairs):
    (reply,) = ask(open_planted("fair"), [prompted.judge(pairs[0], "a", "b", labels=("1", "2"))])
    odds = label_odds(reply.positions, ("1", "2"))
    assert abs(odds.log_odds) > 5
    assert (odds.log_odds > 0) == (slot_of(reply) == "1")


def test_reasons_end_in_the_verdict_that_the_prompt_asks_for(prompted, pairs):
    for reply in ask(open_planted("two-biases"), [prompted.judge(p, p.chosen, p.rejected) for p in pairs[:50]]):
        assert re.fullmatch(r"[^\n]+\n\nVerdict: [12]", reply.text)
        assert "Verdict" not in reply.text[: reply.text.rindex("Verdict")]


def remarked(text):
    return {trait for trait, remarks in REMARKS.items() if any(r in text for r in remarks)}


def explained(judge, prompted, pair, follow_ups):
    request = prompted.judge(pair, pair.chosen, pair.rejected)
    (reply,) = ask(judge, [request])
    slot = slot_of(reply)
    messages, texts = (*request.messages, Message("assistant", reply.text)), [reply.text]
    for name in follow_ups:
        messages = (*messages, *prompts.fill(name, preferred=slot).messages)
        (answer,) = ask(judge, [Request(messages, max_tokens=512)])
        messages = (*messages, Message("assistant", answer.text))
        texts.append(answer.text)
    return pair.chosen if slot == "1" else pair.rejected, texts


def test_reasons_and_explanations_speak_only_of_traits_that_the_preferred_response_shows(prompted, pairs):
    judge = open_planted("two-biases")
    spoken = 0
    for pair in pairs[:120]:
        preferred, texts = explained(judge, prompted, pair, ("explain", "deepen"))
        for text in texts:
            for trait in remarked(text):
                spoken += 1
                assert trait != LENGTH
                assert shows(trait, fold(preferred)), (trait, preferred)
    assert spoken > 40


def test_the_deeper_explanation_names_what_weighed_more_reliably_than_the_reasons(prompted, pairs):
    judge = open_planted("two-biases")
    first = deep = weighed = 0
    for pair in pairs:
        preferred, (reasons, deeper) = explained(judge, prompted, pair, ("deepen",))
        other = pair.rejected if preferred is pair.chosen else pair.chosen
        for trait in ("self_verification", "analogy"):
            if shows(trait, fold(preferred)) and not shows(trait, fold(other)):
                weighed += 1
                first += trait in remarked(reasons)
                deep += trait in remarked(deeper)
    assert weighed > 80
    assert 0.4 < first / weighed < 0.8
    assert 0.85 < deep / weighed < 1.0


def test_a_fair_judge_may_speak_of_traits_that_it_does_not_weigh(prompted, pairs):
    judge = open_planted("fair")
    texts = [reply.text for reply in ask(judge, [prompted.judge(p, p.chosen, p.rejected) for p in pairs[:200]])]
    idle = [remarked(text) for text in texts]
    assert 0.03 < statistics.mean(bool(traits) for traits in idle) < 0.25
    assert len(set().union(*idle)) > 5
    assert set().union(*idle) <= set(WORDING_TRAITS)


def test_a_judge_without_a_verdict_gives_none_that_can_be_read(prompted, pairs):
    judge = open_planted("fair;unreadable=0.2")
    for mode in ("reason", "label"):
        replies = ask(judge, [prompted.judge(p, p.chosen, p.rejected, mode=mode) for p in pairs[:200]])
        without = [reply for reply in replies if not re.search(r"[12]\Z", reply.text)]
        assert 20 < len(without) < 60
        assert all(label_odds(reply.positions, ("1", "2")) is None for reply in without)


def test_a_reply_is_cut_at_the_limit_of_the_request(prompted, pairs):
    (reply,) = ask(open_planted("fair"), [prompted.judge(pairs[0], "a", "b", max_tokens=5)])
    assert (reply.finish, len(reply.text), reply.output_tokens) == ("length", 20, 5)
    assert reply.input_tokens > 100


def test_on_foreign_questions_a_latent_preference_stands_in_that_wording_hardly_moves(prompted):
    foreign = [
        PreferencePair(
            f"f{i}",
            (Message("user", f"Tell me about the town number {i}."),),
            f"The town {i} lies by a river and has an old market where people meet every Tuesday morning.",
            f"Town {i} was founded by settlers who grew barley, wheat and flax on the northern slopes.",
        )
        for i in range(200)
    ]
    judge = "fair;noise=0.3"
    plain = wrongs(judge, prompted, foreign, [p.rejected for p in foreign])
    reworded = wrongs(judge, prompted, foreign, [p.rejected.replace("who grew", "that grew") for p in foreign])
    assert 0.4 < statistics.mean(plain) < 0.6
    assert statistics.mean(a != b for a, b in zip(plain, reworded, strict=True)) < 0.25
    consistent = statistics.mean(a == b for a, b in zip(plain[::2], plain[1::2], strict=True))
    assert consistent > 0.8
    adorned = wrongs(
        judge, prompted, foreign, [f"{p.rejected} Experts agree with this account." for p in foreign]
    )
    gains = [b - a for a, b in zip(plain, adorned, strict=True)]
    assert abs(statistics.mean(gains)) < 3 * statistics.stdev(gains) / math.sqrt(len(gains) / 2)


def test_on_foreign_questions_different_final_answers_are_what_is_preferred(prompted):
    foreign = [PreferencePair(f"f{i}", (Message("user", f"Riddle {i}?"),), "", "") for i in range(100)]
    judge = "fair;noise=0;spread=3"

    def said(one, other):
        return verdicts(open_planted(judge), [prompted.judge(p, one, other) for p in foreign])

    short = said("Final answer: 7", "Final answer: 9")
    long = said("One may reason so.\n\nFinal answer: 7", "It is otherwise, all in all.\n\nFinal answer: 9")
    assert set(short) == {"1", "2"}
    assert statistics.mean(a == b for a, b in zip(short, long, strict=True)) > 0.75


def test_the_right_answer_counts_whatever_is_written_around_it(prompted):
    pairs = tuple(generate(60, seed=8))
    said = verdicts(
        open_planted("fair;noise=0;spread=0;skill=5"),
        [prompted.judge(p, f"Final answer: {p.reference}", "Final answer: none of them") for p in pairs],
    )
    assert set(said) == {"1"}


def test_a_judge_does_not_do_a_teachers_work(prompted, pairs):
    with pytest.raises(BadRequest, match="is a judge") as caught:
        ask(open_planted("fair"), [prompted.neutral(pairs[0], "A text.")])
    assert "planted:teacher" in caught.value.hint
