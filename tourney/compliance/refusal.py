"""A session in which the program's seat is taken: does the program notice that it is refused (BC-08)?

All four seats are: a program that asks for any seat (BC-52) would get its partner's, and wait there for the others.
"""

import asyncio
from typing import Any

from tourney.bridge import SEATS
from tourney.compliance.connection import ProgramConnection
from tourney.compliance.context import SeatContext
from tourney.compliance.findings import Failure, FailureKind
from tourney.compliance.patience import WaitKind
from tourney.compliance.program import ProgramListener
from tourney.compliance.scenarios import make_scenario
from tourney.compliance.steps import StepKind
from tourney.compliance.table import TableSession
from tourney.protocol.bluechip.profile import DEFAULT


class RefusalSession(TableSession):
    """Runs one session of a program whose seat is taken already."""

    def __init__(self, context: SeatContext) -> None:
        super().__init__(context)
        self._refusal = ""
        scenario = make_scenario(StepKind.PASSED_OUT, context.seat, 0)
        self._open_table([scenario], DEFAULT, 0, SEATS)
        # The others take their seats, and say nothing after that.
        for other, line in list(self._inbox):
            self._carry_out(self._driver.receive_line(other, line.encode(), context.clock.now_ms()))
        self._inbox.clear()

    async def run(self, connection: ProgramConnection, listener: ProgramListener) -> tuple[Failure | None, bool]:
        """Return what is wrong, if anything, and whether the program has connected a second time."""
        context = self.context
        clause = context.vocabulary.clause(StepKind.TAKEN)
        waits_s = context.patience.limit_s(clause, WaitKind.LEAVE)
        self.connection = connection
        connection.attach(self)
        again = asyncio.create_task(listener.next_connection())
        context.notice.begin(lambda: "it to leave, as its seat is taken", waits_s)
        try:
            either: set[asyncio.Future[Any]] = {self._done, again}
            came, _ = await asyncio.wait(either, timeout=waits_s, return_when=asyncio.FIRST_COMPLETED)
            if again in came:
                again.result().abort()
            if self._done in came:
                self._done.result()
            if came:
                return None, again in came
            context.patience.note_silence(clause, waits_s)
            return self._failure(clause, f"for {waits_s:g} s"), False
        finally:
            again.cancel()
            context.notice.end()

    def send(self, line: str, clock: int | None, now_ms: int) -> bool:
        self._refusal = line
        return super().send(line, clock, now_ms)

    def _failure(self, clause: str, waited: str) -> Failure:
        if self._refusal:
            return Failure(
                clause=clause,
                kind=FailureKind.STAYED,
                said=f"it stayed connected {waited}",
                expected="it ends, or tries again",
                advice="Read the error line, or notice that the table has closed the connection; then end or try"
                " again.",
                after=self._refusal,
            )
        context = self.context
        log_on = context.vocabulary.new_dialogue(context.seat, context.settings.team, list).owed()
        assert log_on is not None
        return Failure(
            clause=log_on.clause,
            kind=FailureKind.SILENT,
            said=f"nothing {waited}",
            expected=log_on.text,
            advice="Log on as soon as you are connected.",
        )
