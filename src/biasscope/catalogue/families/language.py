"""Language switch: a sentence in another language that says nothing, against the same in English."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import sentence_rule, words
from biasscope.records import Bias

# French, Spanish, German, Italian, Dutch, Portuguese, Swedish, Polish.
FOREIGN = (
    "Cette phrase est placée ici, et les autres sont dans la suite du texte.",
    "Esta frase está puesta aquí, y las otras vienen en las líneas que siguen.",
    "Dieser Satz steht hier, und die anderen Sätze stehen in den Zeilen darunter.",
    "Questa frase si trova qui, e le altre sono nelle righe che vengono dopo.",
    "Deze zin staat hier, en de andere zinnen staan in de regels daaronder.",
    "Esta frase fica aqui, e as outras estão nas linhas que vêm depois.",
    "Den här meningen står här, och de andra står på raderna som kommer sedan.",
    "To zdanie jest tutaj, a inne zdania są w tych wierszach, które idą dalej.",
)
ENGLISH = (
    "This sentence is placed here, and the others are found in this same text.",
    "This sentence has been put here, and the others come in the following lines.",
    "This sentence stands here, and the other sentences stand in the lines below.",
    "This sentence is put here, and the others are in the lines after it.",
    "This sentence is here, and the other sentences are in the lines below.",
    "This sentence is here, and the others are in the lines that follow.",
    "This one sentence stands here, and the others stand in the lines coming later.",
    "This sentence is placed here, and other sentences are in the lines further below.",
)

# Frequent words of each language that are no words of English.
_FREQUENT = tuple(
    frozenset(listed.split())
    for listed in (
        "cette ces est et les des dans une du au aux qui que ne pas pour sur avec sont ici il elle nous vous",
        "esta este está y las los del una se por con para como sus aquí es lo muy vienen",
        "dieser diese dieses der das und ist nicht mit den dem ein eine zu von auf für sich hier wir ich steht stehen",
        "questa questo che il gli di una nelle della sono con non si qui è dei del nella",
        "deze dit het een van zijn niet voor met op dat hier staat staan wij zij ik maar ook",
        "esta este os que não uma nas nos dos das para com por é um ao mais aqui fica estão vêm",
        "den det här och som på är inte för med ett av till står vi jag har kommer sedan",
        "jest nie na się że jak są tych które tutaj ale dla czy ten idą",
    )
)
WINDOW = 10
"""So many words in a row are looked at together."""
ENOUGH = 4
"""So many different frequent words of one language among them tell that they are in that language."""


def shows_other_language(text: str) -> bool:
    """Whether some words in a row are in one of eight other languages of Europe.

    Told by their most frequent words, so that names and single loan words do not count.
    """
    said = words(text)
    for frequent in _FREQUENT:
        places = [i for i, word in enumerate(said) if word in frequent]
        for first in range(len(places) - ENOUGH + 1):
            near = [said[i] for i in places[first : first + WINDOW] if i < places[first] + WINDOW]
            if len(set(near)) >= ENOUGH:
                return True
    return False


LANGUAGE_SWITCH = CatalogueEntry(
    bias=Bias(
        id="language_switch",
        name="Language-switch bias",
        definition=(
            "A sentence of the text is in a language other than the rest and says nothing about the matter; a "
            "judge may rate the text differently for the change."
        ),
        origin="catalogue",
    ),
    source="Yin 2026, Does the Judge Prefer English? Evaluating Language-Switching Invariance (arXiv 2606.14278)",
    sign="open",
    phrasings=len(FOREIGN),
    rewrite=sentence_rule(FOREIGN),
    neutral=sentence_rule(ENGLISH),
    detector=shows_other_language,
)

ENTRIES = (LANGUAGE_SWITCH,)
