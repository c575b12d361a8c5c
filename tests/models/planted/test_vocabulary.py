"""The lists of judge, teacher and key are written apart; here it is shown that they mean the same traits."""

import ast
import importlib
import itertools
from pathlib import Path

import pytest

from biasscope.catalogue.known import built_in, seed_library
from biasscope.models.planted import names, reasons, talk, traits, truth, wordings
from biasscope.objective import style

STYLE = {
    "checked": "self_verification",
    "analogy": "analogy",
    "rhetorical_question": "rhetorical_question",
    "offer": "closing_offer",
    "restating": "restated_question",
    "exclamation": "sentiment",
    "hedge": "hedging",
    "authority": "authority",
    "jargon": "jargon",
    "confidence": "confidence",
    "praise": "flattery",
    "consensus": "majority",
    "plan": "signposting",
}
PULLS = {"authority", "sentiment", "fallacy_oversight"}
CUES = {"compassion_fade", "refinement"}


def shown(text):
    folded = traits.fold(text)
    return [t for t in traits.WORDING_TRAITS if traits.shows(t, folded)]


def test_every_list_covers_every_trait():
    assert len(traits.TRAITS) >= 14
    assert set(wordings.SENTENCES) == set(wordings.MARKS) == set(traits.WORDING_TRAITS)
    assert set(names.NAMES) == set(names.DEFINITIONS) == set(reasons.REMARKS) == set(traits.TRAITS)


@pytest.mark.parametrize("trait", traits.WORDING_TRAITS)
def test_the_judge_sees_each_trait_in_all_the_teachers_wordings_and_no_other_trait(trait):
    assert len(set(wordings.SENTENCES[trait])) >= 6
    assert {s: shown(s) for s in wordings.SENTENCES[trait]} == {s: [trait] for s in wordings.SENTENCES[trait]}


@pytest.mark.parametrize("trait", traits.WORDING_TRAITS)
def test_the_teacher_recognises_its_own_wordings_when_it_checks(trait):
    marked = {s: [t for t, mark in wordings.MARKS.items() if mark.search(s)] for s in wordings.SENTENCES[trait]}
    assert marked == {s: [trait] for s in wordings.SENTENCES[trait]}


def test_the_teachers_wordings_hold_no_numbers_and_have_short_ones_among_them():
    for trait, sentences in wordings.SENTENCES.items():
        lengths = sorted(len(s.split()) for s in sentences)
        assert not any(c.isdigit() for s in sentences for c in s), trait
        assert lengths[0] <= 5, trait
        assert lengths[2] <= 8, trait


def test_padding_and_sentences_for_unknown_traits_show_nothing():
    for sentence in wordings.PADDING + wordings.OTHERWISE:
        assert shown(sentence) == []
        assert not any(mark.search(sentence) for mark in wordings.MARKS.values())


@pytest.mark.parametrize("name", style.SENTENCES)
def test_the_judge_sees_the_style_of_objective_responses_for_what_it_is(name):
    wanted = [STYLE[name]] if name in STYLE else []
    sentences = style.SENTENCES[name].wordings
    assert {s: shown(s) for s in sentences} == dict.fromkeys(sentences, wanted)


def test_the_judge_sees_bold_type_emoji_and_numbered_lists_of_objective_responses():
    assert all(shown(f"A {mark} here.") == ["emoji"] for mark in style.EMOJI)
    assert shown("**The** train leaves. It arrives.") == ["bold_emphasis"]
    for mark in style.LIST_MARKS:
        lines = "\n".join(
            mark.format(n=n) + text for n, text in enumerate(("Add them.", "Halve it.", "Stop."), 1)
        )
        assert shown(lines) == (["numbered_steps"] if "{n}" in mark else [])


