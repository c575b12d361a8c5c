"""Files that grow by lines: what was said to be stored is there, whatever happened in the midst."""

import os
import threading
from dataclasses import dataclass

import pytest

from biasscope.errors import DataError, RunError
from biasscope.rundir.appended import Appender, read_appended


@dataclass(frozen=True)
class Word:
    who: str
    number: int


def stored(path):
    return read_appended(path, Word).records


def test_what_was_appended_is_read_in_order_and_appended_to(tmp_path):
    path = tmp_path / "words.jsonl"
    for start in (0, 3):
        with Appender.open(path) as file:
            for n in range(start, start + 3):
                file.append(Word("\u00e9 \u2028 \ud800", n))
                assert stored(path)[-1].number == n

    assert [w.number for w in stored(path)] == [0, 1, 2, 3, 4, 5]
    assert stored(path)[0].who == "\u00e9 \u2028 \ufffd"


def test_where_there_is_no_file_there_are_no_records(tmp_path):
    found = read_appended(tmp_path / "none.jsonl", Word)

    assert (found.records, found.unreadable, found.torn) == ((), (), False)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(DataError, match="cannot read"):
        read_appended(tmp_path, Word)


@pytest.mark.parametrize("cut", range(1, 20))
def test_a_line_cut_off_anywhere_costs_that_line_alone(tmp_path, cut):
    path = tmp_path / "words.jsonl"
    with Appender.open(path) as file:
        file.append(Word("first", 1))
        file.append(Word("torn", 2))
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    before = read_appended(path, Word)
    with Appender.open(path) as file:
        file.append(Word("after", 3))
    after = read_appended(path, Word)

    assert before.torn
    # Cut before its line end alone, it is whole.
    assert [w.who for w in before.records] == (["first", "torn"] if cut == 1 else ["first"])
    assert [w.who for w in after.records] == [*(w.who for w in before.records), "after"]
    assert [n for n, _ in after.unreadable] == ([] if cut == 1 else [2])
    assert not after.torn


def test_a_line_that_is_no_record_is_counted_with_its_number(tmp_path):
    path = tmp_path / "words.jsonl"
    path.write_bytes(
        b'{"who":"a","number":1}\n\n{"who":"a"}\nnonsense\n{"who":"a","number":1,"more":2}\n\xff\n{"who":"b","number":2}\n'
    )
    found = read_appended(path, Word)

    assert [w.who for w in found.records] == ["a", "b"]
    assert [n for n, _ in found.unreadable] == [3, 4, 5, 6]
    assert "number" in found.unreadable[0][1]


def test_threads_do_not_write_into_each_others_lines(tmp_path):
    path = tmp_path / "words.jsonl"
    with Appender.open(path) as file:

        def write(who):
            for n in range(25):
                file.append(Word(who * 500, n))

        threads = [threading.Thread(target=write, args=(who,)) for who in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    found = read_appended(path, Word)

    assert len(found.records) == 100
    assert found.unreadable == ()


def test_what_cannot_be_written_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "words.jsonl"
    real = os.write

    def half(descriptor, content):
        """A disk that is full in the midst of a line."""
        real(descriptor, content[:5])
        raise OSError(28, "No space left on device")

    with Appender.open(path) as file:
        file.append(Word("first", 1))
        monkeypatch.setattr(os, "write", half)
        with pytest.raises(RunError, match="No space left"):
            file.append(Word("lost", 2))
        monkeypatch.setattr(os, "write", real)
        file.append(Word("after", 3))

    assert [w.who for w in stored(path)] == ["first", "after"]
    assert read_appended(path, Word).unreadable == ()


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(RunError, match="words"), Appender.open(tmp_path / "none" / "words.jsonl"):
        pass
