"""`biasscope audit`: what it prints for people and programs, what it refuses, and the public logs."""

import gzip
import io
import json
import os
import pty
import random
import subprocess
import sys
from pathlib import Path

import pytest

from biasscope import api
from biasscope.report.outputs import SCHEMAS

from .conftest import run_here

ESC = "\x1b[31m"
HOSTILE = f"m{ESC}[bold]x[/bold]\x07\x9b2J\u202e"


@pytest.fixture
def write(tmp_path):
    """Write rows as JSON lines and give the path."""

    def write_rows(rows, name="log.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write_rows


def rows(number=30, choice=("first", "first"), texts=True, labels=True, **more):
    """Verdicts on `number` pairs in both orders, by place."""
    made = []
    for n in range(number):
        first, second = f"The better of {n}.", f"The worse of {n}, said at length."
        for order, chosen in zip(("chosen_first", "rejected_first"), choice, strict=True):
            shown = (first, second) if order == "chosen_first" else (second, first)
            row = {"pair_id": f"p{n}", "choice": chosen} | more
            row |= {"question": f"{n}?", "first": shown[0], "second": shown[1]} if texts else {}
            row |= {"order": order} if labels else {}
            made.append(row)
    return made


def test_one_judge_in_one_log_is_one_object_with_the_keys_of_its_schema(write):
    path = write(rows(judge="m", reply="[[A]]"))
    done = run_here("audit", path, "--json")
    assert done.code == 0
    out = done.json
    SCHEMAS["audit"].model_validate(out)
    assert out["schema_version"] == "biasscope.audit/1"
    assert (out["judge"], out["log"], out["format"], out["pairs"], out["verdicts"], out["missing"]) == (
        "m",
        str(path),
        "columns",
        30,
        60,
        [],
    )
    slot = out["slot_preference"]
    assert (slot["estimate"], slot["low"], slot["high"], slot["n"]) == (0.5, None, None, 30)
    assert slot["p"] < 1e-6
    assert (out["position_consistency"], out["error_rate"]) == (0.0, 0.5)
    assert out["by_order"]["chosen_first"]["error_rate"] == 0.0
    assert out["by_order"]["rejected_first"]["error_rate"] == 1.0
    assert (out["reread"]["agree"], out["reread"]["differ"]) == (60, 0)
    assert out["reasons"]["candidates"] == "150 pairs are needed, and 30 have a verdict"
    assert (out["candidates"], out["command"]) == ([], None)
    assert done.err == ""


def test_several_judges_are_several_audits_and_one_can_be_named(write):
    mixed = write([*rows(judge="gpt-a"), *rows(judge="gpt-b", choice=("first", "second"))])
    done = run_here("audit", mixed, "--json")
    SCHEMAS["audits"].model_validate(done.json)
    assert [a["judge"] for a in done.json["audits"]] == ["gpt-a", "gpt-b"]
    assert [a["slot_preference"]["estimate"] for a in done.json["audits"]] == [0.5, 0.0]
    assert run_here("audit", mixed, "--json", "--judge", "gpt-b").json["error_rate"] == 0.0
    assert [a["judge"] for a in run_here("audit", mixed, "--json", "--judge", "GPT").json["audits"]] == [
        "gpt-a",
        "gpt-b",
    ]
    run_here("audit", mixed, "--judge", "gtp-b").refuses("no log holds a verdict of 'gtp-b'", "'gpt-b'")


def test_the_same_judge_in_two_logs_is_not_pooled(write):
    logs = [write(rows(judge="m"), f"{n}.jsonl") for n in "ab"]
    done = run_here("audit", *logs, "--json")
    assert [(a["log"], a["pairs"]) for a in done.json["audits"]] == [(str(logs[0]), 30), (str(logs[1]), 30)]
    shown = run_here("audit", *logs).out
    assert [line for line in shown.splitlines() if line.startswith("m, in ")] == [f"m, in {p}" for p in logs]


def test_a_person_reads_every_tell_and_its_reason(write):
    out = run_here("audit", write(rows(texts=False, judge="m"))).out
    assert "30 pairs, 60 verdicts." in out
    assert (
        "It prefers the place shown first: slot preference +50.0 points (no interval, p < 0.0001, n = 30 pairs)."
        in out
    )
    assert "It makes the same choice in both orders for 0.0 % of the pairs." in out
    assert "better response first 0.0 % (of 30); better response second 100.0 % (of 30)" in out
    assert "Replies were not read again: the log holds no replies." in out
    assert "What its choices go with cannot be told: the log does not hold the texts that were judged." in out
    assert "Nothing is proposed to be tried: the log does not hold the texts that were judged." in out


def test_without_labels_the_error_rate_is_null_and_says_why(write):
    path = write(rows(labels=False, choice=("first", "second")))
    out = run_here("audit", path, "--json").json
    assert out["error_rate"] is None
    assert out["reasons"]["error_rate"] == "no pair has a label that says which response is better"
    assert out["position_consistency"] == 1.0
    assert "An error rate cannot be told: no pair has a label" in run_here("audit", path).out


def test_what_a_log_holds_besides_is_named_and_counted(write, tmp_path):
    path = write(
        [*rows(), *rows(3, name="again"), {"pair_id": "x", "order": "chosen_first", "choice": "perhaps"}]
    )
    with path.open("a", encoding="utf-8") as file:
        file.write('{"pair_id": "cut of')
    out = run_here("audit", path, "--json").json
    assert (out["pairs"], out["verdicts"], out["answered"], out["duplicates"]) == (31, 61, 60, 6)
    assert out["missing"] == [{"reason": "a choice that is not understood", "count": 1, "places": ["line 67"]}]
    assert out["skipped"] == [{"reason": "no JSON object", "count": 1, "places": ["line 68"]}]
    shown = run_here("audit", path).out
    for words in (
        "61 verdicts, 1 of them missing (a choice that is not understood: 1 (line 67))",
        "Not read: no JSON object: 1 (line 68).",
        "To be known: a choice that is not understood: 1 (line 67: 'perhaps').",
        "Came again and left out: 6 verdicts.",
    ):
        assert words in shown


@pytest.fixture
def liking_length(write):
    """A judge that likes long texts, on enough pairs to propose something."""
    rng = random.Random(5)
    made = []
    for n in range(160):
        texts = [
            f"Answer {n}: " + " ".join(rng.choices(["river", "stone", "field", "house", "light"], k=k)) + "."
            for k in (12, rng.choice([12, 30, 40, 60]))
        ]
        rng.shuffle(texts)
        for order in ("chosen_first", "rejected_first"):
            first, second = texts if order == "chosen_first" else texts[::-1]
            longer = len(first) > len(second) if rng.random() < 0.9 else rng.random() < 0.5
            choice = "A" if longer else "B"
            made.append({"question": f"{n}?", "first": first, "second": second, "order": order, "choice": choice})
    return write([row | {"judge": "my model"} for row in made])


def test_what_the_choices_go_with_becomes_a_command_that_tries_it(liking_length, tmp_path):
    page = tmp_path / "audit.md"
    done = run_here("audit", liking_length, "--json", "--markdown", page)
    out = done.json
    assert "length" in [c["bias"] for c in out["candidates"]]
    words = {a["feature"]: a for a in out["associations"]}["words"]
    assert words["change"]["low"] > 0.1
    assert out["command"].startswith(
        "biasscope measure runs/audit --judge 'openai:my model' --data PAIRS.jsonl --biases "
    )
    assert "length" in out["command"].rsplit(" ", 1)[1].split(",")
    text = page.read_text(encoding="utf-8")
    for part in (
        "## my model",
        "| a longer text |",
        "only a rewrite that adds the trait",
        f"```\n{out['command']}\n```",
    ):
        assert part in text
    shown = run_here("audit", liking_length).out
    assert out["command"] in shown
    assert shown.count("An association shows no cause") == 1
    assert "a longer text" in shown


def test_the_same_seed_says_the_same(liking_length):
    assert (
        run_here("audit", liking_length, "--json").out
        == run_here("audit", liking_length, "--json", "--seed", 0).out
    )


def test_the_command_of_a_packed_benchmark_log_unpacks_it_first(liking_length, tmp_path):
    made = [json.loads(line) for line in liking_length.read_text().splitlines()]
    outputs = [
        {
            "pair_id": n,
            "question": there["question"],
            "response_A": there["first"],
            "response_B": there["second"],
            "label": "A>B",
            "judge_name": "arena_hard",
            "judgments": [
                {"judgment": {"judge_model": "m-1", "response": ""}, "decision": f"{c}>{'BA'['AB'.index(c)]}"}
                for c in (there["choice"], back["choice"])
            ],
        }
        for n, (there, back) in enumerate(zip(made[::2], made[1::2], strict=True))
    ]
    path = tmp_path / "my log.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, outputs)).encode()))
    out = run_here("audit", path, "--json").json
    assert out["judge"] == "m-1 (arena_hard)"
    assert out["before"] == f"gunzip --keep '{path}'"
    assert f"--judge openai:m-1 --data 'judgebench:{str(path)[:-3]}' --biases " in out["command"]
    assert out["before"] in run_here("audit", path).out


def on_a_terminal(*arguments):
    """What a terminal of 60 columns is sent."""
    parent, child = pty.openpty()
    env = os.environ | {"COLUMNS": "60", "TERM": "dumb", "NO_COLOR": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "biasscope", *map(str, arguments)], stdout=child, stderr=child, env=env
    )
    os.close(child)
    told = io.BytesIO()
    while True:
        try:
            data = os.read(parent, 1 << 16)
        except OSError:
            break
        if not data:
            break
        told.write(data)
    os.close(parent)
    assert process.wait() == 0
    return told.getvalue().decode()


