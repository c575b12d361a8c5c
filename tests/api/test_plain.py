"""The functions of the package: one call and a result, in a script and where a loop is running already."""

import inspect
import json
import subprocess
import sys
import threading
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
import typer

import biasscope
from biasscope.api import plain
from biasscope.api.arguments import FACES
from biasscope.cli import main
from biasscope.cli.app import app
from biasscope.config import GatePolicy, JudgeSpec
from biasscope.errors import CapReached, ConfigError, DataError, RunMismatch, UsageError

from .conftest import DRAWN, FOUND, KNOWN, PAIRS


def measure(judge=DRAWN, **more):
    return biasscope.measure(judge, **{"data": PAIRS, "biases": KNOWN} | more)


def stored(run):
    """The result as the folder holds it."""
    return json.loads((Path(run) / "report.json").read_text(encoding="utf-8"))


# --- the package itself --------------------------------------------------------------------------------------


def test_importing_the_package_loads_nothing_else_and_a_name_loads_what_it_needs():
    seen = (
        "import sys, biasscope\n"
        "heavy = ('numpy', 'polars', 'pydantic', 'altair', 'biasscope.api')\n"
        "before = [m for m in heavy if m in sys.modules]\n"
        "biasscope.measure\n"
        "print(before, 'biasscope.api.plain' in sys.modules, 'altair' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True)

    assert done.stdout == "[] True False\n"


def test_every_name_that_is_announced_is_there_and_no_other_is():
    assert {name for name in biasscope.__all__ if getattr(biasscope, name) is None} == set()
    assert set(biasscope.__all__) <= set(dir(biasscope))
    assert biasscope.measure is plain.measure
    with pytest.raises(AttributeError, match="has no attribute 'mesure'"):
        biasscope.mesure  # noqa: B018


@pytest.mark.parametrize(
    ("command", "known", "own"),
    [
        ("measure", plain.MEASURE, {"on_event", "on_sample", "on_seen"}),
        ("discover", plain.DISCOVER, {"on_event", "on_record", "on_seen"}),
        ("audit", plain.AUDIT, set()),
    ],
)
def test_arguments_are_the_options_of_the_command_by_name(command, known, own):
    options = {parameter.name for parameter in typer.main.get_command(app).commands[command].params}
    assert known - own == options - FACES.keys() - {"logs"}


@pytest.mark.parametrize("function", [biasscope.measure, biasscope.discover, biasscope.audit])
def test_the_names_that_are_refused_are_those_that_the_signature_lacks(function):
    taken = {
        name
        for name, p in inspect.signature(function).parameters.items()
        if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
    }
    assert (
        taken <= {"measure": plain.MEASURE, "discover": plain.DISCOVER, "audit": plain.AUDIT}[function.__name__]
    )


# --- measure -------------------------------------------------------------------------------------------------


def test_a_measurement_is_what_the_command_line_makes_of_the_same_words():
    found = measure(run="python", seed=3)
    with pytest.raises(SystemExit) as ended:
        main(
            [
                "measure",
                "typed",
                "--judge",
                DRAWN,
                "--data",
                PAIRS,
                "--biases",
                ",".join(KNOWN),
                "--seed",
                "3",
                "--quiet",
            ]
        )

    assert ended.value.code == 0
    assert stored("python") | {"run": ""} == stored("typed") | {"run": ""}
    assert found.summary.judges[0].effects[1].status == "accepted"
    assert (found.path, found.report) == (Path("python"), Path("python/report.html"))


def test_without_a_folder_the_same_call_finds_its_run_again_and_pays_nothing():
    first, again = measure(), measure()

    assert first.path == again.path
    assert first.path.parent == Path("biasscope-runs")
    assert first.path.name.startswith("measure-")
    assert first.calls.judge > 0
    assert (again.calls.judge, again.calls.replayed) == (0, first.calls.judge + first.calls.replayed)
    assert measure(max_in_flight=3).path == first.path, "how it is executed is not what it is"


@pytest.mark.parametrize(
    "other",
    [{"seed": 1}, {"biases": ["sentiment"]}, {"judge": "planted:fair"}, {"data": "objective:41?seed=1"}],
    ids=str,
)
def test_another_identity_has_another_folder(other):
    assert measure(**other).path != measure().path


def test_other_content_of_the_same_file_has_another_folder():
    rows = [{"prompt": f"Question {n}?", "chosen": f"Right {n}.", "rejected": f"Wrong {n}."} for n in range(30)]

    def path_of(count):
        Path("pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows[:count]), encoding="utf-8")
        return measure("planted:fair", data="pairs.jsonl").path

    assert path_of(30) != path_of(25)


def test_several_judges_and_ways_of_asking_are_given_as_tables_and_objects():
    judges = [{"spec": DRAWN, "revision": "2"}, JudgeSpec(spec=DRAWN, mode="label")]
    names = measure(judges).effects["judge_name"].unique(maintain_order=True).to_list()

    assert names == [f"{DRAWN} (reason)", f"{DRAWN} (label)"]


def test_how_a_judge_is_asked_is_an_argument():
    assert measure(judge_mode="label").effects["unit"].unique().to_list() != ["fraction"]


@pytest.mark.parametrize("form", ["file", "table", "object"])
def test_a_gate_is_a_file_a_table_or_an_object_and_its_outcome_is_written_where_it_is_asked_for(form):
    Path("policy.toml").write_text("[gate]\nmin_effect = 0.05\n", encoding="utf-8")
    gate = {"file": Path("policy.toml"), "table": {"min_effect": 0.05}, "object": GatePolicy(min_effect=0.05)}[
        form
    ]
    found = measure(gate=gate, junit="out.xml", summary=Path("step.md"))

    assert found.summary.gate == "biased"
    assert Path("out.xml").read_text(encoding="utf-8").startswith("<?xml")
    assert "is biased" in Path("step.md").read_text(encoding="utf-8")


def test_whoever_listens_hears_of_calls_and_stages():
    events, stages = [], []
    measure(on_event=events.append, on_seen=stages.append)

    assert sum(e.count.written for e in {(e.role, e.kind): e for e in events}.values()) > 0
    assert stages


def test_a_file_of_settings_is_taken_and_arguments_win():
    Path("mine.toml").write_text(
        f'[identity]\ndata = "{PAIRS}"\nbiases = ["sentiment"]\nseed = 5\njudges = [{{ spec = "{DRAWN}" }}]\n',
        encoding="utf-8",
    )
    found = biasscope.measure(config="mine.toml", seed=6)

    assert found.summary.seed == 6
    assert found.effects["id"].to_list() == ["position", "sentiment"]


# --- a loop that is running already --------------------------------------------------------------------------


async def test_where_a_loop_is_running_the_run_has_a_thread_of_its_own():
    threads = set()
    found = measure(on_event=lambda _: threads.add(threading.current_thread().name))

    assert found.summary.complete
    assert len(threads) == 1
    assert threads.pop().startswith("biasscope")


async def test_where_a_loop_is_running_an_error_is_the_same_and_the_loop_goes_on():
    with pytest.raises(CapReached, match="the cap of 3 calls"):
        measure(max_calls=3)
    assert measure().calls.replayed >= 3


def test_in_a_script_the_run_is_in_the_thread_of_its_caller():
    threads = set()
    measure(on_event=lambda _: threads.add(threading.current_thread()))

    assert threads == {threading.current_thread()}


# --- what is refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: measure(bias="length"), ["measure has no argument 'bias'", "Did you mean biases?"]),
        (lambda: measure(judge_knd="pointwise"), ["'judge_knd'", "Did you mean judge_kind?"]),
        (lambda: measure(**{"max-calls": 3}), ["'max-calls'", "Did you mean max_calls?"]),
        (lambda: measure(zzz=1), ["'zzz'", "There are biases, config, data,"]),
        (lambda: measure(json=True), ["'json'", "to_json()"]),
        (lambda: biasscope.discover(**FOUND, itertions=1), ["discover has no argument", "Did you mean iterations?"]),
        (lambda: biasscope.discover(**FOUND, dry_run=True), ["'dry_run'", "make_plan"]),
        (lambda: biasscope.audit("x.csv", colums={}), ["audit has no argument 'colums'", "Did you mean columns?"]),
        (biasscope.audit, ["no log is named", 'biasscope.audit("verdicts.csv")']),
    ],
)  # fmt: skip
def test_a_name_that_is_no_setting_is_refused_with_the_nearest_one(call, words):
    with pytest.raises(UsageError) as refused:
        call()
    for word in words:
        assert word in f"{refused.value} {refused.value.hint}"
    assert not Path("biasscope-runs").exists()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: biasscope.measure(data=PAIRS), ["no judge is named", 'Give judge, such as judge="openai:MODEL".']),
        (lambda: biasscope.measure(DRAWN), ["no pairs are named", 'data="objective:100?seed=1"']),
        (lambda: measure("plnted:fair"), ["'plnted:fair' is not a model spec", "did you mean planted:fair?"]),
        (lambda: measure(5), ["a judge is a spec or a table of settings, got int"]),
        (lambda: measure(judge_kind="pair"), ["the arguments: judge_kind: Input should be"]),
        (lambda: measure(limit=0), ["the arguments: limit: Input should be greater"]),
        (lambda: measure({"spec": DRAWN, "mod": "label"}), ["unknown key 'mod'", "did you mean 'mode'?"]),
        (lambda: measure(gate={"min_efect": 0.1}), ["gate: unknown key 'min_efect'", "did you mean 'min_effect'?"]),
        (lambda: measure(rewrites="teacher"), ["no teacher is named that could write", 'teacher="openai:MODEL"']),
        (lambda: measure(junit="x.xml"), ["junit tells the outcome of a gate", 'gate="FILE"']),
        (lambda: measure(judge_prompt="none.txt"), ["the judge prompt none.txt cannot be read"]),
        (lambda: measure(scale="1-10"), ["a pairwise judge has no scale", 'judge_kind="pointwise"', "or no scale"]),
        (lambda: biasscope.discover(**FOUND | {"judge": [DRAWN, DRAWN]}), ["discovered on one judge"]),
        (lambda: biasscope.discover(DRAWN, data=PAIRS), ["no teacher is named", 'proposer="features" needs none']),
        (lambda: biasscope.discover(**FOUND, one_side="no"), ["one_side is True or False, got 'no'"]),
        (lambda: biasscope.discover(**FOUND, preset="paper", judge_mode="label"), ['preset="paper" fixes judge-mode']),
    ],
)  # fmt: skip
def test_a_setting_that_does_not_fit_is_refused_in_the_words_of_python(call, words):
    with pytest.raises(UsageError) as refused:
        call()
    told = f"{refused.value} {refused.value.hint}"
    for word in words:
        assert word in told
    assert "--" not in told
    assert refused.value.__notes__ == [f"Hint: {refused.value.hint}"]


