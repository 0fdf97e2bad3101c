"""A table in memory whose players are objects of this process: each is asked in its turn, and answers at once.

The table is the one of events: its core, its rules, its driver. Here is what a host, a connection and a program are
to it. A question is open until it is answered, or until the table goes on without the answer, as it does when a limit
of time has run out meanwhile. What takes time is the thinking of the players, by the clock of this machine; nothing
else does. A player that raises has ended like a program that does: the table rules, and another is made in its place
as often, and as soon, as tourney starts programs again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from tourney.bots.seated_player import SeatedPlayer
from tourney.bots.strategy import Decision, Strategy
from tourney.bridge import SEATS, Card, PlayerView, Seat
from tourney.errors import PlayerError
from tourney.launch.supervisor import Supervision
from tourney.protocol.in_process import InProcessWire, log_on
from tourney.protocol.session.board.session import BoardSession
from tourney.protocol.session.effects import LogRemark
from tourney.protocol.session.intents import CallIntent, CardIntent
from tourney.protocol.session.memory_table import START_MS, MemoryLink, MemoryTable
from tourney.protocol.session.orders import GiveUp, NoteExit, Order, Stop
from tourney.protocol.session.records import BoardBegan, BoardEnded, TableRecord
from tourney.protocol.session.table import TableSettings

MakeStrategy: TypeAlias = Callable[[], Strategy]
"""Makes the player of a seat, at first and after it has raised."""

RESTART_TIMER: Final = "restart "
"""Timer after which the player of a seat is made again, with the letter of the seat."""

IN_VAIN_MAX: Final = 1
"""After so many illegal answers in a row of which nothing is on record, a player is taken to say nothing: the board
is forfeited already, and the table waits for it as long as for any that has fallen silent. One may be taken for an
answer to the question before, in which the table has acted in the player's place."""


class PlayerLink(MemoryLink):
    """A player's place at the table."""

    def __init__(self, table: "PlayerTable", number: int, seat: Seat, strategy: Strategy) -> None:
        super().__init__(number)
        self.seat = seat
        self.strategy = strategy
        self.wire = InProcessWire()
        self._table = table

    def send(self, line: str, clock: int | None, now_ms: int) -> bool:  # noqa: ARG002 # see Link
        if clock is not None:
            self._table.ask(self)
        return True


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


