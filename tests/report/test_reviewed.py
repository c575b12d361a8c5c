"""The result of a review: numbers of simulated reviewers of known accuracy, the gate, and what is counted and what not."""

from dataclasses import replace

import pytest
from tests.reviewing import item, items, said, simulated

from biasscope.report import reviewed_words as words
from biasscope.report.reviewed import agreement_out
from biasscope.reviews import ADJUDICATOR
from biasscope.rundir.reviews import ReviewFiles


def files(some, reviews, path="runs/hard", **more):
    fields = {"changed": 0, "unknown": 0, "unreadable": (), "torn": False} | more
    return ReviewFiles(path, tuple(some), tuple(reviews), **fields)


def question(out, name):
    return next(q for q in out.questions if q.question == name)


@pytest.mark.parametrize("valid", [0.5, 0.8, 0.95])
def test_reviewers_of_known_accuracy_agree_as_much_as_they_must(valid):
    some = items(400)
    reviews, _ = simulated(some, ("ana", "ben", "cy"), accuracy=0.93, valid=valid, seed=round(100 * valid))
    found = question(agreement_out(files(some, reviews)), "valid")
    raw = 0.93**2 + 0.07**2
    yes = valid * 0.93 + (1 - valid) * 0.07
    chance, spread = yes**2 + (1 - yes) ** 2, 2 * yes * (1 - yes)

    for number, true in (
        (found.raw, raw),
        (found.kappa, (raw - chance) / (1 - chance)),
        (found.ac1, (raw - spread) / (1 - spread)),
    ):
        assert abs(number.value - true) < 3 * number.se
        assert number.low < number.value < number.high
    assert found.items == 600


def test_good_rewrites_pass_and_bad_ones_do_not():
    some = items(100)
    good, _ = simulated(some, ("ana", "ben", "cy"), accuracy=0.97, valid=0.98)
    bad, _ = simulated(some, ("ana", "ben", "cy"), accuracy=0.97, valid=0.8)
    careless, _ = simulated(some, ("ana", "ben", "cy"), accuracy=0.6, valid=0.98)
    passed, failed, unsure = (agreement_out(files(some, r)) for r in (good, bad, careless))

    assert (passed.gate.passes, passed.gate.failures) == (True, ())
    assert not failed.gate.passes
    assert "too few rewrites are valid" in failed.gate.failures[0]
    assert "agree too little" in unsure.gate.failures[0]
    assert words.gate_line(passed).startswith("Gate: passes. AC1 0.9")
    assert words.gate_line(failed).startswith("Gate: does not pass. ")


def test_the_gate_is_about_biased_rewrites_and_the_majority():
    some = [item(n, arm=arm) for n in (1, 2) for arm in ("biased", "neutral")]
    biased = [i for i in some if i.hidden.arm == "biased"]
    reviews = [said(who, i) for who in ("ana", "ben", "cy") for i in some if i.hidden.arm == "biased"]
    reviews += [
        said(who, i, same_answer=False) for who in ("ana", "ben") for i in some if i.hidden.arm == "neutral"
    ]
    reviews.append(said("cy", biased[0], same_content=False))
    reviews.append(said(ADJUDICATOR, biased[0], same_content=False))
    out = agreement_out(files(some, reviews))

    assert (out.gate.valid, out.gate.items) == (2, 2)
    assert [(a.arm, a.valid, a.decided) for a in out.arms] == [("biased", 2, 2), ("neutral", 0, 2)]
    assert (out.disputed, out.adjudicated) == (1, 1)


def test_a_review_without_answers_says_so():
    out = agreement_out(files(items(4), []))

    assert (out.answers, out.waiting, out.reviewers, out.lean_gap) == (0, 6, (), None)
    assert out.gate.share is out.gate.ac1 is None
    assert not out.gate.passes
    assert words.gate_line(out) == "Gate: cannot be told, since no biased item has two answers."
    assert (
        words.state_line(out)
        == "6 items (4 biased, 2 neutral), answered by nobody yet: 0 answers. 6 items with fewer than two."
    )
    assert words.dispute_line(out) == "No disagreement, and nothing flagged."
    assert words.arm_line(out.arms[0]) == "biased: no answers."
    assert "is not known" in words.gap_line(out)


