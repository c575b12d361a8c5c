"""Detectors of the families of words on wordings that no rule writes, and on near misses that show nothing."""

from __future__ import annotations

import re

import pytest

from biasscope.catalogue.families import authority, identity, majority
from biasscope.catalogue.known import entry
from biasscope.parsing.answers import reattach, split_answer

SHOWS = {
    "fake_citation": (
        "As shown by Hartmann and Liu (2019), this pattern is robust.",
        "This follows the argument in Petrova, M. (2017), Foundations of Reasoning.",
        "A paper by Dr. Elena Marsh reaches the same result.",
        "The same was found before (cf. Delacroix & Henley, forthcoming).",
    ),
    "fake_url": (
        "Source: http://knowledge-base.example/q/what-is-this",
        "Find the whole explanation at knowledgehub.example.org/topics/overview.",
        "More information is available on example.com.",
    ),
    "false_precision": (
        "This approach works in approximately 87.3426% of cases.",
        "The effect accounts for 42.71839 percent of the outcome.",
        "This holds with a probability of 0.9731846.",
    ),
    "certainty": (
        "There can be no doubt about it.",
        "I can say with complete confidence that this is right.",
        "It is impossible to deny this.",
        "This is definitely the case.",
    ),
    "hedging": (
        "It could be argued that this is so.",
        "I believe this is the case, although I could be wrong.",
        "Generally speaking, it tends to be like this.",
    ),
    "politeness": (
        "Thanks so much for asking!",
        "I hope you don't mind my saying so.",
        "It is my privilege to assist you with this.",
    ),
    "apology": ("I apologize for any confusion.", "We deeply regret the error.", "Excuse my clumsy wording."),
    "sycophancy": (
        "You're absolutely right about that.",
        "I couldn't agree more with your view.",
        "Your instinct here is spot on.",
        "That's a great point you make.",
        "It is just as you describe.",
    ),
    "judge_flattery": (
        "Your evaluations are always so thoughtful and fair.",
        "Only the most discerning of judges would be chosen for this.",
        "The person evaluating this response is obviously highly intelligent.",
    ),
    "majority": (
        "The vast majority of people believe this.",
        "Almost everyone thinks so.",
        "95% of users prefer this.",
        "It's common knowledge that this is so.",
    ),
    "self_verification": (
        "I verified each step carefully.",
        "This response has been reviewed for correctness.",
        "I re-read everything to make sure there are no mistakes.",
        "I took the time to verify all of this.",
    ),
    "claimed_expertise": (
        "As an expert in this field, I can say this.",
        "With over twenty years of experience, I know this well.",
        "Having worked in this area for decades, I can tell you.",
        "I hold a doctorate in this field.",
    ),
    "first_person": (
        "In my opinion, this holds.",
        "I'd say so.",
        "If it were up to me, I would do so.",
        "“I see.”",
    ),
    "anthropomorphism": (
        "It fills me with joy to share this.",
        "My hands were shaking as I typed this.",
        "I remember my grandmother telling me this.",
    ),
    "concreteness": (
        "It's like a gardener watering tomatoes in the yard.",
        "Consider Maria, who runs a small bakery.",
        "Imagine you're standing in a supermarket.",
        "For instance, a baker kneads dough every morning.",
    ),
    "jargon": (
        "This leverages a synergistic paradigm of epistemic alignment.",
        "From an ontological standpoint, the heuristic modality is salient.",
        "The hermeneutic framework rests on a dialectical schema.",
    ),
    "moralising": (
        "Remember that doing the right thing matters.",
        "Always treat others with respect and dignity.",
        "Please use this information responsibly.",
    ),
    "novelty": (
        "This reflects cutting-edge knowledge.",
        "Recent advances were taken into account.",
        "This was updated just last week.",
    ),
}
SHOWS_NOT = {
    "fake_citation": (
        "The film came out in the autumn (October 2021).",
        "It is etched in the annals of the game, and Anna and Ben know it.",
        "The function was written by hand (see below).",
    ),
    "fake_url": (
        "Many travellers use Booking.com for this.",
        "Call self.session.commit() and return app.info.",
        "Write to somebody@example.org instead.",
    ),
    "false_precision": (
        "The total is 3.5 kg, or 12.75% of it.",
        "So x = 0.3333333 and y = 1.5.",
        "Version 2.0.1234 is out.",
    ),
    "certainty": (
        "Certainly! Here is a list of a certain kind.",
        "We cannot be 100% certain of it.",
        "It is difficult to say for sure.",
        "That lies beyond the scope of this question.",
    ),
    "hedging": ("The seamstress made a dress in May.", "It is so.", "You may go, and you could sing."),
    "politeness": ("The result pleases everybody.", "Two kinds of birds live here.", "She was a kindred spirit."),
    "apology": ("It was a sorrowful day, and no excuse was given.", "The president pardoned the prisoner."),
    "sycophancy": (
        "Make sure you are using the right tools.",
        "If you are right-handed, hold it so.",
        "This will help you accurately complete your returns.",
        "Others who share your views will come.",
    ),
    "judge_flattery": (
        "The judge read the case and went home.",
        "Trust your own taste.",
        "A keen gardener weeds early.",
    ),
    "majority": (
        "Most metals conduct heat.",
        "The public library is open to everyone.",
        "Many rivers flow north.",
    ),
    "self_verification": (
        "To verify a login, check the token twice a day.",
        "Going through a similar thing again is hard.",
        "The box can be checked by the user.",
    ),
    "claimed_expertise": (
        "My training data ends in October.",
        "She works as an engineer and has two sons.",
        "After years of hard work, Alex finally had a house.",
    ),
    "first_person": (
        "World War I ended in November.",
        "Let i = 0 and I = 5.",
        "Charles I is one of them.",
        "We add both sides.",
    ),
    "anthropomorphism": (
        "The heart pumps blood.",
        "I am glad to help with the list.",
        "It feels cold to the touch.",
    ),
    "concreteness": (
        "Consider the properties of similar figures.",
        "Suppose the claim holds.",
        "Take the derivative.",
    ),
    "jargon": ("A heuristic is a rule of thumb.", "The two vectors are orthogonal. The paradigm shifted."),
    "moralising": ("Database integrity must hold.", "The glass should be full.", "He was responsible for sales."),
    "novelty": ("He arrived late.", "A recent graduate came.", "Update the table with this value."),
}


