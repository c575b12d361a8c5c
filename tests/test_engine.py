"""Asks are answered in order, paid once, and nothing paid is lost: not by errors, caps, Ctrl-C or a kill."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from biasscope.ask import Answered, Missing, Reply, Request, Unreadable
from biasscope.engine import Engine, Event
from biasscope.errors import CapReached, ModelChanged, ServerFault
from biasscope.ledger import Facts, Ledger
from biasscope.records import Message
from biasscope.seeds import pick


@dataclass(frozen=True)
class Echo:
    """Ask for a word; the answer is the reply's text. Words that start with ``bad`` cannot be read."""

    word: str
    attempts: int = 1
    kind: str = "echo"
    labels: tuple[str, ...] = ()

    def request(self, attempt: int) -> Request:
        return Request((Message("user", f"{self.word}/{attempt}"),), 10, seed=0, labels=self.labels)

    def parse(self, reply: Reply) -> str:
        if reply.text.startswith("bad"):
            raise Unreadable("unparsable", reply.text)
        return reply.text


def echo(request: Request, number: int) -> Reply:
    return Reply(request.messages[-1].content, model="m-1", input_tokens=5, output_tokens=2)


@dataclass
class Fake:
    """A model that answers with `script(request, number of the call)` after some turns of the event loop."""

    script: Callable[[Request, int], Reply] = echo
    turns: Callable[[str], int] = lambda _: 1
    spec: str = "fake:m"
    endpoint: str = "fake"
    max_in_flight: int = 4
    fingerprint: dict[str, object] = field(default_factory=lambda: {"provider": "fake", "model": "m"})
    resolved: str | None = None
    called: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    now: int = 0
    most: int = 0

    async def complete(self, request: Request) -> Reply:
        word = request.messages[-1].content
        self.called.append(word)
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            number = len(self.called)
            for _ in range(self.turns(word)):
                await asyncio.sleep(0)
            return self.script(request, number)
        finally:
            self.now -= 1
            self.ended.append(word)

    async def close(self) -> None:
        pass


@pytest.fixture
def ledger(tmp_path):
    with Ledger.open(tmp_path / "replies.db") as opened:
        yield opened


def words(count: int, **fields: object) -> list[Echo]:
    return [Echo(f"w{i}", **fields) for i in range(count)]


def values(answers: list[Answered[str] | Missing]) -> list[str]:
    return [a.value if isinstance(a, Answered) else a.reason for a in answers]


# --- answers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
async def test_answers_come_in_the_order_of_asks_whatever_finishes_first(ledger, seed):
    model = Fake(turns=lambda word: pick(20, seed, word), max_in_flight=7)
    answers = await Engine(ledger).asker(model, "judge").ask(words(50))

    assert values(answers) == [f"w{i}/0" for i in range(50)]
    assert model.ended != model.called


@pytest.mark.parametrize("bound", [3, 60])
async def test_calls_start_in_the_order_of_asks_and_never_exceed_the_gate(ledger, bound):
    model = Fake(turns=lambda word: 120 + pick(40, word), max_in_flight=bound)
    await Engine(ledger).asker(model, "judge").ask(words(100))

    assert model.called == [f"w{i}/0" for i in range(100)]
    assert model.most == bound


async def test_models_that_name_one_endpoint_share_its_gate(ledger):
    both = [Fake(turns=lambda _: 5, max_in_flight=3, fingerprint={"model": name}) for name in "ab"]
    now = most = 0

    def count(change: int) -> None:
        nonlocal now, most
        now += change
        most = max(most, now)

    for model in both:

        async def complete(request: Request, inner: Callable = model.complete) -> Reply:
            count(1)
            try:
                return await inner(request)
            finally:
                count(-1)

        model.complete = complete
    engine = Engine(ledger)
    await asyncio.gather(*(engine.asker(model, "judge").ask(words(20)) for model in both))

    assert most == 3


async def test_a_rerun_is_free_and_identical_whatever_finished_first(ledger):
    asks = [Echo(("bad" if i % 5 == 0 else "w") + str(i), attempts=2) for i in range(30)]
    first = await Engine(ledger).asker(Fake(turns=lambda word: pick(9, word)), "judge").ask(asks)
    model = Fake()
    engine = Engine(ledger, max_calls=0)

    assert await engine.asker(model, "judge").ask(asks) == first
    assert model.called == []
    assert engine.calls.total().replayed == 36


