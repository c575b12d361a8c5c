"""A ranking as an object, in sentences, as a page and as tables: what is said is what was found."""

import re

import pytest

from biasscope.benchmarks.provenance import Provenance
from biasscope.config import JudgeSpec
from biasscope.datasets import Skip
from biasscope.report import ranked_page
from biasscope.report import ranked_words as words
from biasscope.report.measured import JudgeCallsOut
from biasscope.report.ranked import RankedSetOut, RankOut, Setting, rank_out
from biasscope.report.schemas import published
from biasscope.workflows.rank import rank_judges
from biasscope.workflows.ranked_set import rank_set
from biasscope.workflows.relations import Guess

from ..ranking import benchmark, rows

SET = rank_set(benchmark(60, 4, kept=lambda v: v in (0, 1)))
CALLS = JudgeCallsOut(paid=1, replayed=0, input_tokens=2, output_tokens=3, price=None)


def error(rejected, chosen=None, otherwise=0.3):
    """Errors by the response that carries the trait."""
    by_side = {"rejected": rejected, "chosen": otherwise if chosen is None else chosen}
    return lambda one: by_side.get(one.trait_side, otherwise)


def ranking(*judges, of=SET, related=None, made_by=None, total=None, spoilt=None, **more):
    """A ranking of judges named A, B ... that err as they say."""
    specs = [JudgeSpec(spec=f"openai:{'ABCDEF'[n]}") for n in range(total or len(judges))]
    held = RankedSetOut(
        path="set.parquet",
        sha256="0",
        plain=False,
        items=len(of.items),
        clusters=len(set(of.clusters.values())),
        limit=None,
        read=700,
        skipped=(),
        filtered=True,
        left_out=0,
        originals="set",
        unmatched=0,
        made_by=made_by or Provenance(),
    ).model_copy(update=more)
    said = [
        rows(of.items, errs, seed=n, **({} if spoilt is None else {"spoilt": spoilt}))
        for n, errs in enumerate(judges)
    ]
    setting = Setting("runs/r", held, specs, related or {}, 0.05, 0)
    found = rank_judges(said, of.rows, apart=setting.apart[: len(said)])
    return rank_out(setting, of, found, [CALLS] * len(specs))


THREE = ranking(error(0.3), error(0.3), error(0.75))


def test_every_field_of_the_schema_says_what_it_is():
    made = published()["biasscope.rank/1"]
    silent = [
        f"{name}.{field}"
        for name, one in ({made["title"]: made} | made["$defs"]).items()
        for field, of in one["properties"].items()
        if not of.get("description", "").endswith(".")
    ]

    assert silent == []
    assert RankOut.model_validate_json(THREE.model_dump_json()) == THREE


def test_the_headline_names_the_first_and_who_cannot_be_told_from_it():
    names = [p.judge for p in words.main_view(THREE).places]

    assert names[2] == "openai:C (reason)"
    first = words.rate_cell(words.scores(words.judge_of(THREE, names[0]), "hardened").error)
    assert words.headline(THREE).startswith(f"{names[0]} errs least, on {first} % (95 % interval ")
    assert words.headline(THREE).endswith(f"of the hardened items; {names[1]} cannot be told from it.")
    alone = ranking(error(0.1), error(0.8))
    assert words.headline(alone).endswith("of the hardened items, fewer than any other.")
    assert re.fullmatch(r"openai:A \(reason\) errs on [\d.]+ % \(.*\) of the hardened items\.", words.headline(
        ranking(error(0.3))))  # fmt: skip


def test_ranks_that_cannot_be_told_apart_stand_in_brackets():
    places = {p.judge: words.place_cell(p) for p in words.main_view(THREE).places}

    assert sorted(places.values()) == ["1 (1 to 2)", "2 (1 to 2)", "3"]
    assert places["openai:C (reason)"] == "3"


def test_what_is_not_finished_and_what_cannot_be_ranked_is_said():
    half = ranking(error(0.3), total=2)
    assert not half.complete
    assert words.headline(half) == "The ranking is not finished; the same command continues it."
    nothing = ranking(error(0.3), spoilt=lambda i, o: "verdict: refused")
    assert words.headline(nothing) == "No judge can be ranked: no item has verdicts that can be read."
    (note,) = [n for n in words.notes(nothing) if "no verdict" in n]
    assert note == (
        "openai:A (reason) gave no verdict 240 times of 240 (verdict: refused x 240): its error is between 0.0 and 100.0 % "
        "whatever these would have been."
    )


