"""A table in memory whose players are objects of this process: each is asked in its turn, and answers at once.

The table is the one of events: its core, its rules, its driver. Here is what a host, a connection and a program are
to it. A question is open until it is answered, or until the table goes on without the answer, as it does when a limit
of time has run out meanwhile. What takes time is the thinking of the players, by the clock of this machine; nothing
else does. A player that raises has ended like a program that does: the table rules, and another is made in its place
as often, and as soon, as tourney starts programs again. One that thinks on when no table waits for it is interrupted.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSequence, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias

from tourney.bots.seated_player import SeatedPlayer
from tourney.bots.strategy import Decision, Strategy
from tourney.bridge import SEATS, Card, PlayerView, Seat
from tourney.errors import PlayerError
from tourney.launch.supervisor import Supervision
from tourney.plurals import count
from tourney.protocol.in_process import InProcessLink, InProcessWire, log_on
from tourney.protocol.session.board.session import BoardSession
from tourney.protocol.session.effects import LogRemark
from tourney.protocol.session.intents import CallIntent, CardIntent
from tourney.protocol.session.memory_table import START_MS, MemoryTable
from tourney.protocol.session.orders import GiveUp, NoteExit, Order, Stop
from tourney.protocol.session.records import BoardBegan, TableRecord
from tourney.protocol.session.table import TableSettings

MakeStrategy: TypeAlias = Callable[[], Strategy]
"""Makes the player of a seat, at first and after it has raised."""

Made: TypeAlias = Decision | Card
"""What a player has decided."""

RESTART_TIMER: Final = "restart "
"""Timer after which the player of a seat is made again, with the letter of the seat."""

IN_VAIN_MAX: Final = 1
"""After so many illegal answers in a row of which nothing is on record, a player is taken to say nothing: the board
is forfeited already, and the table waits for it as long as for any that has fallen silent. One may be taken for an
answer to the question before, in which the table has acted in the player's place."""


LOOK_S: Final = 0.25
"""How often it is looked whether a player that thinks is still waited for."""


class Interrupted(BaseException):
    """Ends a player that thinks on when no table waits for it; its own code may catch every `Exception`."""