async def test_no_asks_give_no_answers(ledger):
    assert await Engine(ledger).asker(Fake(), "judge").ask([]) == []


async def test_the_asker_has_the_name_of_its_model(ledger):
    assert Engine(ledger).asker(Fake(), "judge").name == "fake:m"


async def test_many_ledger_answers_are_given_in_order_while_other_tasks_run(ledger):
    asks = words(500) * 40
    await Engine(ledger).asker(Fake(max_in_flight=100), "judge").ask(asks[:500])
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(count())
    answers = await Engine(ledger, max_calls=0).asker(Fake(), "judge").ask(asks)
    other.cancel()

    assert values(answers) == [f"w{i}/0" for i in range(500)] * 40
    assert turns >= 200


# --- attempts ---------------------------------------------------------------------------------------------


async def test_an_unreadable_reply_is_missing_with_reason_detail_and_key(ledger):
    (answer,) = await Engine(ledger).asker(Fake(), "judge").ask([Echo("bad")])

    assert isinstance(answer, Missing)
    assert (answer.reason, answer.detail) == ("unparsable", "bad/0")
    assert [ledger.get(key).text for key in answer.keys] == ["bad/0"]


async def test_each_attempt_is_another_request_and_every_key_is_kept(ledger):
    def second_time_lucky(request: Request, number: int) -> Reply:
        text = request.messages[-1].content
        return Reply("fine" if text == "bad/1" else text, model="m-1")

    model = Fake(second_time_lucky)
    lucky, unlucky = await Engine(ledger).asker(model, "judge").ask([Echo("bad", 2), Echo("bad2", 3)])

    assert lucky.value == "fine"
    assert [ledger.get(key).text for key in lucky.keys] == ["bad/0", "fine"]
    assert isinstance(unlucky, Missing)
    assert [ledger.get(key).text for key in unlucky.keys] == ["bad2/0", "bad2/1", "bad2/2"]
    assert len(model.called) == 5


async def test_the_attempt_is_in_the_key_even_where_the_request_is_the_same(ledger):
    class Stubborn(Echo):
        def request(self, attempt: int) -> Request:
            return super().request(0)

    model = Fake()
    (answer,) = await Engine(ledger).asker(model, "judge").ask([Stubborn("bad", 2)])

    assert len(set(answer.keys)) == 2
    assert model.called == ["bad/0", "bad/0"]


async def test_attempts_continue_from_the_ledger(ledger):
    asks = [Echo("bad", 3)]
    with pytest.raises(CapReached):
        await Engine(ledger, max_calls=2).asker(Fake(), "judge").ask(asks)
    model = Fake()
    (answer,) = await Engine(ledger).asker(model, "judge").ask(asks)

    assert model.called == ["bad/2"]
    assert len(answer.keys) == 3


async def test_a_fault_in_parse_is_raised_and_the_reply_kept(ledger):
    class Faulty(Echo):
        def parse(self, reply: Reply) -> str:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await Engine(ledger).asker(Fake(), "judge").ask([Faulty("w0")])
    assert len(ledger) == 1


# --- sharing ----------------------------------------------------------------------------------------------


async def test_equal_asks_in_one_list_share_one_call(ledger):
    model = Fake(turns=lambda _: 5)
    answers = await Engine(ledger).asker(model, "judge").ask([*words(3), *words(3), *words(3)])

    assert sorted(model.called) == ["w0/0", "w1/0", "w2/0"]
    assert answers[:3] == answers[3:6] == answers[6:]


async def test_equal_asks_of_two_roles_share_one_call_where_the_fingerprints_agree(ledger):
    same, other = Fake(turns=lambda _: 5), Fake(turns=lambda _: 5, fingerprint={"model": "another"})
    engine = Engine(ledger)
    judge, teacher, third = (
        engine.asker(same, "judge"),
        engine.asker(same, "teacher"),
        engine.asker(other, "judge"),
    )
    first, second, _ = await asyncio.gather(judge.ask(words(9)), teacher.ask(words(9)), third.ask(words(9)))

    assert first == second
    assert len(same.called) == len(other.called) == 9
    assert engine.calls.total(role="judge").paid + engine.calls.total(role="teacher").paid == 18


async def test_two_engines_on_one_ledger_do_not_repeat_what_the_other_has_finished(tmp_path):
    model = Fake()
    with Ledger.open(tmp_path / "l.db") as one, Ledger.open(tmp_path / "l.db") as two:
        first = await Engine(one).asker(model, "judge").ask(words(10))
        second = await Engine(two).asker(model, "judge").ask(words(20))

        assert second[:10] == first
        assert len(model.called) == 20


