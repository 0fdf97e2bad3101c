"""Boards compared over all tables of a round, from boards on record."""

from pathlib import Path

import pytest

from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, draw_four_tables, event_text
from tourney.bridge import Seat
from tourney.movement.seating import Room
from tourney.views.boards import BoardComparisons, TableOfBoard, load

TEAMS = ("Alpha", "Beta", "Gamma", "Delta")


def compare(played: PlayedEvent, round_number: int = 1, board: int | None = None) -> BoardComparisons:
    return load(played.drawn, board=board, round_number=round_number)


def line(row: TableOfBoard) -> tuple[int, str, str, str, int | None, int]:
    score = row.result.result.score if row.result is not None else None
    return row.match.number, row.table.room, row.table.ns_team, row.table.ew_team, score, row.figure


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    return draw_four_tables(tmp_path)


def test_all_tables_of_a_deal_are_compared_the_best_for_north_south_first(played: PlayedEvent) -> None:
    (compared,) = compare(played).boards
    assert (compared.set_name, compared.board) == ("1.1", played.boards(1)[0])
    assert [line(table) for table in compared.tables] == [
        (2, "open", "Beta", "Gamma", 430, 1),
        (1, "open", "Alpha", "Delta", 400, 10),
        (2, "closed", "Gamma", "Beta", 400, -1),
        (1, "closed", "Delta", "Alpha", -50, -10),
    ]


def test_a_forfeited_board_has_the_imps_that_count(played: PlayedEvent) -> None:
    played.leave_aside(2)
    played.record(1, CLOSED, 2, "4S N", 10)
    played.forfeit(1, OPEN, 2, Seat.EAST)
    (compared,) = compare(played, board=2).boards
    assert [line(table)[1:] for table in compared.tables] == [
        ("closed", "Delta", "Alpha", 620, -3),
        ("open", "Alpha", "Delta", None, 3),
    ]
    assert [ruling.team for ruling in compared.tables[0].rulings] == ["Delta"]


def test_matches_with_deals_of_their_own_are_not_compared(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(*TEAMS, boards=1, deals='seed = 1\nshared = "match"'))
    for match in (1, 2):
        for room in Room:
            played.record(match, room, 1, "4S N", 10)
    first, second = compare(played).boards
    assert (first.set_name, second.set_name) == ("1.1.1", "1.1.2")
    assert [{table.match.number for table in compared.tables} for compared in (first, second)] == [{1}, {2}]
    assert first.board.deal != second.board.deal


def test_by_default_the_boards_are_those_of_the_last_round_with_one_that_can_be_shown(tmp_path: Path) -> None:
    assert load(draw_event(tmp_path).drawn).round == 1
    (tmp_path / "four").mkdir()
    played = draw_four_tables(tmp_path / "four")
    played.leave_aside(4, 6)
    for match, room, newest in ((5, OPEN, 1), (3, OPEN, 1), (3, CLOSED, 2), (5, CLOSED, 3)):
        played.record(match, room, 1, "4S N", 10)
        assert load(played.drawn).round == newest
