"""The table hosts of an event: those that the run starts where there is room, and all others that it finds on record.

On one machine there is a host for each core, with as many tables as there are. The workers of a cluster have room for
so many tables each, and a table for which none has room waits.

A host counts as dead when its process has ended, or when it has sent no heartbeat for a lease time. Silence is
measured by our own clock from changes on record, so that the clocks of other machines do not matter.
"""

import asyncio
import signal
from collections import deque
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from tourney.coordinator.run_context import RunContext
from tourney.errors import LaunchError, StoreError
from tourney.launch.hosts import HostHandle, HostSlots, Launcher
from tourney.plurals import count
from tourney.runtime.clock import HeartbeatMonitor
from tourney.store.control.hosts import RUN_STOPPED, HostInfo, add_host, count_hosts, drain_host, end_host, load_hosts
from tourney.store.control.leases import ProcessIdentity

HOSTS_LOST_MAX: Final = 10
"""Hosts that may die at one place within `LOST_WITHIN_MS` before a run gives up. A table that kills its hosts is
given up after five, so two of them do not end the run."""

JOIN_MS: Final = 30_000
"""How long a host may take to send its first heartbeat, in ms."""

COMING_MS: Final = 15_000
"""How long a table waits for a host that was started for it while others have room: a host begins within a second, or
some on a busy machine, unless its place is taken by other events."""

SHUNNED_MS: Final = 30_000
"""How long no host is started at a place where the last one has ended before it began, such as a worker that cannot
reach the database."""

DOUBTED_MS: Final = 30_000
"""How long tables go to other places first when a host at a place has fallen silent: its machine may be cut off."""

SUSPECT_AFTER: Final = 2
"""Losses in a row after which a table is a suspect: one may have any cause."""

ATTEMPTS_MAX: Final = 5
"""Losses in a row after which a table is not tried again."""

SUSPECT_HOSTS_MAX: Final = 4
"""Hosts that suspects with the same number of losses share, beside those of other tables. Of 256 tables that lost
their host together, four more deaths single one out."""

LOST_WITHIN_MS: Final = 60_000
"""How long the death of a host is remembered among those that make a run give up, in ms."""


@dataclass(slots=True)
class _Run:
    """The losses of a table in a row, without a finished board in between."""

    losses: int
    first_at_ms: int
    was_alone: bool
    """Whether no other table was at its host when it was last lost."""


class HostLosses:
    """Counts the deaths of hosts, and how often each table has lost its host in a row.

    A host that dies takes all its tables with it, and nobody sees which of them has killed it. So each counts as
    lost once more, until it finishes a board. A table that is lost for the second time in a row is a suspect:
    suspects play apart from other tables, and with few of their own kind, so that each death leaves fewer of them.
    One that has lost its host `ATTEMPTS_MAX` times in a row, the last time alone, is not tried again.
    """

    def __init__(self) -> None:
        self._runs: dict[int, _Run] = {}
        self._died_at_ms: deque[int] = deque()

    def note_death(self, tables: Collection[int], now_ms: int, *, has_begun: bool) -> None:
        """Count the death of a host with these tables, by id; they had nothing to do with it if it had not begun."""
        self._died_at_ms.append(now_ms)
        if not has_begun:
            return
        for table_id in tables:
            run = self._runs.setdefault(table_id, _Run(0, now_ms, was_alone=False))
            run.losses += 1
            run.was_alone = len(tables) == 1

    def forget(self, table_ids: Iterable[int]) -> None:
        """Count the losses of these tables from zero: they have finished a board, or are over."""
        for table_id in table_ids:
            self._runs.pop(table_id, None)

    def suspicion(self, table_id: int) -> int:
        """Return how often a suspect has been lost in a row; 0 for a table that is none."""
        losses = self.times(table_id)
        return losses if losses >= SUSPECT_AFTER else 0

    def may_share(self, table_id: int, others: Collection[int]) -> bool:
        """Whether a table may be played by the host of these others: suspects only with their like."""
        suspicion = self.suspicion(table_id)
        return all(self.suspicion(other) == suspicion for other in others if other != table_id)

    def is_given_up(self, table_id: int) -> bool:
        """Whether a table is not tried again."""
        run = self._runs.get(table_id)
        return run is not None and run.losses >= ATTEMPTS_MAX and run.was_alone

    def times(self, table_id: int) -> int:
        """Return how often a table has been lost in a row."""
        run = self._runs.get(table_id)
        return run.losses if run is not None else 0

    def lost_since_ms(self, table_id: int) -> int:
        """Return when the first of its losses in a row was; `KeyError` for a table without one."""
        return self._runs[table_id].first_at_ms

    def count_deaths(self, now_ms: int) -> int:
        """Return how many hosts have died within the last minute."""
        while self._died_at_ms and now_ms - self._died_at_ms[0] > LOST_WITHIN_MS:
            self._died_at_ms.popleft()
        return len(self._died_at_ms)


