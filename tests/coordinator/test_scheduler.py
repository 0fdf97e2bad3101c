"""Jobs that are due at a time or every so often, by the real clock."""

import asyncio

import pytest

from tourney.coordinator.watchdog import Scheduler
from tourney.runtime.clock import wall_ms

LATER_MS = 3_600_000


async def test_a_job_whose_time_has_passed_is_done_at_once_and_one_of_the_future_is_not() -> None:
    scheduler, done = Scheduler(), list[str]()
    is_done = asyncio.Event()

    async def past() -> None:
        done.append("past")
        is_done.set()

    async def future() -> None:
        done.append("future")

    scheduler.call_at(wall_ms() + LATER_MS, "future", future)
    scheduler.call_at(wall_ms() - LATER_MS, "past", past)
    scheduler.start()
    await is_done.wait()
    assert done == ["past"]
    scheduler.stop()


async def test_a_job_that_runs_when_the_scheduler_stops_ends_without_a_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    scheduler = Scheduler()
    has_begun, has_ended = asyncio.Event(), asyncio.Event()

    async def job() -> None:
        has_begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            has_ended.set()

    scheduler.call_at(wall_ms(), "long", job)
    scheduler.start()
    await has_begun.wait()
    scheduler.stop()
    await has_ended.wait()
    await asyncio.sleep(0)  # APScheduler's callback comes in the next turn of the loop
    await asyncio.sleep(0)
    assert caplog.records == []