def test_another_identity_in_the_same_folder_is_refused_with_what_differs():
    measure(run="one")
    with pytest.raises(RunMismatch, match="seed: 0 -> 4") as refused:
        measure(run="one", seed=4)
    assert "ledger=" in refused.value.hint


# --- discover ------------------------------------------------------------------------------------------------


def test_a_discovery_gives_the_summary_of_the_command(discovered):
    assert discovered.summary.status == "found"
    assert discovered.summary.model_dump(mode="json") == stored(discovered.path)
    assert discovered.effects.filter(status="accepted")["id"].to_list() == [
        t.id for t in discovered.summary.trials if t.status == "accepted"
    ]


def test_more_iterations_continue_the_folder_of_a_discovery():
    short = {"discovery": "objective:12?seed=1", "validation": "objective:30?seed=2"}
    models = {"judge": "planted:two-biases", "teacher": "planted:teacher"}
    one = biasscope.discover(**models, **short, iterations=1)
    two = biasscope.discover(**models, **short, iterations=2)

    assert one.path == two.path
    assert one.path.name.startswith("discover-")
    assert two.calls.replayed >= one.calls.judge


def test_what_is_switched_off_and_on_is_said_with_true_and_false():
    Path("mine.toml").write_text(
        '[identity]\nconfirm = true\n[identity.judge]\nspec = "planted:fair"\n'
        '[identity.teacher]\nspec = "planted:teacher"\n',
        encoding="utf-8",
    )
    from biasscope.api.options import discover_config

    given = {"config": "mine.toml", "data": PAIRS, "confirm": False, "no_deeper_explain": True, "one_side": True}
    identity = discover_config(given).identity

    assert (identity.confirm, identity.deeper_explain, identity.both_sides) == (False, False, False)


