"""Sentences about what is known beside a decision, and about where nothing is to be found."""

import pytest

from biasscope.quantities import (
    Adjusted,
    ArmPosition,
    EqualLength,
    Estimate,
    GroupEffect,
    GroupEffects,
    NeutralArm,
    NullControl,
    OddsRatio,
    PositionUse,
    Profile,
    Repeated,
    ShamControl,
    Sides,
    Split,
    TrialDetails,
)
from biasscope.report import details
from biasscope.report.markdown import render


def about(value, reach=0.02, n=80):
    return Estimate(value, reach / 2, value - reach, value + reach, n)


def lines(trial, **known):
    changes = {name: known.pop(name) for name in ("unit",) if name in known}
    return details.detail_lines(trial(details=TrialDetails(**known), **changes))


def test_an_estimate_has_its_unit_and_its_interval_or_says_that_it_has_none():
    assert details.estimate_text(about(0.1), "fraction") == "+10.0 points (+8.0 to +12.0)"
    assert details.estimate_text(about(-0.1), "log-odds") == "-0.100 log-odds (-0.120 to -0.080)"
    assert details.estimate_text(Estimate(0.1, None, None, None, 1), "fraction") == "+10.0 points (no interval)"


def test_where_nothing_is_known_beside_the_effect_nothing_is_said(trial):
    assert details.detail_lines(trial()) == []
    assert lines(trial) == []


def test_the_effect_is_split_into_trait_and_rewording(trial):
    assert lines(trial, split=Split(about(0.15), about(0.125), about(0.025))) == [
        "Against the originals the rewrites do +15.0 points (+13.0 to +17.0): +12.5 points (+10.5 to +14.5) by the trait "
        "and +2.5 points (+0.5 to +4.5) by rewording alone."
    ]


def test_both_sides_are_told_in_their_own_scale_with_the_reason_for_it(trial):
    sides = Sides("fraction", about(0.1), about(-0.2), about(0.15), about(-0.1))
    odd = Sides("log-odds", about(0.1), about(-0.2), about(0.15), None, reason="Errors are rare.")

    assert lines(trial, sides=sides) == [
        "With the trait on the better response the rejected one gains -20.0 points (-22.0 to -18.0); the pull towards the "
        "trait is +15.0 points (+13.0 to +17.0), what it does to errors wherever it stands -10.0 points (-12.0 to -8.0)."
    ]
    (text,) = lines(trial, sides=odd)
    assert text.endswith("+0.150 log-odds (+0.130 to +0.170). Errors are rare.")
    assert "wherever it stands" not in text


def test_an_odds_ratio_is_called_conditional_and_left_out_where_there_is_none(trial):
    known = OddsRatio(1.584, 0.1, 1.3, 1.93, 80, 160)
    unknown = OddsRatio(None, None, None, None, 80, 160, reason="errors differ in one direction only")

    assert lines(trial, odds_ratio=known) == [
        "Conditional odds ratio of an error: 1.58 (1.30 to 1.93); not comparable with a marginal one."
    ]
    assert lines(trial, odds_ratio=unknown) == []


def test_a_bias_that_makes_the_judge_go_by_position_shows_it(trial):
    plain, biased = ArmPosition(0.9, 0.05, 80), ArmPosition(0.7, 0.1, 80)

    assert lines(trial, position=PositionUse(None, plain, biased, about(-0.2), about(0.05))) == [
        "The same choice in both orders: 70 % with the trait, 90 % without (-20.0 points (-22.0 to -18.0))."
    ]


def test_what_goes_with_length_is_told_by_regression_and_by_rewrites_of_equal_length(trial):
    by_slope = Adjusted(about(0.125), about(0.1), 0.025, ())
    equal = EqualLength(about(0.05), about(0.12), about(-0.07))

    assert lines(trial, length=by_slope, equal_length=equal) == [
        "At the length of the neutral rewrites: +10.0 points (+8.0 to +12.0).",
        "With rewrites of equal length: +5.0 points (+3.0 to +7.0), with free length +12.0 points (+10.0 to +14.0).",
    ]
    assert lines(trial, length=Adjusted(about(0.125), None, None, (), "lengths do not vary")) == []


def test_a_bundled_bias_names_what_comes_with_it_and_the_effect_without(trial):
    adjusted = Adjusted(about(0.125), about(0.03), 0.095, ())

    assert lines(trial, profile=Profile((), ("emoji", "length"), adjusted)) == [
        "The rewrites also differ in emoji, length; adjusted for that: +3.0 points (+1.0 to +5.0)."
    ]
    assert lines(trial, profile=Profile((), ("emoji",), None)) == ["The rewrites also differ in emoji."]
    assert lines(trial, profile=Profile((), (), None)) == []


