"""Bytes to lines (BC-01, BC-03) and the gap between lines (BC-50)."""

import pytest

from tourney.errors import FormatError
from tourney.protocol.bluechip.player_lines import parse_player_line, read_player_line
from tourney.protocol.lines import (
    LINE_BYTES_MAX,
    Charset,
    Pacer,
    can_carry,
    decode_line,
    encode_line,
    spell_line,
)
from tourney.protocol.session.intents import Ready


@pytest.mark.clause("BC-01")
@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b"North passes", "North passes"),
        (b"North\tpasses", "North passes"),
        (bytes(range(32, 127)), bytes(range(32, 127)).decode()),
        ("Zürich ≥ 5 ♥, “weak” 東京".encode(), "Zürich ≥ 5 ♥, “weak” 東京"),
        ("Café".encode("latin-1"), "Café"),
        (b"\x93\x80\x94", "“€”"),
        (b"\xef\xbb\xbfNorth passes", "North passes"),
        ("14 points\N{NO-BREAK SPACE}: fort\N{LINE SEPARATOR}ok".encode(), "14 points : fort ok"),
        ("a\N{RIGHT-TO-LEFT OVERRIDE}b\N{ZERO WIDTH SPACE}c".encode(), "a\ufffdb\ufffdc"),
        (b"undefined \x81 in every code page", "undefined \ufffd in every code page"),
        ("Fünf Karten, schön".encode()[:-2], "Fünf Karten, sch\ufffd"),
        (b"Fin de la donn\xe9", "Fin de la donné"),
        (b"\xed\xa0\x80 half a pair", "í € half a pair"),
    ],
)
def test_a_line_is_utf_8_or_else_latin_1_and_always_printable(line: bytes, text: str) -> None:
    assert decode_line(line) == text
    assert decode_line(line).isprintable()


@pytest.mark.clause("BC-03")
@pytest.mark.parametrize(
    ("line", "number", "column"),
    [
        *((b"\x00", 0, 1), (b"ab\x1b", 27, 3), (b"\x7f", 127, 1), (b"a\rb", 13, 2)),
        *(("é\x1b[2J".encode(), 27, 2), ("é\x9b2J".encode(), 155, 2), ("é\0".encode("latin-1"), 0, 2)),
    ],
)
def test_a_control_character_is_named_with_its_column(line: bytes, number: int, column: int) -> None:
    with pytest.raises(FormatError, match=f"byte {number} at column {column} is a control character"):
        decode_line(line)


@pytest.mark.clause("BC-01")
@pytest.mark.parametrize("apostrophe", [b"'", b"\xe2\x80\x99", b"\xe2\x80\x98", b"\x92"])
def test_an_apostrophe_may_be_curly(apostrophe: bytes) -> None:
    straight = parse_player_line("North ready for East's bid")
    assert isinstance(straight, Ready)
    assert read_player_line(b"North ready for East" + apostrophe + b"s bid") == straight


@pytest.mark.clause("BC-01")
@pytest.mark.parametrize(
    ("charset", "data"),
    [
        (Charset.UTF_8, "Zürich, ♠ œ 東".encode()),
        (Charset.LATIN_1, "Zürich, S oe ?".encode("latin-1")),
        (Charset.ASCII, b"Zurich, S oe ?"),
    ],
)
def test_letters_are_sent_as_the_receivers_character_set_has_them(charset: Charset, data: bytes) -> None:
    assert encode_line(spell_line("Zürich, ♠ œ 東", charset), charset) == data
    decomposed = spell_line("Zu\N{COMBINING DIAERESIS}rich", charset)
    assert decomposed == {"utf-8": "Zu\u0308rich", "latin-1": "Zürich", "ascii": "Zurich"}[charset]


@pytest.mark.parametrize("charset", Charset)
@pytest.mark.parametrize("letter", ["~", "é", "ÿ", "Ā", "東"])
def test_a_character_set_carries_the_letters_that_arrive_as_they_were(charset: Charset, letter: str) -> None:
    name = f"Te{letter}am"
    assert can_carry(name, charset) == (encode_line(spell_line(name, charset), charset).decode(charset.value) == name)


@pytest.mark.clause("BC-03")
@pytest.mark.parametrize("charset", Charset)
@pytest.mark.parametrize("letter", ["x", "é", "東", "\N{PLAYING CARD ACE OF SPADES}"])
def test_a_line_to_a_player_keeps_to_the_limit_in_bytes(charset: Charset, letter: str) -> None:
    for length in (LINE_BYTES_MAX // 4, LINE_BYTES_MAX // 2, LINE_BYTES_MAX - 21, LINE_BYTES_MAX):
        line = "North bids 2D Alert. " + letter * length
        spelt = spell_line(line, charset)
        assert len(encode_line(spelt, charset)) <= LINE_BYTES_MAX
        assert spelt.startswith("North bids 2D Alert. ")
        assert "\ufffd" not in spelt
        if len(line.encode()) <= LINE_BYTES_MAX:
            assert len(spelt) == len(line)
        else:
            assert spelt.endswith(" ...") or charset is not Charset.UTF_8


@pytest.mark.clause("BC-50")
def test_a_new_gap_holds_from_the_next_line_written() -> None:
    pacer: Pacer[str] = Pacer(gap_ms=20)
    for item in ("one", "two", "three"):
        pacer.put(item)
    assert pacer.take(0) == "one"
    pacer.gap_ms = 300
    assert pacer.take(20) == "two"
    assert pacer.take(319) is None
    assert pacer.take(320) == "three"
    assert pacer.is_empty
