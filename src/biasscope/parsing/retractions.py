"""Tell which stated verdicts are meant.

Knows how judges take a statement back: drafts, conditions, negations, questions, other people's words, and the
list of choices copied from the prompt. It does not choose among the statements that stand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, takewhile

from biasscope.parsing.statements import Statement, sentence_before
from biasscope.parsing.wording import any_of, compiled

_END = r"\W*$"
_MODIFIED = compiled(
    r"\b(?:"
    + any_of(
        "draft | initial | first | tentative | preliminary | provisional | earlier | previous | naive | sample | example"
    )
    + "|"
    + any_of("its | their | his | her | whose | correct | right")
    + r"(?:\s+(?:own|final))*|not (?:my|the|a)(?: final)?)\s+$"
)
_NEGATED = compiled(
    r"(?:\b"
    + any_of("""
        not | never | cannot | no longer | rather than | instead of | neither | nor | without | except | against | over |
        than | versus
    """)
    + r"\b|n't\b)(?:\s+"
    + any_of("""
        be | been | choose | pick | say | said | give | given | go | going | with | award | select | vote | for | think | believe |
        find | argue | earn | deserve | get | that | case | true | clear | obvious | convinced | really | quite | yet | (?-i:an?) |
        the | to | my | verdict | is
    """)
    + rf")*{_END}"
)
_HEDGED = compiled(
    r"\b(?:(?:would|could|might|should)(?:n't)? have|(?:would|could)'ve|(?:could|might|may)(?: \w+)? "
    + any_of("argue | say | pick | prefer | choose | claim | favou?r")
    + "|"
    + any_of(r"""
        perhaps | maybe | possibly | leaning | leans? | leaned | tempted | at first | initial | initially | draft | preliminary |
        tentative | tentatively | almost | nearly | for example | for instance | e\.g\. | such as
    """)
    + "|first "
    + any_of("pass | draft | idea | thought | impression | glance | instinct | guess")
    + r")\b[^\n]*$"
)
_OTHERS = compiled(
    r"(?<!\bI )(?<!\bwe )\b"
    + any_of("""
        says | said | writes | wrote | claims | claimed | states | stated | prints | printed | reads | contains | quotes |
        argues | argued | suggests | suggested | believes | believed | thinks | thought | insists | insisted | asserts |
        ends with | ended with | may | might | some
    """)
    + r"(?:\s+that)?\s*[:,]?\s*$"
)
_CONDITIONAL = compiled(
    rf"^\W*{any_of('if | had | were | unless | suppose | assuming | when')}\b|\b(?:if|whether|unless)\b[^,;:]*$"
)
_FORCED = compiled(
    rf"\b(?:if|when|were)\b[^,;:.]{{0,20}}\b{any_of('forced | pressed | pushed | must | had to | have to')}\b"
)
_CLAUSE = compiled(
    r"[,;:()]|\s[-–—]+\s|\b"
    + any_of("so | therefore | thus | hence | but | yet | however | while | whereas")
    + r"\b"
)
_GAP = r"[\"'`)\]]*[ \t]*(?:\.{2,}|,|[-–—]+|\()?[ \t]*"
_TAKEN_BACK = compiled(
    r"[\"'`)\]]*[.!][ \t]+(?:no[,.!]|wait\b|sorry\b|scratch that\b)"
    rf"|{_GAP}(?:"
    + any_of(
        "no[,.!] | wait | actually | sorry | correction | scratch | isn't | wasn't | would | might | could | draft | tentative"
    )
    + r"(?!\w)|(?:is|was|were|had been)\s+(?:not|wrong|(?:(?:only|merely|just)\s+)?(?:my|the|an?)\s+"
    + any_of("first | draft | initial | earlier | guess | hunch | tempting | sample | example")
    + r")\b|[^.\n]{0,40}\bat first\b)"
)
_DEFINED = compiled(
    rf"{_GAP}(?:(?:if|when|unless)\b(?!\s+I\s+(?:must|had to|have to))|"
    + any_of("means? | stands for | denotes | indicates | signals | refers to")
    + r"\b|for\s+(?:the\s+)?"
    + any_of("first | second | former | latter | tie | a tie | assistant | response | answer | model | output")
    + r"\b)"
)
_ASKED = re.compile(r"[\"'`)\]]*(?:\s+\w+){0,3}\s*\?")
_GLUE = compiled(r"[ \t,;/|&.:\"'`()\[\]-]*(?:\b(?:or|and|vs|versus)\b|或|和)?[ \t,;/|&:\"'`()\[\]-]*")
_JOINED = compiled(r"[\s\"'`)\]]*(?:\b(?:or|and|nor)\b|/|或|和)[\s\"'`(\[]*")
_CONTRAST = compiled(
    rf";|\b{any_of('but | yet | however | so | therefore | hence | thus | then | finally | after | still')}\b"
)
_SENTENCE_END = re.compile(r"[.!?](?:\s|$)|\n")
_GOES_ON = re.compile(r"[.!?]\s+\w")
_ITEM = re.compile(r"[ \t]*(?:[-•]|\(?\w{1,2}[.)])?[ \t]*$")
_LISTED = re.compile(r"\n[ \t]*(?:[-•]|\(?\w{1,2}[.)])[ \t]")


def stands(statement: Statement, text: str) -> bool:
    """Tell whether the judge means a statement: not withdrawn, and neither a condition, a definition nor a question."""
    before = sentence_before(text, statement.start)
    if _CONDITIONAL.search(before) and not _FORCED.search(before):
        return False
    after = text[statement.end : statement.end + 120]
    return not (_DEFINED.match(after) or _ASKED.match(after) or _is_withdrawn(statement, text))


def _is_withdrawn(statement: Statement, text: str) -> bool:
    """Tell whether a statement is negated, a draft, a supposition, retracted or someone else's."""
    before = sentence_before(text, statement.start)
    clause = _CLAUSE.split(before)[-1]
    return bool(
        (statement.headed and _MODIFIED.search(clause))
        or _NEGATED.search(clause)
        or _HEDGED.search(clause)
        or is_reported(before)
        or _TAKEN_BACK.match(text[statement.end : statement.end + 120])
    )