@dataclass(slots=True)
class _Member:
    info: HostInfo
    handle: HostHandle | None
    """None for a host that the launcher cannot reach, which keeps its tables but is given no more."""
    started_at_ms: int
    tables: set[int] = field(default_factory=set)
    """Those that it plays or is to play."""
    is_leaving: bool = False
    """Whether it has announced its end."""
    suspended_since_ms: int | None = None
    """When its process was first seen stopped by a signal; None while it runs."""

    @property
    def place(self) -> str:
        """The name of the place where it is."""
        return self.info.worker or ""

    @property
    def is_ready(self) -> bool:
        """Whether tables can be assigned to it now."""
        return self.handle is not None and (self.info.process is not None or not self.handle.starts_later)


class HostPool:
    """Starts hosts when they are needed and counts the tables of each."""

    def __init__(self, run: RunContext, launcher: Launcher, size: int) -> None:
        """Prepare to start hosts for a run; `size` is how many the organiser wants on one machine."""
        self.size = size
        self.was_machine_restarted = False
        """Whether this machine was restarted while hosts of an earlier run were at work."""
        self._run = run
        self._launcher = launcher
        self._lease_ms = 1000 * run.config.tables.lease_s
        """How long a host may be silent before it counts as dead."""
        self._heartbeats = HeartbeatMonitor()
        self._members: dict[str, _Member] = {}
        self._places: dict[str, HostSlots] = {}
        """As last seen: a place may be out of reach for a while."""
        self._shunned_until_ms: dict[str, int] = {}
        self._doubted_until_ms: dict[str, int] = {}
        self.losses = HostLosses()
        """The hosts that have died, and the tables that they had."""

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
        for info in load_hosts(*self._run.record):
            process = info.process
            if process is not None and self._launcher.has_restarted_since(process):
                self.was_machine_restarted = True
            member = self._member_of(info)
            if process is None or (member.handle is not None and member.handle.is_over):
                end_host(self._run.database, info, "it was gone when a run began", self._run.wall_ms())
                continue
            self._members[info.name] = member
            is_here = member.handle is not None and self._launcher.is_local(process)
            found[info.name] = process if is_here else None
        return found

    def _member_of(self, info: HostInfo) -> _Member:
        """Return a host that another run has started."""
        process = info.process
        handle = self._launcher.find_host(info.name, process, info.worker or "") if process is not None else None
        return _Member(info, handle, self._run.now_ms())

    def keep(self, table_id: int, host: str | None) -> bool:
        """Count a table for the host that is playing it; return False if there is no such host here."""
        member = self._members.get(host) if host is not None else None
        if member is None or member.is_leaving:
            return False
        member.tables.add(table_id)
        return True

    # Tables given out

    def place(self, table_id: int) -> str | None:
        """Assign a table to the host with the least to do, or to a new one where there is room for it.

        Returns:
            The name of the host; None while no place has room, or while the host for this table has not begun. Ask
            again then.

        A table that may have killed its hosts has them apart from other tables (`HostLosses`).

        Raises:
            LaunchError: no host can be started, or too many have died.
            StoreError: the database cannot be used.
        """
        deaths, most = self.losses.count_deaths(self._run.now_ms()), HOSTS_LOST_MAX * max(1, len(self._places))
        if deaths > most:
            raise LaunchError(
                f"{deaths} table hosts have died within {LOST_WITHIN_MS // 1000} s, at most {most} may: look into "
                "hosts/ of the results folder"
            )
        member = next((each for each in self._members.values() if table_id in each.tables), None)
        if member is not None and member.is_leaving:
            member.tables.discard(table_id)
            member = None
        if member is None:
            member = self._find_room(table_id)
        elif not member.is_ready and self._run.now_ms() - member.started_at_ms > COMING_MS:
            sooner = self._find_room(table_id, must_be_ready=True)
            if sooner is not None:
                member.tables.discard(table_id)
                member = sooner
        if member is None:
            return None
        member.tables.add(table_id)
        return member.info.name if member.is_ready else None

    def has_room(self, waiting: Collection[int]) -> bool:
        """Whether it makes sense to place one of the tables that wait."""
        if any(not member.tables.isdisjoint(waiting) for member in self._members.values()):
            return True  # a host has been started for it, and may be ready now
        return bool(self._places_with_room())

    @property
    def room(self) -> str:
        """How much room there is, in words."""
        places = self._launcher.places(self.size)
        slots = [place.tables for place in places if place.hosts and not place.is_draining]
        if not slots:
            return "no worker is there"
        tables = sum(each or 0 for each in slots)
        return f"{count(len(slots), 'worker has', 'workers have')} room for {count(tables, 'table')}"

    def _places_with_room(self) -> list[HostSlots]:
        """Return the places that take more tables, those with the smallest share of their slots in use first.

        Places where a host has fallen silent a moment ago come after the others. Hosts at a place that is out of
        reach, as while its scheduler is started again, come last, and none is started there.
        """
        now_ms = self._run.now_ms()
        here = {place.name: place for place in self._launcher.places(self.size)}
        self._places |= here
        used = dict.fromkeys(here, 0)
        for member in self._members.values():
            used[member.place] = used.get(member.place, 0) + len(member.tables)
        found = []
        for name, tables in used.items():
            place = here.get(name) or replace(self._places.get(name, HostSlots(name, 0, 0)), hosts=0)
            free = place.tables - tables if place.tables is not None else None
            if place.is_draining or (free is not None and free <= 0):
                continue
            share = tables / place.tables if place.tables else 0.0
            is_doubted = now_ms < self._doubted_until_ms.get(name, 0)
            found.append(((name not in here, is_doubted, share, -(free or 0)), place))
        return [place for _, place in sorted(found, key=lambda each: each[0])]

    def _find_room(self, table_id: int, *, must_be_ready: bool = False) -> _Member | None:
        """Return the host for a table, if necessary a new one; None if no place has room."""
        now_ms = self._run.now_ms()
        for place in self._places_with_room():
            members = [
                member
                for member in self._members.values()
                if member.place == place.name
                and member.handle is not None
                and not member.is_leaving
                and self.losses.may_share(table_id, member.tables)
            ]
            ready = [member for member in members if member.is_ready or not must_be_ready]
            most = SUSPECT_HOSTS_MAX if place.hosts and self.losses.suspicion(table_id) else place.hosts
            may_start = len(members) < most and now_ms >= self._shunned_until_ms.get(place.name, 0)
            if may_start and not must_be_ready and all(member.tables for member in members):
                return self._start(place)
            if ready:
                return min(ready, key=lambda member: len(member.tables))
        return None

    def _start(self, place: HostSlots) -> _Member:
        name = self._launcher.new_name(count_hosts(*self._run.record) + 1, place)
        info = add_host(*self._run.record, name, self._run.wall_ms(), place.name or None)
        handle = self._launcher.start_host(name, place)
        member = self._members[name] = _Member(info, handle, self._run.now_ms())
        return member

    def leave(self, table_id: int) -> None:
        """Remove a finished table from the count of its host."""
        for member in self._members.values():
            member.tables.discard(table_id)

    # Hosts that end

    async def reap_dead(self) -> None:
        """Take the tables of hosts that have stopped playing from them, and remove these hosts.

        Raises:
            StoreError: the database cannot be used.
        """
        for name, reason in self.find_dead().items():
            member = self._members[name]
            tables = len(end_host(self._run.database, member.info, reason, self._run.wall_ms()))
            await self._remove(member)
            moved = f"; {count(tables, 'table goes', 'tables go')} to another" if tables else ""
            self._run.notify(f"{reason}{moved}", "host_failed")

    def find_dead(self) -> dict[str, str]:
        """Return the names of the hosts that have stopped playing, each with the reason as a sentence.

        Every host on record that has joined is looked after, whoever started it.

        Raises:
            StoreError: the database cannot be used.
        """
        now_ms = self._run.now_ms()
        on_record = {info.name: info for info in load_hosts(*self._run.record)}
        for name, found in on_record.items():
            if name not in self._members and found.process is not None:
                self._members[name] = self._member_of(found)
        draining = {place.name for place in self._launcher.places(self.size) if place.is_draining}
        dead = {}
        for name, member in self._members.items():
            info = on_record.get(name)
            member.is_leaving = info is None
            if info is not None:
                member.info = info
                if info.process is not None and member.handle is not None:
                    member.handle.note_process(info.process)
                if member.place in draining and not info.is_draining:
                    # Its organiser wants the place back: it is to finish its boards and end.
                    drain_host(self._run.database, info)
            reason = self._why_dead(member, now_ms)
            if reason is not None:
                dead[name] = reason
        return dead

    def _why_dead(self, member: _Member, now_ms: int) -> str | None:
        info, handle = member.info, member.handle
        if handle is not None and handle.is_over:
            return handle.how_it_ended()
        starts_later = handle is not None and handle.starts_later
        if member.is_leaving and (handle is None or starts_later):
            return f"table host {info.name} on {info.process.machine if info.process else '?'} has ended"
        if info.process is None and starts_later:
            return None  # it may wait for another event to leave its place
        silent_ms = self._heartbeats.silent_ms(info.name, info.beat_at_ms, now_ms)
        limit_ms = self._lease_ms if info.process is not None else max(JOIN_MS, self._lease_ms)
        unheard_ms = self._heartbeats.unheard_ms(info.name, now_ms)
        # While the database is slow or cannot be used; hosts themselves wait no longer.
        outage_ms = 1000 * self._run.config.tables.outage_s
        if silent_ms <= limit_ms and unheard_ms <= limit_ms + outage_ms:
            return None
        silent_ms = max(silent_ms, unheard_ms)
        return f"table host {info.name} has not been heard of for {silent_ms / 1000:.1f} s"

    async def _remove(self, member: _Member) -> None:
        """Remove a host whose tables have been taken from it, with its programs, and keep it from blocking others.

        A suspended process is killed, so that its ports become free. For one on another machine, which may be cut
        off, nobody waits.
        """
        del self._members[member.info.name]
        now_ms = self._run.now_ms()
        has_begun = member.info.process is not None
        if not has_begun and member.handle is not None and member.handle.starts_later:
            self._shunned_until_ms[member.place] = now_ms + SHUNNED_MS
        else:
            self.losses.note_death(member.tables, now_ms, has_begun=has_begun)
        if member.handle is not None and not member.handle.is_over:
            self._doubted_until_ms[member.place] = now_ms + DOUBTED_MS
            if member.handle.starts_later:
                member.handle.send_signal(signal.SIGKILL)
            else:
                await member.handle.kill()
        self._launcher.end_programs()

    async def kill_suspended(self) -> None:
        """Kill hosts of this machine that were stopped by a signal longer than a lease ago.

        A host stopped in the middle of a transaction locks an SQLite file for everybody, so that its tables could not
        be taken from it; a dead one does not.
        """
        now_ms = self._run.now_ms()
        for member in self._members.values():
            if member.handle is None or not member.handle.is_suspended:
                member.suspended_since_ms = None
            elif member.suspended_since_ms is None:
                member.suspended_since_ms = now_ms
            elif now_ms - member.suspended_since_ms > self._lease_ms:
                await member.handle.kill()

    def reset_heartbeats(self) -> None:
        """Measure the silence of hosts from now on: for a while nobody could be heard, through no fault of theirs."""
        self._heartbeats.reset()

    async def stop(self) -> None:
        """End all hosts, including those of earlier runs; those that cannot be reached are told by the record.

        Nobody waits for hosts that have not begun: they are refused when they join.
        """
        begun = [member.handle for member in self._members.values() if member.handle is not None and member.is_ready]
        await asyncio.gather(*(handle.stop() for handle in begun))
        for member in self._members.values():
            if member.handle is None or not member.handle.is_over:
                with suppress(StoreError):  # then they end after a while without a run
                    end_host(self._run.database, member.info, RUN_STOPPED, self._run.wall_ms())
        self._members.clear()

    def release(self) -> None:
        """Leave all hosts running for another run."""
        for member in self._members.values():
            if member.handle is not None:
                member.handle.leave()
        self._members.clear()
