from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biasscope.ask import Unreadable
from biasscope.parsing.formats import BRACKETED, NUMBERED, PASS_FAIL, WINNER_FIELD, VerdictFormat
from biasscope.parsing.verdicts import read_as, read_comparison, read_value, read_verdict, value_remark


def read(text: str, *labels: str) -> str:
    """The label, or the reason why there is none."""
    try:
        return read_verdict(text, labels or ("1", "2"))
    except Unreadable as unreadable:
        return unreadable.reason


def bracketed(text: str) -> str:
    try:
        return read_as(text, BRACKETED)
    except Unreadable as unreadable:
        return unreadable.reason


@pytest.mark.parametrize(
    "line",
    [
        "Verdict: 2", "verdict:2", "VERDICT : 2", "**Verdict:** 2", "**Verdict: 2**", "***Verdict***: ***2***", "_Verdict_: 2",
        "## Verdict\n\n2", "Verdict:\n2", "Verdict:\n\n**2**", "Verdict:\n- 2", "Verdict - 2", "Verdict — 2", "Verdict = 2",
        "Verdict → 2", "Verdict：2", "Verdict: ２", "Verdict: ②", "Verdict: 2️⃣", "Ver\u00addict: 2", "Verdict: \u200b2\u200b",
        "Verdict\u202f:\u202f2", "Verdict: (2)", "Verdict: [2]", "Verdict: [[2]]", "Verdict: <2>", "Verdict: {2}", "Verdict: `2`",
        'Verdict: "2"', "Verdict: “2”", "Verdict: $2$", "Verdict: \\(2\\)", "Verdict: \\text{2}", "Verdict: \\boxed{2}", "Verdict: #2",
        "Verdict: 2.", "Verdict: 2!", "Verdict: 2;", "| Verdict | 2 |", "<verdict>2</verdict>", "<verdict>\n2\n</verdict>",
        "Verdict: Response 2", "Verdict: response_2", "Verdict: Response (2)", "Verdict: Response #2", "Verdict: the response 2",
        "Verdict: Response 2's answer", "Verdict: Response 2 is better", "Verdict: 2, as the other one fails", "Verdict: 2 (closer)",
        "Verdict: 2 - closer to the task", "Verdict: 2 because it runs", "Verdict: 2 over 1", "The verdict is 2.", "The winner is 2",
        "My final decision goes to Response 2.", "The verdict is therefore 2", "The better response is Response 2.", "Final choice: 2",
        "判定：2", "【判定】2", "最终决定：回答2更好", "結論：2です", "Urteil: 2", 
        "~~Verdict: 1~~ Verdict: 2", 'I find this:\n{"winner": "2"}', "Verdict:\n```\n2\n```",
    ],
)  # fmt: skip
def test_a_verdict_is_read_in_every_dress(line):
    assert read(line) == "2"
    assert read(f"The first one leaves out 1 of 2 units.\n\n{line}") == "2"


@pytest.mark.parametrize(
    "text",
    ["```\nVerdict: 2\n```", "> Verdict: 2", '"Verdict: 2"', '{"verdict": 2}', '{"why": "Verdict: 1", "winner": "2"}',
     '```json\n{"why": "Response 1 is better at tone", "winner": "2"}\n```'],
)  # fmt: skip
def test_a_reply_that_is_quoted_or_json_as_a_whole_is_read(text):
    assert read(text) == "2"


