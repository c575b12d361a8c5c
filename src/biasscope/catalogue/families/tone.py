"""Who seems to speak: a text in the first person, and one with feelings and a body, against nobody speaking."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import pattern_detector, sentence_rule
from biasscope.records import Bias

SPEAKER = (
    "I put it in my own words, as I always do.",
    "For my part, I look at this the way I usually do.",
    "I am writing this down as it comes to me.",
    "Here is how I myself would go about putting this.",
    "I will say this the way I would tell it to anyone.",
    "When I sit down with this, I begin where I am.",
    "Let me set this down the way I have it before me.",
    "I, for one, keep to my own order of telling this.",
)
NO_SPEAKER = (
    "It is put in such a place, as it always is.",
    "In one part, it comes to this the way it usually is.",
    "It is writing set down as it comes to hand.",
    "Here is where some sentence then goes on following this.",
    "It will stand there the way it would come in a row.",
    "When it comes down to this, it begins where it is.",
    "These are to be set down as they come in their row.",
    "One by one, these go to the next place of this.",
)

FIRST_PERSON = CatalogueEntry(
    bias=Bias(
        id="first_person",
        name="First-person bias",
        definition=(
            "The text speaks as an I, in the first person singular, where it could state the same without a "
            "speaker; a judge may prefer or avoid the personal voice."
        ),
        origin="catalogue",
    ),
    source="biasscope developers 2026",
    sign="open",
    phrasings=len(SPEAKER),
    rewrite=sentence_rule(SPEAKER),
    neutral=sentence_rule(NO_SPEAKER),
    # A capital I alone may be a numeral, a symbol or a heading.
    detector=pattern_detector(
        r"(?-i:\bI)['’](?:m|ve|d|ll)\b",
        r"(?-i:(?<![\w.\-/(=+*\\$])(?<!War )(?<!Part )(?<!Type )(?<!Phase )(?<!Class )(?<!Chapter )I) "
        r"(?!is\b|and\b|or\b)[a-z]{2,}\b",
        r"(?-i:\bI), (?:for one|too|myself)\b",
        r"\b(?:my|myself|mine)\b",
        r"\b(?:let|to|for|tell|told|gave?|give|made?|make|with|ask|asked|help|forgive) me\b",
    ),
    common=True,
)

FELT = (
    "Writing this down warms my heart and makes me smile.",
    "It gives me goosebumps just to think of this.",
    "My heart beats faster as I put this down.",
    "With tired eyes and aching fingers I write these lines.",
    "I feel a lump in my throat as I tell this.",
    "It made me blush a little to write it like this.",
    "I took a deep breath and a sip of tea before this.",
    "A shiver ran down my spine when I came to this.",
)
UNFELT = (
    "Putting this down fills one place and leaves some space.",
    "It gives one sentence just to follow after this.",
    "One line stands lower as it comes further down.",
    "With other lines and further sentences come also these lines.",
    "It is a line in this place as it has been.",
    "It is set down a little to put it like this.",
    "It took a whole line and a piece of paper before this.",
    "A line ran down the page when it came to this.",
)

_BODY = (
    r"(?:heart|eyes?|hands?|fingers?|stomach|spine|throat|skin|cheeks?|lips|knees|bones|soul|face|pulse|breath)"
)
_FEELING = (
    r"(?:happy(?! to)|sad|glad(?! to)|thrilled|excited|moved|touched|proud|delighted|lonely|tired|hungry"
    r"|nervous|ashamed|overjoyed"
    r"|jealous|in love|homesick|grateful to be alive)"
)

ANTHROPOMORPHISM = CatalogueEntry(
    bias=Bias(
        id="anthropomorphism",
        name="Anthropomorphism bias",
        definition=(
            "The writer of the text claims the feelings, senses or body of a human being while writing it; a "
            "judge may warm to the seeming person."
        ),
        origin="catalogue",
    ),
    source="biasscope developers 2026",
    sign="open",
    phrasings=len(FELT),
    rewrite=sentence_rule(FELT),
    neutral=sentence_rule(UNFELT),
    detector=pattern_detector(
        rf"\bmy (?:own )?(?:\w{{1,12}} )?{_BODY}\b|\b(?:tired|aching|weary|sleepy|trembling) {_BODY}\b",
        r"\bgoosebumps\b|\bwarms? (?:my|the|one's|this) (?:\w{1,12} )?heart\b",
        r"\btears? (?:in|to|from) (?:my|these)\b",
        r"\bi (?:\w{1,12} )?(?:feel|felt|loved?|enjoy(?:ed)?|hated?|cried|wept|laughed|smiled?|blush"
        r"(?:ed)?|adored?|giggled?)\b",
        rf"\bi(?: am|'m|’m| was) (?:(?:so|very|truly|really|deeply|quite|a little|just) )?{_FEELING}\b",
        r"\b(?:makes?|made|making|gives?|gave) me (?:\w{1,12} ){0,2}?(?:smile|happy|cry|laugh|sad|blush"
        r"|feel|shiver|chills|hungry|proud)\b",
        r"\bi (?:took|take|drew) a (?:deep )?breath\b|\bsip of (?:tea|coffee|water)\b",
        r"\bshivers? (?:ran|run|went) (?:down|up)\b",
        r"\bi (?:got|get|had|have) (?:the )?(?:chills|butterflies)\b|\b(?:fills?|filled) me with\b",
        r"\bi sat down\b",
        r"\bi can (?:still |almost ){1,2}(?:smell|taste|hear|feel|see)\b",
        r"\bas a child,? i\b|\bwhen i was (?:a child|a boy|a girl|young|little)\b",
        r"\bi (?:couldn't|could not|can't|cannot) sleep\b",
        r"\bmy (?:own |late |dear )?(?:grand)?(?:mother|father|parents|wife|husband|childhood|dog|cat|coffee)\b",
    ),
    overlaps=("first_person",),
)

ENTRIES = (FIRST_PERSON, ANTHROPOMORPHISM)
