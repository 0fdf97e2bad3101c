"""What a table is to play and its progress: the data shared by all parts of the session, and basic operations on it.

It makes no verdicts: `adjudication` decides who is at fault and what the remedy is.
"""

import enum
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tourney.bridge import SEATS, Board, Seat, Side
from tourney.errors import ProtocolError
from tourney.protocol.access import TableAccess
from tourney.protocol.session.boards import BoardQueue, LineScore
from tourney.protocol.session.clock import TableTime
from tourney.protocol.session.connection import PlayerConnection
from tourney.protocol.session.counts import TableCounts
from tourney.protocol.session.effects import EndTable, Outbox, RestartProgram
from tourney.protocol.session.intents import PendingLine
from tourney.protocol.session.notices import BreakBegan, ErrorText, SessionEnded, SessionInterrupted
from tourney.protocol.session.records import (
    BoardBegan,
    BoardEnded,
    BoardSnapshot,
    Incident,
    IncidentKind,
    RecordedAction,
    SeatLeft,
    SeatTaken,
    TableRecord,
    TimeExtended,
)
from tourney.protocol.session.rules import TableRules
from tourney.protocol.session.seat import Loss, SeatState
from tourney.protocol.session.wire import Wire

if TYPE_CHECKING:
    from tourney.protocol.session.board.session import BoardSession

CLOSE_TIMER: Final = "close"
CLOSE_PAUSE_MS: Final = 1000
"""Pause between `End of session` and closing the connection (BC-39)."""

LOST_TIMER: Final = "lost"
LOST_WAIT_MS: Final = 1000
"""How long after its loss a connection is judged: time for the other side's to be lost too, and for a program's exit
status to arrive."""


BREAK_TIMER: Final = "break"
"""Timer for the end of a break between two boards, for which players may be late."""


class Stage(enum.Enum):
    """The stage of the session."""

    SEATING = "seating"
    """No board is in progress: somebody is missing or not ready."""
    BOARDS = "boards"
    OVER = "over"


_AFTER: Final = {
    Stage.SEATING: (Stage.BOARDS, Stage.OVER),
    Stage.BOARDS: (Stage.SEATING, Stage.OVER),
    Stage.OVER: (),
}
"""The stages that may follow each."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What a table is to play, and how.

    `boards` are those still to be played, in order. `spent_ms` is the thinking time of each side on the boards of
    this table that were finished before, for the totals after each board.
    """

    ns_team: str
    ew_team: str
    boards: tuple[Board, ...]
    trick_pause_ms: int = 1000
    bad_lines_max: int = 20
    spent_ms: dict[Side, int] = field(default_factory=dict)
    profiles: Mapping[Side, object] = field(default_factory=dict)
    """Settings of each side's wire, defined by its language; the usual ones for a missing side."""
    rules: TableRules = field(default_factory=TableRules)
    access: TableAccess = field(default_factory=TableAccess)
    under_way: BoardSnapshot | None = None
    """The one of `boards` that another table host has begun, if any (BC-49)."""
    ours: frozenset[Side] = frozenset()
    """The sides whose programs we start and can restart."""
    seats_players: bool = False
    """Whether seats are given to single players, by their own names, by whoever opens the connections: any name is
    good for the seat of its port."""
    history: tuple[BoardBegan | BoardEnded | Incident, ...] = ()
    """What is on record of this table so far, apart from calls and cards, in order."""
    extensions: tuple[TimeExtended, ...] = ()
    """The thinking time that directors have given so far beyond the limits of `rules`."""
    source: BoardQueue | None = None
    """What says which board is next, for a table whose boards depend on results; usually they are just `boards`. Its
    first one is `under_way` if any is. It is the table's from now on."""

    def team(self, side: Side) -> str:
        return self.ns_team if side is Side.NS else self.ew_team


