"""The process behind `team_ports` as a run has it: started, kept at work, and found again by the next run."""

import socket
from pathlib import Path
from typing import Final

from tourney.config import PortRange
from tourney.coordinator.run_context import RunContext
from tourney.errors import LaunchError
from tourney.host.ports import open_ports
from tourney.host.relay import load_relay_key
from tourney.launch.hosts import FoundHost, HostHandle, HostProcess, HostSecrets, this_process
from tourney.runtime.processes import RECORD_NAME, ProcessId, is_running, load_processes
from tourney.store.control.leases import ProcessIdentity

NAME: Final = "team-ports"
_WHAT: Final = "server"

LOOPBACK: Final = "127.0.0.1"
"""Where the port for tunnels is opened: TLS is the business of the web server in front."""

START_AGAIN_MS: Final = 2000
"""How long it is left down after it has ended by itself."""


def open_fixed_port(host: str, port: int, refusal: str) -> socket.socket:
    """Listen on a port that the event file fixes.

    Raises:
        LaunchError: another program has it, which follows the words of `refusal`.
    """
    try:
        (listener,) = open_ports(host, PortRange(port, port), port, 1)
    except LaunchError:
        raise LaunchError(f"{refusal}: another program has it") from None
    return listener


def find_servers(results: Path) -> dict[str, ProcessId]:
    """Find the processes with ports of teams that runs of an event have started, by their names on record."""
    recorded = load_processes(results / "hosts" / RECORD_NAME)
    return {
        each.name: each.process
        for each in recorded
        if each.name.startswith(f"{_WHAT} {NAME} ") and is_running(each.process)
    }


class TeamPortsProcess:
    """Keeps the ports of teams open while an event is run, if it has any."""

    def __init__(self, run: RunContext, log_level: str) -> None:
        self._run = run
        self._results = run.file.results
        self._tables = run.config.tables
        self._log_level = log_level
        self._handle: HostHandle | None = None
        self._ended_at_ms: int | None = None

    @property
    def is_needed(self) -> bool:
        """Whether the event has ports of teams, or one for tunnels."""
        return self._tables.team_ports is not None or self._tables.connect_port is not None

    @property
    def _name(self) -> str:
        """The name of the process, by which the next run finds it: it says which ports it has."""
        tables = self._tables
        ports = [str(each) for each in (tables.team_ports, tables.connect_port) if each is not None]
        return f"{NAME} {' and '.join(ports)} at {tables.host}"

    def find(self) -> ProcessIdentity | None:
        """Return the process that an earlier run has started, if it is at work and has the right ports."""
        found = find_servers(self._results).get(f"{_WHAT} {self._name}")
        if found is None:
            return None
        process = ProcessIdentity(this_process().machine, found.pid, found.start)
        self._handle = FoundHost(self._name, process, _WHAT)
        return process

    def start(self) -> None:
        """Open the ports, unless `find` has found them open.

        Raises:
            LaunchError: another program has one of them, the key of its connections is missing, or the process cannot
                be started.
        """
        ports, connect_port, host = self._tables.team_ports, self._tables.connect_port, self._tables.host
        if not self.is_needed or self._handle is not None:
            return
        load_relay_key(self._results)
        listeners = []
        try:
            for number in range(ports.first, ports.last + 1) if ports is not None else ():
                what = f"port {number} of team_ports cannot be opened on {host}"
                listeners.append(open_fixed_port(host, number, what))
            of_teams = [str(listener.fileno()) for listener in listeners]
            more = ["--sockets", ",".join(of_teams)]
            if connect_port is not None:
                what = f"connect_port {connect_port} cannot be opened on {LOOPBACK}"
                listeners.append(open_fixed_port(LOOPBACK, connect_port, what))
                more += ["--connect-socket", str(listeners[-1].fileno())]
            sockets = [listener.fileno() for listener in listeners]
            process = HostProcess(
                self._name,
                self._run.event.id,
                HostSecrets(self._run.database.address),
                self._results / "hosts" / f"{NAME}.log",
                log_level=self._log_level,
                module="tourney.host.team_ports",
                more=more,
                what=_WHAT,
                sockets=sockets,
            )
            process.start()
        finally:
            for listener in listeners:
                listener.close()  # it has its own
        self._handle = process

    async def poll(self) -> None:
        """Start it again if it has ended; what is wrong is told once for each time."""
        now_ms = self._run.now_ms()
        if self._handle is not None:
            if self._handle.is_over:
                self._run.notify(f"{self._handle.how_it_ended()}; programs that played through it come back to it")
                self._handle, self._ended_at_ms = None, now_ms
        elif self._ended_at_ms is not None and now_ms - self._ended_at_ms >= START_AGAIN_MS:
            self._ended_at_ms = now_ms
            try:
                self.start()
                self._ended_at_ms = None
            except LaunchError as error:
                self._run.notify(str(error))

    async def stop(self) -> None:
        """Close the ports: the event is over, or the run is stopped."""
        if self._handle is not None:
            await self._handle.stop()
            self._handle = None

    def release(self) -> None:
        """Leave the process to another run."""
        if self._handle is not None:
            self._handle.leave()
            self._handle = None
