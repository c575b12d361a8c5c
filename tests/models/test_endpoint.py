"""What is read from a base URL."""

import pytest

from biasscope.models.endpoint import Endpoint, read_url


@pytest.mark.parametrize(
    ("url", "address", "host", "shown", "local"),
    [
        ("https://h.org/v1", "https://h.org:443", "h.org", "https://h.org/v1", False),
        (" http://localhost:1/v1/ ", "http://localhost:1", "localhost", "http://localhost:1/v1", True),
        ("http://[::1]:8/v1", "http://[::1]:8", "::1", "http://[::1]:8/v1", True),
        ("http://127.8.8.8", "http://127.8.8.8:80", "127.8.8.8", "http://127.8.8.8", True),
        ("http://0.0.0.0:8000", "http://0.0.0.0:8000", "0.0.0.0", "http://0.0.0.0:8000", True),
        ("http://10.0.0.1/v1/chat/completions", "http://10.0.0.1:80", "10.0.0.1", "http://10.0.0.1/v1", False),
        ("https://ann:pw@h.org:9/v1", "https://h.org:9", "h.org", "https://h.org:9/v1", False),
    ],
)
def test_a_url_is_split_into_its_names(
    url: str, address: str, host: str, shown: str, local: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("urllib.request.getproxies", dict)
    read = read_url(url)
    assert read == Endpoint(read.base, address, host, shown, local)
    assert "pw" not in repr(read)


def test_a_proxy_is_named_without_its_password_and_never_for_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("https_proxy", "http://ann:pw@proxy.org:3128/")
    monkeypatch.setenv("http_proxy", "http://ann:pw@proxy.org:3128/")
    monkeypatch.setenv("no_proxy", "inside.org")
    assert read_url("https://h.org/v1").shown == "https://h.org/v1 (through the proxy proxy.org:3128)"
    assert read_url("https://inside.org/v1").shown == "https://inside.org/v1"
    assert read_url("http://127.0.0.1:8000/v1").shown == "http://127.0.0.1:8000/v1"
