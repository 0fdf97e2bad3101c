"""When a program is started, and started again.

`Supervision` decides and does nothing. `tourney.host.programs` carries it out for the processes of a table host, and
keeps a `Supervision` for each seat.

**From a command to a process.** A team's command takes the same way wherever it is started, and each step has one
owner:

    command         the organiser's words with placeholders, and the values of a seat        `config.command`
    ProgramSpec     one program at one seat: of a table, a trial before the event, check-bot   `launch.bots`
    Start           words, environment and what the child does first, within which sandbox     `launch.sandbox`
    BotProcess      the process, with its folder, its output and its helpers                   `launch.bots`
    SharedProgram   a process that plays many seats, each supervised like a process            `launch.shared_program`
    Supervision     whether there is another start, and when                                   here

**One start.** What `BotProcess` does, in this order, and why:

- Its own folder is made, with the log-on in a file that nobody else reads.
- It gets a pipe to print to, never the file: so it can neither fill the disk nor change what it has said.
- It is the leader of a group of its own, carries a mark in its environment, and dies with us where the system has a
  signal for that. So its helpers are found and ended with it, also those that have left its group.
- It is put on record (`runtime.processes`) before anything else is done. One that cannot be recorded is ended at
  once, as it could outlive us. From the record, who watches the host and the next run end what was left.
- At its end it is asked first and killed `END_GRACE_S` later; then its group, then what carries its mark. What it has
  printed until then is read, and the file with the log-on removed.

**From start to start.** What a `Supervision` counts:

- *start* is told before the process is there: a program that is quick may play before it is known that it runs.
- *end* is any end: a status, a signal, a seat that was lost. Ends are counted by the starts before them, in a row:
  the beginning of a board shows that the program can play, and the count begins anew. Before its first board a
  program has `STARTS_MAX` starts; later as many as it may rejoin a board (BC-48), and `STARTS_AGAIN` more.
- An end that is no fault of the program does not count: its machine has gone, or the table was overloaded.
- *shortage*: this machine could not start it, for want of memory or descriptors. That does not count either, and is
  tried again sooner than the time for rejoining is over.
- Between two starts passes a time that grows with their number, so that a program that fails at once does not take
  the processor from the tables.
"""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

STARTS_MAX: Final = 3
"""Starts in a row of a program that has never taken part in a board, after which it is given up."""

STARTS_AGAIN: Final = 3
"""Starts in a row of a program that has played, beyond those with which it may rejoin one board (BC-48)."""

RESTART_DELAYS_MS: Final = (200, 1000, 3000)
"""Delays before the first, second and every further restart in a row."""

SHORTAGE_RETRY_MS: Final = 300
"""How often a program is tried that cannot be started for want of something: sooner than any rejoin time is over."""

EXIT_WAIT_MS: Final = 700
"""How long after losing its connection a program may end and still count as crashed; the verdict waits longer."""


_T = TypeVar("_T")


class StartedProgram(Protocol):
    """A program that has been started, in a process of its own or in one that it shares."""

    @property
    def is_over(self) -> bool:
        """Whether it was not started, or has ended."""

    async def wait(self) -> int:
        """Wait for its end; return its exit status."""


async def before_end(program: StartedProgram, awaited: Awaitable[_T], limit_s: float | None = None) -> _T | None:
    """Wait for something until a program has ended or the time is over; return None without it."""
    waiting, ended = asyncio.ensure_future(awaited), asyncio.create_task(program.wait())
    try:
        await asyncio.wait([waiting, ended], timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
        return waiting.result() if waiting.done() else None
    finally:
        waiting.cancel()
        ended.cancel()


@dataclass(slots=True)
class Supervision:
    """What has become of the starts of one program."""

    rejoins_max: int = 0
    """How often it may rejoin one board."""
    starts: int = 0
    """Starts since the last board began, those that do not count left out."""
    delay_ms: int = 0
    """How long to wait with the next start."""
    _starts_max: int = STARTS_MAX

    def start(self) -> None:
        """Note that it is being started."""
        self.starts += 1

    def note_board(self) -> None:
        """Note that a board has begun: whoever sits at the table has shown that it can play."""
        self.starts, self._starts_max = min(self.starts, 1), self.rejoins_max + STARTS_AGAIN

    def note_end(self, *, is_counted: bool = True) -> bool:
        """Note that it has ended, or lost its seat; return whether it is started again."""
        if is_counted and self.starts >= self._starts_max:
            return False
        if not is_counted:
            self.starts -= 1
        self.delay_ms = RESTART_DELAYS_MS[max(0, min(self.starts, len(RESTART_DELAYS_MS)) - 1)]
        return True

    def note_shortage(self) -> None:
        """Note that it could not be started, because this machine lacks something."""
        self.starts -= 1
        self.delay_ms = SHORTAGE_RETRY_MS
