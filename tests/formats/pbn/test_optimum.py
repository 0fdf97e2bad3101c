"""Double dummy figures in PBN: the standard's table, the table of costs, and what is refused in which words."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.pbn.test_writer import CREATOR, PASSED_OUT, PLAYED
from tests.scoring.test_double_dummy import tables
from tourney.bridge import Seat, Strain
from tourney.errors import FormatError
from tourney.formats.pbn import PbnRecord, format_records, parse_games, parse_records
from tourney.formats.pbn.optimum import (
    COST_COLUMNS,
    RESULT_COLUMNS,
    format_results,
    parse_costs,
    parse_results,
)
from tourney.scoring.double_dummy import CardCost, DoubleDummyTable

PUBLISHED = DoubleDummyTable.parse("89587895874365643656")
"""ACBL Common Game, 21 February 2020, board 1: DoubleDummyTricks of the published file."""

SOLVED = replace(PLAYED, makeable=PUBLISHED, par_ns=140, costs=(CardCost(1, 1), CardCost(50, 2)))


def _text(record: PbnRecord) -> str:
    return format_records([record], CREATOR)


def _rows(table: DoubleDummyTable) -> list[list[str]]:
    return [row.split() for row in format_results(table)]


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


@pytest.mark.parametrize(
    "record",
    [
        SOLVED,
        replace(SOLVED, costs=()),
        replace(SOLVED, costs=None, par_ns=0),
        replace(PASSED_OUT, makeable=PUBLISHED, par_ns=-2600),
    ],
)
def test_figures_are_read_back_and_none_is_not_the_same_as_no_cost(record: PbnRecord) -> None:
    (read,) = parse_records(_text(record), "x")
    assert (read.makeable, read.par_ns, read.costs) == (record.makeable, record.par_ns, record.costs)


def test_a_record_that_was_not_solved_has_no_word_of_it() -> None:
    assert "Optimum" not in _text(PLAYED)
    assert "CardCost" not in _text(PLAYED)


@given(tables, st.permutations(range(20)), st.permutations(range(3)))
def test_rows_and_columns_are_read_in_any_order(table: DoubleDummyTable, rows: list[int], columns: list[int]) -> None:
    names = RESULT_COLUMNS.split(";")
    written = _rows(table)
    turned = [[written[row][column] for column in columns] for row in rows]
    assert parse_results(";".join(names[column] for column in columns), turned) == table


def test_a_table_with_further_columns_and_orders_is_read() -> None:
    rows = [[*row, "x"] for row in _rows(PUBLISHED)]
    assert parse_results(r"+Declarer;-Denomination\2R;Result\2R;Score\5R", rows) == PUBLISHED


@pytest.mark.parametrize(
    ("columns", "change", "words"),
    [
        ("Declarer;Denomination", {}, "a table of results has the columns Declarer, Denomination, Result, got the"),
        (RESULT_COLUMNS, {0: ["N", "NT"]}, "a row of results is such as 'N NT 9', 0 to 13 tricks, got 'N NT'"),
        (RESULT_COLUMNS, {0: ["N", "NT", "8", "8"]}, "0 to 13 tricks, got 'N NT 8 8'"),
        (RESULT_COLUMNS, {3: ["N", "D", "14"]}, "0 to 13 tricks, got 'N D 14'"),
        (RESULT_COLUMNS, {3: ["N", "D", "-"]}, "0 to 13 tricks, got 'N D -'"),
        (RESULT_COLUMNS, {3: ["X", "D", "1"]}, "0 to 13 tricks, got 'X D 1'"),
        (RESULT_COLUMNS, {3: ["N", "N", "1"]}, "0 to 13 tricks, got 'N N 1'"),
        (RESULT_COLUMNS, {3: ["N", "C", "1"]}, "a table of results has each declarer and strain once, got N C again"),
    ],
)
def test_what_is_no_table_of_results_is_refused(columns: str, change: dict[int, list[str]], words: str) -> None:
    rows = [change.get(index, row) for index, row in enumerate(_rows(PUBLISHED))]
    with pytest.raises(FormatError) as caught:
        parse_results(columns, rows)
    assert words in str(caught.value)


def test_a_table_with_a_row_missing_is_refused() -> None:
    with pytest.raises(FormatError, match=r"^a table of results has 20 rows, got 19$"):
        parse_results(RESULT_COLUMNS, _rows(PUBLISHED)[:-1])


CARDS = ((Seat.WEST, PLAYED.cards[0][1]), (Seat.NORTH, PLAYED.cards[1][1]))
FIRST, SECOND = CARDS[0][1].pbn, CARDS[1][1].pbn


@pytest.mark.parametrize(
    ("columns", "rows", "words"),
    [
        ("Card;Tricks", [], "a table of costs has the columns 'Number;Seat;Card;Tricks', got 'Card;Tricks'"),
        (COST_COLUMNS, [["1", "N", FIRST, "1"]], f"and 1 to 13 tricks, got '1 N {FIRST} 1'"),
        (COST_COLUMNS, [["1", "W", SECOND, "1"]], f"and 1 to 13 tricks, got '1 W {SECOND} 1'"),
        (COST_COLUMNS, [["3", "W", FIRST, "1"]], f"and 1 to 13 tricks, got '3 W {FIRST} 1'"),
        (COST_COLUMNS, [["1", "W", FIRST, "0"]], f"and 1 to 13 tricks, got '1 W {FIRST} 0'"),
        (COST_COLUMNS, [["1", "W", FIRST, "14"]], f"and 1 to 13 tricks, got '1 W {FIRST} 14'"),
        (COST_COLUMNS, [["1"]], "and 1 to 13 tricks, got '1'"),
        (
            COST_COLUMNS,
            [["2", "N", SECOND, "1"], ["1", "W", FIRST, "1"]],
            "costs are in the order of play, got card 1 after card 2",
        ),
    ],
)
def test_what_is_no_table_of_costs_is_refused(columns: str, rows: list[list[str]], words: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_costs(columns, rows, CARDS)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("N NT  8", "N NT 14", "board 1: a row of results is such as 'N NT 9', 0 to 13 tricks, got 'N NT 14'"),
        ("50 ", "51 ", "board 1: a row of costs is number, seat and card as they were played, and 1 to 13 tricks"),
        ('"NS 140"', '"NS 7N; +1520"', 'board 1: OptimumScore is a whole number of North-South, such as "NS -50"'),
    ],
)
def test_what_is_wrong_is_said_with_file_line_and_board(old: str, new: str, words: str) -> None:
    text = _text(SOLVED)
    assert text.count(old) == 1
    with pytest.raises(FormatError) as caught:
        parse_records(text.replace(old, new), "x.pbn")
    assert str(caught.value).startswith("x.pbn line ")
    assert words in str(caught.value)


def test_the_figures_of_the_published_board_are_where_they_belong() -> None:
    read = parse_results(RESULT_COLUMNS, _rows(PUBLISHED))
    assert [read.tricks[Seat.SOUTH, strain] for strain in (Strain.NOTRUMP, Strain.SPADES, Strain.HEARTS)] == [8, 9, 5]
    assert read.tricks[Seat.EAST, Strain.CLUBS] == 6
