"""The check of a program that speaks the stateful-server protocol: boards at one seat, every answer looked at.

The table is a real one, a `TableCore`; the other three players are ours and bring the wanted situations about. What a
program does wrong the table answers with `NAK`, and that is the finding.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from tourney.bridge import SEATS, BoardInPlay, Seat
from tourney.compliance.connection import ProgramConnection
from tourney.compliance.findings import Failure, FailureKind, StepOutcome, StepResult
from tourney.compliance.patience import Patience, WaitKind
from tourney.compliance.program import ProgramLauncher
from tourney.compliance.scenarios import Scenario, make_scenario
from tourney.compliance.session import SeatCheckSettings
from tourney.compliance.steps import CheckStep, StepKind
from tourney.compliance.waiting import WaitNotice
from tourney.plurals import count
from tourney.protocol.lines import Overlong
from tourney.protocol.player import AskCall, AskCard, PlayerEffect, Say
from tourney.protocol.session.effects import Close, Effect, EndTable, Record, Send, StartTimer
from tourney.protocol.session.records import (
    BoardBegan,
    BoardEnded,
    CallMade,
    CardPlayed,
    SeatTaken,
    TableRecord,
)
from tourney.protocol.session.rules import TableRules, TimeRules
from tourney.protocol.session.table import TableCore, TableSettings
from tourney.protocol.stateful.messages import NakMessage, parse_server_message
from tourney.protocol.stateful.player import ForgetfulPlayer
from tourney.protocol.stateful.server import GamePlace, StatefulWire
from tourney.table.clock import HostClock
from tourney.table.wire_log import WireLog

PLACE: Final = GamePlace("check", "checkbot")

UNKNOWN_LINE: Final = "WEATHER fine 18"
"""What no client knows, and every client ignores (SS-04)."""

CUT_AFTER: Final = 3
"""Lines of the program on a board after which its connection is cut."""

_TABLE: Final = (
    (StepKind.CONNECT, "says HELLO", ("SS-05",)),
    (StepKind.GREET, "asks for a seat", ("SS-07", "SS-09")),
    (StepKind.PASSED_OUT, "a passed-out board", ("SS-14", "SS-15", "SS-16")),
    (StepKind.DECLARER, "declarer, who plays for dummy too", ("SS-17", "SS-18", "SS-19")),
    (StepKind.DUMMY_LEADS, "declarer, dummy on lead", ("SS-17", "SS-18")),
    (StepKind.DUMMY, "dummy, who plays nothing", ("SS-18", "SS-19")),
    (StepKind.LEADER, "defender who leads", ("SS-17", "SS-18")),
    (StepKind.THIRD_HAND, "defender whose partner leads", ("SS-17", "SS-18")),
    (StepKind.REDOUBLED, "a redoubled contract", ("SS-02", "SS-16")),
    (StepKind.VOIDS, "a hand with three voids", ("SS-21",)),
    (StepKind.UNKNOWN, "ignores a message that it does not know", ("SS-04",)),
    (StepKind.CUT, "comes back after its connection was cut, and plays on", ("SS-30",)),
    (StepKind.END, "leaves when the connection is closed", ("SS-29",)),
)

STATEFUL_STEPS: Final = tuple(CheckStep(number, *row) for number, row in enumerate(_TABLE, 1))
"""All steps, in the order of the report."""

_NUMBERS: Final = {step.kind: step.number for step in STATEFUL_STEPS}

_BOARDS: Final = (
    StepKind.PASSED_OUT,
    StepKind.DECLARER,
    StepKind.DUMMY_LEADS,
    StepKind.DUMMY,
    StepKind.LEADER,
    StepKind.THIRD_HAND,
    StepKind.REDOUBLED,
    StepKind.VOIDS,
    StepKind.UNKNOWN,
    StepKind.CUT,
)
"""The steps that are a board each."""

_OWN_BOARD: Final = {StepKind.UNKNOWN: StepKind.LEADER, StepKind.CUT: StepKind.THIRD_HAND}
"""The boards of steps that have none of their own in the other check."""

VARIANTS_TRIED: Final = 3
"""Boards that are tried for a situation which the program's own calls may prevent."""

