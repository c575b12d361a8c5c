"""Sentences for people: the right unit, no promise that was not measured, and the step that fits."""

import pytest

from biasscope.quantities import Estimate, TrialDetails
from biasscope.report import findings


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.125, "fraction", "+12.5 points"),
        (-0.1, "fraction", "-10.0 points"),
        (0.3, "log-odds", "+0.300 log-odds"),
    ],
)
def test_an_amount_has_its_unit(value, unit, text):
    assert findings.amount(value, unit) == text


def test_an_interval_has_its_unit_and_level():
    assert findings.interval_text(0.05, 0.2, "fraction") == "+5.0 to +20.0 points"
    assert findings.interval_text(-0.05, 0.2, "log-odds", 0.975) == "97.5 % interval -0.050 to +0.200 log-odds"
    assert findings.interval_text(None, None, "fraction", 0.95) == "no interval"


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (None, "p not known"),
        (0.00009, "p < 0.0001"),
        (0.0001, "p = 0.0001"),
        (0.0123, "p = 0.0123"),
        (0.0999, "p = 0.0999"),
        (0.1, "p = 0.10"),
        (0.25, "p = 0.25"),
        (1.0, "p = 1.00"),
    ],
)
def test_a_p_value_is_as_precise_as_it_matters(p, text):
    assert findings.p_text(p) == text


def test_a_finding_in_points(trial):
    assert findings.finding(trial(), "fixed") == (
        "Calm bias: the judge picks the rejected response +12.5 points more often than rewording alone explains when "
        "that response shows the trait (97.5 % interval +5.0 to +20.0 points, p < 0.0001, n = 80)."
    )


def test_a_finding_in_log_odds(trial):
    graded = trial(unit="log-odds", effect=0.3, low=0.1, high=0.5, level=0.95, p=0.001)

    assert findings.finding(graded, "fixed") == (
        "Calm bias: the judge leans +0.300 log-odds further towards the rejected response than rewording alone explains "
        "when that response shows the trait (95.0 % interval +0.100 to +0.500 log-odds, p = 0.0010, n = 80)."
    )


def test_an_error_is_claimed_where_the_label_is_an_answer_that_can_be_checked(trial):
    assert "picks the wrong answer +12.5 points more often" in findings.finding(trial(claim="error"), "fixed")


def test_the_size_of_an_effect_that_stopped_early_is_called_optimistic_unless_it_was_measured_again(trial):
    early = trial(look=2, looks=8, visited=30)
    fresh = TrialDetails(confirmed=Estimate(0.1, 0.02, 0.06, 0.14, 50))
    note = "a little optimistic; --confirm measures it on fresh pairs."

    assert findings.finding(early, "default").endswith(note)
    assert "optimistic" not in findings.finding(trial(), "default")
    assert findings.finding(trial(look=2, looks=8, details=fresh), "default").endswith(
        "On 50 fresh pairs: +10.0 points (+6.0 to +14.0 points)."
    )


def test_a_finding_of_the_published_rule_is_against_the_originals_whatever_the_effect_beyond_wording(trial):
    assert findings.finding(trial(), "paper") == (
        "Calm bias: the error is +15.0 points against the originals (the published rule: no neutral rewrite, no interval)."
    )


def test_without_an_effect_nothing_is_claimed(trial):
    bare = trial(effect=None, unit=None, error_biased=None)

    assert findings.finding(bare, "fixed") == "Calm bias: no effect could be measured."
    assert findings.finding(bare, "paper") == "Calm bias: no effect could be measured."


def test_the_headline_counts_what_holds(summary, trial):
    one = findings.headline(summary())
    two = findings.headline(summary(trials=(trial(), trial(id="b"), trial(id="c", status="dropped"))))

    assert one == "One bias holds for openai:some_model, on pairs that proposed none of them."
    assert two.startswith("2 biases hold for")
    assert findings.headline(summary(rule="paper")).endswith("by the published rule.")


def test_a_run_that_is_not_finished_claims_nothing(summary):
    open_run = summary(complete=False, status="unfinished")

    assert findings.headline(open_run) == "The run is not finished; the same command continues it."
    assert findings.next_steps(open_run) == [
        "Run the same command again; what is answered already costs nothing."
    ]


