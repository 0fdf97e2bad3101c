"""Runs of events whose players sit at one port, that of a lobby: tables in its loop, runs in a thread beside it."""

import asyncio
import signal
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from threading import Thread
from typing import TypeAlias

from tourney.bridge import Seat
from tourney.coordinator.event_run import EventRun, RunOutcome
from tourney.host.host import TableHost
from tourney.host.lobby import Host, LobbyPort
from tourney.host.manager import TableManager
from tourney.host.ports import listen_nowhere
from tourney.host.seat_links import HostSeats
from tourney.launch.hosts import HostHandle, HostSlots, Launcher, this_process
from tourney.runtime.clock import HostClock
from tourney.store.control.host_settings import HostSettings
from tourney.store.control.leases import ProcessIdentity
from tourney.store.db.database import Database

RunEnd: TypeAlias = Callable[[Future[RunOutcome | None]], None]
"""Is called in the loop of the players with what a run came to."""


class SeatedHost(HostHandle):
    """A table host that is a task of the players' loop, seen from the thread of the runs."""

    def __init__(self, host: TableHost, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(host.name)
        self._host = host
        self._loop = loop
        self._task = asyncio.run_coroutine_threadsafe(host.run(), loop)

    @property
    def tables(self) -> list[TableManager]:
        """The tables that it plays; for the players' loop."""
        return list(self._host.tables.values())

    @property
    def is_over(self) -> bool:
        return self._task.done()

    def how_it_ended(self) -> str:
        error = None if self._task.cancelled() else self._task.exception()
        return f"table host {self.name} has ended" + (f": {error}" if error is not None else "")

    def send_signal(self, number: signal.Signals) -> None:
        if number is signal.SIGKILL:
            self._task.cancel()
        else:
            self._loop.call_soon_threadsafe(self._host.stop)


class SeatedLauncher(Launcher):
    """Starts table hosts as tasks of the players' loop; they open no ports."""

    def __init__(
        self,
        database: Database,
        settings: HostSettings,
        seats: HostSeats,
        clock: HostClock,
        *,
        process: ProcessIdentity | None = None,
        make_host: Callable[..., TableHost] = TableHost,
    ) -> None:
        """Prepare to start hosts in the loop that is running.

        Args:
            database: the record.
            settings: those of all tables.
            seats: where the tables offer their empty seats.
            clock: the clock of the tables.
            process: the process that goes on record; this one by default.
            make_host: makes a host.
        """
        super().__init__(process or this_process())
        self._make_host = partial(
            make_host, database, load_settings=lambda: settings, clock=clock, listen=listen_nowhere, seats=seats
        )
        self._loop = asyncio.get_running_loop()
        self._hosts: list[SeatedHost] = []

    def start_host(self, name: str, place: HostSlots) -> HostHandle:  # noqa: ARG002
        host = SeatedHost(self._make_host(name=name), self._loop)
        self._hosts = [*(each for each in self._hosts if not each.is_over), host]
        return host

    def owed_ms(self, now_ms: int) -> dict[int, dict[Seat, int]]:
        """Return how long players owe calls and cards, by number of the match and seat."""
        managers = (manager for host in self._hosts for manager in host.tables)
        return {manager.job.table.match: manager.owed_ms(now_ms) for manager in managers}


@dataclass(eq=False, slots=True)
class SeatedRuns:
    """Plays events at the port of a lobby.

    Their runs have a thread with an event loop of its own: they ask the record again and again, and players are not
    to wait for that. Their tables are played in the loop of the port.
    """

    database: Database
    """The record, as the hosts use it in the loop of the port: they never wait for its lock there."""
    port: LobbyPort
    """Where the players sit."""
    clock: HostClock
    """The clock of the tables."""
    _: KW_ONLY
    loop: asyncio.AbstractEventLoop | None = None
    """That of the runs; by default one in a thread of its own."""
    make_launcher: Callable[..., SeatedLauncher] = SeatedLauncher
    """Makes what starts the hosts of a run."""
    _runs: dict[Host, EventRun] = field(default_factory=dict)
    """Those at work; only the loop of the runs touches it."""
    _playing: dict[Host, Future[RunOutcome | None]] = field(default_factory=dict)
    _thread: Thread | None = None
    _is_stopping: bool = False

    def launcher(self, host: Host, settings: HostSettings) -> SeatedLauncher:
        """Return what starts the hosts of an event, whose seats the port knows by a number of their own."""
        return self.make_launcher(self.database, settings, self.port.open_seats(host), self.clock)

    def play(self, host: Host, make: Callable[[], EventRun], note_end: RunEnd) -> None:
        """Play an event from where its record is.

        Args:
            host: the number by which the port knows its seats.
            make: makes its run, in the thread of the runs.
            note_end: is called when it has ended.
        """
        if self.loop is None:
            self.loop = asyncio.new_event_loop()
            self._thread = Thread(target=_keep_running, args=(self.loop,), name="runs", daemon=True)
            self._thread.start()
        players = asyncio.get_running_loop()
        playing = asyncio.run_coroutine_threadsafe(self._play(host, make), self.loop)
        self._playing[host] = playing
        playing.add_done_callback(lambda done: players.call_soon_threadsafe(self._end, host, done, note_end))

    async def _play(self, host: Host, make: Callable[[], EventRun]) -> RunOutcome | None:
        run = make()
        if self._is_stopping:
            return None
        self._runs[host] = run
        try:
            return await run.run()
        finally:
            del self._runs[host]

    def _end(self, host: Host, done: Future[RunOutcome | None], note_end: RunEnd) -> None:
        del self._playing[host]
        note_end(done)

    async def stop(self) -> None:
        """Stop all runs; what is left is played when the lobby opens again."""
        self._is_stopping = True
        if self.loop is None:
            return
        self.loop.call_soon_threadsafe(self._stop_runs)
        if self._playing:
            await asyncio.wait([asyncio.wrap_future(playing) for playing in self._playing.values()])
        if self._thread is not None:
            self.loop.call_soon_threadsafe(self.loop.stop)

    def _stop_runs(self) -> None:
        for run in self._runs.values():
            run.stop()


def _keep_running(loop: asyncio.AbstractEventLoop) -> None:
    with closing(loop):
        loop.run_forever()
