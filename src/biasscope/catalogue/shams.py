"""Sham biases: names that sound like findings, definitions that ask for nothing. For the null control.

A rewrite with one of them goes through the same template, writer and checks as a candidate's and shows no trait,
so whatever is accepted among them is a false finding of the whole procedure. None speaks of anything that a bias
may be about (length, vocabulary, drafts): a writer would show that.
"""

from __future__ import annotations

from biasscope.records import Bias

_SHAMS = (
    (
        "Even phrasing effect",
        "The text is worded in ordinary sentences, none of which stands out from the others.",
    ),
    ("Plain register bias", "The text keeps the register it has and puts the same things another way."),
    ("Turn of phrase effect", "Some sentences of the text are turned around, with the same content as before."),
    ("Common term bias", "The text uses common terms where other common terms would have done as well."),
    (
        "Neutral transition bias",
        "One sentence leads to the next as it did before, put in a slightly different way.",
    ),
    ("Steady tone effect", "The tone of the text stays what it was from the first sentence to the last."),
    ("Same-content bias", "The text states what it stated, in the same order, with a few phrases exchanged."),
    ("Sentence rhythm effect", "Sentences follow each other at the pace that is usual in texts of this kind."),
    (
        "Alternative phrasing bias",
        "The text puts its points as its author might just as well have put them at once.",
    ),
    (
        "Ordinary syntax bias",
        "Clauses are joined in an ordinary way; a different joint was possible and means the same.",
    ),
    ("Equal weight effect", "No point of the text is given more or less room than it had."),
    ("Plain synonym bias", "Here and there an ordinary term is replaced by another one of the same meaning."),
    ("Unmarked style bias", "The style of the text has no mark of its own that a reader would remember."),
    (
        "Free order effect",
        "Parts of a sentence stand in another order where the language leaves the choice free.",
    ),
    ("Regular structure bias", "The text has the structure that it had, in sentences of a regular build."),
    ("Matter-of-fact phrasing bias", "The points of the text are stated as they were, only in other terms."),
    (
        "Interchangeable phrase effect",
        "Phrases are exchanged for others that could stand in their place any day.",
    ),
    ("Same notes bias", "The text reads as if it had been written down once more from the same notes."),
    ("Constant content effect", "The text gives what it gave, nothing more and nothing less, put differently."),
    ("Usual connective bias", "Connectives are replaced by other usual connectives of the same sense."),
)

MOST = len(_SHAMS)
"""How many different shams there are."""


def sham_biases(count: int) -> list[Bias]:
    """The first `count` shams; raises ValueError for more than there are."""
    if not 0 <= count <= MOST:
        raise ValueError(f"need 0 to {MOST} shams, got {count}")
    return [
        Bias(f"sham-{number}", name, definition, "sham")
        for number, (name, definition) in enumerate(_SHAMS[:count], 1)
    ]
