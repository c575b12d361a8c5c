"""The proof of the feature proposer on judges whose biases are known, over many seeds: `make test-long`.

Logs of 600 pairs in both orders, with other questions, texts and noise for every seed; and the same on numbers alone,
where thousands of verdicts cost nothing.
"""

import pytest

from biasscope.config import JudgeSpec, ModelExecution
from biasscope.datasets import load
from biasscope.engine.direct import Direct
from biasscope.judges.open import open_judge
from biasscope.models.open import open_model
from biasscope.models.planted.truth import planted_truth
from biasscope.records import ORIGINAL
from biasscope.stats.associations import associations
from biasscope.stats.features import LEVEL, STABLE, sparse_weights
from biasscope.stats.multiple import adjusted
from biasscope.steps.judge import Table, judge_pairs
from biasscope.steps.observe import observe
from biasscope.steps.propose import propose_features

from .stats.choices import judged

pytestmark = pytest.mark.long

PAIRS = 600
PLANTED = 20
"""Seeds on judges with planted traits; judges without one take `NULL` of them."""
NULL = 200


async def proposals(judge, seed):
    """What is proposed from the log of a planted judge, the first one first."""
    spec = JudgeSpec(spec=f"planted:{judge};seed={seed}")
    of = load(f"objective:{PAIRS}?seed={3000 + seed}").pairs
    asked = open_judge(Direct(open_model(spec.model, ModelExecution())), spec)
    table = Table(orders=asked.orders)
    await judge_pairs(asked, table, of, (ORIGINAL,))
    return propose_features(observe(table, of, asked.margin_unit), seed=seed).proposals


@pytest.mark.parametrize(
    ("judge", "features"),
    [
        ("two-biases", {"checks", "comparisons"}),
        ("biases=sentiment@1.4,bold_emphasis@1.2", {"exclamations", "bold"}),
        ("biases=authority@1.4,closing_offer@1.2", {"sources", "offers"}),
        ("biases=emoji@1.4,hedging@-1.2", {"emoji", "hedges"}),
    ],
)
async def test_both_planted_traits_are_among_the_first_five_in_at_least_18_of_20_seeds(judge, features):
    found = [[p.association.feature for p in await proposals(judge, seed)][:5] for seed in range(PLANTED)]
    missed = {seed: first for seed, first in enumerate(found) if not features <= set(first)}

    assert len(planted_truth(judge)) == 2
    assert len(missed) <= 2, missed


@pytest.mark.parametrize("judge", ["fair", "first-slot"])
async def test_nothing_is_proposed_for_a_judge_without_a_trait_in_at_least_95_of_100_seeds(judge):
    found = {seed: made for seed in range(NULL) if (made := await proposals(judge, seed))}

    assert len(found) <= 0.05 * NULL, {s: [p.association.feature for p in made] for s, made in found.items()}


@pytest.mark.parametrize(
    "habits",
    [{}, {"skill": 0.0, "spread": 0.8, "habit": 2.2}, {"with_gold": 1.0}],
    ids=["fair", "slot", "better"],
)
def test_numbers_of_a_judge_without_a_trait_propose_nothing_in_at_least_95_of_100_seeds(habits):
    found = {}
    for seed in range(NULL):
        choices = judged(10_000 + seed, pairs=PAIRS, **habits)
        q = adjusted([a.p for a in associations(choices)])
        if min(q) <= LEVEL:
            weights = sparse_weights(choices, seed=seed)
            found[seed] = [
                n for n, w in enumerate(weights) if w.weight and w.frequency >= STABLE and q[n] <= LEVEL
            ]

    assert sum(map(bool, found.values())) <= 0.05 * NULL, found
