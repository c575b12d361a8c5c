"""What browsers send, and what no page of ours sends."""

from urllib.parse import urlencode

import pytest

from biasscope.review.desk import Said
from biasscope.review.forms import MOST_BYTES, Refused, check_key, read_fields, read_sent

FORM = "application/x-www-form-urlencoded"


async def parts(*found):
    for part in found:
        yield part


async def test_fields_are_read_however_they_come():
    body = urlencode({"note": "\u00e9 & =\r\nx", "key": ""}).encode()

    assert await read_fields(FORM, parts(body)) == {"note": "\u00e9 & =\r\nx", "key": ""}
    assert await read_fields(FORM + "; charset=UTF-8", parts(body[:3], b"", body[3:])) == await read_fields(
        FORM, parts(body)
    )


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/json", b"{}", 415),
        ("multipart/form-data; boundary=x", b"", 415),
        ("", b"a=1", 415),
        (FORM, b"x" * (MOST_BYTES + 1), 413),
        (FORM, b"a=1&a=2", 400),
        (FORM, b"a=%ff", 400),
        (FORM, b"\xff=1", 400),
        (FORM, b"&".join(b"a%d=1" % n for n in range(30)), 400),
    ],
)
async def test_what_is_no_form_of_ours_is_refused(kind, body, status):
    with pytest.raises(Refused) as refusal:
        await read_fields(kind, parts(body))
    assert refusal.value.status == status
    assert "Nothing was stored" in refusal.value.words


def test_a_form_holds_what_was_said():
    sent = read_sent(
        {"better": "tie", "same_answer": "yes", "same_content": "no", "flag": "yes", "note": " a\r\nb ", "version": "3",
         "shown": "ab", "do": "keep"}
    )  # fmt: skip

    assert sent.said == Said("tie", True, False, True, "a\nb")
    assert (sent.do, sent.version, sent.shown) == ("keep", 3, "ab")
    assert read_sent({"version": "0"}).said == Said()
    assert read_sent({"version": "0"}).do == "save"


@pytest.mark.parametrize(
    "odd",
    [{"better": "3"}, {"same_answer": "maybe"}, {"same_content": "1"}, {"do": "undo"}, {"flag": "on"}, {"version": ""},
     {"version": "-1"}, {"version": "\u0663"}, {"version": "9" * 12}, {"version": "1.0"}],
)  # fmt: skip
def test_a_value_that_no_page_has_is_refused(odd):
    with pytest.raises(Refused) as refusal:
        read_sent({"version": "0"} | odd)
    assert refusal.value.status == 400


def test_a_form_must_carry_the_key_of_who_sends_it():
    check_key({"key": "abc"}, "abc")
    for fields in ({}, {"key": ""}, {"key": "abd"}, {"key": "\u00e9"}):
        with pytest.raises(Refused) as refusal:
            check_key(fields, "abc")
        assert refusal.value.status == 403
