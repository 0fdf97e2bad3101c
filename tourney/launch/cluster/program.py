"""A team's program on a machine with a label, which is told to start it and tells what it prints."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Final

from tourney.config import slug
from tourney.launch.program import ProgramProcess, fill_in_command
from tourney.launch.program_order import ProgramOrder

BOTS_FOLDER: Final = "bots"
"""The folder within that of a worker for what its programs print, and for the record of their processes."""

PRINTED_BYTES_MAX: Final = 32 * 1024
"""The most that is taken of a program's output at a time."""

BEHIND_BYTES_MAX: Final = 1024 * 1024
"""The most that may wait to be taken: of what a program prints faster, the beginning is left out."""


class AgentProgram(ProgramProcess):
    """A program at one seat of a table that is elsewhere."""

    _here = " here"

    def __init__(self, order: ProgramOrder, folder: Path) -> None:
        """Prepare a program without starting it.

        Args:
            order: what is started.
            folder: the folder of the worker, for what it and its programs write.
        """
        place, seat = Path(order.scope) / order.table, order.values.seat.title.lower()
        self.own = folder / "programs" / place / seat
        """Its own folder, where it may write, and which is kept."""
        words, own = fill_in_command(order.command, replace(order.values, folder=str(self.own)), self.own)
        started_in = Path(order.started_in).expanduser() if order.started_in is not None else Path.cwd()
        output = folder / BOTS_FOLDER / place / f"{seat}-{slug(order.values.team)}.log"
        self._printed = _PrintedText()
        super().__init__(order.name, words, started_in, output, own, forward=self._printed.add)
        self._values = order.values

    def take_output(self) -> str:
        """Return what the program has printed since the last time, or the next part of it."""
        return self._printed.take()

    def how_it_ended(self, status: int) -> str:
        # Programs print the words that they are started with.
        return super().how_it_ended(status).replace(self._values.login, self._values.team)


class _PrintedText:
    """What a program has printed and nobody has taken yet; added to in one thread, and taken in another."""

    def __init__(self) -> None:
        self._waiting = bytearray()
        self._left_out = 0
        """How many bytes are missing before what waits."""
        self._lock = threading.Lock()

    def add(self, data: bytes) -> None:
        with self._lock:
            self._waiting += data
            if len(self._waiting) > BEHIND_BYTES_MAX:
                self._left_out += len(self._waiting) - PRINTED_BYTES_MAX
                del self._waiting[:-PRINTED_BYTES_MAX]

    def take(self) -> str:
        """Return the next part, with a line that says so where something is missing before it."""
        with self._lock:
            data, left_out = bytes(self._waiting[:PRINTED_BYTES_MAX]), self._left_out
            del self._waiting[:PRINTED_BYTES_MAX]
            self._left_out = 0
        note = f"\n==== {left_out} bytes are left out here ====\n" if left_out else ""
        return note + data.decode("utf-8", "replace")
