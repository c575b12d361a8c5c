"""Training for real, on a tiny model: it learns, goes on after a kill with the same result, and judges afterwards."""

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest
from tests.cli.conftest import run_here

from biasscope.api import train
from biasscope.errors import DataError, RunError, RunMismatch, UsageError
from biasscope.training.settings import TrainOptions

from .tiny import NO_SYSTEM, TEMPLATE, build, rows, slot_rows, texts, write

ROOT = Path(__file__).parents[2]
OPTIONS = TrainOptions(steps=24, learning_rate=5e-3, batch=4, accumulate=2, max_length=64)
WORDS = ("--steps", 24, "--learning-rate", 5e-3, "--batch", 4, "--accumulate", 2, "--max-length", 64, "--cpu")


def test_without_the_extra_the_line_that_installs_it_is_said(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "trl", None)
    file = write(tmp_path / "rows.jsonl", rows(30))
    done = run_here("mitigate", "train", tmp_path / "out", "--model", tmp_path, "--data", file)
    done.refuses("'train'", "pip install 'biasscope[train]'", code=1)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--data or from --arm"),
        (("--data", "a.jsonl", "--arm", "plain=b.jsonl"), "--data or from --arm"),
        (("--arm", "plain"), "is not NAME=FILE"),
        (("--arm", "plain=a.jsonl", "--arm", "plain=b.jsonl"), "two arms 'plain'"),
    ],
)
def test_words_that_name_no_rows_are_refused(tmp_path, words, said):
    run_here("mitigate", "train", tmp_path / "out", "--model", "org/model", *words).refuses(said)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A folder with a model and rows with two preferences."""
    folder = tmp_path_factory.mktemp("tiny")
    build(folder / "model")
    write(folder / "rows.jsonl", [*rows(48), *slot_rows(48)])
    return folder


@pytest.fixture(scope="module")
def trained(tiny):
    """What an undisturbed training left."""
    made = train(tiny / "whole", str(tiny / "model"), tiny / "rows.jsonl", OPTIONS, cpu=True)
    return tiny / "whole", made


def weights(folder):
    return (folder / "adapter" / "adapter_model.safetensors").read_bytes()


def logprobs(folder, of):
    """Log-probability of the chosen and the rejected reply of each row, by the model itself and with its adapter."""
    import peft
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder.parent / "model")
    model = transformers.AutoModelForCausalLM.from_pretrained(folder.parent / "model")
    adapted = peft.PeftModel.from_pretrained(model, folder / "adapter")

    def of_reply(row, name):
        prompt = tokenizer.apply_chat_template(row["prompt"], add_generation_prompt=True, tokenize=False)
        start = len(tokenizer(prompt)["input_ids"])
        ids = tokenizer(prompt + row[name][0]["content"], return_tensors="pt")["input_ids"]
        with torch.no_grad():
            table = adapted(ids).logits.log_softmax(-1)[0]
        return float(sum(table[at - 1, ids[0, at]] for at in range(start, ids.shape[1])))

    def both():
        return [(of_reply(row, "chosen"), of_reply(row, "rejected")) for row in of]

    with adapted.disable_adapter():
        before = both()
    return before, both()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
class TestTraining:
    def test_it_prefers_on_other_pairs_what_it_was_trained_to_prefer(self, trained):
        folder, made = trained
        before, after = logprobs(folder, rows(60, first=1000))
        assert 0.3 < sum(good > bad for good, bad in before) / 60 < 0.7
        rewards = [(a[0] - b[0]) - (a[1] - b[1]) for b, a in zip(before, after, strict=True)]
        assert sum(reward > 0 for reward in rewards) / 60 > 0.9
        (arm,) = made.arms
        assert arm.last.accuracy > 0.9 > arm.first.accuracy
        assert arm.last.loss < 0.3 < arm.first.loss

    def test_the_folder_holds_a_curve_a_card_and_every_version(self, trained):
        folder, made = trained
        curve = [json.loads(line) for line in (folder / "curves.jsonl").read_text().splitlines()]
        assert [point["step"] for point in curve] == list(range(1, 25))
        assert "direct preference optimisation" in (folder / "card.md").read_text()
        libraries = json.loads((folder / "manifest.json").read_text())["starts"][0]["libraries"]
        assert {"torch", "trl", "peft", "transformers"} <= libraries.keys()
        assert [p.name for p in (folder / "checkpoints").iterdir()] == ["checkpoint-24"]
        assert (made.arms[0].pairs, made.arms[0].seen) == (96, 2.0)

    def test_a_killed_training_goes_on_and_ends_with_the_same_weights(self, tiny, trained):
        kill = (
            "import os, signal, sys\n"
            "from pathlib import Path\n"
            "from biasscope.api import train\n"
            "from biasscope.training.settings import TrainOptions\n"
            "out, model, rows, options = sys.argv[1:]\n"
            "def stop(arm, point):\n"
            "    if point.step == 14:\n"
            "        os.kill(os.getpid(), signal.SIGKILL)\n"
            "train(Path(out), model, Path(rows), TrainOptions.model_validate_json(options), cpu=True, on_point=stop)\n"
        )
        paths = [str(tiny / name) for name in ("killed", "model", "rows.jsonl")]
        done = subprocess.run(
            [sys.executable, "-c", kill, *paths, OPTIONS.model_dump_json()], check=False, capture_output=True
        )
        assert done.returncode == -signal.SIGKILL, done.stderr.decode()
        left = {p.name for p in (tiny / "killed" / "checkpoints").iterdir()}
        assert left == {"checkpoint-12", "checkpoint-13"}
        (tiny / "killed" / "checkpoints" / "checkpoint-14").mkdir()  # as if it had been at it

        steps = []
        train(
            tiny / "killed", str(tiny / "model"), tiny / "rows.jsonl", OPTIONS, cpu=True,
            on_point=lambda arm, point: steps.append(point.step),
        )  # fmt: skip
        assert steps == list(range(14, 25))
        assert weights(tiny / "killed") == weights(trained[0])
        assert (tiny / "killed" / "curves.jsonl").read_bytes() == (trained[0] / "curves.jsonl").read_bytes()
        starts = json.loads((tiny / "killed" / "manifest.json").read_text())["starts"]
        assert [s["status"] for s in starts] == ["running", "finished"]

    def test_the_same_command_again_trains_nothing_and_rows_in_another_order_are_the_same(self, tiny, trained):
        before = weights(trained[0])
        turned = write(tiny / "turned.jsonl", [*reversed(slot_rows(48)), *reversed(rows(48))])
        steps = []
        again = train(
            trained[0],
            str(tiny / "model"),
            turned,
            OPTIONS,
            cpu=True,
            on_point=lambda *point: steps.append(point),
        )
        assert steps == []
        assert again.arms[0].last == trained[1].arms[0].last
        assert weights(trained[0]) == before

    def test_other_settings_rows_or_weights_are_refused_in_the_same_folder(self, tiny, trained):
        with pytest.raises(RunMismatch, match=r"seed: 0 -> 1"):
            train(
                trained[0],
                str(tiny / "model"),
                tiny / "rows.jsonl",
                OPTIONS.model_copy(update={"seed": 1}),
                cpu=True,
            )
        with pytest.raises(RunMismatch, match="data: "):
            train(trained[0], str(tiny / "model"), write(tiny / "fewer.jsonl", rows(40)), OPTIONS, cpu=True)

    def test_the_adapter_judges_and_shows_what_it_was_trained_to_prefer(self, tiny, trained, tmp_path):
        shares = {}
        for name, place in (("base", tiny / "model"), ("trained", trained[0])):
            done = run_here(
                "measure", tmp_path / name, "--judge", f"hf:{place}?device=cpu", "--data", "objective:24?seed=1",
                "--biases", "authority", "--judge-mode", "label", "--null-control", "0", "--quiet", "--json",
            )  # fmt: skip
            assert done.code == 0, done.err
            verdicts = pl.read_parquet(tmp_path / name / "verdicts.parquet")
            given = verdicts.filter(pl.col("arm") == "original", pl.col("choice").is_not_null())
            assert len(given) == 48
            first = (given["order"] == "chosen_first") == (given["choice"] == "chosen")
            shares[name] = first.mean()
        assert shares["base"] < 0.9
        assert shares["trained"] == 1.0
        compared = run_here("compare", tmp_path / "base", tmp_path / "trained", "--json")
        slot = compared.json["comparisons"][0]["slot_preference"]
        assert slot["difference"] == pytest.approx(shares["trained"] - shares["base"])

    def test_an_adapter_whose_base_has_changed_is_refused(self, tiny, trained):
        config = tiny / "model" / "generation_config.json"
        before = config.read_text()
        try:
            config.write_text(before + "\n")
            done = run_here(
                "measure", tiny / "no", "--judge", f"hf:{trained[0]}", "--data", "objective:24", "--quiet"
            )
        finally:
            config.write_text(before)
        done.refuses("was trained on other weights", code=1)

    def test_a_full_disk_ends_in_one_line_and_the_last_checkpoint_goes_on(self, tiny, trained, monkeypatch):
        import transformers

        save = transformers.Trainer._save_optimizer_and_scheduler

        def full(trainer, folder):
            if trainer.state.global_step == 9:
                (Path(folder) / "optimizer.pt").write_bytes(b"half")
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            save(trainer, folder)

        with monkeypatch.context() as patched:
            patched.setattr(transformers.Trainer, "_save_optimizer_and_scheduler", full)
            with pytest.raises(
                RunError, match=r"training stopped at step 9, its files cannot be written: .*No space left"
            ) as error:
                train(tiny / "full", str(tiny / "model"), tiny / "rows.jsonl", OPTIONS, cpu=True)
        assert "make room" in error.value.hint
        assert {p.name for p in (tiny / "full" / "checkpoints").iterdir()} == {"checkpoint-7", "checkpoint-8"}
        train(tiny / "full", str(tiny / "model"), tiny / "rows.jsonl", OPTIONS, cpu=True)
        assert weights(tiny / "full") == weights(trained[0])

    def test_what_torch_says_where_it_cannot_write_is_told_as_what_it_is(self):
        pytest.importorskip("trl", reason="needs the extra train")
        from biasscope.training.dpo import _stopped

        said = _stopped(RuntimeError("[enforce fail at inline_container.cc:672] . unexpected pos 64 vs 0"), 10)
        assert "its files cannot be written" in str(said)
        assert "make room" in said.hint
        other = _stopped(RuntimeError("shapes differ"), 10)
        assert "cannot be written" not in str(other)

    def test_too_little_room_is_said_before_anything_is_trained(self, tiny, tmp_path, monkeypatch):
        monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=1000))
        with pytest.raises(RunError, match=r"checkpoints need .* MB of disk"):
            train(tmp_path / "out", str(tiny / "model"), tiny / "rows.jsonl", OPTIONS, cpu=True)

    def test_arms_have_the_same_number_of_steps_and_folders_of_their_own(self, tiny, tmp_path):
        write(tmp_path / "plain.jsonl", rows(24))
        write(
            tmp_path / "augmented.jsonl",
            [*rows(24), *slot_rows(24), *slot_rows(1), rows(1)[0] | {"rejected": rows(1)[0]["chosen"]}],
        )
        done = run_here(
            "mitigate", "train", tmp_path / "arms", "--model", tiny / "model", "--arm", f"plain={tmp_path / 'plain.jsonl'}",
            "--arm", f"augmented={tmp_path / 'augmented.jsonl'}", "--epochs", 1, *WORDS[2:], "--json", "--quiet",
        )  # fmt: skip
        assert done.code == 0, done.err
        plain, augmented = done.json["arms"]
        assert plain["steps"] == augmented["steps"] == 7
        assert (plain["pairs"], augmented["pairs"]) == (24, 49)
        assert augmented["left_out"] == [{"reason": "equal", "rows": 1}]
        left = (tmp_path / "arms" / "augmented" / "left-out.jsonl").read_text()
        assert json.loads(left)["where"].endswith("augmented.jsonl, line 50")
        assert (tmp_path / "arms" / "plain" / "adapter" / "adapter_config.json").is_file()

    def test_a_template_without_a_system_role_gets_its_text_in_the_first_question(self, tmp_path):
        build(tmp_path / "model", template=NO_SYSTEM)
        file = write(tmp_path / "rows.jsonl", rows(24))
        made = train(
            tmp_path / "out", str(tmp_path / "model"), file, OPTIONS.model_copy(update={"steps": 1}), cpu=True
        )
        assert made.folds_system
        assert made.arms[0].pairs == 24
        assert "first user message" in (tmp_path / "out" / "card.md").read_text()

    def test_texts_are_trained_on_as_they_stand_without_a_template(self, tmp_path):
        build(tmp_path / "model", template=None)
        file = write(tmp_path / "rows.jsonl", texts(24))
        made = train(
            tmp_path / "out", str(tmp_path / "model"), file, OPTIONS.model_copy(update={"steps": 1}), cpu=True
        )
        assert made.arms[0].pairs == 24
        refused = run_here(
            "mitigate", "train", tmp_path / "other", "--model", tmp_path / "model", "--data",
            write(tmp_path / "turns.jsonl", rows(24)),
        )  # fmt: skip
        refused.refuses("no chat template", code=1)

    def test_a_template_that_writes_the_prompt_otherwise_leaves_rows_out_with_the_reason(self, tmp_path):
        thinking = TEMPLATE.replace("<|assistant|>{% endif %}", "<|assistant|>north{% endif %}")
        build(tmp_path / "model", template=thinking)
        with pytest.raises(DataError, match=r"0 pairs to train on.*24 left out: the chat template"):
            train(
                tmp_path / "out",
                str(tmp_path / "model"),
                write(tmp_path / "rows.jsonl", rows(24)),
                OPTIONS,
                cpu=True,
            )
        assert not (tmp_path / "out").exists()

    def test_an_adapter_is_not_trained_again_as_if_it_were_a_model(self, tiny, trained):
        with pytest.raises(UsageError, match="is an adapter"):
            train(tiny / "second", str(trained[0]), tiny / "rows.jsonl", OPTIONS, cpu=True)
