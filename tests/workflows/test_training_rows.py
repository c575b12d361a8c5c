"""Rows as a trainer reads them: three columns, a prompt that ends before its completion, slots in equal parts."""

import json
from collections import Counter

import pytest

from biasscope.judges.base import Presentation
from biasscope.judges.pairwise import PairwiseAsk
from biasscope.records import Message, PreferencePair
from biasscope.rundir.files import record_lines
from biasscope.workflows.training_data import ComposedRow
from biasscope.workflows.training_rows import as_it_was, draw_orders, judge_row, origin, response_row

PAIR = PreferencePair("p", (Message("user", "Name a prime.\n"),), "Eleven.", "Twelve.", source="primes")
ROW = ComposedRow("p/emoji", PAIR, "\n Eleven. 🎉", "It is twelve.", "emoji", "chosen", "rule", 1, 1)


def lines(*rows):
    return [json.loads(line) for line in record_lines(rows)]


def test_a_conversation_has_lists_of_messages_and_keeps_every_turn():
    turns = (
        Message("system", "Be brief."),
        Message("user", "Hi"),
        Message("assistant", "Hello"),
        Message("user", "11?"),
    )
    row = ComposedRow("p", PreferencePair("p", turns, "Prime.", "Not prime."), "Prime.", "Not prime.")
    (written,) = lines(response_row(row, "conversational"))
    assert written == {
        "prompt": [{"role": m.role, "content": m.content} for m in turns],
        "chosen": [{"role": "assistant", "content": "Prime."}],
        "rejected": [{"role": "assistant", "content": "Not prime."}],
    }


def test_a_standard_prompt_ends_with_one_line_end_and_no_completion_begins_with_blanks():
    (written,) = lines(response_row(ROW, "standard"))
    assert written == {
        "prompt": "Name a prime.\n\nResponse:\n",
        "chosen": "Eleven. 🎉",
        "rejected": "It is twelve.",
    }


@pytest.mark.parametrize("order", ["chosen_first", "rejected_first"])
@pytest.mark.parametrize("mode", ["label", "reason"])
def test_a_judge_is_asked_as_ours_is_and_its_completion_is_read_as_the_right_verdict(order, mode):
    written = judge_row(ROW, "conversational", mode, order)
    ask = PairwiseAsk(Presentation(PAIR, "original", order, ROW.chosen, ROW.rejected), mode)
    assert written.prompt == ask.request(0).messages
    read = {
        name: ask.reader.read(getattr(written, name)[0].content, alone=mode == "label")
        for name in ("chosen", "rejected")
    }
    assert read["chosen"] == ("1" if order == "chosen_first" else "2")
    assert set(read.values()) == {"1", "2"}


def test_a_standard_judge_row_holds_the_whole_prompt():
    (written,) = lines(judge_row(ROW, "standard", "label", "rejected_first"))
    assert written["prompt"].endswith("Answer with 1 or 2.\n\nAnswer:\n")
    assert written["prompt"].startswith("You compare two responses")
    assert (written["chosen"], written["rejected"]) == ("2", "1")


def rows(count):
    groups = (("", None), ("emoji", "chosen"), ("emoji", "rejected"), ("length", "chosen"))
    return [ComposedRow(f"r{n}", PAIR, "a", "b", *groups[n * n % 4 if n % 3 else 3]) for n in range(count)]


@pytest.mark.parametrize("count", [1, 10, 53])
def test_no_slot_is_learned_neither_with_a_trait_nor_without(count):
    every = rows(count)
    orders = draw_orders(every)
    slots = Counter((row.bias, row.side, orders[row.id]) for row in every)
    for bias, side in {(row.bias, row.side) for row in every}:
        assert abs(slots[bias, side, "chosen_first"] - slots[bias, side, "rejected_first"]) <= 1
    both = Counter(orders.values())
    assert abs(both["chosen_first"] - both["rejected_first"]) <= 1
    assert draw_orders(every[::-1]) == orders


def test_where_a_row_comes_from_stands_beside_it_by_the_number_of_its_line():
    (made,) = lines(origin(ROW, 7, "primes.jsonl", "rejected_first"))
    assert (made["row"], made["id"], made["part"], made["bias"], made["side"]) == (
        7,
        "p/emoji",
        "augmented",
        "emoji",
        "chosen",
    )
    assert (made["data"], made["source"], made["source_pair"], made["slot"]) == ("primes.jsonl", "primes", "p", 2)
    (plain,) = lines(origin(as_it_was(ROW), 7, "primes.jsonl", None))
    assert (plain["part"], plain["bias"], plain["side"], plain["slot"]) == ("plain", "", None, None)
    assert (as_it_was(ROW).chosen, as_it_was(ROW).rejected) == ("Eleven.", "Twelve.")