def test_judges_with_a_hand_in_the_set_stand_apart_and_guesses_move_nobody():
    made_by = Provenance(writers=("openai:gpt-x",), filters=("openai:A",))
    out = ranking(error(0.1), error(0.3), made_by=made_by, related={"openai:B": "a cousin of the writer"})

    assert (
        words.headline(out) == "Every judge had a hand in the benchmark, so that none is ranked as an outsider."
    )
    assert [p.judge for p in words.main_view(out).apart] == ["openai:A (reason)", "openai:B (reason)"]
    assert words.main_view(out).places == ()
    told = words.notes(out)
    assert told[0].startswith("openai:A (reason) is ranked apart: it filtered the items")
    assert "openai:B (reason) is ranked apart: a cousin of the writer." in told
    guess = Guess("writer", "openai:gpt-x", "OpenAI")
    judge = out.judges[1].model_copy(update={"apart": False, "relations": (), "guesses": (guess,)})
    guessed = out.model_copy(update={"judges": (judge,)})
    assert any(
        "a guess from names; --related 'openai:B=REASON' ranks it apart" in n for n in words.notes(guessed)
    )


def test_a_judge_that_punishes_traits_is_not_praised_for_it():
    out = ranking(error(0.05, 0.6), error(0.3))
    (note,) = [n for n in words.notes(out) if "drawn away" in n]

    assert note.startswith("openai:A (reason) is drawn away from the traits (-")
    assert words.main_view(out).places[0].judge == "openai:A (reason)"


def test_a_judge_of_one_slot_is_named():
    out = ranking(error(0.3), spoilt=lambda i, o: "rejected" if o == "chosen_first" else "chosen")
    (note,) = [n for n in words.notes(out) if "shown second" in n]

    assert note.startswith("openai:A (reason) chooses the response shown second in 100 % of its verdicts")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"skipped": (Skip("duplicate", 3, ("row 1",)),)}, "3 rows could not be used (duplicate: 3)."),
        ({"unmatched": 4}, "4 items have no original to be held against."),
        ({"plain": True}, "rows of one question count as one draw"),
    ],
)
def test_what_of_the_set_cannot_be_used_is_said(more, said):
    assert any(said in note for note in words.notes(ranking(error(0.3), **more)))


def test_a_set_without_a_sample_or_originals_says_so_unless_nothing_was_chosen():
    kept = rank_set([i for i in benchmark(60, 2, kept=lambda v: v == 1) if i.subset == "pro" and i.kept])
    told = words.notes(ranking(error(0.3), of=kept))

    assert any("no unfiltered sample" in note for note in told)
    assert any("No originals" in note for note in told)
    assert not any("no unfiltered" in n for n in words.notes(ranking(error(0.3), of=kept, filtered=False)))


def test_small_errors_are_compared_in_log_odds_and_say_so():
    out = ranking(error(0.4, 0.1, otherwise=0.1))
    cells = words.crossed_rows(out, "crossed")[0]

    assert cells[5].endswith(" log-odds")
    assert float(cells[5].split()[0]) > 0.3


def test_the_page_has_every_judge_and_view_and_no_markup_of_a_name():
    out = ranking(error(0.3), error(0.6), related={"openai:B": "it | wrote *all* of it"})
    page = ranked_page.render(out)

    assert page.startswith("# Judges on a hardened benchmark\n\n")
    assert r"it \| wrote \*all\* of it" in page
    for title in (
        "Ranks on the hardened items",
        "Ranked apart",
        "Where the trait is: crossed items",
        "By bias",
        "By domain",
    ):
        assert f"## {title}" in page
    for heading in re.findall(r"^(\|.*)\n\|(?:---\|)+$", page, re.MULTILINE):
        block = page[page.index(heading) :].split("\n\n")[0].splitlines()
        assert {line.count(" | ") for line in block if "---" not in line} == {heading.count(" | ")}
    assert "## What is missing\n\nNothing: every item" in page
    assert ranked_page.render(out.model_copy(update={"judges": (), "complete": False})).count("\n") < 5


def test_missing_verdicts_are_a_table():
    out = ranking(error(0.3), spoilt=lambda i, o: "verdict: refused" if i.id == "s0-v0-pro" else None)

    assert "| openai:A (reason) | hardened items | verdict: refused | 2 | 240 |" in ranked_page.render(out)


def test_the_tables_for_a_paper_mark_who_is_ranked_apart():
    found = ranked_page.tables(ranking(error(0.3), error(0.6), related={"openai:B": "cousin"}))

    assert set(found) == {"rank.tex", "crossed.tex", "crossed-unfiltered.tex"}
    assert r"openai:B (reason)$^{\dagger}$ & 1 & " in found["rank.tex"]
    assert "ranked among themselves" in found["rank.tex"]
    assert r"\label{tab:crossed-unfiltered}" in found["crossed-unfiltered.tex"]
    assert "dagger" not in ranked_page.tables(ranking(error(0.3)))["rank.tex"]
