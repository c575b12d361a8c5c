"""Odd texts for property tests, and real responses where public data is at hand."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from hypothesis import strategies as st

PIECES = (
    "",
    "   ",
    "Yes",
    "The river rises in spring. It falls again by June.",
    "Dr. Lane weighed 3.5 kg, i.e. about 7.7 lb. That was at 9 a.m. on a Monday.",
    'He called out: "Stop. Wait for me." Then the bus left. (Nobody saw it. Nobody asked.)',
    "The total is 42. Options are 1. red 2. blue. Is that all? It is!",
    "**Step one.** Take the `a. B` key; turn it *twice*. Then $x. Y$ holds, as does \\(p. Q\\). Done.",
    "- milk\n- two eggs. Fresh ones.\n  from the farm. Near here.\n- bread",
    "1. First do this.\n\n2. Then do that.\n\n   And this. Too.",
    "# A heading. With two parts",
    "| a. B | c |\n|---|---|\n| 1. One | 2 |",
    "> Somebody said so. Long ago.",
    "```python\nx = 1. # Done. Next\nprint('a. B')\n```",
    "   ~~~\ncode. More code.\n   ~~~",
    "```\nnever closed. Not here.",
    "$$\nE = m c^2. F = m a\n$$",
    "\\[ a = 3. B = 4 \\]",
    "\\begin{align}\nx &= 1. \\\\\nY &= 2.\n\\end{align}",
    "\\[ open. Formula",
    "def f(x):\n    return x. Real\n\n    # Half. Of it.",
    "今天下雨。明天天晴！後天呢？「好。是的。」沒有人知道。",
    "هذا نص قصير. وهذا نص آخر؟ نعم.",
    "זה משפט. וזה עוד אחד.",
    "👩‍👩‍👧 🧪 ﷽ é",
    "We need three things:",
    "Therefore the result is",
    "Wait... What?! No!!! " + "." * 40,
    '"Unbalanced. Quote (and. Bracket [and. More',
    "\u2028\x0b\x00\t tab. Vertical.",
)
BREAKS = ("\n", "\n\n", " ", "", "\r\n", "\r\n\r\n", "\r")


@pytest.fixture(scope="session")
def odd_texts() -> st.SearchStrategy[str]:
    piece = st.sampled_from(PIECES) | st.text(max_size=30)
    return st.lists(st.tuples(piece, st.sampled_from(BREAKS)), max_size=6).map(
        lambda parts: "".join(text + gap for text, gap in parts)
    )


def _responses(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*/*.parquet")):
        table = pl.read_parquet(path, columns=["response_A", "response_B"])
        yield from table["response_A"]
        yield from table["response_B"]
    for path in sorted(folder.glob("llmbar/*.json")):
        for row in json.loads(path.read_text(encoding="utf-8")):
            yield row["output_1"]
            yield row["output_2"]


@pytest.fixture(scope="session")
def real_responses() -> list[str]:
    """Natural responses of three public benchmarks: prose, lists, code and mathematics."""
    default = Path(__file__).parents[3] / "shared" / "data"
    found = list(_responses(Path(os.environ.get("BIASSCOPE_SHARED_DATA", default))))
    if not found:
        pytest.skip(
            "no public data: set BIASSCOPE_SHARED_DATA to the folder that holds judgebench, rewardbench, llmbar"
        )
    return found
