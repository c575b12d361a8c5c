"""Logs of verdicts: every shape that is read, and everything that may be wrong with one."""

import csv
import gzip
import io
import json
import math
from pathlib import Path

import pytest

from biasscope.datasets.logs import load_log, parse_columns
from biasscope.errors import DataError, MissingExtra, UsageError

PLACES = [("first", "chosen_first"), ("second", "rejected_first")]


def output(pair="p1", decisions=("A>B", "B>A"), label="A>B", replies=("[[A>B]]", "[[B>A]]"), scores=(), **more):
    """A row as JudgeBench writes it."""
    judge = more.pop("judge", "m1")
    told = [{"judge_model": judge, "prompt": "", "response": reply} for reply in replies]
    for one, pair_of_scores in zip(told, scores, strict=False):
        one["scores"] = pair_of_scores
    return {
        "pair_id": pair,
        "source": "mmlu-pro-law",
        "question": f"Which is right in {pair}?",
        "response_A": f"The first of {pair}.",
        "response_B": f"The second of {pair}.",
        "label": label,
        "judge_name": "arena_hard",
        "judgments": [{"judgment": t, "decision": d} for t, d in zip(told, decisions, strict=True)],
    } | more


def result(*rounds, label=1, **more):
    """A row as LLMBar writes it; a round is (winner as listed, winner when swapped)."""
    said = [
        {
            f"swap = {swap}": {"completion": [f"Output ({slot}) is better.", "stop"], "winner": winner}
            for swap, winner in zip((False, True), winners, strict=True)
            for slot in ["ab"[(winner == "2") != swap]]
        }
        for winners in rounds
    ]
    return {
        "input": "Say hello.",
        "output_1": "Hello.",
        "output_2": "Bye.",
        "label": label,
        "results": said,
    } | more


def row(choice="first", **more):
    return {"question": "Why?", "first": "Because.", "second": "No idea.", "choice": choice} | more


def told(log):
    return [(v.choice, v.order) for v in log.verdicts]


def found(counted):
    return {c.reason: (c.count, c.places) for c in counted}


# --- JudgeBench -------------------------------------------------------------------------------------------


def test_an_output_of_judgebench_gives_both_orders_by_place(write):
    log = load_log(write([output(decisions=("A>B", "A=B"), label="B>A")]))
    assert (log.format, log.pairs, log.read, log.judges) == ("judgebench", "judgebench", 1, ("m1 (arena_hard)",))
    one, other = log.verdicts
    assert (one.first, one.second, one.choice, one.order) == (
        "The first of p1.",
        "The second of p1.",
        "first",
        "rejected_first",
    )
    assert (other.first, other.choice, other.order) == ("The second of p1.", "tie", "chosen_first")
    assert (one.pair_id, other.pair_id, one.labelled) == ("p1", "p1", True)
    assert (other.place, other.reply) == ("line 1 (verdict 2)", "[[B>A]]")
    assert log.skipped == log.notes == ()


def test_a_reward_model_decides_by_its_scores_and_equal_ones_are_a_tie(write):
    equal = output(decisions=("B>A", "B>A"), replies=("", ""), scores=([2.5, 2.5], [2.5, 2.5]))
    apart = output("p2", decisions=("A>B", "B>A"), replies=("", ""), scores=([3, 1], [1, 3]))
    log = load_log(write([equal, apart]))
    assert [v.choice for v in log.verdicts] == ["tie", "tie", "first", "second"]
    assert log.verdicts[3].scores == (1.0, 3.0)
    assert all(v.reply is None for v in log.verdicts)
    assert found(log.notes) == {
        "a decision that contradicts its own scores, which are believed": (2, ("line 1",))
    }


@pytest.mark.parametrize("score", [math.nan, math.inf, None, "high", True])
def test_a_score_that_is_no_number_is_a_missing_verdict(write, score):
    log = load_log(write([output(replies=("", ""), scores=([score, 1.0], [1.0, 2.0]))]))
    assert [(v.choice, v.reason) for v in log.verdicts] == [(None, "a score is no number"), ("second", "")]


