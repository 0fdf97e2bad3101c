"""One session of the check: the program at one table, from its log-on until it leaves or something is wrong.

The table is a `TableCore`, as in an event, and its effects are carried out by the driver that a host has. The other
players are in memory; only the program has a socket. What it says is judged by the `Dialogue` of its language. A
session is in one phase (`SessionPhase`), and a failure belongs to the phase in which it occurs:

    CONNECT   until the line that answers the log-on, the milestone GREET of the vocabulary
    GREET     until the table begins the first board
    BOARD     until the table begins another board, or has ended; the board then counts as played
    BETWEEN   until the program is sent the first line of the next board, the milestone BOARD
    END       from the end of the table until the program leaves
    OVER      the program has left, as it should

A session ends with the phase END or with the first failure. Two boards are interrupted:

    RESTART   once the program has seen a trick and waits for a card, the player that owes it is replaced, and the
              table starts the board again
    CUT       after a few of its calls and cards the program's connection is cut; the table stays, leads the program
              through the board on its next connection, and the session goes on

A table begins a board again or leads a player through it, so the two boards are in sessions of their own.

There is one deadline, set anew whenever either side has said what was due: it is for the line that the program owes.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from tourney.bridge import SEATS, PlayerView, Seat
from tourney.compliance.context import SeatContext
from tourney.compliance.findings import Failure, SessionPhase, SessionResult, StepKind
from tourney.compliance.program import Program, ProgramConnection
from tourney.compliance.scenarios import Scenario
from tourney.compliance.vocabulary import Dialogue
from tourney.protocol.in_process import InProcessLink, log_on
from tourney.protocol.lines import Charset, Overlong
from tourney.protocol.session.driver import Link, Shell, TableDriver
from tourney.protocol.session.effects import Effect, LogRemark
from tourney.protocol.session.intents import CardIntent, Intent, PendingLine
from tourney.protocol.session.records import BoardBegan, CallMade, CardPlayed, SeatTaken, TableRecord
from tourney.protocol.session.rules import Rejoin, TableRules, TimeRules
from tourney.protocol.session.table import CLOSE_PAUSE_MS, TableCore, TableSettings
from tourney.protocol.wires import DEFAULT, WireProfile

_SLOW_PARTNER: Final = "slow partner"
_DUMMYS_CARD: Final = "dummy's card"
_DEADLINE: Final = "deadline"
"""Names of timers, beside those of the table."""

_CUT_AFTER: Final = 3
"""After how many calls and cards of the program on a board its connection is cut."""


PROGRAM: Final = 10
"""The number of the program's first connection; those of the other players are lower."""

_NEVER: Final = 10**9
"""The table imposes no limits of its own: the check has a limit for a line, and judges for itself."""


