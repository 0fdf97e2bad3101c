"""The command `tourney connect`: options, the tunnel, the programs of `--run`, and the way it ends."""

import asyncio
import contextlib
import logging
import signal
import sys
import threading
from collections.abc import Coroutine, Sequence
from typing import Final

from tourney.connect.client import Say, TunnelClient, print_line
from tourney.connect.options import ConnectSettings, parse_options
from tourney.connect.programs import run_programs
from tourney.errors import TourneyError

EXIT_INTERRUPTED: Final = 130
"""The exit status after Ctrl-C."""

_CALL: Final = "director"


def main(words: Sequence[str], program: str = "connect") -> int:
    """Run the command; return its exit status."""
    try:
        settings = parse_options(words, program)
        run_connect(settings)
    except TourneyError as error:
        sys.stderr.write(f"Error: {error}\n")
        return error.exit_status
    except KeyboardInterrupt:
        print_line("Stopped.")
        return EXIT_INTERRUPTED
    return 0


def run_connect(settings: ConnectSettings) -> None:
    """Connect until it has ended.

    Raises:
        TourneyError: that is not possible, or the server has ended it.
        KeyboardInterrupt: Ctrl-C, or the system wants it to end.
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # a stream that a test has put there
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr] # a console may lack letters
    # A program that ends while it is told to is no news, and would be a warning about its process.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    previous = signal.getsignal(signal.SIGTERM)
    try:
        asyncio.run(_until_terminated(_connect(settings, print_line)))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        signal.signal(signal.SIGTERM, previous)


async def _until_terminated(work: Coroutine[None, None, None]) -> None:
    """Do some work, and cancel it at a TERM as `asyncio.run` does at an INT, which the system may have us ignore."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    signal.signal(signal.SIGTERM, lambda *_: loop.call_soon_threadsafe(task.cancel))
    await work


async def _connect(settings: ConnectSettings, say: Say) -> None:
    client = TunnelClient(settings, say)
    if sys.stdin is not None and sys.stdin.isatty():
        _listen_to_author(client)
    await client.open_port()
    try:
        async with asyncio.TaskGroup() as group:
            programs = group.create_task(run_programs(settings, say)) if settings.command else None
            await client.run()
            if programs is not None:
                programs.cancel()
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None


def _listen_to_author(client: TunnelClient) -> None:
    """Call the director when the author types `director` and words; a thread reads, as no loop can everywhere."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        for line in sys.stdin:
            word, _, text = line.strip().partition(" ")
            if word.casefold() == _CALL:
                with contextlib.suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(client.call_director, text.strip() or "no words")

    threading.Thread(target=read, daemon=True).start()
