"""Growth by hand, and baselines on sets with a shortcut, without one, and with the trait on one side."""

import pytest

from biasscope.workflows.benchmark_facts import BASELINES, check_shortcuts, growth

from ..hardened import built, original, variant

SET = ("objective:60?seed=5", ("authority", "certainty", "hedging", "self_verification"), 2)


def texts(items, **by_form):
    """Responses by (side, form), as many words as are given."""
    from dataclasses import replace

    def words(side, form):
        return " ".join(["word"] * by_form[f"{side}_{form}"])

    return [
        replace(
            i, label=1, response_A=words("chosen", i.chosen_form), response_B=words("rejected", i.rejected_form)
        )
        for i in items
    ]


def standings(items):
    return {c.baseline: None if c.found is None else c.found.standing for c in check_shortcuts(items)}


def of(items, subset):
    return [i for i in items if i.subset == subset]


def test_growth_is_the_mean_of_relative_growth_over_the_original_and_over_neutral():
    first = texts([original("p1"), *variant("p1")], chosen_original=10, rejected_original=10, chosen_neutral=10,
                  rejected_neutral=12, chosen_biased=11, rejected_biased=15)  # fmt: skip
    second = texts([original("p2"), *variant("p2", bias="loud")], chosen_original=20, rejected_original=20,
                   chosen_neutral=20, rejected_neutral=20, chosen_biased=20, rejected_biased=22)  # fmt: skip
    found = {(g.bias, g.side): g for g in growth([*first, *second])}

    assert list(found) == [("", "rejected"), ("", "chosen"), ("calm", "rejected"), ("calm", "chosen"),
                           ("loud", "rejected"), ("loud", "chosen")]  # fmt: skip
    whole = found["", "rejected"]
    assert whole.over_original.value == pytest.approx((0.5 + 0.1) / 2)
    assert whole.over_neutral.value == pytest.approx((0.25 + 0.1) / 2)
    # two questions: standard error of a mean of two is half their distance
    assert whole.over_original.se == pytest.approx(0.2)
    assert found["", "chosen"].over_original.value == pytest.approx((0.1 + 0.0) / 2)
    assert found["calm", "rejected"].over_original.low is None


def test_the_trait_wins_on_one_sided_items_and_is_exactly_chance_on_crossed_ones():
    items = built(*SET).items
    checks = {c.baseline: c for c in check_shortcuts(of(items, "pro"))}
    assert list(checks) == list(BASELINES)
    assert checks["trait"].found.standing == "shortcut"
    assert checks["trait"].top[0][0] == "its own trait"
    assert checks["trait"].top[0][1] < 0
    assert standings(of(items, "crossed"))["trait"] == "near_chance"
    assert standings(of(items, "original"))["trait"] is None


def test_a_set_that_was_built_with_a_length_shortcut_is_caught():
    """Every worse response is made longer, on whichever side the trait is."""
    from dataclasses import replace

    padded = [
        replace(i, response_A=f"{i.chosen}", response_B=f"{i.rejected} {'So it goes on. ' * 12}", label=1)
        for i in of(built(*SET).items, "crossed")
    ]
    assert standings(padded)["length"] == "shortcut"
    assert standings(of(built(*SET).items, "crossed"))["length"] != "shortcut"


def test_a_format_that_goes_with_the_label_is_caught_and_named():
    from dataclasses import replace

    bold = [
        replace(i, response_A=i.chosen, response_B=f"**Note.** {i.rejected}", label=1)
        for i in of(built(*SET).items, "crossed")
    ]
    checks = {c.baseline: c for c in check_shortcuts(bold)}
    assert checks["format"].found.standing == "shortcut"
    assert checks["format"].top[0][0] == "bold"


def test_a_word_that_goes_with_the_label_is_caught_and_named():
    from dataclasses import replace

    marked = [
        replace(i, response_A=f"Verily. {i.chosen}", response_B=i.rejected, label=1)
        for i in of(built(*SET).items, "crossed")
    ]
    checks = {c.baseline: c for c in check_shortcuts(marked)}
    assert checks["words"].found.standing == "shortcut"
    assert checks["words"].top[0][0] == "verily"
    assert checks["words"].top[0][1] > 0


def test_too_few_questions_tell_nothing():
    items = [i for k in range(5) for i in variant(f"p{k}")]
    assert set(standings(items).values()) == {None}
    assert set(standings([]).values()) == {None}
