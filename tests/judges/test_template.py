"""A user's prompt file: sent as it is, or refused in one line that says what to write."""

import pytest

from biasscope.errors import ConfigError
from biasscope.judges.readers import ScoreReader, VerdictReader
from biasscope.judges.template import PAIRWISE, POINTWISE, read_template, score_reader, verdict_reader
from biasscope.parsing.scores import Scale

BODY = 'Q: {{question}}\nX: {{first}}\nY: {{ second }}\nSay {"winner": 1}.'


def template(reader="", system="", user=BODY):
    parts = [f"--- {name} ---\n{text}\n" for name, text in (("reader", reader), ("system", system)) if text]
    return "".join([*parts, f"--- user ---\n{user}\n"])


def refused(text, needed=PAIRWISE):
    with pytest.raises(ConfigError) as caught:
        read_template(text, needed)
    assert "\n" not in str(caught.value)
    assert caught.value.hint
    return f"{caught.value} {caught.value.hint}"


def test_what_is_sent_is_what_was_written_with_the_fields_filled_in():
    made, _ = read_template(template(system="Be fair to {{first}}."), PAIRWISE)
    filled = made.fill(question="Why?", first="one", second="two", reference="")

    assert [(m.role, m.content) for m in filled.messages] == [
        ("system", "Be fair to one."),
        ("user", 'Q: Why?\nX: one\nY: two\nSay {"winner": 1}.'),
    ]


def test_without_a_system_part_the_user_part_is_the_only_message():
    made, declared = read_template(template(), PAIRWISE)

    assert [m.role for m in made.fill(question="", first="", second="").messages] == ["user"]
    assert declared == {}


@pytest.mark.parametrize(
    "hostile",
    ["{{second}}", "{{ question }} {first} {{{{", "--- user ---\n{{first}}", "{% x %} ${HOME} \\1 \\g<0>"],
)
def test_text_that_is_filled_in_is_text(hostile):
    made, _ = read_template(template(), PAIRWISE)

    assert made.fill(question=hostile, first=hostile, second="two").user == (
        f'Q: {hostile}\nX: {hostile}\nY: two\nSay {{"winner": 1}}.'
    )


def test_line_ends_and_a_byte_order_mark_of_another_system_do_no_harm():
    made, declared = read_template("\ufeff" + template(reader='json = "a"').replace("\n", "\r\n"), PAIRWISE)

    assert declared == {"json": "a"}
    assert made.user.startswith("Q: {{question}}")


@pytest.mark.parametrize(
    ("text", "needed", "said"),
    [
        ("Compare {{question}} {{first}} {{second}}", PAIRWISE, "begins with 'Compare"),
        ("", PAIRWISE, "has the parts none"),
        ("--- system ---\n{{question}}\n", PAIRWISE, "has the parts --- system ---"),
        (template() + template(), PAIRWISE, "--- user ---, --- user ---"),
        ("--- user ---\nx\n--- system ---\ny\n", PAIRWISE, "--- user ---, --- system ---"),
        (template() + "--- format ---\n", PAIRWISE, "no part --- format ---"),
        (template(user="{{question}} {{first}}"), PAIRWISE, "does not show {{second}}"),
        (template(user="{question} {first} {second}"), PAIRWISE, "does not show {{question}}"),
        (template(user=BODY + "{{winner}}"), PAIRWISE, "unknown field {{winner}}"),
        (template(user=BODY + "{{reference}}"), PAIRWISE, "{{reference}} goes together with --reference"),
        (template(), (*PAIRWISE, "reference"), "does not show {{reference}}"),
        (template(user="{{question}} {{response}}"), PAIRWISE, "give --judge-kind pointwise"),
        (template(), POINTWISE, "give --judge-kind pairwise"),
        (template(reader="labels = [A, B]"), PAIRWISE, "is not TOML"),
    ],
)
def test_a_template_that_cannot_be_used_is_refused_with_what_to_write(text, needed, said):
    assert said in refused(text, needed)


@pytest.mark.parametrize(
    ("declared", "reader"),
    [
        ({}, VerdictReader()),
        ({"labels": ["A", "B"]}, VerdictReader(("A", "B"))),
        ({"labels": ["A", "B", "C"], "json": "winner"}, VerdictReader(("A", "B"), "C", json="winner")),
        ({"labels": [1, 2], "pattern": "Best: (.)"}, VerdictReader(pattern="Best: (.)")),
        ({"labels": [True, False], "json": "x"}, VerdictReader(("true", "false"), json="x")),
    ],
)
def test_a_pairwise_reader_is_declared_in_a_few_lines(declared, reader):
    assert verdict_reader(declared) == reader


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ({"labels": ["A", "a"]}, "cannot be told apart"),
        ({"labels": ["A", "**A**"]}, "cannot be told apart"),
        ({"labels": ["A", "Ａ"]}, "cannot be told apart"),
        ({"labels": ["A", " "]}, "cannot be told apart"),
        ({"labels": ["A", "?"]}, "cannot be told apart"),
        ({"labels": ["A"]}, "needs two labels"),
        ({"labels": ["A", "B", "C", "D"]}, "not 4"),
        ({"labels": "AB"}, "must be a list"),
        ({"labels": [["A"], "B"]}, "must be a list"),
        ({"label": ["A", "B"]}, "unknown key 'label'"),
        ({"scale": "1-5"}, "unknown key 'scale'"),
        ({"json": "x", "pattern": "(x)"}, "both pattern and json"),
        ({"json": ""}, "json must be a text"),
        ({"pattern": 3}, "pattern must be a text"),
        ({"pattern": "("}, "cannot be used"),
        ({"pattern": "x"}, "has 0 groups"),
        ({"pattern": "(a)|(b)"}, "has 2 groups"),
    ],
)
def test_a_pairwise_reader_that_cannot_be_one_is_refused(declared, said):
    with pytest.raises(ConfigError, match="reader of the judge template") as caught:
        verdict_reader(declared)
    assert said in str(caught.value)
    assert caught.value.hint


def test_a_pointwise_reader_takes_its_scale_from_the_template_or_the_options():
    assert score_reader({"scale": "1-5", "json": "mark"}, None) == ScoreReader(Scale(1, 5), json="mark")
    assert score_reader({}, "1-5") == ScoreReader(Scale(1, 5))
    assert score_reader({"scale": "likert"}, "1-5") == ScoreReader(Scale(1, 5))


@pytest.mark.parametrize(
    ("declared", "scale", "said"),
    [
        ({}, None, "needs a scale"),
        ({"scale": "1-5"}, "1-10", "declares the scale 1-5, the options 1-10"),
        ({"scale": "ten"}, None, "'ten' is not a scale"),
        ({"scale": 5}, None, "scale must be a text"),
        ({"labels": ["A", "B"]}, "1-5", "unknown key 'labels'"),
    ],
)
def test_a_pointwise_reader_that_cannot_be_one_is_refused(declared, scale, said):
    with pytest.raises(ConfigError) as caught:
        score_reader(declared, scale)
    assert said in str(caught.value)
    assert caught.value.hint
