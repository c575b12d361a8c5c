"""The review as a server of its own: real sockets, two people at once, and a kill in the midst."""

import asyncio
import http.client
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.review.visiting import Visitor, over_socket
from tests.reviewing import items

from biasscope.errors import MissingExtra, UsageError
from biasscope.review.serving import Place, serve
from biasscope.reviews import ADJUDICATOR
from biasscope.rundir.files import record_lines, write_whole
from biasscope.rundir.reviews import ANSWERS, read_review

LOCAL = pytest.mark.local


def folder(path, some):
    path.mkdir(exist_ok=True)
    write_whole(path / "review_items.jsonl", record_lines(some))
    return path


# --- where it listens -------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.0.2.7", "example.org", "127.0.0.1.example.org"])
def test_other_machines_are_let_in_only_where_that_is_said(host):
    with pytest.raises(UsageError, match="lets other machines in") as error:
        Place(host)
    assert "--allow-remote" in error.value.hint


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.9", "::1", "localhost", "LOCALHOST"])
def test_this_machine_needs_no_word(host):
    assert {"127.0.0.1:80", "localhost:80", "[::1]:80", "localhost"} <= Place(host).hosts(80)


def test_a_server_is_called_by_its_own_names_alone():
    assert Place().hosts(8322) == {"127.0.0.1:8322", "localhost:8322", "[::1]:8322"}
    assert Place("192.0.2.7", allow_remote=True).hosts(8322) == {"192.0.2.7:8322"}
    behind = Place(url="https://Review.example.org/")
    assert behind.hosts(8322) == Place().hosts(8322) | {"review.example.org"}
    assert (behind.base(8322), Place("::1").base(80)) == ("https://Review.example.org", "http://[::1]:80")


@pytest.mark.parametrize(
    "url", ["review.example.org", "ftp://x", "https://", "https://x/path", "https://a:b@x", "https://x?y"]
)
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(UsageError, match="--url"):
        Place(url=url)


def test_an_address_that_no_browser_can_open_needs_another():
    with pytest.raises(UsageError, match="no browser can open"):
        Place("0.0.0.0", allow_remote=True)
    assert Place("0.0.0.0", url="http://box:8322", allow_remote=True).base(1) == "http://box:8322"


def test_without_the_extra_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(MissingExtra) as error:
        serve(folder(tmp_path / "run", items(2)), Place(), ready=lambda serving: None, tell=lambda error: None)
    assert error.value.hint == "pip install 'biasscope[review]'"


# --- as a process -----------------------------------------------------------------------------------------


class Server:
    """`biasscope benchmark review` as a process."""

    def __init__(self, run, *options):
        for extra in ("starlette", "uvicorn"):
            pytest.importorskip(extra, reason="needs the extra review")
        source = str(Path(__file__).parents[2] / "src")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "biasscope", "benchmark", "review", run, "--port", "0", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": source},
        )  # fmt: skip
        self.links = {}
        for line in self.process.stdout:
            found = re.match(r"  (\S+) +(http://\S+)  \(\d+ of \d+\)$", line)
            if found:
                self.links[found[1]] = found[2]
            if line.startswith("Each link"):
                break
        assert self.links, self.process.stderr.read()
        self.address = next(iter(self.links.values())).partition("/r/")[0]

    @property
    def tokens(self):
        return {name: link.partition("/r/")[2] for name, link in self.links.items()}

    def visitor(self):
        return Visitor(over_socket(self.address), self.address.removeprefix("http://"))

    def kill(self):
        self.process.kill()
        self.process.communicate(timeout=60)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        _, err = self.process.communicate(timeout=60)
        return self.process.returncode, err


@pytest.fixture
def serving():
    servers = []

    def start(run, *options):
        servers.append(Server(run, *options))
        return servers[-1]

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.kill()
        server.process.stdout.close()
        server.process.stderr.close()


def answering(server, name, choice, acknowledged, stop):
    """Answer item after item until the end or until nobody answers, noting what was acknowledged."""

    async def work():
        visitor = server.visitor()
        page = await visitor.begin(server.links[name])
        while page.path != "/done" and not stop.is_set():
            place = page.path
            page = await visitor.say(page, choice)
            acknowledged.append((name, place))
        return visitor

    try:
        asyncio.run(work())
    except (OSError, http.client.HTTPException):
        return


