"""What the processes of a cluster share: how they are told to end, and where Dask logs."""

import asyncio
import logging
import signal
from collections.abc import Coroutine
from pathlib import Path
from types import FrameType

from tourney.log import JsonFormatter


async def until_told_to_end(work: Coroutine[None, None, None]) -> signal.Signals | None:
    """Do the work until it is done, or until Ctrl-C, SIGTERM or SIGHUP, which cancels it; return the signal.

    A second signal does what it does by default, so that nobody has to wait for an orderly end.
    """
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)
    caught: list[signal.Signals] = []

    def end(number: int, _frame: FrameType | None) -> None:
        caught.append(signal.Signals(number))
        for each, handler in before.items():
            signal.signal(each, handler)
        loop.call_soon_threadsafe(task.cancel)

    names = ("SIGINT", "SIGTERM", "SIGHUP")  # there is no SIGHUP on Windows, nor a loop that takes handlers
    numbers = [signal.Signals[name] for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, end) for number in numbers}
    try:
        await task
    except asyncio.CancelledError:
        if not caught:
            raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return caught[0] if caught else None


def log_dask(file: Path | None) -> None:
    """Let Dask log to a file, as JSON lines, and not to the terminal; without a file it only reports what fails.

    Raises:
        OSError: the file cannot be written.
    """
    handler: logging.Handler = logging.StreamHandler()
    if file is not None:
        handler = logging.FileHandler(file, encoding="utf-8")
        handler.setFormatter(JsonFormatter())
    for name in ("distributed", "tornado"):
        logger = logging.getLogger(name)
        for old in list(logger.handlers):
            logger.removeHandler(old)
            old.close()
        logger.addHandler(handler)
        logger.setLevel(logging.ERROR if file is None else logging.INFO)
        logger.propagate = False
