"""The command line of `tourney connect`: what cannot be used is refused in one sentence."""

from pathlib import Path

import pytest

from tests.support.refusals import refusals
from tourney.connect.main import main
from tourney.connect.options import fill_command, load_key, parse_command_words, parse_port, parse_url
from tourney.errors import UsageError


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://club.example/", "wss://club.example/connect"),
        ("https://club.example:8443/spring/", "wss://club.example:8443/spring/connect"),
        ("http://127.0.0.1:8000", "ws://127.0.0.1:8000/connect"),
        ("http://localhost:8000", "ws://localhost:8000/connect"),
        ("http://[::1]:8000/", "ws://[::1]:8000/connect"),
    ],
)
def test_the_address_of_the_websocket_follows_from_that_of_the_event(text: str, url: str) -> None:
    assert parse_url(text) == url


PARSERS = {"address": parse_url, "port": parse_port, "command": parse_command_words}


@pytest.mark.parametrize(("parsed", "text", "sentences"), refusals("connect"))
def test_what_is_none_is_refused(parsed: str, text: str, sentences: list[str]) -> None:
    with pytest.raises(UsageError, match=sentences[0]):
        PARSERS[parsed](text.removeprefix("nothing"))


@pytest.mark.parametrize(
    ("content", "mode", "sentence"),
    [
        (b"", 0o600, "is empty: the key of the team goes there"),
        (b"key\n", 0o644, "others on this machine can read"),
        (b"two words", 0o600, "has more than the key"),
        (b"\xff\xfe", 0o600, "is no text with a key"),
    ],
)
def test_a_key_file_that_cannot_be_used(tmp_path: Path, content: bytes, mode: int, sentence: str) -> None:
    path = tmp_path / "alpha.key"
    path.write_bytes(content)
    path.chmod(mode)
    with pytest.raises(UsageError, match=sentence):
        load_key(path)


def test_a_key_file_that_an_editor_has_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "alpha.key"
    path.write_bytes(b"\xef\xbb\xbf0123abcd\r\n")
    path.chmod(0o600)
    assert load_key(path) == "0123abcd"


def test_a_command_is_split_into_words_and_filled_in_without_a_shell() -> None:
    words = parse_command_words("prog '{host}:{port}' {seat} {seat_letter} ;rm")
    assert fill_command(words, 2001, "E") == ["prog", "127.0.0.1:2001", "East", "E", ";rm"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "the following arguments are required: URL, --team, --key-file"),
        (["https://x.example", "--team", "A", "--key-file", "nowhere"], "--key-file: nowhere cannot be read"),
        (["https://x.example", "--insecure"], "--help shows what there is"),
    ],
)
def test_the_command_refuses_with_one_line_and_status_2(
    words: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert (captured.err.count("\n"), captured.out) == (1, "")
