"""Keys to lines: letters of several bytes, corrections, and keys that mean nothing here."""

import pytest

from tourney.client.display import LINE_CHARS_MAX, LineEditor


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (b"1n\r", "1n"),
        (b"1x\x7fn\n", "1n"),
        (b"\x7f\x7f1n\n", "1n"),
        (b"nonsense\x15p\n", "p"),
        (b"alert ask for\x17\x17asks\n", "alert asks"),
        (b"\x1b[C\x1b[1;5D\x1b[3~\x1bOPs\x1bxa\n", "sa"),
        ("♥10\n".encode(), "♥10"),
        (b"\x00\x01\x02p\n", "p"),
        (b"p\x04\n", "p"),
    ],
)
def test_keys_make_a_line(keys: bytes, line: str) -> None:
    whole, split = LineEditor(), LineEditor()

    assert whole.feed(keys) == [line]
    assert [each for key in keys for each in split.feed(bytes([key]))] == [line]


def test_ctrl_d_on_an_empty_line_ends_the_input() -> None:
    editor = LineEditor()
    editor.feed(b"p\x04")
    assert not editor.is_ended
    editor.feed(b"\n\x04")
    assert editor.is_ended


def test_a_line_has_a_limit() -> None:
    editor = LineEditor()
    editor.feed(b"a" * 10_000)
    assert len(editor.text) == LINE_CHARS_MAX