FAILURES_MAX: Final = 3
"""Failures after which the seat is given up: each may have taken the whole time limit."""

_DUMMY_TIMER: Final = "dummy's card"
"""A timer of ours, beside those of the table."""

DUMMY_WAIT_S: Final = 0.03
"""How long our declarer waits before each card from the program's hand."""

_FOREVER: Final = 10**9
"""A limit that is never reached: here every mistake is found at once, and waits have their own limit."""

PROGRAM: Final = 100
"""The number of the program's first connection; our players have those of their seats."""


@dataclass(slots=True)
class StatefulFindings:
    """What was found at one seat."""

    results: dict[StepKind, StepResult] = field(default_factory=dict)
    call_ms: list[int] = field(default_factory=list)
    card_ms: list[int] = field(default_factory=list)


class StatefulSeatCheck:
    """Tries one seat: one session for all boards, and another after each failure."""

    def __init__(
        self,
        settings: SeatCheckSettings,
        launcher: ProgramLauncher,
        clock: HostClock,
        notice: WaitNotice,
        patience: Patience,
        *,
        kinds: frozenset[StepKind],
        transcript: WireLog | None,
        tell: Callable[[str], None],
    ) -> None:
        """Prepare the steps; the arguments are those of `SeatCheck`."""
        self._settings = settings
        self._launcher = launcher
        self._clock = clock
        self._notice = notice
        self._patience = patience
        self._kinds = kinds
        self._transcript = transcript
        self._tell = tell
        self._found = StatefulFindings()
        self._failures = 0

    async def run(self) -> StatefulFindings:
        """Try the wanted steps."""
        wanted: list[StepKind] = [kind for kind in _BOARDS if kind in self._kinds]
        todo = [(kind, 0) for kind in wanted or [StepKind.PASSED_OUT]]
        try:
            while todo and self._failures < FAILURES_MAX and not (self._failures and self._patience.is_spent):
                todo = await self._try_boards(todo)
        finally:
            await self._launcher.program.end()
        for kind in self._kinds - self._found.results.keys():
            note = "not reached after the failures before it" if self._failures else "the situation did not arise"
            self._decide(kind, StepOutcome.NOT_SEEN, note)
        return self._found

    async def _try_boards(self, todo: list[tuple[StepKind, int]]) -> list[tuple[StepKind, int]]:
        """Play boards in one session; return those that are still to be played."""
        connection = await self._launcher.connect()
        if isinstance(connection, Failure):
            self._fail(StepKind.CONNECT, replace(connection, clause="SS-05"))
            return []
        seat = self._settings.seat
        scenarios = [
            make_scenario(_OWN_BOARD.get(kind, kind), seat, number, variant)
            for number, (kind, variant) in enumerate(todo)
        ]
        self._tell(f"playing {count(len(todo), 'board')}")
        session = StatefulSession(
            self._settings,
            [kind for kind, _ in todo],
            scenarios,
            self._clock,
            self._notice,
            self._patience,
            self._transcript,
        )
        failure = await session.run(connection, self._launcher)
        if failure is not None and not failure.output:
            failure = replace(failure, output=self._launcher.program.last_lines())
        self._found.call_ms += session.call_ms
        self._found.card_ms += session.card_ms
        return self._judge(todo, scenarios, session, failure)

    def _judge(
        self,
        todo: list[tuple[StepKind, int]],
        scenarios: list[Scenario],
        session: "StatefulSession",
        failure: Failure | None,
    ) -> list[tuple[StepKind, int]]:
        """Decide the steps of a session; return the boards that are still to be played."""
        if not session.is_seated:
            assert failure is not None
            if session.has_said_hello:
                self._decide(StepKind.CONNECT, StepOutcome.OK)
            self._fail(StepKind.GREET if session.has_said_hello else StepKind.CONNECT, failure)
            return []
        self._decide(StepKind.CONNECT, StepOutcome.OK)
        self._decide(StepKind.GREET, StepOutcome.OK)
        left: list[tuple[StepKind, int]] = []
        unfinished: list[StepKind] = []
        for (kind, variant), scenario in zip(todo, scenarios, strict=True):
            board = session.finished.get(scenario.board.number)
            if board is None:
                left.append((kind, variant))
                unfinished.append(kind)
            elif kind in _OWN_BOARD or scenario.arose(board):
                self._decide(kind, StepOutcome.OK)
            elif variant + 1 < VARIANTS_TRIED:
                left.append((kind, variant + 1))
        if failure is None:
            self._decide(StepKind.END, StepOutcome.OK)
        elif not unfinished:
            self._fail(StepKind.END, failure)
        else:
            self._fail(unfinished[0], failure)
            left = [each for each in left if each[0] is not unfinished[0]]
        return left

    def _fail(self, kind: StepKind, failure: Failure) -> None:
        self._failures += 1
        self._decide(kind, StepOutcome.FAILED, failure=failure)

    def _decide(
        self, kind: StepKind, outcome: StepOutcome, note: str = "", *, failure: Failure | None = None
    ) -> None:
        """Note the result of a step; a failure stays, and is noted even for a step that was not asked for."""
        known = self._found.results.get(kind)
        if known is not None and known.outcome is StepOutcome.FAILED:
            return
        if kind in self._kinds or outcome is StepOutcome.FAILED:
            self._found.results[kind] = StepResult(_NUMBERS[kind], self._settings.seat, outcome, note, failure)


