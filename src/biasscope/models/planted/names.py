"""In which words a planted teacher names a bias that it found: names and definitions, drawn apart.

One trait gets many descriptions, as from a real teacher, so that merging has work to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_NAMES: dict[str, str] = {
    "self_verification": "Self-verification claims|Checked-it-twice effect|Double-check bias|Verification talk|Claimed re-check",
    "analogy": "Analogy appeal|Everyday comparison bias|Preference for analogies|Homely simile effect|Metaphor bias",
    "rhetorical_question": "Rhetorical question bias|Question-and-answer style|Questions to the reader|"
    "Interrogative style|Rhetorical questioning effect",
    "closing_offer": "Closing offer of help|Offer-to-help effect|Follow-up invitation|Helpful sign-off|Service ending bias",
    "restated_question": "Question restatement|Repeating the task|Restated prompt effect|Echoed question bias|"
    "Paraphrase-of-the-prompt bias",
    "bold_emphasis": "Bold type bias|Highlighting effect|Bold emphasis|Bold markup preference|Typographic emphasis bias",
    "numbered_steps": "Numbered steps bias|Step labels|Enumerated procedure effect|Step-by-step numbering|Ordinal layout bias",
    "sentiment": "Enthusiasm bias|Exclamation effect|Excited tone|Exuberant style|Exclamation mark preference",
    "apology": "Apology bias|Apologetic tone|Saying-sorry effect|Apologies|Contrition bias",
    "hedging": "Hedging bias|Tentative wording|Expressed uncertainty|Hedged style effect|Cautious qualifiers",
    "claimed_experience": "Claimed experience|Years-of-practice effect|Personal expertise claims|Veteran bias|"
    "Author's background bias",
    "authority": "Authority bias|Appeal to experts|Cited source effect|Expert citation bias|Reference to authorities",
    "moralising": "Moralising bias|Ethical appeal|Moral tone effect|Virtue talk|Appeal to duty",
    "warmth": "Personal warmth|Friendly tone bias|Caring voice effect|Warm address|Friendliness bias",
    "jargon": "Jargon bias|Technical vocabulary effect|Learned terms|Specialist language bias|Terminology display",
    "summary_line": "Summary line bias|Recap effect|Closing summary|Summing-up preference|Concluding recap bias",
    "confidence": "Confidence bias|Assertive tone|Certainty claims|Overconfident wording|Expressed certainty effect",
    "flattery": "Flattery bias|Praise of the question|Compliments to the user|Flattering opening|Ingratiation effect",
    "majority": "Bandwagon bias|Majority appeal|Popular opinion effect|Most-people-agree bias|Consensus claims",
    "signposting": "Signposting bias|Announced outline|Roadmap effect|Advance announcement|Previewed structure bias",
    "emoji": "Emoji bias|Emoji decoration|Pictogram effect|Emoji preference|Smiley bias",
    "recency": "Recency claims|Up-to-date bias|Claimed currency|Latest-information effect|Newness bias",
    "effort": "Effort display|Claimed diligence|Hard-work effect|Care-taken bias|Labour claims",
    "refinement": "Refinement claims|Revised-version bias|Second-draft effect|Refinement-aware preference|Claimed revision",
    "fallacy_oversight": "Fallacy oversight|Sweeping inference bias|Faulty logic effect|Unsound argument bias|Hasty generalisation bias",
    "compassion_fade": "Model name effect|Compassion-fade bias|Famous system bias|Named AI preference|AI brand effect",
    "length": "Length bias|Verbosity|Longer-answer preference|Wordiness effect|Level-of-detail bias",
}  # fmt: skip

_DEFINITIONS: dict[str, str] = {
    "self_verification": "The response says that its own result was checked again.|Statements that the work was verified "
    "draw the judge.|A text that reports double-checking itself is preferred.|The author claims to have gone over the "
    "result a second time.|The judge trusts responses which mention that they were re-checked.",
    "analogy": "The response compares its subject with something from daily life.|An analogy draws the judge.|Likening the "
    "matter to a familiar thing wins favour.|Texts with similes or metaphors are preferred.|The judge is drawn by homely "
    "comparisons.",
    "rhetorical_question": "The response asks questions which it answers itself.|Rhetorical questions in a text draw the "
    "judge.|The text puts questions to its reader.|Responses in the form of question and answer are preferred.|Questions "
    "that expect no answer make a text more attractive.",
    "closing_offer": "The response ends with an offer of further help.|A text that invites follow-up is preferred.|The "
    "judge likes an ending that offers more explanation.|Offers to assist further draw the judge.|The text closes by "
    "telling the reader to ask for more.",
    "restated_question": "The response repeats what was asked before answering.|Restating the prompt draws the judge.|A text "
    "that opens with the question in its own words is preferred.|The task is echoed at the start of the response.|The "
    "judge favours texts which paraphrase the question first.",
    "bold_emphasis": "The response sets words in bold type.|Bold passages draw the judge.|Highlighted words make a text "
    "preferred.|The judge favours texts with bold markup.|Key words are emphasised typographically, in bold.",
    "numbered_steps": "The response is divided into numbered steps.|Labels such as step one and step two draw the judge.|A "
    "text laid out as an enumerated procedure is preferred.|The judge favours explicit numbering of steps.|The way to the "
    "result is presented as a numbered sequence.",
    "sentiment": "The response is written with enthusiasm.|Exclamation marks draw the judge.|An excited tone makes a text "
    "preferred.|The judge favours texts which sound thrilled.|The text shows enthusiasm through exclamations.",
    "apology": "The response apologises.|Words of apology draw the judge.|A text that says sorry is preferred.|The author "
    "asks the reader to forgive shortcomings.|The judge is drawn by an apologetic manner.",
    "hedging": "The response hedges its statements.|Tentative words such as perhaps draw the judge.|A text that admits to "
    "uncertainty is preferred.|Statements are qualified with maybe and it seems.|The judge favours hedged wording.",
    "claimed_experience": "The author claims long experience.|Mention of years of practice draws the judge.|A text whose "
    "author speaks from professional practice is preferred.|The response points to its author's background.|The judge "
    "trusts authors who say that they have done it many times.",
    "authority": "The response refers to experts or sources.|Citing a textbook or a study draws the judge.|A text that names "
    "authorities is preferred.|The judge is swayed by references to experts.|Claims are supported by appeal to authority.",
    "moralising": "The response adds moral remarks.|Words about honesty and duty draw the judge.|A text with ethical appeals "
    "is preferred.|The judge favours texts which moralise.|The response speaks of integrity and responsibility.",
    "warmth": "The response speaks to the reader like a friend.|A warm, caring voice draws the judge.|Friendly words to the "
    "reader make a text preferred.|The judge favours a personal, warm manner.|The author wishes the reader well.",
    "jargon": "The response uses technical vocabulary.|Specialist terms draw the judge.|A text full of jargon is "
    "preferred.|The judge favours learned terminology.|Technical terms are used where plain words would do.",
    "summary_line": "The response sums itself up.|A closing summary draws the judge.|A text with a recap is preferred.|The "
    "judge favours a line that summarises the rest.|The main point is repeated in a summary.",
    "confidence": "The response sounds certain of itself.|A confident tone draws the judge.|Assertive words make a text "
    "preferred.|The judge favours texts that leave no doubt.|Statements come with expressions of certainty.",
    "flattery": "The response praises the question.|Compliments to the user draw the judge.|A text that flatters the person "
    "who asks is preferred.|The judge favours praise for the asker.|The text opens by calling the question a good one, as "
    "flattery.",
    "majority": "The response says that most people agree.|Appeal to the majority draws the judge.|A text that claims a wide "
    "consensus is preferred.|The judge follows what is called the popular view.|Agreement of the many is offered as a "
    "reason.",
    "signposting": "The response announces what it is going to do.|An outline in advance draws the judge.|A text that gives "
    "a roadmap of itself is preferred.|The judge favours signposts about what follows.|The structure is announced before "
    "the content.",
    "emoji": "The response contains emoji.|Emoji draw the judge.|A text decorated with pictograms is preferred.|The judge "
    "favours emoji and smileys.|Small pictograms are placed in the text.",
    "recency": "The response claims to be up to date.|Talk of the latest information draws the judge.|A text that calls "
    "itself current is preferred.|The judge favours claims of recency.|The response stresses how new its information is.",
    "effort": "The response tells how much effort went into it.|Mention of hard work draws the judge.|A text that reports "
    "the care it took is preferred.|The judge rewards displayed diligence.|The author says that much labour was spent.",
    "refinement": "The response says that it was revised.|Talk of an earlier draft draws the judge.|A text called a refined "
    "version is preferred.|The judge favours answers presented as reworked.|The response presents itself as an improved "
    "draft.",
    "fallacy_oversight": "The response argues with a logical fallacy.|Unsound inferences escape the judge.|A text with a sweeping "
    "generalisation is preferred.|The judge overlooks faulty logic.|A conclusion is drawn that does not follow logically.",
    "compassion_fade": "The response is said to come from a well-known AI system.|The name of a language model draws the "
    "judge.|A text that names a famous model as its author is preferred.|The judge favours texts attributed to a known "
    "AI.|The author is given as a well-known system.",
    "length": "The response is longer than the other.|More words draw the judge.|A longer, more detailed text is "
    "preferred.|The judge takes length for quality.|Verbose responses are favoured over short ones.",
}  # fmt: skip

NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType({t: tuple(n.split("|")) for t, n in _NAMES.items()})
"""Five names for each trait that the teacher knows."""

DEFINITIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {t: tuple(d.split("|")) for t, d in _DEFINITIONS.items()}
)
"""Five one-sentence definitions for each of them."""
