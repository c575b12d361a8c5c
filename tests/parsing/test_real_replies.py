"""Real replies of four judges, read in their formats, against the decisions that were recorded with them.

Of 4,184 replies, 33 are read otherwise than recorded (99.2 % agree), and in all 33 the record is wrong or silent:

- LLMBar, 31 replies: the record holds the first of two phrases found in a fixed order ("Output (a) is better"
  before "Output (b) is better"), wherever it stands. In 29 the text weighs both sides and then concludes with
  Output (b), which is what is read here. In one it concludes that neither is better, and in one it is cut off
  before a conclusion: no verdict is read.
- JudgeBench, 2 replies of one judge: two verdicts that prefer the same side at different strength; recorded as
  none, read as that side.

Where the record does not rest on the fixed order, every single decision agrees.
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from pathlib import Path

import pytest

from biasscope.ask import Unreadable
from biasscope.parsing.formats import OUTPUTS
from biasscope.parsing.verdicts import read_as, read_comparison

DATA = (
    Path(os.environ.get("BIASSCOPE_SHARED_DATA") or Path(__file__).parents[3] / "shared" / "data") / "judgments"
)

DIFFERENCES = {
    "judgebench-claude-3-haiku-arena_hard": 2,
    "llmbar-GPTInst-ChatGPT-Swap_CoT": 3,
    "llmbar-GPTInst-GPT-4-Swap_CoT": 1,
    "llmbar-GPTOut-ChatGPT-Swap_CoT": 6,
    "llmbar-Manual-ChatGPT-Swap_CoT": 2,
    "llmbar-Natural-ChatGPT-Swap_CoT": 8,
    "llmbar-Neighbor-ChatGPT-Swap_CoT": 11,
}


def files(pattern):
    found = sorted(DATA.glob(pattern))
    if not found:
        pytest.skip(f"no recorded judgments at {DATA}; set BIASSCOPE_SHARED_DATA")
    return [(path.name.split(".")[0], gzip.decompress(path.read_bytes()).decode("utf-8")) for path in found]


def graded(text):
    try:
        return {"A": "A>B", "B": "B>A", None: "A=B"}[read_comparison(text).label]
    except Unreadable:
        return None


def output(text):
    try:
        return read_as(text, OUTPUTS)
    except Unreadable:
        return None


def judgebench():
    """(file, reply, recorded decision) for every judgment of the five-level format."""
    for name, content in files("judgebench-*-arena_hard.jsonl.gz"):
        for line in content.splitlines():
            for judgment in json.loads(line)["judgments"]:
                yield name, judgment["judgment"]["response"], judgment["decision"]


def llmbar():
    """(file, reply, recorded slot) for every judgment; the record names outputs, which a swap exchanges."""
    for name, content in files("llmbar-*.json.gz"):
        for row in json.loads(content):
            for judgments in row["results"]:
                for order, judgment in judgments.items():
                    slots = {"1": "b", "2": "a"} if "True" in order else {"1": "a", "2": "b"}
                    yield name, judgment["completion"][0], slots.get(judgment["winner"])


def fixed_order(text):
    """The record's own rule: the first of two phrases that occurs, (a) before (b)."""
    return next((slot for slot in "ab" if f"Output ({slot}) is better" in text), None)


@pytest.mark.shared
def test_replies_on_the_scale_of_five_are_read_as_recorded():
    differing = [
        (name, text, recorded, read)
        for name, text, recorded in judgebench()
        if (read := graded(text)) != recorded
    ]
    assert Counter(name for name, *_ in differing) == {
        k: n for k, n in DIFFERENCES.items() if k.startswith("judgebench")
    }
    for _, text, recorded, read in differing:
        assert recorded is None
        assert {"A>B": "[[A>", "B>A": "[[B>"}[read] in text


@pytest.mark.shared
def test_replies_that_name_an_output_are_read_as_recorded_but_for_the_records_fixed_order():
    replies = list(llmbar())
    differing = [
        (name, text, recorded, read) for name, text, recorded in replies if (read := output(text)) != recorded
    ]
    assert Counter(name for name, *_ in differing) == {
        k: n for k, n in DIFFERENCES.items() if k.startswith("llmbar")
    }
    for _, text, recorded, read in differing:
        assert recorded == fixed_order(text)
        if read is not None:
            assert recorded == "a"
            last = text.replace("**", "").rfind(" better")
            assert f"Output ({read})" in text[max(0, last - 120) : last + 60]
    assert [read for *_, read in differing].count(None) == 2
    assert len(replies) == 2944