class CheckSession(Link, Shell):
    """Plays the boards of some scenarios with the program; `run` returns the result."""

    connection: ProgramConnection
    """The program's, from the beginning of `run` on."""

    def __init__(
        self,
        context: SeatContext,
        profile: WireProfile,
        scenarios: list[Scenario],
        *,
        in_packets: bool = False,
    ) -> None:
        """Prepare a table with the other three players.

        Args:
            context: the program's seat, and what all its sessions share.
            profile: how the table talks to the program.
            scenarios: what to play, in order; at least one.
            in_packets: write lines that follow each other in one piece.
        """
        self.context = context
        self.number = PROGRAM
        self._others = 0
        """How many players of ours have taken a seat."""
        self._done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._asked: deque[InProcessLink] = deque()
        """The other players who are to call or play."""
        self.result = SessionResult(profile=profile)
        self.dialogue = self._new_dialogue()
        self._scenarios = scenarios
        self._boards = [scenario.board(number) for number, scenario in enumerate(scenarios)]
        self._by_number = {board.number: scenario for board, scenario in zip(self._boards, scenarios, strict=True)}
        self._in_packets = in_packets
        self._interruption: Callable[[], None] | None = None  # waits until the program owes nothing
        self._actions = 0
        """How often the program has called or played on this board."""
        self._is_cut = False
        """Whether its connection has been cut, and the table waits for it to come back."""

    def _new_dialogue(self) -> Dialogue:
        context = self.context
        return context.vocabulary.new_dialogue(context.seat, context.settings.team, self._pending)

    # From start to end

    async def run(self, connection: ProgramConnection, program: Program) -> SessionResult:
        """Let the program play the scenarios; returns when it leaves or at the first failure."""
        self.connection = connection
        self._open_table()
        self._pump()
        self._attach(connection)
        await self._done
        while self._is_cut:
            self._is_cut = False
            self._done = asyncio.get_running_loop().create_future()
            again = await program.reconnect()
            if isinstance(again, Failure):
                clause = self.context.vocabulary.clause(StepKind.CUT)
                self._finish(replace(again, clause=clause, after=self.dialogue.after))
                break
            self.number += 1
            before, self.dialogue = self.dialogue, self._new_dialogue()
            self.dialogue.remarks, self.dialogue.alerts = before.remarks, before.alerts
            self._connect(self, self.context.seat)
            self._attach(again)
            await self._done
        return self.result

    def _open_table(self) -> None:
        """Open a table to which the program, and three players of ours, are connected."""
        context, team_of = self.context, self.context.team_of
        is_to_be_cut = any(scenario.kind is StepKind.CUT for scenario in self._scenarios)
        self._core = TableCore(
            TableSettings(
                team_of(Seat.NORTH),
                team_of(Seat.EAST),
                tuple(self._boards),
                trick_pause_ms=0 if self._in_packets else context.vocabulary.trick_pause_ms,
                bad_lines_max=_NEVER,
                profiles={
                    context.seat.side: replace(self.result.profile, board_restart=True),
                    context.seat.side.other: replace(DEFAULT, board_restart=True),
                },
                rules=TableRules(
                    time=TimeRules(stall_ms=_NEVER, ready_ms=_NEVER, rejoin_ms=_NEVER),
                    irregularities_max=_NEVER,
                    rejoin=Rejoin.REPLAY if is_to_be_cut else Rejoin.RESTART,
                ),
            ),
            context.vocabulary.new_wire,
        )
        self._driver: TableDriver[InProcessLink | CheckSession] = TableDriver(self._core, self)
        self._connect(self, context.seat)
        for seat in SEATS:
            if seat is not context.seat:
                self._seat_other(seat)

    def _seat_other(self, seat: Seat) -> None:
        """Have a player of ours take a seat."""
        self._others += 1
        other = InProcessLink(self._others, seat, self._asked.append)
        self._connect(other, seat)
        self._receive_intent(other, log_on(self.context.team_of(seat), seat))

    def _connect(self, link: "InProcessLink | CheckSession", seat: Seat) -> None:
        link.port_seat = seat if self.context.vocabulary.seats_by_port else None
        self._carry_out(self._driver.open(link))

    def release(self) -> None:
        """Cancel all timers and close the connection."""
        for timer in self._timers.values():
            timer.cancel()
        self.connection.abort()
        self.context.flush()

    def _carry_out(self, effects: list[Effect]) -> None:
        self._driver.carry_out(effects, self.context.clock.now_ms())

    def _attach(self, connection: ProgramConnection) -> None:
        self.connection = connection
        self._set_deadline()
        connection.in_packets = self._in_packets
        connection.attach(self)

    def _finish(self, failure: Failure | None = None) -> None:
        if not self._done.done():
            self.result.failure = failure
            self.context.log("note", "passed" if failure is None else f"{failure.clause}: {failure.said}")
            self._done.set_result(None)

    # What the program is waited for

    def _set_deadline(self) -> None:
        """Restart the time limit: the program, or the table, has done what was due."""
        settings, is_leaving = self.context.settings, self.result.phase is SessionPhase.END
        limit_s = waits_s = settings.leave_s if is_leaving else settings.timeout_s
        if _SLOW_PARTNER in self._timers and self.dialogue.owes_nothing():
            waits_s += settings.slow_s
        if is_leaving:
            waits_s += CLOSE_PAUSE_MS / 1000  # the table closes its end of the connection only then
        self._start_timer(
            _DEADLINE, waits_s, lambda: self._finish(self.dialogue.silence(limit_s, self.connection.unfinished))
        )

    # What the program says: what its connection reports

    def receive_line(self, line: bytes | Overlong, now_ms: int) -> None:
        if self._done.done():
            return
        self.context.log("in", line if isinstance(line, bytes) else f"(a line of more than {line.limit} bytes)")
        if self.result.phase is SessionPhase.END:
            return  # nothing that is said after the end of the session counts
        owed = self.dialogue.owed()
        failure = self.dialogue.check_line(line, is_behind=not self.connection.pacer.is_empty)
        if failure is not None:
            self._finish(failure)
            return
        self.line_began_ms = now_ms
        self._carry_out(self._core.receive_line(self.number, line, now_ms, now_ms))
        self._pump()
        if owed is None or owed.answered or self.dialogue.owed() is not owed:
            self._set_deadline()

    def receive_close(self, fault: Exception | None = None) -> None:
        """Note that the connection is gone; a fault is a bug of ours, which is not blamed on the program."""
        self.context.log("note", "the connection is gone")
        if not self._done.done():
            if fault is not None:
                self._done.set_exception(fault)
            else:
                self._lose_program()

    def note_written(self, line: str, clock: int | None, now_ms: int) -> None:
        self.context.log("out", line)
        self._driver.note_written(self, line, clock, now_ms)

    def _lose_program(self) -> None:
        self._carry_out(self._driver.close(self, "the connection was closed", self.context.clock.now_ms()))
        if self._is_cut:
            self._timers.pop(_DEADLINE).cancel()
            self._done.set_result(None)
        elif self.result.phase is SessionPhase.END:
            self.result.phase = SessionPhase.OVER
            self._finish()
        else:
            self._finish(self.dialogue.closing())

    # What the other players do: once the table has dealt with all that came before

    def _ask(self, other: InProcessLink) -> None:
        """Have one of the others call or play: at once, later, or after an interruption, as the scenario says."""
        known, board = other.wire.known, self._core.state.board
        assert known is not None
        assert board is not None
        hand = board.state.in_play.turn
        assert hand is not None
        context, kind, interrupted = self.context, self._by_number[known.number].kind, self.result.interrupted
        answer = partial(self._answer, other, known, hand)
        if known.contract is None:
            if kind is not StepKind.SLOW or other.seat is not context.seat.partner:
                answer()
                return
            self._start_timer(_SLOW_PARTNER, context.settings.slow_s, answer)
            if self.dialogue.owes_nothing():
                self._set_deadline()
        elif kind is StepKind.RESTART and kind not in interrupted and known.tricks:
            # The program has seen a trick; it is interrupted while it waits for this card.
            interrupted.add(kind)
            self._interruption = partial(self._restart_board, other)
        elif hand is context.seat and context.vocabulary.dummy_wait_s:
            self._start_timer(_DUMMYS_CARD, context.vocabulary.dummy_wait_s, answer)
        else:
            answer()

    def _answer(self, other: InProcessLink, known: PlayerView, hand: Seat) -> None:
        scenario = self._by_number[known.number]
        if known.contract is None:
            self._receive_intent(other, scenario.choose_call(known))
        else:
            self._receive_intent(other, CardIntent(hand, scenario.choose_card(known, hand)))

    def _receive_intent(self, other: InProcessLink, intent: Intent) -> None:
        now_ms = self.context.clock.now_ms()
        self._carry_out(self._core.receive_line(other.number, intent, now_ms, now_ms))

    def _pump(self) -> None:
        """Have the other players call and play until all of them wait for the program."""
        while self._asked:
            self._ask(self._asked.popleft())
        if self._interruption is not None and self.dialogue.owes_nothing():
            interrupt, self._interruption = self._interruption, None
            interrupt()
            self._pump()

    def _restart_board(self, other: InProcessLink) -> None:
        """Replace one of the others by another player, for whom the table starts the board again (BC-48)."""
        self._carry_out(self._driver.close(other, "it was replaced", self.context.clock.now_ms()))
        self._seat_other(other.seat)

    # What the table does

    def _pending(self) -> list[PendingLine]:
        return [line for line in self._core.state.pending_lines() if line.seat is self.context.seat]

    def send(self, line: str, clock: int | None, now_ms: int) -> bool:  # noqa: ARG002 # see Link
        result, milestones = self.result, self.context.vocabulary.milestones
        failure = self.dialogue.receive_table_line(line)
        self.connection.send(line, clock)
        if result.phase is SessionPhase.CONNECT and milestones[SessionPhase.GREET].match(line):
            result.phase = SessionPhase.GREET
        elif result.phase is SessionPhase.BETWEEN and milestones[SessionPhase.BOARD].match(line):
            result.phase = SessionPhase.BOARD
            result.board += 1
        self._set_deadline()
        if failure is not None:
            self._finish(failure)
        return False

    def note_record(self, record: TableRecord, now_ms: int) -> None:  # noqa: ARG002 # see Shell
        result, seat = self.result, self.context.seat
        self.dialogue.receive_record(record)
        match record:
            case SeatTaken() if record.seat is seat:
                result.version, result.system = record.version, record.system
            case BoardBegan():
                if result.playing is None or result.playing.number != record.board:
                    self._note_board_over()
                assert self._core.state.board is not None
                result.playing, result.has_called, self._actions = self._core.state.board.state.in_play, False, 0
                if self._by_number[record.board].kind is StepKind.UNKNOWN:
                    self.connection.send(self.context.vocabulary.unknown_line, None)
            case CallMade() if record.seat is seat:
                result.has_called = True
                self._note_action(result.call_ms, record)
            case CardPlayed():
                contract = result.playing.contract if result.playing is not None else None
                assert contract is not None
                if (contract.declarer if record.seat is contract.dummy else record.seat) is seat:
                    self._note_action(result.card_ms, record)
            case _:
                pass

    def _note_action(self, times_ms: list[int], record: CallMade | CardPlayed) -> None:
        """Note a call or card of the program; cut its connection, where it is to come back into the board."""
        times_ms.append(record.thinking_ms)
        self._actions += 1
        kind, interrupted = self._by_number[record.board].kind, self.result.interrupted
        if kind is StepKind.CUT and kind not in interrupted and self._actions == _CUT_AFTER:
            interrupted.add(kind)
            self._is_cut = True
            self.connection.abort()

    def end(self, reason: str | None) -> None:  # noqa: ARG002 # see Shell
        self._note_board_over()
        self.result.phase = SessionPhase.END
        self.dialogue.is_over = True
        self._set_deadline()

    def _note_board_over(self) -> None:
        """Note that what came before is finished, as a board starts or the session ends."""
        result = self.result
        if result.phase is SessionPhase.GREET:
            result.phase = SessionPhase.BOARD
        elif result.phase is SessionPhase.BOARD:
            assert result.playing is not None
            result.boards.append(result.playing)
            result.phase = SessionPhase.BETWEEN

    def admit(self, gap_ms: int, charset: Charset) -> None:  # noqa: ARG002 # lines are sent in UTF-8
        self.connection.pacer.gap_ms = gap_ms

    def close(self) -> None:
        self.connection.finish()

    def start_timer(self, name: str, at_ms: int, now_ms: int) -> None:
        def expire() -> None:
            self._carry_out(self._core.receive_timer(name, self.context.clock.now_ms()))

        self._start_timer(name, max(0, at_ms - now_ms) / 1000, expire)

    def _start_timer(self, name: str, delay_s: float, action: Callable[[], None]) -> None:
        """Start a timer in place of the one of that name."""
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

    def log_remark(self, remark: LogRemark) -> None:
        self.context.log("note", remark.text)
