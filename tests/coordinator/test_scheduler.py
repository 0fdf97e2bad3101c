"""Jobs that are due at a time or every so often, by the real clock."""

import asyncio

from tourney.coordinator.scheduler import JobScheduler
from tourney.table.clock import wall_ms

LATER_MS = 3_600_000


async def test_a_job_whose_time_has_passed_is_done_at_once_and_one_of_the_future_is_not() -> None:
    scheduler, done = JobScheduler(), list[str]()
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


async def test_a_job_of_the_same_name_replaces_the_one_before() -> None:
    scheduler, done = JobScheduler(), list[int]()
    is_done = asyncio.Event()

    async def job(number: int) -> None:
        done.append(number)
        is_done.set()

    scheduler.start()
    scheduler.call_every(LATER_MS, "backup", lambda: job(1))
    scheduler.call_at(wall_ms(), "backup", lambda: job(2))
    await is_done.wait()
    assert done == [2]
    scheduler.stop()


def test_a_scheduler_that_was_never_started_can_be_stopped() -> None:
    JobScheduler().stop()
