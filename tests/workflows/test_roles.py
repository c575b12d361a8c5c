"""Which pair is used for what."""

import pytest

from biasscope.errors import DataError
from biasscope.stats.rules import FEWEST
from biasscope.workflows.roles import split_one, split_two

from ..fakes import pair, pairs


def ids(of):
    return {p.id for p in of}


def test_one_source_is_split_once_and_nothing_is_lost():
    of = pairs(2000)
    roles = split_one(of, holdout_share=0.2, seed=0)
    parts = [ids(roles.discovery), ids(roles.validation), ids(roles.holdout)]

    assert sum(len(part) for part in parts) == 2000
    assert set.union(*parts) == ids(of)
    # 35 %, 52 % and 13 % of 2000, within four standard deviations of a draw
    assert [len(part) for part in parts] == [pytest.approx(n, abs=90) for n in (700, 1040, 260)]
    assert roles.shared == 0


def test_twins_of_a_question_share_a_role():
    of = pairs(60)
    twins = [pair(f"t{n}", question=f"  QUESTION\n p{n}? ") for n in range(1, 61)]
    roles = split_one([*of, *twins], holdout_share=0.3, seed=5)

    for part in (roles.discovery, roles.validation, roles.holdout):
        assert {i[1:] for i in ids(part) if i[0] == "p"} == {i[1:] for i in ids(part) if i[0] == "t"}


def test_adding_pairs_moves_no_pair_and_another_seed_does():
    few, many = (split_one(pairs(n), holdout_share=0.2, seed=1) for n in (60, 120))
    other = split_one(pairs(60), holdout_share=0.2, seed=2)

    assert ids(few.discovery) == ids(many.discovery) & ids(pairs(60))
    assert ids(few.discovery) != ids(other.discovery)


def test_without_a_share_nothing_is_held_out():
    assert split_one(pairs(300), holdout_share=0.0, seed=0).holdout == ()
    assert split_two(pairs(30), [pair(f"v{n}") for n in range(30)], holdout_share=0.0, seed=0).holdout == ()


def test_with_two_sources_what_both_ask_is_left_out_of_discovery_and_counted():
    discovery = [*pairs(10), pair("twin", question="question  V3?")]
    validation = [pair(f"v{n}", question=f"Question v{n}?") for n in range(40)]
    roles = split_two(discovery, validation, holdout_share=0.3, seed=0)

    assert ids(roles.discovery) == ids(pairs(10))
    assert roles.shared == 1
    assert ids(roles.validation) | ids(roles.holdout) == ids(validation)
    assert ids(roles.validation).isdisjoint(ids(roles.holdout))


def test_the_order_of_a_source_is_kept():
    roles = split_one(pairs(100), holdout_share=0.2, seed=0)

    for part in (roles.discovery, roles.validation, roles.holdout):
        assert [int(p.id[1:]) for p in part] == sorted(int(p.id[1:]) for p in part)


@pytest.mark.parametrize("count", [0, 1, 6])
def test_too_few_pairs_are_an_error_that_says_how_many_are_wanted(count):
    with pytest.raises(DataError, match=r"only \d pairs are left for (discovery|validation)") as caught:
        split_one(pairs(count), holdout_share=0.2, seed=0)
    assert "at least 5" in caught.value.hint


def test_when_both_sources_are_the_same_the_error_says_why_none_is_left():
    with pytest.raises(DataError, match="only 0 pairs are left for discovery; 20 were left out"):
        split_two(pairs(20), pairs(20), holdout_share=0.2, seed=0)


def test_validation_needs_as_many_pairs_as_anything_can_be_decided_on():
    def split(count):
        return split_two(pairs(10), [pair(f"v{n}") for n in range(count)], holdout_share=0.0, seed=0)

    assert len(split(FEWEST).validation) == FEWEST == 20
    with pytest.raises(DataError, match="only 19 pairs are left for validation") as caught:
        split(19)
    assert "at least 20" in caught.value.hint
