"""Jobs of a run that are due at a time or at intervals: rounds that start, backups.

Jobs are kept in memory and are created again from the database whenever a run starts. A job whose time has passed is
due at once; a job that is still running when it is due again is not started a second time.
"""

import logging
from asyncio import CancelledError
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, TypeAlias

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.date import DateTrigger
from apscheduler.triggers.interval import IntervalTrigger

Job: TypeAlias = Callable[[], Awaitable[None]]


class Scheduler:
    """Starts jobs when they are due, on the event loop that `start` was called in: by APScheduler."""

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
            _do,
            trigger,
            args=[job],
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
    return record.exc_info is None or not isinstance(record.exc_info[1], CancelledError)


async def _do(job: Job) -> None:
    # APScheduler runs anything but a coroutine function in a thread; a job may be any callable that can be awaited.
    await job()
