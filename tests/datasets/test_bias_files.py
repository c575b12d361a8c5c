"""Biases of a user's own: what a TOML or Python file gives, and what is wrong with it, in one line."""

import json
from pathlib import Path

import pytest

from biasscope.datasets.bias_files import read_bias_file
from biasscope.errors import DataError

BIASED = [f"Seagulls cry here {word}." for word in ("now", "then", "again", "twice", "often", "still")]
PLAIN = [f"A line stands here {word}." for word in ("now", "then", "again", "twice", "often", "still")]
PAGE = Path(__file__).parents[2] / "docs" / "adding-a-bias.md"


def toml(**given):
    fields = {
        "id": "seagull",
        "name": "Seagull bias",
        "definition": "The text mentions seagulls.",
        "biased": BIASED,
        "neutral": PLAIN,
    } | given
    lines = [f"{key} = {json.dumps(value)}" for key, value in fields.items()]
    return "[[bias]]\n" + "\n".join(lines) + "\n"


def read(tmp_path, text, name="mine.toml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_bias_file(path)


def test_sentences_become_rules_and_a_detector_of_their_own(tmp_path):
    (known,) = read(tmp_path, toml())
    rewrite, neutral = known.rules("Why?")

    assert (known.bias.id, known.bias.estimand, known.bias.origin) == ("seagull", "pull", "catalogue")
    assert (known.phrasings, known.sign, known.by_rule) == (6, "open", True)
    assert rewrite("One. Two.", 0) == f"{BIASED[0]} One. Two."
    assert neutral("One. Two.", 1) == f"One. {PLAIN[1]} Two."
    assert [known.detector(text) for text in (rewrite("", 3), neutral("", 3))] == [True, False]


def test_patterns_may_say_more_than_the_sentences_do(tmp_path):
    (known,) = read(tmp_path, toml(detector=[r"\bseagulls?\b"]))

    assert known.detector("No seagull was seen.")


def test_facts_become_cues(tmp_path):
    text = toml(cues=BIASED, neutral_cues=PLAIN).replace(
        f"biased = {json.dumps(BIASED)}\nneutral = {json.dumps(PLAIN)}\n", ""
    )
    (known,) = read(tmp_path, text)

    assert (known.bias.estimand, known.cues, known.neutral_cues) == ("cue", tuple(BIASED), tuple(PLAIN))
    assert known.by_rule
    assert known.rules("Why?") is None


def test_a_python_file_gives_entries_of_any_kind(tmp_path):
    example = PAGE.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    (known,) = read(tmp_path, example, "mine.py")

    assert known.bias.id == "flattery"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[bias]", ["mine.toml is no TOML"]),
        ("[bias]\n", ["mine.toml, bias"]),
        ("", ["mine.toml, bias", "required"]),
        (toml(colour="red"), ["bias.0.colour", "not permitted"]),
        (toml(id="Sea gull"), ["bias.0.id"]),
        (toml(sign="up"), ["bias.0.sign"]),
        (toml(biased=BIASED[:3], neutral=PLAIN[:3]), ["3 phrasings, and 6 are needed"]),
        (toml(neutral=PLAIN[:5]), ["of 6 neutral phrasings 5 differ"]),
        (toml(biased=[BIASED[0]] * 6), ["of 6 biased phrasings"]),
        (toml(neutral=BIASED), ["is both biased and neutral"]),
        (toml(detector=["gull("]), ["a pattern of detector is none"]),
        (toml(detector=["gull$"]), ["does not see the trait"]),
        (toml(detector=["here"]), ["sees the trait in the neutral"]),
        (toml(cues=BIASED, neutral_cues=PLAIN), ["give one of them"]),
        (toml(biased=[], neutral=[]), ["nothing to write and nothing to show"]),
        (toml() + toml(), ["holds the bias seagull more than once"]),
    ],
)
def test_what_could_not_be_measured_is_named_with_the_file_and_the_bias(tmp_path, text, said):
    with pytest.raises(DataError) as caught:
        read(tmp_path, text)

    assert all(word in str(caught.value) for word in said), caught.value
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\n", "defines no ENTRIES"),
        ("ENTRIES = (1,)\n", "holds a int, no CatalogueEntry"),
        ("import no_such_module\n", "ModuleNotFoundError"),
        ("raise SystemExit(3)\n", "SystemExit"),
    ],
)
def test_a_python_file_that_gives_none_is_named(tmp_path, text, said):
    with pytest.raises(DataError, match=said):
        read(tmp_path, text, "mine.py")
