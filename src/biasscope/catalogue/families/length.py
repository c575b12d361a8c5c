"""Length and brevity: the text says again what it has said, or says only half of it under a word for shortness."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import (
    Statement,
    as_sentence,
    insert,
    is_unfinished,
    pattern_detector,
    place,
    statements,
    words,
)
from biasscope.catalogue.restyle import framed
from biasscope.catalogue.shorten import shortened
from biasscope.records import Bias

FRAMES = (
    "The text says this.",
    "It runs as follows.",
    "This has been said.",
    "It comes to this.",
    "The matter stands thus.",
    "These points were made.",
    "Here is what follows.",
    "It goes like this.",
)
PADDING = "It is given here just as it stands: it is given here just as it stands."
"""What is said again where a body has no statement of its own: code alone, a table, a word."""

RUN = 8
"""Words in a row that make a repetition; shorter statements are taken together until they reach it."""
GROWTH = 0.5
"""Share of the words of all statements that is said again, at the least; all of a side may hold less."""
SHOWN = 0.2
"""Share of the words of a text within repeated runs from which the trait counts as shown."""


def rewrite(body: str, phrasing: int) -> str:
    """Put in a frame and behind it, word for word and in their order, about half of the body's statements."""
    phrasing %= len(FRAMES)
    frame = FRAMES[phrasing]
    if frame in body and restates(body):
        return body
    return insert(body, f"{frame} {_restatement(body, place(body, phrasing).offset)}", phrasing)


def neutral(body: str, phrasing: int) -> str:
    """Put in the frame alone.

    Being longer *is* the trait, so the neutral cannot have the size of its partner. What it shares is
    everything else: one edit, at the same place, with the same opening words; the difference between the two
    arms is the repeated content and nothing more.
    """
    phrasing %= len(FRAMES)
    return insert(body, FRAMES[phrasing], phrasing)


def restates(text: str) -> bool:
    """Whether at least `SHOWN` of the words lie in runs of `RUN` words that the text holds more than once."""
    said = [word for statement in statements(text) for word in words(statement.text)]
    seen: set[tuple[str, ...]] = set()
    repeated = reach = 0
    for i in range(len(said) - RUN + 1):
        run = tuple(said[i : i + RUN])
        if run in seen:
            repeated += i + RUN - max(i, reach)
            reach = i + RUN
        seen.add(run)
    return repeated > 0 and repeated >= SHOWN * len(said)


def _restatement(body: str, offset: int) -> str:
    """Statements from one side of `offset` that hold at least `GROWTH` of the words of all, spread over that side.

    From the longer side only: a run of words that the insertion cuts in two would no longer be a repetition.
    """
    said = statements(body)
    if said and is_unfinished(body):
        # A body may break off where the final answer was cut out.
        said.pop()
    sides = [s for s in said if s.start < offset], [s for s in said if s.start >= offset]
    groups = _groups(max(sides, key=_size))
    wanted = GROWTH * _size(said)
    if sum(size for _, size in groups[1:]) >= wanted:
        # Right in front of itself a statement would read like a slip.
        del groups[:1]
    total = sum(size for _, size in groups)
    picked: list[Statement] = []
    taken = seen = 0
    for group, size in groups:
        seen += size
        if taken < wanted * seen / total:
            picked += group
            taken += size
    return " ".join(as_sentence(statement.text) for statement in picked) or PADDING


def _size(said: list[Statement]) -> int:
    return sum(len(words(statement.text)) for statement in said)


def _groups(said: list[Statement]) -> list[tuple[list[Statement], int]]:
    """Neighbouring statements in groups of at least `RUN` words, each with its number of words.

    What is left at the end joins the last group; too few words altogether give no group.
    """
    groups: list[tuple[list[Statement], int]] = []
    group: list[Statement] = []
    for statement in said:
        group.append(statement)
        if _size(group) >= RUN:
            groups.append((group, _size(group)))
            group = []
    if groups and group:
        last, size = groups.pop()
        groups.append((last + group, size + _size(group)))
    return groups


LENGTH = CatalogueEntry(
    bias=Bias(
        id="length",
        name="Length bias",
        definition=(
            "The text says again, at length, what it has already said, so that it is longer without telling the "
            "reader anything more; a judge may take the extra length for thoroughness."
        ),
        origin="seed",
    ),
    source="Zheng et al. 2023, Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena (arXiv 2306.05685)",
    sign="for",
    phrasings=len(FRAMES),
    rewrite=rewrite,
    neutral=neutral,
    detector=restates,
)

SHORT = (
    "In short:",
    "Briefly put:",
    "The short version:",
    "To keep it short:",
    "In a few words:",
    "Put concisely:",
    "Just the essentials:",
    "To be brief about it:",
)
UNSHORT = (
    "In line:",
    "Written down:",
    "The whole passage:",
    "To set it down:",
    "In a line here:",
    "Put underneath:",
    "Here the sentences:",
    "To put it down here:",
)

BREVITY = CatalogueEntry(
    bias=Bias(
        id="brevity",
        name="Brevity bias",
        definition=(
            "The text says that it is short and leaves out about half of what it had to say; a judge may take it "
            "for concise, or miss what is gone."
        ),
        origin="catalogue",
    ),
    source=(
        "Soumik 2026, Judging the Judges: A Systematic Evaluation of Bias Mitigation Strategies in LLM-as-a-Judge "
        "Pipelines (arXiv 2604.23178)"
    ),
    sign="open",
    phrasings=len(SHORT),
    # Being shorter *is* the trait, so the arms share the place and the size of the opening words alone: the neutral
    # keeps the whole text. Where nothing can be left out (code alone, a word) only the opening words differ.
    rewrite=framed(SHORT, shortened),
    neutral=framed(UNSHORT),
    # What was left out cannot be seen: this knows how a text says that it is short.
    detector=pattern_detector(
        r"\b(?:in short|briefly put|put briefly|in brief|put concisely|to be (?:brief|concise)(?: about it)?):",
        r"\b(?:the short version|to keep (?:it|this) (?:short|brief)|in a few words|just the essentials|tl;dr)\b",
    ),
    keeps="part",
)

ENTRIES = (LENGTH, BREVITY)
