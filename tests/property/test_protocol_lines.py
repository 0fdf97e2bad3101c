"""Bytes to lines and lines to messages: nothing raises, what is written is what is read."""

import itertools
import string
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.protocol_players import seeds, words_of
from tourney.bridge import CALLS, DECK, SEATS, BoardInPlay, Call, Card, Seat, Suit, Vulnerability, board_from_seed
from tourney.errors import FormatError
from tourney.formats.ascii import to_ascii
from tourney.protocol.bluechip import server_lines
from tourney.protocol.bluechip.player_lines import Courtesy, format_connecting, parse_player_line
from tourney.protocol.bluechip.server_lines import (
    BoardLine,
    HandLine,
    PlainLine,
    SeatedLine,
    TeamsLine,
    parse_server_line,
)
from tourney.protocol.lines import Charset, LineBuffer, Overlong, Pacer, decode_line, encode_line, spell_line
from tourney.protocol.session.intents import BadLine, CallIntent, CardIntent, LogOnIntent, Ready, ReadyFor

LIMIT = 20

seats = st.sampled_from(SEATS)
calls = st.sampled_from(CALLS)
cards = st.sampled_from(DECK)
printable = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=200)
words = st.lists(
    st.sampled_from(
        words_of(
            "North south EAST dummy ready for teams start cards bid card trick plays bids passes to 'S 's East's 7",
            'Connecting "a" as using protocol version 18 Alert. infos. 1NT 8C AS 10H . : seated lead dummy\'s',
            "Board number Dealer Both vulnerable Start of End session Teams Timing Illegal error cards",
        )
    ),
    max_size=12,
).map(" ".join)
team_names = st.text(string.ascii_letters + string.digits + "-_.' ", min_size=1, max_size=64).filter(
    lambda name: name == " ".join(name.split())
)
alert_texts = st.text(st.sampled_from(string.ascii_letters + string.digits + " ,-+()=."), max_size=120)

own_words = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" "), max_size=80)
"""What players say in their own words: letters and signs of any language."""


# Bytes to lines


@st.composite
def splits(draw: st.DrawFn) -> list[bytes]:
    """Bytes with many line ends, in packets cut anywhere."""
    data = draw(
        st.lists(st.sampled_from([b"\n", b"\r\n", b"\r", b"abc", b"x" * 11, b"\xff"]), max_size=40).map(b"".join)
    )
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=8)))
    return [data[i:j] for i, j in itertools.pairwise([0, *cuts, len(data)])]


@pytest.mark.clause("BC-01", "BC-03")
@given(packets=splits())
@example(packets=[b"x" * LIMIT + b"\r", b"\n", b"next\n"])
@examples(75)
def test_how_bytes_are_cut_into_packets_makes_no_difference_to_the_lines(packets: list[bytes]) -> None:
    buffer = LineBuffer(LIMIT)
    lines: list[bytes | Overlong] = []
    for packet in packets:
        lines += buffer.feed(packet)
        assert len(buffer.pending or b"") <= LIMIT
    *whole, rest = b"".join(packets).split(b"\n")
    expected = [line.removesuffix(b"\r") if len(line) <= LIMIT else Overlong(LIMIT) for line in whole]
    # A line that is already too long is reported before its end has arrived.
    expected += [Overlong(LIMIT)] if len(rest) > LIMIT else []
    assert lines == expected


@given(st.binary(max_size=100))
@examples(100)
def test_a_decoded_line_is_printable_or_an_error_that_names_a_byte(line: bytes) -> None:
    try:
        text = decode_line(line)
    except FormatError as error:
        text = str(error)
        assert text.startswith("byte ")
    assert text.isprintable()


