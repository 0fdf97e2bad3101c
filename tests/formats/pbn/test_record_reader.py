"""Records out of PBN exports: thinking times, what is accepted, and what is refused in which words."""

from dataclasses import replace

import pytest

from tests.formats.pbn.test_writer import CREATOR, DOUBLED, PASSED_OUT, PLAYED, SAMPLE
from tourney.bridge import Contract, Result, Seat, Strain
from tourney.errors import FormatError
from tourney.formats.pbn import PbnRecord, format_records, parse_records
from tourney.formats.pbn.times import parse_times

TIMED = replace(
    DOUBLED,
    call_ms=tuple(range(1, 15)),
    cards=DOUBLED.cards[:6],
    card_ms=(0, 499, 500, 1500, 59_999, 3_600_000),
    result=Result(Contract(3, Strain.HEARTS, 1, Seat.SOUTH), 9, 730),
)


def _text(record: PbnRecord) -> str:
    return format_records([record], CREATOR)


def _refusal(text: str) -> str:
    with pytest.raises(FormatError) as caught:
        parse_records(text, "x.pbn")
    return str(caught.value)


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


@pytest.mark.parametrize("record", [*SAMPLE[:5], TIMED, replace(PASSED_OUT, call_ms=(1, 2, 3, 4))])
def test_records_are_read_back(record: PbnRecord) -> None:
    expected = replace(
        record,
        site="Malmo, SWE",
        calls=tuple((call, "Alert" if alert == "" else alert) for call, alert in record.calls),
    )
    assert parse_records(_text(record), "x") == (expected,)


def test_texts_come_back_as_they_were_written() -> None:
    (read,) = parse_records(_text(SAMPLE[5]), "x")
    assert [alert for _, alert in read.calls] == [None, "15+ 'points' (any) (shape) / 4S"]


def test_a_text_without_a_game_has_no_records() -> None:
    assert parse_records(format_records([], CREATOR), "x") == ()


def test_what_is_not_known_comes_back_as_not_known() -> None:
    blank = replace(PLAYED, event="", site="", date=None, names=("", "", "", ""), room=None, table="")
    assert parse_records(_text(blank), "x") == (blank,)


@pytest.mark.parametrize(
    ("columns", "rows", "times"),
    [
        ("Time", [["5"], ["1:05"], ["1:00:00"]], (5000, 65_000, 3_600_000)),
        (r"Time\4R;TotalTime\8R", [["5", "5"], ["-", "-"]], (5000, None)),
        ("Milliseconds;Time", [["1499", "1"]], (1499,)),
    ],
)
def test_times_of_the_standard_are_read(columns: str, rows: list[list[str]], times: tuple[int | None, ...]) -> None:
    assert parse_times(columns, rows) == times