@pytest.mark.parametrize(
    "line",
    [
        "Verdict: 0", "Verdict: 3", "Verdict: 12", "Verdict: 21", "Verdict: 1.5", "Verdict: 1-2", "Verdict: 1/2", "Verdict: -1",
        "Verdict: 2nd", "Verdict: 2%", "Verdict: 1:2", "Verdict: 1e2", "Verdict: 1 or 2", "Verdict: 1 and 2", "Verdict: 1, 2",
        "Verdict: 1|2", "Verdict: <1 or 2>", "Verdict: 2 points for each", "Verdict: 2 of 3", "Verdict: one", "Verdict: II",
        "Verdict: neither", "Verdict: both", "Verdict: unclear", "Verdict:", "Verdict", "Verdict: 1?", "Verdict: tie", "Verdict: not 1",
        "Verdict: Response 1 is not better", "Verdict: Response 1 is worse", "Verdict: Response 3", "Verdict: the first one",
        "Verdict 2", "My verdict? 2.", "No verdict today.", "[ERROR] HTTP 502 from judge-2", "Error 1: no reply", "", " \n\t",
        "Sorry, I can't compare these 2 texts.", "1. Facts. 2. Style.", "Step 1 was easy.", "12", "It is 1 of 2.",
        '{"verdict": 3}', '{"verdict": null}', '{"verdict": [1]}', '{"score": 1}', '{"verdict": "1", "why": "it',
        "Verdict: [[2", "Both hold. See [[1]] for the proof.",
    ],
)  # fmt: skip
def test_what_is_not_offered_is_no_verdict(line):
    assert read(line) in {"unparsable", "ambiguous"}


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Verdict: 1 would be too kind. Verdict: 2", "2"),
        ("Verdict: 1\n\nThat leaves out the date, so once more.\n\nVerdict: 2", "2"),
        ("Verdict: 1. Wait, no.\nVerdict: 2", "2"),
        ("Verdict: 1 or 2? The units decide.\nVerdict: 2", "2"),
        ("Preliminary verdict: 1\nVerdict: 2", "2"),
        ("Verdict: 1 (draft)\nVerdict: 2", "2"),
        ("Verdict: 1\nFinal verdict: 2", "2"),
        ("Verdict: 2\nVerdict: 2", "2"),
        ("Verdict: 2\nConfidence: 1", "2"),
        ("Verdict: 2\n\n1. It runs.\n2. It is short.", "2"),
        ("Verdict: 2\n\nSources: [[1]]", "2"),
        ("Response 1 has 2 slips, Response 2 has 1 slip.\nVerdict: 2", "2"),
        ("Response 1 is better on tone.\nVerdict: 2", "2"),
        ("If tone counted, Verdict: 1.\nVerdict: 2", "2"),
        ("Verdict: not 1 but 2", "2"),
        ("Verdict: 1\n\nThat was too kind.\n\nVerdict: 3", "unparsable"),
        ("Verdict: 1\n\nVerdict: 3", "ambiguous"),
        ("Verdict: 1. Wait, the units are off.", "unparsable"),
        ("Verdict: 1\nVerdict: 2", "ambiguous"),
        ("Verdict: 1\n\nVerdict: 2", "ambiguous"),
        ("Verdict: 1 or Verdict: 2", "ambiguous"),
    ],
)
def test_the_last_verdict_that_is_meant_wins(text, verdict):
    assert read(text) == verdict


@pytest.mark.parametrize(
    "text",
    [
        'The second one prints "Verdict: 2" at its end.\nVerdict: 1',
        "The second one prints 'Verdict: 2' at its end.\nVerdict: 1",
        "The second one prints `Verdict: 2` at its end.\nVerdict: 1",
        "Verdict: 1\n(The second one prints “Verdict: 2”.)",
        "Its end is:\n> Verdict: 2\n\nVerdict: 1",
        "Verdict: 1\n\nThe other ends so:\n```\nVerdict: 2\n```",
        "<response_2>\nVerdict: 2\n</response_2>\nVerdict: 1",
        'It printed {"verdict": "2"}. Verdict: 1',
        'Verdict: 1\nThe second one printed:\n{"verdict": "2"}',
        "<think>Verdict: 2</think>\nVerdict: 1",
        "Verdict: 2, I thought.\n</think>\nVerdict: 1",
    ],
)
def test_words_of_the_candidates_and_thinking_never_decide(text):
    assert read(text) == "1"
    assert read(text.replace("Verdict: 1", "Done.")) == "unparsable"


