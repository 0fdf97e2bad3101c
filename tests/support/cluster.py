"""A cluster of real processes on this machine: a scheduler, and workers as on other machines."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import create_engine, text

from tests.support.commands import run
from tests.support.events import PATIENCE_S, bot, check_played_once, start_tourney, until, write_event
from tourney.cluster.connection import make_keys


class RealCluster:
    """The processes of a cluster; each has a folder of its own, as it would have a machine."""

    def __init__(self, folder: Path, host: str = "127.0.0.1") -> None:
        """Prepare a cluster whose scheduler listens on an address of this machine."""
        self.folder = folder
        self.host = host
        self.address = ""
        self.keys = folder / "keys"
        self.processes: dict[str, subprocess.Popen[str]] = {}

    def start_scheduler(self, port: int = 0) -> None:
        """Start the scheduler, and wait until it listens."""
        if not self.keys.exists():
            make_keys(self.keys)
        words = ("--host", self.host, "--port", str(port), "--keys", self.keys)
        self._start("scheduler", "cluster", "scheduler", *words)
        found = re.search(r"--scheduler (\S+)", self.read_until("scheduler", "Ctrl-C ends"))
        assert found is not None
        self.address = found[1]

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def start_worker(self, name: str, on: Sequence[str] = ()) -> None:
        """Start a worker, by words that put it on another machine; it joins by itself."""
        words = ("--scheduler", self.address, "--name", name, "--tables", "4", "--keys", self.keys)
        self._start(name, "cluster", "worker", *words, on=on)

    def folder_of(self, name: str) -> Path:
        """The folder in which a worker and its hosts write."""
        return self.folder / f"tourney-worker-{name}"

    def read_until(self, name: str, text: str) -> str:
        """What a process has printed, once `text` is in it."""
        log = self.folder / f"{name}.out"
        until(lambda: text in log.read_text(), f"{name} prints {text!r}, but {log.read_text()!r}")
        return log.read_text()

    def _start(self, name: str, *words: str | Path, on: Sequence[str] = ()) -> None:
        self.folder.mkdir(exist_ok=True)
        process = start_tourney(*words, cwd=self.folder, output=self.folder / f"{name}.out", on=on)
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
        left = processes_in(self.folder)
        for process in self.processes.values():
            if process.poll() is None:
                left += psutil.Process(process.pid).children(recursive=True)
                process.kill()
        for each in left:
            with suppress(psutil.NoSuchProcess):
                each.kill()
        for process in self.processes.values():
            process.wait()
        psutil.wait_procs(left, PATIENCE_S)


@contextmanager
def real_cluster(folder: Path, *workers: str, host: str = "127.0.0.1") -> Iterator[RealCluster]:
    """Run a cluster of these workers; whatever is left of it at the end is killed."""
    cluster = RealCluster(folder, host)
    try:
        cluster.start_scheduler()
        for name in workers:
            cluster.start_worker(name)
        for name in workers:
            cluster.read_until(name, "in the cluster of")
        yield cluster
    finally:
        cluster.end()


def has_ended(pid: int) -> bool:
    """Whether a process is over; one that nobody has waited for is."""
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return True


def processes_in(folder: Path) -> list[psutil.Process]:
    """The processes whose command line names a folder."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if str(folder) in " ".join(process.cmdline()) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


class ClusterEvent:
    """An event of two teams on a cluster, and its record."""

    def __init__(
        self,
        folder: Path,
        cluster: RealCluster,
        url: str,
        tables: str,
        boards: int = 8,
        workers_url: str = "",
        *,
        is_alpha_elsewhere: bool = False,
    ) -> None:
        """Write the file of an event.

        Args:
            folder: where it is to be.
            cluster: where its tables are played.
            url: the record, as the run reaches it.
            tables: lines of `[tables]`.
            boards: those of its one match.
            workers_url: the record as workers reach it, if that is not the same.
            is_alpha_elsewhere: whether nobody starts the programs of team Alpha.
        """
        launch = f'scheduler = "{cluster.address}"\nkeys = "{cluster.keys}"\n'
        if workers_url:
            launch += f'database = "{workers_url}"\n'
        seeds = [os.getpid() * 10 + number for number in (1, 2)]
        self.seeds = set(map(str, seeds))
        alpha = None if is_alpha_elsewhere else bot(seeds[0], "basic", think_ms=40)
        teams = [("Alpha", alpha), ("Beta", bot(seeds[1], think_ms=40))]
        self.event = write_event(
            folder, teams, boards=boards, extra=f"[launch]\n{launch}", tables=tables, record=False
        )
        head = self.event.read_text().replace('results = "results"\n', f'results = "results"\ndatabase = "{url}"\n')
        self.event.write_text(head)
        self.boards = boards
        self.cluster = cluster
        self._engine = create_engine(
            url.replace("postgresql://", "postgresql+psycopg://"), isolation_level="AUTOCOMMIT"
        )

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        with self._engine.connect() as connection:
            return [tuple(row) for row in connection.execute(text(sql))]

    def count(self, sql: str) -> int:
        return int(self.query(f"SELECT count(*) FROM {sql}")[0][0])

    def until_calls(self) -> None:
        """Wait until some more calls and cards have been made: tables play."""
        goal = self.count("calls") + self.count("cards") + 8
        until(lambda: self.count("calls") + self.count("cards") >= goal, f"{goal} calls and cards")

    def tables(self) -> dict[str, tuple[str, int, int]]:
        """The host of each table that is played, its process and the attempt, by room."""
        rows = self.query(
            "SELECT t.room, h.name, h.pid, t.attempt FROM tables t JOIN hosts h ON h.name = t.host "
            "WHERE t.state IN ('open', 'playing') AND h.ended_at_ms IS NULL"
        )
        return {room: (name, pid, attempt) for room, name, pid, attempt in rows}

    def until_both_play(self) -> None:
        until(lambda: len(self.tables()) == 2, "both tables are played")

    def programs(self) -> list[psutil.Process]:
        """The programs of this event's teams that run, by their seeds, which nobody else has."""
        found = []
        for process in processes_in(Path("--style")):
            with suppress(psutil.Error):  # it has ended meanwhile
                words = process.cmdline()
                if "--seed" in words and "bwrap" not in words[0] and words[words.index("--seed") + 1] in self.seeds:
                    found.append(process)
        return found

    def check_whole(self) -> None:
        """Each board is there once at each table with all its calls and cards, and nobody is at work any more."""
        check_played_once(self.event, self.boards, self.query)
        verified = run("verify", self.event)
        assert verified.exit_code == 0, verified.stdout + verified.stderr
        until(lambda: not self.programs(), "no program runs")

    def close(self) -> None:
        self._engine.dispose()
