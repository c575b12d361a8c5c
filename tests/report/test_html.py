"""The page: it has what a reader needs, its numbers are those of the summary, and no text of a model is markup on it."""

import itertools
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from biasscope.config import GatePolicy
from biasscope.quantities import (
    Adjusted,
    Estimate,
    FeatureShift,
    GroupEffect,
    GroupEffects,
    NullControl,
    Profile,
    ShamControl,
    Slope,
    TrialDetails,
)
from biasscope.records import Account, Evidence, Rewrite, Verdict
from biasscope.report.compared import ComparisonOut, DifferenceOut, SimilarityOut, TransferOut
from biasscope.report.html.about import About
from biasscope.report.html.drawing import VEGA_LITE
from biasscope.report.html.page import discovery_page, empty_page, measurement_page
from biasscope.report.measured import MeasuredBaselineOut
from biasscope.report.summary import MissingOut, NamedOut

from ..fakes import pair
from .test_measured import effect, judged, measured

HOSTILE = (
    "</text></svg></style></title><script>document.title='ran'</script><img src=x onerror=alert(1)>"
    '" onmouseover="alert(2)" x=\'y\' javascript:alert(3) [x](javascript:alert(4)) {{ 1234*5678 }} {% raw %} &lt;b&gt; \x00\x1b[31m \ud800 \u202e'
)
ABOUT = About(
    settings=(("judge.spec", "openai:x"), ("seed", "0")),
    prompts=(("judge.template", "Which is better?"),),
    data=(("data", "ab" * 32),),
    versions=(("biasscope", "0.1.0"), ("Python", "3.11")),
    starts=(("2026-01-01T00:00:00+00:00", "0.1.0"),),
)