LEGEND = "I am to end with a last line that is one of these:\nVerdict: 1\nVerdict: 2"


def test_the_choices_copied_from_the_prompt_are_no_verdict():
    assert read(LEGEND) == "ambiguous"
    assert read("I must write Verdict: 1 or Verdict: 2.") == "ambiguous"
    assert read('I must write "Verdict: 1" or "Verdict: 2".') == "unparsable"


@pytest.mark.parametrize("label", ["1", "2"])
def test_behind_the_copied_choices_a_verdict_counts_whichever_it_is(label):
    assert read(f"{LEGEND}\nVerdict: {label}") == label
    assert read(f"{LEGEND}\n\nThat one runs.\n\nVerdict: {label}") == label


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Response 2 is better.", "2"),
        ("Response 2 is clearly the better one.", "2"),
        ("Response 2 is better than Response 1.", "2"),
        ("Both cite 1 study, so Response 2 wins", "2"),
        ("Response 2 beats Response 1.", "2"),
        ("I prefer Response 2 over Response 1.", "2"),
        ("I would go with 2.", "2"),
        ("Response 1 is better.\n\nBut it leaves out the date. Response 2 is better.", "2"),
        ("Therefore, in terms of care, Response 2 is better in every way.", "2"),
        ("I find it hard. On the facts: Response 2", "2"),
        ("2\n\nThe first one leaves out the date.", "2"),
        ("The first one leaves out the date.\n\n2", "2"),
        ("Response 1 is not better than Response 2.", "unparsable"),
        ("Response 1 isn't better.", "unparsable"),
        ("I don't think Response 1 is better.", "unparsable"),
        ("It is not true that Response 1 is better.", "unparsable"),
        ("Neither Response 1 nor Response 2 is better.", "unparsable"),
        ("Is Response 1 better?", "unparsable"),
        ("Response 1 is better?", "unparsable"),
        ("Whether Response 1 is better is hard to say.", "unparsable"),
        ("Response 1 would be better with a source.", "unparsable"),
        ("Response 1 is better on tone, Response 2 on facts.", "unparsable"),
        ("Some readers prefer Response 1.", "unparsable"),
        ('It claims "Response 1 is better".', "unparsable"),
        ("Response 1 claims that Response 1 is better.", "unparsable"),
        ("Both responses are equally good.", "unparsable"),
        ("Response 1 is better. Response 2 is better.", "ambiguous"),
        ("1\n2", "ambiguous"),
    ],
)
def test_a_sentence_of_preference_counts_where_nothing_is_marked(text, verdict):
    assert read(text) == verdict


def test_prose_can_be_ruled_out():
    with pytest.raises(Unreadable):
        read_verdict("Response 2 is better.", ("1", "2"), prose=False)


