"""The runtime of a host: its event loop and its garbage collection.

Garbage is collected when tables have finished, not in the middle of play. A board leaves none behind; a table does,
with its connections. A full collection on a host of 500 tables takes a tenth of a second, and every player at them
would wait for it.
"""

import asyncio
import ctypes
import gc
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Final, TypeVar

_Result = TypeVar("_Result")

YOUNG_OBJECTS: Final = 20_000
"""New objects after which the interpreter collects the youngest generation: a millisecond.

Boards make and free some thousands: with fewer here, every one of them is looked through again and again.
"""

_NEVER: Final = 1_000_000_000
"""Threshold for the interpreter's own full collections, so high that they never run."""

CLOSED_MIN: Final = 64
"""Finished tables that make a full collection worthwhile while others play; they hold some megabytes."""

CLOSED_TO_LEFT: Final = 1
"""Finished tables per table in play before play is held up: no more memory waits to be freed than is in use."""


SWITCH_S: Final = 0.0003
"""How long the loop may keep the interpreter from the thread that writes where the disk is slow.

A transaction asks for it after each statement; at Python's own 5 ms, a few of them take longer than a slow disk.
"""


_M_ARENA_MAX: Final = -8
"""The parameter of mallopt(3) that says how many heaps there may be."""


class GarbageCollector:
    """Collects garbage when nobody plays, and when as many tables have finished as are in play."""

    def __init__(self) -> None:
        self._closed = 0

    def note_closed(self, tables_left: int) -> None:
        """Note that a table has finished; `tables_left` have not."""
        self._closed += 1
        is_due = tables_left == 0 or self._closed >= max(CLOSED_MIN, CLOSED_TO_LEFT * tables_left)
        if is_due and gc.get_threshold()[2] == _NEVER:
            self._closed = 0
            gc.collect()


class WorkerThread:
    """A thread beside the event loop that does one piece of work after the other, and wakes the loop after each."""

    def __init__(self, name: str) -> None:
        self._work: SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def do(self, work: Callable[[], _Result]) -> "asyncio.Future[_Result]":
        """Have something done after all that was asked for before."""
        if self._thread.ident is None:
            self._thread.start()
        future: asyncio.Future[_Result] = asyncio.get_running_loop().create_future()
        self._work.put((work, future))
        return future

    def close(self, *, waits: bool = False) -> None:
        """End the thread when everything is done; `waits` until then."""
        self._work.put(None)
        if waits and self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while (asked := self._work.get()) is not None:
            work, future = asked
            if future.done():
                continue  # nobody waits for it any more
            try:
                settle, outcome = future.set_result, work()
            except Exception as error:  # noqa: BLE001 # whoever has asked for it gets it
                settle, outcome = future.set_exception, error
            with suppress(RuntimeError):  # the loop has ended meanwhile
                future.get_loop().call_soon_threadsafe(_settle, future, settle, outcome)
            del asked, work, future, settle, outcome  # until the next comes


def _settle(future: "asyncio.Future[Any]", settle: Callable[[Any], None], outcome: Any) -> None:  # what work returns
    if not future.done():  # nobody waits for it any more
        settle(outcome)


def share_interpreter() -> None:
    """Have threads wait for each other no longer than `SWITCH_S`."""
    sys.setswitchinterval(SWITCH_S)


def use_one_arena() -> None:
    """Have all threads take their memory from one heap (glibc): each would keep free memory of its own."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def return_memory() -> None:
    """Give what is free on the heap back to the system (glibc); elsewhere this does nothing."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def collect_seldom() -> None:
    """Leave full collections to `GarbageCollector`, and exclude everything loaded so far from them for good."""
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, gc.get_threshold()[1], _NEVER)
    gc.enable()  # the process of a host begins without it


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """Return the factory of the event loop, for `asyncio.Runner`."""
    try:
        import uvloop  # noqa: PLC0415 # not on every platform
    except ImportError:
        return asyncio.new_event_loop
    return uvloop.new_event_loop


async def end_tasks(*tasks: "asyncio.Future[Any]") -> None:
    """Cancel tasks, and wait until they have ended."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def wait_up_to(event: asyncio.Event, seconds: float | None) -> bool:
    """Wait for an event, but no longer than so many seconds, for ever if that is None; return whether it is set."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()
