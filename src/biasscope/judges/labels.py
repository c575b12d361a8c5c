"""Our pairwise prompts with other labels for the two responses. Knows the words of the prompt files, fills in nothing."""

from __future__ import annotations

import re

from biasscope import prompts

SCHEMES: tuple[tuple[str, str], ...] = (("1", "2"), ("A", "B"), ("X", "Y"), ("P", "Q"), ("3", "4"), ("K", "L"))
"""Pairs of labels, the one that is usually read first in front; all single tokens, so that label mode can score them."""

_ONE, _OTHER = SCHEMES[0]


def relabelled(name: str, labels: tuple[str, str], variant: int = 0) -> tuple[str, str]:
    """The system and user part of a prompt that calls the responses by `labels` in place of 1 and 2."""
    one, other = labels
    system, user = prompts.variants(name)[variant]
    # In one pass, so that labels that are exchanged do not meet.
    words = {
        "a single digit": "a single digit" if one.isdigit() else "a single letter",
        f"{_ONE} or {_OTHER}": f"{one} or {other}",
        f"Verdict: {_ONE}": f"Verdict: {one}",
        f"Verdict: {_OTHER}": f"Verdict: {other}",
        f"response_{_ONE}>": f"response_{one}>",
        f"response_{_OTHER}>": f"response_{other}>",
    }
    found = re.compile("|".join(re.escape(word) for word in words))

    def put(part: str) -> str:
        return found.sub(lambda match: words[match[0]], part)

    return put(system), put(user)
