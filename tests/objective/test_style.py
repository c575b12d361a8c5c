"""Style traits come independently of each other and of which response is right."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy import stats

from biasscope.objective import generate
from biasscope.objective.draw import Draw
from biasscope.objective.style import (
    EMOJI,
    HEADINGS,
    RATE,
    SENTENCES,
    TRAITS,
    draw_style,
    write_response,
)

WORKING = ("Alpha beta gamma delta epsilon.", "Zeta eta theta iota kappa.")


def shows(trait: str, response: str) -> bool:
    """Read a trait from the text alone."""
    if trait in SENTENCES:
        return any(wording in response for wording in SENTENCES[trait].wordings)
    return {
        "heading": response.startswith(HEADINGS),
        "list": re.search(r"^([-*•] |\d[.)] |Step \d: )", response, re.MULTILINE) is not None,
        "bold": "**" in response,
        "emoji": any(emoji in response for emoji in EMOJI),
    }[trait]


@pytest.fixture(scope="module")
def shown() -> np.ndarray:
    """For 2,000 pairs: pair x side (chosen, rejected) x trait."""
    return np.array(
        [
            [[shows(trait, response) for trait in TRAITS] for response in (pair.chosen, pair.rejected)]
            for pair in generate(2000, seed=77)
        ]
    )


def test_there_are_many_traits_with_several_wordings_each():
    assert len(TRAITS) >= 14
    assert all(forms >= 5 for forms in TRAITS.values())
    wordings = [wording for sentence in SENTENCES.values() for wording in sentence.wordings]
    assert len(set(wordings)) == len(wordings)
    assert max(len(wording.split()) for wording in wordings) <= 8


def test_every_trait_comes_about_as_often_as_its_rate_says(shown):
    rates = shown.mean(axis=(0, 1))
    assert rates.min() > 0.14
    assert rates.max() < 0.20
    assert 0.15 <= RATE <= 0.25


def test_every_trait_is_independent_of_which_response_is_right(shown):
    for index, trait in enumerate(TRAITS):
        counts = shown[:, :, index].sum(axis=0)
        table = [counts, len(shown) - counts]
        assert stats.chi2_contingency(table).pvalue > 0.05 / len(TRAITS), trait
        assert abs(counts[0] - counts[1]) / len(shown) < 0.04, trait


def test_the_two_responses_of_a_pair_draw_their_traits_apart(shown):
    for index, trait in enumerate(TRAITS):
        correlation = np.corrcoef(shown[:, 0, index], shown[:, 1, index])[0, 1]
        assert abs(correlation) < 4 / len(shown) ** 0.5, trait


def test_no_trait_brings_another_with_it(shown):
    correlations = np.corrcoef(shown.reshape(-1, len(TRAITS)).T) - np.eye(len(TRAITS))
    # The cap on sentences makes traits repel each other a little.
    assert abs(correlations).max() < 0.07


@pytest.mark.parametrize(
    ("trait", "mark"),
    [
        ("exclamation", r"!"),
        ("rhetorical_question", r"\?"),
        ("first_person", r"\b(I|My|my|me)\b"),
        ("bold", r"\*\*"),
        ("heading", r"#"),
        ("emoji", r"[\U0001F300-\U0001FAFF✨]"),
        ("hedge", r"(?i)\b(perhaps|possibly|maybe|might|seems|probably)\b"),
        ("authority", r"(?i)\b(textbooks|professors|experts|handbooks|guides|research)\b"),
        ("greeting", r"(?i)\b(hello|hi|greetings|good day)\b"),
    ],
)
def test_the_marks_of_a_trait_are_its_own(trait, mark):
    for pair in generate(600, seed=5):
        for response in (pair.chosen, pair.rejected):
            assert (re.search(mark, response) is not None) == shows(trait, response), response


def test_a_response_without_traits_is_the_working_and_the_answer():
    assert write_response(WORKING, "7", {}, Draw("plain")) == " ".join(WORKING) + "\n\nFinal answer: 7"


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (0, "**Alpha** beta gamma delta epsilon. **Zeta** eta theta iota kappa."),
        (3, "**Alpha beta gamma delta** epsilon. **Zeta eta theta iota** kappa."),
        (4, "**Alpha beta gamma delta epsilon.** Zeta eta theta iota kappa."),
        (5, "Alpha beta gamma delta epsilon. **Zeta eta theta iota kappa.**"),
    ],
)
def test_bold_marks_words_of_the_working_only(form, expected):
    assert write_response(WORKING, "7", {"bold": form}, Draw("bold")) == f"{expected}\n\nFinal answer: 7"


def test_layout_and_sentences_have_their_places():
    style = {"heading": 0, "list": 3, "emoji": 0, "greeting": 0, "plan": 1, "offer": 2}
    assert write_response(WORKING, "7", style, Draw("all")) == (
        "### Working\n\n"
        "Hello there, and welcome. First the parts, then the whole.\n\n"
        "1. Alpha beta gamma delta epsilon.\n2. Zeta eta theta iota kappa.\n\n"
        "Further help is gladly given. 🙂\n\n"
        "Final answer: 7"
    )


def test_an_emoji_closes_the_working_where_no_sentence_follows():
    text = write_response(WORKING, "7", {"emoji": 1, "bold": 5}, Draw("emoji"))
    assert text.endswith("**Zeta eta theta iota kappa.** 😊\n\nFinal answer: 7")


def test_a_style_has_no_more_sentences_than_fit():
    styles = [draw_style(Draw("cap", i)) for i in range(1500)]
    most = max(len(style.keys() & SENTENCES.keys()) for style in styles)
    assert most == 6
