"""What a run will take, worked out by hand."""

import pytest

from biasscope.config import DataSpec, Identity, ModelExecution, ModelSpec
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


def planned(judge=FREE, teacher=FREE, roles=ROLES, **changes):
    spec = ModelSpec(spec="planted:fair")
    identity = Identity(judge=spec, teacher=spec, data=DataSpec(data="x"), **changes)
    return plan(roles, identity, judge, teacher)


def test_the_first_iteration_is_counted_call_by_call():
    first = planned().first

    # original, neutral and one bias on 10 pairs; original, 3 neutral and 6 candidates on 20; 3 arms on 5 held out
    judged = 10 * 3 + 20 * 10 + 5 * 3
    # all 10 pairs may shift, 2 decoys beside them, each asked once more
    assert first.judge_calls == 2 * judged + 12
    # a neutral and a biased rewrite on 10; 3 neutral and 6 biased on 20; 2 on 5; 12 to name, 10 to merge; the
    # trait of the one that holds looked for in 20 biased and 20 neutral rewrites
    assert first.teacher_calls == (10 * 2 + 20 * 9 + 5 * 2) + 12 + 10 + 40


def test_the_whole_run_repeats_what_iterations_repeat():
    most = planned(iterations=4, candidate_limit=15).at_limits

    assert most.judge_calls == 2 * (10 * 6 + 20 * (1 + 3 + 60) + 5 * 3) + 4 * 12
    assert most.teacher_calls == (10 * 5 + 20 * 63 + 5 * 2) + 4 * 22 + 60 * 40


@pytest.mark.parametrize(
    ("changes", "asked"),
    [
        ({"deeper_explain": False}, 0),
        ({"judge_mode": "label"}, 24),
        ({"judge_mode": "label", "deeper_explain": False}, 12),
        ({"evidence_limit": 5}, 6),
    ],
)
def test_explanations_are_counted_as_they_are_asked_for(changes, asked):
    assert planned(**changes).first.judge_calls == 2 * 245 + asked


def test_the_published_procedure_judges_one_order_and_writes_no_neutral():
    first = planned(preset="paper", rule="paper").first

    # 25 candidates and mistakes on 3 of 10 pairs; a name is compared with 7 known biases and half of the new ones
    assert first.judge_calls == 10 * 1 + 20 * (1 + 25) + 3
    assert first.teacher_calls == (10 * 1 + 20 * 25) + 3 + 3 * (7 + 12)


def test_tokens_are_four_characters_and_prices_are_per_million():
    first = planned(ModelExecution(price=(2.0, 10.0)), ModelExecution(price=(1.0, 4.0))).first

    sent_judge, got_judge = 502 * (125 + 250), 490 * 200 + 12 * 200
    rewrites, others = 210, 22 + 40
    sent_teacher = rewrites * (125 * 2 / 3 + 250) + others * (125 + 250)
    got_teacher = rewrites * 125 / 3 + others * 100
    assert first.input_tokens == pytest.approx(sent_judge + sent_teacher, abs=1)
    assert first.output_tokens == pytest.approx(got_judge + got_teacher, abs=1)
    assert first.price == pytest.approx(
        (2 * sent_judge + 10 * got_judge + sent_teacher + 4 * got_teacher) / 1e6, abs=1e-5
    )


def test_a_label_is_one_token():
    reasoned, labelled = planned(deeper_explain=False).first, planned(judge_mode="label").first

    assert reasoned.output_tokens - labelled.output_tokens == 490 * 199 - 24 * 200


@pytest.mark.parametrize("prices", [(None, (1.0, 4.0)), ((1.0, 4.0), None), (None, None)])
def test_without_both_prices_there_is_no_price(prices):
    judge, teacher = (ModelExecution(price=p) for p in prices)

    assert planned(judge, teacher).first.price is None


def test_nothing_held_out_costs_nothing_held_out():
    bare = planned(roles=Roles(ROLES.discovery, ROLES.validation, ()))

    assert planned().first.judge_calls - bare.first.judge_calls == 2 * 5 * 3


def test_pairs_of_any_size_are_planned():
    assert planned(roles=Roles(tuple(pairs(5)), tuple(pairs(5)), ())).first.input_tokens > 0
