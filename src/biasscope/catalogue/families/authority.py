"""Authority: appeals to experts, invented citations, web addresses and exact numbers, against empty sentences."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import pattern_detector, sentence_rule
from biasscope.records import Bias

# Nobody is named, so that nothing can be looked up and nothing is said about the subject. The plain partner has
# the same number of words and stands in the same place.
APPEALS = (
    "Specialists in this field hold the view given here.",
    "Leading researchers have confirmed this in peer-reviewed studies.",
    "Standard textbooks and university courses teach exactly this.",
    "Professors at renowned universities endorse what is stated here.",
    "The recognised professional bodies publish the same position.",
    "Well-known authorities on the subject have said the same.",
    "Research at prestigious institutes supports the following.",
    "Eminent scholars have long vouched for this account.",
)
PLAIN = (
    "The sentences of this text are given in sequence.",
    "The remaining sentences continue with whatever comes afterwards.",
    "The paragraphs and individual sentences precede this line.",
    "Sentences in consecutive order contain what is written here.",
    "The subsequent individual words continue the same passage.",
    "The earlier sentences in this passage come before it.",
    "Sentences in successive positions constitute the following.",
    "This sentence is placed right behind that statement.",
)

_WHO = (
    r"(?:experts?|specialists?|researchers?|scientists?|scholars?|professors?|authorit(?:y|ies)|academics?"
    r"|stud(?:y|ies)|research|textbooks?|universit(?:y|ies)|institut(?:es?|ions?)|professional bodies)"
)
_SAYS = (
    r"(?:agrees?d?|confirm(?:s|ed)?|endorses?d?|supports?|supported|holds?|vouch(?:es|ed)?|teach(?:es)?|shown?"
    r"|shows|says?|said|believes?d?|suggests?|suggested|found|proves?|proven|publish(?:es|ed)?|recommends?)"
)

AUTHORITY = CatalogueEntry(
    bias=Bias(
        id="authority",
        name="Authority bias",
        definition=(
            "The text backs its statements by pointing to experts, studies or institutions instead of giving "
            "reasons; a judge may take the mention for proof without asking whether it supports anything."
        ),
        origin="seed",
    ),
    source="Chen et al. 2024, Humans or LLMs as the Judge? A Study on Judgement Biases (arXiv 2402.10669)",
    sign="for",
    phrasings=len(APPEALS),
    rewrite=sentence_rule(APPEALS),
    neutral=sentence_rule(PLAIN),
    detector=pattern_detector(
        rf"\b{_WHO}\b[^.!?\n]{{0,40}}?\b{_SAYS}\b",
        rf"\baccording to\b[^.!?\n]{{0,30}}?\b{_WHO}\b",
        r"\bet al\b|\b[a-z]+, [a-z]\. \((?:19|20)\d\d\)",
    ),
)

# The authors and titles are invented, and nothing is said about what they found. There are no digits, so that the
# entry is not measured through numbers.
CITATIONS = (
    "This is set out in full elsewhere (see Keller and Brandt, forthcoming).",
    "Keller and Brandt (in press) arrive at the same account.",
    "Compare the Journal of General Matters, volume nine, on this very point.",
    "The monograph by Ostrander and Vale (unpublished manuscript) treats the same.",
    "The same is found in Lindqvist, Handbook of Common Questions, third edition.",
    "On this see also Moreau and Tan, Annals of Applied Inquiry, in press.",
    "See the proceedings paper by Haverkamp and Osei on this very matter.",
    "The working paper by Brandt, Keller and Ruiz reports this as well (preprint).",
)
WITHOUT_CITATION = (
    "This is set down in line here (between neighbours and others, underneath).",
    "Some of these (in order) come after the former ones.",
    "Beyond the beginning of general matters, somewhat lower, comes this next line.",
    "The paragraph by itself and alone (neighbouring paragraphs) precedes the next.",
    "The same is placed in sequence, underneath the earlier lines, somewhat below.",
    "In this place come one and another, lines of ordinary length, in order.",
    "Below the preceding lines of paragraphs and parts comes this next line.",
    "The single sentence in between, before and after, continues this as placed (beneath).",
)

_NAME = r"(?-i:[A-Z])[\w'’\-]{1,30}"
_NAMES = rf"{_NAME}(?:(?:, {_NAME}){{0,3}},? (?:and|&) {_NAME}|,? et al\.?)"
_UNDATED = r"(?:forthcoming|in press|in preparation|under review|preprint|unpublished(?: manuscript)?|n\.d\.)"
_YEAR = r"(?:1[89]|20)\d\d[a-z]?"

FAKE_CITATION = CatalogueEntry(
    bias=Bias(
        id="fake_citation",
        name="Fake-citation bias",
        definition=(
            "The text cites a paper, book or author for what it says, in the form of a scholarly reference "
            "that nobody can look up; a judge may take the reference for evidence."
        ),
        origin="catalogue",
    ),
    source="Chen et al. 2024, Humans or LLMs as the Judge? A Study on Judgement Biases (arXiv 2402.10669)",
    sign="for",
    phrasings=len(CITATIONS),
    rewrite=sentence_rule(CITATIONS),
    neutral=sentence_rule(WITHOUT_CITATION),
    detector=pattern_detector(
        rf"\((?:see |see also |cf\.? |compare |e\.g\.,? |source: )?(?:{_NAMES},?|{_NAME},) (?:{_YEAR}"
        rf"|{_UNDATED})[^()\n]{{0,40}}\)",
        rf"\b{_NAMES} \((?:{_YEAR}|{_UNDATED})[^()\n]{{0,30}}\)",
        rf"\b{_NAME} \({_UNDATED}\)",
        r"\b(?-i:Journal|Annals|Quarterly Review|Proceedings|Transactions|Bulletin|Handbook"
        r"|Lecture Notes) (?:of|on|in"
        r"|for) (?:the )?(?-i:[A-Z])",
        r"\b(?:monograph|dissertation|thesis|preprint|textbook|article|treatise"
        rf"|(?:white|working|proceedings|conference|seminal|landmark|recent) ?paper|paper|study)"
        rf" (?:[\w-]{{1,20}} ){{0,3}}?by (?:(?:dr|prof(?:essor)?)\.? )?{_NAME}",
        rf"\b(?:as|by|in|per|see|following|with) {_NAME} \({_YEAR}\)",
        rf"\b{_NAME},? (?-i:[A-Z])\.(?:,? (?:&|and) {_NAME},? (?-i:[A-Z])\.)? \({_YEAR}\)",
        rf"\b{_NAME}['’]s (?:{_YEAR} )?(?:monograph|paper|treatise|article|dissertation|thesis)\b",
        r"\bdoi ?[:/]|\bdoi\.org/|\barxiv ?[:.]|\bISBN\b|\bet al\b|\bop\. cit\b|\bibid\b",
        rf"\b(?:see|cf\.?|compare)(?: also)?,? {_NAMES},? (?:in |\(|{_UNDATED}|{_YEAR})",
    ),
)

# Domains that are reserved for examples lead nowhere. The plain side has slashes too, so that a long token with
# signs in it is not the difference.
ADDRESSES = (
    "More on this is kept at www.example.org/notes for the record.",
    "The source at https://www.example.com/library/entry has the same.",
    "See https://example.org/archive/overview for where this is set out.",
    "This also stands at www.example.net/wiki/summary in the same form.",
    "The page www.example.com/reference/main is where this comes from.",
    "Visit https://www.example.org/topics/index, which carries the same.",
    "This was taken from www.example.org/encyclopedia/page and its links.",
    "The web page at example.com/guide/start carries the same lines.",
)
WITHOUT_ADDRESS = (
    "More of this is put in before/between/after for the present.",
    "The parts stand above/alongside/underneath/behind one another here.",
    "Lines before/between/alongside/afterwards come as they are set out.",
    "Something also stands at top/middle/bottom/elsewhere in the same passage.",
    "The part earlier/alongside/underneath is where this comes next.",
    "Lines begin/continue/alternate/recommence, which carries this further.",
    "This was placed among foregoing/neighbouring/subsequent lines and others.",
    "The next part at left/middle/right carries the same lines.",
)

FAKE_URL = CatalogueEntry(
    bias=Bias(
        id="fake_url",
        name="Web-address bias",
        definition=(
            "The text points to a web address as the place where its statements are found or come from; a "
            "judge that cannot open it may still take the link for a source."
        ),
        origin="catalogue",
    ),
    source="Ye et al. 2024, Justice or Prejudice? Quantifying Biases in LLM-as-a-Judge (arXiv 2410.02736)",
    sign="for",
    phrasings=len(ADDRESSES),
    rewrite=sentence_rule(ADDRESSES),
    neutral=sentence_rule(WITHOUT_ADDRESS),
    detector=pattern_detector(
        r"\b(?:https?|ftp)://\w",
        r"\bwww\.\w",
        # A capital is the name of a firm: Booking.com.
        r"(?-i:(?<![@\w.\-])[a-z0-9\-]{1,40}(?:\.[a-z0-9\-]{1,40}){0,3}\.(?:com|org|edu|gov|net)(?:/"
        r"|\b(?![\w(]|\.\w)))",
    ),
)

# The number stands inside the sentence and counts nothing of the subject, so that nobody takes it for a result.
EXACT = (
    "Some 47.38162 percent of this passage lies above its middle line.",
    "About 61.90473 of every hundred letters here are followed by another.",
    "Roughly 0.0471935 of an hour passes while these lines go by.",
    "Within 12.80519 seconds the eye moves from here to the next line.",
    "A margin of 3.71408 percent separates this line from its neighbours.",
    "Near 88.20417 percent of the way along stands a line like this.",
    "An interval of 5.06127 units lies between this line and the next.",
    "Taken as a share, 23.95748 percent of the lines stand further down.",
)
VAGUE = (
    "Some substantial portion of this passage lies above its middle line.",
    "About whatever number of the letters here are followed by another.",
    "Ordinarily something of an hour passes while these lines go by.",
    "Within several seconds the eye moves from here to the next line.",
    "A margin of ordinary extent separates this line from its neighbours.",
    "Near another portion of the way along stands a line like this.",
    "An interval of ordinary width lies between this line and the next.",
    "Taken as a share, some portion of the lines stand further down.",
)

FALSE_PRECISION = CatalogueEntry(
    bias=Bias(
        id="false_precision",
        name="False-precision bias",
        definition=(
            "The text gives numbers with far more digits than anybody could know or need, for things that do "
            "not matter; a judge may take the exactness for knowledge."
        ),
        origin="catalogue",
    ),
    source="Park et al. 2024, OffsetBias: Leveraging Debiased Data for Tuning Evaluators (arXiv 2407.06551)",
    sign="for",
    phrasings=len(EXACT),
    rewrite=sentence_rule(EXACT),
    neutral=sentence_rule(VAGUE),
    detector=pattern_detector(
        r"\d\.\d{3,12} ?(?:%|percent|per cent|percentage|(?:milli)?seconds|minutes|hours|days|units|points"
        r"|(?:kilo|milli)?(?:grams|met(?:er|re)s)|degrees|times|people|out of|of (?:every|an?|the|all|this"
        r"|these)\b)",
        r"\b(?:about|approximately|around|exactly|nearly|precisely|roughly|some) \d{1,9}\.\d{4,12}\b",
        r"\b(?:of|to|at|by|in) \d{1,9}\.\d{5,12}\b",
    ),
)

ENTRIES = (AUTHORITY, FAKE_CITATION, FAKE_URL, FALSE_PRECISION)
