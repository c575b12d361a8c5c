"""Text that a person can see whole: signs that show nothing, or turn what follows, are shown by their number. Pure."""

from __future__ import annotations

import re

_UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
"""Characters that show nothing or turn the direction of what follows: a reader should see that they are there."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def seen(text: str) -> str:
    """The text with line feeds alone as line ends, signs that cannot be stored as U+FFFD, and unseen ones as ``[U+200B]``."""
    plain = _CONTROL.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _UNSEEN.sub(lambda found: f"[U+{ord(found[0]):04X}]", plain)
