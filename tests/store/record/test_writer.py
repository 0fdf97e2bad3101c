"""The record: what a table puts down is what is read, all of a batch or nothing."""

import sqlite3
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from tests.support.blank_database import blank_database
from tests.support.store_events import NOW_MS, make_draw, reload, save_event, table_of, take
from tests.support.store_records import (
    Script,
    StoredAttempt,
    abandoned,
    board_ended,
    ended,
    load_attempts,
    made_call,
    script,
    seat_taken,
    write_records,
)
from tests.support.strategies import PlayedBoard, played_boards, whole_boards
from tourney.bridge import (
    PASS,
    SEATS,
    Seat,
    board_from_seed,
)
from tourney.contest.draw import MatchInfo
from tourney.errors import StoreError
from tourney.movement.seating import Room, TableState
from tourney.protocol.alerts import meaning_to_json, parse_alert
from tourney.protocol.session.records import (
    AlertAnswered,
    AlertAsked,
    BoardBegan,
    BoardEnd,
    BoardSnapshot,
    CallMade,
    Incident,
    IncidentKind,
    TableRecord,
)
from tourney.store.control.tables import load_job, load_progress
from tourney.store.db.database import Database, file_url
from tourney.store.draw.objects import BoardRecord, EventInfo
from tourney.store.draw.writer import save_draw
from tourney.store.models import BoardAttempt, CallRow, ConnectionRow
from tourney.store.record.results import BoardResult
from tourney.store.results.matches import (
    load_board_records,
    load_board_results,
    load_match_boards,
)


class Table:
    """A table that a host has taken, and what it writes."""

    def __init__(self, database: Database, match: MatchInfo, room: Room = Room.OPEN) -> None:
        self.database = database
        self.match = match
        self.room = room
        self.boards = load_match_boards(database, match)
        self.ledger = take(database, match.tables_at(0)[room], boards_left=len(self.boards))

    def write(self, *records: TableRecord) -> None:
        write_records(self.database, self.ledger, *records)

    def records(self) -> list[BoardRecord]:
        """Records of this room, as the store returns them."""
        return [record for record in load_board_records(self.database, self.match) if record.room is self.room]

    def results(self) -> dict[int, BoardResult]:
        return load_board_results(self.database, self.match)[self.room]


@pytest.fixture
def event(database: Database) -> EventInfo:
    return save_event(database)


@pytest.fixture
def table(database: Database, event: EventInfo) -> Table:
    return Table(database, event.matches[0])


def _call(board: int, seq: int, alert: str = "", *, alerted: bool = False) -> CallMade:
    return made_call(seq, SEATS[seq % 4], board=board, alert=alert, alerted=alerted)


# Whole boards


def _script(played: PlayedBoard, ns_ms: int = 12_345, ew_ms: int = 54_321) -> Script:
    result = played.replay().result
    assert result is not None
    end = ended(played.board, result.contract, result.tricks, ns_ms, ew_ms)
    alerts = {0: "12 to 14 total points", 2: ""}
    return script(played.board, list(played.calls), list(played.cards), end, alerts)


@settings(whole_boards, max_examples=10)
@given(played=played_boards())
def test_any_board_is_read_as_it_was_written(played: PlayedBoard) -> None:
    draw = make_draw(boards=1)
    draw = replace(draw, board_sets=dict.fromkeys(draw.board_sets, (played.board,)))
    written = _script(played)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "event.db")
        path.write_bytes(blank_database())
        database = Database(file_url(path))
        save_draw(database, draw, NOW_MS)
        table = Table(database, reload(database).matches[0])
        table.write(*written.records)
        (record,) = table.records()
        database.close()
    end = written.records[-1]
    assert (record.calls, record.cards, record.board) == (written.calls, written.cards, played.board)
    assert record.result is not None
    assert record.result.result == getattr(end, "result", None)


