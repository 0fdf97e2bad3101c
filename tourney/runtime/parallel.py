"""Work shared among processes of this machine, with the results returned in order.

The processes are spawned, not forked, and import what they need. They end with the process that started them, however
it ends.
"""

import gc
import multiprocessing
import os
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from tourney.errors import LaunchError, TourneyError

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_Part: TypeAlias = tuple[list[_Result], Exception | None]

_PARTS_A_PROCESS: Final = 8
"""Parts of the items per process, unless the parts would be larger than is allowed."""

_PART_MAX: Final = 32

_AHEAD: Final = 3
"""Parts per process that are in progress or wait to be taken: the results of a large event would fill memory."""

GARBAGE_AFTER: Final = 100_000
"""Objects allocated before a process looks for reference cycles. Rows and what is made of them have no cycles, and
checking after every 700 objects, the default, costs a fifth of the time."""


def side_by_side(
    work: Callable[[Sequence[_Item]], Iterator[_Result]],
    items: Sequence[_Item],
    jobs: int,
    part_max: int = _PART_MAX,
) -> Generator[_Result]:
    """Have processes work through the items; yield the results in the order of the items.

    Args:
        work: returns one result for each item it is given, in their order; it is called once for each part of the
            items.
            It and its results must be picklable.
        items: the items to work through.
        jobs: the number of processes, besides this one.
        part_max: how many items a process is given at once, at most.

    Raises:
        LaunchError: a process has died.
        Exception: whatever `work` has raised.
    """
    size = max(1, min(part_max, len(items) // (jobs * _PARTS_A_PROCESS)))
    parts = (items[start : start + size] for start in range(0, len(items), size))
    # Forked children of a process with threads may hang, and would share its connections to the database.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=set_up_process)
    try:
        waiting: deque[Future[_Part[_Result]]] = deque()
        for part in islice(parts, _AHEAD * jobs):
            waiting.append(pool.submit(_work_off, work, part))
        while waiting:
            results, error = waiting.popleft().result()
            for part in islice(parts, 1):
                waiting.append(pool.submit(_work_off, work, part))
            yield from results
            if error is not None:
                raise error
    except BrokenProcessPool as error:
        raise LaunchError(f"one of {jobs} processes that share the work has died") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _work_off(work: Callable[[Sequence[_Item]], Iterator[_Result]], part: Sequence[_Item]) -> _Part[_Result]:
    """Return the results of a part up to the first error, and that error, to be raised once the results are taken."""
    results: list[_Result] = []
    try:
        for result in work(part):
            results.append(result)  # noqa: PERF402 # those before an error are kept
    except Exception as error:  # noqa: BLE001 # it is raised again in the parent process
        if not isinstance(error, TourneyError):
            error.add_note(f"In a process that shares the work:\n{traceback.format_exc()}")
        return results, error
    return results, None


def set_up_process() -> None:
    """Prepare a process of a pool: it ends with the one that started it, and leaves Ctrl-C to that."""
    gc.set_threshold(GARBAGE_AFTER)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets the signal too, and ends us
    threading.Thread(target=_die_with_parent, daemon=True).start()


def take_lowest_priority() -> None:
    """Let this process have what others leave of the processors."""
    os.nice(19)
    with suppress(OSError):  # Linux may share the processors among sessions: then that of the session counts
        os.setsid()
        Path("/proc/self/autogroup").write_text("19", encoding="ascii")


def _die_with_parent() -> None:
    """End when the parent does: a killed parent notifies nobody, and its pool would wait for work forever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
