"""The table hosts of a simulated event, on all machines, and what a run is given to start and find them."""

import asyncio
import math
import signal
from collections.abc import Collection
from contextvars import Context
from functools import partial
from random import Random

from tests.sim.loop import Process
from tests.sim.machines import Machine, SimulatedClock, SimulatedThread
from tests.sim.network import Network
from tests.sim.plan import Part
from tests.sim.store import SimulatedDatabase
from tourney.errors import LeaseLost, StoreError
from tourney.host.host import TableHost
from tourney.launch.hosts import HostHandle, HostSlots, Launcher
from tourney.store.control.host_settings import load_settings
from tourney.store.control.leases import ProcessIdentity

HOSTS_MAX = 60
"""More are started only when hosts end again and again."""

_START_US_MAX = 300_000
"""How long a host may take from its start until it works."""


class SimulatedHost(HostHandle):
    """A table host, as the run that started it sees it, and one that finds it later."""

    def __init__(self, name: str, machine: Machine, process: Process, owner: Process, host: TableHost) -> None:
        super().__init__(name)
        self.machine = machine
        self.process = process
        self.owner = owner
        """The run that started it."""
        self.host = host
        self.shows_freeze = True
        """Whether others see that it is frozen, as after SIGSTOP."""

    @property
    def is_over(self) -> bool:
        return self.process.dead

    @property
    def is_suspended(self) -> bool:
        return self.process.frozen and self.shows_freeze

    def how_it_ended(self) -> str:
        return f"table host {self.name} has ended"

    def send_signal(self, number: signal.Signals) -> None:
        if number is signal.SIGKILL:
            self.process.loop.call_soon(self.process.kill, context=Context())
        else:
            self.process.loop.call_soon(self.host.stop, context=self.process.context)


class Hosts(Part):
    """All hosts that were started, dead and alive."""

    def __init__(self, part: Part, network: Network, event_id: int) -> None:
        super().__init__(**vars(part))
        self.all: list[SimulatedHost] = []
        self._network = network
        self._event_id = event_id
        self._chance = Random(f"{self.plan.seed}|hosts")

    @property
    def living(self) -> list[SimulatedHost]:
        return [host for host in self.all if not host.is_over]

    def start(self, name: str, machine: Machine, owner: Process) -> SimulatedHost:
        """Start a host, which takes a moment until it works."""
        number, plan, loop = len(self.all), self.plan, self.loop
        if number == HOSTS_MAX:
            self.complain(f"{HOSTS_MAX} hosts have been started")
        process = Process(loop, name, plan.deaths[number] if number < len(plan.deaths) else None)
        database = SimulatedDatabase(self.store, process)
        host = TableHost(
            database,
            name,
            lambda: load_settings(database, self._event_id),
            clock=SimulatedClock(loop, plan.skews_ms[number % len(plan.skews_ms)]),
            listen=self._network.listen,
            process=machine.add(process),
            make_thread=lambda _: SimulatedThread(loop, plan.sync_us),
            slow_sync_ms=0 if plan.sync_us else math.inf,
        )
        process.on_death.append(partial(self._network.forget, process))
        process.on_death.append(partial(self._note_death, process))
        started = SimulatedHost(name, machine, process, owner, host)
        self.all.append(started)
        begin_us = loop.now_us + self._chance.randint(0, _START_US_MAX)
        loop.call_at_us(begin_us, self._begin, started, context=process.context)
        return started

    def find(self, process: Process) -> SimulatedHost:
        return next(host for host in self.all if host.process is process)

    def freeze(self) -> None:
        """Have a host stand still, for a while."""
        freeze, living = self.plan.freeze, self.living
        if freeze is None or not living:
            return
        frozen = living[0]
        frozen.shows_freeze = freeze.is_shown
        frozen.process.freeze()
        self.note("freeze")
        self.loop.call_at_us(self.loop.now_us + freeze.lasts_us, frozen.process.thaw, context=Context())

    def _begin(self, started: SimulatedHost) -> None:
        run = self.loop.create_task(started.host.run())
        run.add_done_callback(partial(self._ended, started.process), context=Context())

    def _note_death(self, process: Process) -> None:
        if process.died is not None:
            self.note(f"death {process.died}")

    def _ended(self, process: Process, run: "asyncio.Task[None]") -> None:
        error = run.exception()
        if process.dead:
            return
        process.kill()
        if isinstance(error, StoreError):
            self.note("lost lease" if isinstance(error, LeaseLost) else "ended by an outage")
            if "an error of ours" in str(error):
                self.complain(str(error))
        elif error is not None:
            self.complain(f"a host ends with {error!r}")


class SimulatedLauncher(Launcher):
    """Starts hosts on one machine for one run."""

    def __init__(self, machine: Machine, run: Process, whereabouts: ProcessIdentity, hosts: Hosts) -> None:
        super().__init__(whereabouts)
        self._machine = machine
        self._run = run
        self._hosts = hosts

    def is_running(self, process: ProcessIdentity) -> bool:
        return not self._machine.process(process).dead

    def new_name(self, number: int, place: HostSlots) -> str:  # there is one
        return f"{number}-{self._run.name}"

    def start_host(self, name: str, place: HostSlots) -> HostHandle:
        return self._hosts.start(name, self._machine, self._run)

    def find_host(self, name: str, process: ProcessIdentity, place: str) -> HostHandle | None:
        return self._hosts.find(self._machine.process(process)) if self.is_local(process) else None

    def end_orphans(self, spare: Collection[ProcessIdentity]) -> list[str]:
        spared = [self._machine.process(process) for process in spare]
        sentences = []
        for host in self._hosts.living:
            if host.machine is self._machine and host.owner.dead and host.process not in spared:
                host.process.kill()
                sentences.append(f"table host {host.name} was left by an earlier run and has been ended")
        return sentences
