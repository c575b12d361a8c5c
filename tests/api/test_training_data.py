"""Training data in a folder: the same bytes again, nothing that is evaluated on, nothing paid twice, nothing lost silently."""

import asyncio
import json
import random
from collections import Counter
from dataclasses import asdict

import polars as pl
import pytest

from biasscope import api
from biasscope.config import (
    Execution,
    JudgeSpec,
    MeasureConfig,
    MeasureIdentity,
    ModelSpec,
    TrainingDataConfig,
    TrainingDataIdentity,
)
from biasscope.datasets import load
from biasscope.errors import CapReached, ConfigError, DataError, RunError, RunMismatch, UsageError
from biasscope.seeds import question_hash

KNOWN = ("authority", "sentiment")
FILES = ("train.jsonl", "plain.jsonl", "provenance.jsonl")
TEACHER = "planted:teacher;side=0.2;unchanged=0.1"


def config(*, execution=None, licence=None, **more):
    identity = {"data": "objective:60?seed=1", "biases": KNOWN} | more
    if "teacher" in identity:
        identity |= {"teacher": ModelSpec(spec=identity["teacher"]), "rewrites": "teacher"}
    return TrainingDataConfig(
        identity=TrainingDataIdentity(**identity), execution=execution or Execution(), licence=licence
    )


def make(run, settled=None, **more):
    return asyncio.run(api.make_training_data(run, settled or config(**more)))


