"""What may go to a terminal."""

import io
import sys
import unicodedata

import pytest

from tourney.terminal import show_controls, shown_streams, unfiltered

_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Categories of Unicode that no text of somebody else may bring to a terminal."""


def test_no_control_format_or_separator_character_is_sent_but_the_line_feed() -> None:
    sent = [
        hex(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in _HIDDEN and show_controls(chr(code)) == chr(code)
    ]
    assert sent == ["0xa"]


@pytest.mark.parametrize(
    "text", ["Les Épées", "♠ 10 é ñ 山田 Ωmega אבג", "two\nlines", "C:\\x1b", "no-break\xa0space"]
)
def test_letters_of_all_scripts_stay(text: str) -> None:
    assert show_controls(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("a\rb\tc", "a\\rb\\tc"),
        ("\u202etxt.exe", "\\u202etxt.exe"),
        ("Al\u200bpha\u3164", "Al\\u200bpha\\u3164"),
        ("\x9b2J\U000e0041", "\\x9b2J\\U000e0041"),
    ],
)
def test_what_a_terminal_would_act_on_or_not_show_is_shown(text: str, shown: str) -> None:
    assert show_controls(text) == shown
    assert show_controls(shown) == shown


def test_streams_show_controls_and_send_our_own(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_streams(), shown_streams():
        sys.stdout.write("\x1b[2J\n")
        sys.stderr.write("\x1b[2J\n")
        unfiltered(sys.stdout).write("\x1b[1mours")
        assert not hasattr(sys.stdout, "buffer")
    captured = capsys.readouterr()
    assert captured.out == "\\x1b[2J\n\x1b[1mours"
    assert captured.err == "\\x1b[2J\n"


def test_a_stream_that_lacks_most_letters_gets_what_click_makes_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    with shown_streams():
        sys.stdout.write("Épées\x07")
        sys.stdout.flush()
        unfiltered(sys.stdout).flush()
    assert raw.getvalue() == "Épées\\x07".encode()
