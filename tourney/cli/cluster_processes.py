"""A cluster of processes on this machine: a scheduler and workers, as each would run on a machine of its own."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

import psutil

from tourney.errors import LaunchError
from tourney.runtime.privacy import without_secrets

POLL_S: Final = 0.1
"""How often it is looked whether something has happened in another process, in seconds."""

_END_S: Final = 15.0
"""How long a scheduler or a worker may take to end, in seconds."""


class ClusterProcesses:
    """A scheduler and its workers, which `tourney scheduler` and `tourney worker` are."""

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
        self.key_file = folder / "cluster.key"
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
            key = ("--key-file", str(self.key_file))
            words = ("scheduler", "--host", "127.0.0.1", "--port", "0", *key)
            scheduler = stack.enter_context(self._started("scheduler", words))
            found = re.search(r"--scheduler (\S+)", self._read_until(scheduler, "scheduler", r"--scheduler \S+"))
            assert found is not None
            self.scheduler = found[1]
            for name, tables in self._tables.items():
                place = ("--name", name, "--folder", str(self._folder_of(name)), "--tables", str(tables))
                joined = ("worker", "--scheduler", self.scheduler, *place, *key)
                self._workers[name] = stack.enter_context(self._started(f"worker {name}", joined))
            for name, worker in self._workers.items():
                self._read_until(worker, f"worker {name}", "in the cluster of")
            yield self

    @property
    def launch_section(self) -> str:
        """The `[launch]` of an event file, with which a run uses this cluster."""
        return f'[launch]\nengine = "dask"\nscheduler = "{self.scheduler}"\nkey_file = "{self.key_file}"\n'

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
        return self._folder / f"worker-{worker}"

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
