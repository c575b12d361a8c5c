import struct
from pathlib import Path

import pytest

from biasscope.errors import WeightsError
from biasscope.models.gguf import read_header


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def pair(key: str, kind: int, value: bytes) -> bytes:
    return text(key) + struct.pack("<I", kind) + value


def array(kind: int, *items: bytes) -> bytes:
    return struct.pack("<IQ", kind, len(items)) + b"".join(items)


def gguf(*pairs: bytes, version: int = 3, count: int | None = None) -> bytes:
    count = len(pairs) if count is None else count
    return b"GGUF" + struct.pack("<IQQ", version, 0, count) + b"".join(pairs)


VOCABULARY = pair("tokenizer.ggml.tokens", 9, array(8, text("a"), text("bc"), text("")))
PAIRS = (
    pair("general.architecture", 8, text("llama")),
    pair("llama.context_length", 4, struct.pack("<I", 8192)),
    pair("llama.rope.freq_base", 6, struct.pack("<f", 1e4)),
    VOCABULARY,
    pair("tokenizer.ggml.scores", 9, array(6, struct.pack("<f", 0.5), struct.pack("<f", 1.5))),
    pair("nested", 9, array(9, array(0, b"\x01", b"\x02"), array(8, text("x")))),
    pair("tokenizer.ggml.add_bos_token", 7, b"\x01"),
    pair("tokenizer.chat_template", 8, text("{{ messages }} é")),
)


def test_context_and_template_are_read_past_vocabularies_of_any_kind(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(gguf(*PAIRS))

    header = read_header(file)

    assert (header.architecture, header.context, header.chat_template) == ("llama", 8192, "{{ messages }} é")


@pytest.mark.parametrize("template", [None, "", "  \n"])
def test_a_model_without_a_template_has_none(tmp_path: Path, template: str | None) -> None:
    pairs = PAIRS[:-1] if template is None else (*PAIRS[:-1], pair("tokenizer.chat_template", 8, text(template)))
    file = tmp_path / "model.gguf"
    file.write_bytes(gguf(*pairs))

    assert read_header(file).chat_template is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GGUF",
        b"PK\x03\x04" + bytes(100),
        gguf(version=1) + bytes(100),
        gguf(*PAIRS, version=3 << 24),
        gguf(*PAIRS, count=len(PAIRS) + 1),
        gguf(count=1 << 60) + bytes(100),
        gguf(pair("odd", 13, b"")) + bytes(100),
        gguf(text("x" * 9)[:-4]),
        gguf(pair("tokens", 9, struct.pack("<IQ", 8, 1 << 40))),
        gguf(pair("numbers", 9, struct.pack("<IQ", 4, 1 << 62)), PAIRS[0]),
    ],
    ids=range(11),
)
def test_what_is_not_a_whole_header_is_one_clear_line(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(content)

    with pytest.raises(WeightsError, match="is not a GGUF file that can be read") as caught:
        read_header(file)

    assert "GGUF" in caught.value.hint


def test_a_header_that_breaks_off_anywhere_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    whole = gguf(*PAIRS)

    for end in range(len(whole)):
        file.write_bytes(whole[:end])
        with pytest.raises(WeightsError):
            read_header(file)
