"""The patterns by which judges write a verdict, compiled for one format.

Knows how a label may be dressed (*Answer* 1, *model*_a, ``(2)``), what announces it and what may follow it. It
reads plain text (`plain.py`) and decides nothing: which of several statements counts is for `verdicts.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from biasscope.parsing.formats import VerdictFormat
from biasscope.parsing.wording import ADVERB, CJK, any_of, compiled

# A label ends here: 12, 1.5, 1-2, 1/2, 1 %, 1st and CI are other words than 1 and C.
_BOUND = rf"(?!(?!{CJK})\w)(?![.,:]\d)(?!-\w)(?!\s*[/%])(?!'(?!s\b)\w)"
# Repetitions are bounded, so that a text of twenty thousand quotation marks takes no longer than any other.
_OPEN = r"(?:[\s(\[{<\"'`]|\\boxed\s?\{){0,12}"
_CLOSE = r"[)\]}>\"'`]{0,8}"

_IS_BETTER = (
    rf"{any_of('is | was | remains | comes out | came out')}\s+(?:{ADVERB},?\s+)*(?:the\s+|my\s+|an?\s+)?(?:{ADVERB}\s+)*"
    + any_of("""
        better | best | superior | preferred | preferable | stronger | strongest | winner | winning | choice | pick | favou?rite |
        ahead | on top
    """)
    + r"\b"
)
_WINS = any_of("""
    wins | won | win | prevails | beats | outperforms | surpasses | takes it | takes this one | takes the win | gets my vote |
    gets my preference | has the edge | should win | should be preferred | should be chosen
