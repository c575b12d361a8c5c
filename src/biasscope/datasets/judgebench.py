"""JudgeBench: pairs whose label rests on a checkable answer, as JSON lines with labels ``A>B`` and ``B>A``.

Tan et al. 2024, arXiv 2410.12784. The domain comes from the source of the question, as the benchmark groups it.
"""

from __future__ import annotations

from collections.abc import Iterator

from biasscope.datasets.base import Format, Reading, Sample, by_columns, two_responses
from biasscope.datasets.fields import label, optional_text
from biasscope.datasets.rows import Row

COLUMNS = ("pair_id", "source", "question", "response_A", "response_B", "label")

_DOMAINS = {
    "mmlu-pro": "knowledge",
    "livebench-reasoning": "reasoning",
    "livebench-math": "math",
    "livecodebench": "coding",
}


def domain_of(source: str) -> str | None:
    """Give the benchmark's domain of a question source; None for a source that is not JudgeBench's."""
    return next((domain for start, domain in _DOMAINS.items() if source.startswith(start)), None)


def _read(row: Row) -> Iterator[Reading]:
    better = label(row, "label", {"a>b": "first", "b>a": "second", "a=b": "tie"})
    source = optional_text(row, "source")
    domain = domain_of(source)
    yield two_responses(
        row,
        ("question", "response_A", "response_B"),
        better,
        id_column="pair_id",
        domain=domain or "all",
        source=source,
        objective=domain is not None,
    )


def _looks(sample: Sample) -> bool:
    return all(">" in str(value) or "=" in str(value) for value in sample.values("label"))


FORMAT = Format("judgebench", ", ".join(COLUMNS) + " (A>B or B>A)", "pairs", by_columns(COLUMNS, _read), _looks)
