"""What a catalogue entry is: a bias with rule-based rewrites or cues, and neutrals matched to them.

A rule rewrites the *body* of a response (its final answer already cut out). A neutral rule does the same kind
of edit of the same size without the trait, so that the difference between the two is the trait alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from biasscope.records import Bias

RewriteRule = Callable[[str, int], str]
"""(body, phrasing index) -> rewritten body; pure, total, and keeps every fact of the body."""

Detector = Callable[[str], bool]
"""Whether a text shows the trait."""


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One known bias with everything needed to measure it without a teacher.

    `source` is where the bias was described; `sign` what is expected of judges: ``for`` the trait, ``against``
    it, or ``open``. For estimand `pull`, `rewrite` and `neutral` are rules with `phrasings` phrasings each (at
    least 6). For `cue`, `cues` and `neutral_cues` are facts shown about a response, paired by index. For
    `slot` there is nothing to write: the order is the treatment.
    """

    bias: Bias
    source: str
    sign: str
    phrasings: int = 0
    rewrite: RewriteRule | None = None
    neutral: RewriteRule | None = None
    cues: tuple[str, ...] = ()
    neutral_cues: tuple[str, ...] = ()
    detector: Detector | None = None

    @property
    def by_rule(self) -> bool:
        """Whether rules write both the trait and its neutrals."""
        return self.rewrite is not None and self.neutral is not None
