"""The PBN export: order, limits, and a sample held byte for byte."""

import datetime
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.pbn import parse_games, play_sample
from tourney.bridge import (
    PASS,
    Contract,
    DoubleDummyTable,
    Result,
    Seat,
    Strain,
    parse_call,
)
from tourney.errors import RuleError
from tourney.formats.pbn.writer import LINE_LENGTH_MAX, PbnRecord, format_records

GOLDEN = Path(__file__).parents[2] / "golden" / "pbn_export_sample.pbn"
CREATOR = "tourney 1.0"


def _record(number: int, calls: str, alerts: dict[int, str] | None = None, cards: int = 52) -> PbnRecord:
    """A board from a seed with these calls, then as many cards, each the lowest that is legal."""
    in_play, alerts = play_sample(number, calls, cards), alerts or {}
    return PbnRecord(
        event="Malmö Computer Championship, final",
        date=datetime.date(2024, 5, 9),
        board=in_play.board,
        names=("Alpha", "Beta", "Alpha", "Beta"),
        calls=tuple((call, alerts.get(index)) for index, call in enumerate(in_play.auction.calls)),
        cards=tuple(in_play.play.cards) if in_play.play is not None else (),
        result=in_play.result,
        room="Open",
        home_team="Alpha",
        visit_team="Beta",
        round="1",
        stage="Final",
        table="1",
        termination="normal",
    )


PLAYED = _record(1, "1NT p 2C p 2D p 3NT p p p", {2: "Asking for a four-card major suit."})
DOUBLED = _record(2, "p p 1S X p 2H 2S 3H p p X p p p", {3: "at least 12 total points.", 4: "", 10: "Penalties"})
PASSED_OUT = _record(3, "p p p p")


def _values(text: str) -> dict[str, str]:
    (game,) = parse_games(text, "x")
    return {tag.name: tag.value for tag in game.tags}


def _tag(record: PbnRecord, name: str) -> str:
    return _values(format_records([record], CREATOR))[name]


def _notes(record: PbnRecord) -> list[str]:
    (game,) = parse_games(format_records([record], CREATOR), "x")
    return [tag.value for tag in game.tags if tag.name == "Note"]


SAMPLE = (
    PLAYED,
    replace(PLAYED, room="Closed", names=("Beta", "Alpha", "Beta", "Alpha"), table="2", tags=(("ScoreIMP", "NS 0"),)),
    DOUBLED,
    PASSED_OUT,
    replace(_record(4, "1H p 4H p p p", cards=22), termination="time forfeit", table="", round="", stage=""),
    replace(_record(5, "p 1C", {1: '15+ "points" [any] {shape} \\ 4♠'}), termination="abandoned"),
)


def test_the_sample_is_written_byte_for_byte() -> None:
    assert format_records(SAMPLE, CREATOR).encode("ascii") == GOLDEN.read_bytes()


def test_a_file_of_no_records_is_its_header_and_an_empty_line() -> None:
    assert format_records([], CREATOR) == "% PBN 2.1\r\n% EXPORT\r\n%Creator: tourney 1.0\r\n\r\n"


def test_what_is_not_known_is_a_question_mark_in_a_mandatory_tag_and_no_tag_otherwise() -> None:
    blank = replace(
        PLAYED,
        event="",
        date=None,
        names=("", "", "", ""),
        room=None,
        home_team="",
        visit_team="",
        round="",
        stage="",
        table="",
        termination="",
    )
    values = _values(format_records([blank], CREATOR))
    assert [values[name] for name in ("Event", "Site", "Date", "West")] == ["?", "?", "????.??.??", "?"]
    assert {"Room", "HomeTeam", "VisitTeam", "Round", "Stage", "Table", "Termination", "ScoreIMP"}.isdisjoint(values)


def test_a_record_with_a_call_that_is_not_legal_is_refused() -> None:
    record = replace(PASSED_OUT, calls=((PASS, None), (parse_call("X"), None)))
    with pytest.raises(RuleError, match="there is no bid to double"):
        format_records([record], CREATOR)


