"""The style of a response: traits that have nothing to do with whether it is right.

Each trait is drawn by itself, for each response by itself. The sentences hold for a right and for a wrong
working alike and never say what the answer is. Every trait has marks that no other trait uses (only
`exclamation` has exclamation marks, only `first_person` says I), so that a trait can be told from the text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from biasscope.objective.draw import Draw

RATE = 0.17
"""The probability of each trait."""

MOST_SENTENCES = 6
"""A style with more sentences than this is drawn again, which keeps a response within 120 words."""


Place = Literal["first", "before", "after", "either"]


@dataclass(frozen=True, slots=True)
class StyleSentence:
    """A trait that is one more sentence; `place` says on which side of the working it may stand."""

    place: Place
    wordings: tuple[str, ...]


def _sentence(place: Place, wordings: str) -> StyleSentence:
    return StyleSentence(place, tuple(line.strip() for line in wordings.strip().splitlines()))


SENTENCES: Mapping[str, StyleSentence] = {
    "greeting": _sentence(
        "first",
        """
        Hello there, and welcome.
        Hi, good to see this one.
        Good day to everyone reading.
        Greetings, and a pleasant day.
        Hello, here comes a reply.
        Hi there, hope all is well.
        """,
    ),
    "praise": _sentence(
        "before",
        """
        That is a great question to ask.
        Such a lovely question deserves attention.
        Excellent question, and nicely put.
        This is a wonderful thing to ask.
        A really clever question, well done.
        Asking this shows a sharp mind.
        """,
    ),
    "restating": _sentence(
        "before",
        """
        The task is to find one definite result.
        What is wanted here is a single answer.
        In other words, one result is sought.
        So the request comes down to one result.
        Put differently, a single answer is requested.
        To repeat, the goal is one clear result.
        """,
    ),
    "plan": _sentence(
        "before",
        """
        The plan is to go step by step.
        First the parts, then the whole.
        A few steps in order will do.
        The work below goes in small stages.
        An outline comes first, details after it.
        The route has a start, middle and end.
        """,
    ),
    "fragments": _sentence(
        "either",
        """
        One step. Then the next.
        Slowly now. No rush.
        Short steps. Plain words.
        Step by step. Nothing more.
        Line by line. Bit by bit.
        Simple start. Simple end.
        """,
    ),
    "exclamation": _sentence(
        "either",
        """
        Here we go!
        What fun this is!
        On to the work!
        Let the work begin!
        How nice to see this!
        A real treat, this one!
        """,
    ),
    "rhetorical_question": _sentence(
        "either",
        """
        So where does one begin?
        How can this be tackled?
        What is the way forward here?
        And what comes of that?
        Why make it harder than needed?
        Which path leads there?
        """,
    ),
    "first_person": _sentence(
        "either",
        """
        I like writing each step down.
        I took my time over this.
        I always enjoy this sort of thing.
        My habit is to go slowly.
        I worked through it by hand.
        I prefer to keep my steps visible.
        """,
    ),
    "hedge": _sentence(
        "either",
        """
        Perhaps this is not the only way.
        It seems reasonable to go about it so.
        Possibly there are other views on it.
        It might be read in other ways.
        Maybe another route would look tidier.
        This is probably one way of many.
        """,
    ),
    "confidence": _sentence(
        "either",
        """
        This is said without any doubt.
        These words are written with total confidence.
        Absolutely no hesitation was felt here.
        The writer is completely sure of this.
        This is put forward with full certainty.
        All of it is stated most definitely.
        """,
    ),
    "checked": _sentence(
        "after",
        """
        The steps were read through a second time.
        A second look was taken at each line.
        Each line was gone over twice.
        The working was reviewed before sending.
        Everything above was looked at once more.
        A further pass over the steps was made.
        """,
    ),
    "analogy": _sentence(
        "either",
        """
        It is like climbing a staircase.
        Think of laying bricks in a wall.
        It resembles following a recipe.
        Picture beads moving along a string.
        It is similar to sorting old coins.
        Much like untying a knot, really.
        """,
    ),
    "authority": _sentence(
        "either",
        """
        Standard textbooks teach this method.
        Professors at leading universities recommend this approach.
        Experts in the field work this way.
        According to common handbooks, this is usual.
        Published guides describe the same procedure.
        Research on teaching supports this layout.
        """,
    ),
    "consensus": _sentence(
        "either",
        """
        Most people go about it like this.
        Nearly everyone uses this approach.
        The majority would write it so.
        It is the popular way to proceed.
        Many readers have done it likewise.
        Nine in ten would start here.
        """,
    ),
    "caveat": _sentence(
        "either",
        """
        This takes the wording exactly as given.
        Other readings of the wording are left aside.
        Note that unusual conventions are not considered.
        A limitation is that nothing else is assumed.
        Strictly, this rests on the wording alone.
        One reservation, it relies on the usual meaning.
        """,
    ),
    "offer": _sentence(
        "after",
        """
        More detail is available on request.
        Feel free to ask for more.
        Further help is gladly given.
        Just ask if anything is unclear.
        A longer version can be provided.
        Please reach out with further questions.
        """,
    ),
    "encouragement": _sentence(
        "after",
        """
        With practice this becomes second nature.
        Keep going, it gets easier.
        Everyone can learn to do this.
        A little patience goes a long way.
        Well worth a try on paper.
        Trying a few more builds skill.
        """,
    ),
    "anecdote": _sentence(
        "either",
        """
        A neighbour once posed a similar puzzle.
        Sailors used to pass evenings with these.
        An old almanac has one like it.
        A schoolboy once solved one on a train.
        Grandparents often told riddles of this sort.
        Somewhere a café prints these on napkins.
        """,
    ),
    "jargon": _sentence(
        "either",
        """
        Formally, this is a deterministic procedure.
        Methodologically, the decomposition is canonical.
        The algorithm terminates in finitely many operations.
        Semantically, the constraints are fully specified.
        The formalism employed is purely compositional.
        Structurally, the derivation is hierarchical.
        """,
    ),
}
HEADINGS = ("### Working", "### Steps", "### Solution", "### Reasoning", "### Method", "### How it goes")
LIST_MARKS = ("- ", "* ", "• ", "{n}. ", "{n}) ", "Step {n}: ")
EMOJI = ("🙂", "😊", "👍", "✨", "🎯", "🌟")
BOLD_FORMS = 6

LAYOUTS: Mapping[str, int] = {
    "heading": len(HEADINGS),
    "list": len(LIST_MARKS),
    "bold": BOLD_FORMS,
    "emoji": len(EMOJI),
}
"""Traits that change how the working is laid out, with the number of forms of each."""

TRAITS: Mapping[str, int] = {name: len(s.wordings) for name, s in SENTENCES.items()} | dict(LAYOUTS)
"""All traits, with the number of wordings or forms of each."""

Style = Mapping[str, int]
"""The traits of one response, each with the index of its wording or form."""


def draw_style(draw: Draw) -> Style:
    """Draw every trait independently with probability `RATE`, and a wording for each that came."""
    while True:
        style = {name: draw.integer(0, forms - 1) for name, forms in TRAITS.items() if draw.chance(RATE)}
        if len(style.keys() & SENTENCES.keys()) <= MOST_SENTENCES:
            return style


def write_response(working: Sequence[str], answer: str, style: Style, draw: Draw) -> str:
    """Write a response: the working in this style, then ``Final answer:`` and the answer on the last line.

    `draw` decides on which side of the working the sentences stand and in which order.
    """
    before, after = _place_sentences(style, draw)
    steps = _set_bold(working, style["bold"]) if "bold" in style else list(working)
    if "emoji" in style:
        (after or steps)[-1] += f" {EMOJI[style['emoji']]}"
    if "list" in style:
        mark = LIST_MARKS[style["list"]]
        listed = "\n".join(mark.format(n=n) + step for n, step in enumerate(steps, 1))
        blocks = [" ".join(before), listed, " ".join(after)]
    else:
        blocks = [" ".join([*before, *steps, *after])]
    if "heading" in style:
        blocks.insert(0, HEADINGS[style["heading"]])
    return "\n\n".join([*filter(None, blocks), f"Final answer: {answer}"])


def _place_sentences(style: Style, draw: Draw) -> tuple[list[str], list[str]]:
    before: list[str] = []
    after: list[str] = []
    for name in draw.shuffle([name for name in SENTENCES if name in style]):
        sentence = SENTENCES[name]
        text = sentence.wordings[style[name]]
        if sentence.place == "first":
            before.insert(0, text)
        else:
            leads = sentence.place == "before" or (sentence.place == "either" and draw.chance(0.5))
            (before if leads else after).append(text)
    return before, after


def _set_bold(working: Sequence[str], form: int) -> list[str]:
    """Set the first one to four words of every step in bold (forms 0 to 3), or the whole first or last step."""
    if form < BOLD_FORMS - 2:
        heads = [step.split(" ", form + 1) for step in working]
        return [" ".join([f"**{' '.join(words[: form + 1])}**", *words[form + 1 :]]) for words in heads]
    whole = 0 if form == BOLD_FORMS - 2 else len(working) - 1
    return [f"**{step}**" if n == whole else step for n, step in enumerate(working)]
