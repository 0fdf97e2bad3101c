"""Programs of teams on machines with a label: a run has them started there, and ended; a task on the worker runs one.

Everything goes through the scheduler, which a worker reaches by connections of its own: nobody connects to a worker,
and no result is fetched from it. What a worker tells are Dask's events of a topic; what it is told are Dask's events
with a name, the key of the program's start. The scheduler's metadata has, for each place, the number of the newest
start: no other one may run, whatever Dask starts again.
"""

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from distributed import Client, Worker, fire_and_forget, get_worker

from tourney.config import slug
from tourney.config.command import TERMS_VARIABLE
from tourney.errors import LaunchError
from tourney.launch.cluster.client import ClusterClient
from tourney.launch.cluster.connection import DISCONNECTED, LABEL_RESOURCE
from tourney.launch.cluster.worker import BOTS_FOLDER, TableWorker
from tourney.launch.program import (
    FoundProgram,
    ProgramEvent,
    ProgramNews,
    ProgramOrder,
    ProgramProcess,
    Start,
    fill_in_command,
    format_key,
    news_topic,
)
from tourney.runtime.processes import end_left_behind

STARTS_KEY: Final = "tourney-programs"
"""The key of the scheduler's metadata with the number of the newest start, by event and place."""

RUNS_KEY: Final = "tourney-runs"
"""The key of the scheduler's metadata with a number for each event, which its run counts up while it is there."""

SHARE: Final = 0.001
"""How much of the resource of its label a program takes: Dask is to place programs by label, not to count them."""

RUN_BEAT_S: Final = 3.0
"""How often a run counts up its number, in seconds."""

TEND_S: Final = 0.2
"""How often a run looks after its orders, in seconds."""

STATES_S: Final = 1.0
"""How often a run asks for the states of its programs, in seconds."""

_GONE_POLLS: Final = 3
"""How many looks in a row must find a task gone before its program counts as lost: its last words may be on their
way."""

_UNDER_WAY: Final = frozenset({"released", "waiting", "no-worker", "queued", "processing"})
"""The states of a task that is to run or runs."""

POLL_RUN_S: Final = 10.0
"""How often a program's worker looks whether there is a run, in seconds."""

PRINT_S: Final = 0.5
"""How often a worker sends what a program has printed, in seconds."""

PRINTED_BYTES_MAX: Final = 32 * 1024
"""The most that is taken of a program's output at a time."""

BEHIND_BYTES_MAX: Final = 1024 * 1024
"""The most that may wait to be taken: of what a program prints faster, the beginning is left out."""

_orphans_terminated: set[Path] = set()
"""The folders in which this process has ended what an earlier one has left behind."""


# The run's side


