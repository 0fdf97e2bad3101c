"""The PBN export: order, limits, and a sample held byte for byte."""

import datetime
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tourney.bridge import (
    PASS,
    BoardInPlay,
    Call,
    Contract,
    Result,
    Seat,
    Strain,
    board_from_seed,
    parse_call,
)
from tourney.errors import RuleError
from tourney.formats.pbn import LINE_LENGTH_MAX, PbnRecord, format_records, parse_games

GOLDEN = Path(__file__).parents[2] / "golden" / "pbn_export_sample.pbn"
CREATOR = "tourney 1.0"


def _record(number: int, calls: str, alerts: dict[int, str] | None = None, cards: int = 52) -> PbnRecord:
    """A board from a seed with these calls, then as many cards, each the lowest that is legal."""
    in_play = BoardInPlay(board_from_seed("sample", "pbn", number))
    alerts = alerts or {}
    made: list[tuple[Call, str | None]] = []
    for index, word in enumerate(calls.split()):
        call = PASS if word == "p" else parse_call(word)
        in_play.add_call(call)
        made.append((call, alerts.get(index)))
    play = in_play.play
    for _ in range(cards):
        if play is not None and not play.is_over:
            in_play.add_card(play.legal_cards()[-1])
    return PbnRecord(
        event="Computer Championship, final",
        site="Malmö, SWE",
        date=datetime.date(2024, 5, 9),
        board=in_play.board,
        names=("Alpha", "Beta", "Alpha", "Beta"),
        calls=tuple(made),
        cards=tuple(play.cards) if play is not None else (),
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


def test_the_deal_starts_at_the_dealer() -> None:
    assert _tag(DOUBLED, "Deal").startswith("E:")


def test_what_is_not_known_is_a_question_mark_in_a_mandatory_tag_and_no_tag_otherwise() -> None:
    blank = replace(
        PLAYED,
        event="",
        site="",
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


def test_a_passed_out_board_has_four_passes_and_no_declarer_result_or_play() -> None:
    values = _values(format_records([PASSED_OUT], CREATOR))
    assert [values[name] for name in ("Declarer", "Contract", "Result", "Score")] == ["", "Pass", "", "NS 0"]
    assert "Play" not in values
    assert "\r\nPass Pass Pass Pass\r\n\r\n" in format_records([PASSED_OUT], CREATOR)


def test_a_board_stopped_in_the_auction_has_no_contract_and_its_calls_end_with_a_star() -> None:
    record = _record(5, "p 1C")
    values = _values(format_records([record], CREATOR))
    assert [values[name] for name in ("Declarer", "Contract", "Result")] == ["?", "?", "?"]
    assert "Play" not in values
    assert "Score" not in values
    assert "\r\nPass 1C\r\n*\r\n" in format_records([record], CREATOR)


def test_a_board_stopped_in_the_play_has_its_contract_and_no_result() -> None:
    record = _record(4, "1H p 4H p p p", cards=22)
    values = _values(format_records([record], CREATOR))
    assert [values[name] for name in ("Contract", "Result")] == ["4H", "?"]
    rows = format_records([record], CREATOR).split('[Play "')[1].split("\r\n")[1:]
    assert len(rows[:6]) == 6
    assert all(len(row.split()) == 4 for row in rows[:6])
    assert rows[5].split().count("-") == 2
    assert rows[6:] == ["*", "", ""]


@pytest.mark.parametrize("cards", [0, 8, 48, 51])
def test_a_claimed_board_ends_its_play_with_a_star_and_has_a_result(cards: int) -> None:
    contract = Contract(4, Strain.HEARTS, 0, Seat.SOUTH)
    record = replace(_record(4, "1H p 4H p p p", cards=cards), result=Result(contract, 10, 420))
    text = format_records([record], CREATOR)
    assert '[Result "10"]' in text
    assert text.endswith("\r\n*\r\n\r\n")


def test_a_board_without_a_call_has_no_auction_section() -> None:
    assert "Auction" not in _values(format_records([_record(5, "")], CREATOR))


def test_a_record_with_a_call_that_is_not_legal_is_refused() -> None:
    record = replace(PASSED_OUT, calls=((PASS, None), (parse_call("X"), None)))
    with pytest.raises(RuleError, match="there is no bid to double"):
        format_records([record], CREATOR)


def test_equal_alerts_share_a_note_and_a_bare_alert_says_so() -> None:
    record = _record(1, "1C p 1D p 1H p p p", {0: "a", 1: "b", 2: "a", 3: "", 4: " \t"})
    assert "1C =1= Pass =2= 1D =1= Pass =3=\r\n1H =3= Pass Pass Pass\r\n" in format_records([record], CREATOR)
    assert _notes(record) == ["1:a", "2:b", "3:Alert"]


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


def test_a_long_alert_without_blanks_is_cut_at_the_limit() -> None:
    (note,) = _notes(_record(1, "1C p p p", {0: "x" * 1500}))
    assert re.fullmatch(r"1:x{237,238} \.\.\.", note)


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
