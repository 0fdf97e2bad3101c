"""Bytes to lines (BC-01, BC-03) and the gap between lines (BC-50)."""

import pytest

from tests.support.wire_tables import NORTH, at_start_of_board, clear
from tourney.errors import FormatError
from tourney.protocol.lines import LineBuffer, Overlong, decode_line
from tourney.protocol.pacing import Pacer


@pytest.mark.clause("BC-01")
@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_a_line_ends_with_cr_lf_or_lf(end: bytes) -> None:
    rig = at_start_of_board()
    clear(rig)
    (line,) = LineBuffer().feed(b"North ready for deal" + end)
    assert rig.say(NORTH, line) == ["Board number 1. Dealer North. Neither vulnerable."]


def test_several_lines_in_one_packet_are_several_lines() -> None:
    assert LineBuffer().feed(b"one\r\ntwo\n\r\nfour") == [b"one", b"two", b""]


def test_a_line_in_several_packets_is_one_line() -> None:
    buffer = LineBuffer()
    assert [buffer.feed(part) for part in (b"Nor", b"th pas", b"ses\r", b"\nEast")] == [[], [], [], [b"North passes"]]
    assert buffer.feed(b" passes\n") == [b"East passes"]


@pytest.mark.clause("BC-03")
def test_a_line_over_the_limit_is_told_of_once_when_it_passes_the_limit() -> None:
    buffer = LineBuffer(limit=10)
    assert buffer.feed(b"0123456789") == []
    assert buffer.feed(b"x") == [Overlong(10)]
    assert buffer.feed(b"more" * 100) == []
    assert buffer.feed(b"the rest\nnext\n") == [b"next"]


@pytest.mark.clause("BC-03")
def test_a_line_over_the_limit_that_comes_at_once_is_told_of_once() -> None:
    assert LineBuffer(limit=3).feed(b"abc\nabcd\nabc\n") == [b"abc", Overlong(3), b"abc"]


@pytest.mark.clause("BC-03")
def test_a_client_without_line_ends_takes_no_memory() -> None:
    buffer = LineBuffer(limit=100)
    for _ in range(1000):
        buffer.feed(b"x" * 99)
        assert len(buffer._pending) <= 100


@pytest.mark.clause("BC-01")
@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b"North passes", "North passes"),
        (b"North\tpasses", "North passes"),
        (b"North ready for East\xe2\x80\x99s bid", "North ready for East's bid"),
        (b"North ready for East\xe2\x80\x98s bid", "North ready for East's bid"),
        (b"North ready for East\x92s bid", "North ready for East's bid"),
        (bytes(range(32, 127)), bytes(range(32, 127)).decode()),
    ],
)
def test_a_line_is_ascii_but_for_tabs_and_curly_apostrophes(line: bytes, text: str) -> None:
    assert decode_line(line) == text


@pytest.mark.clause("BC-03")
@pytest.mark.parametrize(
    ("line", "number", "column"),
    [(b"a\xe9", 233, 2), (b"\x00", 0, 1), (b"ab\x1b", 27, 3), (b"\x7f", 127, 1), (b"a\rb", 13, 2)],
)
def test_another_byte_is_named_with_its_column(line: bytes, number: int, column: int) -> None:
    with pytest.raises(FormatError, match=f"byte {number} at column {column} is outside the characters 32..126"):
        decode_line(line)


@pytest.mark.clause("BC-50")
def test_two_lines_to_a_silent_player_keep_the_gap() -> None:
    pacer: Pacer[str] = Pacer(gap_ms=20)
    pacer.put("South passes")
    pacer.put("East to lead")
    assert pacer.take(1000) == "South passes"
    assert pacer.due_at_ms == 1020
    assert pacer.take(1019) is None
    assert pacer.take(1020) == "East to lead"
    assert pacer.due_at_ms is None


@pytest.mark.clause("BC-50")
def test_the_gap_counts_from_the_line_written_last() -> None:
    pacer: Pacer[int] = Pacer(gap_ms=20)
    for item in range(3):
        pacer.put(item)
    written = [(ms, pacer.take(ms)) for ms in range(100)]
    assert [(ms, item) for ms, item in written if item is not None] == [(0, 0), (20, 1), (40, 2)]


@pytest.mark.clause("BC-50")
def test_a_line_that_comes_after_the_gap_does_not_wait() -> None:
    pacer: Pacer[str] = Pacer(gap_ms=20)
    pacer.put("Timing")
    pacer.take(1000)
    pacer.put("Start of board")
    assert pacer.due_at_ms == 1020
    assert pacer.take(5000) == "Start of board"


@pytest.mark.clause("BC-50")
def test_a_player_that_has_spoken_is_written_to_at_once() -> None:
    pacer: Pacer[str] = Pacer(gap_ms=1000)
    pacer.put("North passes")
    pacer.put("East passes")
    assert pacer.take(0) == "North passes"
    pacer.note_received()
    due_ms = pacer.due_at_ms
    assert due_ms is not None
    assert due_ms <= 1
    assert pacer.take(1) == "East passes"


@pytest.mark.clause("BC-50")
def test_without_a_gap_nothing_waits() -> None:
    pacer: Pacer[str] = Pacer(gap_ms=0)
    for item in ("one", "two", "three"):
        pacer.put(item)
    assert [pacer.take(7), pacer.take(7), pacer.take(7), pacer.take(7)] == ["one", "two", "three", None]
    assert pacer.is_empty


@pytest.mark.clause("BC-50")
def test_a_new_gap_holds_from_the_next_line_written() -> None:
    pacer: Pacer[str] = Pacer(gap_ms=20)
    for item in ("one", "two", "three"):
        pacer.put(item)
    assert pacer.take(0) == "one"
    pacer.set_gap(300)
    assert pacer.take(20) == "two"
    assert pacer.take(319) is None
    assert pacer.take(320) == "three"
    assert pacer.is_empty


@pytest.mark.clause("BC-50")
def test_lines_wait_in_their_order() -> None:
    pacer: Pacer[int] = Pacer(gap_ms=5)
    for item in range(5):
        pacer.put(item)
    assert not pacer.is_empty
    taken = []
    now_ms = 0
    while pacer.due_at_ms is not None:
        now_ms = max(now_ms, pacer.due_at_ms)
        taken.append(pacer.take(now_ms))
    assert taken == [0, 1, 2, 3, 4]
