"""Hosts on record: leases, batches that are counted, and hosts that were declared dead."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection

from tests.support.store_events import NOW_MS, give, make_draw, ports_from, save_event, table_of
from tourney.errors import LeaseLost, StoreError, StoreUnavailable
from tourney.movement.seating import Room, TableInfo, TableState
from tourney.protocol.session.records import BoardBegan
from tourney.runtime.clock import HeartbeatMonitor
from tourney.store.control.hosts import (
    HostInfo,
    LogFile,
    WorkerInfo,
    add_host,
    count_hosts,
    drain_host,
    end_host,
    iter_log,
    join_host,
    leave_host,
    load_addresses,
    load_hosts,
    load_log_files,
    load_workers,
    record_log,
    record_workers,
    renew_host_lease,
)
from tourney.store.control.leases import ProcessIdentity
from tourney.store.control.table_state import assign_table, take_table
from tourney.store.control.tables import load_job, load_progress
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.models import WorkerState
from tourney.store.record.writer import Recorder, TableLedger

BOX = ProcessIdentity("box", 123, "boot/456")


def started(database: Database, event: EventInfo, name: str = "host-1") -> HostInfo:
    add_host(database, event.id, name, NOW_MS)
    return join_host(database, name, BOX, NOW_MS + 1)


def given_to(database: Database, table: TableInfo, host: HostInfo) -> TableLedger:
    give(database, table, host.name)
    attempt = take_table(database, table.id, host.name, NOW_MS)
    assert attempt is not None
    return TableLedger(table.id, attempt, boards_left=2)


def test_a_host_is_added_without_a_process_and_joins_with_one(database: Database) -> None:
    event = save_event(database)
    added = add_host(database, event.id, "host-1", NOW_MS)
    assert (added.process, added.beat_at_ms, added.written) == (None, NOW_MS, 0)
    joined = join_host(database, "host-1", BOX, NOW_MS + 5)
    assert (joined.id, joined.process, joined.beat_at_ms) == (added.id, BOX, NOW_MS + 5)
    assert load_hosts(database, event.id) == [joined]


def test_a_host_that_nobody_waits_for_is_refused(database: Database) -> None:
    event = save_event(database)
    with pytest.raises(StoreError, match=r"has no table host 'stranger' that is to work$"):
        join_host(database, "stranger", BOX, NOW_MS)
    end_host(database, add_host(database, event.id, "late", NOW_MS), "gone", NOW_MS)
    with pytest.raises(StoreError, match=r"has no table host 'late' that is to work$"):
        join_host(database, "late", BOX, NOW_MS)


def test_a_host_hears_which_of_its_tables_are_anothers(database: Database) -> None:
    event = save_event(database)
    mine, other = table_of(event), table_of(event, room=Room.CLOSED)
    host = started(database, event)
    attempts = {table.id: given_to(database, table, host).attempt for table in (mine, other)}
    assert renew_host_lease(database, host, attempts, NOW_MS + 9) == (frozenset(), False, (None, None), "{}", False)
    assert load_hosts(database, event.id)[0].beat_at_ms == NOW_MS + 9
    assign_table(database, other.id, "host-2", ports_from(3000), NOW_MS)
    assert renew_host_lease(database, host, attempts, NOW_MS + 10).lost == {other.id}


def test_a_host_that_is_declared_dead_loses_its_tables_and_hears_of_it(database: Database) -> None:
    event = save_event(database, make_draw(3))
    tables = [match.tables_at(0)[Room.OPEN] for match in event.matches]
    host, other = started(database, event), started(database, event, "host-2")
    ledgers = [given_to(database, table, host) for table in tables[:2]]
    given_to(database, tables[2], other)
    assert end_host(database, host, "not heard of", NOW_MS) == [table.id for table in tables[:2]]
    found = load_progress(database, [table.id for table in tables])
    assert [(found[t.id].table.state, found[t.id].table.host) for t in tables] == [
        (TableState.WAITING, None),
        (TableState.WAITING, None),
        (TableState.ASSIGNED, "host-2"),
    ]
    assert found[tables[0].id].table.ports == ports_from(2000), "the next host is to open the same ports"
    beat = renew_host_lease(database, host, {ledger.table_id: ledger.attempt for ledger in ledgers}, NOW_MS)
    assert beat.lost == {table.id for table in tables[:2]}
    assert beat.is_ended
    with pytest.raises(LeaseLost, match="writes no more: it was declared dead") as caught:
        Recorder(database, host).write([(ledgers[0], BoardBegan(1, NOW_MS))])
    assert caught.value.is_of_host
    assert load_job(database, tables[0].id).board_attempts == {}
    assert load_hosts(database, event.id) == [other]
    assert count_hosts(database, event.id) == 2


def test_a_host_that_says_it_ends_keeps_what_it_said_of_its_tables(database: Database) -> None:
    event = save_event(database)
    host = started(database, event)
    given_to(database, table_of(event), host)
    leave_host(database, host, "it was told to stop", NOW_MS)
    assert load_hosts(database, event.id) == []
    assert load_progress(database, [table_of(event).id])[table_of(event).id].table.state is TableState.ASSIGNED


class Unheard(Database):
    """A database whose next transactions end well, or not at all, without a word to who waits."""

    failures: Sequence[str] = ()

    @contextmanager
    def write(self, *, synced: bool = True) -> Iterator[Connection]:
        failure = ""
        if self.failures and not self.is_joined:
            failure, *self.failures = self.failures
        with super().write(synced=synced) as connection:
            yield connection
            if failure == "rolled back":
                raise StoreUnavailable("the connection was lost")
        if failure == "durable":
            raise StoreUnavailable("the connection was lost")


@pytest.mark.parametrize(
    "failures",
    [("durable",), ("rolled back",), ("rolled back", "rolled back", "durable"), ("durable", "rolled back")],
)
def test_a_batch_whose_end_was_not_heard_of_is_on_record_once(database: Database, failures: tuple[str, ...]) -> None:
    event = save_event(database)
    host = started(database, event)
    ledger = given_to(database, table_of(event), host)
    unheard = Unheard(database.url.render_as_string(hide_password=False))
    recorder = Recorder(unheard, host)
    unheard.failures = failures
    batch = [(ledger, BoardBegan(1, NOW_MS))]
    for _ in failures:
        if not unheard.failures:
            break
        with pytest.raises(StoreUnavailable):
            recorder.write(batch)
        assert ledger.board_attempts == {}
    recorder.write(batch)
    assert ledger.board_attempts == {1: 1}
    recorder.write([(ledger, BoardBegan(2, NOW_MS))])
    assert load_job(database, ledger.table_id).board_attempts == {1: 1, 2: 1}
    assert load_hosts(database, event.id)[0].written == 2
    unheard.close()


def test_after_a_batch_of_unknown_end_whose_tables_are_all_lost_the_next_is_another_one(database: Database) -> None:
    event = save_event(database)
    host = started(database, event)
    ledgers = [given_to(database, table_of(event, room=room), host) for room in Room]
    unheard = Unheard(database.url.render_as_string(hide_password=False))
    recorder = Recorder(unheard, host)
    unheard.failures = ("durable",)
    with pytest.raises(StoreUnavailable):
        recorder.write([(ledgers[0], BoardBegan(1, NOW_MS))])
    assign_table(database, ledgers[0].table_id, "another", ports_from(3000), NOW_MS)
    recorder.write([(ledgers[1], BoardBegan(1, NOW_MS))])
    recorder.write([(ledgers[1], BoardBegan(2, NOW_MS))])
    assert load_job(database, ledgers[1].table_id).board_attempts == {1: 1, 2: 1}
    assert load_hosts(database, event.id)[0].written == 3
    unheard.close()


# Silence


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5000)), min_size=1))
def test_silence_lasts_from_the_first_look_at_a_beat(looks: list[tuple[int, int]]) -> None:
    watch, now_ms, since_ms, last = HeartbeatMonitor(), 0, 0, None
    for beat, later_ms in looks:
        now_ms += later_ms
        if beat != last:
            last, since_ms = beat, now_ms
        assert watch.silent_ms("host", beat, now_ms) == now_ms - since_ms


def test_a_host_says_where_players_find_it_and_hears_that_it_is_to_drain(database: Database) -> None:
    event = save_event(database)
    assert add_host(database, event.id, "far", NOW_MS, worker="LAPTOP2").worker == "LAPTOP2"
    host = join_host(database, "far", BOX, NOW_MS, address="192.0.2.7")
    started(database, event, "near")
    assert (host.address, host.worker, host.is_draining) == ("192.0.2.7", "LAPTOP2", False)
    assert load_addresses(database, event.id) == {"far": "192.0.2.7"}
    assert not renew_host_lease(database, host, {}, NOW_MS).is_draining
    drain_host(database, host)
    assert renew_host_lease(database, host, {}, NOW_MS).is_draining
    assert [info.is_draining for info in load_hosts(database, event.id)] == [True, False]


# Workers of a cluster on record


LAPTOP = WorkerInfo(name="LAPTOP2", address="10.0.0.7", tables=8, heard_at_ms=NOW_MS)


def test_what_a_run_hears_of_workers_replaces_what_it_had_heard_and_those_it_misses_are_gone(
    sqlite_database: Database,
) -> None:
    event = save_event(sqlite_database)
    other = replace(LAPTOP, name="BOX", load_percent=70)
    record_workers(sqlite_database, event.id, [LAPTOP, other])
    assert load_workers(sqlite_database, event.id) == [LAPTOP, other]
    draining = replace(LAPTOP, is_draining=True, load_percent=5, heard_at_ms=NOW_MS + 9)
    record_workers(sqlite_database, event.id, [draining])
    assert load_workers(sqlite_database, event.id) == [
        draining,
        replace(other, state=WorkerState.GONE, load_percent=None),
    ]
    record_workers(sqlite_database, event.id, [other])
    assert [worker.state for worker in load_workers(sqlite_database, event.id)] == [
        WorkerState.GONE,
        WorkerState.WORKING,
    ]


# Logs in the record: parts in the order in which they were handed in, each once


WIRE = "wire/match-001-open.jsonl"


def test_parts_of_a_log_are_stored_once_each_and_come_back_in_their_order(sqlite_database: Database) -> None:
    event = save_event(sqlite_database)
    table = table_of(event).id
    first, second = b'{"line": "one"}\n' * 1000, b'{"line": "two"}\n\xff\x00'

    def hand_in(mark: str, data: bytes, host: str) -> bool:
        return record_log(
            sqlite_database, event.id, path=WIRE, mark=mark, data=data, host=host, at_ms=NOW_MS, table_id=table
        )

    assert hand_in("zz", first, "host-1")
    assert hand_in("aa", second, "host-2")
    assert not hand_in("zz", first, "host-1")
    assert record_log(sqlite_database, event.id, path="hosts/1.log", mark="m", data=b"", host="host-1", at_ms=NOW_MS)
    assert b"".join(iter_log(sqlite_database, event.id, WIRE)) == first + second
    wire = LogFile(path=WIRE, parts=2, size_bytes=len(first + second))
    assert load_log_files(sqlite_database, event.id) == [LogFile(path="hosts/1.log", parts=1, size_bytes=0), wire]
    assert load_log_files(sqlite_database, event.id, frozenset({table})) == [wire]
    assert list(iter_log(sqlite_database, event.id, "wire/none.jsonl")) == []