def test_records_come_in_the_order_of_play_and_leave_out_unfinished_boards(database: Database) -> None:
    boards = tuple(board_from_seed("x", "set", number) for number in (17, 3, 9))
    draw = make_draw(boards=3)
    save_draw(database, replace(draw, board_sets=dict.fromkeys(draw.board_sets, boards)), NOW_MS)
    table = Table(database, reload(database).matches[0])
    assert table.boards == boards
    table.write(BoardBegan(17, NOW_MS), ended(boards[0]), BoardBegan(3, NOW_MS), ended(boards[1]))
    table.write(BoardBegan(9, NOW_MS), _call(9, 0))
    assert [record.board.number for record in table.records()] == [17, 3]
    assert list(table.results()) == [17, 3]


# Calls and their alerts


@pytest.mark.parametrize(
    ("alert", "alerted"),
    [
        ("", False),
        ("", True),
        ("natural", False),
        ("12 to 14 total points, 5 to 13 cards in spades. Alternatively, Asking for aces.", True),
        ("99 to 3 cards in moons, or what you like", True),
        ("'); DROP TABLE calls; --", True),
        ("." * 8000, True),
    ],
)
def test_an_alert_is_kept_as_sent_with_its_meaning_and_faults_beside_it(
    table: Table, alert: str, alerted: bool
) -> None:
    table.write(BoardBegan(1, NOW_MS), _call(1, 0, alert, alerted=alerted), ended(table.boards[0]))
    assert table.records()[0].calls == (_call(1, 0, alert, alerted=alerted),)
    with table.database.read() as connection:
        row = connection.execute(select(CallRow.alert, CallRow.meaning, CallRow.findings)).one()
    if not alert:
        assert tuple(row) == (None, None, None)
        return
    meaning = parse_alert(alert)
    assert row.alert == alert
    assert row.meaning == meaning_to_json(meaning)
    assert row.findings == ("\n".join(meaning.findings) or None)


# Batches


def _trouble(table: Table) -> list[TableRecord]:
    """Records of which the last but one breaks a rule of the schema."""
    return [
        BoardBegan(1, NOW_MS),
        seat_taken(Seat.NORTH),
        _call(1, 0),
        ended(table.boards[0]),
        _call(1, 0),
        BoardBegan(2, NOW_MS),
    ]


def test_nothing_stays_of_a_batch_with_an_error_in_the_middle(table: Table, database: Database) -> None:
    with pytest.raises(StoreError) as caught:
        table.write(*_trouble(table))
    assert isinstance(caught.value.__cause__, IntegrityError | sqlite3.IntegrityError)
    assert load_attempts(database, table.ledger.table_id) == []
    assert table.results() == {}
    with database.read() as connection:
        assert connection.execute(select(ConnectionRow.connection)).all() == []
    assert load_progress(database, [table.ledger.table_id])[table.ledger.table_id].table.state is TableState.ASSIGNED


# Attempts


def test_a_board_begun_again_keeps_the_first_attempt_and_shows_the_second(table: Table) -> None:
    board = table.boards[0]
    table.write(BoardBegan(1, NOW_MS), _call(1, 0, "natural"), _call(1, 1), abandoned(board, "East left"))
    second = script(board, [PASS] * 4, [], ended(board))
    table.write(*second.records)
    (record,) = table.records()
    assert (record.attempt, record.calls, record.cards) == (2, second.calls, second.cards)
    assert load_attempts(table.database, table.ledger.table_id) == [
        StoredAttempt(1, 1, BoardEnd.ABANDONED, "East left"),
        StoredAttempt(1, 2, BoardEnd.PASSED_OUT, ""),
    ]
    with table.database.read() as connection:
        first = connection.scalars(select(CallRow.alert).where(CallRow.attempt == 1).order_by(CallRow.seq)).all()
    assert first == ["natural", None]


