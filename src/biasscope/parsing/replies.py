"""From a reply to the text that may be read.

Knows the ways in which a model gives no text: it declined, was filtered, ran out of room, or said nothing. It
does not know what the text should hold.
"""

from __future__ import annotations

from biasscope.ask import Reply, Unreadable
from biasscope.parsing.thinking import split_thinking
from biasscope.parsing.wording import any_of, compiled


def readable_text(reply: Reply, *, allow_truncated: bool = False) -> str:
    """Give the text of a reply without the model's thinking.

    With `allow_truncated` a text that the output limit cut off is given back all the same, for a caller that
    looks for something which stands complete before the cut. Thinking is never given back in place of text.

    Raises `Unreadable` with ``over_long``, ``filtered``, ``refused``, ``truncated`` or ``empty``.
    """
    if reply.over_long:
        raise Unreadable("over_long", "the request does not fit into the context window")
    if reply.finish == "filtered":
        raise Unreadable("filtered", "the provider's filter took the reply")
    if reply.refusal:
        raise Unreadable("refused", reply.refusal[:80])
    thinking, text = split_thinking(reply.text)
    if reply.finish == "length" and not (allow_truncated and text.strip()):
        spent = "" if text.strip() or not (thinking or reply.reasoning) else ", all of it spent on thinking"
        raise Unreadable("truncated", f"the reply ends at the output limit{spent}")
    if not text.strip():
        raise Unreadable("empty", "only thinking came" if thinking or reply.reasoning else "no text came")
    return text


_GREETING = r"\s*[\"'“*_]*(?:(?:hi|hello|oh|well|however|thank you for [^.,\n]{1,60})[,.!]?\s+)*"
_AS_A_MODEL = r"as (?:an?|your) [^.,\n]{1,40},\s*"
_SORRY = (
    rf"(?:unfortunately|regrettably|sadly|{_AS_A_MODEL}|(?:(?:i'?m|i am|we'?re|we are)\s+)?(?:very |truly |really |so |deeply )?sorry"
    r"|(?:i |my )?apologi[sz]es?(?: for [^.,\n]{1,60})?|apologies|(?:i )?regret|i(?:'?m| am) afraid)"
    rf"[,.!;]?\s*(?:to say\s+|about that[,.]?\s+)?(?:but\s+|that\s+|however,?\s+)?(?:{_AS_A_MODEL})?"
)
_UNABLE = (
    r"(?:\s+(?:really|simply|just|still|also))?(?:\s+"
    + any_of("""
        can(?:no)?t | can't | can not | won't | will not | could not | couldn't | would not | wouldn't | do not | don't |
        would rather not | would prefer not | must decline | must refuse | have to decline | have to refuse | decline | refuse
    """)
    + r"|(?:'m|'re| am| are)\s+(?:not|unable)|'d rather not)(?:\s+"
    + any_of("""
        be | able | going | comfortable | willing | permitted | allowed | have the ability | think i can | feel comfortable |
        in good conscience | to
    """)
    + ")*"
)
_WORK = (
    r"\s+"
    + any_of("""
        help | assist | comply | fulfil | fulfill | provide | generate | create | write | rewrite | produce | edit | revise |
        rephrase | paraphrase | modify | alter | do that | do this | do so | do it | complete | continue | engage | support |
        participate | offer | share | promote | encourage | insert | accommodate | proceed | rewriting | writing | editing |
        revising | providing | producing | creating | generating | adding | helping
    """)
    + r"\b"
)
_DECLINED = (
    r"i(?:'ll| will| must| have to| would)?\s+(?:respectfully\s+)?(?:decline|refuse)\b(?!\s+to\s+(?:believe|accept|think))"
    r"|(?:it|that|this)(?:'s| is| would be)\s+(?:not\s+(?:something i|possible for me|appropriate for me)|against my|inappropriate for me)"
    r"|this (?:request|content|text) (?:violates|goes against)|my (?:guidelines|programming) (?:do|does)(?:n't| not) (?:allow|permit)"
)
_REFUSAL = compiled(
    rf"{_GREETING}(?:(?:{_SORRY})?(?:(?:but )?i{_UNABLE}{_WORK}|{_DECLINED})|{_SORRY}we{_UNABLE}{_WORK})"
)


def looks_like_refusal(text: str) -> bool:
    """Tell whether a text that should be a rewrite declines instead of doing the work.

    Only the beginning counts, and it must name what is declined: a text about something that the writer could
    not do is no refusal. English only; a refusal in other words is found by the checks on the rewrite.
    """
    return bool(_REFUSAL.match(text.replace("’", "'")))
