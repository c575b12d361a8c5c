"""Wording: everyday examples that show nothing, and learned words that say nothing, against plain sentences."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import pattern_detector, sentence_rule
from biasscope.records import Bias

EXAMPLES = (
    "Picture, for example, a cup of tea on a kitchen table.",
    "Think of a bicycle that leans against a garden wall.",
    "Take an everyday case, such as a bus that stops at a corner.",
    "Imagine a loaf of bread in a basket by the window.",
    "Consider, for instance, a pair of shoes beside a front door.",
    "To give a concrete example, there is a lamp on a desk.",
    "Suppose that somebody at the market picks up an apple.",
    "As an illustration, let there be a key in a coat pocket.",
)
WITHOUT_EXAMPLE = (
    "Below, in sequence, a line of text in a single paragraph.",
    "There is a sentence that comes before a longer one.",
    "There is another line, placed in a row that stops at a margin.",
    "Below is a line of text in columns by the margin.",
    "Underneath, in between, a pair of lines beside a further paragraph.",
    "To go a sentence further, there is a line on a page.",
    "Directly there something at the margin takes up another line.",
    "As in the foregoing, there comes to be a line in between.",
)

CONCRETENESS = CatalogueEntry(
    bias=Bias(
        id="concreteness",
        name="Concreteness bias",
        definition=(
            "The text brings in a concrete everyday example, with things one can see and touch, that shows "
            "nothing about the matter; a judge may take it for substance because it is specific."
        ),
        origin="catalogue",
    ),
    source="Park et al. 2024, OffsetBias: Leveraging Debiased Data for Tuning Evaluators (arXiv 2407.06551)",
    sign="for",
    phrasings=len(EXAMPLES),
    rewrite=sentence_rule(EXAMPLES),
    neutral=sentence_rule(WITHOUT_EXAMPLE),
    detector=pattern_detector(
        r"\bfor (?:example|instance)\b|\be\.g\.",
        r"\b(?:concrete|simple|everyday|practical|real-life|real-world|specific|typical) (?:example|case"
        r"|scenario|illustration)\b",
        r"\b(?:as|by way of) (?:an? )?(?:illustration|example)\b|\bto illustrate\b",
        r"\b(?:picture|imagine|think of|visuali[sz]e)(?: that)?,? (?:an?|the|your|you|someone|somebody|two) \w",
        r"\b(?:consider|suppose|say)(?: that)?,? (?:an?|your|someone|somebody|two) \w",
        r"\b(?:it is|it's|this is|that is|works?) (?:\w{1,12} ){0,2}?(?:like|as) (?:when )?(?:an?|the"
        r"|your) \w{1,14} (?:on|in|at|with|by|of|that)\b",
        r"\b(?:is|it's|it’s|just|works|much|looks|rather) like an? \w{1,14} (?:\w{1,14}ing|who|that)\b",
        r"\bjust as an? \w{1,14} \w",
        r"\b(?:it is|it's|it’s) like [a-z]{2,12}ing an?\b|\bpicture yourself\b",
        r"\b(?:it is|it's|it’s) like (?:putting|taking|going|making)\b",
        r"\bimagine (?:that )?(?:you're|you’re|you are|yourself|walking|standing|sitting|holding)\b",
        r"\bconsider (?-i:[A-Z][a-z]{1,14}), who\b",
        r"\blet(?:'s|’s| us) say (?:that )?(?:an?|you|someone|somebody|(?-i:[A-Z])[a-z]{1,14}) \w",
        r"\btake (?:an?|the|your) \w{1,14}(?: \w{1,14})?(?:, (?:for|say|such)| (?:as an example|on|in|at))\b",
    ),
    common=True,
)

LEARNED = (
    "The epistemic scaffolding instantiates a multimodal heuristic paradigm of its own.",
    "An ontological substrate operationalises the discursive modality that obtains here.",
    "Its dialectical morphology presupposes an orthogonal taxonomy of semiotic invariants.",
    "A synergetic framework parametrises the latent topology of this exposition.",
    "The isomorphic architecture entails a recursive hermeneutic of stratified constructs.",
    "Such a stochastic metalanguage actualises the phenomenological vector herein.",
    "The diachronic schema encodes a nonlinear axiomatic of granular affordances.",
    "The transversal praxis reconfigures an asymptotic nexus of typological registers.",
)
UNLEARNED = (
    "The accompanying sentence introduces a neighbouring individual paragraph of its own.",
    "An intermediate paragraph accompanies the neighbouring sentences that continue here.",
    "The surrounding paragraphs accompany an additional succession of individual sentences.",
    "A subsequent paragraph accompanies the remaining sentences of this passage.",
    "The foregoing paragraphs precede a successive continuation of individual sentences.",
    "Such a neighbouring paragraph accompanies the intermediate sentences underneath.",
    "The individual words follow a horizontal direction of consecutive sentences.",
    "The intervening lines accompany an intermediate series of successive paragraphs.",
)

# Two learned words in one sentence: one alone is often the right word for its subject.
_TERM = (
    r"\b(?:(?:meta|multi|inter|intra|trans|poly|non|hyper|neo|post)-?)?(?:epistem|ontolog|teleolog"
    r"|phenomenolog|morpholog|methodolog|typolog|topolog|axiolog|heuristic|hermeneut|dialectic"
    r"|paradigm|semiotic|synerg|isomorph|stochastic|diachron|synchronic|axiomat|affordance|praxis|asymptot"
    r"|taxonom|discursiv"
    r"|multimodal|operationali[sz]|instantiat|parametri[sz]|metalanguage|scaffolding|orthogonal"
    r"|actuali[sz]|reconfigur"
    r"|nonlinear|holistic|modalit|intersubjectiv|dichotom|liminal|reif|emergent|systemic|interdisciplinar"
    r"|transversal"
    r"|conceptuali[sz]|contextuali[sz]|substrate|hegemon|problemati[sz]|elucidat|salien|nexus|granular"
    r"|invariant)\w{0,10}"
)

JARGON = CatalogueEntry(
    bias=Bias(
        id="jargon",
        name="Jargon bias",
        definition=(
            "The text uses learned technical words where they say nothing or where plain words would do; a "
            "judge may take the vocabulary for expertise."
        ),
        origin="catalogue",
    ),
    source=(
        "Bharadwaj et al. 2025, Flattery, Fluff, and Fog: Diagnosing and Mitigating Idiosyncratic Biases in "
        "Preference Models (arXiv 2506.05339)"
    ),
    sign="for",
    phrasings=len(LEARNED),
    rewrite=sentence_rule(LEARNED),
    neutral=sentence_rule(UNLEARNED),
    detector=pattern_detector(rf"{_TERM}\b[^.!?\n]{{1,60}}?{_TERM}"),
)

ENTRIES = (CONCRETENESS, JARGON)
