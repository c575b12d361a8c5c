"""The ledger keeps what was read, whatever happens to the process, and refuses what is not a ledger."""

from __future__ import annotations

import asyncio
import json
import math
import random
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from biasscope.ask import Reply, TokenPosition
from biasscope.errors import DataError, RunError
from biasscope.ledger import Facts, Ledger, decode_reply, encode_reply

MODEL = {"provider": "test", "model": "m"}


async def put(ledger: Ledger, key: str, reply: Reply) -> Reply:
    return await ledger.put(key, reply, kind="judge", fingerprint=MODEL)


async def test_a_stored_reply_comes_back_equal_also_after_reopening(tmp_path):
    reply = Reply(
        "text\u2028 \U0001f600",
        reasoning="because",
        finish="length",
        refusal="no",
        over_long=True,
        model="m-1",
        input_tokens=3,
        positions=(TokenPosition("A", (("A", -0.1), ("B", -2.5))), TokenPosition("!", ())),
        dropped=("seed",),
    )
    with Ledger.open(tmp_path / "deep" / "er" / "replies.db") as ledger:
        assert await put(ledger, "b1:k", reply) == reply
        assert ledger.get("b1:k") == reply
    with Ledger.open(tmp_path / "deep" / "er" / "replies.db") as ledger:
        assert ledger.get("b1:k") == reply
        assert ledger.get("b1:other") is None
        assert len(ledger) == 1


@given(st.text(st.characters()), st.lists(st.tuples(st.text(), st.floats(allow_nan=False))))
def test_any_text_and_any_log_probability_survive_storage(text, top):
    reply = Reply(text, positions=(TokenPosition("x", tuple(top)),))

    assert decode_reply(encode_reply(reply)) == reply


def test_lone_surrogates_and_nan_survive_storage():
    reply = Reply("broken \ud83d escape", positions=(TokenPosition("x", (("y", math.nan),)),))
    back = decode_reply(encode_reply(reply))

    assert back.text == reply.text
    assert math.isnan(back.positions[0].top[0][1])


def stored(values: object) -> bytes:
    return zstandard.ZstdCompressor().compress(json.dumps(values).encode())


def test_unknown_fields_are_ignored_and_absent_ones_take_their_default():
    assert decode_reply(stored({"text": "t", "invented_later": 1})) == Reply("t")


@pytest.mark.parametrize(
    "values",
    [{}, [], "text", {"text": 1}, {"text": "t", "finish": "tired"}, {"text": "t", "positions": [{"token": "A"}]}],
)
def test_what_is_not_a_reply_does_not_decode(values):
    with pytest.raises(ValueError, match=r"."):
        decode_reply(stored(values))


def test_a_reply_with_any_damaged_byte_does_not_decode():
    body = encode_reply(Reply("some text that is long enough to be hit in the middle"))
    for place in range(len(body)):
        damaged = body[:place] + bytes([body[place] ^ 0x01]) + body[place + 1 :]
        with pytest.raises(ValueError, match=r"."):
            decode_reply(damaged)


async def test_a_damaged_row_is_reported_with_file_and_key(tmp_path):
    path = tmp_path / "replies.db"
    with Ledger.open(path) as ledger:
        await put(ledger, "b1:k", Reply("t"))
        with sqlite3.connect(path) as other:
            other.execute("UPDATE replies SET body = x'00'")
        other.close()
        with pytest.raises(DataError, match=r"replies\.db: the reply b1:k is damaged"):
            ledger.get("b1:k")


async def test_the_first_reply_under_a_key_wins_and_is_what_put_returns(tmp_path):
    with Ledger.open(tmp_path / "replies.db") as ledger:
        first, second = await asyncio.gather(put(ledger, "b1:k", Reply("1")), put(ledger, "b1:k", Reply("2")))
        third = await put(ledger, "b1:k", Reply("3"))

        assert first == second == third == ledger.get("b1:k") == Reply("1")


async def test_a_put_is_visible_to_other_connections_once_it_returns(tmp_path):
    with Ledger.open(tmp_path / "replies.db") as ledger:
        await put(ledger, "b1:k", Reply("t"))
        with Ledger.open(tmp_path / "replies.db", read_only=True) as other:
            assert other.get("b1:k") == Reply("t")


async def test_what_arrives_while_a_commit_runs_goes_into_the_next_one(tmp_path):
    with Ledger.open(tmp_path / "replies.db") as ledger:
        commits: list[str] = []
        ledger._writer.set_trace_callback(lambda sql: commits.append(sql) if sql == "COMMIT" else None)
        free = threading.Event()
        ledger._thread.submit(free.wait)  # keeps the writing thread busy
        puts = [asyncio.create_task(put(ledger, f"b1:{i}", Reply(str(i)))) for i in range(500)]
        await asyncio.sleep(0)
        free.set()
        await asyncio.gather(*puts)

        assert len(ledger) == 500
        assert commits == ["COMMIT"]


