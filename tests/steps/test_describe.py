"""What is told beside a trial's decision, from the pairs that it visited."""

from dataclasses import replace

import pytest

from biasscope.ask import Missing
from biasscope.catalogue.known import seed_library
from biasscope.records import Rewrite, Verdict
from biasscope.stats.rules import RULES
from biasscope.steps.describe import describe, feature_profile
from biasscope.steps.judge import Table
from biasscope.steps.validate import TrialDesign, validate_candidates

from ..fakes import FakeJudge, NamingWriter, bias, pair, pairs

CALM = bias()


async def described(judge, *, of=None, writer=None, neutrals=1, candidate=CALM, wants=describe):
    table = Table()
    rule = replace(RULES["fixed"], fewest=1, neutral_plan=((1.0, neutrals),))
    (tested,) = await validate_candidates(
        judge, writer or NamingWriter(), table, of or pairs(8), [candidate], TrialDesign(rule)
    )
    return wants(table, tested)


def wrong(**on):
    """A judge that picks the rejected response for these numbers of pairs in an arm, in both orders."""
    arms = {arm.replace("__", "-"): numbers for arm, numbers in on.items()}
    return FakeJudge(lambda s: "rejected" if int(s.pair.id[1:]) in arms.get(s.arm, ()) else "chosen")


async def test_errors_are_of_pairs_that_have_original_neutral_and_biased_verdicts():
    def decide(shown):
        if (shown.pair.id, shown.arm) == ("p1", "original"):
            return Missing("refused")
        return "rejected" if shown.pair.id in ("p1", "p2") else "chosen"

    # p1 lacks the original, p4 the biased and p5 the neutral rewrite: p2 and p3 are left
    writer = NamingWriter(("p4", "calm_bias"), ("p5", "neutral-1"))
    found = await described(FakeJudge(decide), of=pairs(5), writer=writer)

    assert (found.error_original, found.error_neutral, found.error_biased) == (0.5, 0.5, 0.5)


async def test_where_no_pair_has_all_three_there_are_no_errors():
    found = await described(FakeJudge(lambda s: Missing("refused")))

    assert (found.error_original, found.error_neutral, found.error_biased) == (None, None, None)
    assert (found.flips, found.label_mass) == (None, None)
    assert (found.details.split, found.details.position) == (None, None)
    assert found.details.odds_ratio.value is None
    assert found.details.odds_ratio.reason == "no item has both orders of a biased and a neutral verdict"


async def test_flips_are_counted_over_pairs_and_orders_and_neutral_rewrites():
    found = await described(wrong(calm_bias=(1, 2, 3), neutral__1=(3, 4), neutral__2=(4,)), neutrals=2)

    # harm: pairs 1 and 2, and pair 3 against one of two neutrals; rescue: pair 4; the neutrals differ on pair 3
    assert (found.flips.harm, found.flips.rescue) == (2.5 / 8, 1 / 8)
    assert (found.flips.floor, found.flips.n) == (1 / 8, 16)
    assert (found.error_biased, found.error_neutral) == (3 / 8, 1.5 / 8)


async def test_the_error_is_split_into_what_rewording_does_and_what_the_bias_adds():
    found = await described(wrong(original=(1,), neutral__1=(1, 2), calm_bias=(1, 2, 3, 4)))
    split = found.details.split

    assert (split.total.value, split.generic.value, split.specific.value) == (3 / 8, 1 / 8, 2 / 8)
    assert found.details.odds_ratio.strata == 16
    assert found.details.position.biased.consistency == 1.0


async def test_a_pair_of_the_other_half_of_the_trial_is_not_looked_at():
    table = Table()
    design = TrialDesign(replace(RULES["fixed"], fewest=1))
    judge = wrong(calm_bias=range(1, 9))
    (tested,) = await validate_candidates(judge, NamingWriter(), table, pairs(8), [CALM], design)
    half = replace(tested, visited=tested.visited[:3], unvisited=tested.visited[3:])

    assert describe(table, half).flips.n == 6


@pytest.mark.parametrize(("domains", "groups"), [("aaaaaaaa", None), ("aaaabbbb", ["a", "b"])])
async def test_effects_by_domain_are_told_where_there_is_more_than_one(domains, groups):
    of = [pair(f"p{n}", domain=d) for n, d in enumerate(domains, 1)]
    found = await described(wrong(calm_bias=(1, 2, 5)), of=of)

    by = found.details.domains
    assert (by and [g.group for g in by.groups]) == groups
    if by:
        assert [g.effect.value for g in by.groups] == [0.5, 0.25]


class TwoWriters(NamingWriter):
    """Two models that write for the pairs in turn."""

    def _rewrite(self, pair_id, arm):
        return Rewrite(pair_id, arm, f"{arm} {pair_id}", f"writer {int(pair_id[1:]) % 2}", 0)


async def test_effects_by_writer_are_told_where_several_wrote():
    found = await described(wrong(calm_bias=(1, 3, 5, 2)), writer=TwoWriters())

    assert [(g.group, g.effect.value) for g in found.details.writers.groups] == [
        ("writer 0", 1 / 4),
        ("writer 1", 3 / 4),
    ]
    assert (await described(wrong(calm_bias=(1, 2)))).details.writers is None


class Massive(FakeJudge):
    """Margins of which most of the probability lies on the labels, on biased rewrites little."""

    def _verdict(self, shown):
        margin = 1.0 - 0.1 * int(shown.pair.id[1:])
        mass = 0.1 if shown.arm == "calm_bias" else 0.9
        return Verdict(shown.pair.id, shown.arm, shown.order, "chosen", margin=margin, label_mass=mass)


async def test_the_label_mass_is_the_median_over_the_rewrites_of_the_trial():
    found = await described(Massive(lambda s: 0.0, graded=True), neutrals=2)

    assert found.label_mass == 0.9
    assert (await described(Massive(lambda s: 0.0, graded=True))).label_mass == pytest.approx(0.5)


class Wordy(NamingWriter):
    """Writes twice as many words into the biased rewrites, half of which name experts."""

    def _rewrite(self, pair_id, arm):
        number = int(pair_id[1:])
        words = ["word"] * (10 + number % 3)
        if not arm.startswith("neutral"):
            words = [*words, *words, "Experts agree on this." if number % 2 else "So it is."]
        return Rewrite(pair_id, arm, " ".join(words), "plain", 0)


async def test_what_else_a_rewrite_shows_is_told_and_named_unless_it_is_its_own():
    judge = wrong(calm_bias=(1, 2, 3), authority=(1, 2, 3))
    calm = await described(judge, writer=Wordy(), wants=feature_profile)
    authority = await described(
        judge, writer=Wordy(), candidate=seed_library().get("authority"), wants=feature_profile
    )

    moved = {f.feature for f in calm.features if f.moved}
    assert {"length", "authority"} <= moved
    assert "authority" in calm.bundled
    assert "authority" not in authority.bundled
    assert "length" in authority.bundled
