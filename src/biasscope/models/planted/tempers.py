"""What a planted model is like, as numbers, and the names under which it is opened. Pure.

A name is a preset or a list of biases, then options: ``two-biases``, ``fair;habit=1;seed=3``,
``biases=analogy@1,apology@0.5;noise=1``, ``teacher;side=0.4;unchanged=0.05``.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, cast

from biasscope.errors import UsageError
from biasscope.models.planted.traits import TRAITS, detected


@dataclass(frozen=True, slots=True)
class JudgeTemper:
    """A judge in numbers; all but rates on the log-odds scale of its verdict.

    `biases` are (trait, log-odds) that a response which shows the trait gains on average. `skill` and `spread`
    are mean and standard deviation over questions of what the right answer gains; on questions whose right
    answer is unknown, `spread` is that of a latent preference between the two contents. `habit` is what the
    first response gains, `label` what the one whose label is read first does. `noise` is the standard deviation of what changes with any change of the prompt.
    `unreadable` is the share of replies without a verdict. A `stuck` judge always says the sign of its habit.
    A bias that a guard names acts `guard` times as strongly (0 not at all, below 0 the other way round), and any such
    guard adds `guard_skill` to the skill.
    """

    seed: int = 0
    biases: tuple[tuple[str, float], ...] = ()
    skill: float = 1.05
    spread: float = 1.6
    habit: float = 0.0
    label: float = 0.0
    noise: float = 1.4
    unreadable: float = 0.0
    stuck: bool = False
    guard: float = 1.0
    guard_skill: float = 0.0


@dataclass(frozen=True, slots=True)
class TeacherTemper:
    """A teacher in rates, each the share of the replies of that kind.

    `side` is the share of rewrites that carry a random trait besides; `unchanged`, `answer_changed`, `chatty`
    and `refusal` spoil rewrites; `broken_json` and `fenced` (a code fence around good JSON) naming and
    merging. `overlooked` is the share of shown biases that it does not name, `merge_error` of wrong merges.
    """

    seed: int = 0
    side: float = 0.25
    unchanged: float = 0.0
    answer_changed: float = 0.0
    chatty: float = 0.0
    refusal: float = 0.0
    broken_json: float = 0.0
    fenced: float = 0.1
    overlooked: float = 0.05
    merge_error: float = 0.02


PRESETS: Mapping[str, JudgeTemper | TeacherTemper] = MappingProxyType(
    {
        "fair": JudgeTemper(),
        "first-slot": JudgeTemper(habit=2.2),
        "second-slot": JudgeTemper(habit=-2.2),
        "stuck": JudgeTemper(habit=3.0, stuck=True),
        "two-biases": JudgeTemper(biases=(("self_verification", 1.4), ("analogy", 0.9))),
        "teacher": TeacherTemper(),
    }
)
"""The named models. The biases of ``two-biases`` are none of the seed library."""

_RATES = frozenset({f.name for f in fields(TeacherTemper)} - {"seed"} | {"unreadable"})
_SPREADS = frozenset({"spread", "noise"})


def parse_name(name: str, *, seed: int = 0) -> JudgeTemper | TeacherTemper:
    """Read a planted model's name, with or without ``planted:``; an option ``seed=`` wins over `seed`.

    Raises UsageError that lists what there is and names the closest, for an unknown preset, option or trait
    and for a value outside its range.
    """
    first, *options = [part.strip() for part in name.removeprefix("planted:").split(";")]
    if "=" in first:
        first, options = "fair", [first, *options]
    if first not in PRESETS:
        raise _unknown("planted model", first, (*PRESETS, "biases=ID@LOGIT"))
    temper = replace(PRESETS[first], seed=seed)
    for option in options:
        key, _, value = option.partition("=")
        allowed = [f.name for f in fields(temper) if f.name != "stuck"]
        if key not in allowed:
            raise _unknown(f"option of planted:{first}", key, allowed)
        # The field is one of `temper`, and `_value` gives its type.
        temper = replace(temper, **cast(dict[str, Any], {key: _value(key, value)}))
    return temper


def _value(key: str, text: str) -> object:
    if key == "biases":
        return tuple(_bias(item) for item in text.split(","))
    try:
        value = int(text) if key == "seed" else float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UsageError(f"option {key}={text!r} of a planted model is not a number")
    if (key in _RATES and not 0 <= value <= 1) or (key in _SPREADS and value < 0):
        raise UsageError(
            f"option {key}={text!r} of a planted model is out of range",
            hint="A share lies between 0 and 1." if key in _RATES else "A standard deviation is not negative.",
        )
    return value


def _bias(item: str) -> tuple[str, float]:
    trait, at, logit = item.strip().partition("@")
    if trait not in (known := (*TRAITS, *detected())):
        raise _unknown("trait", trait, known)
    try:
        value = float(logit)
    except ValueError:
        value = math.nan
    if not at or not math.isfinite(value):
        raise UsageError(f"a planted bias is written ID@LOGIT, not {item!r}", hint=f"For example {trait}@1.0.")
    return trait, value


def _unknown(what: str, word: str, known: Iterable[str]) -> UsageError:
    words = list(known)
    close = difflib.get_close_matches(word, words, n=1, cutoff=0.5)
    guess = f"Did you mean {close[0]!r}? " if close else ""
    return UsageError(f"unknown {what} {word!r}", hint=f"{guess}There are: {', '.join(words)}.")
