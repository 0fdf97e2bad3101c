"""Tables as hosts and the coordinator handle them: one host at a time, and never one that has lost it."""

import threading
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from tests.support.store_events import (
    NOW_MS,
    draw_final,
    give,
    make_draw,
    ports_from,
    reload,
    save_event,
    stages_draw,
    table_of,
    take,
)
from tests.support.store_records import abandoned, ended, write_records
from tourney.bridge import Contract, Seat, Side, Strain
from tourney.errors import LeaseLost
from tourney.movement.seating import Room, TableInfo, TableState, seat_match
from tourney.protocol.session.records import BoardBegan, Incident, IncidentKind
from tourney.store.control.hosts import add_host, end_host
from tourney.store.control.table_state import (
    TableStep,
    check_attempts,
    finish_tables,
    release_tables,
    reopen_table,
    set_table_ports,
    set_table_state,
    take_table,
)
from tourney.store.control.tables import assigned_tables, load_job, load_progress
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.writer import add_segment
from tourney.store.models import TableRow
from tourney.store.record.writer import Recorder, TableLedger
from tourney.store.results.matches import load_match_boards


def _set_state(database: Database, ledger: TableLedger, state: TableState, reason: str = "") -> None:
    with database.write() as connection:
        set_table_state(connection, ledger.table_id, ledger.attempt, state, NOW_MS, reason)


def _table(database: Database, table: TableInfo) -> TableInfo:
    return load_progress(database, [table.id])[table.id].table


# Given out and taken


def test_a_table_given_to_a_host_waits_for_that_host_alone(database: Database) -> None:
    table = table_of(save_event(database))
    assert assigned_tables(database, "host-1") == []
    give(database, table)
    assert assigned_tables(database, "host-1") == [table.id]
    assert assigned_tables(database, "host-2") == []
    given = _table(database, table)
    assert (given.state, given.host, given.ports) == (TableState.ASSIGNED, "host-1", ports_from(2000))


def test_who_did_not_hear_whether_it_took_a_table_may_ask_again_and_nobody_else(database: Database) -> None:
    table = table_of(save_event(database))
    give(database, table)
    assert take_table(database, table.id, "host-1", NOW_MS, again=True) == 1
    assert take_table(database, table.id, "host-1", NOW_MS, again=True) == 1
    assert take_table(database, table.id, "host-2", NOW_MS, again=True) is None
    give(database, table, "host-2")
    assert take_table(database, table.id, "host-1", NOW_MS, again=True) is None


