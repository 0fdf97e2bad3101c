"""Results, boards, leads and times of many matches at once."""

from collections.abc import Iterable

import pytest

from tests.support.store_events import make_draw, save_event, table_of, take
from tests.support.store_records import abandoned, ended, script, write_records
from tourney.bridge import PASS, SEATS, Bid, Board, Call, Contract, Seat, Strain, parse_card
from tourney.movement.seating import Room, TableInfo
from tourney.protocol.session.records import TableRecord
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.results.event_results import (
    MatchFilter,
    iter_results,
    load_begun_matches,
    load_leads,
)
from tourney.store.results.matches import load_match_boards

OPEN, CLOSED = Room.OPEN, Room.CLOSED
ONE_NT = Contract(1, Strain.NOTRUMP, 0, Seat.NORTH)


@pytest.fixture
def event(database: Database) -> EventInfo:
    """Four teams, six matches in three rounds, two boards each."""
    return save_event(database, make_draw(4))


def put_down(database: Database, event: EventInfo, match: int, room: Room, boards: Iterable[int]) -> TableInfo:
    """Boards of a table at which North opens 1NT, all pass, and four cards are played."""
    table = table_of(event, match, room)
    ledger = take(database, table)
    by_number = {board.number: board for board in load_match_boards(database, event.matches[match - 1])}
    write_records(database, ledger, *(record for number in boards for record in _script(by_number[number])))
    return table


def _script(board: Board) -> Iterable[TableRecord]:
    passes = (Seat.NORTH - board.dealer) % 4
    calls: list[Call] = [*[PASS] * passes, Bid(1, Strain.NOTRUMP), PASS, PASS, PASS]
    cards = [(seat, parse_card("A" + "CDHS"[seat])) for seat in (*SEATS[1:], SEATS[0])]
    return script(board, calls, cards, ended(board, ONE_NT, 7, 900 + board.number, 800)).records


def test_only_a_match_with_a_result_or_a_ruling_has_begun(database: Database, event: EventInfo) -> None:
    put_down(database, event, 2, OPEN, [1])
    assert load_begun_matches(database, event.id) == {2}


def test_a_scope_leaves_out_other_rounds_and_other_matches(database: Database, event: EventInfo) -> None:
    for number in (1, 2, 3, 4):
        put_down(database, event, number, OPEN, [1])

    def numbers(scope: MatchFilter) -> list[int]:
        return [number for number, _ in iter_results(database, scope)]

    assert numbers(MatchFilter(event.id)) == [1, 2, 3, 4]
    assert numbers(MatchFilter(event.id, round=2)) == [3, 4]
    assert numbers(MatchFilter(event.id, matches=[4, 1, 6])) == [1, 4]
    assert numbers(MatchFilter(event.id, matches=[])) == []
    assert numbers(MatchFilter(event.id + 1)) == []


def test_what_was_called_and_played_before_a_board_was_begun_again_does_not_count(
    database: Database, event: EventInfo
) -> None:
    table = table_of(event, 1, OPEN)
    board = load_match_boards(database, event.matches[0])[0]
    ledger = take(database, table)
    *begun, _ = _script(board)
    write_records(database, ledger, *begun, abandoned(board))
    assert load_leads(database, MatchFilter(event.id)) == {}
    write_records(database, ledger, *script(board, [PASS] * 4, [], ended(board)).records)
    assert load_leads(database, MatchFilter(event.id)) == {}
