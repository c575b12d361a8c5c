"""A judge that is a function: how it is named, what it is known by, and when it is refused."""

import importlib
from pathlib import Path

import pytest

import biasscope
from biasscope.cli import main
from biasscope.errors import ConfigError, UsageError

from .conftest import PAIRS

MODULE = '''
def longer(first, second):
    """Prefers what is longer."""
    return "first" if len(first) > len(second) else "second"
'''


def longer(first, second):
    return "first" if len(first) > len(second) else "second"


def measure(judge, **more):
    return biasscope.measure(judge, **{"data": PAIRS, "biases": ["length"]} | more)


def status(found):
    return found.effects.filter(id="length")["status"].to_list()


@pytest.fixture
def module(tmp_path):
    """A module of the user's that can be imported, by a name that no other test has."""
    name = f"judges_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(MODULE, encoding="utf-8")
    importlib.invalidate_caches()
    return importlib.import_module(name)


def test_a_function_that_can_be_imported_is_the_judge_of_that_name(module):
    found = measure(module.longer)

    assert found.summary.judges[0].judge == f"python:{module.__name__}:longer"
    assert status(found) == ["accepted"]
    assert measure(f"python:{module.__name__}:longer").path == found.path


def test_any_other_function_has_the_name_that_it_is_given():
    limit = 0

    def closure(first, second):
        return "first" if len(first) - len(second) > limit else "second"

    class Judge:
        def __call__(self, case):
            return longer(case["first"], case["second"])

        async def method(self, first, second):
            return longer(first, second)

    for judge in (closure, Judge(), Judge().method, longer):
        found = measure(biasscope.Named(judge, "longer-1"), run=f"run-{id(judge)}")
        assert found.summary.judges[0].judge == "python:in-process:longer-1"
        assert status(found) == ["accepted"]


@pytest.mark.parametrize("judge", [lambda case: 1, longer.__call__, type("Judge", (), {"__call__": longer})()])
def test_without_a_name_it_is_refused_since_nothing_says_what_it_is(judge):
    with pytest.raises(ConfigError, match="cannot be imported from anywhere") as refused:
        measure(judge)
    assert "biasscope.Named(judge," in refused.value.hint


async def test_a_function_is_called_where_a_loop_is_running_too():
    assert status(measure(biasscope.Named(longer, "longer-2"))) == ["accepted"]


def test_another_name_is_another_judge_and_the_same_name_replays():
    calls = []

    def counted(first, second):
        calls.append(first)
        return longer(first, second)

    first = measure(biasscope.Named(counted, "counted-1"))
    asked = len(calls)
    again = measure(biasscope.Named(counted, "counted-1"))
    assert asked > 0
    assert len(calls) == asked
    assert again.path == first.path
    assert measure(biasscope.Named(counted, "counted-2")).path != first.path
    assert len(calls) == 2 * asked


def test_the_source_of_a_named_function_is_part_of_what_it_is():
    def one(first, second):
        return longer(first, second)

    def other(first, second):
        return longer(second, first)

    first, second = (measure(biasscope.Named(judge, "mine")) for judge in (one, other))
    assert first.path == second.path
    assert second.calls.replayed < first.calls.judge
    assert (status(first), status(second)) == (["accepted"], ["dropped"])


def test_two_functions_are_not_one_judge():
    two = [biasscope.Named(lambda case: 1, "same"), biasscope.Named(lambda case: 2, "same")]
    with pytest.raises(ConfigError, match="two judges are named 'same'"):
        measure(two)


def test_settings_of_a_function_stand_beside_it_in_a_table():
    judge = {"spec": biasscope.Named(lambda response: 2 * len(response), "length-1"), "kind": "pointwise"}
    found = measure(judge)

    assert found.summary.judges[0].judge == "python:in-process:length-1"
    assert found.effects.filter(id="length")["unit"].to_list() == ["score"]


@pytest.mark.parametrize("name", ["", "two words", "a:b", "-", "a" * 81, None])
def test_a_name_is_one_plain_word(name):
    with pytest.raises(ConfigError, match="cannot name a judge"):
        biasscope.Named(longer, name)


def test_what_is_no_function_is_no_named_judge():
    with pytest.raises(ConfigError, match="a judge is a function, got str"):
        biasscope.Named("planted:fair", "x")


def test_a_function_with_other_arguments_is_refused_by_name():
    with pytest.raises(UsageError, match=r"asks for 'answer_a', which a judge is not given"):
        measure(biasscope.Named(lambda answer_a, answer_b: 1, "typo"))


def test_the_command_line_says_that_it_has_no_such_function(capsys):
    measure(biasscope.Named(longer, "mine"), run="run")
    with pytest.raises(SystemExit) as ended:
        main(["measure", "run", "--config", "run/config.json", "--quiet"])

    assert ended.value.code == 2
    assert "no other process has it" in capsys.readouterr().err


def test_a_module_that_was_changed_since_it_was_imported_is_refused(module):
    file = Path(module.__file__)
    file.write_text(MODULE.replace(">", "<"), encoding="utf-8")
    with pytest.raises(UsageError, match="was changed since it was imported"):
        measure(module.longer)

    importlib.invalidate_caches()
    importlib.reload(module)
    assert status(measure(module.longer)) == ["dropped"]
