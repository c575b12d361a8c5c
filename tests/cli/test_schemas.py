"""What commands really write and print is what the published schemas say, key by key."""

import copy
import json
from pathlib import Path

import jsonschema
import pytest

from .conftest import FOUND, STRONG, run_here

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"


def published(name):
    return json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))


def closed(schema):
    """The schema with nothing allowed that it does not describe."""
    made = copy.deepcopy(schema)
    for one in (made, *made["$defs"].values()):
        one["additionalProperties"] = False
    return made


def check(report, name):
    jsonschema.validate(report, published(name))
    jsonschema.validate(report, closed(published(name)))


def written(run):
    return json.loads((run / "report.json").read_text(encoding="utf-8"))


def test_a_discovery_that_found_something_writes_what_its_schema_says(tmp_path):
    words = (
        "--judge",
        f"planted:{STRONG[0]}",
        "--teacher",
        f"planted:{STRONG[1]}",
        *FOUND,
        "--confirm",
        "--null-control",
        3,
    )
    assert run_here("discover", "run", *words, "--quiet").code == 0
    report = written(tmp_path / "run")

    check(report, "biasscope.discover-1")
    assert report["status"] == "found"
    assert report["null_control"]["shams"]["shams"] == 3
    held = [t for t in report["trials"] if t["status"] == "accepted"]
    assert any(t["details"]["sides"] is not None for t in held)


def test_a_discovery_by_features_writes_what_its_schema_says(tmp_path):
    words = (
        "--judge",
        "planted:biases=authority@3;noise=0.5",
        "--proposer",
        "features",
        "--data",
        "objective:60?seed=1",
    )
    assert run_here("discover", "run", *words, "--quiet").code == 0
    report = written(tmp_path / "run")

    check(report, "biasscope.discover-1")
    assert report["iterations"][0]["features"] is not None


def test_a_run_of_the_published_procedure_writes_what_its_schema_says(tmp_path):
    words = ("--judge", f"planted:{STRONG[0]}", "--teacher", f"planted:{STRONG[1]}", *FOUND, "--preset", "paper")
    assert run_here("discover", "run", *words, "--quiet").code == 0

    check(written(tmp_path / "run"), "biasscope.discover-1")


@pytest.mark.parametrize("sides", ["rejected", "both"])
def test_a_gated_measurement_of_two_judges_writes_what_its_schema_says(tmp_path, sides):
    (tmp_path / "policy.toml").write_text("[gate.bias.position]\nignore = true\n")
    words = ("--judge", "planted:biases=authority@3;noise=0.8", "--judge", "planted:fair", "--data", "objective:30?seed=1",
             "--biases", "authority,sentiment", "--sides", sides, "--gate", "policy.toml")  # fmt: skip
    assert run_here("measure", "run", *words, "--quiet").code == 3
    report = written(tmp_path / "run")

    check(report, "biasscope.measure-1")
    assert report["comparison"]["differences"]
    assert report["policy"]["bias"]["position"]["ignore"] is True


def test_an_audit_prints_what_its_schema_says(tmp_path):
    rows = [
        {
            "pair_id": f"p{n}",
            "choice": "first",
            "order": order,
            "judge": judge,
            "question": f"{n}?",
            "reply": "[[A]]",
        }
        | {"first": f"{order} {n}", "second": f"Another answer to {n}, at length."}
        for judge in ("m", "n")
        for n in range(30)
        for order in ("chosen_first", "rejected_first")
    ]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    check(run_here("audit", "log.jsonl", "--judge", "m", "--json").json, "biasscope.audit-1")
    check(run_here("audit", "log.jsonl", "--json").json, "biasscope.audits-1")