def test_a_call_that_failed_and_a_reply_without_decision_are_missing(write):
    row = output(decisions=(None, "B>A"))
    row["judgments"][1] = None
    log = load_log(write([row]))
    assert [v.reason for v in log.verdicts] == ["no decision was recorded", "no reply was recorded"]
    assert log.judges == ("m1 (arena_hard)",)


def test_rows_of_another_shape_a_third_verdict_and_a_label_that_is_none_are_counted(write):
    third = output("p2")
    third["judgments"].append(third["judgments"][0])
    log = load_log(write([output(), {"pair_id": "p9", "error": "x"}, third, output("p3", label="unclear")]))
    assert len(log.verdicts) == 6
    assert found(log.skipped) == {
        "no output of JudgeBench": (1, ("line 2",)),
        "a third verdict in a row, whose order is not known": (1, ("line 3",)),
    }
    assert found(log.notes) == {"no label that can be read": (1, ("line 4",))}
    assert [v.labelled for v in log.verdicts[-2:]] == [False, False]


def test_outputs_without_texts_keep_pairs_labels_and_orders(write):
    bare = output()
    for name in ("question", "response_A", "response_B"):
        bare[name] = None
    log = load_log(write([bare]))
    assert told(log) == [("first", "chosen_first"), ("second", "rejected_first")]
    assert {(v.question, v.first, v.second, v.pair_id) for v in log.verdicts} == {(None, None, None, "p1")}


# --- LLMBar -----------------------------------------------------------------------------------------------


def test_a_result_of_llmbar_names_outputs_which_a_swap_exchanges(write):
    log = load_log(write([result(("1", "2"))], "GPT.json"))
    assert log.judges == ("GPT",)
    assert told(log) == [("first", "chosen_first"), ("first", "rejected_first")]
    assert [(v.first, v.second) for v in log.verdicts] == [("Hello.", "Bye."), ("Bye.", "Hello.")]
    assert len({v.pair_id for v in log.verdicts}) == 1


def test_an_evaluator_that_asks_again_decides_in_its_last_round(write):
    log = load_log(write([result(("1", "2"), ("2", "2"))], "GPT-4/Swap/result.json"))
    assert log.judges == ("GPT-4/Swap",)
    assert [(v.round, v.last, v.choice) for v in log.verdicts] == [
        (1, False, "first"),
        (1, False, "first"),
        (2, True, "second"),
        (2, True, "first"),
    ]
    assert log.verdicts[2].place == "item 1 (round 2, as listed)"


def test_what_an_evaluator_writes_for_itself_is_no_round(write):
    made = result(("1", "1"))
    made["results"].insert(0, ["Things to look for", "stop"])
    assert [v.round for v in load_log(write([made], "x.json")).verdicts] == [1, 1]


def test_ratings_of_outputs_are_compared_and_equal_ones_are_a_tie(write):
    def rated(one, two):
        both = {"swap = False": {"winner": "2"}, "swap = True": {"winner": "1"}}
        return {"score_1": [one, "stop"], "score_2": [two, "stop"]} | both

    rows = [result(results=[rated("4", "2")]), result(results=[rated("3", "3")], input="Again?")]
    rows.append(result(results=[rated("four", "3")], input="And again?"))
    log = load_log(write(rows, "x.json"))
    assert [v.choice for v in log.verdicts] == ["first", "second", "tie", "tie", None, None]
    assert log.verdicts[1].scores == (2.0, 4.0)
    assert log.verdicts[4].reason == "a score is no number"


def test_a_winner_that_is_none_is_missing_and_other_rows_are_counted(write):
    log = load_log(
        write([result((None, "1")), result(results=[]), result(("1", "1"), label=None, input="Why?")], "x.json")
    )
    assert [v.reason for v in log.verdicts[:2]] == ["no decision was recorded", ""]
    assert found(log.skipped) == {"no result of an LLMBar evaluator": (1, ("item 2",))}
    assert found(log.notes) == {"no label that can be read": (1, ("item 3",))}


# --- columns of any name ------------------------------------------------------------------------------------


