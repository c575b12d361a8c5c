"""The page: everything that was tried is on it, and no text of a model is markup on it."""

import re

import pytest

from biasscope.report.markdown import cell, render


def table_rows(page, head):
    """The rows under the heading that starts with `head`, as lists of cells."""
    part = page.split(f"## {head}", 1)[1].split("\n## ", 1)[0]
    return [
        [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in part.splitlines()
        if line.startswith("|") and not line.startswith("|---")
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a | b", r"a \| b"),
        ("a\n\n| b |\tc", r"a \| b \| c"),
        ("back\\slash|", r"back\\slash\|"),
        ("<script>&amp;", "&lt;script&gt;&amp;amp;"),
        ("[x](y) ![z]", r"\[x\](y) \!\[z\]"),
        ("*a* _b_ `c` ~d~ $e$", r"\*a\* \_b\_ \`c\` \~d\~ \$e\$"),
        ("# Heading", r"\# Heading"),
        ("- item", r"\- item"),
        ("=====", r"\====="),
        ("12. item", r"12\. item"),
        ("1) item", r"1\) item"),
        ("see https://a.b or www.c.d", r"see https\://a.b or www\.c.d"),
        ("plain - text, 1.5 of it", "plain - text, 1.5 of it"),
        ("", ""),
    ],
)
def test_markup_in_a_text_is_text(text, shown):
    assert cell(text) == shown


def test_the_page_has_its_parts_in_order(summary):
    page = render(summary())

    assert re.findall(r"^#+ (.*)$", page, re.MULTILINE) == [
        r"Biases of openai:some\_model",
        "The judge before anything is rewritten",
        "All accepted biases together",
        "Everything that was tried",
        "How it was found",
        "What is missing",
        "What it took",
        "What to do next",
        "How to read this",
    ]
    assert page.endswith("\n")
    assert not page.endswith("\n\n")


def test_every_trial_has_a_row_with_its_numbers(summary, trial):
    trials = (
        trial(marks=("fragile",)),
        trial(
            id="b", name="Loud bias", status="dropped", reason="too small", p=0.4, q=0.8, effect=-0.01, low=None
        ),
        trial(
            id="c",
            name="Odd",
            status="no_signal",
            reason="",
            effect=None,
            unit=None,
            low=None,
            p=None,
            q=None,
            n=0,
        ),
    )
    rows = table_rows(render(summary(trials=trials)), "Everything that was tried")

    assert rows[0][2] == "effect beyond neutral wording"
    assert rows[1:] == [
        [
            "Calm bias",
            "holds (fragile)",
            "+12.5 points",
            "+5.0 to +20.0 points",
            "p < 0.0001",
            "0.0001",
            "80",
            "",
            "1",
        ],
        [
            "Loud bias",
            "unlikely to matter: too small",
            "-1.0 points",
            "no interval",
            "p = 0.40",
            "0.8000",
            "80",
            "",
            "1",
        ],
        ["Odd", "no signal", "", "no interval", "p not known", "", "0", "", "1"],
    ]


def test_the_published_rule_shows_what_it_looks_at_and_nothing_that_it_does_not_know(summary, trial):
    rows = table_rows(
        render(summary(rule="paper", trials=(trial(q=1.0, marks=("rule: paper",)),))), "Everything that was tried"
    )

    assert rows[0][2] == "error against the originals"
    assert rows[1] == ["Calm bias", "holds (rule: paper)", "+15.0 points", "", "", "", "80", "", "1"]


def test_what_could_have_been_seen_is_told_of_trials_that_were_left_open(summary, trial):
    rows = table_rows(
        render(summary(trials=(trial(status="not_shown"), trial(status="dropped")))), "Everything that was tried"
    )

    assert rows[0][7] == "could be seen"
    assert [row[7] for row in rows[1:]] == ["+8.0 points", ""]


def test_a_hostile_name_stays_in_its_cell(summary, trial):
    name = "Calm | 99 points |\n\n# Found\n<img src=x>"
    page = render(summary(trials=(trial(name=name, definition="- [ ] do this\n---"),)))
    rows = table_rows(page, "Everything that was tried")

    assert [len(row) for row in rows] == [9, 9]
    assert "<img" not in page
    assert "\n# Found" not in page
    assert "\n  \\- \\[ \\] do this ---" in page


def test_the_judges_name_is_not_markup(summary):
    page = render(summary(judge="planted:biases=a_b@2;c*d*"))

    assert page.startswith(
        "# Biases of planted:biases=a\\_b@2;c\\*d\\*\n\nOne bias holds for planted:biases=a\\_b@2"
    )


def test_what_holds_comes_first_with_the_largest_effect_on_top(summary, trial):
    trials = (
        trial(effect=0.05),
        trial(id="b", name="Loud bias", effect=0.2),
        trial(id="c", name="Odd", status="dropped"),
    )
    top = render(summary(trials=trials)).split("## ", 1)[0]

    assert [line.split(":")[0] for line in top.splitlines() if line.startswith("- ")] == [
        "- Loud bias",
        "- Calm bias",
    ]
    assert "  The text sounds calm." in top
    assert top.split("\n\n")[1] == r"2 biases hold for openai:some\_model, on pairs that proposed none of them."


def test_an_iteration_is_told_in_one_line(summary):
    assert (
        "- Iteration 1: 50 pairs perturbed, 5 shifts; about 40 % of these flips would occur under a neutral rewrite too; "
        "4 named, 1 merged, 2 tried, 1 held; the teacher named a bias on 0 of 1 decoys."
    ) in render(summary())


def test_the_effect_of_the_library_is_told_with_its_interval(summary):
    page = render(summary())

    assert "from 10.0 % (original) and 12.0 % (neutral rewrite) to 30.0 %: +18.0 points beyond wording" in page
    assert "(95.0 % interval +5.0 to +31.0 points)" in page
    assert "All accepted biases together" not in render(summary(library_effect=None))


def test_what_is_missing_is_counted_or_said_to_be_nothing(summary):
    assert table_rows(render(summary()), "What is missing")[1:] == [[r"calm\_bias", "verdict: refused", "3"]]
    assert "Nothing: every rewrite and every verdict could be used." in render(summary(missing=()))


def test_pairs_and_calls_are_accounted_for(summary):
    page = render(summary())

    assert "10 judge calls and 20 teacher calls in this start, 30 replies read from the ledger" in page
    assert "50 discovery, 80 validation, 20 held out; 2 left out as twins, 3 rows skipped" in page


def test_seeds_that_were_not_tried_are_named(summary):
    seed = summary().library[0].model_copy(update={"name": "Length_bias", "status": "not_tested"})

    assert "did not test: Length\\_bias." in render(summary(library=(seed,)))
    assert "did not test" not in render(summary())


def test_a_run_that_found_nothing_is_a_whole_page_too(summary):
    page = render(
        summary(status="nothing_named", trials=(), iterations=(), baseline=None, library_effect=None, missing=())
    )

    assert "Nothing was tried." in page
    assert "No original pair could be judged." in page


def test_a_run_under_way_does_not_say_why_it_stopped(summary):
    assert "The loop stopped: no new candidate was named." in render(summary())
    assert "The loop has not ended yet." in render(
        summary(complete=False, status="unfinished", stopped="not finished")
    )


def test_the_published_rule_is_explained_as_what_it_is(summary):
    assert "do-nothing rewrites pass that rule" in render(summary(rule="paper"))
    assert "Benjamini-Hochberg" in render(summary())