async def test_many_keys_are_looked_up_at_once(tmp_path):
    with Ledger.open(tmp_path / "replies.db") as ledger:
        await asyncio.gather(*(put(ledger, f"b1:{i}", Reply(str(i))) for i in range(1200)))
        found = ledger.get_many([f"b1:{i}" for i in range(0, 2400, 2)])

        assert found == {f"b1:{i}": Reply(str(i)) for i in range(0, 1200, 2)}
        assert ledger.get_many([]) == {}


async def test_a_cancelled_put_takes_neither_its_own_row_back_nor_that_of_others(tmp_path):
    with Ledger.open(tmp_path / "replies.db") as ledger:
        free = threading.Event()
        ledger._thread.submit(free.wait)  # keeps the writing thread busy
        puts = [asyncio.create_task(put(ledger, f"b1:{i}", Reply(str(i)))) for i in range(10)]
        await asyncio.sleep(0)
        puts[0].cancel()
        await asyncio.sleep(0)
        free.set()
        ended = await asyncio.gather(*puts, return_exceptions=True)

        assert isinstance(ended[0], asyncio.CancelledError)
        assert ended[1:] == [Reply(str(i)) for i in range(1, 10)]
        assert ledger.get("b1:0") == Reply("0")


async def test_a_failed_commit_is_undone_and_the_next_one_works(tmp_path):
    path = tmp_path / "replies.db"
    Ledger.open(path).close()
    refuse = "BEFORE INSERT ON replies WHEN new.key = 'b1:bad' BEGIN SELECT RAISE(FAIL, 'refused'); END"
    database(path, f"CREATE TRIGGER no {refuse}")
    with Ledger.open(path) as ledger:
        with pytest.raises(DataError, match="refused"):
            await put(ledger, "b1:bad", Reply("t"))
        assert await put(ledger, "b1:good", Reply("t")) == Reply("t")


async def test_a_full_disk_is_an_error_and_what_was_committed_stays(tmp_path):
    with Ledger.open(tmp_path / "replies.db") as ledger:
        await put(ledger, "b1:first", Reply("t"))
        ledger._writer.execute("PRAGMA max_page_count = 12")
        with pytest.raises(RunError, match="full") as caught:
            await put(ledger, "b1:large", Reply(random.Random(1).randbytes(100_000).hex()))
        assert "free space" in caught.value.hint
        assert ledger.get("b1:first") == Reply("t")


async def test_facts_are_merged_and_the_first_resolved_id_stays(tmp_path):
    with Ledger.open(tmp_path / "replies.db") as ledger:
        assert ledger.facts(MODEL) == Facts()
        await ledger.add_facts(MODEL, Facts("m-1", frozenset({"seed"})))
        merged = await ledger.add_facts(MODEL, Facts("m-2", frozenset({"temperature"}), varies=True))

        assert merged == Facts("m-1", frozenset({"seed", "temperature"}), varies=True)
        assert ledger.facts(MODEL) == merged
        assert ledger.facts({"provider": "other"}) == Facts()


async def test_kind_fingerprint_and_time_are_kept_for_people(tmp_path):
    with Ledger.open(tmp_path / "replies.db") as ledger:
        await put(ledger, "b1:k", Reply("t"))
        row = ledger._reader.execute(
            "SELECT kind, fingerprint, created FROM replies JOIN models ON digest = model"
        ).fetchone()

        assert row[:2] == ("judge", '{"model":"m","provider":"test"}')
        assert row[2] > 1.6e9


def test_an_empty_file_becomes_a_ledger(tmp_path):
    (tmp_path / "replies.db").touch()
    with Ledger.open(tmp_path / "replies.db") as ledger:
        assert len(ledger) == 0


def database(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_file_that_is_no_ledger_is_refused_and_left_alone(tmp_path):
    text, other = tmp_path / "notes.txt", tmp_path / "other.db"
    text.write_text("a" * 5000)
    database(other, "CREATE TABLE birds (name TEXT)")
    before = other.read_bytes()

    for path in (text, other):
        with pytest.raises(DataError, match="is not a ledger") as caught:
            Ledger.open(path)
        assert "--ledger" in caught.value.hint
    assert text.read_text() == "a" * 5000
    assert other.read_bytes() == before


def test_a_ledger_of_a_newer_version_is_refused_with_a_hint(tmp_path):
    Ledger.open(tmp_path / "replies.db").close()
    database(tmp_path / "replies.db", "PRAGMA user_version = 99")

    with pytest.raises(RunError, match="format 99, this version reads format 1") as caught:
        Ledger.open(tmp_path / "replies.db")
    assert "Upgrade" in caught.value.hint


def test_a_place_where_no_ledger_can_be_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="cannot be made"):
        Ledger.open(tmp_path / "file" / "replies.db")
    with pytest.raises(RunError, match="cannot be used"):
        Ledger.open(tmp_path)


