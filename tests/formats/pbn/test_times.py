"""Thinking times in PBN: a table for the auction and one for the play."""

from dataclasses import replace

from tests.formats.pbn.test_writer import CREATOR, DOUBLED, PASSED_OUT
from tourney.bridge import Contract, Result, Seat, Strain
from tourney.formats.pbn.writer import PbnRecord, format_records

TIMED = replace(
    DOUBLED,
    call_ms=tuple(range(1, 15)),
    cards=DOUBLED.cards[:6],
    card_ms=(0, 499, 500, 1500, 59_999, 3_600_000),
    result=Result(Contract(3, Strain.HEARTS, 1, Seat.SOUTH), 9, 730),
)


def _text(record: PbnRecord) -> str:
    return format_records([record], CREATOR)


def test_thinking_times_stand_in_seconds_and_milliseconds_a_line_for_each_word_of_the_section() -> None:
    sections = _text(TIMED).split("[AuctionTimeTable ")[1].split("\r\n")
    assert sections == [
        '"Time;Milliseconds"]',
        *(f"0 {ms}" for ms in range(1, 15)),
        '[PlayTimeTable "Time;Milliseconds"]',
        # Of the first trick the columns are the order of play. South, the last, wins it and leads, West follows.
        *("0 0", "0 499", "1 500", "2 1500"),
        *("3600 3600000", "- -", "- -", "60 59999"),
        *("", ""),
    ]


def test_thinking_times_come_after_the_play_and_only_where_they_are_known() -> None:
    text = _text(TIMED)
    assert text.index("[Play ") < text.index("[AuctionTimeTable ") < text.index("[PlayTimeTable ")
    assert "TimeTable" not in _text(DOUBLED)
    assert "PlayTimeTable" not in _text(replace(PASSED_OUT, call_ms=(1, 2, 3, 4)))
