"""Tables while they are played."""

import pytest
from sqlalchemy import insert

from tests.support.store_events import NOW_MS, reload, save_event, table_of, take
from tests.support.store_records import abandoned, ended, made_call, seat_taken, write_records
from tourney.bridge import PASS, Bid, Board, Call, Contract, Seat, Strain, Vulnerability, board_from_seed
from tourney.movement.seating import Room, TableInfo, TableState
from tourney.protocol.session.records import (
    BoardBegan,
    BoardEnded,
    BoardsDecided,
    SeatLeft,
    SeatTaken,
    TableRecord,
)
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.models import AlertQuestion
from tourney.store.record.live import (
    BoardHolders,
    QuestionInfo,
    load_board_holders,
    load_live_tables,
    load_questions,
)
from tourney.store.record.writer import Recorder
from tourney.store.results.matches import load_match_boards

ONE_NOTRUMP = Bid(1, Strain.NOTRUMP)


def _boards(sqlite_database: Database, event: EventInfo) -> tuple[Board, ...]:
    return load_match_boards(sqlite_database, event.matches[0])


def _calls(board: Board, *calls: Call) -> list[TableRecord]:
    return [made_call(seq, board.dealer.plus(seq), call, board=board.number) for seq, call in enumerate(calls)]


def _sit(seat: Seat, connection: int) -> SeatTaken:
    return seat_taken(seat, connection, f"Team {seat.letter}")


def _ask(sqlite_database: Database, table: TableInfo, board: int, seq: int, seat: Seat, **more: object) -> None:
    values: dict[str, object] = {"attempt": 1, "asked_at_ms": NOW_MS} | more
    with sqlite_database.write() as connection:
        connection.execute(
            insert(AlertQuestion).values(table_id=table.id, board=board, seq=seq, seat=seat.letter, **values)
        )


# Tables


def test_who_sits_is_who_has_logged_on_with_the_newest_host_and_not_left(sqlite_database: Database) -> None:
    event = save_event(sqlite_database)
    table = table_of(event)
    write_records(sqlite_database, take(sqlite_database, table), _sit(Seat.NORTH, 1))
    ledger = take(sqlite_database, table, "host-2")
    write_records(
        sqlite_database,
        ledger,
        _sit(Seat.EAST, 1),
        _sit(Seat.SOUTH, 2),
        SeatLeft(1, Seat.EAST, "it left", NOW_MS),
        _sit(Seat.WEST, 3),
    )
    found, other = load_live_tables(sqlite_database, event.id)
    assert found.seated == {Seat.SOUTH: "Team S", Seat.WEST: "Team W"}
    assert other.seated == {}


# Questions


def test_questions_come_oldest_first_with_the_auction_up_to_the_call(sqlite_database: Database) -> None:
    event = save_event(sqlite_database)
    table, other = table_of(event), table_of(event, room=Room.CLOSED)
    board = _boards(sqlite_database, event)[0]
    for each in (table, other):
        write_records(
            sqlite_database,
            take(sqlite_database, each),
            BoardBegan(1, NOW_MS),
            *_calls(board, ONE_NOTRUMP, PASS, PASS),
        )
    _ask(sqlite_database, table, 1, 1, Seat.EAST, asked_at_ms=NOW_MS + 9)
    _ask(sqlite_database, other, 1, 0, Seat.NORTH, asked_at_ms=NOW_MS + 5)
    assert load_questions(sqlite_database, event.id) == [
        QuestionInfo(other.id, 1, 0, Seat.NORTH, NOW_MS + 5, Seat.NORTH, (ONE_NOTRUMP,)),
        QuestionInfo(table.id, 1, 1, Seat.EAST, NOW_MS + 9, Seat.NORTH, (ONE_NOTRUMP, PASS)),
    ]
    assert [question.table_id for question in load_questions(sqlite_database, event.id, table.id)] == [table.id]
    assert load_questions(sqlite_database, event.id + 1) == []
    assert load_questions(sqlite_database, event.id + 1, table.id) == []


def test_a_question_that_was_answered_waits_no_more_though_the_answer_was_no(sqlite_database: Database) -> None:
    event = save_event(sqlite_database)
    table, board = table_of(event), _boards(sqlite_database, event)[0]
    write_records(
        sqlite_database, take(sqlite_database, table), BoardBegan(1, NOW_MS), *_calls(board, ONE_NOTRUMP, PASS)
    )
    _ask(sqlite_database, table, 1, 0, Seat.NORTH, answer="", author="Ada", answered_at_ms=NOW_MS)
    _ask(sqlite_database, table, 1, 1, Seat.EAST)
    assert [question.seq for question in load_questions(sqlite_database, event.id)] == [1]


# Who has seen which hands of a board that is not finished, by the record of connections


BOARD = board_from_seed("7", "1.1.1", 1)


def holders_after(sqlite_database: Database, *records: TableRecord) -> dict[int, BoardHolders]:
    table = table_of(save_event(sqlite_database))
    ledger = take(sqlite_database, table)
    write_records(sqlite_database, ledger, *records)
    return {number - table.id: found for number, found in load_board_holders(sqlite_database, [table.id]).items()}


@pytest.mark.parametrize("more", [(), (abandoned(BOARD),)])
def test_whoever_sat_at_a_board_that_is_to_be_played_again_has_seen_a_hand_of_it(
    sqlite_database: Database, more: tuple[BoardEnded, ...]
) -> None:
    seats = seat_taken(Seat.SOUTH, 1, "Ann", peer=""), seat_taken(Seat.WEST, 2, "Bob", peer="")
    found = holders_after(sqlite_database, seats[0], BoardBegan(1, NOW_MS + 1), seats[1], *more)
    assert found[0].board == 1
    assert sorted(found[0].holders) == [(Seat.SOUTH, "Ann", ""), (Seat.WEST, "Bob", "")]


def test_a_board_that_is_finished_is_held_by_nobody(sqlite_database: Database) -> None:
    sat = seat_taken(Seat.SOUTH)
    assert holders_after(sqlite_database, sat, BoardBegan(1, NOW_MS + 1), ended(BOARD)) == {}


# Boards of a game of one table on record: dealer and vulnerability as played, and how many there were


def test_a_board_is_stored_as_it_is_played_when_it_begins_and_the_match_as_long_as_it_was(
    sqlite_database: Database,
) -> None:
    event = save_event(sqlite_database)
    table, match = table_of(event), event.matches[0]
    ledger = take(sqlite_database, table)
    ledger.match_id, ledger.depends_on_results = match.id, True
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