def grouped(count, p=0.04):
    groups = [GroupEffect(f"g{k}", about(k / 100), None if k % 2 else 0.03) for k in range(count)]
    return GroupEffects(tuple(groups), 0.01, 5.0, p)


def test_groups_show_the_drawn_point_with_the_raw_interval_and_never_a_verdict_of_their_own(trial):
    assert lines(trial, domains=grouped(2)) == [
        "By domain (points drawn towards each other, raw intervals): g0 +3.0 (-2.0 to +2.0), g1 +1.0 (-1.0 to +3.0); test "
        "that all are alike: p = 0.04."
    ]
    assert lines(trial, writers=grouped(2, None))[0].endswith("g1 +1.0 (-1.0 to +3.0).")
    assert " and 3 more;" in lines(trial, domains=grouped(11))[0]


def test_margins_are_told_in_log_odds(trial):
    (text,) = lines(trial, unit="log-odds", split=Split(about(0.15), about(0.125), about(0.025)))

    assert "points" not in text
    assert text.count("log-odds") == 3


def test_differences_of_scores_are_told_in_steps_of_the_scale(trial):
    equal = EqualLength(about(0.5, 0.1), about(1.5, 0.1), about(-1.0, 0.1))

    assert details.estimate_text(about(0.5, 0.1), "score") == "+0.500 steps of its scale (+0.400 to +0.600)"
    assert lines(trial, unit="score", equal_length=equal) == [
        "With rewrites of equal length: +0.500 steps of its scale (+0.400 to +0.600), with free length +1.500 steps of its "
        "scale (+1.400 to +1.600)."
    ]


def test_sides_keep_their_own_scale_beside_margins(trial):
    (text,) = lines(trial, unit="log-odds", sides=Sides("fraction", about(0.1), about(-0.2), about(0.15), None))

    assert "log-odds" not in text
    assert "gains -20.0 points" in text


def test_a_group_without_a_spread_is_told_by_its_raw_mean_without_an_interval(trial):
    lone = GroupEffect("alone", Estimate(0.1, None, None, None, 1), None)
    groups = GroupEffects((lone, GroupEffect("many", about(0.2), 0.18)), None, None, None)

    (text,) = lines(trial, writers=groups)
    assert (
        text
        == "By writer (points drawn towards each other, raw intervals): alone +10.0, many +18.0 (+18.0 to +22.0)."
    )


# --- where nothing is to be found -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accepted", "verdict", "said"),
    [(0, "pass", "as it should be"), (1, "warn", "with another seed"), (2, "fail", "do not trust")],
)
def test_shams_that_pass_say_what_to_think_of_the_run(accepted, verdict, said):
    shams = ShamControl(3, accepted, verdict, about(0.0), True, 0.0, False)
    (text,) = details.null_lines(NullControl(shams, (), None))

    assert text.startswith(f"Of 3 sham candidates that ask for nothing, {accepted} passed: ")
    assert said in text


def test_verdicts_that_differ_when_asked_for_again_are_noise_of_the_serving():
    again = [details.null_lines(NullControl(None, (), Repeated(40, flips, None)))[0] for flips in (0, 3)]

    assert again[0] == "The same 40 verdicts asked for twice: 0 differ."
    assert again[1].startswith("The same 40 verdicts asked for twice: 3 differ; that is noise")


def test_where_no_verdict_could_be_compared_nothing_is_said_about_repeating():
    assert details.null_lines(NullControl(None, (), Repeated(0, 0, None))) == []


def test_of_neutral_rewrites_against_each_other_the_smallest_p_is_told_on_the_whole_page_alone():
    control = NullControl(
        None, (NeutralArm("neutral-1", about(0.0), 0.4), NeutralArm("neutral-2", about(0.0), 0.07)), None
    )

    assert details.null_lines(control)[0].startswith("Neutral rewrites against each other: smallest p 0.07 of 2 ")
    assert details.null_lines(control, whole=False) == []
    assert details.null_lines(None) == []


def test_the_page_has_a_part_on_it_where_anything_was_asked_for(summary):
    control = NullControl(None, (), Repeated(40, 0, None))

    assert "## Where nothing is to be found\n\n- The same 40 verdicts" in render(summary(null_control=control))
    assert "Where nothing is to be found" not in render(summary())


def test_details_stand_under_their_finding_and_are_no_markup(summary, trial):
    named = GroupEffects(
        (GroupEffect("<b>|x", about(0.1), None), GroupEffect("y", about(0.2), None)), None, None, None
    )
    page = render(summary(trials=(trial(details=TrialDetails(domains=named)),)))

    assert "  The text sounds calm.\n  - By domain (points drawn towards each other, raw intervals)" in page
    assert "<b>" not in page
