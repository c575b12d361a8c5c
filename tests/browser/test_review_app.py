"""The review app in a real browser: by key and by mouse, two people at once, a server killed in the midst; and how it looks."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from biasscope.rundir.files import record_lines, write_whole
from biasscope.rundir.reviews import read_review

from ..reviewing import item, items
from .chromium import absent, browsing
from .test_report_page import CONTRASTS

pytestmark = pytest.mark.browser

NASTY = "</textarea></div><script>document.title='ran'</script><img src=x onerror=\"document.title='ran'\"> \u202eturned"
SIZES = pytest.mark.parametrize(
    ("width", "dark"), [(390, False), (390, True), (768, False), (1024, False), (1280, False), (1280, True)]
)


class Server:
    """The command as a process, at one port however often it is started."""

    def __init__(self, run, *options, port=0):
        source = str(Path(__file__).parents[2] / "src")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "biasscope", "benchmark", "review", run, "--port", str(port), *options],
            stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": source},
        )  # fmt: skip
        self.links = {}
        for line in self.process.stdout:
            if found := re.match(r"  (\S+) +(http://\S+)", line):
                self.links[found[1]] = found[2]
            if line.startswith("Each link"):
                break
        self.port = int(re.search(r":(\d+)/", next(iter(self.links.values())))[1])

    def end(self, by=signal.SIGKILL):
        if self.process.poll() is None:
            self.process.send_signal(by)
        self.process.wait(timeout=60)
        self.process.stdout.close()


@pytest.fixture(scope="module")
def browsers():
    pytest.importorskip("starlette", reason="needs the extra review")
    if reason := absent():
        pytest.skip(reason)
    with browsing() as one, browsing() as other:
        yield one, other


@pytest.fixture
def serving(tmp_path):
    """Start the command on a set; every server ends with the test."""
    servers = []

    def start(some=None, *options, port=0):
        if some is not None:
            write_whole(tmp_path / "review_items.jsonl", record_lines(some))
        servers.append(Server(tmp_path, *options, port=port))
        return servers[-1]

    yield start
    for server in servers:
        server.end()


def until(check, what):
    """Wait until something is so; a browser takes its time."""
    for _ in range(600):
        if found := check():
            return found
        time.sleep(0.05)
    raise AssertionError(f"never came: {what}")


def begin(browser, server, name, **look):
    browser.go(server.links[name], **look)
    browser.click("button.main")
    until(lambda: re.match("Item|All|Nothing", heading(browser)), "the first item")


def heading(browser):
    return browser.ask("return document.querySelector('h1')?.textContent.replace(/ of .*/, '') ?? ''")


def status(browser):
    return browser.ask("return document.getElementById('status')?.textContent ?? ''")


def press(browser, keys, after):
    """Press keys and wait for a heading."""
    browser.press(keys)
    until(lambda: heading(browser) == after, after)


def test_a_reviewer_needs_no_mouse(browsers, serving, tmp_path):
    browser, _ = browsers
    server = serving(items(4), "--reviewers", "ana")
    begin(browser, server, "ana", width=1280)
    press(browser, "1yy", "Item 2")
    press(browser, "s", "Item 3")
    press(browser, "tny", "Item 4")
    press(browser, "u", "Item 3")
    press(browser, "2yn", "Item 4")
    browser.press("f2")
    until(lambda: status(browser) == "Stored; 2 open", "stored as it was given")
    browser.press("y")
    until(lambda: status(browser) == "Stored; 1 open", "stored as it was given")
    press(browser, "y", "Item 5")
    press(browser, "tyy", "Item 6")
    press(browser, "tyy", "Nothing open but what you skipped")
    stand = sorted((r for r in read_review(tmp_path).stand.values()), key=lambda r: r.at)

    assert [(r.better, r.same_answer, r.same_content) for r in stand if r.kind == "answer"].count(
        ("2", True, False)
    ) == 1
    assert sum(r.flag for r in stand) == 1
    assert sum(r.kind == "skip" for r in stand) == 1
    assert browser.ask("return document.querySelectorAll('li a').length") == 2


def test_a_mouse_needs_no_keys_and_a_form_that_is_not_whole_says_so(browsers, serving, tmp_path):
    browser, _ = browsers
    server = serving(items(4), "--reviewers", "ana")
    begin(browser, server, "ana", width=390)
    browser.click("input[name=better][value='2']")
    until(lambda: status(browser) == "Stored; 2 open", "stored as it was given")
    browser.click("button[value=save]")
    until(lambda: status(browser) == "2 of 3 questions still open", "what is open")
    assert browser.ask("return document.activeElement.name") == "same_answer"
    browser.click("input[name=same_answer][value=yes]")
    browser.click("input[name=same_content][value=no]")
    browser.click("button[value=save]")
    until(lambda: heading(browser) == "Item 2", "the next item")

    (stands,) = read_review(tmp_path).stand.values()
    assert (stands.better, stands.same_answer, stands.same_content) == ("2", True, False)


def test_two_reviewers_at_once_and_a_server_killed_in_the_midst(browsers, serving, tmp_path):
    one, other = browsers
    server = serving(items(4), "--reviewers", "ana,ben")
    begin(one, server, "ana", width=1280)
    begin(other, server, "ben", width=390)
    press(one, "1yy", "Item 2")
    press(other, "2yy", "Item 2")
    one.press("1")
    until(lambda: status(one) == "Stored; 2 open", "stored as it was given")
    server.end()

    one.press("yn")
    other.click("input[name=better][value='1']")
    for browser in (one, other):
        until(lambda browser=browser: status(browser).startswith("Not stored yet"), "that it is not stored")
    again = serving(port=server.port)
    until(lambda: heading(one) == "Item 3", "what was chosen while nobody answered is sent again")
    until(lambda: status(other) == "Stored; 2 open", "what was chosen while nobody answered is sent again")
    other.click("input[name=same_answer][value=yes]")
    other.click("input[name=same_content][value=yes]")
    other.click("button.main")
    until(lambda: heading(other) == "Item 3", "the next item")
    found = read_review(tmp_path)

    assert again.links == server.links
    stand = {
        who: sorted((r.better, r.same_content) for (n, _), r in found.stand.items() if n == who)
        for who in ("ana", "ben")
    }
    assert stand == {"ana": [("1", False), ("1", True)], "ben": [("1", True), ("2", True)]}
    assert found.unreadable == ()


def test_the_adjudicator_decides_what_reviewers_leave_open(browsers, serving, tmp_path):
    one, other = browsers
    server = serving(items(1, 0), "--reviewers", "ana,ben")
    begin(one, server, "ana", width=1280)
    press(one, "1yy", "All done")
    begin(one, server, "ben", width=1280)
    press(one, "2yy", "All done")
    other.go(server.links["adjudicator"], width=1280)
    other.click("button.main")
    until(lambda: heading(other) == "Item 1", "the disagreement")
    assert other.ask("return document.querySelectorAll('#heard ~ .scroll tbody tr').length") == 2
    press(other, "tyy", "All done")

    assert [r.reviewer for r in read_review(tmp_path).said][-1] == "adjudicator"


def test_a_page_of_another_tab_is_out_of_date_and_says_so(browsers, serving, tmp_path):
    browser, _ = browsers
    server = serving(items(1, 0), "--reviewers", "ana")
    begin(browser, server, "ana", width=1280)
    browser.ask(
        "return fetch(location.pathname, {method: 'POST', body: new URLSearchParams({...Object.fromEntries(new FormData("
        "document.getElementById('answer'))), better: '1'})}).then(r => r.status)"
    )
    browser.press("2")
    until(
        lambda: "out of date" in browser.ask("return document.body.textContent"), "that the page is out of date"
    )
    assert browser.ask("return document.querySelector('[name=better]:checked').value") == "2"
    assert [r.better for r in read_review(tmp_path).said] == ["1"]
    press(browser, "yy", "All done")
    assert [r.better for r in read_review(tmp_path).stand.values()] == ["2"]


def test_without_a_script_the_forms_do_it(browsers, serving, tmp_path):
    browser, _ = browsers
    server = serving(items(1, 0), "--reviewers", "ana")
    browser.control("Emulation.setScriptExecutionDisabled", value=True)
    try:
        begin(browser, server, "ana", width=390)
        for name, value in (("better", "tie"), ("same_answer", "yes"), ("same_content", "yes")):
            browser.click(f"input[name={name}][value={value}]")
        browser.click("button.main")
        until(lambda: heading(browser) == "All done", "the end")
    finally:
        browser.control("Emulation.setScriptExecutionDisabled", value=False)
    assert [r.whole for r in read_review(tmp_path).said] == [True]


LONG = "\n\n".join(
    f"Step {n}: we add {n} to what we had before, and write it down with care." for n in range(1, 12)
)


@pytest.fixture
def shown(serving):
    """A server on a hostile item and long ones, with a disagreement to adjudicate."""
    some = [
        item(1, prompt=NASTY + "x" * 400, original=f"{NASTY} {'y' * 400}", rewrite=NASTY + " and more"),
        *(
            item(n, original=LONG, rewrite=LONG.replace("with care", "with great care, as experts advise"))
            for n in (2, 3)
        ),
    ]
    return serving(some, "--reviewers", "ana,ben")


@SIZES
def test_pages_fit_can_be_read_and_run_nothing(browsers, shown, width, dark):
    browser, _ = browsers
    browser.requests()
    browser.complaints()
    browser.go(shown.links["ana"], width=width, dark=dark)
    pages = 0
    for step in (None, "button.main", "button[value=skip]", "button[value=skip]", "button[value=skip]"):
        if step:
            before = browser.ask("return location.pathname")
            browser.click(step)
            until(
                lambda before=before: (
                    browser.ask("return document.readyState === 'complete' && location.pathname")
                    not in (before, False)
                ),
                step,
            )
        assert browser.ask("return document.documentElement.scrollWidth") <= width
        assert browser.ask("return document.title").endswith("(biasscope review)")
        assert browser.ask(CONTRASTS) == []
        pages += 1

    assert pages == 5
    assert browser.complaints() == []
    assert {re.match(r"https?://[^/]+|\w+:", url)[0] for url in browser.requests()} == {
        f"http://127.0.0.1:{shown.port}"
    }


def test_what_is_touched_is_large_enough_on_a_phone(browsers, shown):
    browser, _ = browsers
    begin(browser, shown, "ana", width=390)
    heights = browser.ask(
        "return [...document.querySelectorAll('.choice, button')].map(e => e.getBoundingClientRect().height)"
    )

    assert len(heights) >= 9
    assert min(heights) >= 40


def test_the_focus_goes_through_the_page_in_its_order(browsers, shown):
    browser, _ = browsers
    begin(browser, shown, "ana", width=1280)
    seen = []
    for _ in range(9):
        browser.press("\ue004")
        seen.append(
            browser.ask("const e = document.activeElement; return e.name || e.id || e.className || e.tagName")
        )

    assert seen[:7] == ["jump", "text", "better", "same_answer", "same_content", "do", "do"]


@SIZES
def test_on_a_desk_the_questions_are_always_in_sight(browsers, shown, width, dark):
    browser, _ = browsers
    begin(browser, shown, "ana", width=width, dark=dark)
    browser.click("button[value=skip]")
    until(lambda: heading(browser) == "Item 2", "the next item")
    if width >= 1024:
        browser.ask("scrollTo(0, 60)")
        browser.press("ty")
        assert browser.ask("return scrollY") == 60
    box = browser.ask(
        "const b = document.getElementById('answer').getBoundingClientRect(); return [b.top, b.bottom, innerHeight]"
    )

    assert width < 1024 or (0 < box[0] < box[1] <= box[2] + 1)
