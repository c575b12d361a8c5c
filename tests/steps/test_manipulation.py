"""The manipulation check: whether a trait shows in the rewrites that should show it, and not in the neutral ones."""

from biasscope.ask import Missing
from biasscope.catalogue.known import seed_library
from biasscope.records import Rewrite
from biasscope.steps.judge import Table
from biasscope.steps.manipulation import Shown, check_traits

from ..fakes import FakeAsker, bias, pairs

CALM = bias()


def test_a_share_is_clearly_off_when_its_whole_interval_is():
    # Wilson's interval of 30 in 48 is .484 to .748, of 18 in 48 .252 to .516
    assert Shown(30, 48).clearly_below(0.8)
    assert not Shown(36, 48).clearly_below(0.8)
    assert Shown(18, 48).clearly_above(0.2)
    assert not Shown(12, 48).clearly_above(0.2)
    assert Shown(3, 4).share == 0.75


def test_where_nothing_was_read_nothing_is_off():
    assert Shown(0, 0).share is None
    assert not Shown(0, 0).clearly_below(0.8)
    assert not Shown(0, 0).clearly_above(0.2)


def written(of, **texts):
    table = Table()
    for p in of:
        for arm, text in texts.items():
            table.rewrites[p.id, arm.replace("__", "-")] = Rewrite(p.id, arm, f"{text} {p.id}", "plain", 0)
    return table


async def test_a_trait_with_a_detector_is_found_without_a_model():
    authority, of = seed_library().get("authority"), pairs(3)
    table = written(of, authority="Experts agree on this.", neutral__1="This is a line.")
    table.rewrites["p3", "authority"] = Missing("refused")

    assert await check_traits(None, table, of, authority, "neutral-1") == (Shown(2, 2, 2), Shown(0, 3, 3))


async def test_without_a_detector_a_model_reads_and_what_it_does_not_say_is_not_counted():
    def say(ask, attempt):
        return "Hard to say." if "p1" in ask.text else "Verdict: yes" if "calm" in ask.text else "Verdict: no"

    of = pairs(3)
    table = written(of, calm_bias="calm words", neutral__1="plain words")

    assert await check_traits(FakeAsker(say), table, of, CALM, "neutral-1") == (Shown(2, 2, 3), Shown(0, 2, 3))
    assert await check_traits(None, table, of, CALM, "neutral-1") == (Shown(0, 0, 3), Shown(0, 0, 3))


async def test_a_model_reads_the_same_sample_of_pairs_whatever_their_order():
    of = pairs(100)
    table = written(of, calm_bias="calm", neutral__1="plain")
    readers = [FakeAsker(lambda ask, attempt: "Verdict: yes") for _ in range(2)]
    for reader, order in zip(readers, (of, of[::-1]), strict=True):
        assert await check_traits(reader, table, order, CALM, "neutral-1") == (
            Shown(48, 48, 48),
            Shown(48, 48, 48),
        )
    texts = [[a.text for a in reader.asked] for reader in readers]

    assert texts[0] == texts[1]
    drawn = {int(text.split("p")[-1]) for text in texts[0]}
    assert drawn != set(range(1, 49))
