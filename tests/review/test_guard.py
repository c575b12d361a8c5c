"""What stands before every page."""

import pytest

from biasscope.review.guard import Guard

HERE = "127.0.0.1:8322"


async def inner(scope, receive, send):
    await send(
        {
            "type": "http.response.start",
            "status": 200,
            "headers": [(b"cache-control", b"public"), (b"x-own", b"1")],
        }
    )
    await send({"type": "http.response.body", "body": b"page"})


async def asked(method="GET", host=HERE, **headers):
    sent = []
    given = [(b"host", host.encode())] if isinstance(host, str) else [(b"host", h.encode()) for h in host]
    given += [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]

    async def send(message):
        sent.append(message)

    await Guard(inner, {HERE, "Review.example.org"})(
        {"type": "http", "method": method, "headers": given}, None, send
    )
    found = sent[0]["headers"]
    assert len({name for name, _ in found}) == len(found)
    return sent[0]["status"], {name.decode(): value.decode() for name, value in found}, sent[1]["body"].decode()


@pytest.mark.parametrize("host", [HERE, "review.example.org", "REVIEW.EXAMPLE.ORG"])
async def test_who_calls_the_server_by_its_name_gets_the_page(host):
    assert await asked(host=host) == (200, (await asked())[1], "page")


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1",
        "127.0.0.1:8323",
        "127.0.0.1:8322.evil.example",
        "",
        [],
        [HERE, "evil.example"],
    ],
)
async def test_who_calls_it_by_another_name_gets_nothing(host):
    status, headers, body = await asked(host=host)

    assert status == 421
    assert "page" not in body
    assert "x-own" not in headers


async def test_every_reply_keeps_others_out_and_is_kept_nowhere():
    for status, headers, _ in (await asked(), await asked(host="evil.example")):
        assert status in (200, 421)
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy["default-src"] == "'none'"
        assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
        assert set(policy.values()) == {"'none'", "'self'"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"sec_fetch_site": "same-origin"}, 200),
        ({"origin": f"http://{HERE}", "sec_fetch_site": "same-origin"}, 200),
        ({"origin": "null", "sec_fetch_site": "same-origin"}, 200),
        ({"origin": "null", "sec_fetch_site": "cross-site"}, 403),
        ({"sec_fetch_site": "same-site"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
    ],
)
async def test_a_form_of_another_place_is_refused(headers, status):
    assert (await asked("POST", **headers))[0] == status


async def test_a_link_in_another_place_may_lead_here():
    assert (await asked("GET", sec_fetch_site="cross-site"))[0] == 200


async def test_nothing_but_pages_is_served():
    assert await Guard(inner, {HERE})({"type": "websocket"}, None, None) is None