@contextmanager
def interrupting(is_waited_for: Callable[[float], bool]) -> Iterator[None]:
    """Interrupt players as soon as nobody waits for them after so many seconds.

    Python can do so only in the main thread. In others they are waited for.

    Raises:
        Interrupted: a player had answered just before.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    began_s = time.perf_counter()

    def look(_signal: int, _frame: object) -> None:
        seconds = time.perf_counter() - began_s
        if not is_waited_for(seconds):
            raise Interrupted(f"nobody waits for it after {seconds:.1f} s")

    before = signal.signal(signal.SIGALRM, look)
    timer = signal.setitimer(signal.ITIMER_REAL, LOOK_S, LOOK_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, before)


@dataclass(frozen=True, slots=True)
class PlayerFault:
    """What a player has done to the process in which it was asked."""

    number: int
    """How many times players had been asked there."""
    place: tuple[int, int, int]
    """The table, the board and the seat that was asked."""
    error: str
    seconds: float = 0.0
    """How long it had thought."""


class Asked:
    """Counts what the players of a process are asked, so that another process can go on where it has ended."""

    def __init__(self, note: MutableSequence[float] | None = None, faults: Sequence[PlayerFault] = ()) -> None:
        """Begin to count.

        Args:
            note: is kept up to date with number, table, board and seat of the last question, and when it was asked.
            faults: what has ended other processes; here the players are not asked that, and have failed.
        """
        self._note = note
        self._faults = list(faults)
        self._number = 0

    def begin(self, *place: int) -> PlayerFault | None:
        """Note that the player at a place is asked; return its fault instead if it had one."""
        self._number += 1
        if self._faults and self._faults[0].number <= self._number and self._faults[0].place == place:
            return self._faults.pop(0)
        if self._note is not None:
            self._note[:] = [self._number, *place, time.monotonic()]
        return None


@dataclass(frozen=True, slots=True)
class PlayerFailure:
    """A player that has ended."""

    team: str
    board: int
    """The board in play, 0 before the first."""
    error: str
    traceback: str
    """Empty if it has raised nothing."""


class FailureLog:
    """Shows the first failure of each kind at once, in lines of text, and at the end how many there were."""

    def __init__(self, show: Callable[[str], object]) -> None:
        self._show = show
        self._found: dict[tuple[str, str], list[PlayerFailure]] = {}

    def note(self, failures: Iterable[PlayerFailure]) -> None:
        """Show those of a new kind: from another line of code, or without a traceback."""
        for failure in failures:
            frames = failure.traceback.rpartition("\n  ")[0]
            kind = failure.team, frames or failure.error.partition(", got ")[0]
            if kind not in self._found:
                self._show(f"{failure.traceback}{failure.team}, board {failure.board}: {failure.error}")
            self._found.setdefault(kind, []).append(failure)

    def summarize(self) -> None:
        """Show how often there has been more than one of a kind."""
        for first, *others in self._found.values():
            if others:
                boards = len({failure.board for failure in (first, *others)})
                times = f"{len(others) + 1} times on {count(boards, 'board')}"
                self._show(f"{first.team}, {times}, first on board {first.board}: {first.error}")


class PlayerLink(InProcessLink):
    """A player's place at the table."""

    is_ours = True

    def __init__(self, number: int, seat: Seat, ask: Callable[["InProcessLink"], None], strategy: Strategy) -> None:
        super().__init__(number, seat, ask)
        self.strategy = strategy

    def end_board(self) -> None:
        """Tell the player that its board is over.

        Raises:
            PlayerError: it raised.
        """
        if isinstance(self.strategy, SeatedPlayer):
            self.strategy.end_board()


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A call or card that is due from a player."""

    link: PlayerLink
    board: BoardSession
    made: int
    """How many calls and cards there were before it."""
    known: PlayerView
    """What the player knows; it grows when it is asked again."""
    hand: Seat
    """The hand that calls or plays, the player's own or dummy's."""

    def ask(self) -> Made:
        """Have the player decide, by itself.

        Raises:
            PlayerError: it raised, or answered with what is no call or card.
        """
        strategy, known = self.link.strategy, self.known
        return strategy.choose_call(known) if known.contract is None else strategy.choose_card(known, self.hand)


class PlayerTable(MemoryTable[PlayerLink]):
    """One table with four players, from the first board to the last.

    Whoever has it answers `question` again and again, until there is none.
    """

    def __init__(
        self,
        settings: TableSettings,
        players: Mapping[Seat, MakeStrategy],
        start_ms: int = START_MS,
        links_before: int = 0,
        asked: Asked | None = None,
        number: int = 0,
    ) -> None:
        """Seat the players; the first question is asked at once.

        Args:
            settings: what is played, and how.
            players: makes the player of each seat.
            start_ms: the time at its beginning.
            links_before: how many connections the table has had in earlier sessions; the numbers go on from there.
            asked: counts what players of this process are asked.
            number: tells it from other tables of the process.

        Raises:
            PlayerError: a player cannot be made.
        """
        super().__init__(settings, InProcessWire, start_ms=start_ms)
        self.asked = asked if asked is not None else Asked()
        self.number = number
        self.failures: list[PlayerFailure] = []
        self.question: Question | None = None
        """What is due now; None once the session has ended."""
        self._players = players
        self._from_ms = start_ms
        self._thought_s = 0.0
        self._in_vain = 0
        """How many answers in a row have led to nothing on record."""
        self._links = links_before
        self._links_by_seat: dict[Seat, PlayerLink] = {}
        rejoins_max = settings.rules.rejoins_max
        self._supervised = {seat: Supervision(rejoins_max) for seat in SEATS}
        for seat in SEATS:
            self._seat(seat)
        self._wait_for_question()

    # The players

    def _seat(self, seat: Seat) -> None:
        """Make the player of a seat, and have it log on."""
        self._supervised[seat].start()
        strategy = self._players[seat]()
        self._links += 1
        link = self._links_by_seat[seat] = PlayerLink(self._links, seat, self._ask, strategy)
        self.carry_out(self.driver.open(link))
        team = self.core.state.settings.team(seat.side)
        self.carry_out(self.core.receive_line(link.number, log_on(team, seat), self.now_ms, self.now_ms))

    def restart_program(self, seat: Seat) -> None:
        supervision = self._supervised[seat]
        if supervision.note_end():
            self.timers[f"{RESTART_TIMER}{seat.letter}"] = self.now_ms + supervision.delay_ms
            return
        why = f"{seat.title}'s player has failed {supervision.starts} times in a row"
        self._give_up(seat, why)

    def _give_up(self, seat: Seat, why: str) -> None:
        """Wait no more for a seat, or end the table before the first board: as a host does."""
        self._order(GiveUp(seat, why) if self.core.state.has_begun else Stop(why))

    def _order(self, order: Order) -> None:
        self.carry_out(self.core.receive_order(order, self.now_ms))

    def run_timer(self, name: str) -> None:
        if not name.startswith(RESTART_TIMER):
            super().run_timer(name)
        elif not self.ended:
            seat = Seat.from_letter(name.removeprefix(RESTART_TIMER))
            try:
                self._seat(seat)
            except PlayerError as error:
                self._give_up(seat, str(error))

    def note_record(self, record: TableRecord, now_ms: int) -> None:
        super().note_record(record, now_ms)
        if isinstance(record, BoardBegan):
            for supervision in self._supervised.values():
                supervision.note_board()

    @property
    def seated(self) -> Iterable[PlayerLink]:
        """The players in their seats."""
        return self._links_by_seat.values()

    def begin(self, seat: Seat) -> PlayerFault | None:
        """Note that a player is asked something, or told; return its fault instead if it had one."""
        return self.asked.begin(self.number, self.board_number, seat)

    @property
    def board_number(self) -> int:
        """The number of the board in play, 0 before the first."""
        board = self.core.state.board
        return board.board.number if board is not None else 0

    def log_remark(self, remark: LogRemark) -> None:  # noqa: ARG002 # nobody reads it
        return

    def known_at(self, seat: Seat) -> PlayerView | None:
        """Return what a seat knows now, in its turn or not; None before it has its cards."""
        wire, view = self._links_by_seat[seat].wire, self.core.state.seats[seat].view
        return view.known() if view is not None and view.cards_shown else wire.known

    # Questions

    def _ask(self, link: InProcessLink) -> None:
        """Note that a player is to call or play; it is on the clock from now."""
        board, known = self.core.state.board, link.wire.known
        assert board is not None
        assert known is not None
        in_play = board.state.in_play
        assert in_play.turn is not None
        self.question = Question(self._links_by_seat[link.seat], board, len(board.state.history), known, in_play.turn)

    def answer(self, made: Made | PlayerError, seconds: float, question: Question | None = None) -> None:
        """Have the player that is asked call or play, or end, after it has thought so long.

        What is due next is in `question`. If a limit has run out meanwhile and the table has gone on, the answer is
        too late and nothing comes of it.

        Args:
            made: the call or the card; or what the player has raised, which then ends.
            seconds: how long the player has thought.
            question: what it was asked, if time has passed at the table since; by default what is asked now.
        """
        question = question or self.question
        assert question is not None
        is_open = self.waits_for(question, seconds)
        self._thought_s += seconds
        if self.question is question:
            self.question = None
        if is_open:
            if isinstance(made, PlayerError):
                self._end_player(question.link, made)
            else:
                self._act(question, made)
        self._wait_for_question()

    def _act(self, question: Question, made: Made) -> None:
        """Have a player call or play; if that is refused, it is asked again."""
        if isinstance(made, Card):
            intent: CallIntent | CardIntent = CardIntent(question.hand, made)
        else:
            intent = CallIntent(None, made.call, alerted=bool(made.alert), text=made.alert)
        before = len(self.records)
        self.carry_out(self.core.receive_line(question.link.number, intent, self.now_ms, self.now_ms))
        self._in_vain = self._in_vain + 1 if len(self.records) == before else 0
        if self.question is None and self._is_open(question) and self._in_vain <= IN_VAIN_MAX:
            self.question = question

    def _end_player(self, link: PlayerLink, error: PlayerError) -> None:
        """Have a player leave its seat, as a program does that ends by itself."""
        board = self.core.state.board
        if board is None or board.state.fault is None:  # else it is only played out
            self.note_failure(link, error)
        self._order(NoteExit(link.seat, str(error)))
        self.carry_out(self.driver.close(link, str(error), self.now_ms))

    def note_failure(self, link: PlayerLink, error: PlayerError) -> None:
        """Note that a player has raised."""
        team = self.core.state.settings.team(link.seat.side)
        self.failures.append(PlayerFailure(team, self.board_number, str(error), error.traceback))

    def waits_for(self, question: Question, seconds: float) -> bool:
        """Let the time pass that a player has thought so far; return whether its answer is still waited for."""
        ms = self._from_ms + int(1000 * (self._thought_s + seconds)) - self.now_ms
        if ms > 0:
            self.wait(ms)
        return self.question is question and self._is_open(question)

    def _is_open(self, question: Question) -> bool:
        """Return whether a question has not been answered: by its player, or by the table in its place."""
        board, link = question.board, question.link
        return (
            not self.ended
            and self.core.state.board is board
            and len(board.state.history) == question.made
            and self.core.state.seats[link.seat].active is link.player
            and link.number in self.driver.links
        )

    def _wait_for_question(self) -> None:
        """Let time pass until there is a question, or the session has ended."""
        while self.question is None and not self.ended:
            assert self.timers, "a table without a question waits for something"
            before_ms = self.now_ms
            self.wait(max(0, min(self.timers.values()) - self.now_ms))
            self._from_ms += self.now_ms - before_ms
