"""The lease of a table host: by renewing it, a host shows that it is alive and learns which tables it has lost.

A task of its own renews it, and a thread of its own waits for the database: the heartbeat is in nobody's way, and
neither a slow disk nor another program that has the lock of the file makes a living host look dead.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from tourney.errors import LeaseLost, StoreError
from tourney.runtime.clock import HeartbeatMonitor, HostClock
from tourney.runtime.event_loop import WorkerThread, wait_up_to
from tourney.store.control.host_settings import HostSettings, parse_durability
from tourney.store.control.hosts import (
    DRAINED,
    NOBODY_RUNS,
    HostInfo,
    HostRenewal,
    join_host,
    leave_host,
    renew_host_lease,
)
from tourney.store.control.leases import ProcessIdentity
from tourney.store.db.database import Database
from tourney.store.db.files import FileWatch

POLL_S: Final = 0.1
"""How often a host looks at its clock, and for tables assigned to it; each look reads a few rows."""

BEATS: Final = 4
"""Renewals within the duration of a lease: three in a row may fail."""


class HostLease:
    """Renews the lease of one host and detects its loss."""

    def __init__(
        self,
        database: Database,
        name: str,
        process: ProcessIdentity,
        settings: HostSettings,
        clock: HostClock,
        address: str | None = None,
    ) -> None:
        """Put on record that this process is the host, and where players find it if not where the event file says.

        Raises:
            StoreError: no run has added a host of this name, or the database cannot be used.
        """
        now_ms = clock.now_ms()
        self.lease_ms = 1000 * settings.lease_s
        self.host: HostInfo = join_host(database, name, process, now_ms, address)
        self.held_until_ms = now_ms + self.lease_ms
        """When the lease runs out, by the host's own clock: from then on nothing may be written or sent."""
        self.due_at_ms = now_ms + self.lease_ms // BEATS
        """When it is time to renew it."""
        self.renewal_is_due = asyncio.Event()
        """Set where something waits for the renewal of a lease that has run out."""
        self.why_ending: str | None = None
        """A sentence once the host is to finish its boards and end: nobody has run the event for too long, or its
        machine is wanted back; None while it plays on."""
        self.durability = settings.durability
        """As the newest run has set it: a host may outlive the run that started it."""
        self._database = database
        self._clock = clock
        self._orphan_s = settings.orphan_s
        self._runs = HeartbeatMonitor()
        self._file = FileWatch(database)
        self._settings = ""
        """What the newest run has stored for hosts, as text."""

    async def wait_until_due(self) -> None:
        """Wait until it is time to renew the lease, or something waits for that."""
        while self._clock.now_ms() < self.due_at_ms and not self.renewal_is_due.is_set():
            # Not for the whole time: the clock goes on while the machine sleeps, and timers do not.
            await wait_up_to(self.renewal_is_due, POLL_S)
        self.renewal_is_due.clear()

    async def renew(self, attempts: Callable[[], Mapping[int, int]], thread: WorkerThread) -> None:
        """Put a heartbeat on record, in a thread, and take in what comes of it.

        Args:
            attempts: returns the attempt number of each of the host's tables, by table id.
            thread: where it waits for the database.

        Raises:
            LeaseLost: tables belong to another host; it names no tables if this host has been declared dead.
            StoreError: the database cannot be used, or its file was overwritten.
        """
        now_ms, before = self._clock.now_ms(), attempts()

        def send_heartbeat() -> HostRenewal:
            self._file.check()
            return renew_host_lease(self._database, self.host, before, now_ms)

        renewal = await thread.do(send_heartbeat)
        now = attempts()  # a table that has been lost and given to this host again since is not lost
        lost = {id_: before[id_] for id_ in renewal.lost if now.get(id_) == before[id_]}
        self.held_until_ms, self.due_at_ms = now_ms + self.lease_ms, now_ms + self.lease_ms // BEATS
        if renewal.settings != self._settings:
            self._settings = renewal.settings
            self.durability = parse_durability(renewal.settings) or self.durability
        silent_ms = self._runs.silent_ms(self.host.event_id, renewal.run, now_ms)
        self.why_ending = None
        if silent_ms > 1000 * self._orphan_s:
            self.why_ending = f"{NOBODY_RUNS} {self._orphan_s} s"
        elif renewal.is_draining:
            self.why_ending = f"table host {self.host.name} {DRAINED}"
        if renewal.is_ended:
            raise LeaseLost(
                f"table host {self.host.name} was not heard from for too long, lease_s = {self.lease_ms // 1000}, "
                "and has been declared dead: its tables are another's",
                {},
            )
        if lost:
            raise LeaseLost(f"tables {sorted(lost)} are another host's", lost)

    def leave(self, reason: str) -> None:
        """Put on record that the host has ended; if the database cannot be used, the lease simply runs out."""
        with suppress(StoreError):
            leave_host(self._database, self.host, reason, self._clock.now_ms())
