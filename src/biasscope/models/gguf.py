"""Reads the header of a GGUF file: what a model says about itself before it is loaded. Knows no runtime.

Layout: magic, version, two counts, then key-value pairs; numbers are little-endian (version 2 and later).
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from pathlib import Path

from biasscope.errors import WeightsError

_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_MOST_KEYS = 100_000


@dataclass(frozen=True, slots=True)
class Header:
    """What is needed before loading: the context the model was trained for, and its chat template if it has one."""

    architecture: str
    context: int
    chat_template: str | None


def read_header(path: Path) -> Header:
    """Read the header; raises `WeightsError` for a file that is not GGUF or breaks off."""
    hint = "Give the path of a whole GGUF file, or a name from `biasscope models list`."
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            fields = _read_fields(data)
    except (struct.error, ValueError, KeyError, OverflowError) as error:
        raise WeightsError(f"{path} is not a GGUF file that can be read ({error})", hint=hint) from error
    architecture = str(fields.get("general.architecture", ""))
    context = fields.get(f"{architecture}.context_length")
    template = fields.get("tokenizer.chat_template")
    return Header(
        architecture,
        context if isinstance(context, int) else 0,
        template if isinstance(template, str) and template.strip() else None,
    )


def _read_fields(data: mmap.mmap) -> dict[str, object]:
    """Read all pairs; arrays (vocabularies) are walked over, not kept."""
    magic, version, _, count = struct.unpack_from("<4sIQQ", data, 0)
    if magic != b"GGUF" or not 2 <= version < 1 << 16 or count > _MOST_KEYS:
        raise ValueError("another kind of file")
    at = struct.calcsize("<4sIQQ")
    fields: dict[str, object] = {}
    for _ in range(count):
        key, at = _read_string(data, at)
        (kind,) = struct.unpack_from("<I", data, at)
        fields[key], at = _read_value(data, at + 4, kind)
    return fields


def _read_string(data: mmap.mmap, at: int) -> tuple[str, int]:
    (length,) = struct.unpack_from("<Q", data, at)
    end = at + 8 + length
    if end > len(data):
        raise ValueError("it breaks off")
    return data[at + 8 : end].decode("utf-8", "replace"), end


def _read_value(data: mmap.mmap, at: int, kind: int) -> tuple[object, int]:
    if kind == _STRING:
        return _read_string(data, at)
    if kind == _ARRAY:
        return None, _skip_array(data, at)
    code = "<" + _NUMBERS[kind]
    return struct.unpack_from(code, data, at)[0], at + struct.calcsize(code)


def _skip_array(data: mmap.mmap, at: int) -> int:
    kind, count = struct.unpack_from("<IQ", data, at)
    at += 12
    if kind not in (_STRING, _ARRAY):
        return at + int(count) * struct.calcsize("<" + _NUMBERS[kind])
    length_of = struct.Struct("<Q").unpack_from  # bound once: vocabularies have some hundred thousand entries
    for _ in range(count):
        at = at + 8 + length_of(data, at)[0] if kind == _STRING else _skip_array(data, at)
    return at
