"""A team's program on a machine with a label: the task that runs it, and tells what it prints and how it ends.

Everything goes through the scheduler, which a worker reaches by connections of its own: nobody connects to a worker,
and no result is fetched from it. What a worker tells are Dask's events of a topic; what it is told are Dask's events
with a name, the key of the program's start. The scheduler's metadata has, for each place, the number of the newest
start: no other one may run, whatever Dask starts again.
"""

import asyncio
import contextlib
import threading
from dataclasses import replace
from pathlib import Path
from typing import Final

from distributed import Worker, get_worker

from tourney.config import slug
from tourney.errors import LaunchError
from tourney.launch.cluster.connection import DISCONNECTED
from tourney.launch.cluster.worker import BOTS_FOLDER, TableWorker
from tourney.launch.program import ProgramProcess, fill_in_command
from tourney.launch.program_order import ProgramEvent, ProgramNews, ProgramOrder, news_topic
from tourney.runtime.processes import end_left_behind

STARTS_KEY: Final = "tourney-programs"
"""The key of the scheduler's metadata with the number of the newest start, by event and place."""

RUNS_KEY: Final = "tourney-runs"
"""The key of the scheduler's metadata with a number for each event, which its run counts up while it is there."""

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
        self._printed = _PrintedText()
        super().__init__(order.name, words, started_in, output, own, forward=self._printed.add)
        self._values = order.values

    def take_output(self) -> str:
        """Return what the program has printed since the last time, or the next part of it."""
        return self._printed.take()

    def how_it_ended(self, status: int) -> str:
        # Programs print the words that they are started with.
        return super().how_it_ended(status).replace(self._values.login, self._values.team)


class _PrintedText:
    """What a program has printed and nobody has taken yet; added to in one thread, and taken in another."""

    def __init__(self) -> None:
        self._waiting = bytearray()
        self._left_out = 0
        """How many bytes are missing before what waits."""
        self._lock = threading.Lock()

    def add(self, data: bytes) -> None:
        with self._lock:
            self._waiting += data
            if len(self._waiting) > BEHIND_BYTES_MAX:
                self._left_out += len(self._waiting) - PRINTED_BYTES_MAX
                del self._waiting[:-PRINTED_BYTES_MAX]

    def take(self) -> str:
        """Return the next part, with a line that says so where something is missing before it."""
        with self._lock:
            data, left_out = bytes(self._waiting[:PRINTED_BYTES_MAX]), self._left_out
            del self._waiting[:PRINTED_BYTES_MAX]
            self._left_out = 0
        note = f"\n==== {left_out} bytes are left out here ====\n" if left_out else ""
        return note + data.decode("utf-8", "replace")
