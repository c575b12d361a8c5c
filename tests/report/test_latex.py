"""Tables in LaTeX: every text prints itself, rows have their cells, and what is not known is a dash."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.report.latex import Column, Tex, bias_table, escape, main_table, signed, table
from biasscope.report.seeing import seen
from biasscope.report.summary import LibraryEffectOut

from .conftest import LIBRARY_EFFECT
from .test_measured import NASTY, effect, judged, measured

PRINTED = {
    r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^", r"\textless{}": "<", r"\textgreater{}": ">",
    r"\textbar{}": "|", r"\textasciigrave{}": "`", r"\textquotesingle{}": "'", r"\char34{}": '"', "{[}": "[", "{]}": "]",
    "{*}": "*", "{}": "", r"\{": "{", r"\}": "}", r"\$": "$", r"\&": "&", r"\#": "#", r"\%": "%", r"\_": "_",
}  # fmt: skip
SIGNS = "\\{}$&#%_~^<>|`'\"[]*"


def printed(tex):
    """What LaTeX prints for an escaped text; anything that would be more than text to it fails."""
    out, rest = "", tex
    while rest:
        for written, sign in PRINTED.items():
            if rest.startswith(written):
                out, rest = out + sign, rest[len(written) :]
                break
        else:
            assert rest[0] not in SIGNS, f"{rest[:20]!r} is not plain text"
            # Two of these in a row are another sign.
            assert not (rest[0] in "-," and rest[1:2] == rest[0])
            out, rest = out + rest[0], rest[1:]
    return out


def cells(tex):
    """The rows of a table between its rules, split at what separates cells."""
    body = tex.split(r"\endfoot" if r"\endfoot" in tex else r"\midrule")[1].split(r"\bottomrule")[0]
    lines = [line.removesuffix(r" \\") for line in body.strip().splitlines() if line.endswith(r" \\")]
    return [re.split(r"(?<!\\) & ", line) for line in lines]


@given(st.text(st.one_of(st.sampled_from(SIGNS + "-, \n"), st.characters())))
def test_every_text_prints_itself_and_nothing_else(text):
    assert printed(escape(text)) == " ".join(seen(text).split())


def test_unicode_is_kept_and_what_cannot_be_seen_is_shown():
    assert escape("Gef\u00fchl \u6f22\u5b57 \U0001f600") == "Gef\u00fchl \u6f22\u5b57 \U0001f600"
    assert escape("a\u202eb") == "a{[}U+202E{]}b"
    assert escape("a\x07b") == "a\ufffdb"


def test_two_hyphens_stay_two():
    assert escape("--confirm") == "-{}-confirm"
    assert escape("a---b") == "a-{}-{}-b"


def test_signs_of_numbers_are_set_as_such_and_hyphens_are_not():
    assert signed("-1.5 (-2.0 to +0.5)") == "$-$1.5 ($-$2.0 to $+$0.5)"
    assert signed("gpt-4") == "gpt-4"


def test_a_table_has_its_parts_in_order():
    made = table(["Name", "Value"], [["a_b", "+1.0"], ["c", ""], ["-d", None]], "50 % & more", "tab:x")

    assert made.splitlines() == [
        r"% Needs \usepackage{booktabs}.",
        r"\begin{table}",
        r"\centering",
        r"\caption{50 \% \& more}\label{tab:x}",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"Name & Value \\",
        r"\midrule",
        r"a\_b & $+$1.0 \\",
        r"c & -- \\",
        r"-d & -- \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]


def test_what_says_that_it_is_latex_is_left_alone():
    made = table([Column(Tex("$p$"), "c")], [[Tex(r"\emph{x}")]], "c", "t")

    assert r"\begin{tabular}{c}" in made
    assert r"$p$ \\" in made
    assert r"\emph{x} \\" in made


@pytest.mark.parametrize(
    ("columns", "rows", "label"), [(["a"], [["b", "c"]], "t"), (["a"], [], "t}"), (["a"], [], "")]
)
def test_a_row_that_does_not_fit_and_a_label_that_cannot_be_referred_to_are_refused(columns, rows, label):
    with pytest.raises(ValueError, match="need"):
        table(columns, rows, "c", label)


def test_the_main_table_has_a_row_for_each_run_with_its_gain(summary):
    made = main_table([summary(), summary(judge="openai:other")])

    assert cells(made) == [
        [r"openai:some\_model", "1", "10.0", "12.0", "30.0", "$+$18.0 ($+$5.0 to $+$31.0)"],
        ["openai:other", "1", "10.0", "12.0", "30.0", "$+$18.0 ($+$5.0 to $+$31.0)"],
    ]
    assert "dagger" not in made


def test_runs_of_one_judge_are_told_apart_by_their_folders(summary):
    made = main_table([summary(run="runs/one/"), summary(run="runs/two")])

    assert [row[0] for row in cells(made)] == [r"openai:some\_model (one)", r"openai:some\_model (two)"]


def test_a_gain_in_another_unit_says_so(summary):
    graded = LibraryEffectOut(**LIBRARY_EFFECT | {"unit": "log-odds", "gain": -0.25, "low": None, "high": None})

    assert cells(main_table([summary(library_effect=graded)]))[0][-1] == "$-$0.250 log-odds"


def test_nothing_is_told_that_a_run_does_not_know(summary, trial):
    alone = summary(library_effect=None, trials=(trial(status="not_shown"),))
    unfinished = summary(complete=False)
    unread = summary(library_effect=None, baseline=None, trials=())

    assert cells(main_table([alone]))[0] == [r"openai:some\_model", "0", "10.0", "--", "--", "--"]
    assert cells(main_table([unfinished]))[0] == [r"openai:some\_model (not finished)", *["--"] * 5]
    assert cells(main_table([unread]))[0] == [r"openai:some\_model", "0", *["--"] * 4]
    assert cells(main_table([measured()]))[0] == ["openai:x (reason)", "1", *["--"] * 4]


def test_a_run_of_the_published_procedure_has_the_published_columns_and_no_interval(summary, trial):
    held = (trial(error_biased=0.25), trial(error_biased=0.15), trial(error_biased=0.9, status="dropped"))
    made = main_table([summary(rule="paper", library_effect=None, trials=held)])

    assert cells(made) == [[r"openai:some\_model$^{\dagger}$", "2", "10.0", "--", "20.0", "$+$10.0"]]
    assert "Rows with a dagger are by the published rule" in made


def test_the_table_of_biases_has_what_holds_first(summary, trial):
    weak = trial(id="w", name="Weak", effect=-0.01, low=-0.05, high=0.03, p=0.6, q=1.0, status="not_shown")
    strong = trial(marks=("bundled", "fragile"))
    made = bias_table([summary(trials=(weak, strong))])

    assert cells(made) == [
        ["Calm bias", "$+$12.5", "$+$5.0 to $+$20.0", r"\textless{} 0.0001", "0.0001", "80", "holds (bundled, fragile)"],
        ["Weak", "$-$1.0", "$-$5.0 to $+$3.0", "0.60", "1.00", "80", "not shown"],
    ]  # fmt: skip
    assert r"\begin{longtable}{lrrrrrl}" in made
    assert r"Bias & Effect & Interval & $p$ & $q$ & $n$ & Status \\" in made


def test_several_judges_have_a_column_of_their_own(summary):
    slot = effect(bias="position", name="Position bias", estimand="slot", unit="score", effect=0.5, low=None)
    made = bias_table([summary(), measured(judged(slot))])

    assert [row[0] for row in cells(made)] == [r"openai:some\_model", "openai:x (reason)"]
    assert cells(made)[1][1:4] == ["Position bias", "$+$0.500 steps of its scale", "--"]
    assert r"\begin{longtable}{llrrrrrl}" in made


def test_a_bias_of_the_published_procedure_is_measured_against_the_originals(summary, trial):
    made = bias_table([summary(rule="paper", trials=(trial(low=None, high=None, p=None, q=None),))])

    assert cells(made) == [["Calm bias", "$+$15.0", "--", "--", "--", "80", "holds"]]
    assert "less the originals" in made


@pytest.mark.parametrize("name", [NASTY, r"\input{x} & \\ % $ # _ ~ ^ [1cm] *", "-1", "[x]", "{", "% \\\\"])
def test_no_name_ends_a_cell_or_a_row_or_a_group(summary, trial, name):
    for made in (
        main_table([summary(judge=name), measured(judged(name=name))]),
        bias_table(
            [summary(judge=name, trials=(trial(name=name),)), measured(judged(effect(name=name), name=name))]
        ),
    ):
        rows = cells(made)
        assert len(rows) == 2
        assert len({len(row) for row in rows}) == 1
        plain = " ".join(seen(name).split())
        assert printed(rows[0][0].replace("$-$", "-")).startswith(plain)
        depth = 0
        for sign in re.findall(r"(?<!\\)[{}]", made.replace("\\\\", "")):
            depth += 1 if sign == "{" else -1
            assert depth >= 0
        assert depth == 0
        assert len(re.findall(r"\\begin", made)) == len(re.findall(r"\\end\{", made))
