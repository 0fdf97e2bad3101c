"""One visit: the program under test at one table, from its log-on to its leave, or to the first thing that is wrong.

The table is a `TableCore`, as in an event. The three others are in memory; only the program has a socket.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final

from tourney.bridge import SEATS, Seat
from tourney.compliance.findings import Failure
from tourney.compliance.judge import LineJudge
from tourney.compliance.link import ProgramLink
from tourney.compliance.others import Other
from tourney.compliance.phases import Phase, VisitResult, VisitSettings
from tourney.compliance.situations import Situation
from tourney.compliance.steps import StepKind
from tourney.protocol.bluechip import AskCall, AskCard, WireProfile
from tourney.protocol.bluechip.server import BlueChipWire
from tourney.protocol.bluechip.wire.server_format import START_OF_BOARD, format_connecting
from tourney.protocol.bluechip.wire.server_parse import LeadLine, RefusedLine, parse_server_line
from tourney.protocol.lines import Overlong
from tourney.protocol.session.effects import Close, Effect, EndTable, Note, Record, Send, StartTimer, Vacate
from tourney.protocol.session.records import BoardBegan, CallMade, CardPlayed, SeatTaken
from tourney.protocol.session.rules import TableRules, TimeRules
from tourney.protocol.session.table import CLOSE_PAUSE_MS, TableCore, TableSettings
from tourney.table.clock import HostClock
from tourney.table.wire_log import WireLog

PROGRAM: Final = 1
"""The program's connection number; the others follow."""

TRICK_PAUSE_MS: Final = 2
"""Long enough to catch a program that leads without being asked to, which does so at once (BC-29)."""

_NEVER_MS: Final = 10**9
"""The check has its own limit for a line, and its own verdict."""


