"""Find every place where a judge states a verdict.

Knows verdicts that are announced, in brackets, or told in a sentence. It reads plain text with quotes masked,
and does not know which statements are meant (`retractions.py`) or which one counts (`verdicts.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from biasscope.parsing.grammar import Grammar
from biasscope.parsing.wording import ADVERB, any_of, compiled


@dataclass(frozen=True, slots=True)
class Statement:
    """One verdict in a text. `label` is None where the words are a verdict, but not one that was offered.

    `shape` says how it is stated (a head, brackets ...): equal shapes side by side are a list.
    """

    start: int
    end: int
    label: str | None
    shape: str
    headed: bool = False


_SENTENCE_START = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)[.!?]+[\"')\]]*\s+|\n")
_QUESTION = re.compile(r"[^.\n]{0,60}\?")
_ITEM_NUMBER = re.compile(r"\w\.")
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_ASPECT = compiled(
    r"(?:\s+(?:answer|response|output|option|choice|one|fit))?(?:\s+than\s+(?:the\s+)?[\w ()]{1,20}?)?\s+"
    + any_of("""
        in | on | at | regarding | when | where | from | with regard | with respect | organi[sz]ed | structured | written |
        formatted | laid | styled | worded | aligned
    """)
    + r"\b"
)
_CONCLUDING = compiled(
    r"\W*(?:\w+\W+){0,3}?"
    + any_of("""
        therefore | thus | hence | so | overall | in conclusion | in summary | in short | in sum | to conclude | to sum up |
        finally | ultimately | all in all | on balance | consequently | accordingly | taken together
    """)
    + r"\b"
)
_BOTH_EQUAL = compiled(
    r"\b(?:it(?: i|')s|this is|i(?: would|'d)? call (?:it|this)|i declare)\s+(?:an?\s+)?(?:tie|draw)\b"
    rf"|\b(?:both|the two)\b[^.\n?]{{0,60}}\bare\s+(?:{ADVERB}\s+)*equally good\b"
    r"|\bneither\b[^.\n?]{0,60}\b(?:is|are)\s+(?:\w+\s+)?better\b"
)
_ADVERSATIVE = compiled(rf"\b{any_of('but | yet | however | although | though | except | unless')}\b")


def marked_statements(text: str, grammar: Grammar) -> list[Statement]:
    """Find the verdicts that are announced (``Decision: 1``) or in brackets (``[[A]]``), meant or not."""
    headed = list(_headed(text, grammar))
    covered = [(s.start, s.end) for s in headed]
    bracketed = (s for s in _bracketed(text, grammar) if not any(a <= s.start < b for a, b in covered))
    return sorted([*headed, *bracketed], key=lambda s: s.start)


def told_statements(text: str, grammar: Grammar) -> list[Statement]:
    """Find the verdicts that are told in prose, or that stand alone on the first or last line."""
    found = [*_alone(text, grammar), *_sentences(text, grammar)]
    return sorted(found, key=lambda s: s.start) or list(_leading(text, grammar))


def sentence_before(text: str, position: int) -> str:
    """Give the words of the sentence that come before a position."""
    return _SENTENCE_START.split(text[max(0, position - 400) : position])[-1]


def _headed(text: str, grammar: Grammar) -> Iterator[Statement]:
    for head in grammar.head.finditer(text):
        shape, at = head["head"].casefold(), head.end()
        if value := _label_at(grammar.value, text, at):
            yield Statement(head.start(), value.end(), grammar.label(value["label"]), shape, headed=True)
        elif tie := grammar.tie.match(text, at):
            yield Statement(head.start(), tie.end(), grammar.tie_label, shape, headed=True)
        elif (nothing := grammar.no_choice.match(text, at)) and not _QUESTION.match(text, at):
            yield Statement(head.start(), nothing.end(), None, shape, headed=True)


def _bracketed(text: str, grammar: Grammar) -> Iterator[Statement]:
    for token in grammar.brackets.finditer(text):
        content = token[token.lastindex or 0].strip()
        if inside := grammar.inside.fullmatch(content):
            yield Statement(token.start(), token.end(), grammar.label(inside["label"]), "[")
        elif grammar.tie.fullmatch(content):
            yield Statement(token.start(), token.end(), grammar.tie_label, "[")
        elif len(content) == 1 and content.isalpha():
            yield Statement(token.start(), token.end(), None, "[")


def _alone(text: str, grammar: Grammar) -> Iterator[Statement]:
    lines = list(_LINE.finditer(text))
    for line in dict.fromkeys([*lines[:1], *lines[-1:]]):
        bare = grammar.bare.fullmatch(line[0].strip())
        if bare and _is_meant(bare) and not (len(lines) > 1 and _ITEM_NUMBER.fullmatch(line[0].strip())):
            yield Statement(line.start(), line.end(), grammar.label(bare["label"]), "alone")
        elif grammar.tie.fullmatch(line[0].strip(" .!")):
            yield Statement(line.start(), line.end(), grammar.tie_label, "alone")


def _sentences(text: str, grammar: Grammar) -> Iterator[Statement]:
    for match in grammar.winner.finditer(text):
        aspect = _ASPECT.match(text, match.end())
        if _is_meant(match) and (not aspect or _CONCLUDING.match(sentence_before(text, match.start()))):
            yield Statement(match.start(), match.end(), grammar.label(match["label"]), "told")
    for pattern in (grammar.chosen, grammar.closing):
        for match in pattern.finditer(text):
            if _is_meant(match):
                yield Statement(match.start(), match.end(), grammar.label(match["label"]), "told")
    for match in grammar.told.finditer(text):
        if len(match["label"]) > 1:
            yield Statement(match.start(), match.end(), grammar.label(match["label"]), "told")
    for match in _BOTH_EQUAL.finditer(text):
        label = None if match[0].casefold().startswith("neither") else grammar.tie_label
        yield Statement(match.start(), match.end(), label, "told")


def _leading(text: str, grammar: Grammar) -> Iterator[Statement]:
    lead = grammar.lead.match(text)
    if lead and len(lead["label"]) > 1 and not _ADVERSATIVE.search(text):
        label = grammar.label(lead["label"])
        others = {
            to for word, to in grammar.spellings.items() if re.search(rf"\b{re.escape(word)}\b", text.casefold())
        }
        if others == {label}:
            yield Statement(lead.start(), lead.end(), label, "lead")


def _label_at(pattern: re.Pattern[str], text: str, position: int) -> re.Match[str] | None:
    match = pattern.match(text, position)
    return match if match and _is_meant(match) else None


def _is_meant(match: re.Match[str]) -> bool:
    """Tell a label from the article *a*: a lone small letter must be enclosed or end its clause."""
    label = match["label"]
    if match[0].count("[") > match[0].count("]"):  # brackets that the output limit cut off
        return False
    if len(label) > 1 or not label.islower():
        return True
    text = match.string
    before, after = text[: match.start("label")][-1:], text[match.end("label") :]
    return before in "([_\"'`" or bool(re.match(r"[)\]}\"'`]*\s*(?:[.,;!]|$|\n)", after))
