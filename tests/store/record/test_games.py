"""Boards of a game of one table on record: dealer and vulnerability as played, and how many there were."""

from tests.support.store_events import NOW_MS, reload, save_event, table_of, take
from tests.support.store_records import ended
from tourney.bridge import Contract, Seat, Strain, Vulnerability
from tourney.movement.seating import TableState
from tourney.protocol.session.records import BoardBegan, BoardsDecided
from tourney.store.db.database import Database
from tourney.store.record.writer import Recorder
from tourney.store.results.matches import load_match_boards


def test_a_board_is_stored_as_it_is_played_when_it_begins_and_the_match_as_long_as_it_was(
    sqlite_database: Database,
) -> None:
    event = save_event(sqlite_database)
    table, match = table_of(event), event.matches[0]
    ledger = take(sqlite_database, table)
    ledger.depends_on_results = True
    first, second = load_match_boards(sqlite_database, match)[:2]
    recorder = Recorder(sqlite_database)
    recorder.write([(ledger, BoardBegan(first.number, NOW_MS, Seat.SOUTH, Vulnerability.ALL))])
    # An attempt that is begun again changes nothing.
    recorder.write([(ledger, BoardBegan(first.number, NOW_MS + 1, Seat.WEST, Vulnerability.NONE))])
    stored = load_match_boards(sqlite_database, match)
    assert (stored[0].dealer, stored[0].vulnerability) == (Seat.SOUTH, Vulnerability.ALL)
    assert stored[1] == second
    contract = Contract(4, Strain.SPADES, 0, Seat.NORTH)
    recorder.write([(ledger, ended(first, contract, 10)), (ledger, BoardsDecided(1, NOW_MS + 2))])
    match = reload(sqlite_database).matches[0]
    found = next(each for each in match.tables if each.id == table.id)
    assert (found.state, ledger.boards_left) == (TableState.FINISHED, 0)
    assert match.segments[0].boards == 1