def test_usual_names_are_found_and_said(write):
    rows = [{"prompt": "Why?", "answer_a": "x", "answer_b": "y", "winner": "model_b", "label": "A", "judge": "j"}]
    log = load_log(write(rows))
    assert log.columns == {
        "question": "prompt",
        "first": "answer_a",
        "second": "answer_b",
        "choice": "winner",
        "label": "label",
        "judge": "judge",
    }
    assert (log.format, log.judges, told(log)) == ("columns", ("j",), [("second", "chosen_first")])


def test_columns_are_named_by_the_user_also_inside_objects(write):
    rows = [
        {"q": "Why?", "a": "x", "b": "y", "said": {"winner": 2}, "truth": 1, "raw": "Decision: 2", "who": "m"}
    ]
    fields = "question=q,first=a,second=b,choice=said.winner,label=truth,reply=raw,judge=who"
    log = load_log(write(rows), parse_columns(fields))
    (v,) = log.verdicts
    assert (v.choice, v.order, v.reply, v.judge, v.question) == (
        "second",
        "chosen_first",
        "Decision: 2",
        "m",
        "Why?",
    )


@pytest.mark.parametrize(
    ("columns", "message", "hint"),
    [
        ("question", "'question' names no column", "--columns question="),
        ("question=", "'question=' names no column", "--columns question="),
        ("answer=x", "no field 'answer'", "Known: first, second"),
        ("chioce=x", "no field 'chioce'", "Did you mean choice?"),
        ("choice=x,choice=y", "choice is named twice", "--columns"),
    ],
)
def test_columns_that_cannot_be_read_are_refused(columns, message, hint):
    with pytest.raises(UsageError, match=message) as refused:
        parse_columns(columns)
    assert hint in refused.value.hint


def test_a_column_that_is_not_there_is_named_with_those_that_are(write):
    with pytest.raises(DataError, match="no column 'winer' for choice") as refused:
        load_log(write([row()]), {"choice": "winer"})
    assert "'choice'" in refused.value.hint


WORDS = [
    *(
        (word, "first")
        for word in ("first", "A", "model_a", "[[A]]", "A>B", "A>>B", 1, 1.0, "Output (a)", "left")
    ),
    *((word, "second") for word in ("SECOND", "b", "answer_b", "B>A", "2", "Response 2", "right")),
    *((word, "tie") for word in ("tie", "Tie (both bad)", "A=B", "draw", "equal", "C", "neither")),
]


@pytest.mark.parametrize(("word", "choice"), WORDS)
def test_a_choice_is_read_in_the_words_that_are_usual(write, word, choice):
    assert load_log(write([row(word)])).verdicts[0].choice == choice


@pytest.mark.parametrize("word", [None, "", "none", "NaN", "error", math.nan])
def test_a_choice_that_says_nothing_is_missing(write, word):
    assert load_log(write([row(word), row()])).verdicts[0].reason == "no decision was recorded"


def test_a_choice_that_is_not_understood_is_missing_and_shown(write):
    log = load_log(write([row("x\x1b[31m"), row()]), {"choice": "choice"})
    assert log.verdicts[0].reason == "a choice that is not understood"
    assert found(log.notes) == {"a choice that is not understood": (1, ("line 1: 'x\\x1b[31m'",))}


def test_where_a_choice_counts_from_0_none_is_guessed(write):
    log = load_log(write([row(0), row(1), row(1)]), {"choice": "choice"})
    assert {v.choice for v in log.verdicts} == {None}
    assert {v.reason for v in log.verdicts} == {
        "a choice that counts from 0, so that 0 could mean either response"
    }


@pytest.mark.parametrize(
    ("order", "choice", "place"),
    [
        ("chosen_first", "chosen", "first"),
        ("rejected_first", "chosen", "second"),
        ("rejected_first", "A", "first"),
        ("rejected_first", "second", "second"),
        ("chosen_first", "tie", "tie"),
    ],
)
def test_an_order_of_sides_says_which_text_is_the_better_one(write, order, choice, place):
    log = load_log(write([row(choice, order=order)]))
    assert told(log) == [(place, order)]
    assert log.verdicts[0].labelled


