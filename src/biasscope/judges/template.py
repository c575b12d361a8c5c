"""A user's own judge prompt: one text that holds the messages and says how the reply is read. Opens no file.

    --- reader ---
    labels = ["A", "B"]
    json = "winner"
    --- system ---
    ...
    --- user ---
    ... {{question}} ... {{first}} ... {{second}} ...

The reader (TOML) and the system part may be left out. What is sent is what the user wrote, with the fields filled in
once: nothing in a response is ever read as a field, a part or a marker.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from biasscope import prompts
from biasscope.errors import ConfigError
from biasscope.judges.readers import ScoreReader, VerdictReader
from biasscope.parsing.plain import plain_text
from biasscope.parsing.scores import Scale, scale_of

PAIRWISE = ("question", "first", "second")
POINTWISE = ("question", "response")
REFERENCE = "reference"
_PART = re.compile(r"^--- *(\w+) *---[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_PARTS = ("reader", "system", "user")
_FORM = "A template has an optional part --- reader ---, an optional --- system --- and a part --- user ---."


@dataclass(frozen=True, slots=True)
class Template:
    """The two messages of a user's prompt; an empty `system` is not sent."""

    system: str
    user: str

    def fill(self, **fields: str) -> prompts.Filled:
        """Fill it in one pass; fields that it does not show are left out."""
        return prompts.fill_parts(self.system, self.user, fields)


def read_template(text: str, needed: Sequence[str]) -> tuple[Template, dict[str, object]]:
    """Read a template that must show exactly the fields `needed`: its messages, and its reader as declared.

    Raises ConfigError for another form, a reader that is no TOML, and a field that is absent or unknown.
    """
    parts = _parts(text)
    template = Template(parts.get("system", ""), parts["user"])
    _check_fields(template, needed)
    try:
        return template, tomllib.loads(parts.get("reader", ""))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(
            f"the reader of the judge template is not TOML: {error}",
            hint='Write lines such as labels = ["A", "B"], json = "winner" or pattern = \'Verdict: (A|B)\'.',
        ) from None


def verdict_reader(declared: Mapping[str, object]) -> VerdictReader:
    """The reader of a pairwise template; raises ConfigError for what cannot be one."""
    pattern, field = _place(declared, ("labels",))
    labels = declared.get("labels", ["1", "2"])
    if not isinstance(labels, list) or not all(isinstance(item, str | int) for item in labels):
        raise _refused("labels must be a list of texts", 'For example labels = ["A", "B"].')
    # True is an int in Python and a word of its own in TOML.
    spelled = [str(item).lower() if isinstance(item, bool) else str(item).strip() for item in labels]
    if len(spelled) not in (2, 3):
        raise _refused(
            f"needs two labels, or three of which the last is a tie, not {len(spelled)}",
            'For example labels = ["A", "B", "tie"].',
        )
    alike = {plain_text(label).casefold() for label in spelled}
    if len(alike) < len(spelled) or not all(re.search(r"\w", label) for label in alike):
        raise _refused(
            f"the labels {', '.join(map(repr, spelled))} cannot be told apart",
            "Labels need letters or digits; case and markup do not count.",
        )
    tie = spelled[2] if len(spelled) == 3 else None
    return VerdictReader((spelled[0], spelled[1]), tie, pattern, field)


def score_reader(declared: Mapping[str, object], scale: str | None) -> ScoreReader:
    """The reader of a pointwise template on the scale that it or the judge's specification declares.

    Raises ConfigError for what cannot be a reader, for no scale and for two that differ.
    """
    pattern, field = _place(declared, ("scale",))
    own = declared.get("scale")
    if own is not None and not isinstance(own, str):
        raise _refused("scale must be a text", 'For example scale = "1-5".')
    if own is not None and scale is not None and read_scale(own) != read_scale(scale):
        raise ConfigError(
            f"the judge template declares the scale {own}, the options {scale}", hint="Leave one of them out."
        )
    name = own or scale
    if name is None:
        raise ConfigError(
            "a pointwise judge template needs a scale",
            hint='Write scale = "1-10" in its reader, or give --scale 1-10.',
        )
    return ScoreReader(read_scale(name), pattern, field)


def read_scale(name: str) -> Scale:
    """Read the name of a scale; raises ConfigError."""
    try:
        return scale_of(name)
    except ValueError as error:
        raise ConfigError(str(error), hint="For example 1-10, 0-100, likert or pass-fail.") from None


def _parts(text: str) -> dict[str, str]:
    pieces = _PART.split(text.removeprefix("\ufeff"))
    names = pieces[1::2]
    unknown = next((n for n in names if n not in _PARTS), None)
    if unknown is not None:
        raise ConfigError(f"a judge template has no part --- {unknown} ---", hint=_FORM)
    if pieces[0].strip():
        raise ConfigError(
            f"the judge template begins with {pieces[0].strip()[:40]!r}, not with a part", hint=_FORM
        )
    if names != [n for n in _PARTS if n in names] or "user" not in names:
        shown = ", ".join(f"--- {n} ---" for n in names) or "none"
        raise ConfigError(f"the judge template has the parts {shown}", hint=_FORM)
    return {name: part.strip() for name, part in zip(names, pieces[2::2], strict=True)}


def _check_fields(template: Template, needed: Sequence[str]) -> None:
    shown = [*prompts.FIELD.findall(template.system), *prompts.FIELD.findall(template.user)]
    hint = f"It shows {', '.join(f'{{{{{n}}}}}' for n in needed)}; "
    if "response" in shown and "first" in needed:
        hint += "with {{response}} a template is pointwise: give --judge-kind pointwise."
    elif "first" in shown and "response" in needed:
        hint += "with {{first}} and {{second}} a template is pairwise: give --judge-kind pairwise."
    elif REFERENCE in {*shown, *needed}:
        hint += "{{reference}} goes together with --reference."
    else:
        hint += "other braces are sent as they are."
    for name in needed:
        if name not in shown:
            raise ConfigError(f"the judge template does not show {{{{{name}}}}}", hint=hint)
    for name in shown:
        if name not in needed:
            raise ConfigError(f"the judge template has an unknown field {{{{{name}}}}}", hint=hint)


def _place(declared: Mapping[str, object], more: Sequence[str]) -> tuple[str | None, str | None]:
    """Where the verdict stands: the pattern or the JSON field, None for both where neither is declared."""
    known = (*more, "pattern", "json")
    for key in declared:
        if key not in known:
            raise _refused(f"has an unknown key {key!r}", f"It knows {', '.join(known)}.")
    pattern, field = declared.get("pattern"), declared.get("json")
    if pattern is not None and field is not None:
        raise _refused("declares both pattern and json", "Leave one of them out.")
    for name, value in (("pattern", pattern), ("json", field)):
        if value is not None and (not isinstance(value, str) or not value):
            raise _refused(
                f"{name} must be a text",
                f'For example {name} = "{"winner" if name == "json" else "Verdict: (A|B)"}".',
            )
    if isinstance(pattern, str):
        try:
            groups = re.compile(pattern).groups
        except re.error as error:
            raise _refused(
                f"the pattern {pattern!r} cannot be used: {error}", "See Python's re module."
            ) from None
        if groups != 1:
            raise _refused(
                f"the pattern {pattern!r} has {groups} groups, not one",
                "Put the label in one pair of parentheses; (?:...) groups without counting.",
            )
    return pattern if isinstance(pattern, str) else None, field if isinstance(field, str) else None


def _refused(what: str, hint: str) -> ConfigError:
    return ConfigError(f"the reader of the judge template {what}", hint=hint)
