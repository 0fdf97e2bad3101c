"""The table hosts of one run: as many as there are cores, tables spread over them."""

import os
from pathlib import Path
from typing import Final

from tourney.errors import LaunchError
from tourney.launch.hosts import HostProcess

HOSTS_LOST_MAX: Final = 5
"""Hosts that may die in one run before it gives up: something is wrong with the machine, not with a table."""


class HostPool:
    """Starts hosts when they are needed and keeps count of the tables of each."""

    def __init__(self, event_id: int, database_url: str, results: Path, size: int) -> None:
        self._event_id = event_id
        self._database_url = database_url
        self._results = results
        self.size = size
        self._hosts: list[HostProcess] = []
        self._tables: dict[str, set[int]] = {}
        self._started = 0
        self._lost = 0

    async def place(self, table_id: int) -> str:
        """The host with the fewest tables, started if there are fewer hosts than there may be; it gets this one.

        Raises:
            LaunchError: no host can be started, or too many have died.
        """
        if self._lost > HOSTS_LOST_MAX:
            raise LaunchError(f"{self._lost} table hosts have died in this run, at most {HOSTS_LOST_MAX} may")
        idle = [host for host in self._hosts if not self._tables[host.name]]
        if not idle and len(self._hosts) < self.size:
            await self._start()
        name = min(self._tables, key=lambda name: len(self._tables[name]))
        self._tables[name].add(table_id)
        return name

    async def _start(self) -> None:
        self._started += 1
        # The process id tells the hosts of this run from those of one that was killed.
        name = f"{os.getpid()}-{self._started}"
        host = HostProcess(name, self._event_id, self._database_url, self._results / "hosts" / f"{name}.log")
        await host.start()
        self._hosts.append(host)
        self._tables[name] = set()

    def leave(self, table_id: int) -> None:
        """A table is over."""
        for tables in self._tables.values():
            tables.discard(table_id)

    def take_dead(self) -> list[HostProcess]:
        """Hosts that have ended by themselves; they are forgotten."""
        dead = [host for host in self._hosts if host.status is not None]
        for host in dead:
            self._hosts.remove(host)
            del self._tables[host.name]
            self._lost += 1
        return dead

    async def stop(self) -> None:
        """End all hosts."""
        for host in self._hosts:
            host.ask_to_stop()
        for host in self._hosts:
            await host.stop()
        self._hosts.clear()
        self._tables.clear()