def _all_bids(alerts: int) -> PbnRecord:
    calls = " ".join(f"{level}{strain}" for level in range(1, 8) for strain in ("C", "D", "H", "S", "NT"))
    return _record(1, f"{calls} p p p", {index: f"alert {index}" for index in range(alerts)})


def test_alerts_beyond_thirty_two_share_the_last_note() -> None:
    record = _all_bids(35)
    assert _notes(record)[30:] == ["31:alert 30", "32:More alerts than PBN can number: see the full record"]
    assert re.findall(r"=(\d+)=", format_records([record], CREATOR))[30:] == ["31", "32", "32", "32", "32"]


def test_a_long_alert_is_cut_at_a_word_to_fill_its_line() -> None:
    words = " ".join(f"word{index}" for index in range(300))
    (note,) = _notes(_record(1, "1C p p p", {0: words}))
    assert note.endswith(" ...")
    kept = note.removeprefix("1:").removesuffix(" ...")
    assert words.startswith(f"{kept} ")
    line = next(
        line for line in format_records([_record(1, "1C p p p", {0: words})], CREATOR).split("\r\n") if "Note" in line
    )
    assert LINE_LENGTH_MAX - 9 <= len(line) + 2 <= LINE_LENGTH_MAX


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ('The "A" team', "The 'A' team"),
        (r"back\slash", "back/slash"),
        ("[A] {B}", "(A) (B)"),
        ("Łódź Ægir Ørsted Straße", "Lodz AEgir Orsted Strasse"),
        ("naïve \N{EN DASH} “quoted” … ½", "naive - 'quoted' ... 1/2"),
        ("北 N", "? N"),
        ("a\r\n[Board \x00 \t b", "a (Board b"),
        ("#", "No."),
        ("##all", "No. all"),
        ("#1 team", "No. 1 team"),
        ("# ]", "No. )"),
        ("\N{FULLWIDTH QUOTATION MARK}\N{FULLWIDTH LEFT SQUARE BRACKET}\N{FULLWIDTH NUMBER SIGN}", "'(#"),
    ],
)
def test_names_are_written_in_ascii_without_delimiters(name: str, written: str) -> None:
    assert _tag(replace(PLAYED, home_team=name), "HomeTeam") == written


TABLES = replace(
    DOUBLED,
    call_ms=tuple(range(1, 15)),
    cards=DOUBLED.cards[:6],
    card_ms=(0, 499, 500, 1500, 59_999, 3_600_000),
    result=Result(Contract(3, Strain.HEARTS, 1, Seat.SOUTH), 9, 730),
    makeable=DoubleDummyTable.parse("89587895874365643656"),  # board 1 of the ACBL's Common Game of 21 February 2020
    par_ns=-140,
)


def test_times_and_double_dummy_figures_have_their_tables_after_the_play_where_they_are_known() -> None:
    text = format_records([TABLES], CREATOR)
    assert text.split("\r\n[AuctionTimeTable ")[1].split("\r\n") == [
        '"Time;Milliseconds"]',
        *(f"0 {ms}" for ms in range(1, 15)),
        r'[OptimumResultTable "Declarer;Denomination\2R;Result\2R"]',
        *("N NT  8", "N  S  9", "N  H  5", "N  D  8", "N  C  7"),
        *("S NT  8", "S  S  9", "S  H  5", "S  D  8", "S  C  7"),
        *("E NT  4", "E  S  3", "E  H  6", "E  D  5", "E  C  6"),
        *("W NT  4", "W  S  3", "W  H  6", "W  D  5", "W  C  6"),
        '[PlayTimeTable "Time;Milliseconds"]',
        # Of the first trick the columns are the order of play. South, the last, wins it and leads, West follows.
        *("0 0", "0 499", "1 500", "2 1500"),
        *("3600 3600000", "- -", "- -", "60 59999"),
        *("", ""),
    ]
    assert _tag(TABLES, "OptimumScore") == "NS -140"
    assert not re.search("TimeTable|Optimum", format_records([DOUBLED], CREATOR))
