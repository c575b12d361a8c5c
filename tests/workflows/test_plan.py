"""What a run will take, worked out by hand."""

import pytest

from biasscope.config import DataSpec, Identity, JudgeSpec, ModelExecution, ModelSpec
from biasscope.workflows.plan import plan
from biasscope.workflows.roles import Roles

from ..fakes import pair, pairs

# 500 characters a pair: 125 tokens
TEXTS = {"question": "q" * 100, "chosen": "c" * 200, "rejected": "r" * 200}
ROLES = Roles(
    tuple(pair(f"d{n}", **TEXTS) for n in range(10)),
    tuple(pair(f"v{n}", **TEXTS) for n in range(20)),
    tuple(pair(f"h{n}", **TEXTS) for n in range(5)),
)
FREE = ModelExecution()


def planned(judge=FREE, teacher=FREE, roles=ROLES, mode="reason", **changes):
    spec = ModelSpec(spec="planted:fair")
    asked = {k: changes.pop(k) for k in ("kind", "samples", "temperature") if k in changes}
    identity = Identity(
        judge=JudgeSpec(spec=spec.spec, mode=mode, **asked), teacher=spec, data=DataSpec(data="x"), **changes
    )
    return plan(roles, identity, judge, teacher)


def test_the_first_iteration_is_counted_call_by_call():
    first = planned().first

    # by the plan of the default rule 3 of 20 pairs have five neutral rewrites, 4 have three and 13 have two
    neutral = 3 * 5 + 4 * 3 + 13 * 2
    # six candidates visit two fifths of 20 pairs each; the one that holds then visits the other 12, and with its
    # trait, and a neutral one, on the chosen response all 20
    visited, followed = 6 * 8, 12 + 2 * 20
    # original, neutral and one bias on 10 pairs; the originals of 20; 3 arms on 5 held out
    judged = 10 * 3 + 20 + neutral + visited + followed + 5 * 3
    # all 10 pairs may shift, 2 decoys beside them, each asked once more
    assert first.judge_calls == 2 * judged + 12 == 448
    # a neutral and a biased rewrite on 10; 2 on 5; 12 to name, 10 to merge; the trait of the one that holds looked
    # for in 20 biased and 20 neutral rewrites
    assert first.teacher_calls == (10 * 2 + neutral + visited + followed + 5 * 2) + 12 + 10 + 40


def test_the_whole_run_repeats_what_iterations_repeat_and_reckons_with_no_early_stop():
    most = planned(iterations=4, candidate_limit=15).at_limits

    followed = 20 * 60 + 20
    assert most.judge_calls == 2 * (10 * 6 + 20 * (1 + 60) + 53 + followed + 5 * 3) + 4 * 12
    assert most.teacher_calls == (10 * 5 + 53 + 20 * 60 + followed + 5 * 2) + 4 * 22 + 60 * 40


def test_one_candidate_at_its_limit_visits_every_pair():
    one = planned(iterations=1, candidate_limit=1, both_sides=False).at_limits

    assert one.judge_calls == 2 * (10 * 3 + 20 * (1 + 1) + 53 + 5 * 3) + 12


def test_the_fixed_rule_judges_every_pair_with_its_three_neutral_rewrites():
    first = planned(rule="fixed", both_sides=False).first

    assert first.judge_calls == 2 * (10 * 3 + 20 * (1 + 3 + 6) + 5 * 3) + 12
    fewer = planned(rule="fixed", both_sides=False, neutrals=1).first
    assert first.teacher_calls - fewer.teacher_calls == 20 * 2


@pytest.mark.parametrize(
    ("changes", "judged", "rewritten"),
    [
        # what stopped early is tried again on fresh pairs, whatever else is asked
        ({"both_sides": False}, -2 * 40, -40),
        ({"confirm": True}, 0, 0),  # the pairs that it asks for are judged for the other side already
        ({"both_sides": False, "confirm": True}, -2 * 40, -40),
        ({"equal_length": "truncate"}, 2 * 40, 0),
        ({"equal_length": "condense"}, 2 * 40, 20),  # the shorter of two stays as it is
        # two shams visit two fifths of the pairs; 20 originals are judged once more in both orders
        ({"null_control": 2}, 2 * (16 + 20), 16),
    ],
)
def test_what_is_asked_beyond_the_trials_is_counted(changes, judged, rewritten):
    usual, changed = planned().first, planned(**changes).first

    assert changed.judge_calls - usual.judge_calls == judged
    assert changed.teacher_calls - usual.teacher_calls == rewritten


def test_a_judge_of_single_responses_sees_each_once_and_samples_are_asked_each_time():
    settings = {"null_control": 0, "deeper_explain": False}
    compared, scored, thrice = (
        planned(**settings, **j).first
        for j in ({}, {"kind": "pointwise"}, {"kind": "pointwise", "samples": 3, "temperature": 1.0})
    )

    # one call for each judged arm, and one for the chosen response of each of the 35 pairs
    assert scored.judge_calls == compared.judge_calls // 2 + 35
    assert thrice.judge_calls == 3 * scored.judge_calls
    assert thrice.teacher_calls == compared.teacher_calls


