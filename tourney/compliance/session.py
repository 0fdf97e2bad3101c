"""One session of the check: the program at one table, from its log-on until it leaves or something is wrong.

The table is a `TableCore`, as in an event. The other three players are in memory; only the program has a socket.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from tourney.bridge import SEATS, Seat
from tourney.compliance.connection import ProgramConnection
from tourney.compliance.findings import Failure, SessionPhase, SessionResult
from tourney.compliance.line_checker import LineChecker
from tourney.compliance.patience import Patience, WaitKind
from tourney.compliance.scenarios import Scenario, ScenarioPlayer
from tourney.compliance.steps import STEP_OF, StepKind
from tourney.compliance.waiting import WaitNotice
from tourney.protocol.bluechip import AskCall, AskCard, WireProfile
from tourney.protocol.bluechip.server import BlueChipWire
from tourney.protocol.bluechip.wire.server_format import START_OF_BOARD, format_connecting
from tourney.protocol.bluechip.wire.server_parse import LeadLine, RefusedLine, parse_server_line
from tourney.protocol.lines import Overlong
from tourney.protocol.session.effects import Close, Effect, EndTable, Note, Probe, Record, Send, StartTimer, Vacate
from tourney.protocol.session.records import BoardBegan, CallMade, CardPlayed, SeatTaken
from tourney.protocol.session.rules import TableRules, TimeRules
from tourney.protocol.session.table import CLOSE_PAUSE_MS, TableCore, TableSettings
from tourney.table.clock import HostClock
from tourney.table.wire_log import WireLog

PROGRAM: Final = 1
"""The program's connection number; those of the other players follow."""

TRICK_PAUSE_MS: Final = 2
"""Long enough to catch a program that leads without being asked to, which it does at once (BC-29)."""

_NEVER_MS: Final = 10**9
"""The table imposes no limits of its own: the check has a limit for a line, and judges for itself."""

