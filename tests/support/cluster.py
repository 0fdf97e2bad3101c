"""A cluster of real processes on this machine: a scheduler, and workers as on other machines."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from tests.support.events import start_tourney

WAIT_S = 60


def until(is_so: Callable[[], bool], what: str) -> None:
    """Wait for something to become true."""
    deadline = time.monotonic() + WAIT_S
    while not is_so():
        assert time.monotonic() < deadline, f"after {WAIT_S} s not yet: {what}"
        time.sleep(0.02)  # until another process has done it


class RealCluster:
    """The processes of a cluster; each has a folder of its own, as it would have a machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = ""
        self.key_file = folder / "cluster.key"
        self.processes: dict[str, subprocess.Popen[str]] = {}

    def start_scheduler(self, port: int = 0) -> None:
        """Start the scheduler, and wait until it listens."""
        words = ("--host", "127.0.0.1", "--port", str(port), "--key-file", self.key_file)
        self._start("scheduler", "scheduler", *words)
        found = re.search(r"--scheduler (\S+)", self.read_until("scheduler", "Ctrl-C ends"))
        assert found is not None
        self.address = found[1]

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def start_worker(self, name: str, tables: int = 4) -> None:
        """Start a worker; it joins by itself."""
        words = ("--scheduler", self.address, "--name", name, "--tables", str(tables), "--key-file", self.key_file)
        self._start(name, "worker", *words, "--folder", self.folder / name)

    def read_until(self, name: str, text: str) -> str:
        """What a process has printed, once `text` is in it."""
        log = self.folder / f"{name}.out"
        until(lambda: text in log.read_text(), f"{name} prints {text!r}, but {log.read_text()!r}")
        return log.read_text()

    def _start(self, name: str, *words: str | Path) -> None:
        self.folder.mkdir(exist_ok=True)
        process = start_tourney(*words, cwd=self.folder, output=self.folder / f"{name}.out")
        self.processes[name] = process

    def kill(self, name: str, number: signal.Signals = signal.SIGKILL) -> None:
        """Send a signal to a scheduler, or to the process that keeps a worker: the nanny."""
        os.kill(self.processes[name].pid, number)
        if number is signal.SIGKILL:
            self.processes[name].wait()

    def kill_dask_worker(self, name: str) -> None:
        """Kill the worker under its nanny."""
        (worker,) = self.dask_workers(name)
        worker.kill()
        worker.wait()

    def dask_workers(self, name: str) -> list[psutil.Process]:
        """The process below a nanny that is the worker."""
        children = psutil.Process(self.processes[name].pid).children()
        return [each for each in children if "spawn_main" in " ".join(each.cmdline())]

    def end(self) -> None:
        """Kill everything: that it leaves in order is what tests/e2e/test_cluster_processes.py is about."""
        for process in self.processes.values():
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # a nanny and its worker
            process.wait()
        for each in processes_in(self.folder):
            with suppress(psutil.NoSuchProcess):
                each.kill()


@contextmanager
def real_cluster(folder: Path, *workers: str, tables: int = 4) -> Iterator[RealCluster]:
    """Run a cluster of these workers; whatever is left of it at the end is killed."""
    cluster = RealCluster(folder)
    try:
        cluster.start_scheduler()
        for name in workers:
            cluster.start_worker(name, tables)
        for name in workers:
            cluster.read_until(name, "in the cluster of")
        yield cluster
    finally:
        cluster.end()


def processes_in(folder: Path) -> list[psutil.Process]:
    """The processes whose command line names a folder."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if str(folder) in " ".join(process.cmdline()) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found