@pytest.mark.parametrize("swapped", ["swapped", "BA", True, "1", "reversed"])
def test_where_responses_were_swapped_a_letter_names_the_listed_one_and_first_the_place(write, swapped):
    listed = {"BA": "AB", True: False, "1": "0"}.get(swapped, "original")
    rows = [
        row("A", label="A", order=listed),
        row("A", label="A", order=swapped),
        row("first", label="A", order=swapped),
    ]
    log = load_log(write(rows), {"order": "order"})
    assert told(log) == [("first", "chosen_first"), ("second", "rejected_first"), ("first", "rejected_first")]
    assert [v.first for v in log.verdicts] == ["Because.", "No idea.", "No idea."]
    assert len({v.pair_id for v in log.verdicts}) == 1


def test_a_choice_given_as_place_or_shown_by_the_replies_goes_by_place(write):
    rows = [row("A", label="A", swapped=True, reply="[[A]]", question=str(n)) for n in range(4)]
    log = load_log(write(rows), {"place": "choice"})
    assert told(log) == [("first", "rejected_first")] * 4
    log = load_log(write(rows))
    assert told(log) == [("first", "rejected_first")] * 4
    assert found(log.notes)["a choice that goes by place, as the replies show"][0] == 4
    contrary = [r | {"reply": "[[B]]"} for r in rows]
    assert told(load_log(write(contrary))) == [("second", "rejected_first")] * 4


def test_an_order_that_is_not_understood_makes_its_verdict_missing(write):
    log = load_log(write([row(order="sideways"), row(order="AB")]), {"order": "order"})
    assert [v.reason for v in log.verdicts] == ["an order that is not understood", ""]


def test_a_label_that_contradicts_the_order_or_prefers_neither_or_is_unknown_is_noted(write):
    rows = [
        row(order="chosen_first", label="second"),
        row(question="2?", label="tie"),
        row(question="3?", label="first"),
        row(question="4?", label="perhaps"),
    ]
    log = load_log(write(rows), {"label": "label"})
    assert found(log.notes) == {
        "a label that contradicts the order, which is believed": (1, ("line 1",)),
        "a label that prefers neither": (1, ("line 2",)),
        "a label that is not understood": (1, ("line 4: 'perhaps'",)),
    }
    assert [v.labelled for v in log.verdicts] == [True, False, True, False]


def test_roles_of_pairs_without_label_are_drawn_from_the_texts_so_that_both_orders_differ(write):
    there, back = row(), row(first="No idea.", second="Because.")
    log = load_log(write([there, back]))
    assert {v.order for v in log.verdicts} == {"chosen_first", "rejected_first"}
    assert {v.labelled for v in log.verdicts} == {False}
    assert len({v.pair_id for v in log.verdicts}) == 1


def test_a_label_of_one_order_holds_for_the_other_and_two_that_contradict_each_other_for_none(write):
    back = {"first": "No idea.", "second": "Because."}
    log = load_log(
        write([row(label="A"), row(**back), row(question="2?", label="A"), row(question="2?", **back, label="A")])
    )
    assert [(v.order, v.labelled) for v in log.verdicts[:2]] == [("chosen_first", True), ("rejected_first", True)]
    assert {v.order for v in log.verdicts[2:]} == {"chosen_first", "rejected_first"}
    assert {v.labelled for v in log.verdicts[2:]} == {False}
    assert found(log.notes) == {
        "a label taken from another verdict on the pair": (1, ("line 2",)),
        "a label that contradicts that of another verdict on the pair: neither is believed": (
            2,
            ("line 3", "line 4"),
        ),
    }


def test_a_side_without_an_order_cannot_be_placed(write):
    log = load_log(write([row("chosen"), row("rejected")]), {"choice": "choice"})
    assert {v.reason for v in log.verdicts} == {"chosen or rejected, of a pair whose order is not known"}


def test_columns_of_the_chosen_and_rejected_text_are_placed_by_the_order(write):
    rows = [
        {"prompt": "?", "chosen": "good", "rejected": "bad", "order": order, "choice": "chosen"}
        for order in ("chosen_first", "rejected_first")
    ]
    log = load_log(write(rows))
    assert [(v.first, v.choice) for v in log.verdicts] == [("good", "first"), ("bad", "second")]


