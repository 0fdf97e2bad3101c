"""Matches of an open stage: added whole and once, deleted with all that belongs to them, on both databases."""

import pytest
from sqlalchemy import func, select

from tests.support.killed_statements import decided_rows, kill_after_each_statement
from tests.support.store_events import NOW_MS, make_draw, reload, save_event, table_of, take
from tests.support.store_records import abandoned
from tourney.bridge import PASS, Seat, board_from_seed
from tourney.contest.draw import MatchInfo
from tourney.movement.seating import Room, TableInfo, seat_match
from tourney.protocol.session.records import BoardBegan, CallMade, SeatTaken
from tourney.store.db.database import Database
from tourney.store.draw.open_stage import add_match, discard_match
from tourney.store.models import BoardAttempt, CallRow, ConnectionRow, DealRow, Model
from tourney.store.record.writer import Recorder

HOME, AWAY = "Ann & Bot N", "Bot E & Bot W"


def count(database: Database, model: type[Model]) -> int:
    with database.read() as connection:
        return connection.scalar(select(func.count()).select_from(model)) or 0


def test_a_match_is_added_whole_and_once_wherever_its_process_is_killed(database: Database) -> None:
    event = save_event(database, make_draw())
    boards = (board_from_seed("7", "1.1.9", 1),)
    tables = seat_match(HOME, AWAY, boards=1)
    match = MatchInfo(event.stages[0], HOME, AWAY, tables, board_set="1.1.9", number=9)

    def add() -> None:
        add_match(database, event.id, match, boards, NOW_MS)

    assert kill_after_each_statement(database, add, seen=lambda: decided_rows(database)) > 5
    added = decided_rows(database)
    add()
    assert decided_rows(database) == added
    (last,) = [each for each in reload(database).matches if each.number == 9]
    assert last.teams == (HOME, AWAY)
    assert [(table.room, table.ns_team) for table in last.tables] == [(Room.OPEN, HOME), (Room.CLOSED, AWAY)]


@pytest.mark.parametrize("caller", [Seat.NORTH, Seat.SOUTH])
def test_a_match_is_discarded_with_its_pairs_unless_one_of_its_players_has_called(
    database: Database, caller: Seat
) -> None:
    event = save_event(database, make_draw())
    deals = count(database, DealRow)
    boards = (board_from_seed("7", "1.1.2", 1),)
    tables = (TableInfo(Room.OPEN, HOME, AWAY, boards=1),)
    match = MatchInfo(event.stages[0], HOME, AWAY, tables, board_set="1.1.2", number=2)
    add_match(database, event.id, match, boards, NOW_MS)
    ledger = take(database, table_of(reload(database), 2), boards_left=1)
    sits = SeatTaken(connection=1, seat=Seat.SOUTH, team="Ann", version=1, system="", peer="", at_ms=NOW_MS)
    call = CallMade(board=1, seq=0, seat=caller, call=PASS, alert="", alerted=False, thinking_ms=1, at_ms=NOW_MS)
    Recorder(database).write([(ledger, each) for each in (sits, BoardBegan(1, NOW_MS), call, abandoned(boards[0]))])

    is_kept = caller is Seat.SOUTH
    for _ in range(2):
        assert discard_match(database, event.id, 2, {Seat.SOUTH}) is not is_kept
    after = reload(database)
    assert [match.number for match in after.matches] == ([1, 2] if is_kept else [1])
    assert [team.name for team in after.teams] == ["Team 1", "Team 2", *([HOME, AWAY] if is_kept else [])]
    kept = [count(database, model) for model in (ConnectionRow, BoardAttempt, CallRow)]
    assert kept == [int(is_kept)] * 3
    assert count(database, DealRow) == deals + int(is_kept)