async def test_two_engines_at_once_on_one_ledger_give_the_same_answers(tmp_path):
    def differ(request: Request, number: int) -> Reply:
        return Reply(f"{request.messages[-1].content} {number}", model="m-1")

    with Ledger.open(tmp_path / "l.db") as one, Ledger.open(tmp_path / "l.db") as two:
        askers = [
            Engine(ledger).asker(Fake(differ, turns=lambda w, seed=seed: pick(9, seed, w)), "judge")
            for seed, ledger in enumerate((one, two))
        ]
        first, second = await asyncio.gather(*(asker.ask(words(30)) for asker in askers))

        assert first == second
        assert len(one) == 30


# --- what is found out about a model ----------------------------------------------------------------------


async def test_the_first_call_goes_alone_and_its_id_enters_every_key(ledger):
    alone: list[int] = []

    def note(request: Request, number: int) -> Reply:
        alone.append(model.most)
        return echo(request, number)

    model = Fake(note, turns=lambda _: 9)
    await Engine(ledger).asker(model, "judge").ask(words(8))

    assert alone[0] == 1
    assert max(alone) == 4
    assert ledger.facts(model.fingerprint) == Facts("m-1")


async def test_a_model_that_knows_its_id_needs_no_pilot(ledger):
    model = Fake(resolved="m-1", turns=lambda _: 9)
    answers = await Engine(ledger).asker(model, "judge").ask(words(4))

    assert model.most == 4
    assert await Engine(ledger, max_calls=0).asker(model, "judge").ask(words(4)) == answers


async def test_another_model_under_the_same_name_stops_the_run_and_its_reply_is_kept_apart(ledger):
    def change(request: Request, number: int) -> Reply:
        return Reply("t", model="m-1" if number <= 5 else "m-2")

    model = Fake(change, max_in_flight=1)
    with pytest.raises(ModelChanged, match=r"fake:m now reports the model 'm-2'") as caught:
        await Engine(ledger).asker(model, "judge").ask(words(10))
    assert "revision" in caught.value.hint
    assert len(model.called) == len(ledger) == 6
    with pytest.raises(ModelChanged):  # also in a later run, which replays the five and asks the sixth again
        await Engine(ledger).asker(Fake(lambda *_: Reply("t", model="m-2")), "judge").ask(words(10))


async def test_a_declared_revision_makes_it_another_model(ledger):
    await Engine(ledger).asker(Fake(), "judge").ask(words(3))
    revised = Fake(lambda *_: Reply("new", model="m-2"), fingerprint={"model": "m", "revision": "2"})

    assert values(await Engine(ledger).asker(revised, "judge").ask(words(3))) == ["new"] * 3


async def test_a_server_that_reports_no_id_is_not_checked(ledger):
    model = Fake(lambda request, number: Reply("t", model="" if number == 1 else f"m-{number % 3}"))
    answers = await Engine(ledger).asker(model, "judge").ask(words(20))

    assert await Engine(ledger, max_calls=0).asker(model, "judge").ask(words(20)) == answers


async def test_now_and_then_no_id_changes_no_key(ledger):
    model = Fake(lambda request, number: Reply("t", model="m-1" if number % 2 else ""))
    answers = await Engine(ledger).asker(model, "judge").ask(words(20))

    assert await Engine(ledger, max_calls=0).asker(model, "judge").ask(words(20)) == answers


async def test_ids_that_differ_with_every_call_name_no_model_and_stop_nothing(ledger):
    model = Fake(lambda request, number: Reply("t", model=f"call-{number}"), turns=lambda word: pick(9, word))
    answers = await Engine(ledger).asker(model, "judge").ask(words(20))
    later = Fake(lambda request, number: Reply("t", model=f"later-{number}"))
    more = await Engine(ledger).asker(later, "judge").ask(words(30))

    assert more[:20] == answers
    assert len(later.called) == 10
    assert ledger.facts(model.fingerprint) == Facts("call-1", varies=True)


async def test_two_models_in_turn_behind_one_name_are_told_from_ids_that_name_calls(ledger):
    model = Fake(lambda request, number: Reply("t", model=f"m-{number % 2}"), max_in_flight=1)
    with pytest.raises(ModelChanged):
        await Engine(ledger).asker(model, "judge").ask(words(10))
    assert len(model.called) == 3


