"""One session of the check: the program at one table, from its log-on until it leaves or something is wrong.

What the program says is judged by the `Dialogue` of its language. A session is in one phase (`SessionPhase`), and a
failure belongs to the phase in which it occurs:

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
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from tourney.bridge import SEATS
from tourney.compliance.context import SeatContext
from tourney.compliance.findings import Failure, FailureKind, SessionPhase, SessionResult, StepKind
from tourney.compliance.program import Program, ProgramConnection
from tourney.compliance.scenarios import Scenario
from tourney.compliance.table import OtherPlayer, TableSession
from tourney.compliance.vocabulary import Dialogue
from tourney.protocol.lines import Overlong
from tourney.protocol.player import AskCall, AskCard, PlayerEffect, SendLine
from tourney.protocol.session.intents import PendingLine
from tourney.protocol.session.records import BoardBegan, CallMade, CardPlayed, SeatTaken, TableRecord
from tourney.protocol.session.rules import Rejoin
from tourney.protocol.session.table import CLOSE_PAUSE_MS
from tourney.protocol.wires import DEFAULT, WireProfile

_SLOW_PARTNER: Final = "slow partner"
_DUMMYS_CARD: Final = "dummy's card"
_DEADLINE: Final = "deadline"
"""Names of timers, beside those of the table."""

_CUT_AFTER: Final = 3
"""After how many calls and cards of the program on a board its connection is cut."""


class CheckSession(TableSession):
    """Plays the boards of some scenarios with the program; `run` returns the result."""

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
        super().__init__(context)
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
        pause_ms = 0 if self._in_packets else self.context.vocabulary.trick_pause_ms
        others = (seat for seat in SEATS if seat is not self.context.seat)
        is_cut = any(scenario.kind is StepKind.CUT for scenario in self._scenarios)
        rejoin = Rejoin.REPLAY if is_cut else Rejoin.RESTART
        self._open_table(self._boards, self.result.profile, pause_ms, others, rejoin)
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
        self._start_timer(_DEADLINE, waits_s, partial(self._time_out, limit_s))

    def _time_out(self, limit_s: float) -> None:
        assert self.connection is not None
        self._finish(self.dialogue.silence(limit_s, self.connection.unfinished))

    # What the program says

    def _take_line(self, line: bytes | Overlong, now_ms: int) -> None:
        if self.result.phase is SessionPhase.END:
            return  # nothing that is said after the end of the session counts
        assert self.connection is not None
        owed = self.dialogue.owed()
        failure = self.dialogue.check_line(line, is_behind=self.connection.has_unwritten)
        if failure is not None:
            self._finish(failure)
            return
        super()._take_line(line, now_ms)
        if owed is None or owed.answered or self.dialogue.owed() is not owed:
            self._set_deadline()

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

    # What the other players do

    def take_effects(self, other: OtherPlayer, effects: list[PlayerEffect]) -> None:
        super().take_effects(other, effects)
        for effect in effects:
            if isinstance(effect, AskCall | AskCard):
                self._ask(other, effect)

    def _ask(self, other: OtherPlayer, ask: AskCall | AskCard) -> None:
        """Have one of the others call or play: at once, later, or after an interruption, as the scenario says."""
        context, scenario = self.context, self._by_number[ask.view.number]
        kind, interrupted = scenario.kind, self.result.interrupted
        answer = partial(self._answer, other, ask)
        if isinstance(ask, AskCall):
            if kind is not StepKind.SLOW or other.seat is not context.seat.partner:
                answer()
                return
            self._start_timer(_SLOW_PARTNER, context.settings.slow_s, answer)
            if self.dialogue.owes_nothing():
                self._set_deadline()
        elif kind is StepKind.RESTART and kind not in interrupted and ask.view.tricks:
            # The program has seen a trick; it is interrupted while it waits for this card.
            interrupted.add(kind)
            self._interruption = partial(self._restart_board, other)
        elif ask.hand is context.seat and context.vocabulary.dummy_wait_s:
            self._start_timer(_DUMMYS_CARD, context.vocabulary.dummy_wait_s, answer)
        else:
            answer()

    def _answer(self, other: OtherPlayer, ask: AskCall | AskCard) -> None:
        scenario = self._by_number[ask.view.number]
        if isinstance(ask, AskCard):
            card = scenario.choose_card(ask.view, ask.hand)
            self.take_effects(other, other.core.make_card(ask.hand, card, asked=ask))
            return
        planned = scenario.choose_call(ask.view)
        effects = other.core.make_call(planned.call, asked=ask)
        if effects and planned.word:
            line, *rest = effects
            assert isinstance(line, SendLine)
            effects = [SendLine(f"{line.line} {planned.word}. {planned.text}"), *rest]
        self.take_effects(other, effects)

    def _pump(self) -> None:
        super()._pump()
        if self._interruption is not None and not self._pumping and self.dialogue.owes_nothing():
            interrupt, self._interruption = self._interruption, None
            interrupt()
            self._pump()

    def _restart_board(self, other: OtherPlayer) -> None:
        """Replace one of the others by another player, for whom the table starts the board again (BC-48)."""
        self._carry_out(self._driver.close(other, "it was replaced", self.context.clock.now_ms()))
        self._seat_other(other.seat)

    # What the table does

    def _pending(self) -> list[PendingLine]:
        return [line for line in self._core.state.pending_lines() if line.seat is self.context.seat]

    def send(self, line: str, clock: int | None, now_ms: int) -> bool:
        result, milestones = self.result, self.context.vocabulary.milestones
        failure = self.dialogue.receive_table_line(line)
        super().send(line, clock, now_ms)
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
                if result.playing is None or result.playing.board.number != record.board:
                    self._note_board_over()
                assert self._core.state.board is not None
                result.playing, result.has_called, self._actions = self._core.state.board.state.in_play, False, 0
                if self._by_number[record.board].kind is StepKind.UNKNOWN and self.connection is not None:
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
            assert self.connection is not None
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


class RefusalSession(TableSession):
    """One session of a program whose seat is taken already: does it notice that it is refused (BC-08)?

    All four seats are: a program that asks for any (BC-52) would get its partner's, and wait there for the others.
    """

    def __init__(self, context: SeatContext) -> None:
        super().__init__(context)
        self._refusal = ""
        self._open_table([Scenario(StepKind.PASSED_OUT, context.seat).board(0)], DEFAULT, 0, SEATS)
        # The others take their seats, and say nothing after that.
        for other, line in list(self._inbox):
            self._pass_on(other, line)
        self._inbox.clear()

    async def run(self, connection: ProgramConnection, program: Program) -> tuple[Failure | None, bool]:
        """Return what is wrong, if anything, and whether the program has connected a second time."""
        waits_s = self.context.settings.leave_s
        self.connection = connection
        connection.attach(self)
        again = asyncio.create_task(program.listener.next_connection())
        try:
            either: set[asyncio.Future[Any]] = {self._done, again}
            came, _ = await asyncio.wait(either, timeout=waits_s, return_when=asyncio.FIRST_COMPLETED)
            if again in came:
                again.result().abort()
            if self._done in came:
                self._done.result()
            return (None if came else self._stayed(waits_s)), again in came
        finally:
            again.cancel()

    def send(self, line: str, clock: int | None, now_ms: int) -> bool:
        self._refusal = line
        return super().send(line, clock, now_ms)

    def _stayed(self, waited_s: float) -> Failure:
        vocabulary = self.context.vocabulary
        if not self._refusal:
            return vocabulary.new_dialogue(self.context.seat, self.context.settings.team, list).silence(waited_s, b"")
        return Failure(
            clause=vocabulary.clause(StepKind.TAKEN),
            kind=FailureKind.STAYED,
            said=f"it stayed connected for {waited_s:g} s",
            expected="it ends, or tries again",
            after=self._refusal,
            advice="Read the error line, or notice that the table has closed the connection; then end or try again.",
            output=(),
        )
