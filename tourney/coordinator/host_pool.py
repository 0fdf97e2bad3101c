"""The table hosts of a run: those it starts, by default one per core, and those of earlier runs that it finds alive.

A host counts as dead when its process has ended, or when it has sent no heartbeat for a lease time. Silence is
measured by our own clock from changes on record, so that the clocks of other machines do not matter.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from tourney.coordinator.host_losses import LOST_WITHIN_MS, SUSPECT_HOSTS_MAX, HostLosses
from tourney.errors import LaunchError, StoreError
from tourney.launch.hosts import LocalHost
from tourney.launch.launcher import Launcher
from tourney.store.control.hosts import HostInfo, add_host, count_hosts, end_host, load_hosts
from tourney.store.control.leases import HeartbeatMonitor, ProcessIdentity
from tourney.store.db.database import Database
from tourney.table.clock import HostClock

HOSTS_LOST_MAX: Final = 5
"""Hosts that may die within `LOST_WITHIN_MS` before a run gives up: the cause is then not a table. Those that one
table may have killed count once."""

JOIN_MS: Final = 30_000
"""How long a host may take to send its first heartbeat, in ms."""


@dataclass(slots=True)
class _Member:
    info: HostInfo
    local: LocalHost | None
    """None for a host on another machine, which keeps its tables but is given no more."""
    tables: set[int] = field(default_factory=set)
    is_leaving: bool = False
    """Whether it has announced its end."""
    suspended_since_ms: int | None = None
    """When its process was first seen stopped by a signal; None while it runs."""


@dataclass(frozen=True, slots=True)
class DeadHost:
    """A host that has stopped playing, with the reason as a sentence."""

    info: HostInfo
    reason: str


class HostPool:
    """Starts hosts when they are needed and counts the tables of each."""

    def __init__(
        self,
        database: Database,
        event_id: int,
        *,
        launcher: Launcher,
        clock: HostClock,
        size: int,
        lease_s: int,
        outage_s: int,
    ) -> None:
        """Prepare to start hosts.

        Args:
            database: the record.
            event_id: the event whose tables the hosts play.
            launcher: starts the hosts.
            clock: the clock of the run.
            size: the maximum number of hosts.
            lease_s: how long a host may be silent before it counts as dead.
            outage_s: how much longer while the database is slow or cannot be used; hosts themselves wait no longer.
        """
        self.size = size
        self.was_machine_restarted = False
        """Whether this machine was restarted while hosts of an earlier run were at work."""
        self._database = database
        self._event_id = event_id
        self._launcher = launcher
        self._clock = clock
        self._lease_s = lease_s
        self._outage_s = outage_s
        self._heartbeats = HeartbeatMonitor()
        self._members: dict[str, _Member] = {}
        self._losses = HostLosses()

    @property
    def losses(self) -> HostLosses:
        """The hosts that have died, and the tables that they had."""
        return self._losses

    # Hosts of earlier runs

    def find_living(self) -> dict[str, ProcessIdentity | None]:
        """Add the hosts of earlier runs that may be alive, and declare the others dead.

        Returns:
            The processes of the living hosts by name; None for those on other machines, which only silence shows to
            be dead.

        Raises:
            StoreError: the database cannot be used.
        """
        found: dict[str, ProcessIdentity | None] = {}
        for info in load_hosts(self._database, self._event_id):
            process = info.process
            if process is not None and self._launcher.has_restarted_since(process):
                self.was_machine_restarted = True
            if process is not None and not self._launcher.is_local(process):
                self._members[info.name] = _Member(info, None)
                found[info.name] = None
                continue
            local = self._launcher.find_host(info.name, process) if process is not None else None
            if local is None or local.is_over:
                end_host(self._database, info, "it was gone when a run began", self._clock.wall_ms())
                continue
            self._members[info.name] = _Member(info, local)
            found[info.name] = process
        return found

    def keep(self, table_id: int, host: str | None) -> bool:
        """Count a table for the host that is playing it; return False if there is no such host here."""
        member = self._members.get(host) if host is not None else None
        if member is None or member.is_leaving:
            return False
        member.tables.add(table_id)
        return True

    # Tables given out

    def place(self, table_id: int) -> str:
        """Assign a table to the host with the fewest, or to a new one while there are fewer than `size`.

        A table that may have killed its hosts has them apart from other tables (`HostLosses`).

        Raises:
            LaunchError: no host can be started, or too many have died.
            StoreError: the database cannot be used.
        """
        self._check_losses()
        ready = [
            member
            for member in self._members.values()
            if member.local is not None and not member.is_leaving and self._losses.may_share(table_id, member.tables)
        ]
        most = SUSPECT_HOSTS_MAX if self._losses.suspicion(table_id) else self.size
        if all(member.tables for member in ready) and len(ready) < most:
            ready.append(self._start())
        member = min(ready, key=lambda member: len(member.tables))
        member.tables.add(table_id)
        return member.info.name

    def _check_losses(self) -> None:
        now_ms = self._clock.now_ms()
        if self._losses.count_causes(now_ms) > HOSTS_LOST_MAX:
            raise LaunchError(
                f"{self._losses.count_deaths(now_ms)} table hosts have died within {LOST_WITHIN_MS // 1000} s, at "
                f"most {HOSTS_LOST_MAX} may: look into hosts/ of the results folder"
            )

    def _start(self) -> _Member:
        name = self._launcher.new_name(count_hosts(self._database, self._event_id) + 1)
        info = add_host(self._database, self._event_id, name, self._clock.wall_ms())
        self._members[name] = _Member(info, self._launcher.start_host(name))
        return self._members[name]

    def leave(self, table_id: int) -> None:
        """Remove a finished table from the count of its host."""
        for member in self._members.values():
            member.tables.discard(table_id)

    # Hosts that end

    def find_dead(self) -> list[DeadHost]:
        """Return the hosts that have stopped playing; call `remove_dead` for each once its tables have been taken.

        Raises:
            StoreError: the database cannot be used.
        """
        now_ms = self._clock.now_ms()
        on_record = {info.name: info for info in load_hosts(self._database, self._event_id)}
        dead = []
        for name, member in self._members.items():
            info = on_record.get(name)
            member.is_leaving = info is None
            if info is not None:
                member.info = info
            why = self._why_dead(member, now_ms)
            if why is not None:
                dead.append(DeadHost(member.info, why))
        return dead

    def _why_dead(self, member: _Member, now_ms: int) -> str | None:
        info, local = member.info, member.local
        if local is not None and local.is_over:
            return local.how_it_ended()
        if local is None and member.is_leaving:
            return f"table host {info.name} on {info.process.machine if info.process else '?'} has ended"
        silent_ms = self._heartbeats.silent_ms(info.name, info.beat_at_ms, now_ms)
        limit_ms = 1000 * self._lease_s if info.process is not None else max(JOIN_MS, 1000 * self._lease_s)
        unheard_ms = self._heartbeats.unheard_ms(info.name, now_ms)
        if silent_ms <= limit_ms and unheard_ms <= limit_ms + 1000 * self._outage_s:
            return None
        silent_ms = max(silent_ms, unheard_ms)
        return f"table host {info.name} has not been heard of for {silent_ms / 1000:.1f} s"

    async def remove_dead(self, dead: DeadHost) -> None:
        """Remove a host whose tables have been taken from it, and keep it from blocking others.

        A suspended process on this machine is killed, so that its ports become free.
        """
        member = self._members.pop(dead.info.name)
        self._losses.note_death(member.tables, self._clock.now_ms(), has_begun=member.info.process is not None)
        if member.local is not None and not member.local.is_over:
            await member.local.kill()

    async def kill_suspended(self) -> None:
        """Kill hosts of this machine that were stopped by a signal longer than a lease ago.

        A host stopped in the middle of a transaction locks an SQLite file for everybody, so that its tables could not
        be taken from it; a dead one does not.
        """
        now_ms = self._clock.now_ms()
        for member in self._members.values():
            if member.local is None or not member.local.is_suspended:
                member.suspended_since_ms = None
            elif member.suspended_since_ms is None:
                member.suspended_since_ms = now_ms
            elif now_ms - member.suspended_since_ms > 1000 * self._lease_s:
                await member.local.kill()

    def reset_heartbeats(self) -> None:
        """Measure the silence of hosts from now on: for a while nobody could be heard, through no fault of theirs."""
        self._heartbeats.reset()

    async def stop(self) -> None:
        """End all hosts, including those of earlier runs. Those on other machines are told through the database."""
        for member in self._members.values():
            if member.local is not None:
                member.local.ask_to_stop()
            else:
                with suppress(StoreError):  # then they end after a while without a run
                    end_host(self._database, member.info, "the run was stopped", self._clock.wall_ms())
        for member in self._members.values():
            if member.local is not None:
                await member.local.stop()
        self._members.clear()

    def let_go(self) -> None:
        """Leave all hosts running for another run."""
        for member in self._members.values():
            if member.local is not None:
                member.local.leave()
        self._members.clear()
