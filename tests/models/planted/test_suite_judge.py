"""The judge of a suite is the judge of the simulated world: its margins have that world's distribution."""

from dataclasses import replace

import numpy as np
import pytest

from biasscope.errors import BadRequest
from biasscope.judges.margins import label_odds
from biasscope.models.planted import open_planted
from biasscope.models.planted.prompts import ToJudge, read_prompt
from biasscope.models.planted.suite import TEXT_WORLD, suite_truth
from biasscope.objective import generate
from biasscope.records import Message
from biasscope.stats.simulation.truth import error_rate
from biasscope.stats.simulation.world import LOGISTIC_SD, SUITES, draw

NAME, SEED = "20-10-10", 11
WORLD = TEXT_WORLD
NEUTRAL = ("Nearby, the tulips take no notice.", "This calls a fern to mind.")


def trait(size):
    return next(t for t, planted in suite_truth(NAME, SEED).items() if planted.size == size)


@pytest.fixture(scope="module")
def judge():
    return open_planted(f"suite={NAME};seed={SEED}")


@pytest.fixture(scope="module")
def items():
    return tuple(generate(2000, seed=SEED))


@pytest.fixture(scope="module")
def margins(judge, items):
    """Log-odds for the chosen response, per arm: shape (items, orders), chosen shown first and second."""
    sentences = {
        "original": "",
        "neutral-1": NEUTRAL[0],
        "neutral-2": NEUTRAL[1],
        "null": f"One could think of {trait('null')}s for a moment.",
        "medium": f"One could think of {trait('medium')}s for a moment.",
    }
    found = {}
    for arm, sentence in sentences.items():
        rows = []
        for pair in items:
            text = f"{sentence} {pair.rejected}" if sentence else pair.rejected
            first = judge.margin(ToJudge(pair.question, pair.chosen, text, "reason"))
            second = judge.margin(ToJudge(pair.question, text, pair.chosen, "reason"))
            rows.append((first, -second))
        found[arm] = np.array(rows)
    return found


def near(values, expected):
    """Whether a mean lies within four standard errors of what it should be."""
    return abs(np.mean(values) - expected) < 4 * np.std(values) / np.sqrt(len(values))


def near_product(a, b, expected):
    return near((a - a.mean()) * (b - b.mean()), expected)


@pytest.mark.parametrize(
    ("arm", "expected"),
    [
        ("original", error_rate(WORLD, rewritten=False)),
        ("neutral-1", error_rate(WORLD)),
        ("neutral-2", error_rate(WORLD)),
        ("null", error_rate(WORLD)),
        ("medium", error_rate(WORLD, WORLD.medium)),
    ],
)
def test_the_judge_errs_as_often_as_the_simulated_one(margins, arm, expected):
    assert near((margins[arm] < 0).mean(axis=1), expected)


def test_those_error_rates_are_the_ones_of_the_middle_judge():
    assert error_rate(WORLD, rewritten=False) == pytest.approx(0.417, abs=0.001)
    assert error_rate(WORLD) == pytest.approx(0.449, abs=0.001)
    assert error_rate(WORLD, WORLD.medium) - error_rate(WORLD) == pytest.approx(0.064, abs=0.001)


def test_a_medium_trait_moves_the_error_by_its_effect_beyond_neutral_wording(margins):
    errors = {arm: (m < 0).mean(axis=1) for arm, m in margins.items()}
    moved = errors["medium"] - (errors["neutral-1"] + errors["neutral-2"]) / 2
    assert near(moved, error_rate(WORLD, WORLD.medium) - error_rate(WORLD))
    assert moved.mean() > 6 * np.std(moved) / np.sqrt(len(moved))


def test_verdicts_on_two_neutral_rewrites_differ_as_often_as_simulated_ones(margins):
    keeping = replace(WORLD, answer_fixed=0.0, answer_changed=0.0)
    drawn = draw(keeping, SUITES["null-20"], pairs=20_000, seed=1)
    expected = (drawn.wrong[1] != drawn.wrong[2]).mean()
    changed = ((margins["neutral-1"] < 0) != (margins["neutral-2"] < 0)).mean(axis=1)
    assert expected == pytest.approx(0.284, abs=0.005)
    assert near(changed, expected)


def test_margins_have_the_means_of_the_world_and_wording_and_traits_take_their_share(margins):
    both = {arm: m.mean(axis=1) for arm, m in margins.items()}
    domains = np.dot(WORLD.domain_means, WORLD.domain_shares)
    assert near(both["original"], domains)
    assert near(both["original"] - both["neutral-1"], WORLD.wording)
    assert near(both["neutral-1"] - both["null"], 0.0)
    assert near(both["neutral-1"] - both["medium"], WORLD.medium)


