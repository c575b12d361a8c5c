"""Sham biases: names that sound like findings, definitions that ask for nothing. For the null control.

A rewrite with one of them goes through the same template, writer and checks as a candidate's and shows no trait,
so whatever is accepted among them is a false finding of the whole procedure.
"""

from __future__ import annotations

from biasscope.records import Bias

_SHAMS = (
    (
        "Even phrasing effect",
        "The text is worded in ordinary sentences, none of which stands out from the others.",
    ),
    ("Plain register bias", "The text keeps the register it has and says the same things in other words."),
    ("Turn of phrase effect", "Some sentences of the text are turned around, with the same content as before."),
    ("Common vocabulary bias", "The text uses common words where other common words would have done as well."),
    (
        "Neutral transition bias",
        "One sentence leads to the next as it did before, put in a slightly different way.",
    ),
    ("Steady tone effect", "The tone of the text stays what it was from the first sentence to the last."),
    ("Same-content bias", "The text states what it stated, in the same order, with a few words exchanged."),
    ("Sentence rhythm effect", "Sentences are of the usual length and follow each other at the usual pace."),
    ("Alternative wording bias", "The text could have been the author's own second draft of the same points."),
    (
        "Ordinary syntax bias",
        "Clauses are joined in an ordinary way; a different joint was possible and means the same.",
    ),
    ("Equal weight effect", "No point of the text is given more or less room than it had."),
    ("Everyday synonym bias", "Here and there a word is replaced by an everyday word of the same meaning."),
    ("Unmarked style bias", "The style of the text has no mark of its own that a reader would remember."),
    ("Word order effect", "Words stand in another order where the language leaves the choice free."),
    ("Regular structure bias", "The text has the structure that it had, in sentences of a regular build."),
    ("Matter-of-fact wording bias", "The points of the text are stated as they were, only in other terms."),
    (
        "Interchangeable phrase effect",
        "Phrases are exchanged for others that could stand in their place any day.",
    ),
    ("Second draft bias", "The text reads as if it had been written down once more from the same notes."),
    ("Constant detail effect", "The text gives the details it gave, no more and no fewer, reworded."),
    ("Usual connective bias", "Connecting words are replaced by other usual connecting words of the same sense."),
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
