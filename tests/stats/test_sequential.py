"""The trial as a machine: what it fetches, when it stops a candidate, and what it refuses."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biasscope.stats import paired
from biasscope.stats.reading import read
from biasscope.stats.rules import RULES, Rule
from biasscope.stats.sequential import Column, Sequential, item_order

from .played import PLAIN, TWICE, arms, noisy, play

DEFAULT = RULES["default"]
SEEDS = st.integers(0, 10**6)
RATES = [0.75, 0.55, 0.5, 0.45, 0.4, 0.4, 0.4, 0.35]
"""Of eight candidates, against neutral rewrites at .4."""


def crowd(seed, n=300, gap=0.02):
    return arms(n, candidates=RATES, neutrals=[0.4] * 5, seed=seed, gap=gap)


# --- the order of items ------------------------------------------------------------------------------------


@given(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=60),
    st.integers(0, 3),
    st.randoms(use_true_random=False),
)
def test_items_are_visited_in_an_order_that_does_not_depend_on_the_file(domains, seed, random):
    rows = [(domain, f"p{i}") for i, domain in enumerate(domains)]
    shuffled = random.sample(rows, len(rows))
    visits = [[of[i] for i in item_order(*zip(*of, strict=True), seed)] for of in (rows, shuffled)]

    assert visits[0] == visits[1]
    assert sorted(visits[0]) == sorted(rows)


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=60), st.integers(0, 50))
def test_every_prefix_has_about_the_domain_mix_of_the_whole(domains, seed):
    order = item_order(domains, [f"p{i}" for i in range(len(domains))], seed)
    whole = Counter(domains)
    for k in range(1, len(order) + 1):
        prefix = Counter(domains[i] for i in order[:k])
        for domain, size in whole.items():
            share = size / len(domains)
            # Each domain is less than one item off its own pace; of two domains none is off by more than one.
            assert abs(prefix[domain] - share * k) <= 1 + share * max(0, len(whole) - 2) + 1e-9


def test_another_seed_is_another_order():
    domains, ids = ["a"] * 20 + ["b"] * 10, [f"p{i}" for i in range(30)]

    assert item_order(domains, ids, 1) == item_order(domains, ids, 1) != item_order(domains, ids, 2)


# --- what is fetched ---------------------------------------------------------------------------------------


def test_a_look_asks_for_the_items_up_to_it_and_for_the_planned_neutral_rewrites():
    machine = Sequential({"c": tuple(f"n{k}" for k in range(9))}, items=100, rule=DEFAULT)
    due = machine.due()

    # at 100 items the first three looks wait for the twentieth; 15 items have five neutral rewrites, 34 have three
    assert (due.look, due.start, due.stop) == (1, 0, 20)
    assert due.arms == ("c", "n0", "n1", "n2", "n3", "n4")
    assert due.arms_at(14) == ("n0", "n1", "n2", "n3", "n4", "c")
    assert due.arms_at(15) == ("n0", "n1", "n2", "c")


def test_later_items_ask_for_fewer_neutral_arms():
    _, fetched = play(
        arms(100, candidates=[0.5], neutrals=[0.45] * 5, seed=3), rule=replace(DEFAULT, futility=None)
    )

    assert [(f.start, f.stop, len(f.neutral_arms)) for f in fetched] == [
        (0, 20, 5),
        (20, 24, 3),
        (24, 34, 3),
        (34, 48, 2),
        (48, 70, 2),
        (70, 100, 2),
    ]


def test_neutral_arms_that_match_their_own_candidate_are_asked_for_while_it_is_alive():
    strong = {"c0": np.ones(300), "n0": np.zeros(300)}
    weak = arms(300, candidates=[], neutrals=[], seed=1) | {
        "c1": noisy(np.random.default_rng(1), 300, 0.46),
        "n1": noisy(np.random.default_rng(2), 300, 0.4),
    }
    stopped, fetched = play(strong | weak, groups={"c0": ("n0",), "c1": ("n1",)})

    assert stopped["c0"].look == 1 < stopped["c1"].look
    assert fetched[0].arms == ("c0", "c1", "n0", "n1")
    assert fetched[1].arms == ("c1", "n1")
    assert fetched[0].arms_at(0) == ("n0", "n1", "c0", "c1")


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_nothing_is_due_that_no_decision_needs(seed):
    stopped, fetched = play(crowd(seed))

    for name, at in stopped.items():
        assert [name in due.candidates for due in fetched] == [k < at.look for k in range(len(fetched))]
        assert at.visited == fetched[at.look - 1].stop
    assert len(fetched) == max(at.look for at in stopped.values())
    assert [due.start for due in fetched] == [0, *(due.stop for due in fetched[:-1])]


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.permutations([f"c{i}" for i in range(len(RATES))]))
def test_a_decision_does_not_depend_on_the_order_of_the_candidates(seed, order):
    scores = crowd(seed)
    neutrals = tuple(a for a in scores if a.startswith("n"))
    in_order, _ = play(scores)
    shuffled, _ = play(scores, groups=dict.fromkeys(order, neutrals))

    assert shuffled == in_order


def without_arms(stopped):
    """Where candidates stopped, less the names of their neutral arms."""
    return {name: replace(s, missing=tuple(sorted(m[1:] for m in s.missing[1:]))) for name, s in stopped.items()}


@settings(max_examples=10, deadline=None)
@given(SEEDS, st.permutations(range(5)))
def test_a_decision_does_not_depend_on_the_names_of_the_neutral_arms(seed, order):
    scores = crowd(seed)
    renamed = {f"n{order[int(a[1:])]}" if a.startswith("n") else a: s for a, s in scores.items()}
    group = tuple(f"n{order[k]}" for k in range(5))
    candidates = [a for a in scores if a.startswith("c")]

    assert without_arms(play(renamed, groups=dict.fromkeys(candidates, group))[0]) == without_arms(
        play(scores)[0]
    )


@settings(max_examples=10, deadline=None)
@given(SEEDS, st.permutations(range(3)))
def test_where_all_neutral_arms_are_used_alike_it_does_not_matter_which_is_the_first(seed, order):
    scores = arms(100, candidates=RATES, neutrals=[0.4] * 3, seed=seed)
    group = tuple(f"n{k}" for k in order)
    exchanged, _ = play(scores, rule=RULES["fixed"], groups={c: group for c in scores if c.startswith("c")})
    plain, _ = play(scores, rule=RULES["fixed"])

    for name, at in plain.items():
        other = exchanged[name]
        assert (other.status, other.n) == (at.status, at.n)
        assert other.p == pytest.approx(at.p, rel=1e-9)
        assert other.reading.value == pytest.approx(at.reading.value, abs=1e-12)


@settings(max_examples=10, deadline=None)
@given(SEEDS, st.sampled_from([0.0, 1.0, 0.3, np.inf]))
def test_neutral_scores_beyond_the_plan_are_ignored(seed, beyond):
    scores = crowd(seed)
    planned = DEFAULT.neutrals_at(300)
    more = {a: np.where(planned <= int(a[1:]), beyond, s) if a.startswith("n") else s for a, s in scores.items()}
    every = {a: np.ones(300, dtype=bool) for a in scores if a.startswith("n")}
    unplanned = {a: every[a] & (planned <= int(a[1:])) for a in every}

    assert play(more, unread=unplanned)[0] == play(scores)[0]


# --- p and looks -------------------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_the_p_of_a_trial_is_the_smallest_over_its_looks_each_divided_by_its_weight(seed):
    scores = crowd(seed)
    stopped, _ = play(scores)
    planned = DEFAULT.neutrals_at(300)
    neutrals = np.stack([np.where(planned > k, scores[f"n{k}"], np.nan) for k in range(5)])
    for name, at in stopped.items():
        looks = DEFAULT.schedule(300)[: at.look]
        raw = [
            paired.exact_p_of(np.vstack([scores[name][: s.stop], neutrals[:, : s.stop]])) / s.weight
            for s in looks
        ]

        assert at.p == pytest.approx(min(1.0, *raw), rel=1e-9)


def test_p_does_not_rise_when_a_finding_fades():
    # all of the first 10 items point to the bias, all of the next 10 against it
    candidate = [1.0] * 10 + [0.0] * 10
    stopped, _ = play({"c": candidate, "n": [0.0] * 10 + [1.0] * 10}, rule=replace(TWICE, q=0.001))

    assert stopped["c"].p == pytest.approx(2**-10 / 0.5)
    assert stopped["c"].reading.p > 0.5
    assert (stopped["c"].status, stopped["c"].look) == ("not_shown", 2)


def test_a_look_accepts_at_its_own_share_of_the_level():
    # six items of six: 1/64, which is above half of .03 and below half of .04
    scores = {"c": [1.0] * 6 + [0.5] * 6, "n": [0.0] * 6 + [0.5] * 6}
    level = [play(scores, rule=replace(TWICE, q=q))[0]["c"] for q in (0.03, 0.04)]

    assert [(s.status, s.look, s.p) for s in level] == [("not_shown", 2, 1 / 32), ("accepted", 1, 1 / 32)]


def test_candidates_of_one_trial_share_the_level():
    scores = {"c": [1.0] * 6 + [0.5] * 6, "n": [0.0] * 6 + [0.5] * 6}
    beside = scores | {"d": [0.0] * 12}

    assert play(scores, rule=replace(TWICE, q=0.05))[0]["c"].status == "accepted"
    assert play(beside, rule=replace(TWICE, q=0.05))[0]["c"].status == "not_shown"


def test_what_was_dropped_does_not_help_others_however_small_its_p_once_was():
    # d has six of six at the first of three looks and everything against it at the second; c six of six at the third
    rule = Rule("thrice", (1 / 3, 2 / 3, 1.0), (0.35, 0.25, 0.4), ((1.0, 1),), min_effect=0.1, fewest=1)
    early, late = [1.0] * 6 + [0.5] * 4, [0.0] * 10
    scores = {
        "c": [0.5] * 20 + early,
        "d": early + late + late,
        "nc": [0.5] * 20 + [0.0] * 6 + [0.5] * 4,
        "nd": [0.0] * 6 + [0.5] * 4 + [1.0] * 10 + late,
    }
    stopped, _ = play(scores, rule=rule, groups={"c": ("nc",), "d": ("nd",)})

    assert (stopped["d"].status, stopped["d"].look) == ("dropped", 2)
    assert stopped["d"].p == pytest.approx(2**-6 / 0.35)
    # .045 and .039 would hold together; beside one that counts with 1, .039 is .078
    assert (stopped["c"].status, stopped["c"].p) == ("not_shown", pytest.approx(2**-6 / 0.4))


def test_candidates_tried_elsewhere_count_in_the_correction_of_every_look():
    scores = {"c": [1.0] * 6 + [0.5] * 6, "n": [0.0] * 6 + [0.5] * 6}  # 1/32 at the first look
    alone, beside_nulls, beside_strong = (
        play(scores, rule=TWICE, beside=beside)[0]["c"].status for beside in (None, (1.0,), (1e-6,) * 4)
    )

    # of two with one at 1 it is .125, as the last of five .03125
    assert (alone, beside_nulls, beside_strong) == ("accepted", "not_shown", "accepted")


def test_the_fixed_rule_is_one_look_at_everything():
    scores = arms(200, candidates=[0.7, 0.4], neutrals=[0.4] * 3, seed=8)
    stopped, fetched = play(scores, rule=RULES["fixed"])
    neutrals = np.stack([scores[f"n{k}"] for k in range(3)])

    assert [(f.start, f.stop) for f in fetched] == [(0, 200)]
    for name, at in stopped.items():
        assert (at.look, at.looks, at.visited) == (1, 1, 200)
        assert at.reading == read(scores[name], neutrals, min_effect=0.05, q=0.05)
        assert at.p == at.reading.p


# --- refusals ----------------------------------------------------------------------------------------------


def machine(**changes):
    return Sequential(**{"candidates": {"c": ("n",)}, "items": 20, "rule": PLAIN} | changes)


def column(values):
    return Column(np.asarray(values, dtype=float))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"items": 19, "rule": DEFAULT}, "at least 20 items"),
        ({"candidates": {"c": ()}}, "'c' needs neutral arms"),
        ({"candidates": {"c": ("c",)}}, "of other names"),
        ({"clusters": [0, 1]}, r"one cluster per item \(20\), got 2"),
    ],
)
def test_a_trial_that_cannot_be_held_is_refused_at_once(changes, words):
    with pytest.raises(ValueError, match=words):
        machine(**changes)


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"c": [0.0] * 20}, r"no scores for \['n'\]"),
        ({"c": [0.0] * 20, "n": [0.0] * 19}, "n needs 20 scores"),
        ({"c": [0.0] * 21, "n": [0.0] * 20}, "c needs 20 scores"),
        ({"c": [np.inf] + [0.0] * 19, "n": [0.0] * 20}, "must be finite"),
        ({"c": [0.0] * 20, "n": [-np.inf] + [0.0] * 19}, "must be finite"),
        ({"c": [0.3] * 20, "n": [0.0] * 20}, "error scores must be 0"),
    ],
)
def test_scores_that_do_not_fit_are_refused(columns, words):
    with pytest.raises(ValueError, match=words):
        machine().record({arm: column(values) for arm, values in columns.items()})


def test_a_trial_is_read_when_it_is_over_and_not_recorded_after():
    running = machine()
    with pytest.raises(ValueError, match="not over"):
        running.stopped()
    running.record({"c": column([1.0] * 20), "n": column([0.0] * 20)})

    assert running.due() is None
    assert list(running.stopped()) == ["c"]
    with pytest.raises(ValueError, match="nothing is due"):
        running.record({})


def test_without_a_candidate_nothing_is_due():
    idle = Sequential({}, items=20, rule=DEFAULT)

    assert idle.due() is None
    assert idle.stopped() == {}
