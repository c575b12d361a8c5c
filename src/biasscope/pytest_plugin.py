"""A pytest plugin: a judge's bias as a test. Imports nothing of the library before a test asks for the gate.

    @pytest.mark.judge_bias(judge="python:mine:judge", data="pairs.jsonl", policy="policy.toml")
    def test_our_judge_is_fair(judge_gate):
        judge_gate()

The marker says what is measured, the call may say more or otherwise; the test fails where the judge is biased, broken
or not decided, with the reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from biasscope.config import GatePolicy
    from biasscope.report.measured import MeasuredOut

OWN = ("judge", "policy", "run", "allow_inconclusive", "teacher")
"""Settings of the gate itself; everything else is a field of `MeasureIdentity`."""


def pytest_configure(config: pytest.Config) -> None:
    """Announce the marker."""
    config.addinivalue_line(
        "markers",
        "judge_bias(judge, data, policy, ...): what the fixture judge_gate measures; see docs/gate.md of biasscope",
    )


@pytest.fixture
def judge_gate(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., MeasuredOut]:
    """A function that measures a judge and fails the test unless it passes the policy.

    It takes what the marker takes: `judge` (a spec, a table of `JudgeSpec`, or a list of them), `data`, `policy` (a
    file or a table), `run` (a folder that keeps replies between test runs), `allow_inconclusive`, and any field of
    `MeasureIdentity`. It returns what `biasscope measure --json` prints.
    """
    settings: dict[str, Any] = {}
    for mark in reversed(list(request.node.iter_markers("judge_bias"))):
        if mark.args:
            pytest.fail("judge_bias takes its settings by name", pytrace=False)
        settings |= mark.kwargs

    def gate(**more: Any) -> MeasuredOut:
        return _checked(settings | more, tmp_path / "judge_bias")

    return gate


def _checked(settings: Mapping[str, Any], folder: Path) -> MeasuredOut:
    from biasscope.errors import BiasscopeError
    from biasscope.report import measured_words

    try:
        found = _measured(settings, folder)
    except BiasscopeError as error:
        pytest.fail(f"{error}\nHint: {error.hint}" if error.hint else str(error), pytrace=False)
    fine = ("pass", "inconclusive") if settings.get("allow_inconclusive") else ("pass",)
    if found.gate not in fine:
        lines = [line for judged in found.judges for line in measured_words.gate_lines(judged)]
        pytest.fail("\n".join(lines), pytrace=False)
    return found


def _measured(settings: Mapping[str, Any], folder: Path) -> MeasuredOut:
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    from biasscope import api
    from biasscope.config import MeasureConfig
    from biasscope.errors import ConfigError
    from biasscope.rundir import parse_as

    if "judge" not in settings or "data" not in settings:
        raise ConfigError("judge_bias needs a judge and data", hint='For example data="objective:100?seed=1".')
    identity = {name: value for name, value in settings.items() if name not in OWN}
    identity["judges"] = [_table(one) for one in _listed(settings["judge"])]
    if settings.get("teacher") is not None:
        identity["teacher"] = _table(settings["teacher"])
    config = parse_as(MeasureConfig, {"identity": identity}, source="judge_bias")
    run, policy = Path(settings.get("run", folder)), _policy(settings.get("policy", {}))
    # A thread of its own: an async test has a loop that is running.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, api.measure(run, config, policy=policy)).result()


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _table(value: Any) -> Any:
    return {"spec": value} if isinstance(value, str) else value


def _policy(value: Any) -> GatePolicy:
    from biasscope import api
    from biasscope.config import GatePolicy
    from biasscope.rundir import parse_as

    if isinstance(value, str | Path):
        return api.read_policy(value)
    return parse_as(GatePolicy, value, source="judge_bias policy")
