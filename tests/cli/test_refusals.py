"""Whatever cannot be used is named in one line with a hint, and costs nothing that was there before."""

import json
import os
import socket
import sqlite3

import pytest

from biasscope.rundir.lock import locked

from .conftest import PAIRS, PLANTED, SMALL, finish, launch, run_here, serving

TEACHER = ("--teacher", "planted:teacher")


@pytest.fixture(scope="module")
def guarded():
    """A server that wants a key."""
    with serving("--key", "sesame") as server:
        yield server


def replies(run):
    with sqlite3.connect(f"file:{run}/replies.db?mode=ro", uri=True) as ledger:
        return ledger.execute("SELECT count(*) FROM replies").fetchone()[0]


# --- settings ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("c.json", '{"identity": {"judg": {}}}', ["c.json: unknown key 'judg' in identity", "'judge'"]),
        ("c.toml", "[identity]\njudg = 1\n", ["c.toml: unknown key 'judg' in identity", "'judge'"]),
        (
            "c.toml",
            "[execution.judge]\nmax_inflight = 1\n",
            ["'max_inflight' in execution.judge", "max_in_flight"],
        ),
        ("c.json", '{"identity": ', ["c.json: Expecting value: line 1"]),
        ("c.toml", "[identity\n", ["c.toml: Expected ']'", "line 1"]),
        ("c.json", "[]", ["c.json: need a table of settings"]),
        ("c.toml", "identity = 3\n", ["c.toml: identity:"]),
        (
            "c.toml",
            "[identity]\niterations = 0\n",
            ["c.toml: identity.iterations:", "greater than or equal to 1"],
        ),
        ("c.toml", "[identity]\njudge = 'planted:fair'\n", ["c.toml: identity.judge:"]),
        ("c.yaml", "identity:\n", ["c.yaml is neither a .json nor a .toml file"]),
        ("c.toml", b"\xff\xfe", ["c.toml:", "utf-8"]),
    ],
)
def test_a_config_file_that_cannot_be_used_is_named_with_the_place(tmp_path, name, text, said):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    models = TEACHER if "judge =" in str(text) else PLANTED
    run_here("discover", "run", "--config", name, *models, *PAIRS, "--json").refuses(*said)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("path", ["nowhere.toml", "."])
def test_a_config_file_that_cannot_be_read_is_named(path):
    run_here("discover", "run", "--config", path, *PLANTED, *SMALL, "--json").refuses(f"cannot read {path}")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (SMALL, ["no judge is named", "--judge openai:MODEL"]),
        (["--judge", "planted:fair", *SMALL], ["no teacher is named", "--teacher openai:MODEL"]),
        (PLANTED, ["name either --data, or both --discovery and --validation"]),
        ([*PLANTED, *SMALL, "--data", "objective:20"], ["name either --data, or both"]),
        ([*PLANTED, "--discovery", "objective:20"], ["--discovery and --validation go together"]),
        ([*PLANTED, *SMALL, "--preset", "paper", "--judge-mode", "label"], ["judge-mode to reason, not label"]),
        ([*PLANTED, *SMALL, "--preset", "paper", "--rule", "fixed"], ["rule to paper, not fixed"]),
        (["--judge", "opnai:x", *TEACHER, *SMALL], ["'opnai:x' is not a model spec", "did you mean openai:x?"]),
        (["--judge", "openai:", *TEACHER, *SMALL], ["'openai:' is not a model spec", "openai:MODEL"]),
        (["--judge", "gpt-4o", *TEACHER, *SMALL], ["'gpt-4o' is not a model spec", "openai:MODEL"]),
        ([*PLANTED, *SMALL, "--writer", "plantd:teacher"], ["did you mean planted:teacher?"]),
    ],
)
def test_settings_that_do_not_fit_are_refused_before_anything_else(tmp_path, options, said):
    run_here("discover", "run", *options, "--json").refuses(*said)
    run_here("discover", "run", *options, "--json", "--dry-run").refuses(*said)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("rule", ["default", "fixed", "paper"])
def test_too_few_validation_pairs_are_refused_before_anything_is_paid(tmp_path, rule):
    few = ("--discovery", "objective:12?seed=1", "--validation", "objective:12?seed=2", "--rule", rule)
    said = ("only 10 pairs are left for validation", "at least 20")
    run_here("discover", "run", *PLANTED, *few, "--json").refuses(*said)

    run_here("discover", "run", *PLANTED, *few, "--json", "--dry-run").refuses(*said)
    assert not (tmp_path / "run").exists()


def test_the_paper_preset_does_not_overrule_a_file_silently(tmp_path):
    (tmp_path / "c.toml").write_text("[identity]\npreset = 'paper'\n[identity.judge]\nmode = 'label'\n")

    run_here("discover", "run", "--config", "c.toml", *PLANTED, *SMALL).refuses("judge-mode to reason, not label")