@pytest.mark.clause("BC-01", "BC-17")
@given(text=own_words, charset=st.sampled_from(Charset))
@examples(100)
def test_what_is_sent_in_a_character_set_that_has_it_is_read_as_it_was(text: str, charset: Charset) -> None:
    line = f"North bids 2D Alert. {text}."
    data = encode_line(spell_line(line, charset), charset)
    if charset is Charset.UTF_8:
        assert decode_line(data) == line
    elif charset is Charset.ASCII:
        assert data.isascii()
        assert decode_line(data) == to_ascii(line)
    message = parse_player_line(line)
    assert isinstance(message, CallIntent)
    assert " ".join(message.text.split()) == " ".join(f"{text}.".split()) or not text.strip(" .")


# What players say


@pytest.mark.clause("BC-03")
@given(line=st.one_of(printable, words, st.text(max_size=100)))
@examples(100)
def test_no_text_makes_the_reading_of_a_players_line_raise(line: str) -> None:
    message = parse_player_line(line)
    assert isinstance(message, LogOnIntent | Ready | CallIntent | CardIntent | Courtesy | BadLine)


@pytest.mark.clause("BC-15", "BC-17")
@given(seat=seats, call=calls, text=alert_texts)
@examples(75)
def test_a_call_with_its_alert_is_read_as_it_was_written(seat: Seat, call: Call, text: str) -> None:
    said = server_lines.format_call(seat, call)
    assert parse_player_line(said) == CallIntent(seat, call)
    alerted = parse_player_line(said + server_lines.format_alert(text))
    assert isinstance(alerted, CallIntent)
    assert (alerted.seat, alerted.call, alerted.alerted) == (seat, call, True)
    closed = " ".join(text.split())
    closed = closed if closed.endswith(".") else closed + "."
    assert alerted.text == (closed if closed.strip(" .") else "")
    # Written again, it is the same: a text goes through any number of tables unchanged.
    assert not alerted.text or parse_player_line(said + server_lines.format_alert(alerted.text)) == alerted
    informed = parse_player_line(said + server_lines.format_infos(text))
    assert informed == CallIntent(seat, call, alerted=False, text=alerted.text)


@pytest.mark.clause("BC-30")
@given(seat=seats, card=cards)
@examples(50)
def test_a_card_is_read_as_it_was_written(seat: Seat, card: Card) -> None:
    assert parse_player_line(server_lines.format_card(seat, card)) == CardIntent(seat, card)
    assert parse_player_line(f"Dummy plays {card}") == CardIntent(None, card)


@pytest.mark.clause("BC-05")
@given(
    seat=seats,
    team=team_names,
    version=st.integers(0, 9999),
    system=st.sampled_from(["", "sayc", "BEN-21GF 0.8 a.conf"]),
)
@examples(100)
def test_a_log_on_is_read_as_it_was_written(seat: Seat, team: str, version: int, system: str) -> None:
    message = parse_player_line(format_connecting(team, seat, version, system))
    assert isinstance(message, LogOnIntent)
    assert replace(message, why_not="") == LogOnIntent(
        team=team, seat=seat, any_seat=False, seat_word=seat.title, version=version, system=system
    )


@pytest.mark.clause("BC-31")
@given(seat=seats, whose=seats, trick=st.integers(0, 13))
@examples(50)
def test_requests_are_read_in_any_case(seat: Seat, whose: Seat, trick: int) -> None:
    for line, message in [
        (f"ready for {whose.title}'s bid", Ready(seat, ReadyFor.CALL, whose)),
        (f"ready for {whose.title}'s card to trick {trick}", Ready(seat, ReadyFor.CARD, whose, trick)),
        (f"ready for dummy's card to trick {trick}", Ready(seat, ReadyFor.CARD, None, trick)),
        ("ready for dummy", Ready(seat, ReadyFor.DUMMY)),
        ("ready for deal", Ready(seat, ReadyFor.DEAL)),
        ("ready for cards", Ready(seat, ReadyFor.CARDS)),
        ("ready for teams", Ready(seat, ReadyFor.TEAMS)),
        ("ready to start", Ready(seat, ReadyFor.START)),
    ]:
        said = f"{seat.title} {line}"
        for form in (said, said.upper(), said.lower(), said + ".", said.replace(" ", "  ")):
            assert parse_player_line(form) == message


