"""A command of ours that runs beside another one for as long as that does."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Final

from tourney.runtime.processes import parent_death_hook

ENDING_S: Final = 10
"""How long it may take to end."""


@contextmanager
def running_beside(*words: str | Path, output: Path | None = None) -> "Iterator[subprocess.Popen[bytes]]":
    """Run a command of tourney until the block ends.

    Ctrl-C at the terminal does not reach it, so that this process ends first and then ends it. Where the system can,
    it ends too if this process is killed.

    Args:
        words: the command and its arguments.
        output: the file for what it prints; by default it prints where this process does.
    """
    with output.open("wb") if output is not None else nullcontext() as printed:
        process = subprocess.Popen(  # noqa: S603 # our own command
            [sys.executable, "-m", "tourney", *(os.fspath(word) for word in words)],
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=printed,
            start_new_session=True,
            preexec_fn=parent_death_hook(),  # noqa: PLW1509 # it asks the system for one thing, before any thread
        )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(ENDING_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
