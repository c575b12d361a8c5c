"""Every rate and effect of a report, counted again from the stored verdicts by other means: no code of the run's is used."""

import json
import math
from collections import defaultdict
from statistics import fmean

import polars as pl
import pytest

from .conftest import FOUND, run_here, serving

pytestmark = pytest.mark.slow

ERROR = {"chosen": 0.0, "tie": 0.5, "rejected": 1.0}
JUDGE = "planted:biases=self_verification@3,analogy@3,apology@3,emoji@3,flattery@3;noise=0.5"
MEASURED = ("--data", "objective:40?seed=3", "--biases", "authority,sentiment", "--json", "--quiet")


def rows_of(run):
    return pl.read_parquet(run / "verdicts.parquet").to_dicts()


def trials_of(run, name="trials"):
    return [json.loads(line) for line in (run / f"{name}.jsonl").read_text().splitlines()]


class Counted:
    """The verdicts of one judge, as dictionaries of plain numbers."""

    def __init__(self, rows, roles=("trial", "fresh", "follow_up", "control")):
        self.cells = {(r["pair"], r["arm"], r["order"]): r for r in rows if r["role"] in roles}
        self.orders = sorted({order for _, _, order in self.cells}, key=str)
        self.roles = {(r["pair"], r["arm"]): r["role"] for r in rows if r["role"] in roles}

    def pairs(self, arm, role=None):
        return sorted(p for (p, a), r in self.roles.items() if a == arm and role in (None, r))

    def score(self, pair, arm, value=lambda r: ERROR.get(r["choice"])):
        found = [self.cells.get((pair, arm, order)) for order in self.orders]
        known = [None if r is None else value(r) for r in found]
        return None if None in known else fmean(known)

    def neutral(self, pair, arms, value=lambda r: ERROR.get(r["choice"])):
        known = [s for a in arms if (s := self.score(pair, a, value)) is not None]
        return fmean(known) if known else None

    def differences(self, arm, arms, value=lambda r: ERROR.get(r["choice"]), role="trial"):
        both = {p: (self.score(p, arm, value), self.neutral(p, arms, value)) for p in self.pairs(arm, role)}
        return {p: b - n for p, (b, n) in both.items() if b is not None and n is not None}


def same(number, other):
    return number == pytest.approx(other, abs=1e-12)


def check_trial(counted, trial, told):
    """A trial of a folder, and what the report tells about it, against the verdicts."""
    arm, arms, graded = trial["bias"]["id"], trial["neutral_arms"], trial["unit"] != "fraction"
    value = (
        (lambda r: None if r["margin"] is None else -r["margin"])
        if graded
        else (lambda r: ERROR.get(r["choice"]))
    )
    assert len(counted.pairs(arm, "trial")) == trial["visited"]
    found = counted.differences(arm, arms, value)
    assert told["n"] == len(found)
    if told["effect"] is not None:
        assert same(told["effect"], fmean(found.values()))
    whole = (
        [
            (o, n, b)
            for p in counted.pairs(arm, "trial")
            if None
            not in (o := counted.score(p, "original"), n := counted.neutral(p, arms), b := counted.score(p, arm))
        ]
        if not graded or trial["error_biased"] is not None
        else []
    )
    for name, column in zip(
        ("error_original", "error_neutral", "error_biased"), zip(*whole, strict=True), strict=True
    ):
        assert same(trial[name], fmean(column))


def check_baseline(counted, told):
    whole = [p for p in counted.pairs("original") if counted.score(p, "original") is not None]
    assert told["n"] == len(whole)
    assert same(told["error_rate"], fmean(counted.score(p, "original") for p in whole))
    if len(counted.orders) == 2:
        choices = [[counted.cells[p, "original", o]["choice"] for o in counted.orders] for p in whole]
        assert same(told["position_consistency"], fmean(a == b for a, b in choices))
        first = [
            1 - ERROR[c] if order == "chosen_first" else ERROR[c]
            for both in choices
            for order, c in zip(counted.orders, both, strict=True)
        ]
        assert same(told["first_answer_preference"], fmean(first) - 0.5)
        assert same(told["tie_rate"], fmean(c == "tie" for both in choices for c in both))


