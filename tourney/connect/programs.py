"""Programs that `--run` starts: one for each seat, started again when they end."""

import asyncio
import contextlib
import sys
from typing import Final

from tourney.connect.client import Say
from tourney.connect.options import SEATS, ConnectSettings, fill_command
from tourney.errors import LaunchError

PAUSES_S: Final = (1, 2, 5, 10)
"""Before a program is started again, in seconds; the last one from then on. Its seat is kept for a minute."""

STEADY_S: Final = 60
"""A program that has run for so long is started again after the first pause, in seconds."""

STOP_S: Final = 5
"""How long a program may take to end before it is killed, in seconds."""

_LINE_BYTES_MAX: Final = 65_536


async def run_programs(settings: ConnectSettings, say: Say) -> None:
    """Keep a program running for every seat, until cancelled; then stop them.

    Raises:
        LaunchError: a program cannot be started the first time.
    """
    try:
        async with asyncio.TaskGroup() as group:
            for seat, title in SEATS.items():
                words = fill_command(settings.command, settings.port, seat)
                group.create_task(_keep_running(words, title, say))
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None


async def _keep_running(words: list[str], seat: str, say: Say) -> None:
    loop = asyncio.get_running_loop()
    ends_in_row = 0
    while True:
        began_s = loop.time()
        try:
            status = await _run_once(words, seat, say)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise LaunchError(f"the program {words[0]} cannot be started: {reason}") from None
        ends_in_row = 0 if loop.time() - began_s >= STEADY_S else ends_in_row
        pause_s = PAUSES_S[min(ends_in_row, len(PAUSES_S) - 1)]
        ends_in_row += 1
        say(f"{seat}: the program has ended (exit status {status}); it is started again in {pause_s} s")
        await asyncio.sleep(pause_s)


async def _run_once(words: list[str], seat: str, say: Say) -> int:
    """Run a program to its end; return its exit status."""
    process = await asyncio.create_subprocess_exec(
        *words,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        limit=_LINE_BYTES_MAX,
    )
    try:
        assert process.stdout is not None
        while not process.stdout.at_eof():
            with contextlib.suppress(ValueError):  # of a line that is too long
                if data := await process.stdout.readline():
                    say(f"{seat}: {data.decode(sys.getfilesystemencoding(), 'replace').rstrip()}")
        return await process.wait()
    finally:
        await _stop(process)


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
        try:
            async with asyncio.timeout(STOP_S):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