class Visit:
    """Conducts one visit; `run` gives what came of it."""

    def __init__(
        self,
        settings: VisitSettings,
        profile: WireProfile,
        situations: list[Situation],
        clock: HostClock,
        transcript: WireLog | None = None,
        *,
        in_packets: bool = False,
    ) -> None:
        """Prepare a table with its three others.

        Args:
            settings: whose visit it is.
            profile: how the program is talked to.
            situations: the boards, in order, at least one.
            clock: the time.
            transcript: where to write every line to and from the program.
            in_packets: write lines that follow each other in one piece.
        """
        self.judge = LineJudge(settings.seat, settings.team)
        self.result = VisitResult()
        self.link: ProgramLink | None = None
        self._settings = settings
        self._profile = profile
        self._situations = situations
        self._by_number = {situation.board.number: situation for situation in situations}
        self._clock = clock
        self._transcript = transcript
        self._in_packets = in_packets
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._watch: asyncio.TimerHandle | None = None
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._inbox: deque[tuple[int, str]] = deque()
        self._others: dict[int, Other] = {}
        self._held: Callable[[], None] | None = None
        self._is_muted = False
        self._pumping = False
        self._core = self._open_table(situations)

    def _open_table(self, situations: list[Situation]) -> TableCore:
        settings = self._settings
        north, east = settings.team_of(Seat.NORTH), settings.team_of(Seat.EAST)
        core = TableCore(
            TableSettings(
                ns_team=north,
                ew_team=east,
                boards=tuple(situation.board for situation in situations),
                trick_pause_ms=0 if self._in_packets else TRICK_PAUSE_MS,
                profiles={settings.seat.side: self._profile},
                rules=TableRules(time=TimeRules(stall_ms=_NEVER_MS, ready_ms=_NEVER_MS)),
            ),
            BlueChipWire,
        )
        core.open_connection(PROGRAM, peer="the program")
        self._others = {}
        for connection, seat in enumerate((s for s in SEATS if s is not settings.seat), PROGRAM + 1):
            core.open_connection(connection, peer="tourney")
            self._others[connection] = Other(
                connection, seat, settings.team_of(seat), self._by_number, self._say, self._hold
            )
        return core

    # From start to end

    async def run(self, link: ProgramLink) -> VisitResult:
        """Let the program play what is planned; returns at its leave or at the first failure."""
        self.link = link
        for other in self._others.values():
            other.log_on()
        self._pump()
        self._arm()
        link.in_packets = self._in_packets
        link.attach(self, self._profile.line_gap_ms)
        await self._done
        return self.result

    def close(self) -> None:
        """Let go of timers and of the connection."""
        if self._watch is not None:
            self._watch.cancel()
        for timer in self._timers.values():
            timer.cancel()
        if self.link is not None:
            self.link.abort()
        if self._transcript is not None:
            self._transcript.flush()

    def _finish(self, failure: Failure | None = None) -> None:
        if not self._done.done():
            self.result.failure = failure
            self._log("note", "passed" if failure is None else f"{failure.clause}: {failure.said}")
            self._done.set_result(None)

    def _arm(self) -> None:
        """Begin to wait anew: the program, or the table, has done what was due."""
        if self._watch is not None:
            self._watch.cancel()
        waits_s = self._settings.timeout_s + self._settings.slow_s
        if self.result.phase is Phase.END:
            waits_s += CLOSE_PAUSE_MS / 1000  # the table's end of the connection comes so much later
        self._watch = asyncio.get_running_loop().call_later(waits_s, self._run_out)

    def _run_out(self) -> None:
        assert self.link is not None
        self._finish(self.judge.silence(self._settings.timeout_s, self.link.unfinished))

    # What the link tells

    def program_line(self, line: bytes | Overlong, now_ms: int) -> None:
        if self._done.done():
            return
        self._log("in", line if isinstance(line, bytes) else f"(a line of more than {line.limit} bytes)")
        if self.result.phase is Phase.END:
            return  # nothing that is said after End of session counts
        expected = self.judge.expected
        failure = self._early_lead(line) or self.judge.check_line(line)
        if failure is not None:
            self._finish(failure)
            return
        if expected is not None and expected.answered:
            self._arm()
        self._carry_out(self._core.receive_line(PROGRAM, line, now_ms))
        self._pump()
        if self._held is not None and self.judge.owes_nothing():
            held, self._held = self._held, None
            held()
            self._pump()

    def _early_lead(self, line: bytes | Overlong) -> Failure | None:
        """A lead that comes when "to lead" has not been written yet, though the table has asked."""
        assert self.link is not None
        asked = isinstance(parse_server_line(self.judge.after), LeadLine)
        if not asked or not self.link.has_unwritten or isinstance(line, Overlong) or b" plays " not in line.lower():
            return None
        return self.judge.early_lead(line)

    def program_left(self, fault: Exception | None = None) -> None:
        self._log("note", "the connection is gone")
        if fault is not None and not self._done.done():
            self._done.set_exception(fault)
        elif self.result.phase is Phase.END:
            self.result.phase = Phase.OVER
            self._finish()
        else:
            self._finish(self.judge.closing())

    def line_written(self, line: str, clock: int | None, now_ms: int) -> None:
        self._log("out", line)
        if clock is not None:
            self._core.note_sent(clock, now_ms)

    # What the others say

    def _say(self, connection: int, line: str) -> None:
        self._inbox.append((connection, line))

    def _pump(self) -> None:
        """Give the table what the others have said, and what follows from it, until all wait for the program."""
        if self._pumping:
            return
        self._pumping = True
        try:
            while self._inbox:
                connection, line = self._inbox.popleft()
                self._carry_out(self._core.receive_line(connection, line.encode(), self._clock.now_ms()))
        finally:
            self._pumping = False

    def _hold(self, situation: Situation, ask: AskCall | AskCard, answer: Callable[[], None]) -> bool:
        """Delay a partner who is slow to call; interrupt a board where that is planned."""
        if isinstance(ask, AskCall):
            if not situation.waits or ask.view.seat is not self._settings.seat.partner:
                return False
            self._later("slow", self._settings.slow_s, answer)
            return True
        kind, interrupted = situation.kind, self.result.interrupted
        if kind not in (StepKind.RESTART, StepKind.CUT) or kind in interrupted or not ask.view.tricks:
            return False
        # The program has seen a trick; interrupted it is when it waits for this card.
        interrupted.add(kind)
        step = self._begin_again if kind is StepKind.RESTART else self._cut
        if self.judge.owes_nothing() and not self._inbox:
            self._later("interrupt", 0, step)
        else:
            self._held = step
        return True

    def _begin_again(self) -> None:
        """Start the board in hand again, as a table does when another player has been replaced (BC-48).

        The program keeps its connection: at the new table it is logged on in silence, up to `Start of board`.
        """
        for timer in self._timers.values():
            timer.cancel()
        self._inbox.clear()
        self._core = self._open_table(self._situations[self.result.board :])
        self._is_muted = True
        seat = self._settings.seat
        log_on = format_connecting(self._settings.team, seat, self.result.version)
        for other in self._others.values():
            other.log_on()
        for line in (log_on, f"{seat.title} ready for teams", f"{seat.title} ready to start"):
            self._inbox.append((PROGRAM, line))
            self._pump()
        assert not self._is_muted, "the new table has not begun its board"
        self._arm()

    def _cut(self) -> None:
        assert self.link is not None
        self._finish()
        self.link.abort()

    # What the table asks for

    def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(connection=connection, line=line, clock=clock):
                    if connection == PROGRAM:
                        self._send_to_program(line, clock)
                    elif connection in self._others:
                        if clock is not None:
                            self._core.note_sent(clock, self._clock.now_ms())
                        self._others[connection].receive_line(line)
                case Record(record=record):
                    self._note_record(record)
                case StartTimer():
                    delay_s = max(0, effect.at_ms - self._clock.now_ms()) / 1000
                    self._later(effect.name, delay_s, partial(self._run_timer, effect.name))
                case Close(connection=connection):
                    if connection == PROGRAM and self.link is not None:
                        self.link.finish()
                case EndTable():
                    self._note_board_over()
                    self.result.phase = Phase.END
                    self._arm()
                case Note():
                    self._log("note", effect.text)
                case Vacate():
                    pass  # the visit is over when the program's connection is

    def _send_to_program(self, line: str, clock: int | None) -> None:
        if self._is_muted:
            if line != START_OF_BOARD:
                return
            self._is_muted = False
        assert self.link is not None
        self.judge.receive_table_line(line)
        self.link.send(line, clock)
        self._arm()
        if self.result.phase is Phase.BETWEEN and line.startswith("Board number"):
            self.result.phase = Phase.BOARD
            self.result.board += 1
        if isinstance(parse_server_line(line), RefusedLine):
            failure = self.judge.refusal(line)
            if failure is not None:
                self._finish(failure)

    def _note_record(self, record: object) -> None:
        result, seat = self.result, self._settings.seat
        match record:
            case SeatTaken(seat=taken, version=version) if taken is seat and not self._is_muted:
                result.phase, result.version = Phase.GREET, version
            case BoardBegan():
                if not self._is_muted:
                    self._note_board_over()
                assert self._core.board is not None
                self.result.playing = self._core.board.in_play
            case CallMade():
                if record.seat is seat:
                    result.call_ms.append(record.thinking_ms)
                self.judge.receive_record(record)
            case CardPlayed():
                contract = self.result.playing.contract if self.result.playing is not None else None
                assert contract is not None
                actor = contract.declarer if record.seat is contract.dummy else record.seat
                if actor is seat:
                    result.card_ms.append(record.thinking_ms)
                self.judge.receive_record(record)
            case _:
                pass

    def _note_board_over(self) -> None:
        """A board begins, or the session ends: whatever came before is over."""
        result = self.result
        if result.phase is Phase.GREET:
            result.greeted, result.phase = True, Phase.BOARD
        elif result.phase is Phase.BOARD:
            assert self.result.playing is not None
            result.boards.append(self.result.playing)
            result.phase = Phase.BETWEEN

    def _later(self, name: str, delay_s: float, what: Callable[[], None]) -> None:
        running = self._timers.pop(name, None)
        if running is not None:
            running.cancel()

        def due() -> None:
            self._timers.pop(name, None)
            if self._done.done():
                return
            try:
                what()
                self._pump()
            except Exception as fault:  # noqa: BLE001 # a bug of ours ends the check, and is not laid at the program's door
                self._done.set_exception(fault)

        self._timers[name] = asyncio.get_running_loop().call_later(delay_s, due)

    def _run_timer(self, name: str) -> None:
        self._carry_out(self._core.receive_timer(name, self._clock.now_ms()))

    def _log(self, direction: str, line: str | bytes) -> None:
        if self._transcript is not None:
            self._transcript.write(self._clock.now_ms(), self._settings.seat, direction, line)