@pytest.mark.parametrize(
    ("columns", "rows", "words"),
    [
        ("N", [["5"]], "a table of times has the column Time, got the columns 'N'"),
        ("Time;Milliseconds", [["5"]], "a row of times has 2 words, got '5'"),
        ("Time", [["5.2"]], "a time is SS, MM:SS or HH:MM:SS, got '5.2'"),
        ("Milliseconds", [["-5"]], "a time is a whole number of milliseconds, got '-5'"),
    ],
)
def test_a_table_that_is_not_of_times_is_refused(columns: str, rows: list[list[str]], words: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_times(columns, rows)
    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('[Site "Malmo, SWE"]\r\n', "", "line 4, board 1: the mandatory tag Site is missing"),
        ('"Malmo, SWE"', '"##Malmo"', "line 5, board 1: Site has the value of another game, '##Malmo', which no"),
        ("2024.05.09", "2024.05.32", "line 6, board 1: a date is YYYY.MM.DD, got '2024.05.32'"),
        ('[Board "1"]', '[Board "1a"]', "line 7: a board number is 1 to 999999, got '1a'"),
        ('[Dealer "N"]', '[Dealer "North"]', "line 12, board 1: Dealer is N, E, S or W, got 'North'"),
        ('"None"', '"Love"', "line 13, board 1: a vulnerability is None, NS, EW or All, got 'Love'"),
        ("N:A83.", "N:K83.", "line 14, board 1: card KS is dealt twice, to North and to East"),
        ('[Declarer "N"]', '[Declarer "S"]', "line 17, board 1: the contract is '3NT', the calls make 3NT by N"),
        ('[Contract "3NT"]', '[Contract "Pass"]', "board 1: there is no contract, but the declarer 'N'"),
        ('[Contract "3NT"]', '[Contract "3N"]', "board 1: a contract is Pass or such as 3NT, 4SX, 5DXX, got '3N'"),
        ('[Result "8"]', '[Result "14"]', "line 18, board 1: a result is 0 to 13 tricks, got '14'"),
        ('[Result "8"]', '[Result "9"]', "board 1: the result is 9 tricks, the cards make 8"),
        ('[Score "NS -50"]\r\n', "", "board 1: there is a result, but no tag Score"),
        ('"NS -50"', '"-50"', 'Score is a whole number of North-South, such as "NS -50", got'),
        ('[Room "Open"]', '[Room "Red"]', "board 1: a room is Open or Closed, got 'Red'"),
        ('[Auction "N"]', '[Auction "E"]', "board 1: the auction starts with E, the dealer is N"),
        ("1NT Pass", "1NT =2= Pass", "board 1: note =2= of the auction is not given"),
        ("1NT Pass", "=1= 1NT Pass", "board 1: note =1= follows no call"),
        ("1NT Pass", "1NT p", "board 1: a call is Pass, X, XX or 1C..7NT, got 'p'"),
        ("2C =1=", "1C =1=", "line 32, board 1: South may not call 1C: 1C is not higher than 1NT"),
        ("\r\nPass Pass\r\n", "\r\n*\r\n", "the contract is '3NT', the calls make nothing yet"),
        ("\r\nPass Pass\r\n", "\r\nPass Pass *\r\n", "board 1: the auction is over but ends with *"),
        ("\r\nPass Pass\r\n", "\r\nPass\r\n", "board 1: the auction stops after 9 calls without *"),
        ('[Play "E"]', '[Play "S"]', "board 1: the play starts with S, the leader is E"),
        ("C2 C5 D9 C6", "C2 C5 D9", "board 1: a trick is a row of 4 cards, got 'C2 C5 D9'"),
        ("C2 C5 D9 C6", "C2 C5 - C6", "board 1: card C6 follows one that was not played"),
        ("C2 C5 D9 C6", "C2 D2 D9 C6", "line 37, board 1: South may not play 2D: South must follow suit in C"),
        ("C2 C5 D9 C6", "C2 xx D9 C6", "board 1: a card is a rank (A K Q J T 9..2) and a suit (S H D C)"),
        ("SK DK ST SA\r\n", "", "board 1: the play stops after 48 cards without *"),
        ("SK DK ST SA", "SK DK ST SA\r\n*", "board 1: the play is over but ends with *"),
        ("0 51\r\n", "", "board 1: PlayTimeTable has not a time for each of 52 words"),
    ],
)
def test_what_is_wrong_is_said_with_file_line_and_board(old: str, new: str, words: str) -> None:
    text = _text(replace(PLAYED, call_ms=(0,) * 10, card_ms=tuple(range(52))))
    assert old in text
    refusal = _refusal(text.replace(old, new, 1))
    assert refusal.startswith("x.pbn line ")
    assert words in refusal
    assert "\n" not in refusal


def test_a_play_without_a_contract_and_a_contract_without_a_play_are_refused() -> None:
    text = _text(PASSED_OUT)
    assert _refusal(f'{text[:-2]}[Play "E"]\r\n*\r\n\r\n').endswith("there is a Play section, but no contract")
    text = _text(PLAYED)
    assert _refusal(text.partition("[Play ")[0]).endswith("there is a contract, but no Play section")


def test_a_contract_with_neither_calls_nor_a_result_is_refused() -> None:
    text = _text(PLAYED).replace('[Result "8"]', '[Result "?"]')
    head, _, rest = text.partition("[Auction ")
    assert "neither calls nor a result" in _refusal(f"{head}[Play {rest.partition('[Play ')[2]}")


def test_a_result_recorded_without_calls_is_read_back() -> None:
    record = replace(PLAYED, calls=(), cards=())
    assert parse_records(_text(record), "x") == (replace(record, site="Malmo, SWE"),)
