"""What is done beside the rounds of a run: jobs are started when they are due, and the watchdog looks after the rest.

The watchdog renews the lease on the event, checks that the run's files exist, and makes backups.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeAlias

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.date import DateTrigger
from apscheduler.triggers.interval import IntervalTrigger

from tourney.config import slug
from tourney.coordinator.run_context import RunContext
from tourney.coordinator.run_lease import RunLease
from tourney.errors import LaunchError, StoreError, StoreUnavailable, TourneyError
from tourney.event.place import note_overwritten
from tourney.host.lease import BEATS
from tourney.store.db.backup import backup_database
from tourney.store.db.database import Database

BACKUPS_KEPT: Final = 3
"""How many of the regular backups are kept."""

SLOW_MS: Final = 1000
"""If renewing the lease takes longer, hosts may have had to wait for the database too."""

Job: TypeAlias = Callable[[], Coroutine[Any, Any, None]]
"""A coroutine function: APScheduler runs anything else in a thread."""


class Scheduler:
    """Starts jobs that are due at a time or at intervals, on the event loop that `start` was called in.

    Jobs are kept in memory and are created again from the database whenever a run starts. A job whose time has passed
    is due at once; a job that is still running when it is due again is not started a second time.
    """

    def __init__(self) -> None:
        logging.getLogger("apscheduler.executors.default").addFilter(_is_no_cancellation)
        self._scheduler = AsyncIOScheduler(timezone=UTC)

    def call_at(self, at_ms: int, name: str, job: Job) -> None:
        """Schedule a job for a time in milliseconds since 1970 UTC."""
        self._add(name, job, DateTrigger(datetime.fromtimestamp(at_ms / 1000, UTC)))

    def call_every(self, seconds: int, name: str, job: Job) -> None:
        """Schedule a job at regular intervals."""
        self._add(name, job, IntervalTrigger(seconds=seconds, timezone=UTC))

    def _add(self, name: str, job: Job, trigger: Any) -> None:  # APScheduler has no types
        self._scheduler.add_job(
            job,
            trigger,
            id=name,
            replace_existing=True,
            coalesce=True,
            max_instances=1,
            misfire_grace_time=None,
        )

    def start(self) -> None:
        self._scheduler.start()

    def stop(self) -> None:
        """Stop starting jobs; has no effect before `start`."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)


def _is_no_cancellation(record: logging.LogRecord) -> bool:
    """Keep out of the log that a job ran when the scheduler stopped, which APScheduler reports as an error."""
    return record.exc_info is None or not isinstance(record.exc_info[1], asyncio.CancelledError)


class Watchdog:
    """Works alongside the rounds of a run, and reports when the run cannot continue."""

    def __init__(
        self,
        run: RunContext,
        lease: RunLease,
        *,
        on_failure: Callable[[], None],
        on_slow: Callable[[], None],
    ) -> None:
        """Prepare the watchdog.

        Args:
            run: the run; its results folder exists.
            lease: the lease of the run, already taken.
            on_failure: called when the run cannot continue; `check` says why.
            on_slow: called when the heartbeats of hosts may have been delayed.
        """
        self._run = run
        self._lease = lease
        self._on_failure = on_failure
        self._on_slow = on_slow
        self._failure: TourneyError | None = None
        paths = run.file.results, run.database.file
        self._files = {path: _identity(path) for path in paths if path is not None}
        self._backup_failed = False

    def check(self) -> None:
        """Check whether the run can continue.

        Raises:
            TourneyError: the run cannot continue.
        """
        if self._failure is not None:
            raise self._failure

    async def run(self) -> None:
        """Work until cancelled, or until the run cannot continue."""
        while self._failure is None:
            await asyncio.sleep(self._run.config.tables.lease_s / BEATS)
            try:
                self.check_files()
                began_at_ms = self._run.now_ms()
                self._lease.renew(self._run.wall_ms())
                if self._run.now_ms() - began_at_ms > SLOW_MS:
                    self._on_slow()
            except StoreUnavailable:
                self._on_slow()  # the code that looks after the tables reports the outage
            except TourneyError as error:
                self._failure = error
                self._on_failure()

    def check_files(self) -> None:
        """Check that the files that the run writes to exist.

        Raises:
            LaunchError: one of them is missing or was replaced.
            StoreError: something else was written into the database.
        """
        for path, identity in self._files.items():
            now = _identity(path)
            if now != identity:
                what = "results folder" if path == self._run.file.results else "database"
                how = "is gone" if now is None else "was put in the place of another"
                raise LaunchError(f"{what} {path} {how} while the event is run: the run is stopped")
        try:
            self._lease.check_file()
        except StoreError:
            note_overwritten(self._run.file.results)
            raise

    # Backups

    def schedule_backups(self, scheduler: Scheduler) -> None:
        """Schedule regular backups, unless the event file disables them."""
        every_s = self._run.config.event.backup_every_s
        if every_s:
            scheduler.call_every(every_s, "backup", self._back_up)

    async def _back_up(self) -> None:
        """Make a backup in a thread; a failure stops nothing and is reported once."""
        try:
            await asyncio.to_thread(self._back_up_now)
        except (StoreError, OSError) as error:
            if not self._backup_failed:
                self._run.notify(f"no backup could be made: {error}")
            self._backup_failed = True
        else:
            self._backup_failed = False

    def _back_up_now(self) -> None:
        event, folder = self._run.config.event, self._run.file.results / "backups"
        with closing(Database(self._run.file.database_url)) as database:
            backup_database(database, folder, slug(event.name), BACKUPS_KEPT, datetime.now(UTC))


def _identity(path: Path) -> tuple[int, int] | None:
    """Return the identity of a file or folder, which changes if it is replaced; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