def rows(run, name="train"):
    return [json.loads(line) for line in (run / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def whole(run):
    return {name: (run / name).read_bytes() for name in FILES}


def written(path, pairs):
    """Pairs as a file of anybody's, one JSON line each."""
    lines = [
        {"id": p.id, "prompt": [asdict(m) for m in p.prompt], "chosen": p.chosen, "rejected": p.rejected}
        for p in pairs
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def test_what_is_written_is_what_a_trainer_reads_and_what_a_reader_of_pairs_reads(tmp_path):
    out = make(tmp_path / "run")
    train = rows(tmp_path / "run")
    assert {tuple(row) for row in train} == {("prompt", "chosen", "rejected")}
    assert (
        len(train)
        == out.rows
        == len(rows(tmp_path / "run", "plain"))
        == len(rows(tmp_path / "run", "provenance"))
    )
    assert all(row["chosen"][0]["role"] == "assistant" for row in train)
    assert len(load(str(tmp_path / "run" / "train.jsonl")).pairs) == out.rows
    assert json.loads((tmp_path / "run" / "report.json").read_text()) == out.model_dump(mode="json")
    assert out.calls.teacher == 0


def test_the_provenance_says_of_each_line_which_trait_stands_where(tmp_path):
    out = make(tmp_path / "run")
    told = rows(tmp_path / "run", "provenance")
    plain, train = rows(tmp_path / "run", "plain"), rows(tmp_path / "run")
    assert [one["row"] for one in told] == list(range(1, out.rows + 1))
    for one, row, was in zip(told, train, plain, strict=True):
        assert row["prompt"] == was["prompt"]
        assert (row == was) == (one["part"] == "plain")
        assert one["question_hash"] == question_hash(row["prompt"][0]["content"])
    sides = Counter((one["bias"], one["side"]) for one in told if one["bias"])
    assert {(b.bias, "chosen"): b.on_chosen for b in out.biases} | {
        (b.bias, "rejected"): b.on_rejected for b in out.biases
    } == sides


def test_the_same_command_writes_the_same_bytes_and_no_order_of_the_source_changes_a_row(tmp_path):
    pairs = list(load("objective:60?seed=1").pairs)
    data = written(tmp_path / "pairs.jsonl", pairs)
    make(tmp_path / "run", data=data)
    first = whole(tmp_path / "run")
    make(tmp_path / "run", data=data)
    assert whole(tmp_path / "run") == first
    random.Random(2).shuffle(pairs)
    make(tmp_path / "other", data=written(tmp_path / "pairs.jsonl", pairs))
    assert whole(tmp_path / "other") == first


def test_a_folder_that_was_written_takes_no_other_settings_and_says_which(tmp_path):
    make(tmp_path / "run")
    first = whole(tmp_path / "run")
    with pytest.raises(RunMismatch, match=r"augmented: 0\.5 -> 0\.25"):
        make(tmp_path / "run", augmented=0.25)
    assert whole(tmp_path / "run") == first
    assert "cc-by" in (make(tmp_path / "run", licence="cc-by-4.0"), (tmp_path / "run" / "card.md").read_text())[1]


def test_a_teachers_rows_are_paid_once_whatever_stops_the_command(tmp_path):
    small = {"data": "objective:60?seed=1", "teacher": TEACHER, "augmented": 0.2}
    total = make(tmp_path / "at-once", **small).calls.teacher
    with pytest.raises(CapReached):
        make(tmp_path / "run", **small, execution=Execution(max_calls=20))
    assert not (tmp_path / "run" / "train.jsonl").exists()
    assert make(tmp_path / "run", **small).calls.teacher == total - 20
    assert whole(tmp_path / "run") == whole(tmp_path / "at-once")
    told = [one for one in rows(tmp_path / "run", "provenance") if one["bias"]]
    assert all(one["writer"].startswith("planted:teacher") and one["keys"] for one in told)


def test_questions_of_every_source_of_evaluation_are_refused_and_counted(tmp_path):
    mine = load("objective:80?seed=1").pairs
    theirs = written(tmp_path / "bench.jsonl", mine[:9])
    out = make(tmp_path / "run", data="objective:80?seed=1", evaluation=(theirs, "objective:30?seed=9"))
    assert [(e.source, e.questions, e.refused) for e in out.evaluation] == [
        ("bench.jsonl", 9, 9),
        ("objective:30?seed=9", 30, 0),
    ]
    kept = {one["question_hash"] for one in rows(tmp_path / "run", "provenance")}
    assert not kept & {question_hash(p.question) for p in mine[:9]}
    assert out.pairs == 71
    assert "bench.jsonl" in (tmp_path / "run" / "card.md").read_text()


def test_a_run_whose_questions_have_verdicts_is_a_source_of_evaluation_and_its_biases_are_taken(tmp_path):
    judge = JudgeSpec(spec="planted:biases=authority@3;noise=0.5")
    measured = MeasureConfig(
        identity=MeasureIdentity(
            judges=(judge,), data="objective:60?seed=5", biases=("authority", "hedging"), null_control=0
        )
    )
    asyncio.run(api.measure(tmp_path / "found", measured))
    found = str(tmp_path / "found")
    both = {"data": "objective:120?seed=1", "biases": (found,), "evaluation": (found,)}
    out = make(tmp_path / "run", **both)
    assert [b.bias for b in out.biases] == ["authority"]
    assert out.evaluation[0].questions >= 55
    with pytest.raises(DataError, match="may be trained on"):
        make(tmp_path / "same", data="objective:60?seed=5", evaluation=(found,))


def test_with_everything_evaluated_on_nothing_is_left_and_the_reason_is_counted(tmp_path):
    with pytest.raises(
        DataError, match=r"0 pairs of objective:60\?seed=1 may be trained on \(asks a question of .*: 60\)"
    ) as found:
        make(tmp_path / "run", evaluation=("objective:60?seed=1",))
    assert "50" in found.value.hint
    assert not (tmp_path / "run").exists()


def test_where_no_rewrite_comes_through_nothing_is_written_and_the_reasons_are_told(tmp_path):
    with pytest.raises(
        DataError, match=r"only 0 rows came of it, 0 of them augmented \(.*unchanged.*: \d+"
    ) as found:
        make(tmp_path / "run", data="objective:60?seed=1", teacher="planted:teacher;unchanged=1")
    assert "other biases" in found.value.hint
    assert not (tmp_path / "run" / "train.jsonl").exists()


def test_the_fewest_pairs_are_enough_although_some_are_lost(tmp_path):
    assert make(tmp_path / "run", data="objective:50?seed=3").rows >= 40


def test_every_row_of_the_source_is_a_row_or_counted(tmp_path):
    pairs = load("objective:70?seed=1").pairs
    lines = [
        {"prompt": p.question, "chosen": p.chosen, "rejected": p.rejected, "labelled": n >= 3}
        for n, p in enumerate(pairs)
    ]
    lines += [
        lines[10] | {"id": "again"},
        {"prompt": "Same?", "chosen": "a", "rejected": "a"},
        lines[5] | {"chosen": ""},
    ]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = make(tmp_path / "run", data=str(tmp_path / "pairs.jsonl"))
    lost = Counter()
    for one in out.left_out:
        lost[one.stage] += one.count
    assert {one.reason for one in out.left_out} >= {
        "unlabelled",
        "repeats another pair",
        "identical responses",
        "empty response",
    }
    assert out.read == 73 == out.pairs + lost["read"] + lost["admitted"]
    assert out.pairs == 67 == out.rows + lost["mixed"]


def test_a_judge_is_trained_on_verdicts_with_its_slots_in_equal_parts(tmp_path):
    out = make(tmp_path / "run", task="judge", biases=(*KNOWN, "claimed_expertise"))
    train, told = rows(tmp_path / "run"), rows(tmp_path / "run", "provenance")
    assert [row["chosen"][0]["content"] for row in train] == [str(one["slot"]) for one in told]
    assert abs(out.slots[0] - out.slots[1]) <= 1
    assert sum(out.slots) == out.rows
    for row, was in zip(train, rows(tmp_path / "run", "plain"), strict=True):
        assert (row["chosen"], row["rejected"]) == (was["chosen"], was["rejected"])


def test_facts_about_a_response_are_left_out_of_responses_with_a_note_and_refused_alone(tmp_path):
    known = [e for e in api.catalogue_of().biases if e.estimand == "cue"]
    out = make(tmp_path / "run", biases=(*KNOWN, known[0].id))
    assert any(known[0].id in note for note in out.notes)
    with pytest.raises(UsageError, match="only facts about a response") as found:
        make(tmp_path / "none", biases=(known[0].id,))
    assert "--task judge" in found.value.hint
    judged = make(tmp_path / "judge", biases=(known[0].id,), task="judge")
    assert [b.bias for b in judged.biases] == [known[0].id]


def test_a_bias_that_nobody_can_write_and_settings_that_exclude_each_other_are_refused(tmp_path):
    (tmp_path / "mine.jsonl").write_text(
        json.dumps(
            {
                "id": "odd",
                "name": "odd",
                "definition": "Odd.",
                "origin": "discovered",
                "estimand": "pull",
                "evidence": [],
            }
        )
        + "\n"
    )
    with pytest.raises(UsageError, match="there is nobody to write odd"):
        make(tmp_path / "run", biases=(str(tmp_path / "mine.jsonl"),))
    with pytest.raises(ConfigError, match="no teacher is named"):
        config(rewrites="teacher")
    with pytest.raises(ConfigError, match="judge mode"):
        config(mode="reason")


def test_a_disk_that_is_full_leaves_the_files_of_before(tmp_path, monkeypatch):
    make(tmp_path / "run")
    first = whole(tmp_path / "run")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("biasscope.rundir.files.os.fsync", full)
    with pytest.raises(RunError, match="No space left on device"):
        make(tmp_path / "run")
    monkeypatch.undo()
    assert whole(tmp_path / "run") == first
    assert not list((tmp_path / "run").glob(".*.tmp"))


def test_pairs_as_ultrafeedback_is_binarized_are_read(tmp_path):
    pairs = load("objective:60?seed=1").pairs

    def said(p, text):
        return [{"content": p.question, "role": "user"}, {"content": text, "role": "assistant"}]

    frame = pl.DataFrame(
        {
            "prompt": [p.question for p in pairs],
            "prompt_id": [p.id for p in pairs],
            "chosen": [said(p, p.chosen) for p in pairs],
            "rejected": [said(p, p.rejected) for p in pairs],
            "messages": [said(p, p.chosen) for p in pairs],
            "score_chosen": [8.0] * len(pairs),
            "score_rejected": [3.0] * len(pairs),
        }
    )
    frame.write_parquet(tmp_path / "train_prefs.parquet")
    out = make(tmp_path / "run", data=str(tmp_path / "train_prefs.parquet"))
    assert out.pairs == out.read == 60
    assert all(len(row["prompt"]) == 1 for row in rows(tmp_path / "run"))


def test_the_card_tells_the_command_and_no_place_on_this_machine(tmp_path):
    data = written(tmp_path / "pairs.jsonl", load("objective:60?seed=1").pairs)
    out = make(tmp_path / "run", data=data, augmented=0.3, task="judge", mode="reason", licence="my licence, v2")
    card = (tmp_path / "run" / "card.md").read_text()
    assert str(tmp_path) not in card + (tmp_path / "run" / "provenance.jsonl").read_text()
    assert (
        "biasscope mitigate data OUT --data pairs.jsonl --biases authority,sentiment --task judge --judge-mode reason --augmented 0.3"
        in card
    )
    assert 'license_name: "my licence, v2"' in card
    assert any("without reasons" in note or "no reasons" in note for note in out.notes)
