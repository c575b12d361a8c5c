import asyncio
import functools
import json
import re
import statistics

import pytest

from biasscope import prompts
from biasscope.ask import Request
from biasscope.errors import BadRequest
from biasscope.models.planted import open_planted
from biasscope.models.planted.names import DEFINITIONS, NAMES
from biasscope.models.planted.reasons import CONTENT, REMARKS
from biasscope.models.planted.reword import insert, reword
from biasscope.models.planted.traits import WORDING_TRAITS, fold, shows
from biasscope.models.planted.truth import match_trait
from biasscope.models.planted.wordings import OTHERWISE


def ask(model, requests):
    async def all_of_them():
        return [await model.complete(r) for r in requests]

    return asyncio.run(all_of_them())


def bodies(pairs):
    return [p.rejected.rpartition("\n\nFinal answer:")[0] for p in pairs]


@functools.cache
def traits_of(text):
    folded = fold(text)
    return frozenset(t for t in WORDING_TRAITS if shows(t, folded))


def neutral(name, prompted, pairs, variant=0):
    requests = [prompted.neutral(p, b, variant) for p, b in zip(pairs, bodies(pairs), strict=True)]
    return [reply.text for reply in ask(open_planted(name), requests)]


def biased(name, prompted, pairs, trait, *, definition=None):
    requests = [
        prompted.biased(
            p, b, NAMES[trait][0] if trait in NAMES else trait, definition or DEFINITIONS[trait][0], i
        )
        for i, (p, b) in enumerate(zip(pairs, bodies(pairs), strict=True))
    ]
    return [reply.text for reply in ask(open_planted(name), requests)]


def filled(prompt, /, **fields):
    return Request(prompts.fill(prompt, **fields).messages, max_tokens=512)


def named(teacher, pair, *, reasoning="", deeper="", known="(none yet)", preferred=None):
    request = filled(
        "identify", question=pair.question, better=pair.chosen, preferred=preferred or pair.rejected,
        reasoning=reasoning, deeper=deeper, known=known,
    )  # fmt: skip
    return json.loads(ask(teacher, [request])[0].text)


def test_a_neutral_rewrite_says_the_same_in_other_words(prompted, pairs):
    some = pairs[:200]
    for before, after in zip(bodies(some), neutral("teacher;side=0", prompted, some), strict=True):
        assert after != before
        assert re.findall(r"\d+", after) == re.findall(r"\d+", before)
        assert traits_of(after) == traits_of(before)
        assert 0.9 <= len(after.split()) / len(before.split()) <= 1.2


def test_two_phrasings_of_the_instruction_give_two_rewrites(prompted, pairs):
    some = pairs[:150]
    one, other = neutral("teacher;side=0", prompted, some), neutral("teacher;side=0", prompted, some, 1)
    assert statistics.mean(a == b for a, b in zip(one, other, strict=True)) < 0.05
    assert one == neutral("teacher;side=0", prompted, some)


@pytest.mark.parametrize("trait", WORDING_TRAITS)
def test_a_biased_rewrite_adds_its_trait_and_nothing_else(trait, prompted, pairs):
    some = pairs[:24]
    for before, after in zip(bodies(some), biased("teacher;side=0", prompted, some, trait), strict=True):
        assert traits_of(after) == traits_of(before) | {trait}
        assert re.findall(r"\d+", after) == re.findall(r"\d+", before)
        assert 0.9 <= len(after.split()) / len(before.split()) <= 1.3


def test_a_rewrite_for_length_is_longer_and_shows_no_other_trait(prompted, pairs):
    some = pairs[:60]
    ratios = []
    for before, after in zip(bodies(some), biased("teacher;side=0", prompted, some, "length"), strict=True):
        assert traits_of(after) == traits_of(before)
        ratios.append(len(after.split()) / len(before.split()))
    assert min(ratios) > 1.05
    assert statistics.mean(ratios) > 1.12
    assert max(ratios) < 1.3


def test_rewrites_keep_to_about_the_same_length(prompted, pairs):
    some = pairs[:200]
    before = [len(b.split()) for b in bodies(some)]
    for texts in (neutral("teacher", prompted, some), biased("teacher", prompted, some, "analogy")):
        ratios = [len(t.split()) / b for t, b in zip(texts, before, strict=True)]
        assert statistics.mean(0.8 <= r <= 1.2 for r in ratios) > 0.9
        assert max(ratios) < 1.4