@LOCAL
def test_two_reviewers_at_once_and_a_kill_in_the_midst_lose_nothing(tmp_path, serving):
    run = folder(tmp_path / "run", items(60))
    server = serving(run, "--reviewers", "ana,ben")
    acknowledged, stop = [], threading.Event()
    people = [
        threading.Thread(target=answering, args=(server, name, choice, acknowledged, stop))
        for name, choice in (("ana", "1"), ("ben", "2"))
    ]
    for person in people:
        person.start()
    while len(acknowledged) < 40 and any(p.is_alive() for p in people):
        time.sleep(0.01)
    server.kill()
    stop.set()
    for person in people:
        person.join(timeout=60)
    told = len(acknowledged)
    left = read_review(run)

    assert 40 <= told < 180
    assert {name for name, _ in acknowledged} == {"ana", "ben"}
    # Every answer that was acknowledged is there; at most one of each person was stored and not heard of.
    assert told <= len(left.stand) <= told + 2
    assert {(r.reviewer, r.better) for r in left.said} == {("ana", "1"), ("ben", "2")}

    again = serving(run)
    assert again.tokens == server.tokens
    finished = []
    for name, choice in (("ana", "1"), ("ben", "2")):
        answering(again, name, choice, finished, threading.Event())
    found = read_review(run)
    assert len(found.stand) == 180
    assert len(finished) == 180 - len(left.stand)
    assert found.unreadable == ()


@LOCAL
async def test_a_browser_that_had_begun_goes_on_after_a_kill(tmp_path, serving):
    run = folder(tmp_path / "run", items(4))
    server = serving(run)
    visitor = server.visitor()
    page = await visitor.begin(server.links["reviewer-1"])
    second = await visitor.say(page, "1")
    server.kill()
    again = serving(run)
    later = again.visitor()
    later.cookies = visitor.cookies

    third = await later.say(second, "2")  # the page was made by the server that was killed
    assert third.status == 200
    assert "2 of 6 answered" in third.text
    assert [r.better for r in read_review(run).said] == ["1", "2"]


@LOCAL
async def test_a_torn_line_is_told_and_costs_one_answer(tmp_path, serving):
    run = folder(tmp_path / "run", items(4))
    server = serving(run)
    visitor = server.visitor()
    page = await visitor.say(await visitor.begin(server.links["reviewer-1"]), "1")
    await visitor.say(page, "2")
    server.kill()
    whole = (run / ANSWERS).read_bytes()
    (run / ANSWERS).write_bytes(whole[:-20])

    again = serving(run)
    later = again.visitor()
    back = await later.begin(again.links["reviewer-1"])
    assert back.path == page.path
    await later.say(back, "tie")
    assert [r.better for r in read_review(run).said] == ["1", "tie"]
    _, err = again.stop()
    assert "holds 1 line that is no review: 2 (the last one was cut off)" in err


@LOCAL
def test_ctrl_c_stops_it_and_a_second_server_waits_for_the_first(tmp_path, serving):
    run = folder(tmp_path / "run", items(4))
    server = serving(run)
    second = subprocess.run(
        [sys.executable, "-m", "biasscope", "benchmark", "review", run, "--port", "0"],
        capture_output=True, text=True, check=False, timeout=60,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")},
    )  # fmt: skip
    assert second.returncode == 1
    assert f"process {server.process.pid}" in second.stderr
    code, err = server.stop()

    assert (code, "Traceback" in err) == (0, False)
    assert "Stopped" in err


@LOCAL
def test_a_port_that_is_taken_is_said(tmp_path, serving):
    server = serving(folder(tmp_path / "one", items(2)))
    port = server.address.rpartition(":")[2]
    with pytest.raises(UsageError, match=f"cannot listen at 127.0.0.1, port {port}") as error:
        serve(
            folder(tmp_path / "two", items(2)),
            Place(port=int(port)),
            ready=lambda serving: None,
            tell=lambda error: None,
        )
    assert "--port 0" in error.value.hint


@LOCAL
async def test_a_token_is_in_no_line_that_the_server_prints(tmp_path, serving):
    server = serving(folder(tmp_path / "run", items(2)))
    visitor = server.visitor()
    await visitor.begin(server.links[ADJUDICATOR])
    await visitor.get("/r/" + "x" * 30)
    _, err = server.stop()

    assert "/r/" not in err
