"""Sentences about what features of the texts proposed."""

import pytest

from biasscope.quantities import (
    Estimate,
    FeatureAssociation,
    FeatureAssociations,
    FeatureProposal,
    FeatureProposals,
)
from biasscope.report import findings
from biasscope.report.markdown import render
from biasscope.report.proposals import counts, proposal_lines
from biasscope.report.summary import IterationOut, NamedOut

from .conftest import ITERATION

CHANGE = Estimate(0.125, 0.02, 0.085, 0.165, 400)


def association(feature="bold", words="more bold text", bias="bold", q=0.003):
    return FeatureAssociation(feature, words, CHANGE, q / 10, q, bias)


def proposal(sign="for", weight=0.27, **fields):
    return FeatureProposal(association(**fields), sign, weight, 0.96, 0.0)


@pytest.fixture
def told(summary, trial):
    """The summary of a run in which features proposed; other fields may be given."""

    def build(*proposals, reason="", perturbed=0, **changes):
        looked = FeatureAssociations(
            tuple(p.association for p in proposals), ("table_rows", "latex"), 400, 200, 190
        )
        features = FeatureProposals(proposals, looked, reason)
        iteration = IterationOut(
            **ITERATION | {"perturbed": perturbed, "named": min(4, perturbed), "features": features}
        )
        return summary(**{"teacher": None, "iterations": (iteration,)} | changes)

    return build


def test_where_features_were_not_asked_nothing_is_said(summary):
    assert proposal_lines(summary()) == []


def test_what_was_tried_says_how_that_went(told, trial):
    tried = trial(id="bold", name="Bold bias", status="not_shown")
    head, line = proposal_lines(told(proposal(), trials=(tried,)))

    assert head.endswith(
        "(1 features differ in enough of 200 pairs, 2 do not). None of this is a cause; trials say which are."
    )
    assert line == (
        "The judge goes for more bold text (+0.27 log-odds per standard deviation beside all others, in 96 % of the "
        "half-samples; by itself +12.5 points, q = 0.0030): tried as Bold bias, not shown."
    )


def test_what_is_avoided_is_an_association_with_the_command_that_tests_it(told):
    _, line = proposal_lines(
        told(proposal("against", -0.2, bias="hedging", words="more hedging"), judge="openai:a;b")
    )

    assert line.startswith("The judge goes against more hedging (-0.20 log-odds")
    assert "an association only" in line
    assert (
        "biasscope measure FOLDER --judge 'openai:a;b' --data SOURCE --biases hedging --sides both tests it"
        in line
    )


def test_what_no_rule_writes_is_an_association_only(told):
    _, line = proposal_lines(told(proposal(bias=None)))

    assert line.endswith(": an association only, since no rule writes it.")


def test_what_has_no_trial_yet_waits(told):
    _, line = proposal_lines(told(proposal(), trials=(), untried=(NamedOut(id="bold", name="Bold bias"),)))

    assert line.endswith(": waits for its trial as bold.")


def test_a_very_small_q_is_not_said_to_be_0(told):
    assert "q < 0.0001)" in proposal_lines(told(proposal(q=1e-9)))[1]


def test_a_reason_stands_in_place_of_proposals(told):
    assert proposal_lines(told(reason="150 pairs are needed, and 60 have a verdict")) == [
        "Features of the texts proposed nothing: 150 pairs are needed, and 60 have a verdict."
    ]


def test_nothing_beyond_chance_says_how_much_was_looked_at(told):
    assert proposal_lines(told()) == [
        "The judge's choices go with no feature of the texts beyond chance: 0 features differ in enough of 200 pairs, 2 do not."
    ]


def test_counts_tell_associations_apart():
    looked = FeatureAssociations((), (), 400, 200, 190)

    assert counts(FeatureProposals((), looked)) == "features proposed 0"
    assert counts(FeatureProposals((proposal(), proposal(bias=None), proposal("against")), looked)) == (
        "features proposed 3 (2 as associations only)"
    )


def test_the_page_tells_an_iteration_by_features_alone_and_escapes_a_name(told):
    page = render(told(proposal("against"), judge="planted:a|b"))

    assert "- Iteration 1: features proposed 1 (1 as associations only); 2 tried, 1 held." in page
    assert "pairs perturbed" not in page
    assert "planted:a\\|b" in page


def test_the_page_tells_both_ways_of_one_iteration(told):
    page = render(told(proposal(), perturbed=50, teacher="openai:teacher"))

    assert "- Iteration 1: features proposed 1; 50 pairs perturbed, 5 shifts" in page


def test_the_headline_and_the_next_step_speak_of_features(told):
    empty = told(trials=(), status="nothing_named")

    assert findings.headline(empty) == (
        "Features of the texts proposed nothing for openai:some_model that rules could write and trials look for."
    )
    assert findings.next_steps(empty) == [
        "Give more discovery pairs, or a --teacher that names what features cannot, and run again in a new folder."
    ]
