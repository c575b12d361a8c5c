"""Lists of words as patterns, and the words that several readers share. It reads nothing itself."""

from __future__ import annotations

import re


def any_of(words: str) -> str:
    """Turn words and phrases, separated by ``|``, into one pattern; a phrase may be broken by any space.

    A word may itself be a pattern without a bar, such as ``claims?``.
    """
    return "(?:" + "|".join(r"\s+".join(word.split()) for word in words.split("|") if word.strip()) + ")"


def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern for which case does not count."""
    return re.compile(pattern, re.IGNORECASE)


CJK = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
"""A character of a script that puts no space between words."""

ADVERB = any_of("""
    clearly | much | far | slightly | significantly | definitely | overall | still | also | therefore | thus | hence | indeed |
    by far | even | considerably | somewhat | marginally | a bit | a little | generally | ultimately | objectively | simply |
    just | actually | certainly | decidedly | substantially | noticeably | obviously | now | then | again | undoubtedly |
    strongly | rather | in my view
""")
"""What may stand in a sentence of preference without changing it. *Not* and *hardly* are not among them."""
