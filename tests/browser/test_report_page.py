"""The report in a real browser: on a phone and a desk, light, dark and on paper, with hostile text in it."""

import json

import pytest

from biasscope.report.html.page import discovery_page
from biasscope.report.summary import Summary

from ..cli.conftest import FOUND, STRONG, run_here
from .chromium import absent, browsing

pytestmark = pytest.mark.browser

NASTY = "</text></main></style><script>document.title='ran'</script><img src=x onerror=\"document.title='ran'\"> \" onload=\"document.title='ran'"
SIZES = pytest.mark.parametrize(("width", "dark"), [(390, False), (390, True), (1280, False), (1280, True)])

CONTRASTS = """
const channel = c => { c /= 255; return c <= .04045 ? c / 12.92 : Math.pow((c + .055) / 1.055, 2.4); };
const light = c => .2126 * channel(c[0]) + .7152 * channel(c[1]) + .0722 * channel(c[2]);
const parts = text => text.match(/[\\d.]+/g).map(Number);
const behind = element => {
  for (let e = element; e; e = e.parentElement) {
    const found = parts(getComputedStyle(e).backgroundColor);
    if (found.length < 4 || found[3] === 1) return found;
  }
  return matchMedia('(prefers-color-scheme: dark)').matches ? [0, 0, 0] : [255, 255, 255];
};
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  if (!walker.currentNode.data.trim()) continue;
  const element = walker.currentNode.parentElement, style = getComputedStyle(element);
  const ink = parts(element instanceof SVGElement ? style.fill : style.color);
  const [one, other] = [light(ink), light(behind(element))];
  const ratio = (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
  if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${element.tagName} ${walker.currentNode.data.trim().slice(0, 40)}`);
}
return found;
"""
CUT_OFF = """
return [...document.querySelectorAll('svg text')].filter(t => {
  const box = t.getBoundingClientRect(), of = t.ownerSVGElement.getBoundingClientRect();
  return box.left < of.left - 1 || box.right > of.right + 1;
}).map(t => t.textContent);
"""


@pytest.fixture(scope="module")
def browser():
    if reason := absent():
        pytest.skip(reason)
    with browsing() as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A discovery, a measurement of two judges, a page full of hostile words, and one with hostile prompts and responses."""
    folder = tmp_path_factory.mktemp("pages")
    found, measured, hostile = folder / "found", folder / "measured", folder / "hostile.html"
    done = run_here(
        "discover",
        found,
        "--judge",
        f"planted:{STRONG[0]}",
        "--teacher",
        f"planted:{STRONG[1]}",
        *FOUND,
        "--quiet",
    )
    assert done.code == 0, done.err
    done = run_here("measure", measured, "--judge", "planted:two-biases", "--judge", "planted:biases=sentiment@3;habit=1",
                    "--data", "objective:40?seed=3", "--quiet")  # fmt: skip
    assert done.code == 0, done.err
    summary = json.loads((found / "report.json").read_text(encoding="utf-8"))
    for trial in summary["trials"]:
        trial |= {"name": f"{NASTY} {'x' * 300}", "definition": NASTY, "reason": NASTY}
    summary |= {"judge": NASTY, "stopped": NASTY, "instrument": "y" * 400}
    made = discovery_page(Summary.model_validate_json(json.dumps(summary)), (), _about(), (NASTY,))
    hostile.write_text(made.html, encoding="utf-8")
    texts = _hostile_texts(folder)
    return {
        "discovery": found / "report.html",
        "measurement": measured / "report.html",
        "hostile": hostile,
        "hostile texts": texts,
    }


def _hostile_texts(folder):
    """The report of a run whose pairs to read hold the hostile text in prompt and responses."""
    rows = [
        {"id": f"{n} {NASTY}", "prompt": f"Say {n}. {NASTY}", "chosen": f"It is {n}, plainly. {NASTY}",
         "rejected": f"It is {n + 1}, I think, and so on. {NASTY}"}
        for n in range(60)
    ]  # fmt: skip
    data, run = folder / "hostile.jsonl", folder / "texts"
    data.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    done = run_here("measure", run, "--judge", "planted:biases=authority@4;noise=0.3", "--data", data, "--biases",
                    "authority", "--quiet")  # fmt: skip
    assert done.code == 0, done.err
    page = (run / "report.html").read_text(encoding="utf-8")
    assert page.count("document.title=") >= 5 * 3
    return run / "report.html"


def _about():
    from biasscope.report.html.about import About

    return About(((NASTY, NASTY),), ((NASTY, NASTY),), (("data", "ab" * 32),), (), ())


@SIZES
@pytest.mark.parametrize("kind", ["discovery", "measurement", "hostile", "hostile texts"])
def test_a_page_fits_says_nothing_on_the_console_and_runs_nothing(browser, pages, kind, width, dark):
    browser.requests()
    browser.open(pages[kind], width=width, dark=dark)

    assert browser.complaints() == []
    assert browser.ask("return document.documentElement.scrollWidth") <= width
    assert browser.ask("return document.title").endswith("(biasscope)")
    assert browser.ask("return document.scripts.length + document.images.length") == 0
    assert [url for url in browser.requests() if not url.startswith("file:")] == []


@SIZES
@pytest.mark.parametrize("kind", ["discovery", "measurement"])
def test_every_text_can_be_read_against_what_is_behind_it(browser, pages, kind, width, dark):
    browser.open(pages[kind], width=width, dark=dark)

    assert browser.ask(CONTRASTS) == []
    assert browser.ask(CUT_OFF) == []


def test_a_drawing_is_as_large_as_text_on_a_phone(browser, pages):
    browser.open(pages["discovery"], width=390)
    heights = browser.ask(
        "return [...document.querySelectorAll('svg text')].map(t => t.getBoundingClientRect().height)"
    )

    assert len(heights) > 20
    assert min(heights) >= 10


def test_on_paper_every_pair_is_open(browser, pages):
    shown = "return [...document.querySelectorAll('details.pair > .text')].map(t => t.checkVisibility())"
    browser.open(pages["discovery"], width=794)
    assert not all(browser.ask(shown))
    browser.open(pages["discovery"], width=794, media="print")

    assert all(browser.ask(shown))


def test_dark_is_dark_and_paper_is_white(browser, pages):
    def back():
        return browser.ask("return getComputedStyle(document.body).backgroundColor")

    browser.open(pages["discovery"], width=390)
    assert back() == "rgb(255, 255, 255)"
    browser.open(pages["discovery"], width=390, dark=True)
    assert back() == "rgb(20, 22, 26)"
    browser.open(pages["discovery"], width=794, dark=True, media="print")
    assert back() == "rgb(255, 255, 255)"