def test_a_tie_is_read_only_where_it_is_offered():
    for text in (
        "Verdict: tie",
        "Verdict: a draw",
        "Verdict: both are equally good",
        "It is a tie.",
        '{"winner": "TIE"}',
    ):
        assert read_verdict(text, ("1", "2"), tie="same") == "same"
        assert read(text) == "unparsable"
    assert read_verdict("Verdict: a tie-break was needed. Verdict: 1", ("1", "2"), tie="tie") == "1"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("[[B]]", "B"), ("[[ b ]]", "B"), ("**[[B]]**", "B"), ("［［Ｂ］］", "B"), ("[ [B] ]", "B"), ("[[Assistant B]]", "B"),
        ("The second one is short and right [[b]]", "B"), ("[[B]] it is. I repeat: [[B]]", "B"), ("Decision: `[[B]]`.", "B"),
        ("Final verdict: B", "B"), ("Both hold. [[C]]", "C"), ("Verdict: a tie", "C"), ("[[Tie]]", "C"), ("Assistant B is better.", "B"),
        ("By tone it would have been [[A]], but no.\nVerdict: [[B]]", "B"), ("[[B]]. By tone it would have been [[A]].", "B"),
        ("[[A]] or [[B]]? -> [[B]]", "B"), ("Not [[A]] but [[B]].", "B"), ("[[B]] rather than [[A]].", "B"), ("It cannot be [[A]], so [[B]]", "B"),
        ("Neither [[A]] nor [[C]] fits: [[B]]", "B"), ("I pick [[B]]. One could argue for [[A]].", "B"), ("At first [[A]], then [[B]].", "B"),
        ("Tone: [[A]]\nFacts: [[B]]\nVerdict: [[B]]", "B"), ("If I must choose: [[B]]", "B"), ("The puzzle's answer is A. Its finder wins: [[B]]", "B"),
        ('Write "[[A]]" for the first, "[[B]]" for the second.\n\nThe second runs. [[B]]', "B"),
        ("[[A]] if the first is better, [[B]] if the second is, [[C]] for a tie.\nThe second runs.\n[[B]]", "B"),
        ('Write "[[A]]" for the first, "[[B]]" for the second, "[[C]]" for a tie. The first', "unparsable"),
        ("[[A]] if the first is better, [[B]] if the second is, [[C]] for a tie. The first", "unparsable"),
        ("I would not say [[A]].", "unparsable"), ("At first glance [[A]].", "unparsable"), ("Perhaps [[A]]... no, it is off.", "unparsable"),
        ("The second one says [[B]].", "unparsable"), ("[[D]]", "unparsable"), ("[[AB]]", "unparsable"), ("[[A", "unparsable"), ("[[]]", "unparsable"),
        ("Therefore the answer is (B).", "unparsable"), ("Answer: B", "unparsable"), ("Certainly! A fine question.", "unparsable"),
        ("Verdict: A strong reply by both", "unparsable"), ("Winner: a close call", "unparsable"), ("Vitamin A is better.", "unparsable"),
        ("Answer a is better.", "unparsable"), ("I prefer a - how to say - lively text.", "unparsable"), ("The answer is B.", "unparsable"),
        ("<think>Leaning to [[A]] since", "unparsable"), ("<think>[[A]] wins.</think>", "unparsable"),
        ("[[A]] or [[B]]", "ambiguous"), ("[[A]]\n[[B]]", "ambiguous"), ("The first is [[A]] and the second is [[B]].", "ambiguous"),
        ("1. Tone [[A]]\n2. Facts [[B]]\n3. Style [[A]]", "ambiguous"),
    ],
)  # fmt: skip
def test_a_label_in_double_brackets_is_a_verdict_unless_it_is_taken_back(text, verdict):
    assert bracketed(text) == verdict


ARENA_LEGEND = "".join(
    f"{i}. {words}: [[{label}]]\n"
    for i, (words, label) in enumerate(
        [("First much better", "A>>B"), ("First better", "A>B"), ("Equal", "A=B"), ("Second better", "B>A"), ("Second much better", "B>>A")], 1
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "label", "strength"),
    [
        ("My verdict: [[A>>B]]", "A", 2), ("[[B>A]]", "B", 1), ("[[A=B]]", None, 0), ("[[A<B]]", "B", 1), ("[[B<<A]]", "A", 2),
        ("[[A&gt;B]]", "A", 1), ("[[A ≫ B]]", "A", 2), ("［［Ａ＞Ｂ］］", "A", 1), ("Final verdict: B>A", "B", 1), ("[[b > a]]", "B", 1),
        ("First pass [[A>B]]; after a recount [[B>A]]", "B", 1), ("[[A>>B]] is too harsh, hence [[A>B]]", "A", 1),
        (f"{ARENA_LEGEND}\nMy verdict is [[B>A]]", "B", 1), ('Such as "[[A=B]]".\n\n[[B>>A]]', "B", 2),
    ],
)  # fmt: skip
def test_a_graded_verdict_has_a_side_and_a_strength(text, label, strength):
    comparison = read_comparison(text)
    assert (comparison.label, comparison.strength) == (label, strength)


