"""`biasscope catalogue`, and measuring biases of the catalogue, of a user's file, cues and formats."""

import pytest

from ..datasets.test_bias_files import toml
from .conftest import run_here

DATA = ("--data", "objective:30?seed=5")


def test_every_known_bias_is_listed_with_its_family():
    listed = {b["id"]: b for b in run_here("catalogue", "--json").json["biases"]}
    told = run_here("catalogue")

    assert listed["authority"]["family"] == "authority"
    assert listed["authority"]["phrasings"] == 8
    assert listed["position"]["estimand"] == "slot"
    assert told.code == 0
    assert all(f"  {name} (" in told.out for name in listed)


def test_a_file_of_ones_own_is_checked_and_listed(tmp_path):
    (tmp_path / "mine.toml").write_text(toml(), encoding="utf-8")
    (tmp_path / "short.toml").write_text(toml(biased=["One."], neutral=["Two."]), encoding="utf-8")

    assert "seagull (pull" in run_here("catalogue", str(tmp_path / "mine.toml")).out
    run_here("catalogue", str(tmp_path / "short.toml")).refuses("short.toml, seagull has 1 phrasings")


def test_a_bias_of_ones_own_a_cue_and_a_family_are_measured_beside_each_other(tmp_path):
    (tmp_path / "mine.toml").write_text(toml(), encoding="utf-8")
    names = f"{tmp_path / 'mine.toml'},refinement,authority"
    done = run_here("measure", "run", "--judge", "planted:fair", *DATA, "--biases", names, "--json")
    (judged,) = done.json["judges"]
    effects = {e["bias"]: e for e in judged["effects"]}

    assert {"position", "seagull", "refinement", "authority"} <= set(effects)
    assert effects["refinement"]["estimand"] == "cue"
    assert {e["n"] for e in effects.values()} == {30}
    assert judged["missing"] == []


def test_a_label_that_is_liked_is_found_beside_traits():
    judge = "planted:fair;label=4"
    done = run_here(
        "measure", "run", "--judge", judge, *DATA, "--biases", "label_scheme,scale_direction,authority"
    )
    assert "Label bias: the response with the label that is read first is preferred in" in done.out
    again = run_here("show", "run", "--json").json["judges"][0]["effects"]
    found = {e["bias"]: e for e in again}

    assert (found["label_scheme"]["status"], found["label_scheme"]["side"]) == ("accepted", None)
    # the prompt calls the first response 1, so that a liking for 1 is a slot habit too
    assert found["position"]["effect"] > 0.2
    assert found["scale_direction"]["status"] == "no_signal"
    assert "scale has a direction" in found["scale_direction"]["reason"]


@pytest.mark.parametrize(
    ("name", "said"),
    [("autority", "did you mean authority?"), ("catalog", "did you mean catalogue?")],
)
def test_a_name_that_is_none_is_refused_with_the_nearest(name, said):
    run_here("measure", "run", "--judge", "planted:fair", *DATA, "--biases", name).refuses(
        f"{name!r} is no known bias", said
    )


def test_a_known_id_cannot_be_taken(tmp_path):
    (tmp_path / "mine.toml").write_text(toml(id="authority"), encoding="utf-8")
    names = str(tmp_path / "mine.toml")
    run_here("measure", "run", "--judge", "planted:fair", *DATA, "--biases", names).refuses(
        "holds authority, which is known already", "another id"
    )


def test_another_text_of_a_users_file_is_another_measurement(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(toml(), encoding="utf-8")
    command = ("measure", "run", "--judge", "planted:fair", *DATA, "--biases", str(path))
    assert run_here(*command).code == 0
    path.write_text(toml(biased=[f"Gulls: {n}." for n in "abcdef"]), encoding="utf-8")

    run_here(*command).refuses("bias files", code=1)
