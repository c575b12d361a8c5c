"""The review in a run folder, as it is and as somebody left it."""

from dataclasses import replace

import pytest
from tests.reviewing import item, items, said

from biasscope.errors import DataError, UsageError
from biasscope.rundir.appended import Appender
from biasscope.rundir.files import record_lines, write_whole
from biasscope.rundir.reviews import ANSWERS, read_review


def folder(path, some, *reviews):
    write_whole(path / "review_items.jsonl", record_lines(some))
    with Appender.open(path / ANSWERS) as file:
        for review in reviews:
            file.append(review)
    return path


def test_items_and_answers_are_those_that_were_written(tmp_path):
    some = items(4)
    reviews = [said("ana", some[0], "1"), said("ben", some[1], "2", flag=True, note="odd\nly \u2028")]
    found = read_review(folder(tmp_path, some, *reviews))

    assert found.items == some
    assert found.said == tuple(reviews)
    assert set(found.stand) == {("ana", some[0].id), ("ben", some[1].id)}
    assert found.notes == ()


def test_answers_about_other_texts_or_items_are_counted_and_do_not_stand(tmp_path):
    some = items(4)
    old = replace(some[0], prompt="as it was before")
    found = read_review(folder(tmp_path, some, said("ana", old), said("ana", item(99)), said("ben", some[1])))

    assert (found.changed, found.unknown, len(found.said)) == (1, 1, 1)
    assert [n.split()[0] for n in found.notes] == ["1", "1"]


def test_a_torn_line_and_one_that_was_edited_are_named(tmp_path):
    some = items(4)
    path = folder(tmp_path, some, said("ana", some[0]), said("ana", some[1]), said("ana", some[2]))
    lines = (path / ANSWERS).read_text().splitlines()
    (path / ANSWERS).write_text(lines[0] + "\n" + lines[1].replace('"tie"', '"best"') + "\n" + lines[2][:-9])
    found = read_review(path)

    assert [r.item for r in found.said] == [some[0].id]
    assert found.torn
    assert found.notes == (
        "reviews.jsonl holds 2 lines that are no reviews: 2, 3 (the last one was cut off). They are passed over.",
    )


def test_a_folder_without_a_set_is_refused(tmp_path):
    with pytest.raises(UsageError, match="nothing to review") as error:
        read_review(tmp_path)
    assert "built" in error.value.hint


def test_a_set_that_was_edited_is_refused_with_its_line(tmp_path):
    path = folder(tmp_path, items(4))
    file = path / "review_items.jsonl"
    good = file.read_text()
    file.write_text(good.replace('"arm":"biased"', '"arm":"partial"', 1))
    with pytest.raises(DataError, match=r"review_items\.jsonl, line \d: hidden\.arm"):
        read_review(path)
    file.write_text(good + good.splitlines()[0] + "\n")
    with pytest.raises(DataError, match="two items have the id"):
        read_review(path)
    file.write_text("")
    with pytest.raises(DataError, match="holds no item"):
        read_review(path)
