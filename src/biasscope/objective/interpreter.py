"""A little interpreter: runs the few Python statements that the code questions use, from their text.

It walks the syntax tree and never calls `exec`. It knows whole numbers, lists, `range`, `len`, `sum`, loops
and conditions. Anything else, and any program that runs long, has no outcome.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence

_Value = int | list[int]

_STEPS = 5_000
_LARGEST = 10**12
_OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class _Unknown(Exception):
    """The program uses something that is not known here, or runs too long."""


def run_program(text: str) -> str | None:
    """Run a program and give what it prints, lines joined by newlines; None where it cannot be run here."""
    try:
        tree = ast.parse(text)
        machine = _Machine()
        machine.run(tree.body)
    except (_Unknown, SyntaxError, ValueError, RecursionError, MemoryError, ZeroDivisionError):
        return None
    return "\n".join(machine.printed)


class _Machine:
    def __init__(self) -> None:
        self.printed: list[str] = []
        self._values: dict[str, _Value] = {}
        self._steps = 0

    def run(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            self._steps += 1
            if self._steps > _STEPS:
                raise _Unknown
            self._do(statement)

    def _do(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._values[name] = self._value(value)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                left = ast.Name(id=target.id, ctx=ast.Load())
                self._values[name] = self._number(ast.BinOp(left=left, op=op, right=value))
            case ast.For(target=ast.Name(id=name), iter=iterated, body=body, orelse=[]):
                for number in self._list(iterated):
                    self._values[name] = number
                    self.run(body)
            case ast.While(test=test, body=body, orelse=[]):
                while self._test(test):
                    self.run(body)
            case ast.If(test=test, body=body, orelse=otherwise):
                self.run(body if self._test(test) else otherwise)
            case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=[printed], keywords=[])):
                self.printed.append(str(self._value(printed)))
            case _:
                raise _Unknown

    def _value(self, node: ast.expr) -> _Value:
        match node:
            case ast.Constant(value=int(number)):
                return int(number)
            case ast.Name(id=name) if name in self._values:
                return self._values[name]
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return self._bounded(_OPERATORS[type(op)](self._number(left), self._number(right)))
            case ast.List(elts=elements):
                return [self._number(element) for element in elements]
            case ast.Subscript(value=value, slice=ast.Slice(lower=lower, upper=upper, step=None)):
                start, stop = (None if end is None else self._number(end) for end in (lower, upper))
                return self._list(value)[start:stop]
            case ast.Call(func=ast.Name(id="range"), args=args, keywords=[]) if 1 <= len(args) <= 3:
                numbers = range(*(self._number(arg) for arg in args))
                if len(numbers) > _STEPS:
                    raise _Unknown
                return list(numbers)
            case ast.Call(func=ast.Name(id="sum"), args=[arg], keywords=[]):
                return self._bounded(sum(self._list(arg)))
            case ast.Call(func=ast.Name(id="len"), args=[arg], keywords=[]):
                return len(self._list(arg))
        raise _Unknown

    def _bounded(self, number: int) -> int:
        if abs(number) > _LARGEST:
            raise _Unknown
        return number

    def _number(self, node: ast.expr) -> int:
        value = self._value(node)
        if isinstance(value, list):
            raise _Unknown
        return value

    def _list(self, node: ast.expr) -> list[int]:
        value = self._value(node)
        if isinstance(value, int):
            raise _Unknown
        return value

    def _test(self, node: ast.expr) -> bool:
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
                return _COMPARISONS[type(op)](self._number(left), self._number(right))
        raise _Unknown