# What tables say


@given(line=st.one_of(printable, words, st.text(max_size=100)))
@example(line="Board number " + "9" * 5000 + ". Dealer North. Both vulnerable.")
@examples(100)
def test_no_text_makes_the_reading_of_a_tables_line_raise(line: str) -> None:
    assert parse_server_line(line) is not None


@pytest.mark.clause("BC-14", "BC-32")
@given(seed=seeds, seat=seats, order=st.permutations(range(4)), drop=st.sampled_from(["", "-", " ", "."]))
@examples(100)
def test_a_hand_is_read_as_it_was_written_and_in_any_order_of_suits(
    seed: int, seat: Seat, order: list[int], drop: str
) -> None:
    hand = board_from_seed(seed, "tests", 1).deal[seat]
    assert parse_server_line(server_lines.format_cards(seat, hand)) == HandLine(of_dummy=False, hand=hand)
    assert parse_server_line(server_lines.format_dummy(hand)) == HandLine(of_dummy=True, hand=hand)
    suits = [f"{Suit(i).letter} {' '.join(hand.suit_letters(Suit(i))) or '-'}." for i in order]
    loose = "".join(suits).replace(drop, "") if drop else " ".join(suits)
    assert parse_server_line(f"{seat.title}'s cards : {loose}") == HandLine(of_dummy=False, hand=hand)


@pytest.mark.clause("BC-13")
@given(seed=seeds, number=st.integers(1, 999), vulnerability=st.sampled_from(Vulnerability))
@examples(50)
def test_what_a_table_writes_its_players_read(seed: int, number: int, vulnerability: Vulnerability) -> None:
    board = board_from_seed(seed, "tests", number)
    written = {
        server_lines.format_board(BoardInPlay(board)): BoardLine(board.number, board.dealer, board.vulnerability),
        server_lines.START_OF_BOARD: PlainLine.START,
        server_lines.END_OF_SESSION: PlainLine.END,
        server_lines.DUMMY_TO_LEAD: PlainLine.LEAD,
        server_lines.format_to_lead(board.dealer): PlainLine.LEAD,
        server_lines.ILLEGAL_BID: PlainLine.REFUSED,
        server_lines.ILLEGAL_CARD: PlainLine.REFUSED,
        server_lines.format_error("no"): PlainLine.REFUSED,
        server_lines.format_teams("Alpha", "Beta"): TeamsLine("Alpha", "Beta"),
        server_lines.format_seated(board.dealer, "Alpha"): SeatedLine(board.dealer),
        server_lines.format_timing(1, 2, 3, 4): PlainLine.NOTICE,
    }
    assert {line: parse_server_line(line) for line in written} == written


# The gap between lines


@pytest.mark.clause("BC-50")
@given(
    gap_ms=st.integers(0, 1000),
    steps=st.lists(st.tuples(st.integers(0, 300), st.sampled_from(["put", "take", "spoken"])), max_size=60),
)
@examples(100)
def test_lines_keep_their_order_and_two_to_a_silent_player_their_gap(
    gap_ms: int, steps: list[tuple[int, str]]
) -> None:
    pacer: Pacer[int] = Pacer(gap_ms)
    now_ms, put, taken = 1000, 0, 0
    last_ms: int | None = None  # when the last line was written, unless the player has spoken since
    for wait_ms, step in steps:
        now_ms += wait_ms
        if step == "put":
            pacer.put(put)
            put += 1
        elif step == "spoken":
            pacer.note_received()
            last_ms = None
        else:
            due_ms = pacer.due_at_ms
            item = pacer.take(now_ms)
            assert (item is not None) == (due_ms is not None and due_ms <= now_ms)
            if item is not None:
                assert item == taken
                assert last_ms is None or now_ms - last_ms >= gap_ms
                taken, last_ms = taken + 1, now_ms
        assert pacer.is_empty == (put == taken)
