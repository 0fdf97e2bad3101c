"""Where a run starts its table hosts, and what it has of each: the processes of this machine, and those found again.

The coordinator reaches the operating system only through a `Launcher`, so that a simulation can replace it. A host
does not end with the run that started it: it plays on, and a later run may find it.
"""

import argparse
import asyncio
import contextlib
import json
import logging
import os
import secrets
import signal
import socket
import subprocess
import sys
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, ClassVar, Final

from tourney.config import SandboxKind
from tourney.errors import LaunchError, TourneyError
from tourney.launch.output import OutputFile, start_thread
from tourney.launch.sandbox import SandboxChoice, choose_kind
from tourney.log import DEFAULT_LEVEL, LEVELS, configure_logging
from tourney.runtime.open_files import check_tables_fit
from tourney.runtime.privacy import forbid_tracing, without_secrets
from tourney.runtime.processes import (
    MARK,
    RECORD_NAME,
    ProcessId,
    end_left_behind,
    is_running,
    is_suspended,
    own_process_id,
    record_process,
    started_process,
    sweep_processes,
)
from tourney.store.control.hosts import WorkerInfo
from tourney.store.control.leases import ProcessIdentity

_LOGGER: Final = logging.getLogger(__name__)


def this_process() -> ProcessIdentity:
    """Return the identity of this process, on this machine."""
    return ProcessIdentity(socket.gethostname(), os.getpid(), own_process_id().start)


def local_process(process: ProcessIdentity) -> ProcessId:
    """Return what identifies a process on its own machine."""
    return ProcessId(process.pid, process.pid_start)


@dataclass(frozen=True, slots=True)
class HostSecrets:
    """What a table host is told by a pipe, because a command line or an environment could be read by others."""

    database_url: str = field(repr=False)
    """The database of the record, password included."""
    passphrases: Mapping[str, str] = field(repr=False, default_factory=dict)
    """The passphrases of entrants that have one, by name; the database has hashes only."""

    def format(self) -> bytes:
        return json.dumps({"database": self.database_url, "passphrases": dict(self.passphrases)}).encode()

    @staticmethod
    def parse(data: bytes) -> "HostSecrets":
        """Read what `format` wrote.

        Raises:
            LaunchError: it is something else.
        """
        try:
            found = json.loads(data)
            return HostSecrets(str(found["database"]), dict(found["passphrases"]))
        except (ValueError, TypeError, KeyError):
            raise LaunchError(
                f"a table host reads its database from standard input, where its run writes it; got {len(data)} bytes"
            ) from None


def serve_as_host(parser: argparse.ArgumentParser, serve: Callable[[argparse.Namespace, HostSecrets], None]) -> None:
    """Do the work of a process that `HostProcess` has started; exit with status 1 and a sentence if that fails.

    Args:
        parser: knows the arguments that only this kind of process has.
        serve: does the work until the process is told to end.
    """
    forbid_tracing()
    parser.add_argument("event_id", type=int)
    parser.add_argument("name")
    parser.add_argument("--log-level", choices=LEVELS, default=DEFAULT_LEVEL)
    parser.add_argument("--log-file", type=Path)
    words, _ = parser.parse_known_args()  # benchmarks that run a host add arguments of their own
    try:
        configure_logging(level=words.log_level, file=words.log_file, to_stderr=True)
        serve(words, HostSecrets.parse(sys.stdin.buffer.read()))
    except TourneyError as error:
        _LOGGER.critical(str(error), extra={"action": "host_failed", "host": words.name})
        sys.exit(error.exit_status)


STOP_S: Final = 10.0
"""How long a host may take to end its sessions and programs before it is killed, in seconds."""

_KILL_S: Final = 2.0
"""How long a killed process may take to vanish, in seconds."""

_POLL_S: Final = 0.02