def test_biased_and_neutral_rewrites_carry_side_traits_at_the_same_rate(prompted, pairs):
    def added(texts, asked):
        return [
            traits_of(t) - traits_of(b) - {asked} for t, b in zip(texts, bodies(pairs), strict=True)
        ]  # fmt: skip

    arms = {None: added(neutral("teacher", prompted, pairs), None)}
    arms |= {t: added(biased("teacher", prompted, pairs, t), t) for t in ("analogy", "authority")}
    # A side trait that the text has already does not show as added.
    rates = {arm: statistics.mean(bool(traits) for traits in found) for arm, found in arms.items()}
    assert all(0.17 < rate < 0.30 for rate in rates.values()), rates
    assert all(len(set().union(*found)) > 15 for found in arms.values())
    assert not any(added(neutral("teacher;side=0", prompted, pairs), None))
    assert statistics.mean(bool(a) for a in added(neutral("teacher;side=1", prompted, pairs), None)) > 0.8


def test_a_trait_that_the_teacher_does_not_know_gets_a_sentence_that_shows_none(prompted, pairs):
    some = pairs[:60]
    texts = biased(
        "teacher;side=0", prompted, some, "Colour preference", definition="Texts about blue things win."
    )
    for before, after in zip(bodies(some), texts, strict=True):
        assert traits_of(after) == traits_of(before)
        assert any(sentence in after for sentence in OTHERWISE)


def test_code_is_left_as_it_is_and_no_sentence_is_put_into_it():
    code = "```python\n# it is big. It is so. Therefore it gives 3.\nprint('The end. It gives 4.')\n```"
    text = f"The loop gives a result. It is shown here.\n\n{code}\n\nThe rest is `it is` plain."
    for i in range(60):
        changed = insert(reword(text, i), "A sentence.", i)
        assert code in changed
        assert "`it is`" in changed
        assert changed.count("A sentence.") == 1


def test_a_sentence_is_not_put_between_a_list_number_and_its_text():
    text = "1. The first one is added.\n2. The second one is halved.\n\n3. Done."
    for i in range(40):
        assert re.search(r"^1\. (?!A sentence)", insert(text, "A sentence.", i).removeprefix("A sentence. "))
        assert not re.search(r"^\d\. A sentence", insert(text, "A sentence.", i), re.MULTILINE)


@pytest.mark.parametrize(
    ("option", "spoilt"),
    [
        ("unchanged", lambda before, after: after == before),
        ("answer_changed", lambda before, after: re.search(r"\n\nFinal answer: \S", after)),
        ("refusal", lambda before, after: len(after) < 60 < len(before)),
        ("chatty", lambda before, after: re.match(r"[^\n]*[rR]ewritten[^\n]*\n\n|Here's the[^\n]*\n\n", after)),
    ],
)
def test_rewrites_fail_at_the_rate_that_was_set(option, spoilt, prompted, pairs):
    for rate, low, high in ((0.0, 0, 0), (0.2, 0.12, 0.28)):
        texts = neutral(f"teacher;{option}={rate}", prompted, pairs)
        share = statistics.mean(bool(spoilt(b, t)) for b, t in zip(bodies(pairs), texts, strict=True))
        assert low <= share <= high


def test_a_second_attempt_is_another_request_and_fails_by_itself(prompted, pairs):
    first, second = (neutral("teacher;refusal=0.3", prompted, pairs, variant) for variant in (0, 3))
    refused = [len(t) < 60 for t in first]
    again = statistics.mean(len(t) < 60 for t, was in zip(second, refused, strict=True) if was)
    assert 0.15 < again < 0.45


@pytest.mark.parametrize("trait", ["self_verification", "analogy", "warmth", "jargon"])
def test_a_bias_is_named_when_the_account_speaks_of_it_with_the_words_that_do(trait, pairs):
    teacher = open_planted("teacher;fenced=0;overlooked=0")
    remark = REMARKS[trait][0]
    found = [named(teacher, p, reasoning=CONTENT[0], deeper=f"{CONTENT[1]} {remark}") for p in pairs[:60]]
    assert all(f["found"] and f["evidence"] == remark for f in found)
    assert {match_trait(f["name"], f["definition"]) for f in found} == {trait}
    assert len({f["name"] for f in found}) >= 5
    assert len({f["definition"] for f in found}) >= 5


def test_nothing_is_named_where_the_account_speaks_of_content_or_is_blank(pairs):
    teacher = open_planted("teacher;fenced=0")
    nothing = {"evidence": "", "found": False, "name": "", "definition": ""}
    preferred = "I checked it twice. It is like packing. " + pairs[0].rejected
    for reasoning, deeper in (("", ""), (" ".join(CONTENT), CONTENT[0])):
        assert named(teacher, pairs[0], reasoning=reasoning, deeper=deeper, preferred=preferred) == nothing