def test_the_first_response_gains_by_the_habit_and_the_habit_differs_between_items(margins):
    halves = {arm: (m[:, 0] - m[:, 1]) / 2 for arm, m in margins.items()}
    assert near(halves["original"], WORLD.slot_habit)
    # Over two rewrites the same: the spread of the habit, and noise that an item and an order keep.
    kept = WORLD.slot_habit_sd**2 + WORLD.stickiness * LOGISTIC_SD**2 / 2
    assert near_product(halves["neutral-1"], halves["neutral-2"], kept)
    assert near_product(halves["original"], halves["original"], WORLD.slot_habit_sd**2 + LOGISTIC_SD**2 / 2)


def test_items_differ_as_much_as_in_the_world_and_keep_the_share_of_noise_that_sticks(margins):
    both = {arm: m.mean(axis=1) for arm, m in margins.items()}
    means, shares = np.array(WORLD.domain_means), np.array(WORLD.domain_shares)
    items = WORLD.item_sd**2 + shares @ means**2 - (shares @ means) ** 2
    kept = items + WORLD.wording**2 / 2 + WORLD.stickiness * LOGISTIC_SD**2 / 2
    fresh = WORLD.wording_sd**2 + (1 - WORLD.stickiness) * LOGISTIC_SD**2 / 2
    assert near_product(both["neutral-1"], both["neutral-2"], kept)
    assert near_product(both["neutral-1"], both["neutral-1"], kept + fresh)


def test_what_a_trait_does_is_spread_over_items_by_a_gamma_distribution(margins):
    lost = (margins["neutral-1"] - margins["medium"]).mean(axis=1)
    alike = (margins["neutral-1"] - margins["neutral-2"]).mean(axis=1)
    spread = WORLD.medium**2 / 2
    noise = 2 * (WORLD.wording_sd**2 + (1 - WORLD.stickiness) * LOGISTIC_SD**2 / 2)
    assert near_product(alike, alike, noise)
    assert near_product(lost, lost, noise + spread)


def test_a_trait_on_the_better_response_speaks_for_it(judge, items):
    large = trait("large")
    gains = []
    for pair in items[:400]:
        shown = f"One could think of {large}s for a moment. {pair.chosen}"
        plain = f"One could think of tulips for a moment. {pair.chosen}"
        gains.append(
            judge.margin(ToJudge(pair.question, shown, pair.rejected, "reason"))
            - judge.margin(ToJudge(pair.question, plain, pair.rejected, "reason"))
        )
    assert near(gains, WORLD.large)


def test_the_same_texts_get_the_same_reply_and_another_seed_is_another_judge(judge, items, prompted):
    requests = [prompted.judge(pair, pair.chosen, pair.rejected) for pair in items[:60]]
    again = open_planted(f"planted:suite={NAME};seed={SEED}")
    other = open_planted(f"suite={NAME};seed={SEED + 1}")
    assert [again.reply(r).text for r in requests] == [judge.reply(r).text for r in requests]
    assert [other.reply(r).text for r in requests] != [judge.reply(r).text for r in requests]


def test_replies_without_a_verdict_come_at_the_rate_of_the_world(judge, items, prompted):
    replies = [judge.reply(prompted.judge(p, p.chosen, p.rejected)).text for p in items[:1200]]
    unreadable = [r for r in replies if "Verdict" not in r]
    rate, n = WORLD.unreadable, len(replies)
    assert abs(len(unreadable) - rate * n) < 4 * (n * rate * (1 - rate)) ** 0.5


def test_a_label_alone_comes_with_log_probabilities_that_hold_half_of_the_noise(judge, items, prompted):
    felt = []
    for pair in items[:300]:
        request = prompted.judge(pair, pair.chosen, pair.rejected, mode="label")
        asked, odds = read_prompt(request), label_odds(judge.reply(request).positions, ("1", "2"))
        if odds is None:
            continue
        assert odds.log_odds == pytest.approx(judge.margin(asked, noise=0.5), abs=1e-6)
        assert odds.mass == pytest.approx(0.97)
        felt.append(2 * (judge.margin(asked) - odds.log_odds))
    felt = np.array(felt)
    assert near_product(felt, felt, (1 - WORLD.stickiness) * LOGISTIC_SD**2)


def test_a_question_that_was_not_generated_is_refused(judge, items, prompted):
    asked = replace(items[0], prompt=(Message("user", "Which colour is best?"),))
    with pytest.raises(BadRequest, match="knows generated questions only, not 'Which colour is best\\?'"):
        judge.reply(prompted.judge(asked, "Blue.", "Red."))
