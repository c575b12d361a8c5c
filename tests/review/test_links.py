"""Personal links: unguessable, lasting, for their owner's eyes, and ended when new ones are made."""

import json
import stat
import sys

import pytest

from biasscope.errors import DataError, UsageError
from biasscope.review.links import FILE, FOLDER, open_links, parse_reviewers
from biasscope.reviews import ADJUDICATOR


def file(run):
    return run / FOLDER / FILE


def test_everybody_has_a_link_of_their_own_and_keeps_it(tmp_path):
    links = open_links(tmp_path, ("ana", "ben"))
    again = open_links(tmp_path, None)

    assert again == links
    assert list(links.tokens) == ["ana", "ben", ADJUDICATOR]
    assert links.reviewers == ("ana", "ben")
    assert len(set(links.tokens.values())) == 3
    assert min(len(t) for t in links.tokens.values()) >= 32
    assert {name: links.owner(token) for name, token in links.tokens.items()} == {n: n for n in links.tokens}
    assert open_links(tmp_path / ".", ("cy", "ANA")).reviewers == ("ana", "ben", "cy")


def test_two_reviewers_are_made_up_at_first_and_more_where_more_are_wanted(tmp_path):
    assert open_links(tmp_path, None).reviewers == ("reviewer-1", "reviewer-2")
    assert open_links(tmp_path, 3).reviewers == ("reviewer-1", "reviewer-2", "reviewer-3")
    assert open_links(tmp_path, 1).reviewers == ("reviewer-1", "reviewer-2", "reviewer-3")


def test_new_links_end_the_old_ones_and_what_browsers_kept(tmp_path):
    old, new = open_links(tmp_path, ("ana",)), open_links(tmp_path, None, renew=True)

    assert new.reviewers == ("ana",)
    assert new.owner(old.tokens["ana"]) is None
    assert new.bearer(old.session("ana")) is None
    assert new.place("item-1") == old.place("item-1")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_only_their_owner_can_read_them(tmp_path):
    open_links(tmp_path, ("ana",))
    file(tmp_path).chmod(0o644)
    open_links(tmp_path, None)

    assert stat.S_IMODE(file(tmp_path).stat().st_mode) == 0o600
    assert stat.S_IMODE(file(tmp_path).parent.stat().st_mode) == 0o700


def test_what_is_derived_differs_between_people_uses_and_folders(tmp_path):
    (tmp_path / "other").mkdir()
    links, other = open_links(tmp_path, ("ana", "ben")), open_links(tmp_path / "other", ("ana", "ben"))
    derived = [
        made
        for one in (links, other)
        for made in (one.session("ana"), one.session("ben"), one.form_key("ana"), one.place("ana"), one.cookie)
    ]

    assert len(set(derived)) == len(derived)
    assert links.bearer(links.session("ben")) == "ben"
    assert links.bearer(links.form_key("ben")) is None
    assert links.owner(links.session("ben")) is None
    assert other.bearer(links.session("ben")) is None
    assert links.owner("") is links.bearer("\u00e9\ud800") is None


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("3", 3),
        (" 50 ", 50),
        ("ana,ben", ("ana", "ben")),
        ("Ana M. , J\u00f6rg", ("Ana M.", "J\u00f6rg")),
        ("x@y.z", ("x@y.z",)),
    ],
)
def test_a_number_or_names_are_read(text, read):
    assert parse_reviewers(text) == read


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0", "out of range"),
        ("51", "out of range"),
        ("", "no name"),
        ("ana,", "no name"),
        ("a/b", "no name"),
        ("<b>", "no name"),
        ("-x", "no name"),
        ("x" * 41, "no name"),
        ("a\u202eb", "no name"),
        ("Adjudicator", "can be called"),
        ("ana,ANA", "two reviewers have one name"),
        (",".join(f"r{n}" for n in range(51)), "too many"),
    ],
)
def test_a_name_that_is_none_is_refused(text, said):
    with pytest.raises(UsageError, match=said):
        parse_reviewers(text)


@pytest.mark.parametrize(
    "broken",
    [
        "{",
        "{}",
        json.dumps({"secret": "zz" * 32, "tokens": {}}),
        json.dumps({"secret": "ab", "tokens": {"ana": "x" * 32}}),
        json.dumps({"secret": "ab" * 32, "tokens": {"ana": ""}}),
        json.dumps({"secret": "ab" * 32, "tokens": {"a/b": "x" * 32}}),
    ],
)
def test_links_that_were_damaged_are_refused_and_left_alone(tmp_path, broken):
    open_links(tmp_path, ("ana",))
    file(tmp_path).write_text(broken)
    with pytest.raises(DataError, match="links of the reviewers are damaged") as error:
        open_links(tmp_path, None)

    assert "no answer is lost" in error.value.hint
    assert file(tmp_path).read_text() == broken