class ClusterPrograms:
    """Has programs started on workers with their label, and ended; tells what has become of them.

    Nothing here waits for the scheduler but `tend`, which runs beside the run.
    """

    def __init__(self, scope: str, cluster: ClusterClient) -> None:
        """Prepare; `scope` tells the event from all others of the cluster."""
        self.scope = scope
        self._cluster = cluster
        self._met: Client | None = None
        """The connection whose scheduler is known; another one after the scheduler was started again."""
        self._orders: deque[ProgramOrder] = deque()
        self._endings: deque[str] = deque()
        self._news: deque[ProgramNews] = deque()
        self._alive: dict[str, int] = {}
        """Starts that have been ordered and not ended, by key, with how often their task was not there."""
        self._found: dict[str, FoundProgram] | None = None
        self._beats = 0

    @property
    def labels(self) -> Collection[str]:
        """The labels that workers in the cluster have now."""
        return frozenset[str]().union(*(worker.open_labels for worker in self._cluster.workers.values()))

    @property
    def found(self) -> Mapping[str, FoundProgram] | None:
        """The newest start at each place that earlier runs have ordered, by place; None before that is known."""
        return self._found

    def start(self, order: ProgramOrder) -> None:
        """Have a program started, as soon as the scheduler can be reached."""
        self._orders.append(order)

    def end(self, key: str) -> None:
        """Have a program ended, as soon as the scheduler can be reached."""
        self._endings.append(key)

    def take_news(self) -> list[ProgramNews]:
        """Return what has happened since the last time, in order."""
        news = list(self._news)
        self._news.clear()
        return news

    @property
    def is_quiet(self) -> bool:
        """Whether everything that was ordered has been done, and no program is left."""
        return not self._orders and not self._endings and not self._alive

    async def tend(self) -> None:
        """Pass on what is ordered, and look after what runs, until cancelled."""
        loop = asyncio.get_running_loop()
        beat_at = states_at = loop.time()
        while True:
            async with self._cluster.answering() as dask:
                if dask is not None and dask is not self._met:
                    await self._meet(dask)
                    beat_at = states_at = loop.time()
                await self._pass_on(dask.scheduler)
                if loop.time() >= beat_at:
                    beat_at += RUN_BEAT_S
                    await self._beat(dask.scheduler)
                if loop.time() >= states_at:
                    states_at += STATES_S
                    await self._poll(dask.scheduler)
            await asyncio.sleep(TEND_S)

    async def _meet(self, dask: Client) -> None:
        """Find out what a scheduler knows that has not been met before."""
        dask.subscribe_topic(news_topic(self.scope), self._receive_news)
        if self._found is None:
            scheduler: Any = dask.scheduler
            numbers = await scheduler.get_metadata(keys=[STARTS_KEY, self.scope], default=None) or {}
            keys = {place: format_key(self.scope, place, number) for place, number in numbers.items() if number}
            states = await self._load_states(scheduler, keys.values())
            self._alive |= {key: 0 for key, state in states.items() if state in _UNDER_WAY}
            self._found = {place: FoundProgram(numbers[place], key in self._alive) for place, key in keys.items()}
        self._met = dask

    async def _pass_on(self, scheduler: Any) -> None:
        while self._orders:
            order = self._orders[0]
            await scheduler.set_metadata(keys=[STARTS_KEY, order.scope, order.place], value=order.number)
            resources = {f"{LABEL_RESOURCE}{order.label}": SHARE}
            future = self._cluster.submit(run_program, order, key=order.key, resources=resources)
            if future is None:
                return
            fire_and_forget(future)
            future.release()
            self._alive[order.key] = 0
            self._orders.popleft()
        while self._endings:
            key = self._endings[0]
            place, _, number = key.removeprefix(f"program-{self.scope}-").rpartition("-")
            keys = [STARTS_KEY, self.scope, place]
            if await scheduler.get_metadata(keys=keys, default=0) == int(number):
                await scheduler.set_metadata(keys=keys, value=0)
            await scheduler.event_set(name=key)
            self._endings.popleft()

    async def _beat(self, scheduler: Any) -> None:
        self._beats += 1
        # Another run begins with other numbers.
        await scheduler.set_metadata(keys=[RUNS_KEY, self.scope], value=f"{id(self)}-{self._beats}")

    async def _poll(self, scheduler: Any) -> None:
        states = await self._load_states(scheduler, self._alive)
        for key, polls in list(self._alive.items()):
            if key not in states or states[key] in _UNDER_WAY:
                self._alive[key] = 0
            elif polls + 1 < _GONE_POLLS:
                self._alive[key] = polls + 1
            else:
                await self._forget(key)
                self._news.append(ProgramNews(key, ProgramEvent.LOST, "its machine has gone"))

    @staticmethod
    async def _load_states(scheduler: Any, keys: Collection[str]) -> dict[str, str | None]:
        return dict(await scheduler.get_task_status(keys=list(keys))) if keys else {}

    async def _receive_news(self, event: tuple[float, Mapping[str, Any]]) -> None:
        news = ProgramNews.parse(event[1])
        if news is None:
            return
        self._news.append(news)
        if news.event is ProgramEvent.ENDED:
            await self._forget(news.key)

    async def _forget(self, key: str) -> None:
        self._alive.pop(key, None)
        async with self._cluster.answering() as dask:
            await dask.scheduler.event_clear(name=key)


# The worker's side