# --- load ----------------------------------------------------------------------------------------------------


def test_a_run_is_read_back_to_the_result_that_it_gave(measured, discovered):
    assert biasscope.load(measured.path) == measured
    assert biasscope.load(str(discovered.path)) == discovered
    with pytest.raises(FrozenInstanceError):
        measured.path = Path("elsewhere")


def test_a_run_that_was_stopped_before_it_had_a_result_says_how_to_go_on():
    with pytest.raises(CapReached) as stopped:
        measure(run="stopped", max_calls=5)
    assert "Raise max_calls and run the same command" in stopped.value.hint
    with pytest.raises(DataError, match="stopped holds no result yet"):
        biasscope.load("stopped")


def test_an_unfinished_discovery_has_what_it_held_when_it_stopped():
    def stop_at_the_first_iteration(record):
        if type(record).__name__ == "Iteration":
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        biasscope.discover(**FOUND, run="stopped", on_record=stop_at_the_first_iteration)
    found = biasscope.load("stopped")

    assert not found.summary.complete
    assert found.report is None
    assert found.effects.height == len(found.summary.trials)
    assert "not finished" in repr(found)
    assert "not finished" in found._repr_html_()
    with pytest.raises(DataError, match="verdicts"):
        found.verdicts  # noqa: B018


def test_a_run_of_a_newer_schema_and_a_folder_that_is_none_are_refused(measured):
    run = Path("newer")
    run.mkdir()
    for name in ("config.json", "report.json"):
        (run / name).write_text((measured.path / name).read_text(encoding="utf-8"), encoding="utf-8")
    (run / "report.json").write_text(
        (run / "report.json").read_text(encoding="utf-8").replace("biasscope.measure/1", "biasscope.measure/2"),
        encoding="utf-8",
    )
    with pytest.raises(DataError, match="newer biasscope"):
        biasscope.load(run)
    with pytest.raises(UsageError, match="is not a run folder"):
        biasscope.load("absent")


def test_an_error_of_a_model_names_its_own_kind():
    with pytest.raises(ConfigError, match="a teacher is a spec or a table of settings, got function"):
        measure(teacher=lambda prompt: prompt)
