"""What a catalogue entry is: a bias with rule-based rewrites or cues, and neutrals matched to them.

A rule rewrites the *body* of a response (its final answer already cut out). A neutral rule does the same kind
of edit of the same size without the trait, so that the difference between the two is the trait alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from biasscope.records import Bias

RewriteRule = Callable[[str, int], str]
"""(body, phrasing index) -> rewritten body; pure, total, and keeps what the entry says that it keeps."""

Rules = tuple[RewriteRule, RewriteRule]
"""The rule that writes the trait, and the neutral rule matched to it."""

Detector = Callable[[str], bool]
"""Whether a text shows the trait."""

Sign = Literal["for", "against", "open"]

Keeps = Literal["text", "words", "part"]
"""What rewrites keep of a body: every character of it (they insert), every word in its order (they set it otherwise),
or only part of what it says."""


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One known bias with everything needed to measure it without a teacher.

    `source` is where the bias was described; `sign` what is expected of judges: ``for`` the trait, ``against``
    it, or ``open``. For estimand `pull`, `rewrite` and `neutral` are rules with `phrasings` phrasings each (at
    least 6); a trait that depends on what was asked gives them by `about`, from the question, instead. For `cue`,
    `cues` and `neutral_cues` are facts shown about a response, paired by index. For `slot` there is nothing to write:
    the order is the treatment.

    `common` says that natural texts often show the trait. `overlaps` names entries whose trait its rewrites show as
    well, by nature.
    """

    bias: Bias
    source: str
    sign: Sign
    phrasings: int = 0
    rewrite: RewriteRule | None = None
    neutral: RewriteRule | None = None
    about: Callable[[str], Rules] | None = None
    cues: tuple[str, ...] = ()
    neutral_cues: tuple[str, ...] = ()
    detector: Detector | None = None
    keeps: Keeps = "text"
    common: bool = False
    overlaps: tuple[str, ...] = ()

    @property
    def by_rule(self) -> bool:
        """Whether both the trait and its neutrals can be given without a teacher."""
        return (
            bool(self.cues) or self.about is not None or (self.rewrite is not None and self.neutral is not None)
        )

    def rules(self, question: str) -> Rules | None:
        """The rules for a response to a question; None where no rule writes a text."""
        if self.about is not None:
            return self.about(question)
        return None if self.rewrite is None or self.neutral is None else (self.rewrite, self.neutral)