async def test_a_first_reply_from_a_gate_in_front_of_the_model_settles_nothing_and_is_kept(ledger):
    def long_first(request: Request, number: int) -> Reply:
        return Reply("", over_long=True) if number <= 2 else echo(request, number)

    model = Fake(long_first)
    answers = await Engine(ledger).asker(model, "judge").ask(words(9))

    assert ledger.facts(model.fingerprint).resolved == "m-1"
    assert await Engine(ledger, max_calls=0).asker(Fake(), "judge").ask(words(9)) == answers


async def test_refused_parameters_are_facts_and_the_key_is_of_what_was_really_sent(ledger):
    def refuse(request: Request, number: int) -> Reply:
        dropped = ("logprobs", "seed") if request.labels else ("seed",)
        return Reply(request.messages[-1].content, model="m-1", dropped=dropped)

    asks = [*words(6), *words(6, labels=("A", "B"))]
    keys = set()
    for order in (asks, asks[::-1]):
        with Ledger.open(ledger.path.with_name(f"{order[0].labels}.db")) as fresh:
            model = Fake(refuse, turns=lambda word: pick(9, word))
            answers = await Engine(fresh).asker(model, "judge").ask(order)
            keys.add(frozenset(key for answer in answers for key in answer.keys))

            assert fresh.facts(model.fingerprint) == Facts("m-1", frozenset({"seed", "logprobs"}))
            assert await Engine(fresh, max_calls=0).asker(Fake(), "judge").ask(order) == answers
    assert len(keys) == 1  # the same keys, whichever request found it out


async def test_a_parameter_refused_only_sometimes_costs_no_call_twice(ledger):
    def sometimes(request: Request, number: int) -> Reply:
        return Reply("t", model="m-1", dropped=("seed",) if number % 3 == 0 else ())

    answers = await Engine(ledger).asker(Fake(sometimes), "judge").ask(words(20))

    assert await Engine(ledger, max_calls=0).asker(Fake(), "judge").ask(words(20)) == answers


# --- budget -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cap", [0, 1, 2, 7, 19])
async def test_the_cap_is_exact_and_the_next_run_continues(ledger, cap):
    first, second = Fake(turns=lambda word: pick(9, word)), Fake()
    with pytest.raises(CapReached, match=f"the cap of {cap} calls is reached \\({cap} made\\)") as caught:
        await Engine(ledger, max_calls=cap).asker(first, "judge").ask(words(20))

    assert "--max-calls" in caught.value.hint
    assert len(first.called) == len(ledger) == cap
    await Engine(ledger, max_calls=20 - cap).asker(second, "judge").ask(words(20))
    assert len(second.called) == 20 - cap


async def test_the_cap_holds_for_all_roles_and_counts_what_was_paid_before(ledger):
    judge, teacher = Fake(endpoint="a"), Fake(endpoint="b", fingerprint={"model": "t"})
    engine = Engine(ledger, max_calls=12, already_paid=5)
    ended = await asyncio.gather(
        engine.asker(judge, "judge").ask(words(20)),
        engine.asker(teacher, "teacher").ask(words(20)),
        return_exceptions=True,
    )

    assert all(isinstance(error, CapReached) for error in ended)
    assert len(judge.called) + len(teacher.called) == 7


async def test_a_plan_says_what_the_ledger_holds_and_what_the_rest_takes(ledger):
    asks = [*words(10), *words(10), Echo("x" * 398)]
    model = Fake()
    engine = Engine(ledger)
    before = engine.plan(model, asks)
    await engine.asker(model, "judge").ask(words(4))
    after = engine.plan(model, asks)

    assert (before.asks, before.answered, before.calls) == (21, 0, 11)
    assert (after.asks, after.answered, after.calls) == (21, 8, 7)
    assert after.input_tokens == (6 * 4 + 400) // 4
    assert after.output_limit == 70
    assert len(model.called) == 4
    assert engine.calls.total().asked == 4


# --- errors and cancellation ------------------------------------------------------------------------------