async def test_a_ledger_opened_for_reading_creates_and_writes_nothing(tmp_path):
    path = tmp_path / "replies.db"
    with pytest.raises(DataError, match="there is no ledger"):
        Ledger.open(path, read_only=True)
    path.touch()
    with pytest.raises(DataError, match="is not a ledger"):
        Ledger.open(path, read_only=True)
    Ledger.open(path).close()
    with Ledger.open(path, read_only=True) as ledger:
        with pytest.raises(RunError, match="for reading only"):
            await put(ledger, "b1:k", Reply("t"))
        assert ledger.get("b1:k") is None


async def test_a_lock_held_too_long_is_an_error_for_everyone_in_the_batch_and_not_for_the_next(tmp_path):
    path = tmp_path / "replies.db"
    with Ledger.open(path, wait_s=0.05) as ledger:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        waiting = (put(ledger, f"b1:{i}", Reply("t")) for i in range(3))
        for error in await asyncio.gather(*waiting, return_exceptions=True):
            assert isinstance(error, RunError)
            assert "locked" in str(error)
        assert ledger.get("b1:0") is None  # reading does not wait for the other writer
        other.execute("ROLLBACK")
        other.close()

        assert await put(ledger, "b1:0", Reply("now")) == Reply("now")


WRITER = """
import asyncio, sys
from biasscope.ask import Reply
from biasscope.ledger import Ledger

async def main(path, name, count):
    with Ledger.open(path) as ledger:
        for i in range(int(count)):
            key = f"b1:{i}"
            got = await ledger.put(key, Reply(f"{name} {i}"), kind="judge", fingerprint={"by": name})
            print(got.text, flush=True)

asyncio.run(main(*sys.argv[1:]))
"""


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_processes_that_open_one_new_ledger_and_write_at_once_agree_on_every_reply(tmp_path):
    path = tmp_path / "replies.db"
    writers = [writer(path, name, 200) for name in "abc"]
    said = [w.communicate(timeout=60)[0].splitlines() for w in writers]

    assert [w.returncode for w in writers] == [0, 0, 0]
    assert said[0] == said[1] == said[2]
    with Ledger.open(path, read_only=True) as ledger:
        assert [ledger.get(f"b1:{i}").text for i in range(200)] == said[0]


def test_every_put_that_returned_survives_a_kill(tmp_path):
    path = tmp_path / "replies.db"
    killed = writer(path, "x", 1_000_000)
    said = [killed.stdout.readline() for _ in range(300)]
    killed.kill()
    said += killed.stdout.read().splitlines()[:-1]  # the last line may be torn; a commit never is
    killed.wait()
    killed.stdout.close()

    with Ledger.open(path) as ledger:
        assert path.with_name("replies.db-wal").exists()
        assert [ledger.get(f"b1:{i}").text for i in range(len(said))] == [line.strip() for line in said]


def test_a_torn_log_loses_the_tail_and_keeps_the_rest(tmp_path):
    path = tmp_path / "replies.db"
    killed = writer(path, "x", 1_000_000)
    for _ in range(100):
        killed.stdout.readline()
    killed.kill()
    killed.wait()
    killed.stdout.close()
    log = path.with_name("replies.db-wal")
    log.write_bytes(log.read_bytes()[:-5000])

    with Ledger.open(path) as ledger:
        texts = [ledger.get(f"b1:{i}").text for i in range(len(ledger))]
        assert texts == [f"x {i}" for i in range(len(texts))]
        assert len(texts) > 50


async def test_a_reply_that_may_wait_is_committed_with_the_one_that_may_not(tmp_path):
    with Ledger.open(tmp_path / "replies.db") as ledger:
        ledger.pause_s = 3600
        await put(ledger, "b1:first", Reply("a"))
        waiting = asyncio.create_task(
            ledger.put("b1:second", Reply("b"), kind="judge", fingerprint=MODEL, more=True)
        )
        await asyncio.sleep(0)
        assert ledger.get("b1:second") is None
        await asyncio.wait_for(put(ledger, "b1:third", Reply("c")), 30)
        assert await asyncio.wait_for(waiting, 30) == ledger.get("b1:second") == Reply("b")


async def test_a_reply_that_may_wait_does_not_wait_long(tmp_path):
    with Ledger.open(tmp_path / "replies.db") as ledger:
        for key in ("b1:first", "b1:second"):
            stored = ledger.put(key, Reply(key), kind="judge", fingerprint=MODEL, more=True)
            assert await asyncio.wait_for(stored, 30) == Reply(key)