# --- data -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("missing.csv", ["no such file: missing.csv"]),
        ("pair.csv", ["no such file: pair.csv", "Did you mean pairs.csv?"]),
        (".", [". is a folder, not a file", "pairs.csv"]),
        ("pairs.csv", ["pairs.csv: cannot tell the format from the columns [a, b]", "prompt, chosen, rejected"]),
        ("judgebench:pairs.csv", ["format judgebench wants pair_id", "found [a, b]"]),
        ("judgbench:pairs.csv", ["unknown format 'judgbench'", "Did you mean judgebench?"]),
        ("objective:many", ["objective:many: the number of pairs must be a whole number"]),
        ("objective:20?sed=1", ["unknown option 'sed'", "Did you mean seed?"]),
        ("objective:4", ["pairs are left for", "Give at least 5"]),
    ],
)
def test_data_that_cannot_be_used_is_named_before_a_folder_is_made(tmp_path, source, said):
    (tmp_path / "pairs.csv").write_text("a,b\n1,2\n")

    run_here("discover", "run", *PLANTED, "--data", source, "--json").refuses(*said)
    if source != "objective:4":
        run_here("data", "check", source, "--json").refuses(*said)
    assert not (tmp_path / "run").exists()


def test_too_few_pairs_after_twins_are_left_out_says_why():
    same = ("--discovery", "objective:20?seed=1", "--validation", "objective:20?seed=1")

    run_here("discover", "run", *PLANTED, *same).refuses(
        "only 0 pairs are left for discovery; 20 were left out because validation asks the same",
        "other questions",
    )


# --- models -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("judge", "code", "said"),
    [
        ("planted:fiar", 2, ["unknown planted model 'fiar'", "Did you mean 'fair'?"]),
        ("planted:teacher", 1, ["planted:teacher is a teacher and does not judge"]),
        ("local:nope", 1, ["no weights are known as 'nope'", "qwen2.5-coder-0.5b"]),
        ("local:nope.gguf", 1, ["there is no file nope.gguf"]),
        ("openai:x", 1, ["https://api.openai.com/v1 needs a key", "Set OPENAI_API_KEY"]),
    ],
)
def test_a_model_that_cannot_be_used_costs_no_folder(judge, code, said):
    run_here("discover", "run", "--judge", judge, *TEACHER, *SMALL, "--json").refuses(*said, code=code)

    done = run_here("discover", "run", "--judge", "planted:fair", *TEACHER, *SMALL, "--json")
    assert done.code == 0
    assert done.json["judge"] == "planted:fair"


def test_a_url_that_is_none_is_refused():
    options = ("--judge", "openai:x", "--judge-url", "nonsense", *TEACHER, *SMALL)

    run_here("discover", "run", *options).refuses("'nonsense' is not a URL", "http://localhost:8000/v1")


def test_a_server_that_is_not_there_is_named():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    url = f"http://127.0.0.1:{port}/v1"
    options = ("--judge", "openai:x", "--judge-url", url, *TEACHER, *SMALL)

    run_here("discover", "run", *options, "--json").refuses(
        f"nothing answers at {url}", "the server runs", code=1
    )


@pytest.mark.parametrize("key", ["", "wrong"])
def test_a_key_that_is_refused_is_not_shown_and_costs_no_folder(guarded, monkeypatch, key):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    options = ("--judge", "openai:fair", "--judge-url", guarded.url, *TEACHER, *SMALL)
    done = run_here("discover", "run", *options, "--json").refuses("HTTP 401", "Set OPENAI_API_KEY", code=1)
    assert "wrong" not in done.err

    monkeypatch.setenv("OPENAI_API_KEY", "sesame")
    assert run_here("discover", "run", *options, "--json").code == 0


