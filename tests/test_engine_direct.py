"""Asks answered by a model in process, with nothing kept."""

import pytest

from biasscope.ask import Answered, Missing, Reply, Request, Unreadable
from biasscope.engine.direct import Direct
from biasscope.records import Message


class Word:
    """An ask for a word; each attempt is another request, and a dash is no answer."""

    kind = "word"

    def __init__(self, word, attempts=1):
        self.word = word
        self.attempts = attempts

    def request(self, attempt):
        return Request((Message("user", f"{self.word}-{attempt}"),), max_tokens=8)

    def parse(self, reply):
        if "-" in reply.text:
            raise Unreadable("unparsable", reply.text)
        return reply.text


class Replying:
    """A model that says what `say` makes of a prompt."""

    spec = "fake:replying"

    def __init__(self, say):
        self.say = say
        self.asked = []

    async def complete(self, request):
        self.asked.append(request.messages[-1].content)
        return Reply(self.say(self.asked[-1]))


async def test_answers_come_in_the_order_of_the_asks():
    direct = Direct(Replying(lambda prompt: prompt.partition("-")[0]))
    answers = await direct.ask([Word(str(n)) for n in range(250)])
    assert [a.value for a in answers] == [str(n) for n in range(250)]
    assert direct.name == "fake:replying"


async def test_an_ask_is_tried_as_often_as_it_allows_and_has_one_key_per_reply():
    model = Replying(lambda prompt: "yes" if prompt.endswith("1") else prompt)
    first, second = await Direct(model).ask([Word("a", attempts=3), Word("b")])
    assert model.asked == ["a-0", "a-1", "b-0"]
    assert first == Answered("yes", ("unkept", "unkept"))
    assert second == Missing("unparsable", "b-0", ("unkept",))


async def test_what_the_model_raises_is_raised():
    def fail(prompt):
        raise RuntimeError("no such luck")

    with pytest.raises(RuntimeError, match="no such luck"):
        await Direct(Replying(fail)).ask([Word("a")])