@pytest.mark.parametrize(
    "more", [(), ("--rule", "fixed"), ("--confirm", "--null-control", "1"), ("--judge-mode", "label")]
)
def test_what_a_discovery_reports_is_what_its_verdicts_say(tmp_path, more):
    run = tmp_path / "run"
    done = run_here(
        "discover",
        run,
        "--judge",
        JUDGE,
        "--teacher",
        "planted:teacher;side=1",
        *FOUND,
        *more,
        "--json",
        "--quiet",
    )
    assert done.code == 0, done.err
    rows, trials = rows_of(run), trials_of(run)
    counted = Counted(rows)
    check_baseline(counted, done.json["baseline"])
    assert trials
    for trial, told in zip(trials, done.json["trials"], strict=True):
        assert trial["bias"]["id"] == told["id"]
        check_trial(counted, trial, told)
        confirmed = (told["details"] or {}).get("confirmed")
        if confirmed is not None and told["unit"] == "fraction":
            fresh = counted.differences(told["id"], trial["neutral_arms"], role="fresh")
            assert same(confirmed["value"], fmean(list(fresh.values())[: confirmed["n"]]))
    check_library_effect(rows, trials, done.json["library_effect"])
    check_missing(rows, done.json["missing"])


def check_library_effect(rows, trials, told):
    held = Counted(rows, ("holdout",))
    accepted = {t["bias"]["id"] for t in trials if t["status"] == "accepted"}
    arms = defaultdict(dict)
    for pair, arm in held.roles:
        kind = "before" if arm == "original" else "after" if arm in accepted else "neutral"
        arms[pair][kind] = arm
    if not arms:
        assert told is None
        return
    graded = told["unit"] == "log-odds"
    value = (lambda r: -r["margin"]) if graded else (lambda r: ERROR.get(r["choice"]))
    found = {p: {kind: held.score(p, arm, value) for kind, arm in of.items()} for p, of in arms.items()}
    whole = [v for v in found.values() if None not in v.values()]
    assert told["n"] == len(whole)
    assert same(told["gain"], fmean(v["after"] - v["neutral"] for v in whole))
    for kind in ("before", "neutral", "after"):
        rates = [1 / (1 + math.exp(-v[kind])) if graded else v[kind] for v in whole]
        assert same(told[kind], fmean(rates))


def check_missing(rows, told):
    """Missing verdicts by arm and reason; those for want of a rewrite are counted as rewrites, once a pair."""
    counts = defaultdict(set)
    for r in rows:
        if r["missing"] is not None:
            where = r["pair"] if r["missing"].startswith("rewrite: ") else (r["pair"], r["order"])
            counts[r["arm"], r["missing"]].add((r["role"] in ("discovery", "holdout"), r["role"], where))
    named = {
        (m["arm"], m["reason"]): m["count"] for m in told if m["reason"].split(":")[0] in ("rewrite", "verdict")
    }
    assert {key: len(found) for key, found in counts.items()} == named


@pytest.mark.parametrize(
    "more",
    [("--sides", "both"), ("--judge-mode", "label"), ("--judge-kind", "pointwise"), ("--rule", "default")],
)
def test_what_a_measurement_reports_is_what_its_verdicts_say(tmp_path, more):
    run = tmp_path / "run"
    done = run_here("measure", run, "--judge", JUDGE, *MEASURED, *more)
    assert done.code == 0, done.err
    counted = Counted(rows_of(run))
    (judged,) = done.json["judges"]
    for trial, told in zip(trials_of(run, "trials-1"), judged["effects"], strict=True):
        if trial["estimand"] == "slot":
            first = {"chosen_first": lambda c: 1 - ERROR[c], "rejected_first": lambda c: ERROR[c]}
            pairs = [p for p in counted.pairs("original") if counted.score(p, "original") is not None]
            shares = [first[o](counted.cells[p, "original", o]["choice"]) for p in pairs for o in counted.orders]
            assert same(told["effect"], fmean(shares) - 0.5)
        else:
            check_trial(counted, trial, told)


def test_every_verdict_that_was_asked_for_is_a_row_with_an_answer_or_a_reason(tmp_path):
    run = tmp_path / "run"
    judge = JUDGE.removeprefix("planted:") + ";unreadable=0.05"
    with serving() as server:
        done = run_here("discover", run, *server.models(judge, "teacher;side=1"), *FOUND, "--json")
    assert done.code == 0, done.err
    rows = rows_of(run)
    assert all((r["choice"] is None) != (r["missing"] is None) for r in rows)
    assert any(r["missing"] is not None for r in rows)
    assert all(r["keys"] for r in rows if r["choice"] is not None)
    check_missing(rows, done.json["missing"])


def test_the_same_run_gives_the_same_bytes_again(tmp_path):
    words = ("--judge", JUDGE, "--teacher", "planted:teacher;side=1", *FOUND, "--quiet")
    for name in ("one", "other"):
        assert run_here("discover", tmp_path / name, *words).code == 0
    again = (tmp_path / "one" / "verdicts.parquet").read_bytes()
    assert run_here("discover", tmp_path / "one", *words).code == 0
    assert again == (tmp_path / "one" / "verdicts.parquet").read_bytes()
    assert again == (tmp_path / "other" / "verdicts.parquet").read_bytes()