class StatefulSession:
    """One session of the program at a table with three players of ours."""

    def __init__(
        self,
        settings: SeatCheckSettings,
        kinds: list[StepKind],
        scenarios: list[Scenario],
        clock: HostClock,
        notice: WaitNotice,
        patience: Patience,
        transcript: WireLog | None,
    ) -> None:
        self.finished: dict[int, BoardInPlay] = {}
        """The boards that were played to their ends, by number."""
        self.has_said_hello = self.is_seated = self.is_over = False
        self.call_ms: list[int] = []
        self.card_ms: list[int] = []
        self._settings = settings
        self._clock = clock
        self._notice = notice
        self._patience = patience
        self._transcript = transcript
        self._scenarios = {scenario.board.number: scenario for scenario in scenarios}
        self._kinds = {scenario.board.number: kind for kind, scenario in zip(kinds, scenarios, strict=True)}
        boards = tuple(scenario.board for scenario in scenarios)
        rules = TableRules(time=TimeRules(stall_ms=_FOREVER, rejoin_ms=_FOREVER), irregularities_max=_FOREVER)
        self._core = TableCore(
            TableSettings(
                settings.team_of(Seat.NORTH),
                settings.team_of(Seat.EAST),
                boards,
                trick_pause_ms=0,
                bad_lines_max=_FOREVER,
                rules=rules,
            ),
            lambda: StatefulWire(PLACE),
        )
        self._ours = {seat: ForgetfulPlayer(settings.team_of(seat)) for seat in SEATS if seat is not settings.seat}
        self._said: deque[tuple[int, str]] = deque()
        """Lines of our players that the table has not been given yet."""
        self._program = PROGRAM
        self._connection: ProgramConnection | None = None
        self._playing: dict[int, BoardInPlay] = {}
        """The boards that were begun, by number: by now the table may be at the next."""
        self._board = 0
        self._actions = 0
        """How often the program has called or played on this board."""
        self._last_line = ""
        self._last_told = ""
        self._is_cut = False
        self._failure: Failure | None = None
        self._fault: Exception | None = None
        """A bug of ours."""
        self._timers: dict[str, asyncio.TimerHandle] = {}
        """Those of the table by name, and those of our players."""
        self._is_closed = False
        self._woken = asyncio.Event()

    async def run(self, connection: ProgramConnection, launcher: ProgramLauncher) -> Failure | None:
        """Play the boards; return what is wrong with the program, if anything."""
        for seat, player in self._ours.items():
            self._carry_out(self._core.open_connection(seat, port_seat=seat))
            self._answer(seat, player.start())
        self._attach(connection)
        self._go_on()
        try:
            while self._failure is None and not (self.is_over and self._is_closed):
                self._woken.clear()
                await self._wait()
                if self._is_closed and not self.is_over and self._failure is None:
                    await self._come_back(launcher)
        finally:
            self._notice.end()
            for timer in self._timers.values():
                timer.cancel()
            if self._connection is not None:
                self._connection.abort()
        return self._failure

    async def _wait(self) -> None:
        """Wait for the next thing that happens; a program at which nothing does for too long has failed.

        Raises:
            Exception: a bug of ours, which is not blamed on the program.
        """
        wait = WaitKind.LEAVE if self.is_over else WaitKind.THINK
        begun_s, limit_s = asyncio.get_running_loop().time(), self._patience.limit_s(self._expected(), wait)
        self._notice.begin(self._what_is_owed, limit_s)
        try:
            async with asyncio.timeout(limit_s):
                await self._woken.wait()
            self._patience.note_answer(wait, asyncio.get_running_loop().time() - begun_s)
        except TimeoutError:
            self._patience.note_silence(self._expected(), limit_s)
            self._fail(FailureKind.STAYED if self.is_over else FailureKind.SILENT, "nothing", waited_s=limit_s)
        finally:
            self._notice.end()
        if self._fault is not None:
            raise self._fault

    def _attach(self, connection: ProgramConnection) -> None:
        self._connection, self._is_closed = connection, False
        self._carry_out(self._core.open_connection(self._program, port_seat=self._settings.seat))
        connection.attach(self, 0)

    async def _come_back(self, launcher: ProgramLauncher) -> None:
        """Have a program that was cut come back; one that has left by itself has failed."""
        if not self._is_cut:
            how = await launcher.program.how_it_ended() or "it closed the connection"
            self._fail(FailureKind.CLOSED, how)
            return
        self._is_cut = False
        connection = await launcher.reconnect()
        if isinstance(connection, Failure):
            advice = "Notice that the connection is closed, then connect, say HELLO and JOIN-T again."
            self._failure = replace(connection, clause="SS-30", advice=advice, after=self._last_told)
            return
        self._program += 1
        self._attach(connection)
        self._go_on()

    # LineReceiver

    def receive_line(self, line: bytes | Overlong, now_ms: int) -> None:
        if isinstance(line, bytes):
            self._log("in", line)
            self._last_line = line.decode("utf-8", "replace")
        else:
            self._last_line = f"a line of more than {line.limit} bytes"
        self._carry_out(self._core.receive_line(self._program, line, now_ms))
        self._go_on()
        self._woken.set()

    def receive_close(self, fault: Exception | None = None) -> None:
        self._is_closed = True
        if fault is not None:
            self._note_fault(fault)
            return
        now_ms = self._clock.now_ms()
        self._carry_out(self._core.close_connection(self._program, now_ms, "the connection was closed"))
        self._go_on()
        self._woken.set()

    def note_written(self, line: str, clock: int | None, now_ms: int) -> None:
        self._log("out", line)
        if clock is not None:
            self._core.note_sent(clock, now_ms)

    # The table and our players

    def _go_on(self) -> None:
        """Give the table what our players have said, until they have no more to say."""
        while self._said:
            number, line = self._said.popleft()
            self._carry_out(self._core.receive_line(number, line.encode(), self._clock.now_ms()))

    def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(connection=number, line=line) if number == self._program:
                    self._send(line, effect.clock)
                case Send(connection=number, line=line) if number < PROGRAM:
                    seat = SEATS[number]
                    self._answer(seat, self._ours[seat].receive_line(line.encode()))
                case Record(record=record):
                    self._note_record(record)
                case StartTimer(name=name, at_ms=at_ms):
                    delay_s = max(0, at_ms - self._clock.now_ms()) / 1000
                    self._start_timer(name, delay_s, partial(self._receive_timer, name))
                case Close(connection=number) if number == self._program and self._connection is not None:
                    self._connection.finish()
                case EndTable():
                    self.is_over = True
                    self._woken.set()
                case _:
                    pass

    def _start_timer(self, name: str, delay_s: float, action: Callable[[], None]) -> None:
        """Start a timer in place of the one of that name."""
        running = self._timers.pop(name, None)
        if running is not None:
            running.cancel()

        def due() -> None:
            self._timers.pop(name, None)
            try:
                action()
            except Exception as fault:  # noqa: BLE001 # it ends the check
                self._note_fault(fault)

        self._timers[name] = asyncio.get_running_loop().call_later(delay_s, due)

    def _note_fault(self, fault: Exception) -> None:
        """End the check at a bug of ours."""
        self._fault = self._fault or fault
        self._woken.set()

    def _receive_timer(self, name: str) -> None:
        self._carry_out(self._core.receive_timer(name, self._clock.now_ms()))
        self._go_on()

    def _answer(self, seat: Seat, effects: list[PlayerEffect]) -> None:
        """Queue what one of our players says."""
        player = self._ours[seat]
        for effect in effects:
            match effect:
                case Say(line=line):
                    self._said.append((int(seat), line))
                case AskCall(view=view):
                    chosen = self._scenarios[view.number].choose_call(view)
                    self._answer(seat, player.make_call(chosen.call, asked=effect))
                case AskCard(hand=hand) if hand is self._settings.seat:
                    # A program that plays as dummy is to have the time to do so.
                    self._start_timer(_DUMMY_TIMER, DUMMY_WAIT_S, partial(self._play_dummy, seat, effect))
                case AskCard():
                    self._play(seat, effect)
                case _:
                    pass  # the session is over

    def _play(self, seat: Seat, asked: AskCard) -> None:
        card = self._scenarios[asked.view.number].choose_card(asked.view, asked.hand)
        self._answer(seat, self._ours[seat].make_card(asked.hand, card, asked=asked))

    def _play_dummy(self, seat: Seat, asked: AskCard) -> None:
        self._play(seat, asked)
        self._go_on()

    def _send(self, line: str, clock: int | None) -> None:
        assert self._connection is not None
        if line.startswith("NAK ") and self._failure is None:
            self._fail(FailureKind.LINE, self._last_line, line)
        elif line.startswith("TOURNAMENTS "):
            self.has_said_hello = True
        self._last_told = line
        self._connection.send(line, clock)

    def _note_record(self, record: TableRecord) -> None:
        seat = self._settings.seat
        match record:
            case SeatTaken() if record.seat is seat:
                self.is_seated = True
            case BoardBegan() if self._core.board is not None:
                self._board, self._actions = record.board, 0
                self._playing[record.board] = self._core.board.in_play
                if self._kinds[record.board] is StepKind.UNKNOWN and self._connection is not None:
                    self._connection.send(UNKNOWN_LINE, None)
            case BoardEnded():
                self.finished[record.board] = self._playing[record.board]
            case CallMade() if record.seat is seat:
                self.call_ms.append(record.thinking_ms)
                self._note_action()
            case CardPlayed() if self._is_programs(record):
                self.card_ms.append(record.thinking_ms)
                self._note_action()
            case _:
                pass

    def _is_programs(self, played: CardPlayed) -> bool:
        contract = self._playing[played.board].contract
        actor = contract.declarer if contract is not None and played.seat is contract.dummy else played.seat
        return actor is self._settings.seat

    def _note_action(self) -> None:
        """Cut the connection in the middle of the board that is for it."""
        self._actions += 1
        if self._actions == CUT_AFTER and self._kinds[self._board] is StepKind.CUT and self._connection is not None:
            self._is_cut = True
            self._connection.abort()

    # Findings

    def _what_is_owed(self) -> str:
        return f"`{self._expected()}`"

    def _expected(self) -> str:
        if not self.has_said_hello:
            return f"HELLO {self._settings.team}"
        if not self.is_seated:
            return "JOIN-T"
        if self.is_over:
            return "it ends, as the connection is closed"
        owed = [line.what for line in self._core.pending_lines() if line.seat is self._settings.seat]
        return "BID and a call" if "call" in owed else "PLAY and a card" if "card" in owed else "nothing"

    def _fail(self, kind: FailureKind, said: str, nak: str = "", *, waited_s: float = 0.0) -> None:
        why = _sentence_of(nak)
        expected = f"no NAK; the table said: {why}" if nak else self._expected()
        waited = f" for {waited_s:g} s" if said == "nothing" else ""
        clause, advice = _CLAUSES[kind], _ADVICE[kind]
        for words, its_clause, its_advice in _REFUSALS if nak else ():
            if words in why:
                clause, advice = its_clause, its_advice
                break
        if not self.has_said_hello:
            clause, advice = "SS-05", "Say HELLO and the name of the team as soon as you are connected."
        elif not self.is_seated:
            clause, advice = "SS-07", "Ask for a seat with JOIN-T when you have said HELLO."
        self._failure = Failure(
            clause=clause,
            kind=kind,
            said=f"{said}{waited}",
            expected=expected,
            advice=advice,
            after=self._last_told,
        )
        self._woken.set()

    def _log(self, direction: str, line: str | bytes) -> None:
        if self._transcript is not None:
            self._transcript.write(self._clock.now_ms(), self._settings.seat, direction, line)


