"""Simulated machines: clocks, schedulers and processes, in place of the real ones."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from tests.sim.loop import Process, SimulatedLoop
from tourney.coordinator.watchdog import Job, Scheduler
from tourney.runtime.clock import HostClock
from tourney.runtime.event_loop import WorkerThread
from tourney.store.control.leases import ProcessIdentity

T = TypeVar("T")

START_MS = 1_790_000_000_000
"""When every simulation begins, in milliseconds since 1970 UTC."""


class SimulatedClock(HostClock):
    """The clock of one process, so much ahead of the time."""

    def __init__(self, loop: SimulatedLoop, skew_ms: int = 0) -> None:
        self._loop = loop
        super().__init__()
        self._offset_ms = START_MS + skew_ms

    def now_ms(self) -> int:
        return self._note_read(self._offset_ms + self._loop.now_us // 1000)

    def wall_ms(self) -> int:
        return self.now_ms()


class SimulatedThread(WorkerThread):
    """The thread of a process: half of the time that its work takes is before it is done, the other half after."""

    def __init__(self, loop: SimulatedLoop, takes_us: int) -> None:
        super().__init__("simulated")
        self._loop = loop
        self._takes_us = takes_us

    def do(self, work: Callable[[], T]) -> "asyncio.Future[T]":
        future: asyncio.Future[T] = self._loop.create_future()
        outcomes: list[Callable[[], None]] = []

        def begin() -> None:
            try:
                outcomes.append(partial(future.set_result, work()))
            except Exception as error:  # noqa: BLE001 # whoever waits for the thread gets it
                outcomes.append(partial(future.set_exception, error))

        def end() -> None:
            if not future.done():
                outcomes[0]()

        self._loop.call_at_us(self._loop.now_us + self._takes_us // 2, begin)
        self._loop.call_at_us(self._loop.now_us + self._takes_us, end)
        return future


class SimulatedScheduler(Scheduler):
    """Starts jobs on the simulated loop, in the process that has asked for them."""

    def __init__(self, loop: SimulatedLoop, clock: SimulatedClock) -> None:
        self._loop = loop
        self._clock = clock
        self._is_started = False
        self._jobs: dict[str, tuple[int, float | None, Job]] = {}
        """When each is due first, in ms, and in seconds how often from then on."""
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def call_at(self, at_ms: int, name: str, job: Job) -> None:
        self._set_job(name, at_ms, None, job)

    def call_every(self, seconds: int, name: str, job: Job) -> None:
        self._set_job(name, self._clock.now_ms() + 1000 * seconds, seconds, job)

    def _set_job(self, name: str, at_ms: int, every_s: float | None, job: Job) -> None:
        """Have a job in place of the one of this name."""
        self._jobs[name] = at_ms, every_s, job
        if self._is_started:
            self._begin(name)

    def start(self) -> None:
        self._is_started = True
        for name in self._jobs:
            self._begin(name)

    def stop(self) -> None:
        for timer in self._timers.values():
            timer.cancel()

    def _begin(self, name: str) -> None:
        if name in self._timers:
            self._timers[name].cancel()
        at_ms, every_s, job = self._jobs[name]
        self._set_timer(name, max(0.0, (at_ms - self._clock.now_ms()) / 1000), every_s, job)

    def _set_timer(self, name: str, delay_s: float, every_s: float | None, job: Job) -> None:
        self._timers[name] = self._loop.call_later(delay_s, self._do, name, every_s, job)

    def _do(self, name: str, every_s: float | None, job: Job) -> None:
        task = self._loop.create_task(_done(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if every_s is not None:
            self._set_timer(name, every_s, every_s, job)


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
