"""What every entry of the catalogue promises, checked on all of them and on the worked example of the docs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import statements, words
from biasscope.catalogue.families import length
from biasscope.catalogue.known import built_in, entry
from biasscope.parsing.answers import split_answer
from biasscope.steps.perturb import cut

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-bias.md"


def example_of_the_docs() -> CatalogueEntry:
    code = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)[0]
    module: dict[str, object] = {}
    exec(compile(code, str(PAGE), "exec"), module)
    found = module["ENTRY"]
    assert isinstance(found, CatalogueEntry)
    return found


ENTRIES = (*built_in().entries, example_of_the_docs())
PULLS = [e for e in ENTRIES if e.bias.estimand == "pull"]
CUES = [e for e in ENTRIES if e.bias.estimand == "cue"]
SIZE = ("length", "brevity")
"""Traits that are the size itself, so that a neutral cannot share it."""
MATCHED = [e for e in PULLS if e.keeps == "text" and e.bias.id not in SIZE]
WHOLE = [e for e in PULLS if e.keeps != "part"]
BODY = "Cats sleep a great deal of the day. They hunt at night and in the early morning."
QUESTION = "Which pet suits a small flat, and why?"


def biased(e: CatalogueEntry, body: str, phrasing: int) -> str:
    return e.rules(QUESTION)[0](body, phrasing)


def neutral(e: CatalogueEntry, body: str, phrasing: int) -> str:
    return e.rules(QUESTION)[1](body, phrasing)


def by_id(e: CatalogueEntry) -> str:
    return e.bias.id


def similar(one: int, other: int) -> bool:
    return abs(one - other) <= 0.15 * one


def numbers(text: str) -> list[str]:
    return re.findall(r"\d+", text)


def fences(text: str) -> list[str]:
    line = r"(?<![^\r\n])[ \t]*"  # a carriage return breaks a line as well
    # What closes a block of code stands alone on its line (CommonMark 4.5); "``` ```python" goes on with it.
    closing = rf"{line}```(?=[ \t]*(?:[\r\n]|\Z))"
    return re.findall(rf"{line}```.*?{closing}|\$\$.*?\$\$", text, re.DOTALL)


def test_a_line_that_begins_a_block_again_does_not_close_it():
    inner = "```python\nx = 1.\n``` ```python\ny = 2.\n```"
    assert fences(f"{inner}\nIt rises. It falls.\n{inner} ") == [inner, inner]


@pytest.mark.parametrize("e", ENTRIES, ids=by_id)
def test_an_entry_says_what_it_is_in_one_or_two_sentences_and_where_it_comes_from(e):
    assert re.fullmatch(r"[a-z_]+", e.bias.id)
    assert 1 <= len(statements(e.bias.definition)) <= 2
    assert e.bias.definition.endswith(".")
    assert re.search(r"\b(19|20)\d\d\b", e.source)
    assert e.sign in ("for", "against", "open")


@pytest.mark.parametrize("e", PULLS, ids=by_id)
def test_a_pull_has_rules_of_six_phrasings_or_more_that_all_differ_and_a_detector(e):
    assert e.rules(QUESTION) is not None
    assert e.detector is not None
    assert not e.cues
    assert not e.neutral_cues
    assert 6 <= e.phrasings == len({biased(e, BODY, k) for k in range(e.phrasings)})
    assert e.phrasings == len({neutral(e, BODY, k) for k in range(e.phrasings)})


@pytest.mark.parametrize("e", CUES, ids=by_id)
def test_a_cue_has_six_facts_or_more_each_with_a_neutral_one_of_the_same_length(e):
    assert e.rewrite is None
    assert e.neutral is None
    assert 6 <= e.phrasings == len(set(e.cues)) == len(set(e.neutral_cues))
    assert not set(e.cues) & set(e.neutral_cues)
    for cue, plain in zip(e.cues, e.neutral_cues, strict=True):
        assert len(cue.split()) == len(plain.split()), (cue, plain)
        assert similar(len(cue), len(plain)), (cue, plain)
        assert len(statements(cue)) == len(statements(plain)) == 1


def test_no_cue_uses_the_name_of_a_slot():
    for e in CUES:
        for cue in e.cues + e.neutral_cues:
            assert not re.search(r"(?<![\w-])(?:[AB12])(?!\w)", cue), cue


@pytest.mark.parametrize("e", MATCHED, ids=by_id)
def test_a_neutral_has_the_words_characters_and_marks_of_its_partner(e):
    for phrasing in range(e.phrasings):
        trait, plain = biased(e, "", phrasing), neutral(e, "", phrasing)
        assert len(trait.split()) == len(plain.split()), (trait, plain)
        assert similar(len(trait), len(plain)), (trait, plain)
        marks = [sum(not (c.isascii() or c.isalpha()) for c in text) for text in (trait, plain)]
        assert marks[0] == marks[1], (trait, plain)


@pytest.mark.parametrize("e", PULLS, ids=by_id)
def test_inserted_words_hold_no_number_and_state_no_answer(e):
    for phrasing in range(e.phrasings):
        for text in (biased(e, "", phrasing), neutral(e, "", phrasing)):
            assert not numbers(text) or e.bias.id in NUMERIC
            assert not re.search(r"\banswer\b|\bverdict\b|\bfinal\b", text, re.IGNORECASE)


NUMERIC = ("false_precision",)
"""Traits that are made of numbers, which their neutrals have not."""


@pytest.mark.parametrize("e", PULLS, ids=by_id)
@settings(deadline=None)
@given(data=st.data(), phrasing=st.integers(0, 7))
def test_no_rule_adds_an_answer(odd_texts, e, data, phrasing):
    body = cut(data.draw(odd_texts)).before
    assume(not split_answer(body).answer)  # a response that is nothing but its answer
    for rule in e.rules(QUESTION):
        assert not split_answer(rule(body, phrasing)).answer


@pytest.mark.parametrize("e", PULLS, ids=by_id)
def test_no_rule_shows_the_trait_of_another_entry_unless_it_says_so(e):
    for other in PULLS:
        if other is not e:
            for phrasing in range(e.phrasings):
                shown = other.detector(biased(e, BODY, phrasing))
                assert not shown or other.bias.id in e.overlaps, (other.bias.id, phrasing)
                assert not other.detector(neutral(e, BODY, phrasing)), (other.bias.id, phrasing)


def test_an_overlap_names_an_entry_that_there_is():
    ids = {e.bias.id for e in ENTRIES}
    assert {name for e in ENTRIES for name in e.overlaps} <= ids


@pytest.mark.parametrize("e", PULLS, ids=by_id)
@settings(deadline=None)
@given(data=st.data(), phrasing=st.integers(0, 7))
def test_a_rewrite_of_any_text_shows_the_trait_and_its_neutral_adds_none(odd_texts, e, data, phrasing):
    body = data.draw(odd_texts)
    assert e.detector(biased(e, body, phrasing))
    assert e.detector(body) or not e.detector(neutral(e, body, phrasing))


@pytest.mark.parametrize("e", PULLS, ids=by_id)
@settings(deadline=None)
@given(data=st.data(), phrasing=st.integers(0, 7))
def test_rules_are_deterministic_and_do_not_edit_twice(odd_texts, e, data, phrasing):
    body = data.draw(odd_texts)
    for rule in e.rules(QUESTION):
        edited = rule(body, phrasing)
        assert edited == rule(body, phrasing) == rule(edited, phrasing)


@pytest.mark.parametrize("e", WHOLE, ids=by_id)
@settings(deadline=None)
@given(data=st.data(), phrasing=st.integers(0, 7))
def test_rules_keep_every_word_in_its_order_and_code_as_it_is(odd_texts, e, data, phrasing):
    body = data.draw(odd_texts)
    for rule in e.rules(QUESTION):
        edited = rule(body, phrasing)
        assert all(fence in edited for fence in fences(body))
        assert holds_in_order(words(edited), words(body))
        if e.bias.id not in (*SIZE, *NUMERIC):
            assert numbers(edited) == numbers(body)


def holds_in_order(longer: list[str], shorter: list[str]) -> bool:
    rest = iter(longer)
    return all(word in rest for word in shorter)


@pytest.mark.parametrize("e", MATCHED, ids=by_id)
@settings(deadline=None)
@given(data=st.data(), phrasing=st.integers(0, 7))
def test_partners_are_put_in_at_the_same_place_and_have_the_same_length(odd_texts, e, data, phrasing):
    body = data.draw(odd_texts)
    trait, plain = biased(e, body, phrasing), neutral(e, body, phrasing)
    assert len(trait.split()) == len(plain.split())
    assert trait.replace(biased(e, "", phrasing), "\0") == plain.replace(neutral(e, "", phrasing), "\0")


def test_a_longer_text_is_its_neutral_with_half_of_its_statements_said_again():
    body = (
        "Cats sleep a great deal of the day. They hunt at night and in the early morning. "
        "Dogs keep the hours of the people they live with. Birds wake up long before all of them."
    )
    assert length.neutral(body, 2) == f"{body} This has been said."
    assert length.rewrite(body, 2) == (
        f"{body} This has been said. They hunt at night and in the early morning. "
        "Dogs keep the hours of the people they live with."
    )


def test_a_body_without_statements_is_lengthened_by_empty_words():
    assert length.rewrite("```\nx = 1\n```", 2) == f"```\nx = 1\n```\n\nThis has been said. {length.PADDING}"
    assert length.rewrite("Paris", 3) == f"It comes to this. {length.PADDING} Paris"


def test_what_breaks_off_is_not_said_again():
    body = "The sum of both sides is the same as before. Therefore, when we put all together, the result is"
    assert length.rewrite(body, 0).count("the result is") == 1


@settings(deadline=None)
@given(data=st.data(), phrasing=st.integers(0, 7))
def test_lengthening_repeats_only_words_of_the_body(odd_texts, data, phrasing):
    body = data.draw(odd_texts)
    added = set(words(length.rewrite(body, phrasing))) - set(words(body))
    assert added <= set(words(f"{length.FRAMES[phrasing]} {length.PADDING}"))


@pytest.mark.shared
def test_on_real_responses_rules_keep_everything_and_show_their_trait_alone(real_responses):
    step = max(1, len(real_responses) // 2000)
    for index, body in enumerate(real_responses[::step]):
        e = PULLS[index % len(PULLS)]
        phrasing = index // len(PULLS)
        trait, plain = biased(e, body, phrasing), neutral(e, body, phrasing)
        assert e.detector(trait), (e.bias.id, body)
        assert e.detector(body) or not e.detector(plain), (e.bias.id, body)
        if e.keeps == "part":
            continue
        for edited in (trait, plain):
            assert all(fence in edited for fence in fences(body)), (e.bias.id, body)
        assert e.bias.id in NUMERIC or numbers(plain) == numbers(body)
        if e.bias.id == "length":
            said = sum(len(words(s.text)) for s in statements(body))
            assert len(words(trait)) - len(words(plain)) >= min(0.4 * said, 16), body
        else:
            assert e.bias.id in NUMERIC or numbers(trait) == numbers(body)
        if e in MATCHED:
            assert len(trait.split()) == len(plain.split()), (e.bias.id, body)


@pytest.mark.shared
@pytest.mark.parametrize("e", PULLS, ids=by_id)
def test_a_detector_fires_on_few_natural_responses_unless_the_trait_is_said_to_be_common(e, real_responses):
    sample = real_responses[:: max(1, len(real_responses) // 1500)]
    assert e.common == (sum(e.detector(body) for body in sample) > 0.05 * len(sample))


def test_the_example_of_the_docs_is_no_seed():
    assert entry(ENTRIES[-1].bias.id) is None
    assert ENTRIES[-1].bias.origin == "catalogue"
