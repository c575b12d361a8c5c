"""The options that say how a judge is asked."""

import json

import pytest

from .conftest import PLANTED, SMALL, run_here

OWN = """--- reader ---
pattern = 'Verdict: ([12])'
--- user ---
<prompt>
{{question}}
</prompt>

<response_1>
{{first}}
</response_1>

<response_2>
{{second}}
</response_2>

Which of these is better? End with one of these lines:
Verdict: 1
Verdict: 2
"""
"""A prompt that planted judges can read too."""


def discover(*options):
    return run_here("discover", "run", *PLANTED, *SMALL, *options, "--json", "--quiet")


def test_a_prompt_file_is_the_judge_and_its_text_is_its_identity(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.txt").write_text(OWN, encoding="utf-8")
    done = discover("--judge-prompt", "own.txt")
    saved = json.loads((tmp_path / "run" / "config.json").read_text(encoding="utf-8"))

    assert done.code == 0
    assert done.json["baseline"]["n"] == done.json["pairs"]["validation"]
    assert done.json["missing"] == []
    assert saved["identity"]["judge"]["template"] == OWN
    (tmp_path / "own.txt").write_text(OWN.replace("these is", "them is"), encoding="utf-8")
    discover("--judge-prompt", "own.txt").refuses("judge.template", code=1)


def test_every_option_of_a_judge_reaches_the_configuration(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = discover("--judge-kind", "pointwise", "--scale", "likert", "--reference", "--samples", "3",
                    "--judge-tokens", "900", "--judge-temperature", "0.5")  # fmt: skip
    saved = json.loads((tmp_path / "run" / "config.json").read_text(encoding="utf-8"))["identity"]["judge"]

    assert done.code == 0
    assert {k: saved[k] for k in ("kind", "scale", "reference", "samples", "max_tokens", "temperature")} == {
        "kind": "pointwise", "scale": "likert", "reference": True, "samples": 3, "max_tokens": 900, "temperature": 0.5
    }  # fmt: skip


def test_a_config_file_may_hold_the_prompt_itself(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.toml").write_text(
        f"[identity.judge]\ntemplate = '''\n{OWN}'''\n".replace("'Verdict: ([12])'", '"Verdict: ([12])"')
    )

    assert discover("--config", "c.toml", "--dry-run").code == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--judge-prompt", "none.txt"), "none.txt cannot be read"),
        (("--judge-prompt", "binary.txt"), "binary.txt is not UTF-8 text"),
        (("--judge-prompt", "plain.txt"), "begins with 'Compare"),
        (("--judge-prompt", "own.txt", "--reference"), "does not show {{reference}}"),
        (("--judge-prompt", "own.txt", "--judge-kind", "pointwise"), "give --judge-kind pairwise"),
        (("--scale", "1-10"), "a pairwise judge has no scale"),
        (("--judge-kind", "pointwise", "--scale", "many"), "'many' is not a scale"),
        (("--samples", "5"), "5 samples at temperature 0"),
        (("--judge-kind", "pointwise", "--judge-mode", "label"), "mode label"),
    ],
)
def test_a_judge_that_cannot_be_asked_is_refused_before_anything_is_made(tmp_path, monkeypatch, options, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.txt").write_text(OWN, encoding="utf-8")
    (tmp_path / "plain.txt").write_text("Compare {{first}} and {{second}}.", encoding="utf-8")
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")

    discover(*options).refuses(said)
    assert not (tmp_path / "run").exists()


def test_pairs_without_any_reference_are_named_as_the_reason(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        {"prompt": f"Which box holds {n}?", "chosen": f"Box {n}.", "rejected": f"Box {n}b."} for n in range(40)
    ]
    (tmp_path / "bare.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")

    done = run_here("discover", "run", *PLANTED, "--data", "bare.jsonl", "--reference", "--json", "--quiet")
    done.refuses("no_reference x", "column reference", code=2)
