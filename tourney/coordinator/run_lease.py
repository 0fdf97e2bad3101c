"""The lease of a run: only one run at a time plays an event.

Two things prevent a second run: on one machine a lock on a file of the results folder, on all machines a row of the
database that the run renews. Both also show whether the event is being played to commands that only read.

A run that stood still may be taken over at any moment, between two of its statements as well. So whatever it writes
goes through the database of its lease, which checks in the same transaction that the lease is still its own.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import Connection

from tourney.errors import LaunchError, RunLeaseLost, StoreError
from tourney.event.drawn import DrawnEvent
from tourney.event.file import EventFile
from tourney.launch.hosts import Launcher, local_process, this_process
from tourney.runtime.privacy import close_folder, share_folder
from tourney.runtime.processes import is_running
from tourney.store.control.hosts import load_hosts
from tourney.store.control.leases import (
    ProcessIdentity,
    RunHolder,
    RunOnRecord,
    check_run_lease,
    load_run,
    release_run_lease,
    renew_run_lease,
    take_run_lease,
)
from tourney.store.db.database import FOLDER_MODE, Database
from tourney.store.db.files import FileWatch
from tourney.times import format_second
from tourney.views.status import EventStatus, load_status

SILENT_LEASES: Final = 2
"""Lease times without a heartbeat after which a run or host is no longer at work; heartbeats are due within one."""


class RunLease:
    """The lease of one run on one event: a row of the database that the run renews, by the clock of its machine."""

    def __init__(self, database: Database, event_id: int, lease_s: int, launcher: Launcher) -> None:
        self.database = database.fenced(self._check)
        """The same database: every write of the run passes here, and is refused once another run has the event."""
        self.is_lost = False
        """Whether another run has taken the event over, as far as this one has noticed."""
        self._database = database
        self._event_id = event_id
        self._lease_s = lease_s
        self._launcher = launcher
        self._holder = RunHolder(*launcher.process, 0)
        self._file: FileWatch | None = None

    def take(self, now_ms: int) -> None:
        """Take the lease. It is free if its holder has not been heard from for a lease time.

        Raises:
            LaunchError: another run holds it, or the clocks of the two machines differ too much.
            StoreError: the database cannot be used.
        """
        self._holder = RunHolder(*self._launcher.process, now_ms)
        self._file = FileWatch(self._database)
        held = load_run(self._database, self._event_id)
        if held.text is not None and not self._is_over(held, now_ms):
            raise LaunchError(f"this event is being run already, by {held}")
        if not take_run_lease(self._database, self._event_id, self._holder, held, now_ms):
            raise LaunchError(f"this event is being run already, by {load_run(self._database, self._event_id)}")

    def _is_over(self, held: RunOnRecord, now_ms: int) -> bool:
        holder, beat_at_ms = held.holder, held.beat_at_ms
        process = holder.process if holder is not None else None
        is_gone = process is not None and self._launcher.is_local(process) and not self._launcher.is_running(process)
        if is_gone or beat_at_ms is None:
            return True
        if beat_at_ms - now_ms > 1000 * self._lease_s:
            raise LaunchError(
                f"this event was last heard of at {format_second(beat_at_ms, UTC)} by {held}, and here it is "
                f"{format_second(now_ms, UTC)}: the clock of one of the machines is wrong"
            )
        return now_ms - beat_at_ms > 1000 * self._lease_s

    def renew(self, now_ms: int) -> None:
        """Record a heartbeat.

        Raises:
            RunLeaseLost: another run has taken the event over.
            StoreError: the database cannot be used, or its file was overwritten.
        """
        self.check_file()
        renew_run_lease(self.database, self._event_id, now_ms)

    def _check(self, connection: Connection) -> None:
        """Refuse a transaction of this run once another run has the event."""
        try:
            check_run_lease(connection, self._event_id, self._holder)
        except RunLeaseLost as lost:
            self.is_lost = True
            raise RunLeaseLost(
                f"this run was not heard of for more than {self._lease_s} s and the event is run by {lost} now: it "
                "stops, and the tables play on"
            ) from None

    def check_file(self) -> None:
        """Check that the file of the database has not been overwritten since the lease was taken.

        Raises:
            StoreError: it has been.
        """
        if self._file is not None:
            self._file.check()

    def release(self) -> None:
        """Release the lease; if the database is unavailable, the lease expires by itself."""
        with suppress(StoreError):
            release_run_lease(self._database, self._event_id, self._holder)


# The results folder

_LOG_FOLDERS: Final = ("wire", "bots", "hosts", "unrecorded")
"""What is written at the tables: all four hands, and what programs print of theirs."""


@contextmanager
def hold_run_lock(results: Path, *, share: bool = False) -> Iterator[None]:
    """Hold the results folder for this run: a lock on a file in it, which the system releases when the process dies.

    The folder is made if it is not there, for its owner and group alone unless everybody is to `share` it. What shows
    boards that are not public yet is kept from others all the same, until `share_logs`.

    Raises:
        LaunchError: another run holds it, or the results folder cannot be written.
    """
    path = results / "run.lock"
    try:
        results.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
        if share:
            share_folder(results)
            for name in _LOG_FOLDERS:
                close_folder(results / name)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except FileExistsError:
        raise LaunchError(f"results folder {results} cannot be made: a file has this name") from None
    except OSError as error:
        raise LaunchError(f"results folder {results} cannot be written: {error.strerror}") from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 40).decode("ascii", "replace").strip() or "another process"
            raise LaunchError(f"this event is being run already, by {holder}") from None
        except OSError as error:
            raise LaunchError(f"{path} cannot be locked: {error.strerror}") from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"process {os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def share_logs(results: Path) -> None:
    """Let everybody on the machine read what was written at the tables, once every board is public.

    Raises:
        LaunchError: the folders are another user's.
    """
    for name in _LOG_FOLDERS:
        try:
            share_folder(results / name)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise LaunchError(f"{results / name} cannot be shared: {error.strerror}") from None


def is_run_locked(results: Path) -> bool:
    """Whether a run of this machine holds the results folder.

    Raises:
        LaunchError: the lock cannot be read.
    """
    path = results / "run.lock"
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise LaunchError(f"{path} cannot be read: {error.strerror}") from None
    try:
        # A shared lock, held briefly: two readers do not take each other for a run.
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError as error:
        raise LaunchError(f"{path} cannot be locked: {error.strerror}") from None
    finally:
        os.close(descriptor)
    return False


# Who is at work


class EventActivity(NamedTuple):
    """Who is at work on an event: `is_run` is whether a run is, on any machine; `hosts` counts table hosts."""

    is_run: bool
    hosts: int

    @property
    def is_played(self) -> bool:
        """Whether anybody plays, so that the reports of hosts on their tables are current."""
        return self.is_run or self.hosts > 0


def load_activity(event_file: EventFile, database: Database, event_id: int, now_ms: int) -> EventActivity:
    """Find out who is at work on an event; `now_ms` is the time of this machine's clock.

    Whoever plays puts the time of the database's server on record, where there is one, so it is asked for that too.

    Raises:
        StoreError: the database cannot be used.
        LaunchError: the lock of the results folder cannot be read.
    """
    now_ms = database.server_ms() or now_ms
    machine = this_process().machine
    patience_ms = 1000 * SILENT_LEASES * event_file.config.tables.lease_s

    def is_there(process: ProcessIdentity | None, beat_at_ms: int | None) -> bool:
        if process is not None and process.machine == machine:
            return is_running(local_process(process))
        return beat_at_ms is not None and abs(now_ms - beat_at_ms) <= patience_ms

    held = load_run(database, event_id)
    is_run = is_run_locked(event_file.results) or (
        held.text is not None and is_there(held.holder.process if held.holder else None, held.beat_at_ms)
    )
    hosts = sum(is_there(host.process, host.beat_at_ms) for host in load_hosts(database, event_id))
    return EventActivity(is_run, hosts)


def load_event_status(drawn: DrawnEvent, now_ms: int) -> EventStatus:
    """Load the state of the tables of an event, with whether a run plays it and how many hosts are left of one.

    Raises:
        StoreError: the database cannot be used.
    """
    now_ms = drawn.database.server_ms() or now_ms  # the clock of whoever plays
    there = load_activity(drawn.file, *drawn.record, now_ms)
    return load_status(drawn.database, drawn.event, is_run_going=there.is_run, hosts_left=there.hosts, now_ms=now_ms)