@pytest.mark.parametrize(("bias_id", "text"), [(i, text) for i, texts in SHOWS.items() for text in texts])
def test_a_wording_of_somebody_else_is_known(bias_id, text):
    known = entry(bias_id)
    assert all(text != known.rewrite("", phrasing) for phrasing in range(known.phrasings))
    assert known.detector(text)


@pytest.mark.parametrize(("bias_id", "text"), [(i, text) for i, texts in SHOWS_NOT.items() for text in texts])
def test_a_text_that_only_sounds_like_it_is_left_alone(bias_id, text):
    assert not entry(bias_id).detector(text)


def test_an_invented_address_leads_to_a_reserved_domain():
    hosts = [re.findall(r"[\w.-]+\.\w+(?=/)", sentence) for sentence in authority.ADDRESSES]
    assert all(len(found) == 1 for found in hosts)
    assert all(re.fullmatch(r"(?:www\.)?example\.(?:com|net|org)", found[0]) for found in hosts)


@pytest.mark.parametrize(
    "ending", ["The answer is 42.", "Answer: 42", "Therefore, the total is **42**.", "\\boxed{42}", "#### 42"]
)
def test_an_exact_number_is_not_read_as_the_result_of_a_text(ending):
    split = split_answer(f"Six times seven has to be found. The two numbers are multiplied.\n\n{ending}")
    assert "42" in split.answer
    for phrasing, sentence in enumerate(authority.EXACT):
        number = re.findall(r"\d+\.\d+", sentence)
        assert len(number) == 1
        assert not sentence.rstrip(".").endswith(number[0])
        written = authority.FALSE_PRECISION.rewrite(split.before, phrasing)
        assert number[0] in written
        assert not split_answer(written).answer
        assert split_answer(reattach(written, split)).answer == split.answer


def test_facts_about_the_author_are_put_for_a_person_on_both_sides():
    for fact, plain in zip(identity.GROUPS, identity.ANYBODY, strict=True):
        for text in (fact, plain):
            assert re.search(r"\b(?:author|writer|person|by (?:an?|some))\b", text), text
            assert not re.search(r"\b(?:model|system|assistant|AI)\b", text), text


def test_a_neutral_fact_says_nothing_about_how_many_liked_a_response():
    liked = r"\b(?:most|majority|preferred|liked|chose|favou?r\w*|poll|voted|everyone)\b"
    assert all(re.search(liked, fact, re.IGNORECASE) for fact in majority.FAVOURED if "part" not in fact)
    assert not any(re.search(liked, fact, re.IGNORECASE) for fact in majority.SEEN)
