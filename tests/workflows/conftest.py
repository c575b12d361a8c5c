"""Runs of the whole loop on planted models, in process."""

import pytest

from biasscope import api
from biasscope.config import DataSpec, Execution, Identity, JudgeSpec, ModelSpec, RunConfig


def config(
    judge="planted:biases=self_verification@2.5;noise=0.8",
    teacher="planted:teacher;side=0.6",
    mode="reason",
    **changes,
):
    identity = {
        "judge": JudgeSpec(spec=judge, mode=mode),
        "teacher": ModelSpec(spec=teacher),
        "data": DataSpec(discovery="objective:100?seed=1", validation="objective:100?seed=2"),
        "iterations": 1,
        "evidence_limit": 24,
        "candidate_limit": 3,
    }
    execution = changes.pop("execution", Execution())
    return RunConfig(identity=Identity(**identity | changes), execution=execution)


@pytest.fixture(scope="session")
def first_run(tmp_path_factory):
    """One finished run that several tests look at: (folder, configuration, summary)."""
    import asyncio

    folder = tmp_path_factory.mktemp("runs") / "first"
    settled = config()
    return folder, settled, asyncio.run(api.discover(folder, settled))
