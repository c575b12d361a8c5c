"""What a planted judge is really drawn by, and which trait a found bias means: the key to the planted benchmark.

The key words were written for this purpose alone. The judge (`traits`, `reasons`) and the teacher (`talk`,
`names`) have lists of their own, so a match says that name and definition are understandable to a third party.
"""

from __future__ import annotations

import re
from itertools import pairwise

from biasscope.errors import UsageError
from biasscope.models.planted.tempers import JudgeTemper, parse_name

_WORDS: dict[str, str] = {
    "self_verification": "verif* check* rechecked proofread* second-time",
    "analogy": "analog* simile* metaphor* comparison* likening homely",
    "rhetorical_question": "rhetorical* interrogative question-and questions",
    "closing_offer": "offer* follow-up* assist* sign-off* invitation* service",
    "restated_question": "restat* restatement echo* repeat* repeating paraphras*",
    "bold_emphasis": "bold* highlight* typograph* emphasis* markup",
    "numbered_steps": "step* enumerat* number* ordinal*",
    "sentiment": "sentiment* enthusias* exclamation* exclaim* excite* exuberan* cheer* emotion* mood",
    "apology": "apolog* sorry* contrit*",
    "hedging": "hedg* tentativ* uncertain* qualifier* qualified cautious*",
    "claimed_experience": "experience* veteran* years* background* practice expertise",
    "authority": "authorit* expert experts cited citation* citing source sources textbook* institution*",
    "moralising": "moral* ethic* virtue* duty integrity",
    "warmth": "warm* friend* caring wishes",
    "jargon": "jargon* technical* terminolog* vocabular* learned specialist*",
    "summary_line": "summar* recap* summing sums",
    "confidence": "confiden* assertive* overconfident* certainty certain",
    "flattery": "flatter* prais* compliment* ingratiat*",
    "majority": "majorit* bandwagon* most-people* popular* consensus* conform*",
    "signposting": "signpost* roadmap* outline* announce* announcement* preview*",
    "emoji": "emoji* pictogram* smiley* emoticon*",
    "recency": "recency to-date latest* newness currency current new",
    "effort": "effort* diligen* labour* hard-work* hard care",
    "refinement": "refine* revis* draft* rework* polish*",
    "fallacy_oversight": "fallac* illogic* logic* generalis* generaliz* unsound*",
    "compassion_fade": "compassion* ai brand famous model system",
    "length": "length* verbos* longer wordy wordiness words detail detailed",
}
_NAME_WEIGHT = 3


def match_trait(name: str, definition: str) -> str | None:
    """The planted trait that a bias of this name and definition means, None when it means none of them.

    A key word in the name counts three times one in the definition; the first trait wins a draw.
    """
    named, defined = _words(name), _words(definition)
    best, most = None, 0
    for trait, keys in _WORDS.items():
        score = _NAME_WEIGHT * _hits(keys, named) + _hits(keys, defined)
        if score > most:
            best, most = trait, score
    return best


def planted_truth(name: str) -> dict[str, float]:
    """The log-odds by which a planted judge is drawn, by trait; raises UsageError for a teacher's name."""
    temper = parse_name(name)
    if not isinstance(temper, JudgeTemper):
        raise UsageError(f"{name!r} is a teacher; only judges have planted biases")
    return dict(temper.biases)


def _words(text: str) -> list[str]:
    """The words of a text, and each two neighbours joined by a hyphen."""
    words = re.findall(r"[a-z]+", text.lower())
    return words + [f"{a}-{b}" for a, b in pairwise(words)]


def _hits(keys: str, words: list[str]) -> int:
    return sum(
        any(w.startswith(key[:-1]) if key.endswith("*") else w == key for w in words) for key in keys.split()
    )
