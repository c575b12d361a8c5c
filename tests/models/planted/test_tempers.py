import pytest

from biasscope.errors import UsageError
from biasscope.models.planted.tempers import PRESETS, JudgeTemper, TeacherTemper, parse_name
from biasscope.models.planted.truth import planted_truth

SEED_LIBRARY = {"length", "authority", "compassion_fade", "fallacy_oversight", "sentiment", "refinement"}


def test_a_name_may_carry_the_prefix_options_and_a_seed_of_its_own():
    assert parse_name("planted:fair") == parse_name("fair") == JudgeTemper()
    assert parse_name("fair", seed=4) == JudgeTemper(seed=4)
    assert parse_name("fair;seed=2;noise=0.5;habit=-1", seed=4) == JudgeTemper(seed=2, noise=0.5, habit=-1.0)


def test_biases_are_planted_by_id_and_log_odds():
    wanted = (("analogy", 1.0), ("apology", -0.5))
    assert parse_name("planted:biases=analogy@1,apology@-0.5").biases == wanted
    assert parse_name("biases=analogy@1,apology@-0.5;noise=0") == JudgeTemper(biases=wanted, noise=0.0)
    assert parse_name("first-slot;biases=analogy@1").habit == PRESETS["first-slot"].habit


def test_the_two_biases_are_outside_the_seed_library():
    truth = planted_truth("planted:two-biases")
    assert truth == {"self_verification": 1.4, "analogy": 0.9}
    assert not truth.keys() & SEED_LIBRARY


def test_a_fair_judge_has_no_planted_bias_and_a_teacher_is_no_judge():
    assert planted_truth("fair") == {}
    with pytest.raises(UsageError, match="is a teacher"):
        planted_truth("teacher")


def test_a_teacher_takes_rates():
    wanted = TeacherTemper(unchanged=0.05, answer_changed=0.03, broken_json=0.05, side=0.5)
    assert parse_name("planted:teacher;unchanged=0.05;answer_changed=0.03;broken_json=0.05;side=0.5") == wanted


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("planted:fare", "unknown planted model 'fare'", "Did you mean 'fair'? There are: fair, first-slot"),
        ("biases=analogie@1", "unknown trait 'analogie'", "Did you mean 'analogy'? There are: self_verification"),
        ("fair;nois=1", "unknown option of planted:fair 'nois'", "Did you mean 'noise'?"),
        ("teacher;biases=analogy@1", "unknown option of planted:teacher 'biases'", "There are: seed, side"),
        ("fair;stuck=1", "unknown option of planted:fair 'stuck'", "There are: seed, biases"),
        ("biases=analogy", "a planted bias is written ID@LOGIT, not 'analogy'", "analogy@1.0"),
        ("biases=analogy@much", "a planted bias is written ID@LOGIT", "analogy@1.0"),
        ("fair;noise=loud", "option noise='loud' of a planted model is not a number", ""),
        ("fair;noise=nan", "option noise='nan' of a planted model is not a number", ""),
        ("fair;seed=1.5", "option seed='1.5' of a planted model is not a number", ""),
        ("fair;noise=-1", "option noise='-1' of a planted model is out of range", "not negative"),
        ("teacher;side=2", "option side='2' of a planted model is out of range", "between 0 and 1"),
    ],
)
def test_a_wrong_name_gives_one_line_and_says_what_there_is(name, message, hint):
    with pytest.raises(UsageError) as caught:
        parse_name(name)
    assert message in str(caught.value)
    assert hint in caught.value.hint