class HostHandle(ABC):
    """What a run has of a table host: it sees how the host is, and can end it."""

    starts_later: ClassVar[bool] = False
    """Whether the host begins when its place has room for it, and not at once."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether its process has ended."""

    @property
    def is_suspended(self) -> bool:
        """Whether its process was stopped by a signal; False where only its lease shows it."""
        return False

    @abstractmethod
    def how_it_ended(self) -> str:
        """Describe in a sentence how it ended, once it has ended."""

    @abstractmethod
    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, unless it has ended."""

    def note_process(self, process: ProcessIdentity) -> None:  # noqa: B027 # known where it is our child
        """Take note of the process that has joined as this host."""

    def leave(self) -> None:  # noqa: B027 # nothing to do unless it is our child
        """Let it continue without us."""

    async def stop(self) -> None:
        """Tell it to end its sessions and itself; kill it if it does not."""
        self.send_signal(signal.SIGTERM)
        if not await self._until_over(STOP_S):
            await self.kill()

    async def kill(self) -> None:
        """Kill it now, even if it is suspended."""
        self.send_signal(signal.SIGKILL)
        await self._until_over(_KILL_S)

    async def _until_over(self, seconds: float) -> bool:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.is_over:  # noqa: ASYNC110 # nothing notifies us about a process that is not our child
                    await asyncio.sleep(_POLL_S)
        return self.is_over


class HostProcess(HostHandle):
    """A `python -m tourney.host` process that we start."""

    def __init__(
        self,
        name: str,
        event_id: int,
        host_secrets: HostSecrets,
        output: Path,
        *,
        log_level: str = DEFAULT_LEVEL,
        module: str = "tourney.host",
        more: Sequence[str] = (),
        what: str = "table host",
        sockets: Sequence[int] = (),
    ) -> None:
        """Prepare to start.

        Args:
            name: the name under which the host was added to the database.
            event_id: the event whose tables it plays.
            host_secrets: what it is told by a pipe.
            output: the file that receives its output.
            log_level: the level of its log, a file beside its output with the same name and the suffix `.jsonl`.
            module: the module to run; measurements run one that wraps the usual one.
            more: further arguments for that module.
            what: what sentences call the process, before its name.
            sockets: file descriptors that it takes over from us.
        """
        super().__init__(name)
        self._title = f"{what} {name}"
        self._sockets = tuple(sockets)
        logging_words = ["--log-level", log_level, "--log-file", str(output.with_suffix(".jsonl"))]
        self._words = [sys.executable, "-m", module, str(event_id), name, *more, *logging_words]
        self._host_secrets = host_secrets
        self._output = OutputFile(output)
        self.started: ProcessId | None = None
        """What identifies the process, once it has been started."""
        # Not asyncio's, which kills its processes when the event loop is closed.
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process.

        Raises:
            LaunchError: it cannot be started.
        """
        mark = uuid.uuid4().hex
        process = None
        try:
            with self._output.open() as file:
                process = self._process = subprocess.Popen(  # noqa: S603 # ours
                    self._words,
                    stdin=subprocess.PIPE,
                    stdout=file,
                    stderr=file,
                    env=without_secrets(os.environ) | {MARK: mark},
                    # Ctrl-C is for the run: it tells its hosts, and waits until the players have been disconnected.
                    start_new_session=True,
                    pass_fds=self._sockets,
                )
            assert process.stdin is not None
            started = started_process(self._title, process.pid, mark, STOP_S)
            record_process(self._output.path.parent / RECORD_NAME, started)
            self.started = started.process
            # Secrets of many teams are more than a pipe may hold before the host reads.
            start_thread(partial(self._send_secrets, process.stdin), "host secrets")
        except OSError as error:
            if process is not None and process.stdin is not None:
                process.stdin.close()
                process.kill()
            raise LaunchError(f"{self._title} cannot be started: {error}") from None

    def _send_secrets(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(BrokenPipeError), pipe:  # it has ended, and says why
            pipe.write(self._host_secrets.format())

    @property
    def status(self) -> int | None:
        """The exit status; None while it works, and before it was started."""
        return self._process.poll() if self._process is not None else None

    @property
    def is_over(self) -> bool:
        return self._process is None or self.status is not None

    @property
    def is_suspended(self) -> bool:
        return self.started is not None and is_suspended(self.started)

    def how_it_ended(self) -> str:
        """Describe its end: `table host 1 ended with status 1: <the line that says what happened>`."""
        how = f"{self._title} ended with status {self.status}"
        line = self._output.error_line()
        return f"{how}: {line}" if line else how

    def send_signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)  # does nothing once its exit status has been read

    def leave(self) -> None:
        if self._process is not None and self.status is None:
            self._process.returncode = 0  # it outlives us on purpose: keeps Python from warning


class FoundHost(HostHandle):
    """A host that an earlier run has started; of one on another machine nobody can see here how it is, nor end it."""

    def __init__(self, name: str, process: ProcessIdentity, what: str = "table host") -> None:
        super().__init__(name)
        self._title = f"{what} {name}"
        self._process = local_process(process)
        self._is_here = process.machine == socket.gethostname()

    @property
    def is_over(self) -> bool:
        return self._is_here and not is_running(self._process)

    @property
    def is_suspended(self) -> bool:
        return self._is_here and is_suspended(self._process)

    def how_it_ended(self) -> str:
        return f"{self._title}, process {self._process.pid}, has ended"

    def send_signal(self, number: signal.Signals) -> None:
        if self._is_here and not self.is_over:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(self._process.pid, number)


def end_programs(results: Path) -> None:
    """End, in a thread, the programs that hosts have left which are gone; what they write is in this folder.

    Where the system has no signal for the death of a parent, or a program has started others, they would play on.
    """

    def end() -> None:
        for sentence in end_left_behind(results / "bots"):
            _LOGGER.warning(sentence, extra={"action": "orphan_ended"})

    with contextlib.suppress(OSError):  # there are no more threads: the next run ends them
        start_thread(end, "programs left")


# Where hosts are started


@dataclass(frozen=True, slots=True)
class HostSlots:
    """Where table hosts can be started: this machine, or a worker of a cluster."""

    name: str
    """Empty for this machine."""
    hosts: int
    """How many hosts there may be at the same time."""
    tables: int | None = None
    """How many tables its hosts may have together; None without a limit."""
    is_draining: bool = False
    """Whether it is to be given no more hosts and tables."""


