"""Simulated machines: clocks, schedulers and processes, in place of the real ones."""

import asyncio

from tests.sim.loop import Process, SimulatedLoop
from tourney.coordinator.scheduler import Job
from tourney.store.control.leases import ProcessIdentity
from tourney.table.clock import HostClock

START_MS = 1_790_000_000_000
"""When every simulation begins, in milliseconds since 1970 UTC."""


class SimulatedClock(HostClock):
    """The clock of one process, so much ahead of the time."""

    def __init__(self, loop: SimulatedLoop, skew_ms: int = 0) -> None:
        self._loop = loop
        self._offset_ms = START_MS + skew_ms

    def now_ms(self) -> int:
        return self._offset_ms + self._loop.now_us // 1000

    def wall_ms(self) -> int:
        return self.now_ms()


class SimulatedScheduler:
    """Starts jobs on the simulated loop, in the process that has asked for them."""

    def __init__(self, loop: SimulatedLoop, clock: SimulatedClock) -> None:
        self._loop = loop
        self._clock = clock
        self._jobs: list[tuple[float, float | None, Job]] = []
        self._timers: list[asyncio.TimerHandle] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def call_at(self, at_ms: int, name: str, job: Job) -> None:
        self._jobs.append((max(0.0, (at_ms - self._clock.now_ms()) / 1000), None, job))

    def call_every(self, seconds: int, name: str, job: Job) -> None:
        self._jobs.append((seconds, seconds, job))

    def start(self) -> None:
        for delay_s, every_s, job in self._jobs:
            self._set_timer(delay_s, every_s, job)

    def stop(self) -> None:
        for timer in self._timers:
            timer.cancel()

    def _set_timer(self, delay_s: float, every_s: float | None, job: Job) -> None:
        self._timers.append(self._loop.call_later(delay_s, self._do, every_s, job))

    def _do(self, every_s: float | None, job: Job) -> None:
        task = self._loop.create_task(_done(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if every_s is not None:
            self._set_timer(every_s, every_s, job)


async def _done(job: Job) -> None:
    await job()


class Machine:
    """A machine with its processes; no two have the same id."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._processes: dict[int, Process] = {}

    def add(self, process: Process) -> ProcessIdentity:
        """Give a process its id."""
        pid = 100 + len(self._processes)
        self._processes[pid] = process
        return ProcessIdentity(self.name, pid, "1")

    def process(self, whereabouts: ProcessIdentity) -> Process:
        """The process of this id, dead or alive."""
        return self._processes[whereabouts.pid]