def test_not_shown_is_not_absent(summary, trial):
    nothing = summary(status="nothing_shown", trials=(trial(status="not_shown"),))

    assert findings.headline(nothing) == (
        "No bias could be shown for openai:some_model. Not shown means not proven, not absent."
    )


def test_log_probabilities_are_suggested_to_who_has_not_looked_at_them(summary):
    reasons = summary(status="no_signal", trials=())
    labels = summary(status="no_signal", trials=(), judge_mode="label")

    assert "--judge-mode label" in findings.headline(reasons)
    assert "--judge-mode label" in findings.next_steps(reasons)[0]
    assert "--judge-mode" not in findings.headline(labels) + findings.next_steps(labels)[0]
    assert "hardly ever change" in findings.headline(labels)


def test_a_judge_that_gave_no_verdict_is_not_said_to_be_without_bias(summary):
    silent = summary(status="nothing_named", trials=(), baseline=None)

    assert findings.headline(silent) == (
        "Nothing could be measured: no pair has a verdict of openai:some_model that can be read."
    )
    assert "what is missing" in findings.next_steps(silent)[0]


def test_no_candidate_is_said_as_it_is(summary):
    unnamed = summary(status="nothing_named", trials=(), iterations=())
    repeated = summary(status="nothing_named", trials=())

    assert findings.headline(repeated).endswith("all 4 that the teacher named are known biases already.")
    assert findings.headline(unnamed) == (
        "No candidate was named for openai:some_model, so that nothing was tried."
    )
    assert findings.next_steps(unnamed) == [
        "Give more discovery pairs, or a stronger teacher, and run again in a new folder."
    ]


def test_a_teacher_that_names_a_bias_on_every_decoy_is_doubted(summary):
    (iteration,) = summary().iterations
    shown = summary(iterations=(iteration.model_copy(update={"decoys": 3, "decoys_named": 3}),))

    assert "on 3 of 3 decoys" in findings.doubts(shown)[0]
    assert (
        findings.doubts(summary(iterations=(iteration.model_copy(update={"decoys": 3, "decoys_named": 2}),)))
        == []
    )
    assert (
        findings.doubts(summary(iterations=(iteration.model_copy(update={"decoys": 0, "decoys_named": 0}),)))
        == []
    )


def test_what_could_have_been_seen_is_the_weakest_of_the_trials_that_were_left_open(summary, trial):
    weak = (
        trial(status="not_shown"),
        trial(status="not_shown", detectable=0.12),
        trial(status="dropped", detectable=0.4),  # given up early: few pairs show only much
        trial(status="no_signal", detectable=None),
    )
    graded = (trial(status="not_shown", unit="log-odds", detectable=0.25),)

    assert "about 12 points would have been seen" in findings.next_steps(summary(trials=weak))[0]
    assert "about 0.25 log-odds would have been seen" in findings.next_steps(summary(trials=graded))[0]


def test_who_found_something_is_told_to_look_at_the_evidence(summary):
    assert "evidence" in findings.next_steps(summary())[0]


def test_the_baseline_names_errors_consistency_and_the_slot(baseline):
    assert findings.baseline_lines(baseline()) == [
        "It errs on 10.0 % of the original validation pairs (n = 80).",
        "It makes the same choice in both orders for 90 % of the pairs and picks the first answer in 55 % of its "
        "verdicts (50 % would be no habit).",
    ]
    assert "picks the first answer in 50 %" in findings.baseline_lines(baseline(first_answer_preference=0.004))[1]
    assert "picks the second answer in 70 %" in findings.baseline_lines(baseline(first_answer_preference=-0.2))[1]


def test_ties_are_always_told(baseline):
    assert findings.baseline_lines(baseline(tie_rate=0.25))[-1] == (
        "25 % of its verdicts are ties, which count one half."
    )


def test_what_one_order_cannot_say_is_left_out(baseline):
    one_order = baseline(position_consistency=None, first_answer_preference=None, tie_rate=None)

    assert len(findings.baseline_lines(one_order)) == 1
    assert findings.baseline_lines(None) == []
