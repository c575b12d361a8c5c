"""The little interpreter agrees with Python on what it knows, and refuses everything else."""

from __future__ import annotations

import io
from contextlib import redirect_stdout

import pytest

from biasscope.objective import code
from biasscope.objective.draw import Draw
from biasscope.objective.interpreter import run_program


def python_prints(program: str) -> str:
    with redirect_stdout(io.StringIO()) as printed:
        exec(program, {})
    return printed.getvalue().rstrip("\n")


@pytest.mark.parametrize("kind", code.FAMILY.kinds)
def test_generated_programs_print_what_python_prints(kind):
    for number in range(100):
        case = kind.draw(Draw("programs", number))
        program = str(case.fields["program"])
        assert run_program(program) == python_prints(program) == str(case.right["answer"])


@pytest.mark.parametrize(
    "program",
    [
        "x = 7\nif x >= 7:\n    print(x % 4)\nelse:\n    print(0)",
        "x = 7\nif x != 7:\n    print(1)\nelse:\n    print(x // 2 - 5)",
        "values = [3, 1, 2]\nprint(values)\nprint(len(values[:2]))\nprint(sum(values[1:]))",
        "t = 1\nfor i in range(2, 9, 3):\n    t *= i\nprint(t)",
        "n = 3\nwhile n <= 5:\n    n += 1\nif n == 6:\n    print(n)\nif n < 6:\n    print(0)",
    ],
)
def test_small_programs_print_what_python_prints(program):
    assert run_program(program) == python_prints(program)


@pytest.mark.parametrize(
    "program",
    [
        "print(",
        "print(x)",
        "print(1 / 2)",
        "print('text')",
        "print(1 // 0)",
        "print(range(1, 5, 0))",
        "print(len(3))",
        "print([1] + [2])",
        "print(max(1, 2))",
        "print(len(range(10000000)))",
        "__import__('os')",
        "x = [1, 2][0]\nprint(x)",
        "n = 1\nwhile n > 0:\n    n += 1",
        "n = 10\nfor i in range(50):\n    n = n * n",
        "if 1 < 2 < 3:\n    print(1)",
        "for i in 5:\n    print(i)",
        "while 2 > 1:\n    pass",
        "print(\x00)",
    ],
)
def test_what_is_unknown_or_runs_long_has_no_outcome(program):
    assert run_program(program) is None


def test_a_program_that_prints_nothing_prints_an_empty_text():
    assert run_program("x = 1") == ""