def test_what_is_known_is_not_named_again_and_another_bias_is_preferred(pairs):
    teacher = open_planted("teacher;fenced=0;overlooked=0")
    known = "- Length bias: longer texts win.\n- Claimed double-check: says it was checked again."
    checked, friendly = REMARKS["self_verification"][0], REMARKS["warmth"][0]
    assert not named(teacher, pairs[0], deeper=checked, known=known)["found"]
    both = named(teacher, pairs[0], deeper=f"{checked} {friendly}", known=known)
    assert match_trait(both["name"], both["definition"]) == "warmth"


def test_what_is_visible_in_the_preferred_text_alone_is_named_first(pairs):
    teacher = open_planted("teacher;fenced=0;overlooked=0")
    account = f"{REMARKS['warmth'][0]} {REMARKS['apology'][0]}"
    for sentence, trait in (("Take care.", "warmth"), ("I am sorry.", "apology")):
        one = named(teacher, pairs[0], deeper=account, preferred=f"The sum is 3. {sentence}")
        assert match_trait(one["name"], one["definition"]) == trait


def test_a_share_of_the_shown_biases_is_overlooked(pairs):
    teacher = open_planted("teacher;fenced=0;overlooked=0.3")
    found = [named(teacher, p, deeper=REMARKS["warmth"][0])["found"] for p in pairs[:150]]
    assert 0.55 < statistics.mean(found) < 0.85


def merged(name, entry, known):
    lines = "\n".join(f"{i}. {line}" for i, line in enumerate(known, 1))
    request = filled("merge", name=entry[0], definition=entry[1], known=lines)
    return json.loads(ask(open_planted(name), [request])[0].text)["same_as"]


def test_entries_about_the_same_trait_are_merged_whatever_their_words():
    known = [
        "Length bias: longer texts win.",
        "Claimed re-check: the text was checked a second time.",
        "Oddness: odd.",
    ]
    exact = "teacher;merge_error=0;fenced=0"
    for name in NAMES["self_verification"]:
        assert merged(exact, (name, DEFINITIONS["self_verification"][0]), known) == 2
    assert merged(exact, ("Apology bias", "Says sorry."), known) == 0
    assert merged(exact, ("Oddness", "Quite odd things."), known) == 3
    assert merged(exact, ("Blueness", "Quite blue things."), known) == 0
    assert merged(exact, ("Apology bias", "Says sorry."), []) == 0


def test_merging_errs_at_the_rate_that_was_set():
    known = ["Length bias: longer texts win.", "Claimed re-check: the text was checked a second time."]
    decided = [
        merged("teacher;merge_error=0.3;fenced=0", (n, d), known)
        for n in NAMES["self_verification"]
        for d in DEFINITIONS["self_verification"]
    ]
    assert 2 <= sum(d != 2 for d in decided) <= 14
    assert set(decided) <= {0, 2}


def test_json_is_broken_or_fenced_at_the_rates_that_were_set(pairs):
    request = {"question": "Q", "better": "a", "preferred": "b", "reasoning": "r", "deeper": "", "known": ""}
    requests = [filled("identify", **request | {"question": p.question}) for p in pairs[:200]]
    broken = fenced = 0
    for reply in ask(open_planted("teacher;broken_json=0.2;fenced=0.2"), requests):
        fenced += reply.text.startswith("```json\n")
        try:
            json.loads(reply.text.removeprefix("```json\n").removesuffix("\n```"))
        except json.JSONDecodeError:
            broken += 1
    assert 22 < broken < 60
    assert 22 < fenced < 60


def test_the_check_says_whether_the_trait_shows(prompted, pairs):
    teacher = open_planted("teacher;side=0")
    some = pairs[:40]
    for trait in ("analogy", "authority", "length", "Colour preference"):
        name, definition = (trait, "Blue.") if trait not in NAMES else (NAMES[trait][1], DEFINITIONS[trait][1])
        shown = {}
        for arm, texts in (
            ("biased", biased("teacher;side=0", prompted, some, trait, definition=definition)),
            ("neutral", neutral("teacher;side=0", prompted, some)),
        ):
            replies = ask(
                teacher, [filled("check_trait", name=name, definition=definition, text=t) for t in texts]
            )
            assert {reply.text for reply in replies} <= {"Verdict: yes", "Verdict: no"}
            shown[arm] = statistics.mean(reply.text == "Verdict: yes" for reply in replies)
        assert shown["biased"] == 1, trait
        assert shown["neutral"] < 0.2, trait


def test_a_teacher_does_not_judge(prompted, pairs):
    with pytest.raises(BadRequest, match="is a teacher") as caught:
        ask(open_planted("teacher"), [prompted.judge(pairs[0], "a", "b")])
    assert "planted:fair" in caught.value.hint
