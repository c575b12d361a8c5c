"""Tiny files written by the tests, and the folder of public data."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[..., str]


@pytest.fixture
def write(tmp_path) -> Write:
    """Write text, bytes or rows (as JSON lines, or a JSON document for a name in .json) and give the path."""

    def write_file(content, name: str = "data.jsonl") -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_bytes(content.encode())
        elif name.endswith(".json"):
            path.write_text(json.dumps(content), encoding="utf-8")
        else:
            path.write_text("".join(json.dumps(row) + "\n" for row in content), encoding="utf-8")
        return str(path)

    return write_file


@pytest.fixture
def shared_data() -> Path:
    """The folder of public data sets; skips where it is absent."""
    default = Path(__file__).parents[2].parent / "shared" / "data"
    folder = Path(os.environ.get("BIASSCOPE_SHARED_DATA", default))
    if not folder.is_dir():
        pytest.skip(f"no public data at {folder}; set BIASSCOPE_SHARED_DATA")
    return folder
