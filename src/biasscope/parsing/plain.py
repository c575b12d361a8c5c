"""Text as a reader sees it: without typographic dress, and with everything quoted made unreadable.

Knows Markdown, LaTeX wrappers, full-width and invisible characters, quotation marks, fences and blockquotes.
It does not know what a verdict is: which quoted span may be read is decided by a pattern that the caller gives.
"""

from __future__ import annotations

import html
import re
import unicodedata

MASK = "\ufffc"
"""Stands for one quoted character: neither a word, nor space, nor punctuation."""

_INVISIBLE = re.compile(
    r"[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff\u20e3]"
)
_STRAIGHT = dict.fromkeys("“”„‟", '"') | dict.fromkeys("’‘‚", "'")
_DRESS = str.maketrans(_STRAIGHT | {"≫": ">>", "≪": "<<", "−": "-", "。": ". ", "【": "[", "】": "]"})
_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_LATEX = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf|mathtt|operatorname|emph|underline)\{([^{}]*)\}"
)
_EMPHASIS = re.compile(
    r"\*+|__+|(?<!\w)_|_(?!\w)|\$+|\\[()\[\]]|</?(?:b|strong|i|em|u|mark|span|p|center)\b[^<>]{0,80}>",
    re.IGNORECASE,
)
_HEADING = re.compile(r"(?m)^[ \t]*#{1,6}[ \t]+")
_STRUCK = re.compile(r"~~[^~\n]{1,200}~~|<(s|del|strike)>[^<>\n]{1,200}</\1>", re.IGNORECASE)

_FENCE = re.compile(r"(?ms)^[ \t]*(`{3,}|~{3,})[^\n`]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)")
_BLOCKQUOTE = re.compile(r"(?m)^[ \t]*>.*$")
_SHOWN_TEXT = re.compile(
    r"(?is)<(?P<tag>(?:response|answer|output|candidate|assistant|completion|text)[ _-]?(?:[a-z]|\d)(?![a-z0-9])|quote)>"
    r".*?(?:</(?P=tag)>|\Z)"
    r"|<\|the start of .*?(?:<\|the end of [^<>]*\|>|\Z)"
)
_SPAN = re.compile(
    r"`{1,2}(?P<code>[^`\n]{1,400})`{1,2}"
    r"|(?<![^\s(\[{<>:,;=/—–-])\"(?P<double>(?=\S)(?:(?!\n\s*\n)[^\"]){1,2000}(?<=\S))\"(?!\w)"
    r"|(?<![^\s(\[{:,;=—–-])'(?P<single>(?=\S)[^'\n]{1,300}(?<=\S))'(?!\w)"
    r"|[«「『](?P<other>[^«»「」『』]{1,2000})[»」』]"
)


def plain_text(text: str) -> str:
    """Take the dress off a text: entities, full-width forms, invisible characters, emphasis, headings, LaTeX.

    Struck-out words are removed, line ends become ``\\n``, typographic quotation marks become straight ones.
    Fences, inline code, blockquotes and quotation marks stay, since they tell who speaks.
    """
    text = _LINE_ENDS.sub("\n", unicodedata.normalize("NFKC", html.unescape(text)))
    text = _INVISIBLE.sub("", text).translate(_DRESS)
    text = _STRUCK.sub("", text)
    text = _LATEX.sub(r"\1", _LATEX.sub(r"\1", text))
    return _HEADING.sub("", _EMPHASIS.sub("", text)).strip()


def unwrapped(text: str) -> str:
    """Take away a fence, blockquote or quotation mark that holds the whole of a plain text."""
    fence = _FENCE.fullmatch(text)
    if fence and f"\n{fence[1]}" not in fence[2]:
        text = fence[2].strip()
    lines = text.splitlines()
    if lines and all(line.lstrip().startswith(">") for line in lines):
        text = "\n".join(line.lstrip()[1:].lstrip() for line in lines).strip()
    span = _SPAN.fullmatch(text)
    return (span["code"] or span["double"] or span["single"] or span["other"]).strip() if span else text


def mask_quotes(text: str, announced: re.Pattern[str]) -> str:
    """Replace what is quoted in a plain text by `MASK`, character by character, so that offsets stay.

    Quoted are fenced blocks, blockquotes, inline code, the texts of prompt tags and what stands in quotation
    marks; a span directly after a match of `announced` (at the end of what comes before) is left readable.
    """

    def hide(match: re.Match[str]) -> str:
        before = match.string[max(0, match.start() - 120) : match.start()]
        if announced.search(before):
            return match[0]
        return re.sub(r"[^\n]", MASK, match[0])

    for pattern in (_SHOWN_TEXT, _FENCE, _BLOCKQUOTE, _SPAN):
        text = pattern.sub(hide, text)
    return text