def is_reported(before: str) -> bool:
    """Tell whether words introduce what someone else says: "the second one prints:"."""
    return bool(_OTHERS.search(before))


def without_lists(statements: Sequence[Statement], text: str) -> list[Statement]:
    """Leave out what is withdrawn, and what stands in a list of different choices, which says what may be said.

    Lists are neighbours of one shape with nothing but glue between them (``[[A]] or [[B]]``), on lines of
    their own, or named in one breath. Where a list on lines names each choice once and then goes on, what goes
    on is a statement again.
    """
    kept: list[Statement] = []
    said = _without_withdrawn(statements, text)
    for run in _runs(said, text):
        kept += run if len({s.label for s in run}) == 1 else _behind_legend(run, text)
    listed = {s for i, s in enumerate(said) if _is_listed(i, said, text)}
    return [s for s in kept if s not in listed]


def _without_withdrawn(statements: Sequence[Statement], text: str) -> list[Statement]:
    """Leave out what is withdrawn, together with what is joined to it: in "he says A or B" both are his."""
    said: list[Statement] = []
    withdrawn: Statement | None = None
    for statement in statements:
        joined = withdrawn is not None and _JOINED.fullmatch(text[withdrawn.end : statement.start])
        if joined or _is_withdrawn(statement, text):
            withdrawn = statement
        else:
            said.append(statement)
    return said


def _runs(statements: Sequence[Statement], text: str) -> list[list[Statement]]:
    runs: list[list[Statement]] = []
    for statement in statements:
        if runs and _neighbours(runs[-1][-1], statement, text):
            runs[-1].append(statement)
        else:
            runs.append([statement])
    return runs


def _behind_legend(run: Sequence[Statement], text: str) -> Sequence[Statement]:
    """Give what goes on behind a list that names each choice once; items of the same list do not."""
    choices = len({s.label for s in run})
    complete = len({s.label for s in run[:choices]}) == choices
    rest = run[choices:]
    return rest if complete and len({s.label for s in rest}) == 1 and not _in_item(rest[0], text) else ()


def _neighbours(left: Statement, right: Statement, text: str) -> bool:
    between = text[left.end : right.start]
    if left.shape != right.shape:
        return False
    if _GLUE.fullmatch(between):
        return True
    rest, *lines = between.split("\n")
    both_start = _starts_line(left, text) and _starts_line(right, text)
    both_listed = _in_item(left, text) and bool(_LISTED.search(between))
    # A sentence behind the left one, or lines in between, may be the reason for another verdict.
    return (both_start or both_listed) and not _GOES_ON.search(rest) and not "".join(lines[:-1]).strip()


def _starts_line(statement: Statement, text: str) -> bool:
    return bool(_ITEM.match(text[text.rfind("\n", 0, statement.start) + 1 : statement.start]))


def _in_item(statement: Statement, text: str) -> bool:
    return bool(_LISTED.match("\n" + text[text.rfind("\n", 0, statement.start) + 1 : statement.start]))


def _is_listed(index: int, statements: Sequence[Statement], text: str) -> bool:
    """Tell whether a sentence names other choices in the same breath."""
    statement = statements[index]
    start = statement.start - len(_CONTRAST.split(sentence_before(text, statement.start))[-1])
    after = text[statement.end : statement.end + 400]
    end = statement.end + len(_CONTRAST.split(_SENTENCE_END.split(after, maxsplit=1)[0])[0])
    others = chain(
        takewhile(lambda s: s.start >= start, reversed(statements[max(0, index - 9) : index])),
        takewhile(lambda s: s.start < end, statements[index + 1 : index + 10]),
    )
    return any(s.shape == statement.shape and s.label != statement.label for s in others)