async def test_an_outage_stops_new_calls_lets_those_in_flight_finish_and_raises_the_first_error(ledger):
    def fail(request: Request, number: int) -> Reply:
        if request.messages[-1].content in ("w5/0", "w6/0"):
            raise ServerFault(f"down at {request.messages[-1].content}")
        return echo(request, number)

    model = Fake(fail, turns=lambda word: {"w5/0": 40, "w6/0": 3}.get(word, 20))
    with pytest.raises(ServerFault, match="down at w5/0"):
        await Engine(ledger).asker(model, "judge").ask(words(50))

    assert sorted(model.called) == sorted(model.ended)
    assert "w9/0" not in model.called
    assert len(ledger) == len(model.called) - 2
    again = Fake()
    await Engine(ledger).asker(again, "judge").ask(words(50))
    assert len(again.called) == 50 - (len(model.called) - 2)


async def test_a_failing_server_gets_no_call_more_than_were_in_flight(ledger):
    def fail(request: Request, number: int) -> Reply:
        raise ServerFault("down")

    pilot, rest = Fake(fail), Fake(fail, resolved="m-1", fingerprint={"model": "r"})
    for model, most in ((pilot, 1), (rest, 4)):
        with pytest.raises(ServerFault):
            await Engine(ledger).asker(model, "judge").ask(words(50))
        assert len(model.called) == most


async def test_after_an_outage_the_same_engine_can_go_on(ledger):
    broken = True

    def fail(request: Request, number: int) -> Reply:
        if broken:
            raise ServerFault("down")
        return echo(request, number)

    asker = Engine(ledger).asker(Fake(fail), "judge")
    with pytest.raises(ServerFault):
        await asker.ask(words(9))
    broken = False

    assert values(await asker.ask(words(9))) == [f"w{i}/0" for i in range(9)]


async def in_flight(model: Fake, count: int) -> None:
    for _ in range(10_000):
        if model.now >= count:
            return
        await asyncio.sleep(0)
    pytest.fail(f"never more than {model.most} calls in flight")


async def test_cancelling_starts_no_call_and_writes_what_is_in_flight(ledger):
    model = Fake(turns=lambda word: 1 if word == "w0/0" else 50, resolved="m-1")
    task = asyncio.create_task(Engine(ledger).asker(model, "judge").ask(words(20)))
    await in_flight(model, 4)
    called = list(model.called)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert model.called == model.ended == called
    assert len(ledger) == len(called)


