"""The loop of the simulation: its time, and processes that stand still and die."""

import asyncio

from tests.sim.loop import Process, SimulatedLoop

FAR_US = 10**12


def new_loop() -> SimulatedLoop:
    return SimulatedLoop()  # type: ignore[abstract] # what it lacks, nothing here asks for


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