class SessionState:
    """The state of one table, shared by the parts of its session."""

    def __init__(self, settings: TableSettings, time: TableTime) -> None:
        assert settings.boards, "a table without boards has nothing to play"
        self.settings = settings
        self.time = time
        """The time that counts here, by which everybody is charged and judged."""
        self.stage = Stage.SEATING
        """Changed by `enter` alone."""
        self.outbox = Outbox()
        self.seats = tuple(SeatState(seat) for seat in SEATS)
        """The state of each seat, by seat."""
        self.connections: dict[int, PlayerConnection] = {}
        """Open connections, seated or not, by number."""
        self.shows_unasked = False
        """Whether a player has come that is shown what it has not asked for, such as what it may ask for."""
        self.board: BoardSession | None = None
        """The current board; between boards, the last one."""
        self.has_begun = False
        """Whether a board has begun in this session."""
        self.under_way = under_way = settings.under_way
        """The board that begins next, if it goes on from what is on record."""
        boards = sorted(settings.boards, key=lambda board: under_way is None or board.number != under_way.number)
        # Whose game is decided has no boards left, and is still what the table plays.
        self.queue = settings.source if settings.source is not None else BoardQueue(boards)
        """Boards that have not begun."""
        self.break_ends_ms = 0
        """When the break after the last board ends, if players are still not ready then."""
        self.closing: str | None = None
        """Why the session ends after the current board; None while all boards are to be played."""
        self.counts = TableCounts()
        """What has been counted here, by this host and those before."""
        for record in settings.history:
            self.counts.apply(record)
        self.replays: set[int] = set()
        """Numbers of boards that are void by order, and begun again without being counted as void."""
        self.evictions = 0
        """Connections that were sent away because there were too many of them."""
        self.total_ms = {side: settings.spent_ms.get(side, 0) for side in Side}
        """Thinking time of each side on the boards before the current one."""
        self.extra_ms = Counter[tuple[int | None, Side]]()
        """What directors have added to the limits, by the number of the board, None for the match, and by side."""
        self._extended_by: set[int] = set()
        """The ids of the orders that are in `extra_ms`."""
        for extension in settings.extensions:
            self._extend(extension)

    def record(self, record: TableRecord) -> None:
        """Put something on record, and change by it: counts, seats and pauses here, everything else on the board."""
        self.outbox.effects.append(record)
        if isinstance(record, RecordedAction):  # most of what goes on record
            assert self.board is not None
            self.board.state.apply(record)
            return
        self.counts.apply(record)
        match record:
            case SeatTaken():
                self.seats[record.seat].log_on(self.connections[record.connection])
            case SeatLeft():
                self.seats[record.seat].leave()
            case Incident(kind=IncidentKind.PAUSED | IncidentKind.RESUMED):
                self.time.pause(is_paused=record.kind is IncidentKind.PAUSED)
            case TimeExtended():
                self._extend(record)
            case _ if self.board is not None:
                self.board.state.apply(record)
            case _:
                pass

    def _extend(self, record: TimeExtended) -> None:
        """Move a limit; an order that another host has acted on as well counts once."""
        if record.order_id in self._extended_by:
            return
        if record.order_id is not None:
            self._extended_by.add(record.order_id)
        for side in Side:
            if record.side in (side, None):
                self.extra_ms[record.board, side] += record.ms

    def record_incident(self, kind: IncidentKind, seat: Seat | None, text: str, about: str = "") -> None:
        """Put on record what the director should see, on the current board or, between boards, the last one."""
        board = self.board
        number, made = (board.board.number, len(board.state.history)) if board is not None else (None, 0)
        self.record(Incident(kind, number, seat, text, self.now_ms, made, about))

    # Queries

    @property
    def now_ms(self) -> int:
        """When the event began that is being handled."""
        return self.time.now_ms

    @property
    def is_playing(self) -> bool:
        """Whether a board is in progress."""
        return self.stage is Stage.BOARDS

    @property
    def is_over(self) -> bool:
        """Whether the session has ended."""
        return self.stage is Stage.OVER

    @property
    def attempt(self) -> "BoardSession | None":
        """The board whose attempt has not ended on record; None between boards."""
        return self.board if self.board is not None and self.board.state.ended is None else None

    @property
    def is_done(self) -> bool:
        """Whether the last of the boards has come to its end on record."""
        return self.board is not None and self.board.state.is_final and not self.queue

    @property
    def is_on_break(self) -> bool:
        """Whether the next board waits for players that have said they would say when they are ready."""
        return self.now_ms < self.break_ends_ms and any(
            seat.connection is not None and seat.connection.is_on_break for seat in self.seats
        )

    @property
    def can_restart(self) -> bool:
        """Whether every program at the table can restart a board, or can be started again."""
        return all(
            (seat.player is not None and seat.player.wire.restarts_board) or seat.seat.side in self.settings.ours
            for seat in self.seats
        )

    def seat_of(self, number: int) -> Seat | None:
        """Return the seat of a connection; None before it has logged on and if it is unknown."""
        connection = self.connections.get(number)
        return connection.seat if connection is not None else None

    def pending_lines(self) -> list[PendingLine]:
        """Return the lines that the table waits for now."""
        pending = self.board.pending_lines if self.board is not None and self.is_playing else []
        for seat in self.seats:
            if seat.connection is not None and not seat.connection.is_ready:
                line = seat.connection.pending()
                if line is not None:
                    pending.append(line)
        return pending

    # What everybody may know (`TableFacts`)

    @property
    def empty_seats(self) -> list[Seat]:
        return [seat.seat for seat in self.seats if seat.connection is None]

    @property
    def line_scores(self) -> Mapping[Side, LineScore] | None:
        return self.queue.line_scores

    def limit_ms(self, board: int | None, side: Side) -> int | None:
        time = self.settings.rules.time
        limit = time.match if board is None else time.board
        return limit.ms + self.extra_ms[board, side] if limit.ms is not None else None

    def time_limits(self, side: Side, used_ms: int) -> list[tuple[str, int, int]]:
        """Return the limits of a side whose player in turn has used so much: name, limit, and what counts for it."""
        board, spent_ms = self.board, used_ms
        if board is not None and self.is_playing:
            spent_ms += board.state.clock.spent_ms[side]
        limits = (
            ("call", self.settings.rules.time.call.ms, used_ms),
            ("board", self.limit_ms(board.board.number, side) if board is not None else None, spent_ms),
            ("match", self.limit_ms(None, side), self.total_ms[side] + spent_ms),
        )
        return [(name, limit_ms, counted_ms) for name, limit_ms, counted_ms in limits if limit_ms is not None]

    def turn_left_ms(self, seat: Seat) -> int | None:
        if self.board is None:
            return None
        limits = self.time_limits(seat.side, self.board.state.clock.elapsed_ms())
        return max(0, min(limit_ms - counted_ms for _, limit_ms, counted_ms in limits)) if limits else None

    def team(self, side: Side) -> str:
        return self.settings.team(side)

    def name_at(self, seat: Seat) -> str:
        """Return who sits there: the team and the position or, where seats are given to players, the player's name.

        A client knows its own name as its own: with the name of the team alone, its partner would have that too.
        """
        if not self.settings.seats_players:
            return f"{self.team(seat.side)} {seat.letter}"
        connection = self.seats[seat].connection
        return connection.team if connection is not None else ""

    # Seats

    def take_seat(self, connection: PlayerConnection, seat: Seat) -> None:
        """Give a program a seat: one that has logged on, or one that is back on another connection."""
        self.record(
            SeatTaken(
                connection=connection.number,
                seat=seat,
                team=connection.team,
                version=connection.version,
                system=connection.system,
                peer=connection.peer,
                at_ms=self.now_ms,
            )
        )

    def leave_seat(self, seat: SeatState, reason: str) -> None:
        """Note that the program of a seat has left the table."""
        connection = seat.connection
        assert connection is not None
        was_playing = seat.active is not None
        self.record(SeatLeft(connection.number, seat.seat, reason, self.now_ms))
        if self.stage is Stage.OVER:
            return
        self.outbox.effects.append(RestartProgram(seat.seat))
        board = self.board
        if self.stage is not Stage.BOARDS or board is None or seat.is_substituted:
            return
        if was_playing:
            board.leave(seat)
        elif seat.is_awaited:
            return  # the board still waits for one that came back but left before joining
        seat.lose(connection, reason, self.now_ms, is_over=board.state.in_play.is_finished)
        if all(other.loss is not None or other.is_substituted for other in self.seats):
            self.outbox.arm(LOST_TIMER, self.now_ms)  # there is nobody left to wait for
        elif LOST_TIMER not in self.outbox.armed:
            self.outbox.arm(LOST_TIMER, self.now_ms + LOST_WAIT_MS)

    def disconnect_seat(self, seat: SeatState, reason: str) -> None:
        """Disconnect a program and free its seat; without effect if the seat is empty."""
        connection = seat.connection
        if connection is None:
            return
        connection.notify(ErrorText(reason))
        connection.notify(SessionEnded())
        connection.close(reason)
        self.leave_seat(seat, reason)

    def unjudged_losses(self) -> list[tuple[SeatState, Loss]]:
        """Return the losses of the board that have not been judged, in the order in which they happened."""
        losses = [(seat, seat.loss) for seat in self.seats if seat.loss is not None and not seat.loss.is_judged]
        return sorted(losses, key=lambda each: each[1].at_ms)

    def record_losses(self) -> bool:
        """Record the losses of the board that have not been judged; return whether those of both sides came at once.

        They are judged a moment later, so that the ends of programs are known; when the board is begun again or the
        session ends before that, they are put on record then.
        """
        losses = self.unjudged_losses()
        both_sides = len({seat.seat.side for seat, loss in losses if not loss.by_table}) == 2
        for seat, loss in losses:
            self.record_incident(loss.kind(both_sides=both_sides), seat.seat, loss.why(seat.seat))
            if seat.rejoined:
                self.record_incident(IncidentKind.REJOINED, seat.seat, seat.rejoined)
                seat.rejoined = ""
        return both_sides

    # Boards and session

    def enter(self, stage: Stage) -> None:
        """Enter another stage.

        Raises:
            ProtocolError: it does not follow the present one.
        """
        if stage not in _AFTER[self.stage]:
            raise ProtocolError(f"a table whose stage is {self.stage.value} cannot enter {stage.value}")
        self.stage = stage

    def drop_board(self) -> None:
        """Leave the current board: none is in progress any more."""
        self.enter(Stage.SEATING)
        in_the_middle = self.board is not None and not self.board.state.in_play.is_over
        for seat in self.seats:
            seat.end_board(in_the_middle=in_the_middle)

    def begin_break(self) -> None:
        """Let the next board wait for the players that say when they are ready for it."""
        wait_ms = self.settings.rules.board_break_ms
        if not wait_ms:
            return
        for seat in self.seats:
            player = seat.connection
            if player is not None:
                player.is_on_break = player.wire.confirms_ready
                if player.is_on_break:
                    self.break_ends_ms = self.now_ms + wait_ms
                    player.notify(BreakBegan(wait_ms))
        if self.is_on_break:
            self.outbox.start_timer(BREAK_TIMER, self.break_ends_ms)

    def restart_board(self) -> None:
        """Restart the current board; programs that cannot are disconnected and come back for it."""
        self._leave_board("the board is begun again", lambda wire: wire.restarts_board)

    def resume_earlier(self) -> None:
        """Leave the current board for an earlier position of it; programs that lack the word for it come back."""
        self._leave_board("a call or card was taken back", lambda wire: wire.answers_undo)

    def _leave_board(self, why: str, can_stay: Callable[[Wire], bool]) -> None:
        assert self.board is not None
        self.queue.put_back(self.board.board)
        self.drop_board()
        for seat in self.seats:
            if seat.connection is not None and not can_stay(seat.connection.wire):
                self.disconnect_seat(seat, why)

    def end_session(self, reason: str | None) -> None:
        """End the session and always tell everybody: programs hang or fail on a bare close (BC-39)."""
        self.record_losses()
        self.enter(Stage.OVER)
        for seat in self.seats:
            if seat.connection is not None:
                seat.connection.notify(SessionEnded())
        self.outbox.effects.append(EndTable(reason))
        self.outbox.start_timer(CLOSE_TIMER, self.now_ms + CLOSE_PAUSE_MS)

    def interrupt_session(self, reason: str) -> None:
        """End the session for another to go on with it: connections are closed as if this process had died."""
        self.record_losses()
        self.enter(Stage.OVER)
        self.outbox.effects.append(EndTable(reason))
        for connection in self.connections.values():
            if connection.seat is not None:
                connection.notify(SessionInterrupted(reason))
            connection.close(reason)
