"""A run folder admits one writer with one identity, and gives back exactly the records that were written."""

from __future__ import annotations

import asyncio
import json
import math
import os
import subprocess
import sys
from dataclasses import dataclass

import pytest

from biasscope import __version__
from biasscope.config import DataSpec, Execution, Identity, ModelSpec, RunConfig
from biasscope.errors import CapReached, ConfigError, DataError, RunError, RunLocked, RunMismatch, UsageError
from biasscope.records import Bias, Effect, Message, PreferencePair, Trial, Verdict
from biasscope.rundir import RunDir, parse_config, read_config, read_values


def config(**identity: object) -> RunConfig:
    fields = {
        "judge": ModelSpec(spec="planted:fair"),
        "teacher": ModelSpec(spec="planted:teacher"),
        "data": DataSpec(data="pairs.jsonl"),
    }
    return RunConfig(identity=Identity(**(fields | identity)))


def start_and_end(path, wanted: RunConfig, **data: str) -> None:
    with RunDir.enter(path, wanted, data=data) as run:
        run.bind()


# --- entering ---------------------------------------------------------------------------------------------


def test_a_new_folder_is_made_with_config_and_manifest(tmp_path):
    with RunDir.enter(tmp_path / "runs" / "demo", config(), data={"pairs": "abc"}) as run:
        assert read_config(run.path / "config.json") == config()
        assert run.manifest.data == {"pairs": "abc"}
        (start,) = run.manifest.starts
        assert (start.biasscope, start.status, start.ended) == (__version__, "running", None)
        assert "pydantic" in start.libraries
        assert run.ledger_path == run.path / "replies.db"
    assert run.manifest.starts[-1].status == "finished"
    assert run.manifest.starts[-1].ended >= start.started


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (KeyboardInterrupt(), "stopped"),
        (asyncio.CancelledError(), "stopped"),
        (CapReached("enough"), "stopped"),
        (RunError("oh"), "failed"),
        (ZeroDivisionError(), "failed"),
    ],
)
def test_the_manifest_says_how_each_start_ended(tmp_path, error, status):
    start_and_end(tmp_path, config())
    with pytest.raises(type(error)), RunDir.enter(tmp_path, config()) as run:
        raise error
    assert [start.status for start in run.manifest.starts] == ["finished", status]


