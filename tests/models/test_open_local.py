import hashlib
import struct
from pathlib import Path

import pytest

from biasscope.errors import MissingExtra, UsageError, WeightsError
from biasscope.models import llama, local, weights
from biasscope.models.base import Model
from biasscope.models.local import open_local


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


def write_gguf(path: Path, template: str | None = "{{ messages }}", context: int = 2048) -> Path:
    pairs = [
        text("general.architecture") + struct.pack("<I", 8) + text("llama"),
        text("llama.context_length") + struct.pack("<II", 4, context),
    ]
    if template is not None:
        pairs.append(text("tokenizer.chat_template") + struct.pack("<I", 8) + text(template))
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, len(pairs)) + b"".join(pairs))
    return path


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of its own, and a runtime that is said to be there but never started."""
    monkeypatch.setenv("BIASSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(local, "runtime_version", lambda: "xllamacpp 1.2.3")


def test_an_opened_file_is_a_model_that_names_its_bytes_and_never_its_path(tmp_path: Path) -> None:
    file = write_gguf(tmp_path / "mine.gguf")
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest()

    model: Model = open_local(str(file))

    assert model.spec == f"local:{file}"
    assert model.endpoint == f"local:{sha256[:12]}"
    assert model.resolved == f"sha256:{sha256}"
    assert model.max_in_flight == 1
    assert model.fingerprint == {
        "provider": "llama.cpp",
        "weights": sha256,
        "runtime": "xllamacpp 1.2.3",
        "chat_template": hashlib.sha256(b"{{ messages }}").hexdigest(),
        "context": 2048,
        "scoring": "plain/1",
    }


def test_the_same_bytes_under_another_name_are_the_same_model(tmp_path: Path) -> None:
    first = open_local(str(write_gguf(tmp_path / "one.gguf")))
    second = open_local(str(write_gguf(tmp_path / "two.gguf")))

    assert first.fingerprint == second.fingerprint
    assert first.endpoint == second.endpoint


def test_options_are_part_of_the_fingerprint(tmp_path: Path) -> None:
    file = write_gguf(tmp_path / "mine.gguf")

    model = open_local(f"{file}?scoring=prefill&context=512")

    assert model.fingerprint["scoring"] == "prefill/1"
    assert model.fingerprint["context"] == 512


def test_the_context_is_never_larger_than_the_model_was_trained_for(tmp_path: Path) -> None:
    file = write_gguf(tmp_path / "mine.gguf", context=1024)

    assert open_local(f"{file}?context=99999").fingerprint["context"] == 1024


@pytest.mark.parametrize("query", ["scoring=odd", "context=", "context=0", "context=-1", "threads=2", "scoring"])
def test_an_option_that_does_not_exist_is_refused_with_those_that_do(tmp_path: Path, query: str) -> None:
    file = write_gguf(tmp_path / "mine.gguf")

    with pytest.raises(UsageError, match="options that do not exist") as caught:
        open_local(f"{file}?{query}")

    assert "scoring=plain or prefill" in caught.value.hint


def test_a_model_without_a_chat_template_is_refused(tmp_path: Path) -> None:
    file = write_gguf(tmp_path / "base.gguf", template=None)

    with pytest.raises(WeightsError, match="no chat template") as caught:
        open_local(str(file))

    assert "instruct" in caught.value.hint


def test_weights_that_are_not_on_this_machine_say_how_to_fetch_them() -> None:
    with pytest.raises(WeightsError) as caught:
        open_local("smollm2-135m")

    assert caught.value.hint == "biasscope models fetch smollm2-135m"


def test_weights_that_need_a_prefilled_answer_get_it_unless_the_user_says_otherwise() -> None:
    assert weights.scoring_of("smollm2-135m") == "prefill"
    assert weights.scoring_of("qwen2.5-coder-0.5b") == "plain"
    assert weights.scoring_of("/some/file.gguf") == "plain"


def test_without_the_extra_the_line_to_install_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama, "find_spec", lambda name: None)

    with pytest.raises(MissingExtra) as caught:
        llama.runtime_version()

    assert caught.value.hint == "pip install 'biasscope[local]'"


async def test_a_model_that_was_never_called_is_closed_as_often_as_one_likes(tmp_path: Path) -> None:
    model = open_local(str(write_gguf(tmp_path / "mine.gguf")))

    await model.close()
    await model.close()