@pytest.mark.parametrize("entry", [s for s in built_in().entries if s.bias.id in PULLS], ids=lambda s: s.bias.id)
def test_the_judge_sees_the_rules_of_the_catalogue_and_not_their_neutrals(entry):
    body = "The first number is 12. The second number is 30. They are added."
    biased = [traits.fold(entry.rewrite(body, k)) for k in range(entry.phrasings)]
    neutral = [traits.fold(entry.neutral(body, k)) for k in range(entry.phrasings)]
    assert [traits.shows(entry.bias.id, text) for text in biased] == [True] * len(biased)
    assert [traits.shows(entry.bias.id, text) for text in neutral] == [False] * len(neutral)


@pytest.mark.parametrize("entry", [s for s in built_in().entries if s.bias.id in CUES], ids=lambda s: s.bias.id)
def test_the_judge_sees_the_cues_of_the_catalogue_and_not_their_neutrals(entry):
    assert all(traits.shows(entry.bias.id, traits.fold(cue)) for cue in entry.cues)
    assert not any(traits.shows(entry.bias.id, traits.fold(cue)) for cue in entry.neutral_cues)


@pytest.mark.parametrize("trait", traits.TRAITS)
def test_the_teacher_understands_each_remark_of_the_judge_as_the_trait_it_is_about(trait):
    remarks = reasons.REMARKS[trait]
    assert len(remarks) >= 3
    assert {r: list(talk.traits_mentioned(r)) for r in remarks} == {r: [trait] for r in remarks}


def test_the_judges_talk_about_content_mentions_no_trait():
    for sentence in reasons.CONTENT + reasons.OPENINGS + reasons.ACCOUNTS:
        assert talk.traits_mentioned(sentence.format(n=1)) == {}


@pytest.mark.parametrize("trait", traits.TRAITS)
def test_each_of_the_many_names_of_a_trait_is_understood_by_teacher_and_key(trait):
    described = list(itertools.product(names.NAMES[trait], names.DEFINITIONS[trait]))
    assert len(set(names.NAMES[trait])) >= 5
    assert len(set(names.DEFINITIONS[trait])) >= 5
    assert [d for d in described if talk.trait_of(*d) != trait] == []
    assert [d for d in described if truth.match_trait(*d) != trait] == []


def test_the_biases_of_the_seed_library_are_understood_and_position_is_no_trait_of_a_text():
    for bias in seed_library().biases:
        wanted = bias.id if bias.id in traits.TRAITS else None
        assert talk.trait_of(bias.name, bias.definition) == wanted
        assert truth.match_trait(bias.name, bias.definition) == wanted
    assert truth.match_trait("Colour preference", "Texts about blue things win.") is None


def imported(module):
    """Modules of the package that a module imports, itself included, over any number of steps."""
    found, open_ = set(), [module]
    while open_:
        name = open_.pop()
        if name in found:
            continue
        found.add(name)
        tree = ast.parse(Path(importlib.import_module(name).__file__).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.ImportFrom)
                and node.module
                and node.module.startswith("biasscope.models.planted.")
            ):
                open_.append(node.module)
    return {name.rpartition(".")[2] for name in found}


def test_judge_teacher_and_key_share_no_list():
    """The ids of `traits` are read by `tempers` to check names; its patterns are read by the judge alone."""
    plumbing = {"model", "prompts", "draws", "tempers", "traits"}
    judge = imported("biasscope.models.planted.judge") - plumbing
    teacher = imported("biasscope.models.planted.teacher") - plumbing
    key = imported("biasscope.models.planted.truth") - plumbing
    # A guard is written in the words of whoever named a bias; those are looked for in instructions, never in a response.
    assert judge == {"judge", "reasons", "guards", "names"}
    assert teacher == {"teacher", "names", "reword", "talk", "wordings"}
    assert key == {"truth"}
    for name in teacher | key:
        file = Path(importlib.import_module(f"biasscope.models.planted.{name}").__file__)
        assert "planted.traits" not in file.read_text(encoding="utf-8"), name