Made: TypeAlias = Decision | Card
"""What a player has decided."""


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
    ) -> None:
        """Seat the players; the first question is asked at once.

        Args:
            settings: what is played, and how.
            players: makes the player of each seat.
            start_ms: the time at its beginning.
            links_before: how many connections the table has had in earlier sessions; the numbers go on from there.

        Raises:
            PlayerError: a player cannot be made.
        """
        super().__init__(settings, InProcessWire, start_ms=start_ms)
        self._question: Question | None = None
        self._players = players
        self._from_ms = start_ms
        self._thought_s = 0.0
        self._failed: list[tuple[PlayerLink, PlayerError]] = []
        """Players that have raised when nothing was asked of them."""
        self._in_vain = 0
        """How many answers in a row have led to nothing on record."""
        self._links = links_before
        self._links_by_seat: dict[Seat, PlayerLink] = {}
        rejoins_max = settings.rules.rejoins_max
        self._supervised = {seat: Supervision(rejoins_max) for seat in SEATS}
        for seat in SEATS:
            self._seat(seat)
        self._wait_for_question()

    @property
    def question(self) -> Question | None:
        """What is due now; None once the session has ended."""
        return self._question

    # The players

    def _seat(self, seat: Seat) -> None:
        """Make the player of a seat, and have it log on."""
        self._supervised[seat].start()
        strategy = self._players[seat]()
        self._links += 1
        link = self._links_by_seat[seat] = PlayerLink(self, self._links, seat, strategy)
        self.carry_out(self.driver.open(link, peer="", port_seat=None, is_ours=True, wire=link.wire))
        team = self.core.state.settings.team(seat.side)
        self.carry_out(self.core.receive_intent(link.number, log_on(team, seat), self.now_ms))

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
                self._supervised[seat].give_up()
                self._give_up(seat, str(error))

    def note_record(self, record: TableRecord, now_ms: int) -> None:
        super().note_record(record, now_ms)
        if isinstance(record, BoardBegan):
            for supervision in self._supervised.values():
                supervision.note_board()
        elif isinstance(record, BoardEnded) and record.end.is_final:
            for link in self._links_by_seat.values():
                self._tell_end(link)

    def _tell_end(self, link: PlayerLink) -> None:
        """Tell a player that its board is over; if it raises, it ends before the next question."""
        try:
            if isinstance(link.strategy, SeatedPlayer):
                link.strategy.end_board()
        except PlayerError as error:
            self._failed.append((link, error))

    def log_remark(self, remark: LogRemark) -> None:  # noqa: ARG002 # nobody reads it
        return

    def known_at(self, seat: Seat) -> PlayerView | None:
        """Return what a seat knows now, in its turn or not; None before it has its cards."""
        wire, view = self._links_by_seat[seat].wire, self.core.state.seats[seat].view
        if view is not None and view.cards_shown:
            wire.learn(view)
        return wire.known

    # Questions

    def ask(self, link: PlayerLink) -> None:
        """Note that a player is to call or play; it is on the clock from now."""
        board = self.core.state.board
        known = link.wire.known
        assert board is not None
        assert known is not None
        in_play = board.state.in_play
        assert in_play.turn is not None
        self._question = Question(link, board, len(board.state.history), known, in_play.turn)

    def answer(self, made: Made, seconds: float) -> None:
        """Have the player that is asked call or play after it has thought so long; what is due next is in `question`.

        If a limit has run out meanwhile and the table has gone on, the answer is too late and nothing comes of it.
        """
        question = self._let_think(seconds)
        if question is None:
            return
        self._question = None
        if isinstance(made, Card):
            intent: CallIntent | CardIntent = CardIntent(question.hand, made)
        else:
            intent = CallIntent(None, made.call, alerted=bool(made.alert), text=made.alert)
        before = len(self.records)
        self.carry_out(self.core.receive_intent(question.link.number, intent, self.now_ms))
        self._in_vain = self._in_vain + 1 if len(self.records) == before else 0
        if self.question is None and self._is_open(question) and self._in_vain <= IN_VAIN_MAX:
            self._question = question  # it was refused: the player is asked again
        self._wait_for_question()

    def fail(self, error: Exception, seconds: float) -> None:
        """Have the player that is asked end, as it has raised after it has thought so long."""
        question = self._let_think(seconds)
        if question is None:
            return
        self._question = None
        self._end_player(question.link, error)
        self._wait_for_question()

    def _end_player(self, link: PlayerLink, error: Exception) -> None:
        """Have a player leave its seat, as a program does that ends by itself."""
        if link.number in self.driver.links:
            self._order(NoteExit(link.seat, str(error)))
            self.carry_out(self.driver.close(link, str(error), self.now_ms))

    def _let_think(self, seconds: float) -> Question | None:
        """Let time pass; return the question if it is still to be answered then, else go on to the next."""
        question = self.question
        assert question is not None
        self._thought_s += seconds
        ms = self._from_ms + int(1000 * self._thought_s) - self.now_ms
        if ms > 0:
            self.wait(ms)
        if self.question is question and self._is_open(question):
            return question
        if self.question is question:
            self._question = None
        self._wait_for_question()
        return None

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
        while self._failed:
            link, error = self._failed.pop()
            self._end_player(link, error)
            if self._question is not None and self._question.link is link:
                self._question = None
        while self.question is None and not self.ended:
            assert self.timers, "a table without a question waits for something"
            before_ms = self.now_ms
            self.wait(max(0, min(self.timers.values()) - self.now_ms))
            self._from_ms += self.now_ms - before_ms
