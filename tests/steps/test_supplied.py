"""Rewrites that somebody else wrote."""

import pytest

from biasscope.ask import Missing
from biasscope.datasets import SuppliedRewrite
from biasscope.errors import DataError
from biasscope.records import Message, Rewrite
from biasscope.steps.mirror import mirrored
from biasscope.steps.perturb import Job
from biasscope.steps.supplied import SuppliedWriter, supplied_biases

from ..fakes import NamingWriter, bias, pair

P = pair("p1", rejected="Add three and four. The answer is 7.", chosen="Count them. The answer is 8.")
CALM = bias("Calm tone")


def row(rewritten, trait="Calm tone", original=P.rejected, **fields):
    return SuppliedRewrite(original, rewritten, trait, **fields)


async def one(writer, job):
    (made,) = await writer.write([job])
    return made


def test_traits_are_biases_in_their_order_and_known_ones_keep_their_definition():
    found = supplied_biases([row("x", "Calm tone"), row("y", "neutral"), row("z", "Authority bias"), row("w")])

    assert [b.id for b in found] == ["calm_tone", "authority"]
    assert found[1].definition.startswith("The text backs")
    assert found[0].estimand == "pull"


def test_two_spellings_of_one_trait_are_refused():
    with pytest.raises(DataError, match="mean the same"):
        supplied_biases([row("x", "Calm tone"), row("y", "calm Tone")])


async def test_a_rewrite_is_found_by_its_original_and_kept_as_it_is():
    text = "Gently add three and four. The answer is 7."
    writer = SuppliedWriter([row(text), row("Add 3 and 4 up. The answer is 7.", "neutral")])

    assert await one(writer, Job(P, "calm_tone", CALM)) == Rewrite("p1", "calm_tone", text, "supplied", 0)
    (neutral,) = writer.neutral_jobs(P, CALM, 1)
    assert (await one(writer, neutral)).text == "Add 3 and 4 up. The answer is 7."
    assert writer.neutrals == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [("Gently add. The answer is 9.", "answer_changed"), ("", "empty"), (P.rejected, "unchanged"),
     ("word " * 90 + "The answer is 7.", "off_length")],
)  # fmt: skip
async def test_a_rewrite_that_cannot_be_used_is_missing_with_the_reason(text, reason):
    assert (await one(SuppliedWriter([row(text)]), Job(P, "calm_tone", CALM))).reason == reason


async def test_what_was_not_supplied_is_missing():
    writer = SuppliedWriter([row("Gently so. The answer is 7.")])

    assert (await one(writer, Job(pair("p2"), "calm_tone", CALM))).reason == "no_rewrite"
    assert (await one(writer, Job(P, "neutral-1", None, 1))).reason == "no_rewrite"


async def test_ids_and_questions_decide_between_pairs_with_one_text():
    text = "Gently so. The answer is 7."
    job = Job(P, "calm_tone", CALM)
    asked, other = Message("user", "  question P1? "), Message("user", "Another one?")

    assert isinstance(await one(SuppliedWriter([row(text, pair_id="p1")]), job), Rewrite)
    assert isinstance(await one(SuppliedWriter([row(text, pair_id="p2")]), job), Missing)
    assert isinstance(await one(SuppliedWriter([row(text, prompt=(asked,))]), job), Rewrite)
    assert isinstance(await one(SuppliedWriter([row(text, prompt=(other,))]), job), Missing)


async def test_a_trait_on_the_better_response_is_found_by_that_text():
    text = "Gently count them. The answer is 8."
    writer = SuppliedWriter([row(text, original=P.chosen, pair_id="p1")])

    assert (await one(writer, Job(mirrored(P), "calm_tone", CALM))).text == text


async def test_where_the_file_has_no_neutral_rewrite_another_writer_makes_them():
    writer = SuppliedWriter([row("Gently so. The answer is 7.")], NamingWriter())
    made = await writer.write([*writer.neutral_jobs(P, CALM, 2), Job(P, "calm_tone", CALM)])

    assert [m.writer for m in made] == ["plain", "plain", "supplied"]
    assert writer.neutrals == 0
