"""Work on many things shared out among processes of our own, whose results come back in order, one in hand each.

Nothing piles up: a process that is ahead waits until what it has done is taken. Processes end with what has started
them, however that ends: theirs is the other end of a pipe.
"""

import gc
import multiprocessing
import signal
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from typing import Any, Final, TypeVar

from tourney.errors import LaunchError, TourneyError

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

# Forked children of a process with threads may hang, and would have its connections to the database.
_CONTEXT: Final = multiprocessing.get_context("spawn")

_ALLOCATED: Final = 100_000
"""Objects after which a process looks for cycles: rows and what is made of them have none, and are so many that
looking after every 700 of them costs a fifth of the time."""


def side_by_side(
    work: Callable[[Sequence[_Item]], Iterator[_Result]], items: Sequence[_Item], jobs: int
) -> Generator[_Result]:
    """What work makes of items, by so many processes; the results in the order of the items.

    Args:
        work: gives one result for each of the items it is given, in their order. What it is, and what it gives, must
            be fit to go from process to process.
        items: as many as there are.
        jobs: how many processes, besides this one.

    Raises:
        LaunchError: a process has died.
        Exception: whatever work has raised; a bug with a note of where it did so.
    """
    with ExitStack() as stack:
        workers = [stack.enter_context(_worker()) for _ in range(jobs)]
        try:
            # Given out once all are starting: a process takes what it is given when it has started.
            for number, worker in enumerate(workers):
                worker.send((work, items[number::jobs]))
            for place in range(len(items)):
                result, error = workers[place % jobs].recv()
                if error is not None:
                    raise error
                yield result
        except (EOFError, ConnectionError) as error:
            raise LaunchError(f"one of {jobs} processes that share the work has died") from error


@contextmanager
def _worker() -> Iterator[Connection]:
    """Our end of the pipe to a process; it is gone when the block ends."""
    ours, theirs = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        process.terminate()
        process.join()
        process.close()


def _serve(connection: Any) -> None:  # `Connection`, which has no types of what goes through it
    gc.set_threshold(_ALLOCATED)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that has started us is told as well, and ends us
    work, items = connection.recv()
    try:
        try:
            for result in work(items):
                connection.send((result, None))
        except ConnectionError:
            raise
        except TourneyError as error:
            connection.send((None, error))
        except Exception as error:  # noqa: BLE001 # the edge of the process: it is raised again at the other one
            error.add_note(f"In a process that shares the work:\n{''.join(traceback.format_exception(error))}")
            connection.send((None, error))
    except ConnectionError:
        pass  # nobody is there any more to take it