class Launcher(ABC):
    """Starts table hosts and knows which of their processes run. `process` is that of the run."""

    has_workers: ClassVar[bool] = False
    """Whether hosts are on machines that come and go."""

    def __init__(self, process: ProcessIdentity) -> None:
        self.process = process

    def is_local(self, process: ProcessIdentity) -> bool:
        """Whether a process is, or was, on this machine."""
        return process.machine == self.process.machine

    def has_restarted_since(self, process: ProcessIdentity) -> bool:
        """Whether this machine was restarted after a process of it had started; False where that is not known."""
        boots = {process.boot, self.process.boot}
        return self.is_local(process) and len(boots) == 2 and "" not in boots

    def is_running(self, process: ProcessIdentity) -> bool:
        """Whether a process of this machine is running."""
        return is_running(local_process(process))

    async def open(self) -> None:  # noqa: B027 # a machine is always there
        """Reach what starts hosts; called once, before anything else is asked for.

        Raises:
            LaunchError: it cannot be reached or used.
        """

    async def close(self) -> None:  # noqa: B027
        """Let go of what starts hosts; hosts that are left play on."""

    def places(self, hosts: int) -> Sequence[HostSlots]:
        """Return where hosts can be started now; `hosts` is how many the organiser wants on one machine."""
        return (HostSlots("", hosts),)

    def workers(self, now_ms: int) -> Sequence[WorkerInfo]:  # noqa: ARG002 # one machine has none
        """Return the workers of the cluster, those for programs only included; `now_ms` is the time of the run."""
        return ()

    def take_news(self) -> list[str]:
        """Return what the organiser should know of the places since the last call, a sentence each."""
        return []

    def new_name(self, number: int, place: HostSlots) -> str:
        """Choose a name for the `number`th host of an event that no other run can choose at the same time."""
        # Number and place are for people; the rest makes the name unique.
        return "-".join(filter(None, (str(number), place.name, secrets.token_hex(3))))

    @abstractmethod
    def start_host(self, name: str, place: HostSlots) -> HostHandle:
        """Start a host that was added to the database under this name.

        Raises:
            LaunchError: it cannot be started.
        """

    def find_host(self, name: str, process: ProcessIdentity, place: str) -> HostHandle | None:  # noqa: ARG002
        """Return the host that an earlier run has started as this process in this place; it may have ended.

        None if nobody can tell from here how it is.
        """
        return FoundHost(name, process) if self.is_local(process) else None

    def end_orphans(self, spare: Collection[ProcessIdentity]) -> list[str]:  # noqa: ARG002 # there are none
        """End what earlier runs have left running, except the processes in `spare`; return a sentence for each."""
        return []

    def end_programs(self) -> None:  # noqa: B027 # hosts that are no processes of their own start none
        """End the programs of hosts of this machine that are gone."""

    def check_capacity(self, at_once: int, hosts: int, ports: int) -> None:  # noqa: B027 # others have room
        """Check that `at_once` matches in parallel fit into `hosts` hosts, with `ports` ports per table.

        Raises:
            LaunchError: they do not fit.
        """

    def choose_sandbox(self, wanted: SandboxKind | None) -> SandboxChoice:
        """Choose the sandbox of programs that this machine has: the one that is wanted, None for the best.

        Hosts that are no processes of their own start no programs.

        Raises:
            LaunchError: what is wanted cannot be had.
        """
        return SandboxChoice(wanted or SandboxKind.NONE)


class ProcessLauncher(Launcher):
    """Starts each host as a process of its own, which leaves output and programs in a results folder."""

    def __init__(self, results: Path) -> None:
        super().__init__(this_process())
        self._results = results

    def end_orphans(self, spare: Collection[ProcessIdentity]) -> list[str]:
        return sweep_processes(self._results, spare=[local_process(process) for process in spare])

    def end_programs(self) -> None:
        end_programs(self._results)

    def choose_sandbox(self, wanted: SandboxKind | None) -> SandboxChoice:
        return choose_kind(wanted)


class LocalLauncher(ProcessLauncher):
    """Starts each host as a process of this machine: `python -m tourney.host`."""

    def __init__(
        self,
        event_id: int,
        host_secrets: HostSecrets,
        results: Path,
        *,
        log_level: str = DEFAULT_LEVEL,
    ) -> None:
        """Prepare to start hosts.

        Args:
            event_id: the event whose tables they play.
            host_secrets: what they are told by a pipe.
            results: the results folder; the output of hosts goes to `hosts/` in it.
            log_level: the lowest level of messages that they log.
        """
        super().__init__(results)
        self._event_id = event_id
        self._host_secrets = host_secrets
        self._log_level = log_level

    def start_host(self, name: str, place: HostSlots) -> HostHandle:  # noqa: ARG002
        output = self._results / "hosts" / f"{name}.log"
        host = HostProcess(name, self._event_id, self._host_secrets, output, log_level=self._log_level)
        host.start()
        return host

    def check_capacity(self, at_once: int, hosts: int, ports: int) -> None:
        check_tables_fit(at_once, hosts, ports)
