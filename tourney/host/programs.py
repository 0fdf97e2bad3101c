"""The programs that tourney starts for one table: one per seat, supervised, and restarted when they end.

When that is done, and when no more, is decided in `tourney.launch.supervisor`.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from tourney.bridge import Seat
from tourney.errors import LaunchError, ResourcesShort
from tourney.launch.supervisor import EXIT_WAIT_MS, ProgramState, Supervision

EVICTIONS_MAX: Final = 50
"""Starts in a row that do not count because the table was overloaded and sent connections away."""

RESTART_GRACE_S: Final = 5.0
"""How long after a program has ended its connection may still look alive."""


class ProgramsOwner(Protocol):
    """The table that the programs belong to."""

    def is_seated(self, seat: Seat) -> bool: ...

    @property
    def evictions(self) -> int:
        """Connections that were sent away because there were too many of them."""

    def program_waits(self, seat: Seat, reason: str) -> None:
        """Note that a program cannot be started at the moment because this machine lacks something."""

    def program_ended(self, seat: Seat, how: str) -> None:
        """Note that a program has ended by itself."""

    def program_given_up(self, seat: Seat, reason: str) -> None:
        """Note that no program will take this seat any more."""


class SeatProgram(Protocol):
    """What is started for a seat."""

    name: str

    async def start(self) -> None:
        """Start it; it can be started again after it has ended.

        Raises:
            LaunchError: it cannot be started.
        """

    async def wait(self) -> int:
        """Wait for it to end; return its exit status, or minus the number of the signal that ended it."""

    async def end(self) -> None:
        """End it and everything that it has started."""

    def how_it_ended(self, status: int) -> str:
        """Describe how it ended."""


class AwaitedProgram:
    """A program that the run has started on a machine with a label, which this table only sees come and go."""

    def __init__(self, name: str, label: str) -> None:
        self.name = f"{name}, started on a machine labelled {label},"

    async def start(self) -> None:
        """Leave it to the run, which starts it as soon as there is such a machine, and again when it has gone."""

    async def wait(self) -> int:
        """Wait for ever: that its connection has ended is all that the table learns."""
        never: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        return await never

    async def end(self) -> None:
        """Leave it to the run, which sees on record that it has lost its seat."""

    def how_it_ended(self, status: int) -> str:
        raise AssertionError(f"it has not told us its status {status}")


@dataclass(slots=True)
class _Program:
    bot: SeatProgram
    supervision: Supervision
    shortage: str = ""
    """What this machine lacks, as a sentence; empty while it lacks nothing."""
    uncounted: int = 0
    """Starts since the last board began that do not count, as the table may have turned the program away."""
    evictions: int = 0
    """Connections that the table had turned away when it was started."""
    restarted: asyncio.Event = field(default_factory=asyncio.Event)


class Programs:
    """Starts a program for each seat that has a command, and another when the seat is vacated."""

    def __init__(self, owner: ProgramsOwner, connect_s: int, rejoins_max: int = 0) -> None:
        """Prepare; `rejoins_max` is how often a program may rejoin one board."""
        self._owner = owner
        self._connect_s = connect_s
        self._rejoins_max = rejoins_max
        self._members: dict[Seat, _Program] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = False
        self._is_over = False

    async def start(self, bots: Mapping[Seat, SeatProgram]) -> None:
        """Start the programs, by seat.

        Raises:
            LaunchError: one of them cannot be started; `close` ends the others.
        """
        for seat, bot in bots.items():
            member = self._members[seat] = _Program(bot, Supervision(self._rejoins_max))
            await self._start(seat, member)
            self._tasks.append(asyncio.create_task(self._supervise(seat, member)))

    @property
    def shortages(self) -> dict[Seat, str]:
        """Why programs cannot be started at the moment, a sentence each."""
        return {seat: member.shortage for seat, member in self._members.items() if member.shortage}

    def note_board(self) -> None:
        """Note that a board has begun: every program at the table has shown that it can play."""
        for member in self._members.values():
            member.supervision.note_board()
            member.uncounted = 0

    def note_end(self) -> None:
        """Note that the session is over: a program that ends from now on has done its part, and stays ended."""
        self._is_over = True

    def restart_program(self, seat: Seat) -> None:
        """End the program of a seat and start another in its place."""
        member = self._members.get(seat)
        if member is not None:
            member.restarted.set()

    async def close(self) -> None:
        """End all programs."""
        self._closing = True
        for task in self._tasks:
            task.cancel()
        endings = (member.bot.end() for member in self._members.values())
        await asyncio.gather(*self._tasks, *endings, return_exceptions=True)

    async def _start(self, seat: Seat, member: _Program) -> None:
        """Start a program once, if this machine has what that takes; else `_supervise` tries again.

        Raises:
            LaunchError: it cannot be started.
        """
        member.restarted.clear()
        member.evictions = self._owner.evictions
        member.supervision.start()
        try:
            await member.bot.start()
        except ResourcesShort as error:
            member.supervision.note_shortage()
            member.shortage = str(error)
            self._owner.program_waits(seat, member.shortage)
        else:
            member.shortage = ""

    async def _supervise(self, seat: Seat, member: _Program) -> None:
        while not self._closing:
            if member.supervision.state is ProgramState.RUNNING:
                why = await self._until_gone(seat, member)
                await member.bot.end()
                if self._is_over:
                    return
                if why is not None and self._owner.is_seated(seat):
                    await self._wait(member.restarted, RESTART_GRACE_S)
                reason = self._why_given_up(seat, member, why)
                if reason is not None:
                    self._owner.program_given_up(seat, reason)
                    return
            await asyncio.sleep(member.supervision.delay_ms / 1000)
            if self._is_over:
                return
            try:
                await self._start(seat, member)
            except LaunchError as error:
                member.supervision.give_up()
                self._owner.program_given_up(seat, str(error))
                return

    def _why_given_up(self, seat: Seat, member: _Program, why: str | None) -> str | None:
        """Note that a program has gone; return why it is not started again, None if it is.

        Args:
            seat: its seat.
            member: the program.
            why: how it has gone; None if it has not sat down in time.
        """
        if self._was_evicted(seat, member):
            member.supervision.note_end(is_counted=False)
            member.uncounted += 1
            return None
        if why is None:
            member.supervision.give_up()
            return f"{member.bot.name} has not sat down within {self._connect_s} s"
        if not member.supervision.note_end():
            return f"{member.bot.name} {why}, {member.supervision.starts} times in a row"
        return None

    def _was_evicted(self, seat: Seat, member: _Program) -> bool:
        """Return whether the table may have turned a program away: that is no failed start."""
        if member.restarted.is_set() or self._owner.is_seated(seat) or member.uncounted >= EVICTIONS_MAX:
            return False
        return self._owner.evictions > member.evictions

    async def _until_gone(self, seat: Seat, member: _Program) -> str | None:
        """Wait until a program has ended or was sent away, and say which; None if it has not logged on in time."""
        ended = asyncio.create_task(member.bot.wait())
        restarted = asyncio.create_task(member.restarted.wait())
        try:
            done, _ = await asyncio.wait(
                [ended, restarted], timeout=self._connect_s, return_when=asyncio.FIRST_COMPLETED
            )
            if not done and not self._owner.is_seated(seat):
                return None
            if not done:
                done, _ = await asyncio.wait([ended, restarted], return_when=asyncio.FIRST_COMPLETED)
            if ended not in done:
                # The connection of a program that dies closes a moment before its exit is known.
                await asyncio.wait([ended], timeout=EXIT_WAIT_MS / 1000)
            if not ended.done():
                return "was sent away"
            how = member.bot.how_it_ended(ended.result())
            self._owner.program_ended(seat, how)
            return how
        finally:
            ended.cancel()
            restarted.cancel()

    @staticmethod
    async def _wait(event: asyncio.Event, timeout_s: float) -> None:
        try:
            async with asyncio.timeout(timeout_s):
                await event.wait()
        except TimeoutError:
            return