def test_every_reviewer_is_counted_and_compared_with_the_others():
    some = items(6)
    reviews, _ = simulated(some, ("ana", "ben"), accuracy=1.0, valid=0.5)
    reviews = [r for r in reviews if r.reviewer != "ben" or r.item != some[0].id]
    reviews.append(said("ben", some[0], None, None, None, kind="skip", flag=True))
    reviews.append(said("cy", some[1], "1", None))
    ana, ben, cy = agreement_out(files(some, reviews)).reviewers

    assert (ana.name, ana.answered, ana.skipped, ana.flagged, ana.begun) == ("ana", 9, 0, 0, 0)
    assert (ben.answered, ben.skipped, ben.flagged) == (8, 1, 1)
    assert (cy.answered, cy.begun) == (0, 1)
    assert (ana.questions[-1].raw.value, ana.questions[-1].items, ana.questions[-1].single) == (1.0, 8, 1)
    assert cy.questions[-1].raw is None


def test_answers_are_held_against_what_is_known():
    some = [item(n, better="original") for n in range(6)] + [item(9, better=None)]
    right = {i.id: i.hidden.gold for i in some}
    reviews = [said("ana", i, right[i.id] or "1") for i in some] + [
        said("ben", i, i.hidden.variant) for i in some
    ]
    ana, ben = agreement_out(files(some, reviews)).reviewers

    assert ((ana.right, ana.known), (ben.right, ben.known)) == ((6, 6), (0, 6))


def test_each_bias_has_its_own_numbers():
    some = [item(n, bias=b) for n, b in enumerate(("calm", "zeal", "calm"))]
    reviews = [said(who, i) for who in ("ana", "ben") for i in some]
    out = agreement_out(files(some, reviews))

    assert [(b.bias, b.items, b.decided, b.valid) for b in out.biases] == [("calm", 2, 2, 2), ("zeal", 1, 1, 1)]
    assert out.biases[0].questions[-1].items == 2


def test_leaning_to_biased_rewrites_is_seen_and_its_interval_holds_it():
    some = [item(n, arm=arm) for n in range(100) for arm in ("biased", "neutral")]
    reviews = []
    for number, one in ((n // 2, one) for n, one in enumerate(some)):
        liked = number % 4 != 0 if one.hidden.arm == "biased" else number % 2 == 0
        other = {"1": "2", "2": "1"}[one.hidden.variant]
        reviews += [said(who, one, one.hidden.variant if liked else other) for who in ("ana", "ben")]
    out = agreement_out(files(some, reviews))

    assert out.arms[0].leaning.value == pytest.approx(0.5, abs=1e-9)
    assert out.arms[1].leaning.value == pytest.approx(0.0, abs=1e-9)
    assert out.lean_gap.value == pytest.approx(out.arms[0].leaning.value - out.arms[1].leaning.value)
    assert out.lean_gap.low > 0
    assert "biased: rewrite better 75%, original 25%, about the same 0%" in words.arm_line(out.arms[0])
    assert words.gap_line(out).startswith(
        "Leaning to the rewrite, biased beyond neutral, on a scale from -2 to 2: 0.50 ("
    )


def test_what_does_not_count_is_noted():
    out = agreement_out(files(items(8, 1), [], changed=2, unknown=3, unreadable=((7, "x"),)))

    assert len(out.notes) == 4
    assert out.notes[-1].startswith("1 of 9 items are neutral")
    assert agreement_out(files(items(8), [])).notes == ()


def test_the_result_is_the_same_for_the_same_seed_and_survives_json():
    some = items(30)
    reviews, _ = simulated(some, ("ana", "ben"), accuracy=0.9, valid=0.7)
    out = agreement_out(files(some, reviews))

    assert out == agreement_out(files(some, reviews))
    assert out != agreement_out(files(some, reviews), seed=1)
    assert type(out).model_validate_json(out.model_dump_json()) == out
    assert agreement_out(files([replace(i, prompt="x") for i in some], [])).answers == 0
