"""Interpretable numbers of one text: what a judge may go by, counted in the same way in every text.

Counts are log(1 + count), so that the second item of a list weighs more than the twentieth. Words are folded as in
`edits.words`. Sentences are not counted beside words and their mean number a sentence: the logarithm of each of the
three is given by the other two.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from biasscope.catalogue.base import Detector
from biasscope.catalogue.edits import words
from biasscope.catalogue.known import Catalogue, built_in

Count = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class Feature:
    """One number of a text: `name` is its id, `words` how a report says "more of it".

    `bias` is the id of the known bias whose rule-written rewrite tests it, None where no rule writes it.
    """

    name: str
    words: str
    count: Count
    bias: str | None = None


@dataclass(frozen=True, slots=True)
class _Counted:
    """A feature before the catalogue is known: ids of entries that mean the same thing, the first there is counts."""

    name: str
    words: str
    count: Count
    ids: tuple[str, ...] = ()


@lru_cache(maxsize=64)  # every feature of a text asks for them in turn
def _words(text: str) -> tuple[str, ...]:
    return tuple(words(text.replace("\u2019", "'").replace("'", "")))


@lru_cache(maxsize=64)
def _line(text: str) -> str:
    """The words of a text, each between spaces of its own."""
    return "".join(f" {word} " for word in _words(text))


def _log(count: float) -> float:
    return math.log1p(count)


def _matches(pattern: str, *, among: re.RegexFlag = re.NOFLAG) -> Count:
    found = re.compile(pattern, among | re.MULTILINE)
    return lambda text: _log(sum(1 for _ in found.finditer(text)))


def _phrases(listed: str) -> Count:
    """Count phrases, listed between bars, without apostrophes; ``verif*`` stands for every word that begins so."""
    looked = [
        "".join(f" {word.removesuffix('*')}" + ("" if word.endswith("*") else " ") for word in phrase.split())
        for phrase in listed.split("|")
    ]
    return lambda text: _log(sum(_line(text).count(phrase) for phrase in looked))


def _length(text: str) -> float:
    return _log(len(_words(text)))


_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[。！？]|\n+")


def _sentence_length(text: str) -> float:
    """Mean number of words a sentence (or line), as a logarithm."""
    return _log(len(_words(text)) / max(1, sum(1 for part in _SENTENCE_END.split(text) if part.strip())))


def _word_length(text: str) -> float:
    """Mean number of letters a word."""
    found = _words(text)
    return sum(map(len, found)) / max(1, len(found))


_FENCED = re.compile(r"^[ \t]*(```|~~~)", re.MULTILINE)


def _fences(text: str) -> float:
    return _log(len(_FENCED.findall(text)) // 2 + len(_FENCED.findall(text)) % 2)


_COUNTED = (
    _Counted("words", "a longer text", _length, ("length",)),
    _Counted("sentence_length", "longer sentences", _sentence_length),
    _Counted("word_length", "longer words", _word_length),
    _Counted("paragraphs", "more paragraphs", _matches(r"\n[ \t]*\n")),
    _Counted("list_items", "more list items", _matches(r"^[ \t]*(?:[-*+•]|\(?\d{1,3}[.)])[ \t]+\S"), ("list",)),
    _Counted("bold", "more bold text", _matches(r"\*\*[^*\n]+\*\*|__[^_\n]+__"), ("bold",)),
    _Counted("headings", "more headings", _matches(r"^#{1,6}[ \t]+\S"), ("heading",)),
    _Counted("table_rows", "more table rows", _matches(r"^[ \t]*\|.*\|[ \t]*$"), ("table",)),
    _Counted("code_fences", "more code blocks", _fences, ("code_fence",)),
    _Counted("inline_code", "more code within lines", _matches(r"(?<!`)`[^`\n]+`(?!`)"), ("inline_code",)),
    _Counted(
        "latex",
        "more LaTeX",
        _matches(r"\$\$|\$[^$\n]*[\\^_=][^$\n]*\$|\\[(\[]|\\(?:frac|boxed|begin|text|cdot|times|sqrt)\b"),
        ("latex",),
    ),
    _Counted("emoji", "more emoji", _matches("[\U0001f300-\U0001faff\u2600-\u27bf]"), ("emoji",)),
    _Counted("exclamations", "more exclamation marks", _matches(r"!(?=\s|$|[\"')*_])"), ("sentiment",)),
    _Counted("questions", "more question marks", _matches(r"\?(?=\s|$|[\"')*_])"), ("rhetorical_question",)),
    _Counted("numbers", "more numbers", _matches(r"\d+(?:[.,]\d+)*")),
    _Counted("quotations", "more quotations", _matches(r"\"[^\"\n]{2,}\"|“[^”\n]{2,}”|^>[ \t]*\S")),
    _Counted("links", "more links", _matches(r"https?://|\bwww\."), ("fake_url",)),
    _Counted("parentheses", "more parentheses", _matches(r"\([^()\n]{2,}\)")),
    _Counted("capitals", "more words in capitals", _matches(r"\b[A-Z]{3,}\b")),
    _Counted("dashes", "more dashes", _matches(r"—|\s–\s")),
    _Counted(
        "first_person",
        "more about its author (I, my)",
        _phrases("i|im|ive|ill|id|my|me|mine|myself"),
        ("first_person",),
    ),
    _Counted("reader", "more address of the reader (you, your)", _phrases("you|youre|youll|youve|your|yours")),
    _Counted(
        "hedges",
        "more hedging",
        _phrases(
            "perhaps|maybe|possibly|probably|presumably|might|may well|seems|appears|likely|roughly|somewhat"
            "|i think|i believe|i guess|as far as|not sure|not certain|could be|tends to|in some cases"
        ),
        ("hedging",),
    ),
    _Counted(
        "certainty",
        "more certainty",
        _phrases(
            "certainly|definitely|undoubtedly|absolutely|clearly|obviously|surely|no doubt|any doubt|without doubt|beyond doubt"
            "|without question|certain|certainty|guarantee*|undeniabl*|unquestionabl*|confiden*"
        ),
        ("certainty",),
    ),
    _Counted(
        "checks",
        "more claims of having checked",
        _phrases(
            "checked|checking|double check|recheck*|verif*|confirmed|second look|second time|second pass"
            "|further pass|once more|went over|gone over|read through|looked over|reviewed|proofread|twice"
        ),
        ("self_verification",),
    ),
    _Counted(
        "comparisons",
        "more comparisons with everyday things",
        _phrases(
            "like a|like an|it is like|is like|much like|akin to|similar to|just as|much as|think of|imagine|picture|analog*"
            "|resembl*|metaphor*"
        ),
        ("analogy",),
    ),
    _Counted(
        "examples",
        "more examples",
        _phrases("for example|for instance|such as|e g|consider the|to illustrate"),
    ),
    _Counted(
        "summaries",
        "more summing up",
        _phrases(
            "in summary|in short|to sum up|summing up|in conclusion|to conclude|overall|to summari*|in brief|all in all"
            "|recap|the bottom line|in a nutshell"
        ),
        ("summary_line", "summary"),
    ),
    _Counted(
        "signposts",
        "more announcements of what follows",
        _phrases(
            "firstly|secondly|thirdly|next|finally|step by step|lets|let us|here is|here are|here we|below|in what follows"
            "|the plan|i will|we will|an outline|first the"
        ),
        ("signposting",),
    ),
    _Counted(
        "restated",
        "more repeating of the task",
        _phrases(
            "the question|the task|you asked|you are asking|we are asked|is asked|is wanted|is sought|we need to find|the request"
            "|the problem asks|in other words|put differently|to repeat"
        ),
        ("question_repetition",),
    ),
    _Counted(
        "offers",
        "more offers of further help",
        _phrases(
            "let me know|feel free|happy to help|glad to help|hope this helps|hope that helps|just ask|if you have any"
            "|if you need|further help|on request|reach out|further questions|can be provided"
        ),
        ("closing_offer",),
    ),
    _Counted(
        "praise",
        "more praise of the reader or the question",
        _phrases(
            "great question|good question|excellent question|interesting question|wonderful|lovely|well done|clever"
            "|glad you asked|fascinating|sharp mind|nicely put"
        ),
        ("flattery",),
    ),
    _Counted(
        "courtesies",
        "more greetings and courtesies",
        _phrases(
            "hello|hi|hey|greetings|welcome|good day|dear|sure|of course|please|kindly|thank you|thanks|if you would"
        ),
        ("politeness",),
    ),
    _Counted(
        "apologies",
        "more apologies",
        _phrases("sorry|apolog*|unfortunately|regret*|forgive|pardon"),
        ("apology",),
    ),
    _Counted(
        "caveats",
        "more caveats",
        _phrases(
            "however|although|that said|note that|keep in mind|strictly|depends on|on the other hand|caveat*|one reservation"
            "|be aware|important to|but"
        ),
    ),
    _Counted(
        "reasons",
        "more words of reasoning",
        _phrases("because|therefore|thus|hence|since|so that|consequently|as a result"),
    ),
    _Counted(
        "sources",
        "more appeals to sources",
        _phrases(
            "according to|expert*|research*|study|studies|scientist*|specialist*|textbook*|professor*|universit*|journal*|publish*"
            "|scholar*|source*|et al"
        ),
        ("authority",),
    ),
    _Counted(
        "majority",
        "more appeals to what most people think",
        _phrases(
            "most people|most readers|many people|many readers|many others|everyone knows|everyone agrees|nearly everyone"
            "|almost everyone|majority|widely|commonly|popular|consensus|nine in ten|nine out of ten|generally agreed"
        ),
        ("majority",),
    ),
    _Counted(
        "experience",
        "more claims of experience",
        _phrases(
            "years of|in my experience|over the years|i have seen|i have taught|i have worked|as an expert|decades"
        ),
        ("claimed_expertise",),
    ),
    _Counted(
        "technical",
        "more technical vocabulary",
        _phrases(
            "algorithm*|formalis*|semantic*|determinis*|methodolog*|paradigm*|heuristic*|canonical*|decomposi*|stochastic*|hierarch*"
            "|composition*|framework*|parametri*|optimi*|epistem*|ontolog*|dialectic*|orthogonal*|isomorph*|axiom*|topolog*"
            "|recursive*|nonlinear*|asymptot*|invarian*|schema*|taxonom*|tractab*"
        ),
        ("jargon",),
    ),
    _Counted(
        "refusals",
        "more refusing",
        _phrases("i cant|i cannot|i am unable|im unable|as an ai|language model|not able to|i wont|i will not"),
    ),
)
"""The counts; an id that the catalogue does not hold is no link."""


def text_features(catalogue: Catalogue | None = None) -> tuple[Feature, ...]:
    """All features: the counts, then a detector (0 or 1) of each trait of the catalogue that no count stands for.

    Facts that are shown about a response and slots are no traits of a text.
    """
    known = built_in() if catalogue is None else catalogue
    counted = [Feature(one.name, one.words, one.count, _tested_by(known, one.ids)) for one in _COUNTED]
    covered = {bias_id for one in _COUNTED for bias_id in one.ids}
    names = {one.name for one in counted}
    detected = [
        Feature(e.bias.id, f"more signs of {e.bias.name}", _shown(e.detector), e.bias.id if e.by_rule else None)
        for e in known.entries
        if e.detector is not None and e.bias.estimand == "pull" and e.bias.id not in covered | names
    ]
    return (*counted, *detected)


def _tested_by(known: Catalogue, ids: tuple[str, ...]) -> str | None:
    found = (known.get(bias_id) for bias_id in ids)
    return next((e.bias.id for e in found if e is not None and e.by_rule and e.bias.estimand == "pull"), None)


def _shown(detector: Detector) -> Count:
    return lambda text: float(detector(text))
