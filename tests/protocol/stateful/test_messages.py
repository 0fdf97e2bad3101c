"""Lines to messages and back: names, types, lists and strings."""

import dataclasses
import json
from dataclasses import fields
from pathlib import Path

import pytest

from tourney.bridge import DOUBLE, PASS, REDOUBLE, Bid, Card, Contract, Seat, Strain, Suit
from tourney.errors import FormatError
from tourney.protocol.stateful import values
from tourney.protocol.stateful.messages import (
    PLAYER_MESSAGES,
    SERVER_MESSAGES,
    AlertMessage,
    AucopenMessage,
    Extension,
    StatefulMessage,
    format_message,
    parse_player_message,
    parse_server_message,
)

ACE, TEN, TWO = Card(Suit.SPADES, 14), Card(Suit.HEARTS, 10), Card(Suit.CLUBS, 2)


def test_the_source_has_no_message_that_is_not_here() -> None:
    of_players = ["HELLO", "JOIN-T", "JOIN-M", "BID", "PLAY"]
    of_servers = [
        "TOURNAMENTS",
        "GAMES",
        "JOINED",
        "NAK",
        "AUCOPEN",
        "HAND",
        "DUMMY",
        "TRICK",
        "TRICKSWON",
        "AUCCLOSE",
        "SCORE-M",
    ]
    assert [name for name in PLAYER_MESSAGES if not name.startswith("X-")] == of_players
    assert {name for name in SERVER_MESSAGES if not name.startswith("X-")} == set(of_servers)


@pytest.mark.parametrize("kind", (PLAYER_MESSAGES | SERVER_MESSAGES).values())
def test_how_a_message_is_written_is_what_its_fields_say(kind: type[StatefulMessage]) -> None:
    words = kind.FORM.partition(", of NS")[0].split()[1:]
    assert len(words) == len(fields(kind))
    assert ["[" in word for word in words] == [field.default is None for field in fields(kind)]


@pytest.mark.clause("SS-10")
def test_each_extension_is_the_word_of_its_messages() -> None:
    asked_for = {kind.NAME: kind.EXTENSION for kind in SERVER_MESSAGES.values() if kind.EXTENSION is not None}
    by_other_words = {
        "X-GAME": Extension.GAMES,
        "X-CLAIMED": Extension.CLAIM,
        "X-UNDONE": Extension.UNDO,
        "X-ASKED": Extension.ASK,
        "X-TELL": Extension.ASK,
        "X-SAID": Extension.SAY,
    }
    of_their_own = {f"X-{each}": each for each in Extension if f"X-{each}" in SERVER_MESSAGES}
    assert set(asked_for.values()) == set(Extension)
    assert asked_for == of_their_own | by_other_words
    to_all = {name for name in SERVER_MESSAGES if name not in asked_for and name.startswith("X-")}
    assert to_all == {"X-HELLO", "X-PONG"}  # which answer what the client has said


@pytest.mark.clause("SS-03")
def test_a_string_is_quoted_unless_it_has_only_letters_and_digits() -> None:
    assert values.format_string("Alpha7") == "Alpha7"
    assert values.format_string("") == '""'
    assert values.format_string("Zoë") == '"Zoë"'
    assert values.format_string("one\r\nX-LEAVE") == '"one  X-LEAVE"'
    assert values.format_string('say "no" \\') == r'"say \"no\" \\"'


@pytest.mark.clause("SS-01")
@pytest.mark.parametrize("letter", ["a", "é", '"', "\\", "♥"])
def test_a_text_that_is_too_long_is_cut_so_that_its_line_can_be_read(letter: str) -> None:
    line = format_message(AlertMessage(Seat.NORTH, letter * 3000, 319))
    assert len(line.encode()) <= values.LINE_BYTES_MAX
    message = parse_server_message(line.encode())
    assert isinstance(message, AlertMessage)
    assert message.text
    assert (letter * 3000).startswith(message.text)


@pytest.mark.clause("SS-01")
def test_the_longest_auction_fits_on_a_line() -> None:
    calls: list[object] = [PASS] * 3
    for level in range(1, 8):
        for strain in Strain:
            calls += [Bid(level, strain), PASS, PASS, DOUBLE, PASS, PASS, REDOUBLE, PASS, PASS]
    calls.append(PASS)
    assert len(calls) == 319
    line = format_message(AucopenMessage(None, tuple(calls)))  # type: ignore[arg-type]
    assert len(line.encode()) <= values.LINE_BYTES_MAX
    assert parse_server_message(line.encode()) == AucopenMessage(None, tuple(calls))  # type: ignore[arg-type]


# What is sent and refused for 1,500 lines, good and bad, is on file


GOLDEN = Path(__file__).parents[2] / "golden" / "stateful_lines.json"


def plain(value: object) -> object:
    """A field of a message without its classes."""
    if isinstance(value, Contract):
        return f"{value}{value.declarer.letter}"
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, frozenset):
        return sorted(map(str, value))
    if isinstance(value, Seat):
        return str(value.value)
    return value if type(value) in (bool, int, str, type(None)) else str(value)


def answer_of(sender: str, line: bytes) -> tuple[str | None, dict[str, object] | None]:
    """How the message of a line is formatted, and its fields; the refusal and None; twice None if it is ignored."""
    try:
        message = (parse_player_message if sender == "player" else parse_server_message)(line)
    except FormatError as error:
        return str(error), None
    if message is None:
        return None, None
    names = [each.name for each in dataclasses.fields(message)]
    fields = {"class": type(message).__name__} | {name: plain(getattr(message, name)) for name in names}
    return format_message(message), fields


@pytest.mark.clause("SS-01", "SS-02", "SS-04")
@pytest.mark.parametrize("sender", ["player", "server"])
def test_each_line_is_read_and_refused_as_ever(sender: str) -> None:
    for line, *answer in json.loads(GOLDEN.read_text(encoding="ascii"))[sender]:
        assert [*answer_of(sender, line.encode(errors="surrogateescape"))] == answer, line
