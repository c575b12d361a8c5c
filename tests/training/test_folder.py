"""The folder of a training: one set of settings, checkpoints that are whole, a curve that can be cut back."""

import pytest

from biasscope.errors import RunLocked, RunMismatch, UsageError
from biasscope.training.folder import COMPLETE, Point, TrainFolder

from .test_settings import settings


@pytest.fixture
def folder(tmp_path):
    with TrainFolder.enter(tmp_path / "run", settings()) as entered:
        yield entered


def checkpoint(folder, step, *, whole=True):
    path = folder.checkpoints / f"checkpoint-{step}"
    path.mkdir(parents=True)
    (path / "weights").write_text("w" * step)
    if whole:
        folder.mark(step)
    return path


def point(step):
    return Point(step, 0.5, 0.1, 0.75, 1e-4)


def test_another_setting_is_refused_by_name_and_the_same_ones_go_on(tmp_path):
    for _ in range(2):
        with TrainFolder.enter(tmp_path / "run", settings()):
            pass
    with (
        pytest.raises(RunMismatch, match=r"other settings: data: d -> e; beta: 0.1 -> 0.2"),
        TrainFolder.enter(tmp_path / "run", settings(data="e", beta=0.2)),
    ):
        pass


def test_a_folder_that_holds_something_else_or_is_in_use_is_refused(tmp_path, folder):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").touch()
    with (
        pytest.raises(UsageError, match="no folder of a training"),
        TrainFolder.enter(tmp_path / "other", settings()),
    ):
        pass
    with pytest.raises(RunLocked), TrainFolder.enter(folder.path, settings()):
        pass


def test_what_was_not_written_to_its_end_is_no_checkpoint_and_is_swept_away(folder):
    good, torn = checkpoint(folder, 5), checkpoint(folder, 10, whole=False)
    assert folder.whole_checkpoints() == [(5, good)]
    folder.sweep()
    assert good.exists()
    assert not torn.exists()


@pytest.mark.parametrize("harm", ["shorter", "gone", "more", "unreadable"])
def test_a_checkpoint_that_a_disk_lost_a_part_of_is_none(folder, harm):
    before, path = checkpoint(folder, 5), checkpoint(folder, 10)
    match harm:
        case "shorter":
            (path / "weights").write_text("w")
        case "gone":
            (path / "weights").unlink()
        case "more":
            (path / "optimizer").touch()
        case "unreadable":
            (path / COMPLETE).write_text("{")
    assert folder.whole_checkpoints() == [(5, before)]


def test_the_last_two_checkpoints_are_kept_by_their_number(folder):
    for step in (5, 50, 500):
        checkpoint(folder, step)
    assert [step for step, _ in folder.whole_checkpoints()] == [50, 500]
    assert not (folder.checkpoints / "checkpoint-5").exists()


def test_a_curve_is_cut_back_to_the_checkpoint_that_is_gone_on_from(folder):
    for step in range(1, 6):
        folder.add_point(point(step))
    folder.cut_curve(3)
    folder.add_point(point(4))
    assert [p.step for p in folder.read_curve()] == [1, 2, 3, 4]
    with (folder.path / "curves.jsonl").open("a") as file:
        file.write('{"step": 5, "lo')
    assert [p.step for p in folder.read_curve()] == [1, 2, 3, 4]


def test_an_adapter_is_there_whole_or_not_at_all(folder):
    def half():
        with folder.writing_adapter() as new:
            (new / "weights").write_text("half")
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        half()
    assert not folder.adapter.exists()
    assert [p.name for p in folder.path.iterdir() if "adapter" in p.name] == []
    with folder.writing_adapter() as new:
        (new / "weights").write_text("all")
    assert (folder.adapter / "weights").read_text() == "all"