_CLAUSES: Final = {
    FailureKind.LINE: "SS-22",
    FailureKind.SILENT: "SS-14",
    FailureKind.CLOSED: "SS-29",
    FailureKind.STAYED: "SS-29",
}
_ADVICE: Final = {
    FailureKind.LINE: "Answer only an AUCOPEN or a TRICK with your own position, or with dummy's as declarer.",
    FailureKind.SILENT: "Answer every AUCOPEN and TRICK that has your position, which is that of the JOINED "
    "without a name, and a TRICK that has dummy's as declarer.",
    FailureKind.CLOSED: "Stay until the server closes the connection.",
    FailureKind.STAYED: "End, or connect again, when the server has closed the connection.",
}

_REFUSALS: Final = (
    ("does not hold", "SS-21", "Play a card of the last HAND, or of the last DUMMY: both are sent after each trick."),
    ("must follow suit", "SS-18", "Follow the suit of the first card of TRICK while the hand in turn has any."),
    (
        "dummy's cards are played by declarer",
        "SS-18",
        "Send nothing as dummy: you are dummy when HAND and DUMMY have the same cards.",
    ),
    (
        "is not higher than",
        "SS-14",
        "Look at the calls in AUCOPEN before you bid: the last bid in it is to be beaten.",
    ),
    (
        "double",
        "SS-14",
        "Double only a bid of the other side, and redouble only their double; AUCOPEN has all calls.",
    ),
    ("the auction is over", "SS-14", "Send no BID after AUCCLOSE: the next line that wants an answer is a TRICK."),
    ("no card can be played before", "SS-17", "Send no PLAY before a TRICK has your position."),
    (
        "a message of a player is",
        "SS-04",
        "Send only messages that a client has; the page on the protocol lists them.",
    ),
    ("is sent by the server", "SS-04", "Send only messages that a client has; the page on the protocol lists them."),
    ("the message is", "SS-03", "Send as many arguments as the message has, with one blank between them."),
    ("a bid is", "SS-02", "Send a bid as 1C to 7NT, PASS, DOUBLE or REDOUBLE."),
    ("a card is", "SS-02", "Send a card as its rank and then its suit: 10H, AS."),
)
"""Words of a refusal, the clause that it is about, and what to change."""


def _sentence_of(nak: str) -> str:
    """Return the sentence of a `NAK`; empty for none."""
    message = parse_server_message(nak.encode()) if nak else None
    return message.description if isinstance(message, NakMessage) else ""
