"""What tests of benchmarks share: items in short, and sets that were built by rules in this process."""

import asyncio
from dataclasses import replace
from functools import cache

from biasscope.benchmarks import CELLS, BenchmarkItem
from biasscope.catalogue.known import built_in
from biasscope.datasets import load
from biasscope.steps.perturb import RuleWriter
from biasscope.workflows.benchmark import build

PAIRS = "objective:40?seed=1"
BIASES = ("authority", "certainty", "hedging", "self_verification")


def item(name="p1/calm/pro", *, subset="pro", bias="calm", pair="p1", domain="all", forms=None, **more):
    """An item whose texts say what they are."""
    chosen, rejected = forms or {"original": ("original", "original"), "pro": ("original", "biased")}[subset]
    plain = BenchmarkItem(
        id=name,
        subset=subset,
        variant=name if subset == "original" else f"{pair}/{bias}",
        question=f"What about {pair}?",
        response_A=f"right {chosen} {pair}",
        response_B=f"wrong {rejected} {pair}",
        label=1,
        injected_bias="" if subset == "original" else bias,
        domain=domain,
        source_pair=pair,
        source="made",
        question_hash=pair,
        chosen_form=chosen,
        rejected_form=rejected,
        writer="" if subset == "original" else "rule",
    )
    return replace(plain, **more)


def variant(pair="p1", bias="calm", **more):
    """The one-sided item and the four cells of a variant."""
    cells = [
        item(f"{pair}/{bias}/{c}-{r}", subset="crossed", bias=bias, pair=pair, forms=(c, r), **more)
        for c, r in CELLS
    ]
    return [item(f"{pair}/{bias}/pro", bias=bias, pair=pair, **more), *cells]


def original(pair="p1", **more):
    return item(f"{pair}/original", subset="original", pair=pair, **more)


def biases(*names):
    known = {e.bias.id: e.bias for e in built_in().entries}
    return [known[name] for name in names or BIASES]


@cache
def built(data=PAIRS, names=BIASES, variants=2, seed=0):
    """A benchmark by rules; made once for all tests that only read it."""
    pairs = load(data).pairs
    return asyncio.run(
        build(RuleWriter(seed=seed), pairs, biases(*names), variants=variants, seed=seed, source="made")
    )
