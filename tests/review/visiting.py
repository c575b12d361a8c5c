"""A person with a browser that runs no script: asks the app itself, or a server, keeps its cookie, fills in forms."""

import html
import http.client
import json
import re
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

HERE = "127.0.0.1:8322"
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Answer:
    """A reply; `path` is what was asked for in the end."""

    status: int
    headers: dict
    text: str
    path: str = ""

    @property
    def json(self):
        return json.loads(self.text)

    @property
    def hidden(self):
        """The hidden fields of the item's form."""
        part = self.text.partition('id="answer"')[2].partition("</form>")[0]
        return {n: html.unescape(v) for n, v in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', part)}

    @property
    def key(self):
        return re.search(r'name="key" value="([^"]+)"', self.text)[1]

    @property
    def heading(self):
        return re.search(r"<h1>(.*?)</h1>", self.text)[1].partition(" of ")[0]

    @property
    def chosen(self):
        """What is chosen in the form, by the names of its fields."""
        return dict(re.findall(r'name="(\w+)" value="(\w+)" checked', self.text))


def in_app(app):
    """Ask an ASGI app in this process."""

    async def ask(method, path, headers, body):
        sent = []
        given = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http", "path": path,
            "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": given, "client": None, "server": None,
        }  # fmt: skip
        parts = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive():
            return parts.pop(0) if parts else {"type": "http.disconnect"}

        async def send(message):
            sent.append(message)

        await app(scope, receive, send)
        text = b"".join(m.get("body", b"") for m in sent[1:]).decode()
        return Answer(sent[0]["status"], {n.decode(): v.decode() for n, v in sent[0]["headers"]}, text, path)

    return ask


class Visitor:
    """One browser."""

    def __init__(self, ask, host=HERE):
        self._ask = ask
        self.host = host
        self.cookies = {}

    async def ask(self, method, path, fields=None, **headers):
        """One request, as it is."""
        given = {"Host": self.host} | {n.replace("_", "-"): v for n, v in headers.items()}
        if self.cookies:
            given["Cookie"] = "; ".join(f"{n}={v}" for n, v in self.cookies.items())
        body = b""
        if fields is not None:
            body = urlencode(fields).encode()
            given = {
                "Content-Type": FORM,
                "Content-Length": str(len(body)),
                "Sec-Fetch-Site": "same-origin",
            } | given
        found = await self._ask(method, path, given, body)
        if "set-cookie" in found.headers:
            name, _, value = found.headers["set-cookie"].partition(";")[0].partition("=")
            self.cookies[name] = value
        return found

    async def get(self, path, **headers):
        """Open a page and go where it leads."""
        found = await self.ask("GET", path, **headers)
        return await self.get(found.headers["location"]) if found.status == 303 else found

    async def post(self, path, fields, **headers):
        """Send a form and go where it leads."""
        found = await self.ask("POST", path, fields, **headers)
        return await self.get(found.headers["location"]) if found.status == 303 else found

    async def begin(self, link):
        """Open a personal link and press its button."""
        path = urlsplit(link).path
        assert (await self.get(path)).status == 200
        return await self.post(path, {})

    async def say(self, page, better="tie", same_answer="yes", same_content="yes", *, do="save", **more):
        """Fill in the form of an item and send it; what is None stays open."""
        chosen = {"better": better, "same_answer": same_answer, "same_content": same_content, "do": do} | more
        return await self.post(page.path, page.hidden | {n: v for n, v in chosen.items() if v is not None})


def over_socket(address):
    """Ask a server; a request that gets no reply raises OSError or HTTPException."""
    where = urlsplit(address)

    async def ask(method, path, headers, body):
        connection = http.client.HTTPConnection(where.hostname, where.port, timeout=30)
        try:
            connection.request(method, path, body or None, headers)
            reply = connection.getresponse()
            return Answer(
                reply.status, {n.lower(): v for n, v in reply.getheaders()}, reply.read().decode(), path
            )
        finally:
            connection.close()

    return ask
