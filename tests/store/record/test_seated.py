"""Who has seen which hands of a board that is not finished, by the record of connections."""

import pytest

from tests.support.store_events import NOW_MS, save_event, table_of, take
from tests.support.store_records import abandoned, ended
from tourney.bridge import Seat, board_from_seed
from tourney.protocol.session.records import BoardBegan, BoardEnded, SeatTaken, TableRecord
from tourney.store.db.database import Database
from tourney.store.record.live import BoardHolders, load_board_holders
from tourney.store.record.writer import Recorder

BOARD = board_from_seed("7", "1.1.1", 1)


def sits(connection: int, seat: Seat, name: str, at_ms: int) -> SeatTaken:
    return SeatTaken(connection=connection, seat=seat, team=name, version=1, system="", peer="", at_ms=at_ms)


def holders_after(sqlite_database: Database, *records: TableRecord) -> dict[int, BoardHolders]:
    table = table_of(save_event(sqlite_database))
    ledger = take(sqlite_database, table)
    Recorder(sqlite_database).write([(ledger, record) for record in records])
    return {number - table.id: found for number, found in load_board_holders(sqlite_database, [table.id]).items()}


@pytest.mark.parametrize("more", [(), (abandoned(BOARD),)])
def test_whoever_sat_at_a_board_that_is_to_be_played_again_has_seen_a_hand_of_it(
    sqlite_database: Database, more: tuple[BoardEnded, ...]
) -> None:
    seats = sits(1, Seat.SOUTH, "Ann", NOW_MS), sits(2, Seat.WEST, "Bob", NOW_MS + 5)
    found = holders_after(sqlite_database, seats[0], BoardBegan(1, NOW_MS + 1), seats[1], *more)
    assert found[0].board == 1
    assert sorted(found[0].holders) == [(Seat.SOUTH, "Ann", ""), (Seat.WEST, "Bob", "")]


def test_a_board_that_is_finished_is_held_by_nobody(sqlite_database: Database) -> None:
    sat = sits(1, Seat.SOUTH, "Ann", NOW_MS)
    assert holders_after(sqlite_database, sat, BoardBegan(1, NOW_MS + 1), ended(BOARD)) == {}
