"""How the program comes to a table: it is started, or asked for, and a connection of it arrives."""

import asyncio
from collections.abc import Callable

from tourney.compliance.findings import Failure, Trouble
from tourney.compliance.link import ProgramLink
from tourney.compliance.program import Door, Program


class Entrance:
    """The door of the check, and the program that is to come in."""

    def __init__(
        self, program: Program, door: Door, *, connect_s: float, timeout_s: float, tell: Callable[[str], None]
    ) -> None:
        """Join the two.

        Args:
            program: who is to come.
            door: where.
            connect_s: how long it may take to connect after its start.
            timeout_s: how long it may take to notice that its connection is gone.
            tell: says a sentence to the person at the keyboard.
        """
        self.program = program
        self.door = door
        self._connect_s = connect_s
        self._timeout_s = timeout_s
        self._tell = tell

    async def bring(self) -> ProgramLink | Failure:
        """Start the program, or ask for it: its connection, or why there is none."""
        self.door.dismiss()
        await self.program.start()
        return await self._door_or_end(self._connect_s) or _absent(
            await self.program.how_it_ended() or f"nothing within {self._connect_s:g} s",
            "Connect as soon as the program is started.",
        )

    async def bring_back(self) -> ProgramLink | Failure:
        """Wait for the program whose connection was cut: it comes by itself, or ends and is started again."""
        program = self.program
        if not program.is_ours:
            self._tell("the connection has been cut: the program may connect again, or be started again")
        limit_s = self._timeout_s if program.is_ours else self._connect_s
        link = await self._door_or_end(limit_s)
        if link is None and program.has_ended:
            return await self.bring()
        advice = "Notice that the connection is gone; then end, or connect again."
        return link or _absent(f"no new connection within {limit_s:g} s, and it did not end", advice)

    async def _door_or_end(self, limit_s: float) -> ProgramLink | None:
        """The next connection; None when the program ends before, or the time is over."""
        arriving = asyncio.create_task(self.door.next_link())
        ended = self.program.ended()
        waiting: set[asyncio.Task[ProgramLink] | asyncio.Task[int]] = {arriving}
        if ended is not None:
            waiting.add(ended)
        try:
            await asyncio.wait(waiting, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
            return arriving.result() if arriving.done() else None
        finally:
            arriving.cancel()


def _absent(said: str, advice: str) -> Failure:
    return Failure("BC-05", Trouble.ABSENT, said, "a connection", advice)