def test_two_scores_decide_where_no_choice_is_recorded(write):
    rows = [
        {"pair_id": "a", "score_a": 1, "score_b": 2.5, "order": "chosen_first"},
        {"pair_id": "a", "score_a": 2, "score_b": 2, "order": "rejected_first"},
        {"pair_id": "b", "score_a": math.nan, "score_b": 2, "order": "chosen_first"},
    ]
    log = load_log(write(rows))
    assert [(v.choice, v.reason) for v in log.verdicts] == [
        ("second", ""),
        ("tie", ""),
        (None, "a score is no number"),
    ]


def test_decisions_that_stand_only_in_replies_are_read_and_said_to_be_so(write):
    replies = ["Fine. [[A]]", "[[B]]", "[[C]]", "Who knows.", None]
    rows = [{"pair_id": n, "order": "chosen_first", "raw": reply} for n, reply in enumerate(replies)]
    log = load_log(write(rows))
    assert [(v.choice, v.reason, v.decided) for v in log.verdicts] == [
        ("first", "", False),
        ("second", "", False),
        ("tie", "", False),
        (None, "unparsable", False),
        (None, "no decision was recorded", False),
    ]
    strange = [{"pair_id": n, "order": "chosen_first", "raw": "It rains."} for n in range(3)]
    assert {v.reason for v in load_log(write(strange)).verdicts} == {
        "no decision was recorded, and the replies are in no known format"
    }


def test_judges_of_one_file_are_told_apart(write):
    log = load_log(write([row(judge="m1"), row(judge="m2"), row(judge=None)], "mine.jsonl"))
    assert log.judges == ("m1", "m2", "mine")


def test_texts_tell_pairs_apart_that_share_an_id_and_an_id_of_rows_joins_none(write):
    rows = [
        row(pair_id="p"),
        row(pair_id="p", first="Other."),
        row(pair_id="p", first="No idea.", second="Because."),
    ]
    log = load_log(write(rows))
    assert [v.pair_id for v in log.verdicts] == ["p", "p#2", "p"]
    assert found(log.notes) == {"an id that other texts have too: kept as a pair of its own": (1, ("line 2",))}
    rows = [row(id=1), row(id=2, first="No idea.", second="Because.")]
    assert len({v.pair_id for v in load_log(write(rows)).verdicts}) == 1


def test_a_prompt_that_holds_both_responses_is_no_question(write):
    prompts = ["A: Because. B: No idea.", "A: No idea. B: Because."]
    rows = [row(question=prompts[0]), row(question=prompts[1], first="No idea.", second="Because.")]
    log = load_log(write(rows))
    assert {v.question for v in log.verdicts} == {None}
    assert len({v.pair_id for v in log.verdicts}) == 1


def test_verdicts_on_rewrites_are_counted_and_left_out(write):
    log = load_log(write([row(arm="original"), row(arm="authority"), row(arm=None)]))
    assert (len(log.verdicts), found(log.skipped)) == (2, {"a verdict on a rewrite": (1, ("line 2",))})


# --- containers, and what is wrong with them ------------------------------------------------------------------


def table(rows, delimiter=","):
    text = io.StringIO()
    made = csv.DictWriter(text, list(rows[0]), delimiter=delimiter)
    made.writeheader()
    made.writerows(rows)
    return text.getvalue()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", ["v.jsonl", "v.json", "v.csv", "v.tsv"])
def test_every_container_says_the_same_also_packed(write, name, packed):
    rows = [row("A", question="Why,\n“so”?\u2028", label="A"), row("B", label="A")]
    text = {"jsonl": "\n".join(map(json.dumps, rows)), "json": json.dumps(rows, indent=1)}
    text |= {"csv": table(rows), "tsv": table(rows, "\t")}
    data = text[name[2:]].encode()
    log = load_log(write(gzip.compress(data) if packed else b"\xef\xbb\xbf" + data, name + ".gz" * packed))
    assert told(log) == [("first", "chosen_first"), ("second", "chosen_first")]
    assert log.verdicts[0].question == "Why,\n“so”?\u2028"