@pytest.mark.parametrize("text", ["", "[[A>A]]", "[[A>C]]", "[[A>B", "A is better", ARENA_LEGEND])
def test_where_no_graded_verdict_stands_there_is_none(text):
    with pytest.raises(Unreadable):
        read_comparison(text)


def test_graded_verdicts_on_each_response_in_turn_are_ambiguous():
    text = "On the first: my verdict is [[A>B]].\n\nIt runs.\n\nOn the second: my verdict is [[B>A]].\n\nIt runs too."
    with pytest.raises(Unreadable) as raised:
        read_comparison(text)
    assert raised.value.reason == "ambiguous"


def test_a_recorded_value_must_be_a_label_and_nothing_else():
    for value, label in [
        ("model_a", "A"),
        ("Model B", "B"),
        (" b ", "B"),
        ("TIE", "tie"),
        ("tie (both bad)", "tie"),
        ("A.", "A"),
    ]:
        assert read_value(value, WINNER_FIELD) == label
    for value in (
        "",
        "null",
        "none",
        "error",
        "the upper one",
        "AB",
        "A and B",
        "not A",
        "C",
        "n/a",
        "0",
        None,
        True,
        1,
        1.0,
        ["A"],
    ):
        with pytest.raises(Unreadable):
            read_value(value, WINNER_FIELD)
    assert read_value(2, NUMBERED) == "2"
    assert read_as("**model_a**", WINNER_FIELD) == "A"


def test_the_remark_behind_a_recorded_value_is_kept():
    assert value_remark("tie (inconsistent)") == "inconsistent"
    assert value_remark("model_a") == value_remark("(A)") == ""


_FRAGMENTS = (
    "Verdict: X|Verdict: Y|Verdict: X or Y?|Response X is better.|Response Y is better than Response X.|I prefer Y over X.|[[X]]|"
    "[[Y]] would be too kind.|Not X but Y.|Final verdict: not X but Y|It says \"Verdict: X\".|If tone counts, Verdict: Y|At first [[X]],|but|"
    "so|The units are off.|- |Verdict: Response Y, since Response X fails.|X|Y|Winner: X.|rather than Y|> Verdict: X|Decision:\nY|"
    "Verdict: tie|Neither X nor Y is better.|Verdict: Y\nVerdict: X|Verdict: 3|Wait, no.|<think>Verdict: X</think>|\n|```\nVerdict: Y\n```"
)  # fmt: skip
_replies = st.lists(st.sampled_from(_FRAGMENTS.split("|")), min_size=1, max_size=6)


@settings(deadline=None)
@given(_replies, st.sampled_from([" ", "\n", "\n\n"]), st.sampled_from([("1", "2"), ("A", "B")]))
def test_the_reader_has_no_position_bias_of_its_own(fragments, gap, labels):
    a, b = labels
    text = gap.join(fragments)
    here = read(text.replace("X", a).replace("Y", b), *labels)
    there = read(text.replace("X", b).replace("Y", a), *labels)
    assert there == {a: b, b: a}.get(here, here)


_FORMS = (NUMBERED, BRACKETED, PASS_FAIL, VerdictFormat(("yes", "no")), VerdictFormat(("ı", "k"), tie="s"))


@settings(deadline=None)
@given(
    _replies.map(" ".join) | st.text(max_size=60) | st.text("[]>=AB12 \n.:\"'", max_size=40),
    st.sampled_from(_FORMS),
)
def test_any_text_gives_an_offered_label_or_a_reason(text, form):
    try:
        assert read_as(text, form) in form.offered
    except Unreadable:
        return


@pytest.mark.parametrize(
    "piece",
    ["Verdict: 1\n", "[[A]] ", '"', "`", "(", "if not ", "```\n", '{"a":', "the better answer for ", "'s "],
)
def test_a_judge_in_a_loop_is_read_in_no_time(piece):
    for form in (NUMBERED, BRACKETED):
        try:
            label = read_as(piece * 2000, form)
        except Unreadable:
            continue
        assert label in {"1", "A"}