def test_words_of_a_log_steer_no_terminal_and_no_page(write, tmp_path):
    hostile = rows(judge=HOSTILE, question=HOSTILE, first=HOSTILE, reply=HOSTILE)
    hostile.append({"pair_id": HOSTILE, "order": HOSTILE, "choice": HOSTILE, "judge": HOSTILE})
    path = write(hostile)
    page = tmp_path / "page.md"
    outputs = [on_a_terminal("audit", path), run_here("audit", path).out, run_here("audit", path, "--json").out]
    assert run_here("audit", path, "--markdown", page, "--columns", "choice=choice").code == 0
    outputs.append(page.read_text(encoding="utf-8"))
    for text in outputs:
        assert not any(sign in text for sign in ("\x1b", "\x07", "\x9b", "\u202e"))
    assert "[bold]x[/bold]" in outputs[0]
    assert json.loads(outputs[2])["judge"] == "m [31m[bold]x[/bold] 2J"
    assert "\\[bold\\]" in outputs[3]
    run_here("audit", path, "--judge", f"none {ESC}").refuses("no log holds a verdict of 'none \\x1b[31m'")


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (["lgo.jsonl"], "no such file", "Did you mean log.jsonl?"),
        (["log.jsonl", "--columns", "choice"], "'choice' names no column", "--columns"),
        (["log.jsonl", "--columns", "choice=nothing"], "no column 'nothing' for choice", "'pair_id'"),
        (["log.jsonl", "--columns", "winner=choice"], "no field 'winner'", "Known:"),
        (["pairs.jsonl"], "holds no verdicts", "--columns choice=winner"),
        (["."], "is a folder", "Give one data file"),
        (["log.jsonl", "--seed", "-1"], "--seed", "--help"),
        ([], "LOG", "--help"),
    ],
)
def test_what_cannot_be_audited_is_refused_in_a_line_with_a_hint(
    words, message, hint, write, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    write(rows())
    write([{"prompt": "?", "chosen": "a", "rejected": "b"}], "pairs.jsonl")
    run_here("audit", *words).refuses(message, hint)


def test_a_notebook_is_given_the_same(write):
    path = write(rows(judge="m"))
    (found,) = api.audit([path])
    assert found.model_dump(mode="json") == run_here("audit", path, "--json").json
    (named,) = api.audit([path], columns={"choice": "choice"}, judge="m", seed=3)
    assert named.slot_preference == found.slot_preference


# --- the public logs ------------------------------------------------------------------------------------------

SHARED = (
    Path(os.environ.get("BIASSCOPE_SHARED_DATA") or Path(__file__).parents[3] / "shared" / "data") / "judgments"
)

DIFFER = {
    "judgebench-claude-3-haiku-arena_hard": 2,
    "llmbar-GPTInst-ChatGPT-Swap_CoT": 3,
    "llmbar-GPTInst-GPT-4-Swap_CoT": 1,
    "llmbar-GPTOut-ChatGPT-Swap_CoT": 6,
    "llmbar-Manual-ChatGPT-Swap_CoT": 2,
    "llmbar-Natural-ChatGPT-Swap_CoT": 8,
    "llmbar-Neighbor-ChatGPT-Swap_CoT": 11,
}
"""Replies that are read otherwise than recorded, as tests/parsing/test_real_replies.py explains them."""


@pytest.fixture(scope="module")
def public():
    """Every public log of verdicts, audited, by name."""
    paths = sorted(SHARED.glob("*.gz"))
    if not paths:
        pytest.skip(f"no recorded verdicts at {SHARED}; set BIASSCOPE_SHARED_DATA")
    found = {Path(a.log).name.split(".")[0]: a for a in api.audit(paths)}
    assert len(found) == len(paths) == 19
    return found


@pytest.mark.shared
def test_every_public_log_is_read_whole(public):
    pairs = {"GPTInst": 92, "GPTOut": 47, "Manual": 46, "Natural": 100, "Neighbor": 134}
    for name, found in public.items():
        benchmark, subset, *_ = name.split("-")
        assert found.format == benchmark
        assert found.pairs == (pairs[subset] if benchmark == "llmbar" else 270 if subset == "claude" else 350)
        assert found.verdicts == 2 * found.pairs == found.answered + sum(m.count for m in found.missing)
        assert (found.skipped, found.duplicates, found.repeated) == ((), 0, 0)


@pytest.mark.shared
def test_the_replies_of_the_public_logs_are_read_as_the_readers_own_tests_know(public):
    assert {name: found.reread.differ for name, found in public.items() if found.reread.differ} == DIFFER
    replies = sum(found.reread.agree + found.reread.differ for found in public.values())
    assert replies == 2944 + 540 + 700


@pytest.mark.shared
def test_order_effects_of_two_judges_are_found_and_none_of_reward_models(public):
    haiku, mini, skywork, grm = (
        next(found for name, found in public.items() if part in name)
        for part in ("haiku", "o1-mini", "skywork", "grm")
    )
    assert haiku.slot_preference.estimate == pytest.approx(0.0837, abs=0.0001)
    assert mini.slot_preference.estimate == pytest.approx(0.0557, abs=0.0001)
    for found in (haiku, mini):
        assert found.slot_preference.p < 1e-3
        assert found.slot_preference.low > 0
        assert found.by_order["rejected_first"].error_rate > found.by_order["chosen_first"].error_rate + 0.1
    for found in (skywork, grm):
        assert found.scores_alone
        assert (found.slot_preference.estimate, found.slot_preference.p) == (0.0, 1.0)
        assert found.position_consistency == 1.0
        assert found.reread.reason == "the log holds no replies"
    # Two scores of one pair are equal, and are recorded as a preference for what is shown second.
    assert [(n.reason, n.count) for n in skywork.notes] == [
        ("a decision that contradicts its own scores, which are believed", 2)
    ]


@pytest.mark.shared
def test_a_record_that_takes_the_first_phrase_makes_a_place_look_liked(public):
    found = public["llmbar-Neighbor-ChatGPT-Swap_CoT"]
    assert found.slot_preference.estimate == pytest.approx(0.1053, abs=0.0001)
    assert found.reread.slot_preference.estimate == pytest.approx(0.0639, abs=0.0001)
    assert [(r.number, r.pairs) for r in found.rounds] == [(1, 134), (2, 50)]


@pytest.mark.shared
def test_a_public_log_that_breaks_off_is_read_up_to_there(tmp_path):
    whole = SHARED / "llmbar-Natural-GPT-4-Vanilla.json.gz"
    if not whole.is_file():
        pytest.skip(f"no recorded verdicts at {SHARED}; set BIASSCOPE_SHARED_DATA")
    half = tmp_path / whole.name
    half.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    (found,) = api.audit([half])
    assert 20 < found.pairs < 80
    assert [(s.reason, s.count) for s in found.skipped] == [
        ("the compressed file breaks off", 1),
        ("the JSON array breaks off here", 1),
    ]