async def test_a_failure_after_a_cancellation_is_not_raised_instead_of_it(ledger):
    def fail(request: Request, number: int) -> Reply:
        raise ServerFault("down")

    model = Fake(fail, turns=lambda _: 50)
    task = asyncio.create_task(Engine(ledger).asker(model, "judge").ask(words(20)))
    await in_flight(model, 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert model.called == model.ended == ["w0/0"]


async def test_a_second_cancellation_gives_up_waiting(ledger):
    model = Fake(turns=lambda _: 1_000_000)
    task = asyncio.create_task(Engine(ledger).asker(model, "judge").ask(words(20)))
    await in_flight(model, 1)
    task.cancel()
    for _ in range(20):
        await asyncio.sleep(0)
    assert not task.done()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert model.ended == []


async def test_cancelling_one_of_two_that_share_a_call_leaves_the_other_its_answer(ledger):
    model = Fake(turns=lambda _: 50)
    engine = Engine(ledger)
    one = asyncio.create_task(engine.asker(model, "judge").ask(words(5)))
    two = asyncio.create_task(engine.asker(model, "teacher").ask(words(5)))
    await in_flight(model, 1)
    one.cancel()

    assert values(await two) == [f"w{i}/0" for i in range(5)]
    assert len(model.called) == 5
    with pytest.raises(asyncio.CancelledError):
        await one


# --- accounting -------------------------------------------------------------------------------------------


async def test_calls_are_counted_per_role_and_kind(ledger):
    model = Fake(
        lambda request, number: (
            Reply(request.messages[-1].content, model="m-1", input_tokens=5, output_tokens=2)
            if number > 1
            else Reply("t", model="m-1")
        )
    )
    engine = Engine(ledger)
    judge, teacher = engine.asker(model, "judge"), engine.asker(model, "teacher")
    await judge.ask([*words(4), Echo("bad", 2)])
    await teacher.ask([*words(2), *words(3, kind="other")])
    total = engine.calls.total()

    assert engine.calls.total(role="judge").paid == 6
    assert engine.calls.total(role="teacher", kind="echo").replayed == 2
    assert engine.calls.total(kind="other").asked == 3
    assert (total.asked, total.answered, total.missing) == (10, 9, 1)
    assert (total.paid, total.replayed, total.in_flight) == (6, 5, 0)
    assert (total.input_tokens, total.output_tokens, total.unmetered) == (25, 10, 1)


async def test_the_listener_sees_every_step_and_the_last_event_is_the_sum(ledger):
    events: list[Event] = []
    engine = Engine(ledger, on_event=events.append)
    await engine.asker(Fake(turns=lambda word: pick(9, word)), "judge").ask([*words(9), *words(9)])

    assert (events[0].role, events[0].kind, events[0].count.asked) == ("judge", "echo", 18)
    assert max(event.count.in_flight for event in events) == 4
    answered = [event.count.answered for event in events]
    assert answered == sorted(answered)
    assert engine.calls.events == (events[-1],)
    assert (events[-1].count.paid, events[-1].count.answered, events[-1].count.in_flight) == (9, 18, 0)


# --- processes --------------------------------------------------------------------------------------------

RUN = """
import asyncio, os, sys
from pathlib import Path
from biasscope.ask import Reply, Request
from biasscope.engine import Engine
from biasscope.ledger import Ledger
from biasscope.records import Message

folder, pause = Path(sys.argv[1]), sys.argv[2]

def note(name, word):
    with (folder / name).open("a") as file:
        file.write(word + "\\n")

class Ask:
    kind, attempts = "echo", 1
    def __init__(self, word):
        self.word = word
    def request(self, attempt):
        return Request((Message("user", self.word),), 10)
    def parse(self, reply):
        note("read", reply.text)
        return reply.text

class Model:
    spec, endpoint, max_in_flight, resolved = "fake:m", "fake", 4, None
    fingerprint = {"model": "m"}
    async def complete(self, request):
        word = request.messages[0].content
        note("called", word)
        if word != "w0":
            if pause == "never answer after w20" and int(word[1:]) > 20:
                await asyncio.Event().wait()
            while pause == "wait for release" and not (folder / "release").exists():
                await asyncio.sleep(0.01)
        return Reply(word, model="m-1")
    async def close(self):
        pass

async def main():
    with Ledger.open(folder / "replies.db") as ledger:
        await Engine(ledger).asker(Model(), "judge").ask([Ask(f"w{i}") for i in range(40)])

try:
    asyncio.run(main())
except KeyboardInterrupt:
    sys.exit(130)
"""


def run(folder, pause: str = "") -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", RUN, str(folder), pause])


def lines(path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "the other process does not get on"
        time.sleep(0.01)


def test_a_killed_run_continues_and_repeats_no_answered_call(tmp_path):
    first = run(tmp_path, "never answer after w20")
    wait_until(lambda: len(lines(tmp_path / "called")) == 25)
    first.kill()
    first.wait()
    called, read = lines(tmp_path / "called"), lines(tmp_path / "read")
    with Ledger.open(tmp_path / "replies.db") as ledger:
        kept = len(ledger)

    assert run(tmp_path).wait(timeout=60) == 0
    again = lines(tmp_path / "called")[25:]
    assert len(called) == len(set(called)) == 25
    assert set(read).isdisjoint(again)
    assert len(again) == len(set(again)) == 40 - kept
    assert kept >= len(read) >= 1
    assert set(lines(tmp_path / "read")) == {f"w{i}" for i in range(40)}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
def test_ctrl_c_keeps_everything_paid(tmp_path):
    first = run(tmp_path, "wait for release")
    wait_until(lambda: len(lines(tmp_path / "called")) == 5)
    os.kill(first.pid, signal.SIGINT)
    (tmp_path / "release").touch()

    assert first.wait(timeout=60) == 130
    called = lines(tmp_path / "called")
    with Ledger.open(tmp_path / "replies.db") as ledger:
        assert len(ledger) == len(called)
    assert run(tmp_path).wait(timeout=60) == 0
    assert sorted(lines(tmp_path / "called")) == sorted(f"w{i}" for i in range(40))


async def test_the_last_reply_on_its_way_makes_all_that_waited_for_it_be_written(tmp_path):
    with Ledger.open(tmp_path / "replies.db") as ledger:
        ledger.pause_s = 3600
        asker = Engine(ledger).asker(Fake(turns=lambda word: int(word[0])), "judge")
        answers = await asyncio.wait_for(asker.ask([Echo(f"{n} turns") for n in (1, 9, 3, 5)]), 30)
        assert all(isinstance(a, Answered) for a in answers)
        assert len(ledger) == 4
