"""Run benchmarks: `python -m benchmarks [NAME ...] [--size smoke|small|full] [--json FILE]`.

Prints one JSON object a benchmark as it ends, and a table of all ratios. A target that is missed ends with exit code 0:
timings say something about a machine, and no test depends on them.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
from pathlib import Path
from typing import get_args

from benchmarks.results import Result, Size, machine, table

NAMES = ("start", "client", "replay", "orchestration", "schedule", "growth", "prefix")


def main() -> None:
    """Run what is named, in the order of `NAMES`; all of them without a name."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--size", choices=get_args(Size), default="small")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything there too")
    given = parser.parse_args()
    if unknown := sorted(set(given.names) - set(NAMES)):
        parser.error(f"no benchmark is called {unknown[0]}; there are {', '.join(NAMES)}")
    where = machine()
    print(json.dumps({"machine": where, "size": given.size}), flush=True)
    results: list[Result] = []
    for name in NAMES:
        if not given.names or name in given.names:
            results.append(importlib.import_module(f"benchmarks.{name}").measure(given.size))
            print(json.dumps(results[-1].as_json()), flush=True)
    print(f"\n{table(results)}")
    where["load_at_the_end"] = round(os.getloadavg()[0], 2)
    if given.json is not None:
        found = {"machine": where, "size": given.size, "benchmarks": [r.as_json() for r in results]}
        given.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