def test_a_parquet_file_is_read(tmp_path):
    polars = pytest.importorskip("polars")
    polars.DataFrame([row("A", label=1), row("B", label=2, question="How?")]).write_parquet(
        tmp_path / "v.parquet"
    )
    assert told(load_log(tmp_path / "v.parquet")) == [("first", "chosen_first"), ("second", "rejected_first")]


def test_half_a_packed_file_is_read_as_far_as_it_goes(write):
    lines = "\n".join(json.dumps(output(f"p{n}", question=f"{n} {hash(n) ** 3}")) for n in range(400)).encode()
    packed = gzip.compress(lines)
    log = load_log(write(packed[: len(packed) // 2], "half.jsonl.gz"))
    assert 100 < len(log.verdicts) < 700
    skipped = found(log.skipped)
    assert skipped["the compressed file breaks off"] == (1, ("end of the file",))
    assert skipped["no JSON object"][0] == 1


def test_several_packed_files_in_one_are_all_read(write):
    parts = [gzip.compress((json.dumps(row(question=str(n))) + "\n").encode()) for n in range(3)]
    assert len(load_log(write(b"".join(parts), "all.jsonl.gz")).verdicts) == 3


def test_a_line_that_breaks_off_and_lines_that_are_no_objects_are_counted(write):
    good = json.dumps(row())
    log = load_log(
        write("\n".join([good, "[1, 2]", "", '{"a": 1, "a": 2}', json.dumps(row("second")), good[:30]]))
    )
    assert [v.choice for v in log.verdicts] == ["first", "second"]
    assert found(log.skipped) == {"no JSON object": (3, ("line 2", "line 4", "line 6"))}
    assert log.verdicts[1].place == "line 5"


def test_an_array_that_breaks_off_is_read_up_to_there(write):
    text = json.dumps([row(), "stray", row("second"), row()])
    log = load_log(write(text[:-20], "cut.json"))
    assert [v.choice for v in log.verdicts] == ["first", "second"]
    assert found(log.skipped) == {
        "no JSON object": (1, ("item 2",)),
        "the JSON array breaks off here": (1, ("item 4",)),
    }


def test_a_table_row_with_other_fields_than_the_header_is_counted(write):
    text = table([row(), row("second")]) + "Why?,Because.\n"
    log = load_log(write(text, "v.csv"))
    assert len(log.verdicts) == 2
    assert found(log.skipped) == {"more or fewer fields than the header": (1, ("row 3",))}


def test_bytes_that_are_not_utf_8_are_said_and_the_rest_is_read(write):
    data = b'{"pair_id": "1", "order": "chosen_first", "choice": "first", "note": "caf\xe9"}'
    log = load_log(write(data))
    assert (len(log.verdicts), found(log.notes)) == (1, {"bytes that are not UTF-8": (1, ("line 1",))})


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        ([{"prompt": "?", "chosen": "x", "rejected": "y"}], "v.jsonl", "holds no verdicts: no choice is found"),
        ([{"prompt": "?", "position": 7, "choice": "the sea"}], "v.jsonl", "holds no verdicts"),
        ("[1]\n[2]", "v.jsonl", "holds no row that can be read"),
        ("", "v.jsonl", "is empty"),
        ("[]", "v.json", "holds no row that can be read"),
        ("12", "v.json", "not a JSON array or object but a number"),
        (b"\x1f\x8b\x08rubbish!", "v.jsonl.gz", "damaged gzip"),
        ("a,a,choice\n1,2,first\n", "v.csv", "a column comes twice"),
        (b"PAR1 rubbish", "v.parquet", "damaged Parquet"),
        ([row(arm="authority")], "v.jsonl", "holds no verdict"),
    ],
)
def test_what_is_no_log_is_refused_in_a_line(write, content, name, message):
    with pytest.raises(DataError, match=message) as refused:
        load_log(write(content, name))
    assert refused.value.hint or "not a JSON" in message


def test_a_file_that_is_not_there_names_the_one_that_is(write, tmp_path):
    write([row()], "verdicts.jsonl")
    with pytest.raises(DataError, match="no such file") as refused:
        load_log(tmp_path / "verdict.jsonl")
    assert "Did you mean" in refused.value.hint


# --- Inspect --------------------------------------------------------------------------------------------------


def test_a_log_of_inspect_without_inspect_names_the_extra(write, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "inspect_ai.log", None)
    with pytest.raises(MissingExtra, match="'inspect'"):
        load_log(write(b"PK", "mine.eval"))


local = pytest.mark.local


@pytest.fixture
def evaluated(tmp_path):
    """Evaluate a mock judge with Inspect on the same pair in both orders, and give the log it writes."""
    inspect_ai = pytest.importorskip("inspect_ai", reason="needs the extra inspect")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import answer
    from inspect_ai.solver import generate

    def evaluate(replies, metadata, scorer=None, kind="eval", **more):
        waiting = list(replies)

        def give(messages, tools, choice, config):
            text = waiting.pop(0)
            if isinstance(text, Exception):
                raise text
            made = ModelOutput.from_content("mockllm/model", text)
            made.usage = ModelUsage()  # the mock would fetch a tokenizer to count
            return made

        samples = [
            Sample(id=f"s{n}", input=f"Compare: {n}", target=m.pop("target", ""), metadata=m)
            for n, m in enumerate([dict(m) for m in metadata])
        ]
        task = inspect_ai.Task(dataset=samples, solver=generate(), scorer=answer("letter") if scorer else None)
        model = get_model("mockllm/model", custom_outputs=give, memoize=False)
        (log,) = inspect_ai.eval(
            task,
            model=model,
            log_dir=str(tmp_path / "logs"),
            log_format=kind,
            display="none",
            max_samples=1,
            fail_on_error=False,
            **more,
        )
        return log.location.removeprefix("file://")

    return evaluate


PAIR = [
    {"pair_id": "p", "question": "Why?", "first": "x", "second": "y", "label": "A"},
    {"pair_id": "p", "question": "Why?", "first": "y", "second": "x", "label": "B"},
]


@local
@pytest.mark.filterwarnings("ignore")  # of Inspect and what it imports
@pytest.mark.parametrize("kind", ["eval", "json"])
def test_a_log_of_inspect_is_read_with_its_metadata_and_replies(evaluated, kind):
    log = load_log(evaluated(["I think [[A]]", "Rather [[A]]"], PAIR, kind=kind))
    assert (log.format, log.judges) == ("inspect", ("mockllm/model",))
    assert told(log) == [("first", "chosen_first"), ("first", "rejected_first")]
    assert [(v.place, v.question, v.first, v.reply, v.decided) for v in log.verdicts] == [
        ("sample 's0'", "Why?", "x", "I think [[A]]", False),
        ("sample 's1'", "Why?", "y", "Rather [[A]]", False),
    ]


@local
@pytest.mark.filterwarnings("ignore")
def test_the_answer_of_the_one_scorer_of_inspect_is_the_recorded_decision(evaluated):
    log = load_log(evaluated(["ANSWER: A", "ANSWER: B"], PAIR, scorer=True))
    assert [(v.choice, v.decided) for v in log.verdicts] == [("first", True), ("second", True)]


@local
@pytest.mark.filterwarnings("ignore")
def test_samples_of_inspect_that_ended_with_an_error_are_counted(evaluated):
    log = load_log(evaluated(["[[A]]", RuntimeError("down")], PAIR))
    assert len(log.verdicts) == 1
    assert found(log.skipped) == {"a sample that ended with an error": (1, ("sample 's1'",))}


@local
@pytest.mark.filterwarnings("ignore")
def test_half_a_log_of_inspect_and_one_without_pairs_are_refused_in_a_line(evaluated, tmp_path):
    path = evaluated(["[[A]]", "[[B]]"], PAIR)
    data = Path(path).read_bytes()
    (tmp_path / "half.eval").write_bytes(data[: len(data) // 2])
    with pytest.raises(DataError, match="cannot be read as a log of Inspect") as refused:
        load_log(tmp_path / "half.eval")
    assert refused.value.hint == "Was it written and copied completely?"
    with pytest.raises(DataError, match="holds no verdicts"):
        load_log(evaluated(["Paris"], [{"topic": "capitals"}]))
