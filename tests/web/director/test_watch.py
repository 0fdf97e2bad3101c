"""When the console reads its tables again: for what is written, who comes or goes, what is due by the clock."""

from collections.abc import Iterator
from contextlib import closing
from inspect import getsource
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from tests.support.console_client import NOW_MS, add_console_user
from tests.support.live_event import HOST, ask, say_doing, set_state, sit, take_up
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tests.support.store_records import made_call
from tourney.bridge import SEATS, Seat
from tourney.coordinator.run_lease import load_event_status
from tourney.movement.seating import Room, TableInfo, TableState
from tourney.protocol.session.records import BoardBegan
from tourney.store.console_log import NewEntry, log_done
from tourney.store.control.hosts import HostInfo, add_host
from tourney.store.control.orders import give_orders
from tourney.store.control.tables import Wait
from tourney.store.models import Host, OrderKind
from tourney.store.record.writer import Recorder, TableLedger
from tourney.store.users import begin_session, load_users
from tourney.views.status import LONG_WAIT_MS
from tourney.web.director.service import CLOCK_MS, ConsoleService


class WatchedConsole:
    """The console of four tables, of which a host plays one; a session watches, and the clock is moved."""

    def __init__(self, played: PlayedEvent) -> None:
        self.played = played
        self.now_ms = NOW_MS
        self.reads = 0
        """How often the tables were read."""
        self.host: HostInfo = add_host(played.database, played.event.id, HOST, NOW_MS)
        self.table: TableInfo = take_up(played, 2, Room.OPEN)
        set_state(played, self.table, TableState.PLAYING)
        sit(played, self.table, *SEATS)
        self.service = ConsoleService(played.drawn, lambda: self.now_ms)
        add_console_user(played, "ben")
        (user,) = load_users(played.database, played.event.id)
        begin_session(played.database, user.id, "a token", "192.0.2.1", NOW_MS)
        session = self.service.session("a token", is_used=False)
        assert session is not None
        self.session = session
        self.recorder = Recorder(played.database, self.host)
        self.ledger = TableLedger(self.table.id, self.table.attempt, {}, boards_left=99)

    def poll(self) -> bool:
        """Whether a look finds that a page may show something else."""
        return self.service.poll({self.session.id}).has_changed

    def beat(self) -> None:
        with self.played.database.write() as connection:
            connection.execute(update(Host).where(Host.id == self.host.id).values(beat_at_ms=self.now_ms))


@pytest.fixture
def console(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WatchedConsole]:
    console = WatchedConsole(draw_event(tmp_path, event_text("Alpha", "Beta", "Gamma", "Delta")))

    def counted(*given: Any, **named: Any) -> Any:
        console.reads += 1
        return load_event_status(*given, **named)

    monkeypatch.setattr("tourney.web.director.service.load_event_status", counted)
    with closing(console.service):
        assert console.poll()
        yield console


def test_a_look_that_finds_no_change_reads_no_tables(console: WatchedConsole) -> None:
    for _ in range(3):
        console.now_ms += 300
        assert not console.poll()
        console.beat()
    assert console.reads == 1


def test_what_anybody_writes_is_seen_by_the_next_look(console: WatchedConsole) -> None:
    database, event_id, at_ms = console.played.database, console.played.event.id, NOW_MS
    call = made_call(0, Seat.NORTH, at_ms=at_ms)
    entry = NewEntry("ben", "", "look")
    ids = [console.table.id]
    for write in (
        lambda: console.recorder.write([(console.ledger, BoardBegan(1, at_ms)), (console.ledger, call)]),
        lambda: ask(console.played, console.table, 1, 0, Seat.NORTH),
        lambda: log_done(database, event_id, entry, "seen", at_ms),
        lambda: log_done(
            console.service.database, event_id, entry, "seen", at_ms
        ),  # over the console's own connection
        lambda: give_orders(database, ids, OrderKind.PAUSE, author="ben", now_ms=at_ms),
        lambda: say_doing(console.played, console.table, at_ms=at_ms, last="North: Pass"),
        lambda: set_state(console.played, console.table, TableState.FAILED, "no port"),
        lambda: take_up(console.played, 1, Room.OPEN),
    ):
        write()
        assert console.poll(), getsource(write)
        assert not console.poll()


def test_a_host_that_falls_silent_is_seen_although_nobody_writes(console: WatchedConsole) -> None:
    assert console.service.status().hosts_left == 1
    console.now_ms += 3_600_000
    assert console.poll()
    assert console.service.status().hosts_left == 0


def test_a_wait_that_becomes_long_is_seen_to_the_moment_and_told_again_as_it_goes_on(console: WatchedConsole) -> None:
    since_ms = console.now_ms
    say_doing(console.played, console.table, at_ms=console.now_ms, waits=[Wait(Seat.EAST, "card", since_ms)])
    assert console.poll()
    told = []
    for after_ms in range(3000, LONG_WAIT_MS + 2 * CLOCK_MS, 3000):
        console.now_ms = since_ms + after_ms
        console.beat()
        if console.poll():
            told.append(after_ms)
    assert LONG_WAIT_MS in told
    assert [alarm.text for alarm in console.service.status().alarms if alarm.kind == "owes"]
    apart = [after - before for before, after in zip([0, *told], told, strict=False)]
    assert max(apart) <= CLOCK_MS + 3000
    assert console.reads <= 3 + len(told)