@pytest.mark.clause("BC-49")
def test_a_board_that_a_dead_host_left_is_there_with_all_that_is_on_record_of_it(
    database: Database, table: Table
) -> None:
    calls = [_call(1, 0), replace(_call(1, 1), alert="0 to 7 total points.", alerted=True)]
    asked = [AlertAsked(1, 0, calls[0].seat, NOW_MS), AlertAsked(1, 1, calls[1].seat, NOW_MS)]
    table.write(BoardBegan(1, NOW_MS), calls[0], asked[0], AlertAnswered(1, 0, "natural", "Joe", NOW_MS))
    table.write(calls[1], asked[1])
    said = [
        Incident(IncidentKind.UNDO, 1, calls[0].seat, "it was a slip", NOW_MS, made=1),
        Incident(IncidentKind.OVER_TIME, 1, calls[1].seat, "it took too long", NOW_MS, 2, "board 60000"),
    ]
    table.write(said[1], said[0])
    ledger = take(database, table_of(reload(database)), "host-2")
    job = load_job(database, ledger.table_id)
    answered = AlertAnswered(1, 0, "natural", "Joe", NOW_MS)
    # The question that nobody has answered still waits.
    assert job.under_way == BoardSnapshot(1, (calls[0], said[0], calls[1], said[1], answered, asked[1]))
    assert job.history == (BoardBegan(1, NOW_MS), said[1], said[0])


def test_a_board_that_another_host_began_is_void_and_begun_again(database: Database, table: Table) -> None:
    table.write(BoardBegan(1, NOW_MS), _call(1, 0))
    ledger = take(database, table_of(reload(database)), "host-2")
    ledger.board_attempts = dict(load_job(database, ledger.table_id).board_attempts)
    void = board_ended(1, BoardEnd.VOID, reason="the table's host died")
    write_records(database, ledger, void, BoardBegan(1, NOW_MS), ended(table.boards[0]))
    assert load_attempts(database, ledger.table_id) == [
        StoredAttempt(1, 1, BoardEnd.VOID, "the table's host died"),
        StoredAttempt(1, 2, BoardEnd.PASSED_OUT, ""),
    ]
    with database.read() as connection:
        rows = connection.execute(select(BoardAttempt.attempt, BoardAttempt.table_attempt, BoardAttempt.ended_at_ms))
        assert sorted(tuple(row) for row in rows) == [(1, 1, NOW_MS), (2, 2, NOW_MS + 9)]


def test_a_table_has_one_attempt_under_way_whatever_is_written(database: Database, table: Table) -> None:
    table.write(BoardBegan(1, NOW_MS))
    second = {"board": 2, "attempt": 1, "table_attempt": 1, "began_at_ms": NOW_MS, "reason": ""}
    for row in (second, second | {"board": 1, "attempt": 2}):
        with pytest.raises(StoreError), database.write() as connection:
            connection.execute(insert(BoardAttempt).values(table_id=table.ledger.table_id, **row))


def test_an_attempt_whose_end_was_lost_is_closed_when_the_next_begins(database: Database, table: Table) -> None:
    table.write(BoardBegan(1, NOW_MS), _call(1, 0))
    table.write(BoardBegan(1, NOW_MS), ended(table.boards[0]))
    assert load_attempts(database, table.ledger.table_id) == [
        StoredAttempt(1, 1, BoardEnd.VOID, "its end was lost"),
        StoredAttempt(1, 2, BoardEnd.PASSED_OUT, ""),
    ]
    with database.read() as connection:
        assert None not in connection.scalars(select(BoardAttempt.chain)).all(), "the closed one has no chain"


def test_a_table_plays_from_its_first_board_and_is_finished_with_its_last(database: Database, table: Table) -> None:
    def state() -> TableState:
        return load_progress(database, [table.ledger.table_id])[table.ledger.table_id].table.state

    first, second = table.boards
    assert state() is TableState.ASSIGNED
    table.write(BoardBegan(1, NOW_MS))
    assert state() is TableState.PLAYING
    table.write(ended(first), BoardBegan(2, NOW_MS), abandoned(second))
    assert state() is TableState.PLAYING
    table.write(BoardBegan(2, NOW_MS), ended(second))
    assert state() is TableState.FINISHED
