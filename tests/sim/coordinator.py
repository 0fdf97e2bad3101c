"""The run of a simulated event: it starts hosts, sees to it that every table has one that lives, and is never killed.

It decides as the real one does, by what it sees of processes and of the record, and speaks to hosts through the
record alone.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random

from tests.sim.loop import Process, SimulatedLoop
from tests.sim.network import Network
from tests.sim.plan import SECOND_US, Plan
from tests.sim.store import MemoryStore, SimulatedDatabase
from tourney.bridge import SEATS
from tourney.config import PortPlan
from tourney.errors import LeaseLost, StoreError, StoreUnavailable
from tourney.store.control.host_settings import HostSettings
from tourney.store.control.hosts import HostInfo, add_host, end_host, load_hosts
from tourney.store.control.leases import ProcessIdentity
from tourney.store.control.runs import RunHolder, RunOnRecord, renew_run_lease, take_run_lease
from tourney.store.control.table_state import assign_table
from tourney.store.draw.objects import TableInfo
from tourney.store.models import TableState
from tourney.table.clock import HostClock
from tourney.table.host import TableHost

START_MS = 1_790_000_000_000
"""When every simulation begins, by the clock."""

LOOK_S = 0.1

FIRST_PORT = 2000

HOSTS_MAX = 30
"""More are started only when hosts end again and again."""

_LOOKS_A_BEAT = 10
_NOTICED_US_MAX = SECOND_US // 2


class SimulatedClock(HostClock):
    """The clock of one machine, so much ahead of the time."""

    def __init__(self, loop: SimulatedLoop, skew_ms: int = 0) -> None:
        self._loop = loop
        self._offset_ms = START_MS + skew_ms

    def now_ms(self) -> int:
        return self._offset_ms + self._loop.now_us // 1000


@dataclass
class _Host:
    """A table host that has been started."""

    process: Process
    host: TableHost
    info: HostInfo
    run: "asyncio.Task[None]" = field(init=False)
    given_up_at_us: int | None = None
    """When the coordinator notices that it is gone; None while it is there."""
    is_ended: bool = False
    """On record."""

    @property
    def is_gone(self) -> bool:
        return self.process.dead or self.run.done()


class Coordinator:
    """Of one event. `complain` is told what ought not to happen, `note` which faults have come to pass."""

    def __init__(
        self,
        plan: Plan,
        loop: SimulatedLoop,
        store: MemoryStore,
        network: Network,
        event_id: int,
        settings: HostSettings,
        tables: Sequence[TableInfo],
        complain: Callable[[str], None],
        note: Callable[[str], None],
    ) -> None:
        self.is_finished = False
        """Whether every table is over."""
        self.is_closing = False
        self._plan = plan
        self._loop = loop
        self._store = store
        self._network = network
        self._event_id = event_id
        self._settings = settings
        self._tables = tables
        self._complain = complain
        self._note = note
        self._database = SimulatedDatabase(store, None)
        self._clock = SimulatedClock(loop)
        self._chance = Random(f"{plan.seed}|coordinator")
        self._holder = RunHolder(ProcessIdentity("home", 1, "1"), START_MS)
        self._hosts: list[_Host] = []
        self._looks = 0

    def begin(self) -> None:
        """Take the event, and look after it from now on."""
        assert take_run_lease(self._database, self._event_id, self._holder, RunOnRecord(None, None), START_MS)
        self._loop.call_soon(self._look)
        freeze = self._plan.freeze
        if freeze is not None:
            self._loop.call_at_us(freeze.at_us, self._freeze)
        for at_us in self._plan.stops_us:
            self._loop.call_at_us(at_us, self._interrupt)

    def close(self) -> None:
        """Start nothing any more."""
        self.is_closing = True

    def _interrupt(self) -> None:
        """The run is stopped, and begun again at once."""
        if self.has_hosts:
            self._note("interrupted")
        self.stop_hosts()

    def stop_hosts(self) -> None:
        """Tell the hosts to end, as with Ctrl-C."""
        for running in self._hosts:
            self._loop.call_soon(running.host.stop, context=running.process.context)

    def kill_hosts(self) -> None:
        for running in self._hosts:
            running.process.kill()

    @property
    def has_hosts(self) -> bool:
        return any(not running.is_gone for running in self._hosts)

    # Looking after tables

    def _look(self) -> None:
        if self.is_closing:
            return
        self._loop.call_later(LOOK_S, self._look)
        for running in self._hosts:
            if running.is_gone and running.given_up_at_us is None:
                running.process.kill()
                running.given_up_at_us = self._loop.now_us + self._chance.randint(0, _NOTICED_US_MAX)
        try:
            self._look_at_record()
        except StoreUnavailable:
            return

    def _look_at_record(self) -> None:
        self._looks += 1
        if self._looks % _LOOKS_A_BEAT == 0:
            renew_run_lease(self._database, self._event_id, self._holder, self._clock.now_ms())
        for running in self._hosts:
            if running.given_up_at_us is not None and running.given_up_at_us <= self._loop.now_us:
                self._give_up(running, "the host is gone")
        vacant = []
        self.is_finished = True
        for place, table in enumerate(self._tables):
            ((state, host, reason),) = self._store.query(
                "SELECT state, host, reason FROM tables WHERE id = ?", table.id
            )
            if "an error of ours" in str(reason):
                self._complain(f"table {table.place} is over: {reason}")
            self.is_finished &= state == TableState.FINISHED
            if host is None or state in (TableState.WAITING, TableState.FAILED):
                vacant.append((place, table, state))
        for place, table, state in vacant:
            if state != TableState.FINISHED:
                self._give(place, table, self._pick(place))

    def _give_up(self, running: _Host, reason: str) -> None:
        """Declare a host ended, and take its tables from it."""
        if not running.is_ended:
            end_host(self._database, running.info, reason, self._clock.now_ms())
            running.is_ended = True

    def _give(self, place: int, table: TableInfo, running: _Host) -> None:
        is_per_seat = self._plan.port_plan is PortPlan.PER_SEAT
        first = FIRST_PORT + place * self._plan.port_plan.ports_per_table
        ports = {seat: first + (seat if is_per_seat else 0) for seat in SEATS}
        assign_table(self._database, table.id, running.info.name, ports, self._clock.now_ms())

    def _pick(self, place: int) -> _Host:
        living = [running for running in self._hosts if not running.is_gone and not running.is_ended]
        if len(living) < self._plan.hosts:
            return self._start_host()
        return living[place % len(living)]

    # Hosts

    def _start_host(self) -> _Host:
        number, plan = len(self._hosts), self._plan
        if number == HOSTS_MAX:
            self._complain(f"{HOSTS_MAX} hosts have been started, the last one ended with {self._last_words()}")
        dies_at = plan.deaths[number] if number < len(plan.deaths) else None
        process = Process(self._loop, f"host-{number + 1}", dies_at)
        process.on_death.append(partial(self._network.forget, process))
        process.on_death.append(partial(self._note_death, process))
        add_host(self._database, self._event_id, process.name, self._clock.now_ms())
        host = TableHost(
            SimulatedDatabase(self._store, process),
            process.name,
            lambda: self._settings,
            clock=SimulatedClock(self._loop, plan.skews_ms[number % len(plan.skews_ms)]),
            listen=self._network.listen,
            process=ProcessIdentity(f"machine {number + 1}", 100 + number, "1"),
            in_thread=_at_once,
        )
        info = next(i for i in load_hosts(self._database, self._event_id) if i.name == process.name)
        running = _Host(process, host, info)
        self._hosts.append(running)
        running.run = process.start(host.run())
        running.run.add_done_callback(partial(self._host_ended, process))
        return running

    def _note_death(self, process: Process) -> None:
        if process.died is not None:
            self._note(f"death {process.died}")

    def _host_ended(self, process: Process, run: "asyncio.Task[None]") -> None:
        if process.dead:
            return
        error = run.exception()
        if isinstance(error, StoreError):
            self._note("lost lease" if isinstance(error, LeaseLost) else "ended by an outage")
            if "an error of ours" in str(error):
                self._complain(str(error))
        elif error is not None:
            self._complain(f"a host ends with {error!r}")

    def _last_words(self) -> str:
        run = self._hosts[-1].run
        return repr(run.exception()) if run.done() else "no word"

    def _freeze(self) -> None:
        """A host stands still; after a while it may be taken for dead, or only its tables be given to another."""
        freeze = self._plan.freeze
        living = [running for running in self._hosts if not running.is_gone]
        if freeze is None or not living:
            return
        frozen = living[0]
        frozen.process.freeze()
        self._note("freeze")
        self._loop.call_later(freeze.lasts_us / SECOND_US, frozen.process.thaw)
        if freeze.gives_up_after_us is not None:
            self._loop.call_later(freeze.gives_up_after_us / SECOND_US, self._take_away, frozen)

    def _take_away(self, frozen: _Host) -> None:
        if self.is_closing:
            return
        try:
            if self._chance.random() < 0.5:
                self._give_up(frozen, "not heard of for too long")
                return
            for place, table in enumerate(self._tables):
                ((state, host),) = self._store.query("SELECT state, host FROM tables WHERE id = ?", table.id)
                if host == frozen.info.name and state != TableState.FINISHED:
                    self._give(place, table, self._start_host())
        except StoreUnavailable:
            return


async def _at_once(work: Callable[[], None]) -> None:
    """In place of a thread."""
    work()
