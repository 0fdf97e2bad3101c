"""The lease of a table host: by renewing it, a host shows that it is alive and learns which tables it has lost.

A host renews it in a thread of its own, so that its tables do not wait for a slow disk or for another program that
has the lock of the file.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from tourney.errors import LeaseLost, StoreError
from tourney.store.control.host_settings import HostSettings, parse_durability
from tourney.store.control.hosts import HostInfo, HostRenewal, join_host, leave_host, renew_host_lease
from tourney.store.control.leases import HeartbeatMonitor, ProcessIdentity
from tourney.store.db.database import Database
from tourney.store.db.file_identity import FileWatch

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
        now_ms: int,
        address: str | None = None,
    ) -> None:
        """Put on record that this process is the host, and where players find it if not where the event file says.

        Raises:
            StoreError: no run has added a host of this name, or the database cannot be used.
        """
        self.lease_ms = 1000 * settings.lease_s
        self.interval_ms = self.lease_ms // BEATS
        self.host: HostInfo = join_host(database, name, process, now_ms, address)
        self.renewed_at_ms = now_ms
        """When the lease was last renewed, by the host's own clock."""
        self.why_ending: str | None = None
        """A sentence once the host is to finish its boards and end: nobody has run the event for too long, or its
        machine is wanted back; None while it plays on."""
        self.durability = settings.durability
        """As the newest run has set it: a host may outlive the run that started it."""
        self._database = database
        self._orphan_s = settings.orphan_s
        self._runs = HeartbeatMonitor()
        self._file = FileWatch(database)
        self._settings = ""
        """What the newest run has stored for hosts, as text."""

    def is_due(self, now_ms: int) -> bool:
        """Whether it is time to renew the lease."""
        return now_ms - self.renewed_at_ms >= self.interval_ms

    def is_held(self, now_ms: int) -> bool:
        """Whether the lease has not run out."""
        return now_ms - self.renewed_at_ms < self.lease_ms

    def send_heartbeat(self, attempts: Mapping[int, int], now_ms: int) -> HostRenewal:
        """Put a heartbeat on record, in whichever thread; `take_renewal` takes what comes of it.

        Args:
            attempts: the attempt number of each of its tables, by table id.
            now_ms: the time by a clock that never goes back.

        Raises:
            StoreError: the database cannot be used, or its file was overwritten.
        """
        self._file.check()
        return renew_host_lease(self._database, self.host, attempts, now_ms)

    def take_renewal(self, renewal: HostRenewal, now_ms: int) -> None:
        """Take in what came of a heartbeat that was begun at `now_ms`.

        Raises:
            LeaseLost: tables belong to another host; it names no tables if this host has been declared dead.
        """
        self.renewed_at_ms = now_ms
        if renewal.settings != self._settings:
            self._settings = renewal.settings
            found = parse_durability(renewal.settings)
            self.durability = found.now if found is not None else self.durability
        silent_ms = self._runs.silent_ms(self.host.event_id, renewal.run, now_ms)
        self.why_ending = None
        if silent_ms > 1000 * self._orphan_s:
            self.why_ending = f"nobody has run the event for {self._orphan_s} s"
        elif renewal.is_draining:
            self.why_ending = f"table host {self.host.name} is drained: it finishes its boards and ends"
        if renewal.is_ended:
            raise LeaseLost(
                f"table host {self.host.name} was not heard of for too long, lease_s = {self.lease_ms // 1000}, and "
                "has been declared dead: its tables are another's",
                frozenset(),
            )
        if renewal.lost:
            raise LeaseLost(f"tables {sorted(renewal.lost)} are another host's", renewal.lost)

    def leave(self, reason: str, now_ms: int) -> None:
        """Put on record that the host has ended; if the database cannot be used, the lease simply runs out."""
        with suppress(StoreError):
            leave_host(self._database, self.host, reason, now_ms)
