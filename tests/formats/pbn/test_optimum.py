"""Double dummy figures in PBN: the standard's table, and the table of what cards cost."""

from dataclasses import replace

from tests.formats.pbn.test_writer import CREATOR, PLAYED
from tests.support.pbn import parse_games
from tourney.formats.pbn.writer import PbnRecord, format_records
from tourney.scoring.double_dummy import CardCost, DoubleDummyTable

PUBLISHED = DoubleDummyTable.parse("89587895874365643656")
"""ACBL Common Game, 21 February 2020, board 1: DoubleDummyTricks of the published file."""

SOLVED = replace(PLAYED, makeable=PUBLISHED, par_ns=140, costs=(CardCost(1, 1), CardCost(50, 2)))


def _text(record: PbnRecord) -> str:
    return format_records([record], CREATOR)


def test_what_can_be_made_is_written_as_the_standard_has_it() -> None:
    lines = _text(SOLVED).split("\r\n")
    start = lines.index(r'[OptimumResultTable "Declarer;Denomination\2R;Result\2R"]')
    assert lines[start + 1 : start + 21] == [
        *("N NT  8", "N  S  9", "N  H  5", "N  D  8", "N  C  7"),
        *("S NT  8", "S  S  9", "S  H  5", "S  D  8", "S  C  7"),
        *("E NT  4", "E  S  3", "E  H  6", "E  D  5", "E  C  6"),
        *("W NT  4", "W  S  3", "W  H  6", "W  D  5", "W  C  6"),
    ]
    assert lines[start + 21] == ""


def test_par_is_a_tag_in_its_place_and_written_from_the_side_of_north_south() -> None:
    (game,) = parse_games(_text(replace(SOLVED, par_ns=-140)), "x")
    names = [tag.name for tag in game.tags]
    assert names[names.index("HomeTeam") : names.index("Room")] == ["HomeTeam", "NorthType", "OptimumScore"]
    score = game.tag("OptimumScore")
    assert score is not None
    assert score.value == "NS -140"


def test_cards_that_cost_tricks_have_a_row_each_before_what_can_be_made() -> None:
    lines = _text(SOLVED).split("\r\n")
    start = lines.index('[CardCostTable "Number;Seat;Card;Tricks"]')
    first, fiftieth = PLAYED.cards[0], PLAYED.cards[49]
    assert lines[start + 1 : start + 3] == [
        f"1 {first[0].letter} {first[1].pbn} 1",
        f"50 {fiftieth[0].letter} {fiftieth[1].pbn} 2",
    ]
    assert lines[start + 3].startswith("[OptimumResultTable ")


def test_a_record_that_was_not_solved_has_no_word_of_it() -> None:
    assert "Optimum" not in _text(PLAYED)
    assert "CardCost" not in _text(PLAYED)
