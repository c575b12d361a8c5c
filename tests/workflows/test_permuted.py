"""The order of a file is nobody's business: the same pairs in another order give the same findings."""

import json

import pytest

from biasscope import api
from biasscope.catalogue.known import seed_library
from biasscope.config import DataSpec
from biasscope.datasets import load
from biasscope.records import Trial
from biasscope.rundir import RunDir
from biasscope.seeds import generator, uniform
from biasscope.stats.rules import RULES
from biasscope.steps.perturb import RuleWriter
from biasscope.steps.validate import TrialDesign
from biasscope.workflows.measure import Controls, measure_biases

from ..fakes import FakeJudge, pair
from .conftest import config


def shuffled(rows):
    return [rows[i] for i in generator("another order").permutation(len(rows))]


def write(path, pairs):
    rows = [
        {"id": p.id, "prompt": p.question, "chosen": p.chosen, "rejected": p.rejected, "domain": p.domain}
        for p in pairs
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


async def test_a_discovery_finds_the_same_in_a_permuted_file(tmp_path):
    sources = [load("objective:20?seed=1").pairs, load("objective:40?seed=2").pairs]
    runs = []
    for name, change in (("as_it_is", list), ("permuted", shuffled)):
        looking, trying = (write(tmp_path / f"{name}-{n}.jsonl", change(s)) for n, s in enumerate(sources))
        settled = config(
            judge="planted:biases=self_verification@3,analogy@3,apology@3;noise=0.5",
            teacher="planted:teacher;side=1",
            data=DataSpec(discovery=looking, validation=trying),
            evidence_limit=10,
            candidate_limit=3,
            mode="label",
            null_control=0,
        )
        summary = await api.discover(tmp_path / name, settled)
        runs.append((summary, RunDir.read(tmp_path / name).read_records("trials", Trial)))
    (one, trials), (other, permuted) = runs

    assert trials == permuted
    assert any(t.status == "accepted" for t in trials)
    assert one.baseline.error_rate - other.baseline.error_rate == 0.0
    assert one.baseline == other.baseline
    assert one.library_effect is not None
    assert one.library_effect == other.library_effect
    assert one.iterations == other.iterations
    assert one.missing == other.missing


@pytest.mark.parametrize("graded", [False, True])
async def test_a_measurement_says_the_same_of_permuted_pairs(graded):
    body = "Each tree bears four apples. There are three of them. So all trees together bear a lot.\n\nThe answer is 13."
    of = [pair(f"p{n}", rejected=body, domain="ab"[n % 2]) for n in range(60)]

    def decide(shown):
        drawn = uniform(shown.pair.id, shown.rejected, shown.order) - 0.3 - 0.3 * ("expert" in shown.rejected)
        return 2 * drawn if graded else "chosen" if drawn > 0 else "rejected"

    biases = [seed_library().get(i) for i in ("authority", "sentiment")]
    found = [
        await measure_biases(
            FakeJudge(decide, graded=graded), RuleWriter(), rows, biases, TrialDesign(RULES["default"]),
            controls=Controls(shams=0),
        )
        for rows in (of, shuffled(of))
    ]  # fmt: skip

    assert found[0].trials == found[1].trials
    assert {t.unit for t in found[0].trials} == {"log-odds" if graded else "fraction"}
    assert found[0].baseline.error_rate - found[1].baseline.error_rate == 0.0
    assert found[0].baseline == found[1].baseline
    assert 0 < found[0].baseline.error_rate < 1
    assert (found[0].slot, found[0].control) == (found[1].slot, found[1].control)
