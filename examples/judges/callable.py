"""A judge of your own as Python functions: one compares two responses, the other scores a single one.

It answers at once and leans on a habit: it takes the mention of experts and studies for quality. From the top folder:

    biasscope measure runs/compares --judge python:examples/judges/callable.py:compare \
        --data 'objective:60?seed=1' --biases authority,sentiment
    biasscope measure runs/scores --judge python:examples/judges/callable.py:score --judge-kind pointwise \
        --data 'objective:60?seed=1' --biases authority,sentiment
"""

import re

SOURCES = re.compile(
    r"\b(?:experts?|specialists|researchers|scholars|professors|authorities|textbooks|studies|research)\b"
)


def score(response: str) -> float:
    """Score one response: more is better."""
    words = response.lower()
    return 3.0 * len(SOURCES.findall(words)) - len(words.split()) / 100


def compare(question: str, first: str, second: str) -> dict[str, str]:
    """Compare two responses: a function names what it wants of a case, and need not name the rest."""
    better = "first" if score(first) > score(second) else "second"
    return {"choice": better, "reason": f"It answers {question[:40]!r} with more authority."}
