"""The loop of the simulation: its time, and processes that stand still and die."""

import asyncio

from tests.sim.loop import Process, ProcessDiedError, SimulatedLoop

FAR_US = 10**12


def new_loop() -> SimulatedLoop:
    return SimulatedLoop()  # type: ignore[abstract] # what it lacks, nothing here asks for


def test_time_jumps_to_the_next_timer_and_timers_of_one_moment_keep_their_order() -> None:
    loop, seen = new_loop(), list[tuple[str, float]]()
    for name, delay_s in (("late", 3600.0), ("first", 0.5), ("second", 0.5)):
        loop.call_later(delay_s, lambda name=name: seen.append((name, loop.time())))
    loop.call_later(0.25, seen.clear).cancel()
    assert not loop.run_until(lambda: False, FAR_US)
    assert seen == [("first", 0.5), ("second", 0.5), ("late", 3600.0)]


def test_nothing_runs_after_the_limit() -> None:
    loop, seen = new_loop(), list[int]()
    loop.call_later(2, seen.append, 1)
    assert not loop.run_until(lambda: bool(seen), 1_999_999)
    assert loop.run_until(lambda: bool(seen), 2_000_000)


def test_tasks_events_and_timeouts_of_asyncio_run_on_it() -> None:
    loop = new_loop()

    async def wait() -> str:
        event = asyncio.Event()
        loop.call_later(1, event.set)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(event.wait())
        try:
            async with asyncio.timeout(5):
                await asyncio.Event().wait()
        except TimeoutError:
            return f"{loop.time()}"
        return "no timeout"

    task = loop.create_task(wait())
    assert loop.run_until(task.done, FAR_US)
    assert task.result() == "6.0"


def test_a_process_that_dies_has_no_last_word() -> None:
    loop, said = new_loop(), list[str]()
    process = Process(loop, "host", dies_at=2)

    def send_line(word: str) -> None:
        process.note_effect(f"before {word!r}")
        said.append(word)

    async def neighbour() -> None:
        try:
            await asyncio.sleep(100)
        finally:
            send_line("the neighbour's last word")

    async def main() -> None:
        asyncio.get_running_loop().call_later(200, send_line, "a timer")
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(neighbour())
            await asyncio.sleep(1)
            try:
                send_line("first")
                send_line("second")
            finally:
                send_line("last word")

    task = process.start(main())
    assert not loop.run_until(lambda: False, FAR_US)
    assert said == ["first"]
    assert not task.done()
    assert process.dead
    assert process.died == "before 'second'"
    assert loop.errors == []


def test_a_process_that_is_killed_between_two_steps_has_no_last_word() -> None:
    loop, said = new_loop(), list[str]()
    process = Process(loop, "host")

    async def main() -> None:
        try:
            await asyncio.sleep(100)
        finally:
            await asyncio.sleep(1)
            said.append("last word")

    task = process.start(main())
    loop.call_later(1, process.kill)
    assert not loop.run_until(lambda: False, FAR_US)
    assert said == []
    assert not task.done()


def test_a_frozen_process_does_what_has_come_once_it_thaws() -> None:
    loop, seen = new_loop(), list[tuple[int, float]]()
    process = Process(loop, "host")

    async def main() -> None:
        for step in range(3):
            await asyncio.sleep(1)
            seen.append((step, loop.time()))

    task = process.start(main())
    loop.call_later(1.5, process.freeze)
    loop.call_later(10, process.thaw)
    assert loop.run_until(task.done, FAR_US)
    assert seen == [(0, 1.0), (1, 10.0), (2, 11.0)]


def test_an_error_that_nobody_catches_is_kept() -> None:
    loop = new_loop()

    def fail() -> None:
        raise ValueError("a bug")

    loop.call_soon(fail)
    loop.run_until(lambda: False, FAR_US)
    assert len(loop.errors) == 1
    assert "a bug" in loop.errors[0]
    assert not issubclass(ProcessDiedError, Exception)