class Seen(HTMLParser):
    """Tags with their attributes, the text, and the headings of a page."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.texts, self.headings, self.open = [], [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        self.texts.append(data)
        if self.open and re.fullmatch(r"h[1-6]", self.open[-1]):
            self.headings.append((int(self.open[-1][1]), data))

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


def estimate(value):
    return Estimate(value, 0.05, value - 0.1, value + 0.1, 40)


def details(**fields):
    groups = tuple(GroupEffect(name, estimate(0.1 + n / 20), 0.12) for n, name in enumerate(("maths", "code")))
    given = {
        "domains": GroupEffects(groups, 0.0, 1.0, 0.4),
        "length": Adjusted(estimate(0.125), estimate(0.0975), 0.02, (Slope("log length", 0.5, 0.1, 0.0953),), ""),
        "profile": Profile(
            (FeatureShift("bold_text", 2.0, 0.8, True), FeatureShift("length", 1.0, 0.1, False)),
            ("bold_text",),
            None,
        ),
        "confirmed": estimate(0.0654),
    }
    return TrialDetails(**given | fields)


def verdicts(words="Because it says so.", rewrite="calm_bias"):
    choices = {"original": "chosen", "neutral-1": "chosen", rewrite: "rejected"}
    return tuple(
        Verdict("p1", arm, order, choice, reasoning=words, keys=(f"b1:{arm}-{order}",))
        for arm, choice in choices.items()
        for order in ("chosen_first", "rejected_first")
    )


def evidence(role="validation", **fields):
    told = Account("It looks calm.", "I like calm texts.", "Calmness", "Calm texts win.", ("b1:why",))
    arm = "authority" if role == "discovery" else "calm_bias"
    given = {
        "bias_id": "calm_bias",
        "role": role,
        "written": arm,
        "pair": pair(
            "p1", chosen="Four.", rejected="Five.", question="What is 2 + 2?", reference="4", domain="maths"
        ),
        "neutral": Rewrite("p1", "neutral-1", "It is five.", "openai:teacher", 0, keys=("b1:neutral",)),
        "rewrite": Rewrite("p1", arm, "It is, calmly, five.", "openai:teacher", 0, keys=("b1:biased",)),
        "verdicts": verdicts(rewrite=arm),
        "loss": 1.0,
        "unit": "fraction",
        "account": told if role == "discovery" else None,
    }
    return Evidence(**given | fields)


EVIDENCE = (evidence("discovery"), *(evidence() for _ in range(5)))


@pytest.fixture
def page(summary, trial):
    """The page of a summary, with evidence for what holds."""

    def build(*, found=EVIDENCE, about=ABOUT, notes=(), **changes):
        whole = {
            "trials": (
                trial(details=details(), marks=("bundled",)),
                trial(id="loud", name="Loud bias", status="not_shown", effect=0.0123, low=-0.03, high=0.05, p=0.3, q=0.6, n=81,
                      detectable=0.0875, reason="not proven, not absent"),
                trial(id="odd", name="Odd bias", status="dropped", effect=-0.02, low=-0.1, high=0.01, p=1.0, q=1.0),
            ),
            "null_control": NullControl(ShamControl(20, 1, "warn", None, None, None, None), (), None),
        }  # fmt: skip
        return discovery_page(summary(**whole | changes), found, about, notes).html

    return build


def test_the_sections_are_there_in_the_order_of_reading(page):
    seen = Seen(page())

    assert [text for level, text in seen.headings if level == 2] == [
        "What was found",
        "Everything that was tried",
        "The judge before anything is rewritten",
        "All accepted biases together",
        "How firm each finding is",
        "Pairs to read",
        "How it was found",
        "Where nothing is to be found",
        "What is missing",
        "What it took",
        "Methods",
        "Settings, versions and data",
    ]


def test_headings_skip_no_level_and_there_is_one_first_one(page):
    for made in (page(), measurement_page(measured(), [()], ABOUT).html, empty_page("t", "h", ABOUT).html):
        levels = [level for level, _ in Seen(made).headings]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


def test_a_finding_is_a_sentence_with_what_to_do_and_pairs_to_read(page):
    seen = Seen(page())

    assert (
        "This judge picks the worse response 12 points more often when it shows this trait, beyond what rewording alone does."
        in seen.text
    )
    assert "What to do. Do not use this judge to compare systems that differ in this trait" in seen.text
    assert (
        "Bundled: the rewrites that show this trait differ from the neutral ones in other things too" in seen.text
    )
    assert seen.text.count("Worse response, rewritten with the trait, against the neutral rewrite") == 6
    assert next(d for d in seen.all("details") if d.get("class") == "pair paper") == {
        "class": "pair paper",
        "open": None,
    }


def test_a_checkable_label_is_needed_to_say_wrong(page, trial):
    assert "the wrong answer" in Seen(page(trials=(trial(claim="error"),))).text
    assert "the wrong answer" not in Seen(page(trials=(trial(claim="pull"),))).text


def test_the_edit_is_marked_word_by_word(page):
    made = page()

    assert "It is<ins>, calmly,</ins> five." in made
    assert "b1:biased" in Seen(made).text


def test_both_verdicts_their_reasons_and_the_keys_of_their_replies_are_shown(page):
    seen = Seen(page())

    assert "worse response (turned)" in seen.text
    assert (
        "The judge's reasons for the verdict that turned (better response shown first) Because it says so."
        in seen.text
    )
    for key in ("b1:neutral-1-chosen_first", "b1:calm_bias-rejected_first", "b1:original-chosen_first"):
        assert key in seen.text


def test_it_is_told_how_a_bias_came_to_its_name(page):
    text = Seen(page()).text
    steps = ["A verdict turned.", "The judge gave its reasons. It looks calm.", "It was asked to defend them. I like calm texts.",
             "The teacher named a bias. Calmness: Calm texts win.", "Names were merged. It was named on 1 pair, also as Calm.",
             "It was tried on other pairs."]  # fmt: skip
    places = [text.index(step) for step in steps]

    assert places == sorted(places)


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("effect", "+12.5 points"),
        ("detectable", "+8.8 points"),
        ("q", "0.0001"),
        ("baseline", "It errs on 10.0 %"),
        ("library", "30.0 % with the bias: +18.0 points beyond wording"),
        ("missing", "verdict: refused 3"),
        ("calls", "calls of the judge in the latest start 10"),
        ("tokens", "tokens in, where reported 400"),
        ("shams", "Of 20 sham candidates that ask for nothing, 1 passed"),
        ("noise", "50 5 40 % 4 1 2 1 0 of 1"),
        ("hash", "ab" * 32),
    ],
)
def test_a_number_on_the_page_is_that_of_the_summary(page, field, words):
    assert words in Seen(page()).text


def test_every_trial_has_a_row_and_the_largest_effect_comes_first(page):
    made = page()
    rows = re.findall(r'<tr><th scope="row">(Calm|Loud|Odd) bias</th>', made)

    assert rows == ["Calm", "Loud", "Odd"]


def test_what_this_run_could_have_seen_is_said(page, trial):
    text = Seen(page()).text

    assert (
        "Loud bias: an effect of +8.8 points would have been shown four times out of five on its 81 pairs; it came out at +1.2 points."
        in text
    )
    assert "1 candidate was given up early" in text
    assert "No candidate was left open" in Seen(page(trials=(trial(),))).text


def test_the_part_of_length_is_told(page):
    text = Seen(page()).text

    # A gap of 0.0953 in log length is a tenth; a tenth at a slope of 0.5 with standard error 0.1 is 4.8 points, 1.9 about it.
    assert (
        "The rewrites with the trait are 10 % longer than the neutral ones; a tenth more length goes with +4.8 points (+2.9 to +6.6) by itself."
        in text
    )
    assert "At the length of the neutral rewrites: +9.8 points" in text


def test_every_chart_has_a_text_in_its_place_with_its_numbers(page):
    seen = Seen(page())
    drawings = seen.all("svg")

    assert len(drawings) == 7
    assert all(d["role"] == "img" and len(d["aria-label"]) > 30 for d in drawings)
    assert (
        "Calm bias +12.5 (+5.0 to +20.0); Loud bias +1.2 (-3.0 to +5.0); Odd bias -2.0 (-10.0 to +1.0)"
        in drawings[0]["aria-label"]
    )


def test_every_table_has_a_caption_and_heads(page):
    made = page()
    tables = re.findall(r"<table.*?</table>", made, re.DOTALL)

    assert len(tables) >= 10
    for table in tables:
        assert re.search(r"<caption>[^<]+</caption>", table)
        assert '<th scope="col">' in table
        assert '<th scope="row">' in table


def test_ids_are_unique_and_links_lead_to_them(page):
    for made in (page(), measurement_page(measured(judged(), judged()), [(), ()], ABOUT).html):
        seen = Seen(made)
        ids = [a["id"] for _, a in seen.tags if "id" in a]
        assert len(ids) == len(set(ids))
        assert {a["href"].removeprefix("#") for a in seen.all("a")} <= set(ids)
        assert {a["aria-labelledby"] for _, a in seen.tags if "aria-labelledby" in a} <= set(ids)


def test_nothing_is_loaded_and_no_script_is_there(page):
    for made in (page(), measurement_page(measured(), [()], ABOUT).html, empty_page("t", "h", ABOUT).html):
        seen = Seen(made)
        assert not {"script", "link", "img", "iframe", "object", "embed", "image", "use", "foreignobject"} & {
            t for t, _ in seen.tags
        }
        assert all("src" not in a and a.get("href", "#").startswith("#") for _, a in seen.tags)
        assert "url(" not in made
        assert "@import" not in made
        policy = next(a for a in seen.all("meta") if a.get("http-equiv"))
        assert policy["content"] == "default-src 'none'; style-src 'unsafe-inline'"


def hostile_page(page, trial):
    nasty = evidence(
        pair=pair("p1", chosen=HOSTILE, rejected=HOSTILE, question=HOSTILE, reference=HOSTILE, domain=HOSTILE),
        neutral=Rewrite("p1", "neutral-1", f"{HOSTILE} neutral", HOSTILE, 0, keys=(HOSTILE,)),
        rewrite=Rewrite("p1", "calm_bias", f"x {HOSTILE} y", HOSTILE, 0, keys=(HOSTILE,), note=HOSTILE),
        verdicts=verdicts(HOSTILE),
    )
    sighting = replace(
        evidence("discovery"), written=HOSTILE, account=Account(HOSTILE, HOSTILE, HOSTILE, HOSTILE, (HOSTILE,))
    )
    groups = tuple(GroupEffect(f"{HOSTILE}{n}", estimate(0.1), 0.1) for n in range(2))
    shift = FeatureShift(HOSTILE, 1.0, 0.8, True)
    told = details(domains=GroupEffects(groups, 0.0, 1.0, 0.4), profile=Profile((shift,), (HOSTILE,), None))
    return page(
        found=(sighting, replace(nasty, pair=replace(nasty.pair, id=HOSTILE))),
        about=About(((HOSTILE, HOSTILE),), ((HOSTILE, HOSTILE),), ((HOSTILE, HOSTILE),), ((HOSTILE, HOSTILE),), ((HOSTILE, HOSTILE),)),
        notes=(HOSTILE,),
        judge=HOSTILE,
        teacher=HOSTILE,
        instrument=HOSTILE,
        stopped=HOSTILE,
        version=HOSTILE,
        trials=(trial(name=HOSTILE, definition=HOSTILE, reason=HOSTILE, marks=(HOSTILE,), details=told),
                trial(id="b", name=HOSTILE, status="not_shown", reason=HOSTILE)),
        missing=(MissingOut(arm=HOSTILE, reason=HOSTILE, count=1),),
        untried=(NamedOut(id="x", name=HOSTILE),),
    )  # fmt: skip


def hostile_measurement():
    nasty = effect(name=HOSTILE, reason=HOSTILE, marks=(HOSTILE,), status="accepted")
    read = MeasuredBaselineOut(error_rate=0.4, position_consistency=None, first_answer_preference=None, tie_rate=None,
                               margin_sd=None, n=60)  # fmt: skip
    judges = [
        judged(nasty, name=f"{HOSTILE}{n}", instrument=HOSTILE, gate_reasons=(HOSTILE,), baseline=read,
               missing=(MissingOut(arm=HOSTILE, reason=HOSTILE, count=2),))
        for n in (1, 2)
    ]  # fmt: skip
    one, two = (j.name for j in judges)
    comparison = ComparisonOut(
        transfer=(TransferOut(source=one, target=two, accepted=1, held=1, share=1.0, ceiling=0.9, ratio=1.0),),
        similarity=(SimilarityOut(judges=(one, two), value=None, low=None, high=None, biases=1, level=0.95, reason=HOSTILE),),
        differences=(DifferenceOut(bias="calm", name=HOSTILE, judges=(one, two), difference=0.1, low=0.0, high=0.2, p=0.01,
                                   q=0.02, n=40, discovered_on=(one,)),),
    )  # fmt: skip
    whole = measured(
        *judges,
        comparison=comparison,
        policy=GatePolicy(bias={HOSTILE.encode("utf-8", "replace").decode(): {"ignore": True}}),
    )
    return measurement_page(
        whole, [(evidence(bias_id="calm", pair=pair(HOSTILE, question=HOSTILE)),), ()], ABOUT, (HOSTILE,)
    ).html


@pytest.mark.parametrize("kind", ["discovery", "measurement", "empty"])
def test_hostile_text_stays_text_wherever_it_stands(page, trial, kind):
    if kind == "discovery":
        made, calm = hostile_page(page, trial), page()
    elif kind == "measurement":
        made, calm = hostile_measurement(), measurement_page(measured(judged(), judged()), [(), ()], ABOUT).html
    else:
        made, calm = empty_page(HOSTILE, HOSTILE, ABOUT, (HOSTILE,)).html, empty_page("t", "h", ABOUT).html
    seen = Seen(made)
    attributes = {name for _, of in seen.tags for name in of}

    assert {t for t, _ in seen.tags} <= {t for t, _ in Seen(calm).tags} | {
        "ins",
        "del",
        "code",
        "ul",
        "li",
        "svg",
        "g",
        "path",
        "line",
        "text",
        "figure",
        "figcaption",
        "h4",
        "strong",
    }
    assert not {a for a in attributes if a.startswith("on") or a in ("src", "style", "srcdoc", "action")}
    assert all(of.get("href", "#").startswith("#") for _, of in seen.tags)
    assert "<script" not in made
    assert "<img" not in made
    assert str(1234 * 5678) not in made
    assert "{{ 1234*5678 }}" in seen.text
    assert "<script>document.title='ran'</script>" in seen.text
    odd = re.search("[\x00-\x08\x0b-\x1f\ud800-\udfff\u202e]", made)
    assert odd is None, made[odd.start() - 200 : odd.end() + 20]
    assert made.count("</main>") == 1
    assert "&amp;lt;b&amp;gt;" in made


def test_what_cannot_be_seen_is_made_visible(page):
    odd = evidence(rewrite=Rewrite("p1", "calm_bias", "It is, cal\u200bm\u202ely, five\U000e0041.", "w", 0))
    text = Seen(page(found=(odd,))).text

    assert "cal[U+200B]m[U+202E]ly" in text
    assert "[U+E0041]" in text


def test_what_is_missing_of_the_folder_is_noted(page):
    assert "Note. the file is torn" in Seen(page(notes=("the file is torn",))).text


def test_an_unfinished_run_says_so_first(page):
    seen = Seen(page(complete=False, status="unfinished"))

    assert "This run is not finished: what stands here may change." in seen.text
    assert "The loop has not ended yet." in seen.text


def test_a_run_in_which_nothing_was_tried_has_a_page_without_charts_of_trials(page):
    made = page(trials=(), iterations=(), library=(), baseline=None, library_effect=None, null_control=None, found=(), missing=(),
                status="nothing_named")  # fmt: skip
    seen = Seen(made)

    assert "Nothing was tried." in seen.text
    assert "Nothing: every rewrite and every verdict could be used." in seen.text
    assert seen.all("svg") == []


def test_a_finding_without_kept_pairs_says_so(page):
    text = Seen(page(found=())).text

    assert "No pair is kept for it" in text
    assert "Nothing is kept about how it was named." in text


def test_the_published_rule_has_no_interval_and_says_what_it_is(page, trial):
    held = trial(effect=0.15, low=None, high=None, level=None, p=None, q=None, marks=("rule: paper",))
    seen = Seen(page(rule="paper", preset="paper", trials=(held,), found=(evidence(neutral=None),)))

    assert "The judge errs 15 points more often on rewrites with this trait than on the originals." in seen.text
    assert "The published procedure was followed as it was run" in seen.text
    assert "against the original" in seen.text
    assert (
        "makes no neutral rewrite, so that any of them may have turned because of the rewording alone"
        in seen.text
    )
    assert "Benjamini" not in seen.text


def test_graded_effects_are_in_log_odds(page, trial):
    held = trial(effect=0.512, low=0.2, high=0.8, unit="log-odds", details=details())
    text = Seen(page(trials=(held,))).text

    assert "leans 0.51 log-odds further towards the worse response" in text
    assert "+0.512 log-odds" in text


def test_a_measurement_shows_judges_by_biases_gates_and_what_transfers():
    names = ("openai:x (reason)", "openai:y (reason)")
    slot = effect(bias="position", name="Position bias", estimand="slot", side=None)
    judges = [judged(effect(), slot, name=n) for n in names]
    comparison = ComparisonOut(
        transfer=(TransferOut(source=names[0], target=names[1], accepted=4, held=3, share=0.75, ceiling=0.91, ratio=0.83),),
        similarity=(),
        differences=(DifferenceOut(bias="calm", name="Calm bias", judges=names, difference=0.1234, low=0.05, high=0.2, p=0.001,
                                   q=0.002, n=40, discovered_on=()),),
    )  # fmt: skip
    made = measurement_page(measured(*judges, comparison=comparison), [[evidence(bias_id="calm")], ()], ABOUT)
    seen = Seen(made.html)

    assert "The gate calls it biased." in seen.text
    assert "Pairs to read" in seen.text
    assert "Worse response, rewritten with the trait, against the neutral rewrite" in seen.text
    assert "Calm bias +20.0 holds +20.0 holds" in seen.text
    assert "Judge 1 Judge 2 4 3 75 % 91 % 0.83" in seen.text
    assert "Judge 2 less Judge 1 +12.3 points" in seen.text
    assert "smallest effect that matters 5 points" in seen.text
    assert "Judge every pair in both orders" in seen.text
    assert [c.name for c in made.charts] == ["effects-1", "effects-2", "slots", "differences"]


def test_of_a_pair_without_a_better_response_none_is_called_better(page):
    odd = evidence(pair=pair("p1@chosen", chosen="Five.", rejected="Four.", labelled=False))
    text = Seen(measurement_page(measured(), [[replace(odd, bias_id="calm")]], ABOUT).html).text
    told = text[text.index("Pairs to read") : text.index("Methods")]

    assert "Pair 1: p1 (moved by +100.0 points)" in told
    assert "Other response Five. Response with the trait, rewritten, against the neutral rewrite" in told
    assert "response with the trait (turned)" in told
    assert "better response" not in told.replace("which the better response", "")


def test_a_single_judge_needs_no_number():
    seen = Seen(measurement_page(measured(), [()], ABOUT).html)

    assert "Biases of openai:x (reason)" in seen.text
    assert "The judges beside each other" not in seen.text
    assert "openai:x (reason)" in [text for level, text in seen.headings if level == 2]


def test_the_specification_of_a_chart_holds_its_data_and_loads_nothing(summary, trial):
    made = discovery_page(summary(trials=(trial(details=details()),)), (), ABOUT)
    spec = json.loads(made.charts[0].saved)

    assert spec["$schema"].endswith(f"/vega-lite/v{VEGA_LITE}.1.json")
    assert [(row["name"], row["value"]) for row in spec["datasets"]["rows"]] == [("Calm bias", 12.5)]
    assert '"url"' not in made.charts[0].saved


def test_the_same_files_give_the_same_page(page):
    assert page() == page()


def test_an_empty_folder_has_a_page_with_a_sentence():
    seen = Seen(empty_page("A discovery without a result", "It holds no result yet.", ABOUT).html)

    assert "It holds no result yet." in seen.text
    assert [level for level, _ in seen.headings] == [1, 2]