def test_of_many_that_take_a_table_at_the_same_time_one_gets_it(database: Database) -> None:
    table = table_of(save_event(database))
    give(database, table)
    together = threading.Barrier(4)
    attempts: list[int | None] = []

    def try_to_take() -> None:
        together.wait()
        attempts.append(take_table(database, table.id, "host-1", NOW_MS))

    threads = [threading.Thread(target=try_to_take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(attempts, key=lambda attempt: attempt or 0) == [None, None, None, 1]


# When hosts and runs end


def test_a_new_run_leaves_tables_to_hosts_that_live_and_nobody_else_writes_for_a_table(database: Database) -> None:
    event = save_event(database, make_draw(3))
    tables = [match.tables_at(0)[Room.OPEN] for match in event.matches]
    kept, lost = take(database, tables[0], "living"), take(database, tables[1], "dead")
    failed = take(database, tables[2], "living")
    _set_state(database, kept, TableState.PLAYING)
    _set_state(database, failed, TableState.FAILED, "no port is free")
    release_tables(database, event.id, NOW_MS, but_of=["living"])
    assert [(t.state, t.host) for t in (_table(database, table) for table in tables)] == [
        (TableState.PLAYING, "living"),
        (TableState.WAITING, None),
        (TableState.WAITING, None),
    ]
    write_records(database, kept, BoardBegan(1, NOW_MS))
    with pytest.raises(LeaseLost) as caught:
        write_records(database, lost, BoardBegan(1, NOW_MS))
    assert caught.value.attempts == {tables[1].id: lost.attempt}
    again = replace(lost, attempt=lost.attempt + 1)
    with pytest.raises(LeaseLost) as caught:
        Recorder(database).write([(lost, BoardBegan(1, NOW_MS)), (again, BoardBegan(1, NOW_MS))])
    assert caught.value.attempts == {tables[1].id: lost.attempt}, "taken up again, by the same host perhaps"


# How far a table is


def test_a_job_goes_on_where_the_table_stopped(database: Database) -> None:
    event = save_event(database, make_draw(boards=4))
    table = table_of(event)
    first, second, third, fourth = load_match_boards(database, event.matches[0])
    ledger = take(database, table, boards_left=4)
    contract = Contract(4, Strain.SPADES, 0, Seat.NORTH)
    began = [BoardBegan(number, NOW_MS) for number in range(1, 4)]
    write_records(database, ledger, began[0], ended(first, contract, 10, ns_ms=1100, ew_ms=2200))
    write_records(database, ledger, began[1], abandoned(second))
    write_records(database, ledger, began[1], ended(second, ns_ms=30, ew_ms=40))
    write_records(database, ledger, began[2], abandoned(third), began[2])
    job = load_job(database, table.id)
    assert job.boards == (third, fourth)
    assert len(job.finished) == 2
    assert job.board_attempts == {1: 1, 2: 2, 3: 2}
    assert job.spent_ms == {Side.NS: 1130, Side.EW: 2240}
    assert load_job(database, table_of(event, room=Room.CLOSED).id).boards == (first, second, third, fourth)


def test_a_table_of_a_later_segment_knows_which_limits_of_the_match_a_team_was_judged_by(database: Database) -> None:
    event = draw_final(database, save_event(database, stages_draw()))
    match = event.rounds[3].matches[0]
    add_segment(database, event, match, seat_match("Team 3", "Team 1", segment=2, first=2, boards=1), NOW_MS)
    (grown,) = reload(database).rounds[3].matches
    first, closed, second, _ = grown.tables
    assert first.ns_team == second.ew_team
    of_match, of_board = (
        Incident(IncidentKind.OVER_TIME, None, Seat.NORTH, "too slow", NOW_MS, about=limit)
        for limit in ("match 60000", "board 9000")
    )
    write_records(database, take(database, first), of_match, of_board)
    write_records(database, take(database, closed), of_match)
    assert load_job(database, first.id).history == (of_match, of_board)
    (found,) = load_job(database, second.id).history
    assert isinstance(found, Incident)
    assert found.seat is not None
    assert (found.seat.side, found.about) == (Side.EW, "match 60000")


# The life of a table on record: each step takes a table from the states it may leave to the one it leads to


HOST = "host-1"


def put_into(database: Database, table: TableInfo, state: TableState) -> None:
    """Bring a table into a state, in the hands of the host, without taking the steps that lead there."""
    with database.write() as connection:
        connection.execute(
            update(TableRow).where(TableRow.id == table.id).values(state=state, host=HOST, attempt=1, taken=False)
        )


def state_of(database: Database, table: TableInfo) -> TableState:
    with database.read() as connection:
        found: TableState = connection.execute(select(TableRow.state).where(TableRow.id == table.id)).scalar_one()
    return found


def take_step(database: Database, event: EventInfo, table: TableInfo, step: TableStep) -> None:
    match step:
        case TableStep.ASSIGN:
            give(database, table)
        case TableStep.RELEASE:
            release_tables(database, event.id, NOW_MS)
        case TableStep.LOSE_HOST:
            end_host(database, add_host(database, event.id, HOST, NOW_MS), "silent", NOW_MS)
        case TableStep.FORFEIT:
            finish_tables(database, [table.id], "the match was forfeited", NOW_MS)
        case TableStep.REOPEN:
            with database.write() as connection:
                reopen_table(connection, table.id, NOW_MS)
        case TableStep.TAKE:
            take_table(database, table.id, HOST, NOW_MS)
        case TableStep.OPEN:
            set_table_ports(database, table.id, 1, ports_from(2000), NOW_MS)
        case TableStep.PLAY | TableStep.FINISH | TableStep.FAIL | TableStep.STOP:
            with database.write() as connection:
                set_table_state(connection, table.id, 1, step.target, NOW_MS)


def test_every_state_can_be_left() -> None:
    assert {source for step in TableStep for source in step.sources} == set(TableState)


@pytest.mark.parametrize("step", TableStep)
def test_a_step_moves_a_table_from_its_sources_and_no_other(database: Database, step: TableStep) -> None:
    event = save_event(database)
    table = table_of(event)
    for number, state in enumerate(TableState):
        put_into(database, table, state)
        if step is TableStep.LOSE_HOST and number:
            with database.write() as connection:
                connection.exec_driver_sql("DELETE FROM hosts")
        take_step(database, event, table, step)
        assert state_of(database, table) is (step.target if state in step.sources else state)


@pytest.mark.parametrize("count", [1, 2])
def test_attempts_are_checked_for_any_number_of_tables(database: Database, count: int) -> None:
    tables = [table for match in save_event(database).matches for table in match.tables][:count]
    for table in tables:
        give(database, table)
    with database.write() as connection:
        check_attempts(connection, {table.id: 1 for table in tables})
        with pytest.raises(LeaseLost) as caught:
            check_attempts(connection, {table.id: 1 + (table is tables[-1]) for table in tables})
    assert caught.value.attempts == {tables[-1].id: 2}


def test_a_host_that_plays_out_a_board_writes_no_more_once_its_table_was_reopened(database: Database) -> None:
    table = table_of(save_event(database))
    give(database, table)
    put_into(database, table, TableState.FINISHED)
    with database.write() as connection:
        check_attempts(connection, {table.id: 1})
        reopen_table(connection, table.id, NOW_MS)
        with pytest.raises(LeaseLost):
            check_attempts(connection, {table.id: 1})
