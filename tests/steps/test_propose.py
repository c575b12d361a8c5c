"""Candidates from verdicts and texts alone."""

import random
from dataclasses import replace

import numpy as np
import pytest

from biasscope.catalogue.features import Feature, text_features
from biasscope.stats.features import FEWEST_PAIRS, STABLE
from biasscope.steps.propose import Observation, associate, propose_features

WORDS = ("one", "two", "six", "ten")
TRAITS = {"bold": "**now**", "hedges": "perhaps", "certainty": "certainly", "checks": "verified"}


def text(rng):
    """A few words and, now and then, the mark of a trait: which trait is drawn by itself for each text."""
    words = [str(w) for w in rng.choice(WORDS, int(rng.integers(5, 9)))]
    return " ".join([*words, *(mark for mark in TRAITS.values() if rng.random() < 0.3)])


def log(seed=0, pairs=300, pulls=None, *, skill=1.0, habit=0.0, noise=0.5):
    """Verdicts in both orders of a judge that goes by the gold label and by `pulls`, log-odds of each trait."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(pairs):
        better, worse = text(rng), text(rng)
        lead = skill * rng.normal(1, 1)
        for trait, by in (pulls or {}).items():
            lead += by * ((TRAITS[trait] in better) - (TRAITS[trait] in worse))
        for first, second, gold in ((better, worse, 1), (worse, better, -1)):
            chosen = gold * lead + habit + rng.normal(0, noise) > rng.logistic()
            found.append(Observation(f"question {number}", first, second, float(chosen), gold))
    return found


@pytest.fixture(scope="module")
def planted():
    return log(pulls={"checks": 1.6, "hedges": -1.2})


def test_what_a_judge_goes_by_is_proposed_with_sign_weight_and_the_bias_that_tests_it(planted):
    found = propose_features(planted, seed=0)
    by_name = {p.association.feature: p for p in found.proposals}

    assert set(by_name) == {"checks", "hedges"}
    checks, hedges = by_name["checks"], by_name["hedges"]
    assert (checks.sign, hedges.sign) == ("for", "against")
    assert checks.weight > 0.2
    assert hedges.weight < -0.2
    assert min(checks.frequency, hedges.frequency) >= STABLE
    assert (checks.association.bias, hedges.association.bias) == ("self_verification", "hedging")
    assert (checks.candidate, hedges.candidate) == ("self_verification", None)
    assert checks.association.change.low > 0.05
    assert hedges.association.change.high < -0.05
    assert max(p.association.q for p in found.proposals) <= 0.03
    assert found.reason == ""


def test_everything_that_was_looked_at_is_told(planted):
    found = propose_features(planted, seed=0).found

    assert (found.observations, found.pairs, found.questions) == (600, 300, 300)
    assert {a.feature for a in found.associations} | set(found.left_out) == {f.name for f in text_features()}
    assert len(found.associations) + len(found.left_out) == len(text_features())
    assert "table_rows" in found.left_out
    assert found == associate(planted)


def test_a_fair_judge_and_one_that_goes_by_the_slot_propose_nothing():
    """In one of twenty runs something may be proposed by chance; the proof counts that over many seeds."""
    fair = [propose_features(log(seed), seed=seed).proposals for seed in range(8)]
    slot = [propose_features(log(seed, skill=0.0, habit=2.0), seed=seed).proposals for seed in range(8)]

    assert sum(map(bool, fair)) <= 1
    assert sum(map(bool, slot)) <= 1


def test_a_judge_that_only_knows_the_slot_proposes_nothing():
    stuck = [replace(o, chose_first=1.0) for o in log()]

    assert propose_features(stuck, seed=0).proposals == ()
    assert {a.p for a in associate(stuck).associations} == {1.0}


def test_the_order_of_the_verdicts_says_nothing(planted):
    mixed = list(planted)
    random.Random(1).shuffle(mixed)

    assert propose_features(mixed, seed=3) == propose_features(planted, seed=3)


def test_a_trait_that_goes_with_being_better_is_not_proposed():
    """The judge sees what is better and nothing else; the better text is often bold."""

    def bold(o):
        if int(o.question.split()[1]) % 3 == 0:
            return o
        return replace(
            o, **{side: getattr(o, side) + " **yes**" for side in ["first" if o.gold == 1 else "second"]}
        )

    observations = [bold(o) for o in log(seed=5, skill=2.0)]
    blind = [replace(o, gold=0) for o in observations]

    assert "bold" not in {p.association.feature for p in propose_features(observations, seed=0).proposals}
    assert "bold" in {p.association.feature for p in propose_features(blind, seed=0).proposals}


def test_few_pairs_propose_nothing_and_say_how_many_are_needed():
    few = propose_features(log(pairs=FEWEST_PAIRS - 1, pulls={"checks": 5.0}), seed=0)
    enough = propose_features(log(pairs=FEWEST_PAIRS, pulls={"checks": 5.0}), seed=0)

    assert few.proposals == ()
    assert few.reason == "150 pairs are needed, and 149 have a verdict"
    assert few.found.associations  # by themselves they are told
    assert [p.association.feature for p in enough.proposals] == ["checks"]


def test_two_orders_of_a_pair_are_one_pair_and_two_pairs_may_share_a_question():
    both = [
        Observation("q", "a", "b", 1.0, 1),
        Observation("q", "b", "a", 0.0, -1),
        Observation("q", "a", "c", 0.5, 0),
    ]
    found = associate(both)

    assert (found.observations, found.pairs, found.questions) == (3, 2, 1)
    assert found.reason == "20 pairs are needed, and 2 have a verdict"
    assert found.associations == ()


def test_no_verdict_at_all_is_a_reason():
    found = propose_features([], seed=0)

    assert found.reason == "20 pairs are needed, and 0 have a verdict"
    assert found.found.left_out == tuple(f.name for f in text_features())


def test_texts_that_never_differ_are_a_reason():
    alike = [Observation(f"q{n}", f"a{n}", f"b{n}", float(n % 2), 0) for n in range(200)]
    found = propose_features(
        alike, seed=0, features=[Feature("shouting", "more shouting", lambda t: t.count("!"))]
    )

    assert found.reason == "no feature differs in enough pairs"
    assert found.found.left_out == ("shouting",)


def test_features_of_ones_own_are_looked_at_in_place_of_ours(planted):
    own = Feature("checking", "more checking", lambda t: float("verified" in t))
    (proposal,) = propose_features(planted, seed=0, features=[own]).proposals

    assert (proposal.association.feature, proposal.association.words) == ("checking", "more checking")
    assert (proposal.sign, proposal.candidate) == ("for", None)


def test_a_tie_is_half_a_choice():
    """Verdicts that are ties wherever the judge would have chosen the plain text say half as much."""
    sure = log(pulls={"checks": 3.0}, skill=0.0)
    tied = [replace(o, chose_first=0.5) if o.chose_first == 0.0 else o for o in sure]
    by = {name: associate(of).associations for name, of in (("sure", sure), ("tied", tied))}
    sizes = {n: next(a.change.value for a in of if a.feature == "checks") for n, of in by.items()}

    assert sizes["tied"] == pytest.approx(sizes["sure"] / 2)