def test_the_commit_of_the_working_directory_is_noted(tmp_path, monkeypatch):
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-C", str(tmp_path)]
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "x"], ["tag", "v1"]):
        subprocess.run([*git, *command], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    monkeypatch.chdir(tmp_path)
    with RunDir.enter("run", config()) as run:
        assert run.manifest.starts[-1].commit == head


def test_without_git_no_commit_is_noted(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with RunDir.enter(tmp_path / "run", config()) as run:
        assert run.manifest.starts[-1].commit is None


def test_the_ledger_may_be_elsewhere(tmp_path):
    shared = config().model_copy(update={"execution": Execution(ledger=str(tmp_path / "shared.db"))})
    with RunDir.enter(tmp_path / "run", shared) as run:
        assert run.ledger_path == tmp_path / "shared.db"


def test_another_identity_is_refused_naming_each_field_with_both_values(tmp_path):
    start_and_end(tmp_path, config())
    other = config(judge=ModelSpec(spec="planted:biased"), seed=3, teacher=ModelSpec(spec="x", revision="r2"))

    with pytest.raises(RunMismatch) as caught:
        start_and_end(tmp_path, other)
    message = str(caught.value)
    assert "judge.spec: 'planted:fair' -> 'planted:biased'" in message
    assert "seed: 0 -> 3" in message
    assert "teacher.revision: unset -> 'r2'" in message
    assert "q:" not in message
    assert "\n" not in message
    assert str(tmp_path / "config.json") in caught.value.hint
    assert read_config(tmp_path / "config.json") == config()


def test_before_the_first_reply_the_identity_may_change(tmp_path):
    with pytest.raises(RunError), RunDir.enter(tmp_path, config(seed=1), data={"pairs": "aaa"}):
        raise RunError("no such model")
    start_and_end(tmp_path, config(seed=2), pairs="bbb")

    assert RunDir.read(tmp_path).config == config(seed=2)
    assert RunDir.read(tmp_path).manifest.data == {"pairs": "bbb"}
    assert [start.status for start in RunDir.read(tmp_path).manifest.starts] == ["failed", "finished"]
    with pytest.raises(RunMismatch):
        start_and_end(tmp_path, config(seed=1), pairs="bbb")


def test_another_port_of_the_same_host_or_label_is_the_same_endpoint(tmp_path):
    def at(url, label=None):
        model = ModelSpec(spec="openai:m", url=url, label=label)
        return config(judge=model, writers=(model,))

    start_and_end(tmp_path / "host", at("http://localhost:1/v1"))
    start_and_end(tmp_path / "host", at("http://localhost:2/v1"))
    with pytest.raises(RunMismatch, match=r"judge\.url: 'localhost' -> 'example\.org'"):
        start_and_end(tmp_path / "host", at("http://example.org/v1"))
    start_and_end(tmp_path / "label", at("http://localhost:1/v1", "farm"))
    start_and_end(tmp_path / "label", at("http://example.org/v1", "farm"))


def test_execution_settings_may_change_and_are_saved(tmp_path):
    start_and_end(tmp_path, config())
    faster = config().model_copy(update={"execution": Execution(max_calls=7)})
    start_and_end(tmp_path, faster)

    assert RunDir.read(tmp_path).config == faster


def test_iterations_may_be_raised_and_not_lowered(tmp_path):
    start_and_end(tmp_path, config(iterations=4))
    start_and_end(tmp_path, config(iterations=6))

    with pytest.raises(RunMismatch, match=r"iterations: 6 -> 5 \(may only be raised\)"):
        start_and_end(tmp_path, config(iterations=5))
    with pytest.raises(RunMismatch, match=r"seed: 0 -> 1$"):
        start_and_end(tmp_path, config(iterations=9, seed=1))
    assert RunDir.read(tmp_path).config == config(iterations=6)


def test_other_data_under_the_same_name_is_refused(tmp_path):
    start_and_end(tmp_path, config(), pairs="aaa")
    start_and_end(tmp_path, config(), pairs="aaa")

    with pytest.raises(RunMismatch, match="content of more: unset -> 'x'; content of pairs: 'aaa' -> 'bbb'"):
        start_and_end(tmp_path, config(), pairs="bbb", more="x")


def test_a_folder_with_foreign_content_is_refused_and_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(UsageError, match=r"no config\.json"):
        start_and_end(tmp_path, config())
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]


def test_hidden_files_are_not_content(tmp_path):
    (tmp_path / ".DS_Store").touch()
    (tmp_path / ".config.json.tmp").write_text("{half")  # a kill while the first file was written
    start_and_end(tmp_path, config())
    assert RunDir.read(tmp_path).config == config()


def test_a_run_killed_before_its_manifest_was_written_can_be_entered(tmp_path):
    start_and_end(tmp_path, config(), pairs="other")
    (tmp_path / "manifest.json").unlink()
    start_and_end(tmp_path, config(), pairs="aaa")
    assert RunDir.read(tmp_path).manifest.data == {"pairs": "aaa"}


def test_a_file_in_the_folder_s_place_is_named(tmp_path):
    (tmp_path / "run").touch()
    with pytest.raises(RunError, match=r"cannot use .*run: Not a directory"):
        start_and_end(tmp_path / "run", config())


# --- one writer -------------------------------------------------------------------------------------------


def test_a_second_writer_is_refused_and_told_who_holds_the_folder(tmp_path):
    with (
        RunDir.enter(tmp_path, config()),
        pytest.raises(RunLocked, match=f"in use by process {os.getpid()} on "),
        RunDir.enter(tmp_path, config()),
    ):
        pass
    start_and_end(tmp_path, config())


HOLDER = """
import sys, time
from biasscope.rundir import RunDir, read_config
with RunDir.enter(sys.argv[1], read_config(sys.argv[2])):
    print("in", flush=True)
    time.sleep(600)
"""


def test_a_killed_process_leaves_no_lock_behind(tmp_path):
    (tmp_path / "c.json").write_text(config().model_dump_json())
    run = tmp_path / "run"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(run), str(tmp_path / "c.json")], stdout=subprocess.PIPE
    )
    assert holder.stdout.readline() == b"in\n"
    with pytest.raises(RunLocked, match=f"process {holder.pid} "):
        start_and_end(run, config())
    holder.kill()
    holder.wait()
    holder.stdout.close()

    start_and_end(run, config())
    assert [start.status for start in RunDir.read(run).manifest.starts] == ["running", "finished"]