_SLOW_PARTNER: Final = "slow partner"
_INTERRUPTION: Final = "interruption"
"""Names of timers, beside those of the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatCheckSettings:
    """What all sessions at one seat have in common."""

    seat: Seat
    team: str
    other_team: str
    timeout_s: float
    """How long a line of the program may take."""
    slow_s: float
    """How long a slow partner takes to call."""

    def team_of(self, seat: Seat) -> str:
        return self.team if seat.side is self.seat.side else self.other_team


class CheckSession:
    """Plays the boards of some scenarios with the program; `run` returns the result."""

    def __init__(
        self,
        settings: SeatCheckSettings,
        profile: WireProfile,
        scenarios: list[Scenario],
        clock: HostClock,
        notice: WaitNotice,
        patience: Patience,
        transcript: WireLog | None = None,
        *,
        only_for: StepKind | None = None,
        in_packets: bool = False,
        hurried: bool = False,
    ) -> None:
        """Prepare a table with the other three players.

        Args:
            settings: the program's seat, the team names and the limits.
            profile: how the table talks to the program.
            scenarios: what to play, in order; at least one.
            clock: the clock of the table.
            notice: says what the program is being waited for.
            patience: how long that may take.
            transcript: where to log every line to and from the program.
            only_for: the step that all of it is for, if not each board is for a step of its own.
            in_packets: write lines that follow each other in one piece.
            hurried: whether only a setting is tried, on a program whose pace is known.
        """
        self.checker = LineChecker(settings.seat, settings.team)
        self.result = SessionResult(profile=profile)
        self.connection: ProgramConnection | None = None
        self._settings = settings
        self._profile = profile
        self._scenarios = scenarios
        self._by_number = {scenario.board.number: scenario for scenario in scenarios}
        self._clock = clock
        self._notice = notice
        self._patience = patience
        self._transcript = transcript
        self._only_for = only_for
        self._in_packets = in_packets
        self._hurried = hurried
        self._limit_s = self._waits_s = 0.0  # the limit in force, and what it is with the time of others
        self._moved_s = 0.0  # when either side last said something, by the clock of the event loop
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._deadline: asyncio.TimerHandle | None = None
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._inbox: deque[tuple[int, str]] = deque()
        self._others: dict[int, ScenarioPlayer] = {}
        self._interruption: Callable[[], None] | None = None  # waits until the program owes nothing
        self._is_muted = False
        self._pumping = False
        self._core = self._open_table(scenarios)

    def _open_table(self, scenarios: list[Scenario]) -> TableCore:
        settings = self._settings
        north, east = settings.team_of(Seat.NORTH), settings.team_of(Seat.EAST)
        core = TableCore(
            TableSettings(
                ns_team=north,
                ew_team=east,
                boards=tuple(scenario.board for scenario in scenarios),
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
            self._others[connection] = ScenarioPlayer(
                connection=connection,
                seat=seat,
                team=settings.team_of(seat),
                scenarios=self._by_number,
                say=self._say,
                hold=self._hold,
            )
        return core

    # From start to end

    async def run(self, connection: ProgramConnection) -> SessionResult:
        """Let the program play the scenarios; returns when it leaves or at the first failure."""
        self.connection = connection
        for other in self._others.values():
            other.log_on()
        self._pump()
        self._set_deadline()
        connection.in_packets = self._in_packets
        connection.attach(self, self._profile.line_gap_ms)
        await self._done
        return self.result

    def close(self) -> None:
        """Cancel all timers and close the connection."""
        self._notice.end()
        if self._deadline is not None:
            self._deadline.cancel()
        for timer in self._timers.values():
            timer.cancel()
        if self.connection is not None:
            self.connection.abort()
        if self._transcript is not None:
            self._transcript.flush()

    def _finish(self, failure: Failure | None = None) -> None:
        if not self._done.done():
            self.result.failure = failure
            self._log("note", "passed" if failure is None else f"{failure.clause}: {failure.said}")
            self._done.set_result(None)

    def _set_deadline(self) -> None:
        """Restart the time limit: the program, or the table, has done what was due."""
        if self._deadline is not None:
            self._deadline.cancel()
        hurried = self._hurried or self._begins_again  # it has shown how fast it is ready
        waits_s = self._patience.limit_s(self._wait_name, self._wait, hurried=hurried)
        self._limit_s = waits_s
        if _SLOW_PARTNER in self._timers and self.checker.owes_nothing():
            waits_s += self._settings.slow_s
        if self.result.phase is SessionPhase.END:
            waits_s += CLOSE_PAUSE_MS / 1000  # the table closes its end of the connection only then
        self._waits_s = waits_s
        self._deadline = asyncio.get_running_loop().call_later(waits_s, self._time_out)
        self._notice.begin(self._awaited, waits_s)

    @property
    def _wait(self) -> WaitKind:
        expected = self.checker.expected
        if self.result.phase is SessionPhase.END:
            return WaitKind.LEAVE
        asks = expected is not None and isinstance(expected.ask, AskCall | AskCard)
        return WaitKind.THINK if asks else WaitKind.READY

    @property
    def _wait_name(self) -> str:
        """What is waited for, the same on every board."""
        expected = self.checker.expected
        name = expected.clause if expected is not None else "the table"
        return f"{name} again" if self._begins_again else name

    @property
    def _begins_again(self) -> bool:
        """Whether it is to begin a board again, and has not called on it."""
        is_ready_line = self._wait is WaitKind.READY
        return StepKind.RESTART in self.result.interrupted and not self.result.has_called and is_ready_line

    def _awaited(self) -> str:
        """Name what the table is waiting for, with the step in which it does."""
        phase, step = self.result.phase, ""
        if phase in (SessionPhase.BOARD, SessionPhase.BETWEEN):
            tried = STEP_OF[self._only_for or self._scenarios[self.result.board].kind]
            step = f", {'after' if phase is SessionPhase.BETWEEN else 'in'} step {tried.number} ({tried.description})"
        if self.checker.owes_nothing():
            return f"its slow partner to call{step}" if _SLOW_PARTNER in self._timers else f"the table{step}"
        return f"{self.checker.awaited}{step}"

    def _time_out(self) -> None:
        assert self.connection is not None
        self._patience.note_silence(self._wait_name, self._waits_s)
        self._finish(self.checker.silence(self._limit_s, self.connection.unfinished))

    # LineReceiver: what the connection reports

    def receive_line(self, line: bytes | Overlong, now_ms: int) -> None:
        if self._done.done():
            return
        self._log("in", line if isinstance(line, bytes) else f"(a line of more than {line.limit} bytes)")
        if self.result.phase is SessionPhase.END:
            return  # nothing that is said after End of session counts
        expected, wait, loop = self.checker.expected, self._wait, asyncio.get_running_loop()
        failure = self._check_early_lead(line) or self.checker.check_line(line)
        if failure is not None:
            self._finish(failure)
            return
        if expected is not None and expected.answered:
            self._set_deadline()
        moved_s, self._moved_s = self._moved_s, loop.time()
        self._carry_out(self._core.receive_line(PROGRAM, line, now_ms))
        self._pump()
        if moved_s and expected is not None and (expected.answered or self.checker.expected is not expected):
            self._patience.note_answer(wait, loop.time() - moved_s)
            if not self._done.done():
                self._set_deadline()
        if self._interruption is not None and self.checker.owes_nothing():
            interrupt, self._interruption = self._interruption, None
            interrupt()
            self._pump()

    def _check_early_lead(self, line: bytes | Overlong) -> Failure | None:
        """Catch a lead that comes before "to lead" has been written, though the table has asked for it."""
        assert self.connection is not None
        asked = isinstance(parse_server_line(self.checker.after), LeadLine)
        if not asked or not self.connection.has_unwritten:
            return None
        if isinstance(line, Overlong) or b" plays " not in line.lower():
            return None
        return self.checker.early_lead(line)

    def receive_close(self, fault: Exception | None = None) -> None:
        self._log("note", "the connection is gone")
        if fault is not None and not self._done.done():
            self._done.set_exception(fault)
        elif self.result.phase is SessionPhase.END:
            self.result.phase = SessionPhase.OVER
            self._finish()
        else:
            self._finish(self.checker.closing())

    def note_written(self, line: str, clock: int | None, now_ms: int) -> None:
        self._log("out", line)
        if clock is not None:
            self._core.note_sent(clock, now_ms)

    # What the other players say

    def _say(self, connection: int, line: str) -> None:
        self._inbox.append((connection, line))

    def _pump(self) -> None:
        """Pass the other players' lines to the table, and so on until all of them wait for the program."""
        if self._pumping:
            return
        self._pumping = True
        try:
            while self._inbox:
                connection, line = self._inbox.popleft()
                self._carry_out(self._core.receive_line(connection, line.encode(), self._clock.now_ms()))
        finally:
            self._pumping = False

    def _hold(self, scenario: Scenario, ask: AskCall | AskCard, answer: Callable[[], None]) -> bool:
        """Delay a partner who is slow to call; interrupt the board if the scenario says so."""
        if isinstance(ask, AskCall):
            if not scenario.slow_partner or ask.view.seat is not self._settings.seat.partner:
                return False
            self._start_timer(_SLOW_PARTNER, self._settings.slow_s, answer)
            if self.checker.owes_nothing():
                self._set_deadline()
            return True
        kind, interrupted = scenario.kind, self.result.interrupted
        if kind not in (StepKind.RESTART, StepKind.CUT) or kind in interrupted or not ask.view.tricks:
            return False
        # The program has seen a trick; it is interrupted while it waits for this card.
        interrupted.add(kind)
        interrupt = self._restart_board if kind is StepKind.RESTART else self._cut_connection
        if self.checker.owes_nothing() and not self._inbox:
            self._start_timer(_INTERRUPTION, 0, interrupt)
        else:
            self._interruption = interrupt
        return True

    def _restart_board(self) -> None:
        """Start the current board again, as a table does when another player has been replaced (BC-48).

        The program keeps its connection: it is logged on at the new table without being sent a line before
        `Start of board`.
        """
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._inbox.clear()
        self._core = self._open_table(self._scenarios[self.result.board :])
        self._is_muted = True
        seat = self._settings.seat
        log_on = format_connecting(self._settings.team, seat, self.result.version)
        for other in self._others.values():
            other.log_on()
        for line in (log_on, f"{seat.title} ready for teams", f"{seat.title} ready to start"):
            self._inbox.append((PROGRAM, line))
            self._pump()
        assert not self._is_muted, "the new table has not started its board"
        self._set_deadline()

    def _cut_connection(self) -> None:
        assert self.connection is not None
        self._finish()
        self.connection.abort()

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
                    self._start_timer(effect.name, delay_s, partial(self._run_table_timer, effect.name))
                case Close(connection=connection):
                    if connection == PROGRAM and self.connection is not None:
                        self.connection.finish()
                case EndTable():
                    self._note_board_over()
                    self.result.phase = SessionPhase.END
                    self._set_deadline()
                case Note():
                    self._log("note", effect.text)
                case Vacate() | Probe():
                    pass  # the session ends with the program's connection

    def _send_to_program(self, line: str, clock: int | None) -> None:
        if self._is_muted:
            if line != START_OF_BOARD:
                return
            self._is_muted = False
        assert self.connection is not None
        self.checker.receive_table_line(line)
        self._moved_s = asyncio.get_running_loop().time()
        self.connection.send(line, clock)
        self._set_deadline()
        if self.result.phase is SessionPhase.BETWEEN and line.startswith("Board number"):
            self.result.phase = SessionPhase.BOARD
            self.result.board += 1
        if isinstance(parse_server_line(line), RefusedLine):
            failure = self.checker.refusal(line)
            if failure is not None:
                self._finish(failure)

    def _note_record(self, record: object) -> None:
        result, seat = self.result, self._settings.seat
        match record:
            case SeatTaken(seat=taken, version=version, system=system) if taken is seat and not self._is_muted:
                result.phase, result.version, result.system = SessionPhase.GREET, version, system
            case BoardBegan():
                if not self._is_muted:
                    self._note_board_over()
                assert self._core.board is not None
                self.result.playing, self.result.has_called = self._core.board.in_play, False
            case CallMade():
                if record.seat is seat:
                    result.call_ms.append(record.thinking_ms)
                    result.has_called = True
                self.checker.receive_record(record)
            case CardPlayed():
                contract = self.result.playing.contract if self.result.playing is not None else None
                assert contract is not None
                actor = contract.declarer if record.seat is contract.dummy else record.seat
                if actor is seat:
                    result.card_ms.append(record.thinking_ms)
                self.checker.receive_record(record)
            case _:
                pass

    def _note_board_over(self) -> None:
        """Note that what came before is finished, as a board starts or the session ends."""
        result = self.result
        if result.phase is SessionPhase.GREET:
            result.greeted, result.phase = True, SessionPhase.BOARD
        elif result.phase is SessionPhase.BOARD:
            assert self.result.playing is not None
            result.boards.append(self.result.playing)
            result.phase = SessionPhase.BETWEEN

    # Timers

    def _start_timer(self, name: str, delay_s: float, action: Callable[[], None]) -> None:
        running = self._timers.pop(name, None)
        if running is not None:
            running.cancel()

        def due() -> None:
            self._timers.pop(name, None)
            if self._done.done():
                return
            try:
                action()
                self._pump()
            except Exception as fault:  # noqa: BLE001 # a bug of ours ends the check and is not blamed on the program
                self._done.set_exception(fault)

        self._timers[name] = asyncio.get_running_loop().call_later(delay_s, due)

    def _run_table_timer(self, name: str) -> None:
        self._carry_out(self._core.receive_timer(name, self._clock.now_ms()))

    def _log(self, direction: str, line: str | bytes) -> None:
        if self._transcript is not None:
            self._transcript.write(self._clock.now_ms(), self._settings.seat, direction, line)