""")
_PREDICATE = rf"(?:{ADVERB},?\s+)*(?:{_IS_BETTER}|{_WINS}\b)"

# What may come after a label that is a value: the end, punctuation, a reason, or that it is better.
_REASON = any_of(
    "because | since | as | due | given | by | over | beats | for | with | here | overall | instead | rather | than | on balance"
)
_FOLLOW = (
    r"(?=\s*(?:$|\n)|\s*[.!;,]|\s*(?:--?|[–—])(?:\s|[^\W\d])|\s*[(|\[]|\s*</|\s*:\s+[^\W\d]"
    r"|\s*(?:更|较好|胜|获胜|优|です|だ|が|の方|号|입니다)"
    rf"|\s+{_REASON}\b|(?<=[^\W\d_]\))\s+(?!(?:is|was|or|and|vs|would)\b)|\s+{_PREDICATE})"
)
_TIE = (
    r"(?:(?:it'?s|it is|this is|call(?:ing)? it)\s+)?(?:an?\s+)?(?:(?:clear|perfect|exact|near|effective)\s+)?"
    + any_of("tie | tied | draw | equal | equally good | even | 平局 | 平手 | 引き分け | 무승부")
    + r"(?![\w-])(?!\s*\?)|both\b[^.\n?]{0,40}\b"
    + any_of("equal | equally good | equally well | equally strong | equally correct | ties? | tied | the same")
    + r"\b(?!\s*\?)"
)
_NO_CHOICE = (
    any_of("""
        neither | none | both | either | no winner | no verdict | no decision | unclear | undecided | unknown | undetermined |
        inconclusive | n/a | null | nil | error | invalid | cannot | can't | unable | not
    """)
    + r"\b|[a-z](?=\s*[.!]?\s*(?:$|\n))|[-+]?\d"
)
_SEPARATOR = (
    r"[\"'`\])]{0,4}(?:\s{0,4}(?::|=>?|[-–—]+>?|→|[|\])>])\s*[:>]?|\s+(?:is|was)\s+(?:that\s+)?|\s+(?:goes|go|went)\s+to\s+"
    rf"|(?<={CJK})\s*[は是]\s*)"
)
_CHOOSE = (
    rf"\b(?:I|we)(?:'d|'ll|'m| would| will| am| have| must| do)?\s+(?:{ADVERB}\s+)*(?:have to\s+)?"
    + any_of("""
        prefer | choose | chose | pick | picked | select | selected | go with | going with | went with | vote for | voted for |
        favou?r | side with | opt for | decide on | decided on | decide for | decided for
    """)
    + r"\b"
)


@dataclass(frozen=True, slots=True)
class Grammar:
    """The compiled patterns of one format.

    `head` announces; `value` and `tie` read what stands behind it (`no_choice`: a verdict that offers none);
    `brackets` enclose, `inside` reads between them. The rest is prose: `bare` is a line that is a label,
    `closing` a named label after a colon at the end, `winner` "Answer 1 is better", `chosen` "I prefer 1",
    `told` "the answer is correct", `lead` "Yes, ...". `announced` ends where a value would begin.
    """

    spellings: dict[str, str]
    tie_label: str | None
    head: re.Pattern[str]
    value: re.Pattern[str]
    tie: re.Pattern[str]
    no_choice: re.Pattern[str]
    brackets: re.Pattern[str]
    inside: re.Pattern[str]
    bare: re.Pattern[str]
    closing: re.Pattern[str]
    winner: re.Pattern[str]
    chosen: re.Pattern[str]
    told: re.Pattern[str]
    lead: re.Pattern[str]
    announced: re.Pattern[str]

    def label(self, spelling: str) -> str:
        """Look up a spelling that one of the patterns read as a label."""
        return self.spellings[_folded(spelling)]


@lru_cache(maxsize=64)
def grammar(form: VerdictFormat) -> Grammar:
    """Compile the patterns of a format."""
    words = (*form.offered, *(spelling for spelling, _ in form.aliases))
    label = rf"(?P<label>{'|'.join(_spelled(word) for word in sorted(words, key=len, reverse=True))}){_BOUND}"
    noun = rf"(?:{_either(form.nouns)})(?:s\b)?"
    dress = r"[\s_\-#]{0,4}(?:number\s+|no\.\s?)?[(\[\"'`#]{0,4}"
    named = rf"(?<!\w)(?:the\s+)?{noun}{dress}{label}"
    any_label = rf"(?:the\s+)?(?:{noun}{dress}|[(\[\"'`#]{{0,4}}){label}"
    owner = rf"{_CLOSE}(?:'s(?:\s+{noun})?)?{_CLOSE}"
    spelled = label.replace("?P<label>", "?:")
    another = rf"(?!\s*(?:[,;/|&]|or\b|and\b|vs\b)\s*{_OPEN}(?:{noun}{dress})?{spelled}{_CLOSE}\s*(?:[.?!,;]|$|\n|or\b|and\b))"
    value = rf"{_OPEN}(?:not\s+(?:{noun}{dress})?[^\s,]+\s*,?\s*but\s+(?:rather\s+)?)?{_OPEN}{any_label}{owner}"
    ranked = (
        rf"(?:better|best|preferred|superior|stronger|winning)\s+(?:{noun}|one)"
        r"(?:\s+(?:for|to|of|in)\b[^.:;\n]{0,80}?)?"
    )
    head = rf"(?:(?<![^\W_])|(?<={CJK}))(?P<head>{_either(form.heads)}|{ranked})(?!(?!{CJK})\w)"
    behind = rf"(?:[\"'`\])]{{0,4}}\s?:?[ \t]{{0,4}}\n\s{{0,4}}(?:[-•]\s+)?|{_SEPARATOR}(?:{ADVERB}\s*[,:]?\s+)*)"
    subject = rf"(?:(?:the|this|its?|that)\s+(?:final\s+)?(?:{noun}|result|work|claim)\s+(?:is|was|does)|it\s+is|it|this)\s+"
    pairs = "|".join(rf"{_spaced(left)}([^\[\]{{}}\n]{{1,24}}){_spaced(right)}" for left, right in form.brackets)
    patterns = {
        "head": head + behind,
        "value": value + another + _FOLLOW,
        "tie": rf"{_OPEN}(?:{_TIE}){_CLOSE}",
        "no_choice": rf"{_OPEN}(?:{noun}[\s_]*)?(?:{_NO_CHOICE})",
        "brackets": pairs or r"(?!)",
        "inside": rf"{any_label}[)\"'`]{{0,4}}",
        "bare": rf"[(\[{{<\"'`]{{0,8}}{any_label}{owner}\s?[.!]{{0,3}}",
        "closing": rf":\s*{_OPEN}{named}{_CLOSE}\s*[.!]*\s*$",
        "winner": rf"{named}{owner}\s*{_PREDICATE}",
        "chosen": rf"(?:{_CHOOSE}|\bin favou?r of\b)\s*(?:that\s+)?{_OPEN}{any_label}{owner}{_FOLLOW}",
        "told": rf"(?<!\w){subject}(?:{ADVERB}\s+)*{label}(?=\s*(?:[.!,;\n]|$))",
        "lead": rf"\W*{label}\s*(?:[,;:.!]|--?|[–—])",
        "announced": rf"(?:{head}{behind}|{_CHOOSE}\s+)$",
    }
    rules = {name: compiled(pattern) for name, pattern in patterns.items()}
    spellings = {_folded(word): word for word in form.offered} | {_folded(word): to for word, to in form.aliases}
    return Grammar(spellings=spellings, tie_label=form.tie, **rules)


def _folded(spelling: str) -> str:
    # A pattern that ignores case takes the dotless and the dotted i of Turkish for an i.
    return "".join(spelling.split()).replace("ı", "i").replace("İ", "i").casefold()


def _spelled(spelling: str) -> str:
    words: list[str] = re.findall(r"\w+|[^\w\s]+", spelling)
    pattern = re.escape(words[0])
    for left, right in pairwise(words):
        pattern += (r"\s+" if left[-1].isalnum() and right[0].isalnum() else r"\s*") + re.escape(right)
    return pattern


def _spaced(bracket: str) -> str:
    return r"\s*".join(re.escape(part) for part in re.findall(r"\w+|[^\w\s]", bracket))


def _either(words: tuple[str, ...]) -> str:
    return "|".join(r"\s+".join(map(re.escape, word.split())) for word in sorted(words, key=len, reverse=True))
