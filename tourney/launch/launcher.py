"""Where a run starts its table hosts: the places that it has for them, and the local machine with its processes.

The coordinator reaches the operating system only through a `Launcher`, so that a simulation can replace it.
"""

import os
import secrets
import socket
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tourney.config import SandboxKind
from tourney.launch.hosts import FoundHost, HostHandle, HostProcess
from tourney.launch.program_order import LabelLauncher
from tourney.launch.sandbox import SandboxChoice, choose_kind
from tourney.log import DEFAULT_LEVEL
from tourney.runtime.open_files import check_tables_fit
from tourney.runtime.processes import ProcessId, is_running, own_process_id, sweep_processes
from tourney.store.control.hosts import WorkerInfo
from tourney.store.control.leases import ProcessIdentity


def this_process() -> ProcessIdentity:
    """Return the identity of this process, on this machine."""
    return ProcessIdentity(socket.gethostname(), os.getpid(), own_process_id().start)


def local_process(process: ProcessIdentity) -> ProcessId:
    """Return what identifies a process on its own machine."""
    return ProcessId(process.pid, process.pid_start)


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

    programs: LabelLauncher | None = None
    """Starts programs of teams on machines with a label; None where there is only one machine."""

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

    def place_of(self, name: str) -> str:  # noqa: ARG002 # one place has all hosts
        """Return the name of the place where the host of this name was started."""
        return ""

    def can_reach(self, process: ProcessIdentity) -> bool:
        """Whether `find_host` can tell how a host's process is."""
        return self.is_local(process)

    def workers(self, now_ms: int) -> Sequence[WorkerInfo]:  # noqa: ARG002 # one machine has none
        """Return the workers of the cluster, those for programs only included; `now_ms` is the time of the run."""
        return ()

    def take_news(self) -> list[str]:
        """Return what the organiser should know of the places since the last call, a sentence each."""
        return []

    def new_name(self, number: int, place: HostSlots) -> str:  # noqa: ARG002 # there is one
        """Choose a name for the `number`th host of an event that no other run can choose at the same time."""
        # The number is for people; the rest makes the name unique.
        return f"{number}-{secrets.token_hex(3)}"

    @abstractmethod
    def start_host(self, name: str, place: HostSlots) -> HostHandle:
        """Start a host that was added to the database under this name.

        Raises:
            LaunchError: it cannot be started.
        """

    def find_host(self, name: str, process: ProcessIdentity) -> HostHandle:
        """Return the host that an earlier run has started as this process, which it can reach; it may have ended."""
        return FoundHost(name, local_process(process))

    def end_orphans(self, spare: Collection[ProcessIdentity]) -> list[str]:  # noqa: ARG002 # there are none
        """End what earlier runs have left running, except the processes in `spare`; return a sentence for each."""
        return []

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

    def choose_sandbox(self, wanted: SandboxKind | None) -> SandboxChoice:
        return choose_kind(wanted)


class LocalLauncher(ProcessLauncher):
    """Starts each host as a process of this machine: `python -m tourney.host`."""

    def __init__(
        self,
        event_id: int,
        database_url: str,
        results: Path,
        logins: Mapping[str, str],
        *,
        log_level: str = DEFAULT_LEVEL,
    ) -> None:
        """Prepare to start hosts.

        Args:
            event_id: the event whose tables they play.
            database_url: the database of the record, password included.
            results: the results folder; the output of hosts goes to `hosts/` in it.
            logins: what programs of teams with a pass phrase log on with, by team name.
            log_level: the lowest level of messages that they log.
        """
        super().__init__(results)
        self._event_id = event_id
        self._database_url = database_url
        self._logins = logins
        self._log_level = log_level

    def start_host(self, name: str, place: HostSlots) -> HostHandle:  # noqa: ARG002
        output = self._results / "hosts" / f"{name}.log"
        host = HostProcess(name, self._event_id, self._database_url, output, self._logins, log_level=self._log_level)
        host.start()
        return host

    def check_capacity(self, at_once: int, hosts: int, ports: int) -> None:
        check_tables_fit(at_once, hosts, ports)
