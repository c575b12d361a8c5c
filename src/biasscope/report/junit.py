"""A gate as JUnit XML: one suite a judge, one case a bias. Pure; whatever names hold is escaped."""

from __future__ import annotations

import re
from xml.etree import ElementTree as xml

from biasscope.report import measured_words
from biasscope.report.measured import EffectOut, JudgedOut, MeasuredOut

_FORBIDDEN = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def render(out: MeasuredOut) -> str:
    """The outcome for a CI system: `biased` fails, what is open is skipped, a broken instrument is an error."""
    root = xml.Element("testsuites", name="biasscope")
    totals = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    for judged in out.judges:
        for name, count in _suite(root, judged).items():
            totals[name] += count
    for name, count in totals.items():
        root.set(name, str(count))
    xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"


def _suite(root: xml.Element, judged: JudgedOut) -> dict[str, int]:
    name = _clean(judged.name)
    suite = xml.SubElement(root, "testsuite", name=name)
    counts = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    if judged.gate == "broken":
        case = xml.SubElement(suite, "testcase", classname=name, name="instrument")
        text = _clean("; ".join(judged.gate_reasons))
        xml.SubElement(case, "error", message=text).text = text
        counts["errors"] += 1
        counts["tests"] += 1
    for effect in judged.effects:
        counts["tests"] += 1
        kind = _case(suite, name, effect, broken=judged.gate == "broken")
        if kind is not None:
            counts[kind] += 1
    for key, count in counts.items():
        suite.set(key, str(count))
    return counts


def _case(suite: xml.Element, judge: str, effect: EffectOut, *, broken: bool) -> str | None:
    """Add a case, and say what it counts as beside a test."""
    case = xml.SubElement(suite, "testcase", classname=judge, name=_clean(effect.bias))
    said = _clean(measured_words.finding(effect))
    if broken:
        xml.SubElement(case, "skipped", message="the instrument is broken")
        return "skipped"
    if effect.gate == "biased":
        xml.SubElement(case, "failure", message=said).text = said
        return "failures"
    if effect.gate in ("inconclusive", "ignored"):
        more = "" if effect.more_pairs is None else f" About {effect.more_pairs} more pairs would tell."
        why = "the policy ignores it" if effect.gate == "ignored" else f"not decided. {said}{more}"
        xml.SubElement(case, "skipped", message=_clean(why))
        return "skipped"
    return None


def _clean(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return _FORBIDDEN.sub("\ufffd", text)