def test_reading_takes_no_lock_and_cannot_write(tmp_path):
    with RunDir.enter(tmp_path, config()) as run:
        run.write_text("report.html", "<p>")
        reader = RunDir.read(tmp_path)
        assert reader.config == config()
        with pytest.raises(RuntimeError, match="opened for reading"):
            reader.write_text("report.html", "")
    assert (tmp_path / "report.html").read_text() == "<p>"


def test_a_folder_without_a_run_cannot_be_read(tmp_path):
    with pytest.raises(UsageError, match="not a run folder"):
        RunDir.read(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


# --- records ----------------------------------------------------------------------------------------------

BIAS = Bias(
    "authority", "Authority", "Cites \u201cexperts\u201d\u2028\r\n{of no\tname}", "seed", evidence=("p1", "p2")
)
TRIALS = [
    Trial(
        BIAS, 1, "pull", "fraction", "accepted", "holds", Effect(0.25, 0.1, None, None, 40, "fraction", p=1e-300)
    ),
    Trial(
        BIAS, 2, "pull", "log-odds", "no_signal", "", None, worst_case=(-1.0, 1.0), missing=(("a", "empty", 3),)
    ),
]


@pytest.fixture
def run(tmp_path):
    with RunDir.enter(tmp_path / "run", config()) as entered:
        yield entered


def test_nested_records_come_back_equal(run):
    pairs = [PreferencePair("p1", (Message("system", "s"), Message("user", "u")), "good", "bad", reference="r")]
    run.write_records("trials", TRIALS)
    run.write_records("pairs", iter(pairs))

    assert run.read_records("trials", Trial) == TRIALS
    assert RunDir.read(run.path).read_records("pairs", PreferencePair) == pairs


def test_records_are_one_json_object_a_line(run):
    path = run.write_records("trials", TRIALS)
    lines = path.read_bytes().split(b"\n")

    assert path.name == "trials.jsonl"
    assert lines.pop() == b""
    assert [json.loads(line)["iteration"] for line in lines] == [1, 2]


def test_writing_again_replaces_the_file_and_no_records_give_an_empty_one(run):
    run.write_records("trials", TRIALS)
    run.write_records("trials", [])
    assert run.read_records("trials", Trial) == []


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_none_is_never_written_and_the_old_file_stays(run, value):
    good = Verdict("p", "original", "chosen_first", "chosen", margin=0.5)
    run.write_records("verdicts", [good])

    with pytest.raises(ValueError, match="Verdict 2 cannot be written"):
        run.write_records("verdicts", [good, Verdict("p", "original", None, "tie", margin=value)])
    assert run.read_records("verdicts", Verdict) == [good]
    assert not list(run.path.glob(".*.tmp"))


@pytest.mark.parametrize("wrong", [{"choice": "better"}, {"pair_id": 7}, {"keys": {1, 2}}, {"margin": "0.5"}])
def test_a_value_of_the_wrong_type_is_never_written(run, wrong):
    fields = {"pair_id": "p", "arm": "original", "order": None, "choice": "chosen"}
    with pytest.raises(ValueError, match="Verdict 1 cannot be written"):
        run.write_records("verdicts", [Verdict(**fields | wrong)])


def test_a_lone_surrogate_becomes_a_replacement_character(run):
    run.write_records("verdicts", [Verdict("p", "original", None, "tie", reasoning="a\ud83db")])
    assert run.read_records("verdicts", Verdict)[0].reasoning == "a\ufffdb"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"surplus": 1}, "surplus: "),
        ({"pair_id": None}, "pair_id: "),
        ({"pair_id": 7}, "pair_id: "),
        ({"choice": "better"}, "choice: "),
        ({"margin": "0.5"}, "margin: "),
        ({"margin": math.nan}, "margin: "),
        ({"scores": [1, "2"]}, "scores.1: "),
    ],
)
def test_a_wrong_field_is_named_with_file_and_line(run, change, problem):
    good = {"pair_id": "p", "arm": "original", "order": None, "choice": "chosen"}
    (run.path / "verdicts.jsonl").write_text(json.dumps(good) + "\n" + json.dumps(good | change) + "\n")

    with pytest.raises(DataError) as caught:
        run.read_records("verdicts", Verdict)
    assert f"verdicts.jsonl, line 2: {problem}" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("line", ["{half", "", "[1]", '{"a": 1}, {"a": 2}', "{}"])
def test_a_line_that_is_no_record_is_named(run, line):
    (run.path / "things.jsonl").write_text('{"a": 1}\n' + line + "\n")
    with pytest.raises(DataError, match=r"things\.jsonl, line 2: "):
        run.read_records("things", Thing)


