"""The numbers of a text, and the known biases that they stand for."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.features import text_features
from biasscope.catalogue.known import Catalogue, built_in
from biasscope.records import Bias

FEATURES = {f.name: f for f in text_features()}
BODY = (
    "The farm has twelve hens and four ducks. Each hen lays one egg on a usual day. Ducks lay an egg every other day. "
    "So there are fourteen eggs on such a day. A week has seven days, which gives the number that is sought."
)


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("words", "Two ducks, one hen.", 4),
        ("paragraphs", "one\n\ntwo\n \nthree", 2),
        ("list_items", "Here:\n- milk\n* bread\n2. tea\n(3) salt\n-5 is no item", 4),
        ("bold", "**one** and __two__ but 2 ** 3 ** 4", 3),
        ("headings", "# One\ntext # not\n### Two", 2),
        ("table_rows", "| a | b |\n|---|---|\nno | row", 2),
        ("code_fences", "```\nx\n```\n~~~\ny\n~~~\n```\nopen", 3),
        ("inline_code", "`x` and ``y`` and `z`", 2),
        ("latex", "$x^2$ costs $5 and $6, \\(y\\), \\frac{1}{2}", 3),
        ("emoji", "Yes 😊 and 🎉✨", 3),
        ("exclamations", "Go! Now!! a != b, 5!x", 2),
        ("questions", "Why? So? a?b", 2),
        ("numbers", "3 hens, 4.50 and 1,000", 3),
        ("quotations", 'He said "go on" and “stay here”', 2),
        ("links", "https://a.example and www.b.example", 2),
        ("parentheses", "f(x) (see below) (a)", 1),
        ("capitals", "NOTE that an API is USED", 3),
        ("first_person", "I think I’m right, in my view", 3),
        ("hedges", "Perhaps it might be so. Maybe maybe.", 4),
        ("certainty", "It is certainly so, no doubt, undeniably.", 3),
        ("checks", "I double-checked it and verified it twice.", 3),
        ("offers", "Let me know! Feel free to ask.", 2),
        ("apologies", "Sorry, my apologies.", 2),
        ("sources", "According to experts, a study says so.", 3),
    ],
)
def test_a_count_is_what_a_person_would_count(name, text, count):
    assert FEATURES[name].count(text) == pytest.approx(math.log1p(count))


def test_a_sentence_is_long_by_its_words_and_a_word_by_its_letters():
    # nine words in two sentences and a line
    text = "One two three. Four five six seven!\nEight nine"

    assert FEATURES["sentence_length"].count(text) == pytest.approx(math.log1p(3))
    assert FEATURES["word_length"].count("a bbb") == 2
    assert FEATURES["word_length"].count("") == 0


@settings(max_examples=60)
@given(data=st.data())
def test_every_text_has_every_number_and_always_the_same(odd_texts, data):
    text = data.draw(odd_texts)
    numbers = [f.count(text) for f in FEATURES.values()]

    assert all(math.isfinite(n) and n >= 0 for n in numbers)
    assert numbers == [f.count(text) for f in text_features()]


def test_a_name_is_there_once_and_a_known_bias_is_tested_by_one_feature():
    linked = [f.bias for f in FEATURES.values() if f.bias is not None]

    assert len(FEATURES) == len(text_features())
    assert len(linked) == len(set(linked))
    assert {"length", "list", "bold", "heading", "emoji", "hedging", "self_verification", "sentiment"} <= set(
        linked
    )


def test_a_link_leads_to_a_trait_that_rules_write():
    for feature in FEATURES.values():
        if feature.bias is not None:
            known = built_in().get(feature.bias)
            assert (known.by_rule, known.bias.estimand) == (True, "pull")


@pytest.mark.parametrize("name", [f.name for f in FEATURES.values() if f.bias is not None])
def test_the_rewrite_of_a_linked_bias_raises_the_feature_above_its_neutral(name):
    feature = FEATURES[name]
    known = built_in().get(feature.bias)
    rewrite, neutral = known.rules("How many eggs does the farm get in a week?")
    gains = [feature.count(rewrite(BODY, k)) - feature.count(neutral(BODY, k)) for k in range(known.phrasings)]

    assert sum(gains) > 0
    assert sum(g > 0 for g in gains) >= len(gains) / 2


def added(bias_id, estimand="pull", detector=None):
    of = Bias(bias_id, f"{bias_id} bias", "A trait.", "catalogue", estimand)
    return CatalogueEntry(of, "", "open", 6, lambda t, k: t + "!", lambda t, k: t + ".", detector=detector)


def test_a_trait_that_no_count_stands_for_is_seen_by_its_detector():
    catalogue = Catalogue((added("humming", detector=lambda text: "hum" in text),))
    found = {f.name: f for f in text_features(catalogue)}

    assert [found["humming"].count(text) for text in ("a hum", "quiet")] == [1.0, 0.0]
    assert found["humming"].bias == "humming"
    assert found["bold"].bias is None  # this catalogue has no rule for it


def test_facts_about_a_response_and_slots_are_no_features():
    catalogue = Catalogue((added("framing", "cue", lambda text: True), added("place", "slot", lambda text: True)))

    assert {f.name for f in text_features(catalogue)} == {f.name for f in text_features(Catalogue(()))}


def test_a_trait_with_a_count_is_not_counted_twice():
    catalogue = Catalogue(
        (added("bold", detector=lambda text: True), added("majority", detector=lambda text: True))
    )
    found = {f.name: f.bias for f in text_features(catalogue)}

    assert found["bold"] == "bold"
    assert found["majority"] == "majority"
    assert set(found) == {f.name for f in text_features(Catalogue(()))}