def test_a_model_that_the_server_does_not_know_is_named_with_what_it_offers(guarded, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sesame")
    rest = ("--judge-url", guarded.url, *TEACHER, *SMALL, "--json")
    run_here("discover", "run", "--judge", "openai:fiar", *rest).refuses(
        "does not know the model 'fiar'", "Did you mean 'fair'?", "two-biases", code=1
    )

    assert run_here("discover", "run", "--judge", "openai:fair", *rest).code == 0


# --- folders ----------------------------------------------------------------------------------------------


def test_a_cap_that_is_reached_keeps_what_was_paid_and_a_raised_one_continues():
    command = ("discover", "run", *PLANTED, *SMALL, "--json", "--max-calls")
    run_here(*command, 20).refuses("the cap of 20 calls is reached", "Raise --max-calls", code=1)
    assert replies("run") == 20

    done = run_here(*command, 2000)
    assert done.code == 0
    assert done.json["calls"]["judge"] + done.json["calls"]["teacher"] == replies("run") - 20


def test_a_folder_of_another_run_names_what_differs_and_where_the_replies_are(tmp_path):
    run_here("discover", "run", *PLANTED, *SMALL, "--max-calls", 20)
    before = (tmp_path / "run" / "config.json").read_text()

    run_here("discover", "run", *PLANTED, *SMALL, "--seed", 3, "--json").refuses(
        "run was started with another identity",
        "seed: 0 -> 3",
        "--ledger run/replies.db",
        "run/config.json",
        code=1,
    )
    assert (tmp_path / "run" / "config.json").read_text() == before
    again = run_here("discover", "new", *PLANTED, *SMALL, "--seed", 0, "--ledger", "run/replies.db", "--json")
    assert again.json["calls"]["replayed"] >= 20
    assert run_here("discover", "run", *PLANTED, *SMALL, "--json").code == 0


def test_quickstart_in_the_folder_of_another_run_hints_at_what_quickstart_has():
    run_here("quickstart", "run", "--judge", "planted:fair", "--pairs", 20)
    done = run_here("quickstart", "run", "--judge", "planted:stuck", "--pairs", 20, "--json").refuses(
        "judge.spec: 'planted:fair' -> 'planted:stuck'", "biasscope quickstart RUN", code=1
    )
    assert "--ledger" not in done.err


def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("x")

    run_here("discover", "thesis", *PLANTED, *SMALL, "--json").refuses("thesis holds files but no config.json")
    assert [p.name for p in (tmp_path / "thesis").iterdir()] == ["chapter.tex"]


def test_a_file_or_an_impossible_place_instead_of_a_folder_is_refused(tmp_path):
    (tmp_path / "file").touch()

    run_here("discover", "file", *PLANTED, *SMALL).refuses("cannot use file: Not a directory", code=1)
    run_here("discover", "file/run", *PLANTED, *SMALL).refuses("cannot use file/run: Not a directory", code=1)


def test_a_folder_that_is_in_use_names_the_process(tmp_path):
    (tmp_path / "run").mkdir()
    with locked(tmp_path / "run"):
        run_here("discover", "run", *PLANTED, *SMALL, "--json").refuses(
            f"run is in use by process {os.getpid()}", "another folder", code=1
        )
    assert run_here("discover", "run", *PLANTED, *SMALL).code == 0


def test_a_ledger_that_is_none_is_left_alone(tmp_path):
    (tmp_path / "notes.db").write_text("not a database, but longer than a header of one would be " * 20)

    run_here("discover", "run", *PLANTED, *SMALL, "--ledger", "notes.db").refuses("notes.db is not a ledger")
    assert (tmp_path / "notes.db").read_text().startswith("not a database")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, ["run is not a run folder", "biasscope discover"]),
        ({}, ["run holds no result yet", "biasscope discover"]),
        ({"report.json": "{}"}, ["run/report.json cannot be read", "biasscope discover"]),
        ({"report.json": "{"}, ["run/report.json cannot be read"]),
    ],
)
def test_a_folder_without_a_result_cannot_be_shown(tmp_path, content, said):
    if content is not None:
        run_here("discover", "run", *PLANTED, *SMALL, "--max-calls", 1)
        for name, text in content.items():
            (tmp_path / "run" / name).write_text(text)

    run_here("show", "run", "--json").refuses(*said)


def test_a_quickstart_cannot_be_shown_as_a_discovery():
    run_here("quickstart", "run", "--judge", "planted:fair", "--pairs", 20)

    run_here("show", "run").refuses("run holds no discovery", "biasscope quickstart")


def test_weights_that_are_not_known_are_named_with_those_that_are():
    run_here("models", "fetch", "nope", "--json").refuses("'nope'", "smollm2-135m", code=1)


def test_an_address_that_cannot_be_listened_on_is_named():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run_here("planted-server", "--port", port).refuses(f"cannot listen on 127.0.0.1:{port}", "another port")


def test_a_refusal_as_a_process_has_the_same_code_and_streams():
    finish(launch("discover", "run", *PLANTED, "--json")).refuses("name either --data, or both")


def test_a_wrong_setting_does_not_spoil_a_config_that_a_run_saved(tmp_path):
    run_here("discover", "run", *PLANTED, *SMALL, "--max-calls", 20)
    saved = json.loads((tmp_path / "run" / "config.json").read_text())
    run_here("discover", "run", *PLANTED, *SMALL, "--judge", "planted:fiar").refuses("fiar", code=1)

    assert json.loads((tmp_path / "run" / "config.json").read_text()) == saved
    assert run_here("discover", "run", "--config", "run/config.json", "--max-calls", 2000, "--json").code == 0