@dataclass(frozen=True)
class Thing:
    a: int


def test_records_that_were_not_written_yet_are_a_data_error(run):
    with pytest.raises(DataError, match=r"cannot read .*trials\.jsonl"):
        run.read_records("trials", Trial)


@pytest.mark.parametrize("name", ["../x", "a/b", ".hidden", ""])
def test_a_name_that_leaves_the_folder_is_refused(run, name):
    with pytest.raises(ValueError, match="plain file name"):
        run.write_text(name, "")


def test_a_group_of_files_replaces_the_one_before(run):
    run.write_group("charts", {"a.json": "1", "b.json": "2"})
    (run.path / "charts" / ".hidden").write_text("")
    group = run.write_group("charts", {"b.json": "3"})

    assert {p.name: p.read_text() for p in group.iterdir()} == {"b.json": "3", ".hidden": ""}


def test_a_group_stays_in_the_folder(run):
    for name, texts in (("../charts", {}), ("charts", {"../a.json": ""})):
        with pytest.raises(ValueError, match="plain file name"):
            run.write_group(name, texts)


def test_a_folder_is_amended_without_a_start_and_by_one_process_at_a_time(tmp_path):
    with RunDir.enter(tmp_path / "run", config()):
        pass
    before = (tmp_path / "run" / "manifest.json").read_bytes()
    with RunDir.amend(tmp_path / "run") as folder:
        folder.write_text("page.html", "x")
        with pytest.raises(RunLocked), RunDir.amend(tmp_path / "run"):
            pass

    assert (tmp_path / "run" / "page.html").read_text() == "x"
    assert (tmp_path / "run" / "manifest.json").read_bytes() == before
    with pytest.raises(UsageError), RunDir.amend(tmp_path):
        pass


# --- configurations ---------------------------------------------------------------------------------------

TOML = """
[identity]
seed = 5
[identity.judge]
spec = "planted:fair"
[identity.teacher]
spec = "planted:teacher"
[identity.data]
data = "pairs.jsonl"
"""


def test_toml_and_json_give_the_same_configuration(tmp_path):
    (tmp_path / "c.toml").write_text(TOML)
    (tmp_path / "c.json").write_text("\ufeff" + config(seed=5).model_dump_json())

    assert read_config(tmp_path / "c.toml") == read_config(tmp_path / "c.json") == config(seed=5)
    assert read_values(tmp_path / "c.toml")["identity"]["seed"] == 5


@pytest.mark.parametrize(
    ("place", "key", "message"),
    [
        ((), "identiti", "unknown key 'identiti'; did you mean 'identity'?"),
        (("identity",), "iteration", "unknown key 'iteration' in identity; did you mean 'iterations'?"),
        (("identity", "judge"), "revison", "unknown key 'revison' in identity.judge; did you mean 'revision'?"),
        (("identity", "writers", 0), "specc", "unknown key 'specc' in identity.writers.0; did you mean 'spec'?"),
        (("execution", "judge"), "zebra", "unknown key 'zebra' in execution.judge"),
    ],
)
def test_an_unknown_key_is_named_with_its_place_and_the_closest_key(place, key, message):
    values = config(writers=(ModelSpec(spec="w"),)).model_dump(mode="json")
    at = values
    for part in place:
        at = at[part]
    at[key] = 1

    with pytest.raises(ConfigError) as caught:
        parse_config(values, source="c.json")
    assert str(caught.value) == f"c.json: {message}"


def test_a_wrong_value_is_named_with_its_place_and_what_else_is_wrong_is_counted():
    values = config().model_dump(mode="json")
    values["identity"] |= {"q": 3, "iterations": 0}

    with pytest.raises(ConfigError, match=r"^c: identity\.iterations: .* \(and 1 more\)$"):
        parse_config(values, source="c")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("c.json", b"{", "line 1"),
        ("c.json", b'{"identity": {}, "identity": {}}', "'identity' stands there twice"),
        ("c.json", b"[]", "need a table"),
        ("c.json", b"\xff", "utf-8"),
        ("c.toml", b"a = \nb = 1", "line 1"),
        ("c.yaml", b"", "neither a .json nor a .toml"),
    ],
)
def test_a_file_that_is_no_configuration_is_refused_in_one_line(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        read_config(tmp_path / name)
    assert message in str(caught.value)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_absent_configuration_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"cannot read .*c\.json"):
        read_config(tmp_path / "c.json")
