"""The life of a table on record: each step takes a table from the states it may leave to the one it leads to."""

import pytest
from sqlalchemy import select, update

from tests.support.store_events import NOW_MS, ports_from, save_event, table_of
from tourney.errors import LeaseLost
from tourney.movement.seating import TableInfo, TableState
from tourney.store.control.hosts import add_host, end_host
from tourney.store.control.table_state import (
    TRANSITIONS,
    TableStep,
    assign_table,
    check_attempts,
    finish_tables,
    release_tables,
    reopen_table,
    set_table_ports,
    set_table_state,
    take_table,
)
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.models import TableRow

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
            assign_table(database, table.id, HOST, ports_from(2000), NOW_MS)
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
                set_table_state(connection, table.id, 1, TRANSITIONS[step].target, NOW_MS)


def test_every_step_has_its_transition_and_every_state_can_be_left() -> None:
    assert set(TRANSITIONS) == set(TableStep)
    left = {source for sources, _ in TRANSITIONS.values() for source in sources}
    assert left == set(TableState)


@pytest.mark.parametrize("step", TableStep)
def test_a_step_moves_a_table_from_its_sources_and_no_other(database: Database, step: TableStep) -> None:
    event = save_event(database)
    table = table_of(event)
    sources, target = TRANSITIONS[step]
    for number, state in enumerate(TableState):
        put_into(database, table, state)
        if step is TableStep.LOSE_HOST and number:
            with database.write() as connection:
                connection.exec_driver_sql("DELETE FROM hosts")
        take_step(database, event, table, step)
        assert state_of(database, table) is (target if state in sources else state)


@pytest.mark.parametrize("count", [1, 2])
def test_attempts_are_checked_for_any_number_of_tables(database: Database, count: int) -> None:
    tables = [table for match in save_event(database).matches for table in match.tables][:count]
    for table in tables:
        assign_table(database, table.id, HOST, ports_from(2000), NOW_MS)
    with database.write() as connection:
        check_attempts(connection, {table.id: 1 for table in tables})
        with pytest.raises(LeaseLost) as caught:
            check_attempts(connection, {table.id: 1 + (table is tables[-1]) for table in tables})
    assert caught.value.attempts == {tables[-1].id: 2}


def test_a_host_that_plays_out_a_board_writes_no_more_once_its_table_was_reopened(database: Database) -> None:
    table = table_of(save_event(database))
    assign_table(database, table.id, HOST, ports_from(2000), NOW_MS)
    put_into(database, table, TableState.FINISHED)
    with database.write() as connection:
        check_attempts(connection, {table.id: 1})
        reopen_table(connection, table.id, NOW_MS)
        with pytest.raises(LeaseLost):
            check_attempts(connection, {table.id: 1})