async def run_program(order: ProgramOrder) -> str:
    """Run a program until it ends by itself, is told to end, or has no run any more; return the key of its start."""
    worker = get_worker()
    assert isinstance(worker, Worker)

    def report(event: ProgramEvent, text: str) -> None:
        worker.log_event(news_topic(order.scope), ProgramNews(order.key, event, text).format())

    newest = await worker.scheduler.get_metadata(keys=[STARTS_KEY, order.scope, order.place], default=0)
    if newest != order.number:
        return order.key
    folder = _folder_of(worker)
    if folder not in _orphans_terminated:
        _orphans_terminated.add(folder)
        await asyncio.to_thread(end_left_behind, folder / BOTS_FOLDER)
    program = AgentProgram(order, folder)
    try:
        await program.start()
    except LaunchError as error:
        report(ProgramEvent.ENDED, str(error))
        return order.key
    report(ProgramEvent.STARTED, str(worker.name))
    terminated, ended = asyncio.create_task(_until_terminated(worker, order)), asyncio.create_task(program.wait())
    try:
        while not terminated.done() and not ended.done():
            await asyncio.wait([terminated, ended], timeout=PRINT_S, return_when=asyncio.FIRST_COMPLETED)
            if printed := program.take_output():
                report(ProgramEvent.PRINTED, printed)
        was_terminated = terminated.done()
    finally:
        terminated.cancel()
        await program.end()
    while printed := program.take_output():
        report(ProgramEvent.PRINTED, printed)
    how = "was told to end" if was_terminated else f"{order.name} {program.how_it_ended(await ended)}"
    report(ProgramEvent.ENDED, how)
    return order.key


def _folder_of(worker: Worker) -> Path:
    return Path(worker.settings.folder if isinstance(worker, TableWorker) else worker.local_directory)


async def _until_terminated(worker: Worker, order: ProgramOrder) -> None:
    """Return when the run has told this start to end, or when no run of the event has been there for too long."""
    loop = asyncio.get_running_loop()
    heard_at, beat = loop.time(), None
    while True:
        with contextlib.suppress(*DISCONNECTED):  # a worker without a scheduler ends soon, and this with it
            if await worker.scheduler.event_wait(name=order.key, timeout=POLL_RUN_S):
                return
            now = await worker.scheduler.get_metadata(keys=[RUNS_KEY, order.scope], default=0)
            if now != beat:
                heard_at, beat = loop.time(), now
        if loop.time() - heard_at > order.orphan_s:
            return


class AgentProgram(ProgramProcess):
    """A program at one seat of a table that is elsewhere."""

    _here = " here"

    def __init__(self, order: ProgramOrder, folder: Path) -> None:
        """Prepare a program without starting it.

        Args:
            order: what is started.
            folder: the folder of the worker, for what it and its programs write.
        """
        place, seat = Path(order.scope) / order.table, order.values.seat.title.lower()
        self.own = folder / "programs" / place / seat
        """Its own folder, where it may write, and which is kept."""
        words, own = fill_in_command(order.command, replace(order.values, folder=str(self.own)), self.own)
        started_in = Path(order.started_in).expanduser() if order.started_in is not None else Path.cwd()
        output = folder / BOTS_FOLDER / place / f"{seat}-{slug(order.values.team)}.log"
        super().__init__(order.name, words, started_in, output, own, forward=self._add_output)
        self._values = order.values
        self._terms = order.terms
        self._waiting = bytearray()
        """What it has printed and nobody has taken yet."""
        self._left_out = 0
        """How many bytes are missing before what waits."""
        self._lock = threading.Lock()
        """Held by who changes what waits: one thread adds to it, and another takes from it."""

    def _plan(self, words: list[str], variables: dict[str, str]) -> Start:
        return super()._plan(words, {**variables, TERMS_VARIABLE: self._terms.format()})

    def _add_output(self, data: bytes) -> None:
        with self._lock:
            self._waiting += data
            if len(self._waiting) > BEHIND_BYTES_MAX:
                self._left_out += len(self._waiting) - PRINTED_BYTES_MAX
                del self._waiting[:-PRINTED_BYTES_MAX]

    def take_output(self) -> str:
        """Return the next part of what it has printed, with a line that says so where something is missing."""
        with self._lock:
            data, left_out = bytes(self._waiting[:PRINTED_BYTES_MAX]), self._left_out
            del self._waiting[:PRINTED_BYTES_MAX]
            self._left_out = 0
        note = f"\n==== {left_out} bytes are left out here ====\n" if left_out else ""
        return note + data.decode("utf-8", "replace")

    def how_it_ended(self, status: int) -> str:
        # Programs print the words that they are started with.
        return super().how_it_ended(status).replace(self._values.login, self._values.team)