def test_graded_verdicts_come_with_shams_unless_they_are_refused():
    usual, bare = (planned(mode="label", **c).first for c in ({}, {"null_control": 0}))

    assert usual.judge_calls - bare.judge_calls == 2 * (3 * 8 + 20)


@pytest.mark.parametrize(
    ("changes", "asked"),
    [
        ({"deeper_explain": False}, 0),
        ({"mode": "label"}, 24),
        ({"mode": "label", "deeper_explain": False}, 12),
        ({"evidence_limit": 5}, 6),
    ],
)
def test_explanations_are_counted_as_they_are_asked_for(changes, asked):
    assert planned(**changes, null_control=0).first.judge_calls == 2 * 218 + asked


def test_the_published_procedure_judges_one_order_and_writes_no_neutral():
    first = planned(preset="paper", rule="paper").first

    # 25 candidates and mistakes on 3 of 10 pairs; a name is compared with 7 known biases and half of the new ones
    assert first.judge_calls == 10 * 1 + 20 * (1 + 25) + 3
    assert first.teacher_calls == (10 * 1 + 20 * 25) + 3 + 3 * (7 + 12)


def test_the_published_rule_in_the_default_loop_asks_accepted_candidates_nothing_more():
    first = planned(rule="paper").first

    assert first.judge_calls == 2 * (10 * 3 + 20 * (1 + 1 + 6) + 5 * 3) + 12
    assert first.teacher_calls == (10 * 2 + 20 * 7 + 5 * 2) + 12 + 10


def test_features_alone_ask_no_teacher_and_judge_the_originals_of_discovery_once():
    first = planned(proposer="features").first

    # two candidates visit two fifths of 20 pairs, of which three have five neutral edits of each bias and four three
    # and one two; the one that holds then visits the other 12, and with its trait, and a neutral edit, the chosen side
    own = 2 * (3 * 5 + 4 * 3 + 1 * 2)
    assert first.judge_calls == 2 * (10 + 20 + own + 2 * 8 + 12 + 2 * 20 + 5 * 3)
    assert first.teacher_calls == 0


def test_features_propose_once_whatever_the_iterations():
    few, many = (planned(proposer="features", iterations=n, candidate_limit=3).at_limits for n in (1, 9))

    # three candidates at their limit visit all 20 pairs with 53 neutral edits each, and all of them hold
    assert few.judge_calls == 2 * (10 + 20 + 3 * 53 + 3 * 20 + 20 * 4 + 5 * 3)
    assert few == many


def test_beside_a_teacher_features_add_candidates_with_neutral_edits_of_their_own():
    alone, beside = (planned(proposer=p).first for p in ("teacher", "both"))

    assert beside.judge_calls - alone.judge_calls == 2 * (2 * 29 + 2 * 8)
    assert beside.teacher_calls == alone.teacher_calls


def test_without_teacher_calls_the_price_is_that_of_the_judge():
    paid, free = ModelExecution(price=(2.0, 10.0)), ModelExecution()
    first = planned(paid, free, proposer="features").first

    assert first.price == pytest.approx((2 * first.input_tokens + 10 * first.output_tokens) / 1e6)


def test_tokens_are_four_characters_and_prices_are_per_million():
    first = planned(ModelExecution(price=(2.0, 10.0)), ModelExecution(price=(1.0, 4.0))).first

    sent_judge, got_judge = 448 * (125 + 250), 436 * 200 + 12 * 200
    rewrites, others = 183, 22 + 40
    sent_teacher = rewrites * (125 * 2 / 3 + 250) + others * (125 + 250)
    got_teacher = rewrites * 125 / 3 + others * 100
    assert first.input_tokens == pytest.approx(sent_judge + sent_teacher, abs=1)
    assert first.output_tokens == pytest.approx(got_judge + got_teacher, abs=1)
    assert first.price == pytest.approx(
        (2 * sent_judge + 10 * got_judge + sent_teacher + 4 * got_teacher) / 1e6, abs=1e-5
    )


def test_a_label_is_one_token():
    reasoned = planned(deeper_explain=False).first
    labelled = planned(mode="label", null_control=0).first

    assert reasoned.output_tokens - labelled.output_tokens == 436 * 199 - 24 * 200


@pytest.mark.parametrize("prices", [(None, (1.0, 4.0)), ((1.0, 4.0), None), (None, None)])
def test_without_both_prices_there_is_no_price(prices):
    judge, teacher = (ModelExecution(price=p) for p in prices)

    assert planned(judge, teacher).first.price is None


def test_nothing_held_out_costs_nothing_held_out():
    bare = planned(roles=Roles(ROLES.discovery, ROLES.validation, ()))

    assert planned().first.judge_calls - bare.first.judge_calls == 2 * 5 * 3


def test_pairs_of_any_size_are_planned():
    assert planned(roles=Roles(tuple(pairs(5)), tuple(pairs(5)), ())).first.input_tokens > 0
