from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biasscope.ask import Unreadable
from biasscope.parsing.json_blocks import read_json

READ = [
    # plain, fenced, wrapped in prose
    ('{"better": "B", "why": "brief"}', {"better": "B", "why": "brief"}),
    ('```json\n{"better": "A"}\n```', {"better": "A"}),
    ('```JSON\r\n{"better": "A"}\r\n```\r\n', {"better": "A"}),
    ('~~~\n{"better": "A"}\n~~~', {"better": "A"}),
    ('My reading:\n```\n{"better": "A"}\n```\nAnything else?', {"better": "A"}),
    ('Fine. {"better": "A"} That is all.', {"better": "A"}),
    ('It calls `sort` first: {"better": "A"}', {"better": "A"}),
    ('```js\nlet a = {"better": "B"}\n```\n```json\n{"better": "A"}\n```', {"better": "A"}),
    ('\ufeff{"better": "A"}', {"better": "A"}),
    ('[{"better": "A"}]', {"better": "A"}),
    ('"{\\"better\\": \\"A\\"}"', {"better": "A"}),
    ('{{"better": "A"}}', {"better": "A"}),
    ('{"points": 3, "parts": {"x": {"y": [1, 2]}}}', {"points": 3, "parts": {"x": {"y": [1, 2]}}}),
    # slips
    ('{"better": "A", "points": [8, 3,],}', {"better": "A", "points": [8, 3]}),
    ('{"ok": True, "tied": False, "note": None}', {"ok": True, "tied": False, "note": None}),
    ('{"points": 2.5, // of 3\n "better": "A" /* sure */}', {"points": 2.5, "better": "A"}),
    ("{'why': \"it's short\", 'better': 'A'}", {"why": "it's short", "better": "A"}),
    ("{'why': 'it's short', 'better': 'A'}", {"why": "it's short", "better": "A"}),
    ("{“better”: “A”}", {"better": "A"}),
    ('{better: "A", points: 3}', {"better": "A", "points": 3}),
    ('{"why": "two\nrows\tand a tab", "better": "A"}', {"why": "two\nrows\tand a tab", "better": "A"}),
    ('{"why": "it said "stop" and left", "better": "A"}', {"why": 'it said "stop" and left', "better": "A"}),
    (r'{"why": "it\'s so", "better": "A"}', {"why": "it's so", "better": "A"}),
    (r'{"why": "\sqrt{2} < \pi", "better": "A"}', {"why": r"\sqrt{2} < \pi", "better": "A"}),
    (r'{"why": "\sum \theta \frac{1}{2} \neq \rho", "better": "A"}', {"why": r"\sum \theta \frac{1}{2} \neq \rho", "better": "A"}),
    (r'{"why": "a line\nand \mu", "better": "A"}', {"why": "a line\nand \\mu", "better": "A"}),
    ('{"p": NaN, "better": "A"}', {"p": None, "better": "A"}),
    ("{'a': [1, 'b', {c: []}]}", {"a": [1, "b", {"c": []}]}),
    ("{'p': +.5, 'q': -2e3}", {"p": 0.5, "q": -2000.0}),
    # strings that look like slips stay as they are
    ('{"why": "rows end ,] or ,} here", "better": "A"}', {"why": "rows end ,] or ,} here", "better": "A"}),
    ('{"why": "None is True", "better": "A"}', {"why": "None is True", "better": "A"}),
    ('{"why": "at https://example.org/a", "better": "A"}', {"why": "at https://example.org/a", "better": "A"}),
    ('{"why": "a set {y: 2} here", "better": "A"}', {"why": "a set {y: 2} here", "better": "A"}),
    ('{"why": "open ```json first", "better": "A"}', {"why": "open ```json first", "better": "A"}),
    ('```json\n{"why": "open ```sh first", "better": "A"}\n```', {"why": "open ```sh first", "better": "A"}),
    ('{"why": "so “fine” a text", "better": "A"}', {"why": "so “fine” a text", "better": "A"}),
    (r'{"why": "D:\\text and \\beta", "better": "A"}', {"why": "D:\\text and \\beta", "better": "A"}),
    (r'{"why": "\ud83d\ude42 fine"}', {"why": "🙂 fine"}),
    (r"{'why': '\ud83d\ude42 fine'}", {"why": "🙂 fine"}),
    # the last one, and never a draft
    ('At first {"better": "B"}. In the end {"better": "A"}', {"better": "A"}),
    ('It printed {"better": "B"} by itself. I say {"better": "A"}', {"better": "A"}),
    ('<think>{"better": "B"}</think>{"better": "A"}', {"better": "A"}),
    ('<think>"open {"better": "B"}</think>{"better": "A"}', {"better": "A"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), READ)
def test_the_object_is_read_as_it_was_meant(text, value):
    assert read_json(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "nothing here",
        "{}",
        "{\n \n \n",
        '{"points":',
        "<p>Bad gateway</p>",
        '<think>{"better": "A"}',
        '{"better": high}',
        '{"better" "A"}',
        "{'a': 1 'b': 2}",
        "{'a': [1 2]}",
        "[1, 2]",
        r"\frac{1}{2}",
        '```python\nreturn {"better": "A"}\n```',
    ],
)
def test_where_no_object_stands_nothing_is_made_up(text):
    with pytest.raises(Unreadable) as raised:
        read_json(text)
    assert raised.value.reason == "unparsable"


