"""`biasscope ablate`: variants of a discovery on one ledger."""

import pytest

from .conftest import FOUND, run_here

pytestmark = pytest.mark.slow

JUDGE = "planted:biases=self_verification@3,analogy@3,apology@3,emoji@3,flattery@3;noise=0.5"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ablated") / "run"
    words = ("--judge", JUDGE, "--teacher", "planted:teacher;side=1", *FOUND, "--quiet")
    assert run_here("discover", folder, *words).code == 0
    return folder


def test_variants_are_put_beside_the_run_and_share_its_replies(run):
    done = run_here("ablate", run, "--json", "--quiet")
    base, late, brief = done.json["variants"]

    assert done.code == 0, done.err
    assert [v["label"] for v in done.json["variants"]] == ["the run", "validate = late", "deeper-explain = false"]
    assert (base["difference"], base["in_base"]) == (None, base["validated"])
    assert base["validated"] >= 1
    assert base["gain_low"] < base["gain"] < base["gain_high"]
    assert base["gain"] == pytest.approx(base["after"] - base["neutral"])
    # What is asked in the same way is not paid again.
    assert 0 <= late["paid"] < late["asked"] / 2
    assert brief["asked"] < base["asked"]
    assert late["common"] == base["n"]
    again = run_here("ablate", run, "--json", "--quiet").json["variants"]
    assert [v["paid"] for v in again[1:]] == [0, 0]
    assert [v["gain"] for v in again] == [v["gain"] for v in done.json["variants"]]
    assert (run / "ablation.json").exists()
    assert "\\toprule" in (run / "ablation.tex").read_text()


def test_the_gain_is_that_of_the_run(run):
    (base, _) = run_here("ablate", run, "--vary", "seed=9", "--json", "--quiet").json["variants"]
    told = run_here("show", run, "--json").json["library_effect"]

    assert base["gain"] == pytest.approx(told["gain"])
    assert (base["gain_low"], base["gain_high"]) == pytest.approx((told["low"], told["high"]))
    assert base["n"] == told["n"]


def test_the_published_procedure_is_a_variant(run):
    _, paper = run_here("ablate", run, "--vary", "preset=paper", "--json", "--quiet").json["variants"]

    assert paper["label"] == "preset = paper"
    assert (paper["gain"], paper["difference"]) == (None, None)
    assert paper["published"] > 0
    assert paper["validated"] > 0


def test_a_person_sees_a_table(run):
    shown = run_here("ablate", run, "--vary", "deeper-explain=off")

    assert "deeper-explain = off" in shown.out
    assert "gain on held-out pairs" in shown.out.lower()
    assert "Variant: deeper-explain = off" in shown.err


@pytest.mark.parametrize(
    ("vary", "said"),
    [
        ("colour=red", "names nothing that can be varied"),
        ("validate", "names nothing that can be varied"),
        ("validate=early", "every variant is the run itself"),
        ("validate=never", "validate_when"),
        ("iterations=many", "iterations"),
        ("teacher=nobody:x", "nobody"),
    ],
)
def test_what_cannot_be_varied_is_refused(run, vary, said):
    run_here("ablate", run, "--vary", vary).refuses(said)


def test_a_measurement_is_no_discovery(tmp_path):
    measured = tmp_path / "measured"
    words = ("--data", "objective:30?seed=1", "--biases", "authority", "--quiet")
    assert run_here("measure", measured, "--judge", "planted:fair", *words).code == 0
    run_here("ablate", measured).refuses("is no discovery")
