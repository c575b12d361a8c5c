"""A function by where it is, and where it is by the function: a file or a module of the user's, imported as Python itself
would. Calls nothing of it.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from difflib import get_close_matches
from hashlib import sha256
from pathlib import Path
from types import CodeType, ModuleType

from biasscope.errors import UsageError
from biasscope.models.programs import first_line, hash_of

Function = Callable[..., object]


def find_function(place: str, name: str, hint: str) -> tuple[Function, list[str]]:
    """Import ``package.module`` or ``path/to/file.py`` and return its function with the hashes of its source files.

    A path counts from the working folder, and modules are found there too. The files are those that the function is
    named in and defined in: what it calls is not seen. Raises UsageError with `hint` where there is none.
    """
    module = _load(place, hint)
    function = _find(module, name, place, hint)
    _refuse_changed(module)
    return function, _sources(module, function)


def place_of(function: Function) -> str | None:
    """Where another process finds the same function, as ``package.module:FUNCTION``; None where it cannot.

    A script's own functions are not found by importing it, which would run it again.
    """
    module, name = sys.modules.get(getattr(function, "__module__", "")), getattr(function, "__name__", "")
    if module is None or module.__name__ == "__main__" or getattr(module, "__spec__", None) is None:
        return None
    return f"{module.__name__}:{name}" if getattr(module, name, None) is function else None


def source_hash(function: Function) -> str | None:
    """The sha256 of a function's own source text; None where there is none to be read. What it calls is not seen."""
    owner = function if inspect.isroutine(function) else type(function)
    try:
        return sha256(inspect.getsource(inspect.unwrap(owner)).encode()).hexdigest()
    except (TypeError, OSError):  # not written in Python, or typed where nothing keeps it
        return None


def _load(place: str, hint: str) -> ModuleType:
    path = Path(place)
    is_file = path.suffix == ".py" or path.is_file()
    if is_file and not path.is_file():
        raise UsageError(f"there is no file {place}", hint=f"{hint} A path counts from {Path.cwd()}.")
    _make_importable(path.resolve().parent if is_file else Path.cwd())
    try:
        return _load_file(path.resolve()) if is_file else importlib.import_module(place)
    except ModuleNotFoundError as error:
        if not is_file and error.name is not None and f"{place}.".startswith(f"{error.name}."):
            raise UsageError(f"there is no module {error.name!r}", hint=hint) from error
        raise UsageError(
            f"{place} cannot be imported: {first_line(error)}", hint="Install what it needs."
        ) from error
    except (Exception, SystemExit) as error:
        raise UsageError(f"{place} cannot be imported: {first_line(error)}", hint="Correct the file.") from error


def _make_importable(folder: Path) -> None:
    """As for ``python FILE`` and ``python -m MODULE``: what lies beside it can be imported, now and later."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def _load_file(path: Path) -> ModuleType:
    # A name that no module of the user's has.
    name = f"biasscope_judge_{sha256(str(path).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_loader(name, importlib.machinery.SourceFileLoader(name, str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _find(module: ModuleType, name: str, place: str, hint: str) -> Function:
    found: object = getattr(module, name, None)
    if found is None:
        there = [n for n, v in vars(module).items() if inspect.isfunction(v) and not n.startswith("_")]
        close = get_close_matches(name, there, n=1)
        instead = f"Did you mean {close[0]}?" if close else f"It has {', '.join(there[:8]) or 'no functions'}."
        raise UsageError(f"{place} has no function {name!r}", hint=instead)
    if not callable(found) or inspect.isclass(found):
        raise UsageError(f"{name!r} in {place} is no function but a {type(found).__name__}", hint=hint)
    return found


def _refuse_changed(module: ModuleType) -> None:
    """Raise UsageError for a module whose file is no longer what was imported: its hash would name what does not run.

    Seen in the functions of the file; one that is loaded in another way than Python's own is left alone.
    """
    file = getattr(module, "__file__", None)
    loader = getattr(getattr(module, "__spec__", None), "loader", None)
    if file is None or type(loader) is not importlib.machinery.SourceFileLoader:
        return
    codes = [
        f.__code__ for f in vars(module).values() if inspect.isfunction(f) and f.__code__.co_filename == file
    ]
    try:
        written = set(_codes(compile(loader.get_data(file), file, "exec", dont_inherit=True)))
    except (OSError, SyntaxError, ValueError):
        written = set()
    if not written.issuperset(codes):
        raise UsageError(
            f"{file} was changed since it was imported",
            hint="Import it again (importlib.reload, or a new process), so that what runs is what is written there.",
        )


def _codes(code: CodeType) -> Iterator[CodeType]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _codes(inner)


def _sources(module: ModuleType, function: Function) -> list[str]:
    """Hashes of the files that the function was named in and is defined in; what it calls is not seen."""
    files = {getattr(module, "__file__", None)}
    with suppress(TypeError, OSError):  # not written in Python
        owner = function if inspect.isroutine(function) else type(function)
        files.add(inspect.getsourcefile(inspect.unwrap(owner)))
    return sorted({hash_of(Path(f)) for f in files if f is not None and Path(f).is_file()})
