"""Runs of planted judges in this process, as a script or a notebook makes them."""

import pytest

import biasscope

PAIRS = "objective:40?seed=1"
DRAWN = "planted:biases=authority@3"
"""A judge that leans on cited authority."""
KNOWN = ["authority", "sentiment"]
FOUND = {
    "judge": "planted:biases=self_verification@3,analogy@3,apology@3,emoji@3,flattery@3;noise=0.5",
    "teacher": "planted:teacher;side=1",
    "discovery": "objective:40?seed=1",
    "validation": "objective:40?seed=2",
    "iterations": 1,
}
"""A discovery in which little data shows a lot."""


@pytest.fixture(autouse=True)
def _a_plain_place(tmp_path, monkeypatch):
    """Every test has a working folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.fixture(scope="session")
def measured(tmp_path_factory):
    """A measurement that is only read."""
    run = tmp_path_factory.mktemp("runs") / "measured"
    return biasscope.measure(DRAWN, data=PAIRS, biases=KNOWN, run=run)


@pytest.fixture(scope="session")
def discovered(tmp_path_factory):
    """A discovery that is only read."""
    run = tmp_path_factory.mktemp("runs") / "discovered"
    return biasscope.discover(**FOUND, run=run)
