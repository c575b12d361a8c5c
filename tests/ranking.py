"""Items of a benchmark for tests of rankings, and rows of planted judges whose errors are known."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from biasscope.benchmarks import CELLS, BenchmarkItem
from biasscope.catalogue.known import built_in
from biasscope.datasets import load
from biasscope.records import ORDERS, Choice
from biasscope.rundir.item_tables import write_items
from biasscope.seeds import question_hash, uniform
from biasscope.steps.perturb import RuleWriter
from biasscope.verdict_rows import VerdictRow
from biasscope.workflows.benchmark import build
from biasscope.workflows.judged_items import arm_of

TEXTS = {"original": "plainly", "neutral": "in other words", "biased": "as experts say"}
"""What a response is like in each form."""


def item(name: str, **fields: Any) -> BenchmarkItem:
    """An item with texts made of its source pair and forms; ``subset`` and forms are those of a pro item by default."""
    source = fields.setdefault("source_pair", name)
    question = fields.pop("question", f"What of {source or name}?")
    bias = fields.setdefault("injected_bias", "authority")
    chosen, rejected = fields.setdefault("chosen_form", "original"), fields.setdefault("rejected_form", "biased")
    texts = (
        f"Right {source} {TEXTS[chosen]}.",
        f"Wrong {source} {TEXTS[rejected]} ({bias}).",
    )
    label = fields.setdefault("label", 1 if uniform("slot", name) < 0.5 else 2)
    one, other = texts if label == 1 else texts[::-1]
    usual = {"subset": "pro", "variant": name, "domain": "math", "source": "mine"}
    return BenchmarkItem(
        id=name, question=question, response_A=one, response_B=other, question_hash=question_hash(question),
        **usual | fields,
    )  # fmt: skip


def benchmark(
    sources: int,
    variants: int = 2,
    *,
    biases: tuple[str, ...] = ("authority", "length"),
    kept: Callable[[int], Any] = bool,
) -> list[BenchmarkItem]:
    """Source pairs, each once as it was and `variants` times hardened, one-sided and crossed.

    Variants take the biases in turn, source pairs two domains. `kept` says of each variant's number whether the filter kept
    it; None runs no filter. Every other variant is in the unfiltered sample.
    """
    found = []
    for s in range(sources):
        where = {"source_pair": f"s{s}", "domain": ("math", "code")[s % 2]}
        found.append(item(f"s{s}", subset="original", injected_bias="", rejected_form="original", **where))
        for v in range(variants):
            name = f"s{s}-v{v}"
            own = where | {
                "variant": name,
                "injected_bias": biases[v % len(biases)],
                "kept": kept(v),
                "unfiltered_sample": kept(v) is not None and v % 2 == 0,
            }
            found.append(item(f"{name}-pro", **own))
            found += [
                item(f"{name}-{c}-{r}", subset="crossed", chosen_form=c, rejected_form=r, **own) for c, r in CELLS
            ]
    return found


def rows(
    items: Iterable[BenchmarkItem],
    error: Callable[[BenchmarkItem], float],
    *,
    seed: int = 0,
    judge: str = "planted:one",
    spoilt: Callable[[BenchmarkItem, str], Choice | str | None] = lambda item, order: None,
) -> list[VerdictRow]:
    """The rows of a judge that errs on an item with probability ``error(item)``, alike in both orders.

    `spoilt` gives another choice for an item and order, or a reason why the verdict is missing.
    """
    found = []
    for one in items:
        choice = "rejected" if uniform("errs", seed, one.id) < error(one) else "chosen"
        for order in ORDERS:
            said = spoilt(one, order)
            missing = said if said not in (None, "chosen", "rejected", "tie") else None
            found.append(
                VerdictRow(
                    judge, "rank", one.id, one.question_hash, one.domain, arm_of(one), order,
                    None if missing else said or choice, None, missing,
                )
            )  # fmt: skip
    return found


def built(path: Path, *, pairs: int = 20) -> str:
    """Build a benchmark with two traits from pairs with provable answers by rule, write its items, and return the path.

    Planted judges solve its questions, so that what they err by is known.
    """
    known = built_in()
    biases = [entry.bias for name in ("authority", "sentiment") if (entry := known.get(name)) is not None]
    made = asyncio.run(
        build(RuleWriter(None, 0, known), load(f"objective:{pairs}?seed=1").pairs, biases, variants=2)
    )
    write_items(path, made.items, "parquet" if path.suffix == ".parquet" else "jsonl")
    return str(path)
