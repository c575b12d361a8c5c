"""The pytest plugin, as somebody's own tests use it."""

import subprocess
import sys
from pathlib import Path

import pytest

from biasscope.report.measured import MeasuredOut

SMALL = {"data": "objective:40?seed=1", "biases": ["authority"]}
WIDE = {"min_effect": 0.3, "bias": {"position": {"ignore": True}}}
DRAWN = "planted:biases=authority@3;noise=0.8"
FAILED = pytest.fail.Exception


@pytest.mark.judge_bias(judge="planted:fair", policy=WIDE, **SMALL)
def test_a_judge_that_passes_gives_what_was_measured(judge_gate):
    found = judge_gate()

    assert isinstance(found, MeasuredOut)
    assert (found.gate, found.judges[0].judge) == ("pass", "planted:fair")


@pytest.mark.judge_bias(policy=WIDE, **SMALL)
async def test_the_call_may_say_more_than_the_marker_and_an_async_test_may_call(judge_gate):
    with pytest.raises(FAILED, match="is biased"):
        judge_gate(judge=DRAWN, policy={})


@pytest.mark.judge_bias(judge="planted:fair", **SMALL)
def test_what_is_not_decided_fails_unless_it_may_be(judge_gate):
    with pytest.raises(FAILED, match="more pairs would tell"):
        judge_gate()

    assert judge_gate(allow_inconclusive=True).calls.judge == 0


def test_a_broken_instrument_fails_whatever_may_be(judge_gate, tmp_path):
    (tmp_path / "policy.toml").write_text("[gate]\nmin_effect = 0.3\n")
    with pytest.raises(FAILED, match="no signal"):
        judge_gate(
            judge={"spec": "planted:stuck"}, policy=tmp_path / "policy.toml", allow_inconclusive=True,
            run=tmp_path / "kept", **SMALL,
        )  # fmt: skip

    assert (tmp_path / "kept" / "report.md").exists()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "needs a judge and data"),
        ({"judge": "planted:fair", "data": "objective:40", "biasses": []}, "did you mean 'biases'"),
        ({"judge": "opnai:x", "data": "objective:40"}, "did you mean openai:x"),
        ({"judge": "planted:fair", "data": "objective:40", "policy": "none.toml"}, "cannot read none.toml"),
    ],
)
def test_settings_that_cannot_be_used_fail_in_words(judge_gate, settings, said):
    with pytest.raises(FAILED, match=said):
        judge_gate(**settings)


def test_it_costs_nothing_where_it_is_not_used(tmp_path):
    (tmp_path / "test_nothing.py").write_text("def test_nothing():\n    pass\n")
    (tmp_path / "conftest.py").write_text(
        "import sys\n\n\ndef pytest_unconfigure(config):\n"
        "    assert 'biasscope.pytest_plugin' in sys.modules\n"
        "    heavy = [m for m in ('numpy', 'scipy', 'pydantic', 'typer', 'openai') if m in sys.modules]\n"
        "    print('heavy:', heavy)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "biasscope.pytest_plugin", "-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
        env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(Path(__file__).parents[1] / "src"), "PATH": ""},
    )  # fmt: skip

    assert "heavy: []" in done.stdout