def test_an_object_that_is_cut_off_is_not_read_and_hides_the_draft_before_it():
    for text in (
        '{"better": "A", "why": "since the other forg',
        'First {"better": "B"}. Then {"better": "A", "why',
    ):
        with pytest.raises(Unreadable, match="cut off"):
            read_json(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"better": "A", "better": "B"}',
        "{'better': 'A', 'better': 'A'}",
        '{"ranks": [{"name": "a", "place": 1, "name": "b", "place": 2}]}',
        '[{"better": "A"}, {"better": "B"}]',
        '{"better": "A"}\n{"better": "B"}',
        '```json\n{"better": "A"}\n```\n```json\n{"better": "B"}\n```',
    ],
)
def test_what_says_two_things_is_ambiguous(text):
    with pytest.raises(Unreadable) as raised:
        read_json(text)
    assert raised.value.reason == "ambiguous"


def test_neighbours_that_agree_or_speak_of_other_things_are_no_contradiction():
    assert read_json('{"better": "A"}\n{"better": "A"}') == {"better": "A"}
    assert read_json('{"why": "short"}\n{"better": "A"}') == {"better": "A"}


def test_with_keys_the_last_object_that_has_them_is_read():
    text = '{"better": "A"} where {x: 1} is the set'
    assert read_json(text, keys=("better",)) == {"better": "A"}
    with pytest.raises(Unreadable, match="with worse"):
        read_json(text, keys=("worse",))


def test_the_result_can_be_written_as_text():
    value = read_json(r'{"why": "half \ud83d a pair", "\udc00": [1e999, "\ud800"]}')
    assert value == {"why": "half \ufffd a pair", "\ufffd": [None, "\ufffd"]}
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")


@pytest.mark.parametrize("opening", ["{'a':", '{"a":', "["])
def test_nesting_without_end_is_unparsable_and_no_crash(opening):
    closing = {"{": "}", "[": "]"}[opening[0]]
    for text in (opening * 5000, opening * 5000 + "1" + closing * 5000, '{"a": ' + "[" * 200 + "]" * 200 + "}"):
        with pytest.raises(Unreadable):
            read_json(text)


def test_a_number_that_python_refuses_is_unparsable():
    with pytest.raises(Unreadable):
        read_json('{"n": ' + "9" * 5000 + "}")


_leaf = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
_json = st.recursive(_leaf, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)


@settings(deadline=None)
@given(st.dictionaries(st.text(), _json, min_size=1), st.booleans())
def test_valid_json_comes_back_unchanged(value, fenced):
    text = json.dumps(value)
    assert read_json(f"```json\n{text}\n```" if fenced else text) == value


@settings(deadline=None)
@given(st.text(alphabet="{}[]\",:\\'a1 \n/*#tu.", max_size=60))
def test_any_text_is_an_object_or_unreadable(text):
    try:
        value = read_json(text)
    except Unreadable:
        return
    assert isinstance(value, dict)
    assert value


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(['{"a": 1}', " and ", "{", "```", "\n", '"', "<think>", "</think>", "'", "[{"]),
        max_size=12,
    )
)
def test_any_heap_of_pieces_is_an_object_or_unreadable(pieces):
    try:
        value = read_json("".join(pieces))
    except Unreadable:
        return
    assert value
