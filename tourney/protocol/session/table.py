"""A Table Manager without sockets: lines, timers, losses and orders in, effects out.

It seats the players (BC-05 to BC-11), conducts the boards one after the other and ends the session (BC-39).

**Decide, apply, render.** A line is parsed to an intent; what comes of it is decided from the state and put on
record; the record is applied, which is the only way in which seats, pauses and the board change; then every player is
shown what it may see now and has not been shown (`SeatView`). The effects of one event are one list, in which a
record stands before the lines that reveal it. So a table that another host takes up from the record is the one that
was lost, but for what no row has: connections, what players have been shown, and the clock of the player in turn
(`board/state.py` has all).

**The stages of the session** (`Stage`), and what ends each:

    SEATING   no board is in progress. Programs log on, ask for the teams and say that they are ready; seats that are
              empty for too long are judged (`RejoinControl`). -> BOARDS when all four are ready and no pause is on;
              -> OVER when no board is left, the director stops it, or a side has stayed away.
    BOARDS    a board is shown, called and played; requests are answered, limits judged. Once its attempt has ended on
              record, it is over when everybody has been sent all of it, by then with the table acting for whoever is
              gone. -> SEATING after each board, or when it is begun again; -> OVER by an order or a forfeited match.
    OVER      everybody has been told, lines are ignored, and a timer closes the connections (BC-39).

**The phases of a seat** are in `seat.py`, with the events that change them. A stage or a phase that cannot follow
raises `ProtocolError` with the names of both: the host logs it and ends this table, and no other. A line from a
player never does: at worst it ends its own connection and costs its side a board.

**Time** is an argument of every event, never goes back, and is kept while the event is handled (`now_ms`). It counts
as `TableTime` says: not during a pause, an outage, or while the machine stood still. A limit is judged by a timer,
which is armed for the first pending line that will be late, and never by a timer that is itself late.
"""

from collections.abc import Sequence
from typing import Final

from tourney.bridge import SIDES
from tourney.protocol.access import PhraseChecker
from tourney.protocol.lines import Overlong
from tourney.protocol.session.adjudication import Adjudicator
from tourney.protocol.session.board.session import BoardSession
from tourney.protocol.session.clock import TableTime
from tourney.protocol.session.connection import ConnectionOrigin, PlayerConnection
from tourney.protocol.session.dispatch import Dispatch
from tourney.protocol.session.effects import Effect
from tourney.protocol.session.intents import (
    CallIntent,
    CardIntent,
    Intent,
    Ready,
    ReturnIntent,
)
from tourney.protocol.session.logon import Logon
from tourney.protocol.session.notices import BoardFinished
from tourney.protocol.session.orders import PASSIVE, Order, OrderControl
from tourney.protocol.session.records import BoardEnd, BoardEnded, BoardsDecided, OrderActed
from tourney.protocol.session.rejoin import LATE_TIMER_MS, REJOIN_TIMERS, RejoinControl
from tourney.protocol.session.rules import Rejoin
from tourney.protocol.session.state import CLOSE_PAUSE_MS, CLOSE_TIMER, SessionState, Stage, TableSettings
from tourney.protocol.session.wire import WireFactory

__all__ = ["CLOSE_PAUSE_MS", "Stage", "TableCore", "TableSettings"]

# Members that are asked about at every line have names of their own: on Python 3.11 the way by the class of an enum
# takes as long as a call.
_SEATING, _BOARDS, _OVER = Stage

LIMIT_TIMER: Final = "limit"
RECHECK_MS: Final = 50

VOIDS_MAX: Final = 2
"""Number of times in a row that a board may be void before the table stops."""


class TableCore:
    """One table, from the first connection to the end of the session.

    Each method takes the time and returns the effects to carry out, in order. `now_ms` never goes back.
    """

    def __init__(
        self,
        settings: TableSettings,
        wire_factory: WireFactory,
        standstills: Sequence[tuple[int, int]] = (),
        phrases: PhraseChecker | None = None,
    ) -> None:
        """Prepare a table.

        Args:
            settings: what is to be played, and how.
            wire_factory: makes the wires of connections that are opened without one.
            standstills: when the machine stood still, from and to; the shell appends to it.
            phrases: checks passphrases; one that hashes at once by default.
        """
        self._wire_factory = wire_factory
        self.state = SessionState(settings, TableTime(standstills))
        """What there is to know about the table, for others to read: it changes by the methods here alone."""
        self._outbox = self.state.outbox
        self._logon = Logon(self.state, phrases)
        self._adjudicator = Adjudicator(self.state)
        self._rejoin = RejoinControl(self.state, self._adjudicator)
        self._dispatch = Dispatch(self.state, self._logon, self._adjudicator, self._rejoin)
        self._orders = OrderControl(self.state, self._logon, self._adjudicator, self._rejoin)
        self._last_event_ms = 0
        """When something happened here last."""

    # Events from the shell

    def open_connection(self, origin: ConnectionOrigin) -> list[Effect]:
        """Handle a new connection."""
        table = self.state
        wire = origin.wire if origin.wire is not None else self._wire_factory()
        connection = PlayerConnection(origin, wire, table, self._outbox)
        table.connections[origin.number] = connection
        table.shows_unasked = table.shows_unasked or not wire.has_requests
        self._logon.admit(connection)
        return self._outbox.take_effects()

    def receive_line(  # one case an intent
        self, number: int, line: bytes | Overlong | Intent, now_ms: int, began_ms: int, own_ms: int | None = None
    ) -> list[Effect]:
        """Handle a line. Never raises but where a passphrase has to be hashed first, whatever the bytes are.

        Args:
            number: the connection.
            line: the line, without its end; of a player that is in the process of its table, what it wants.
            now_ms: the time.
            began_ms: when its first byte arrived.
            own_ms: how long its program took for it after the last byte that it was sent, as the client says that
                has it in a tunnel: any number. None where there is no such client.

        Raises:
            PhrasePending: pass the line on again when the phrase has been hashed, and others after it.
        """
        table = self.state
        table.time.now_ms = now_ms
        connection = table.connections.get(number)
        if connection is None or connection.closing or table.stage is _OVER:
            return []
        dispatch = self._dispatch
        intent: Intent | None
        if isinstance(line, bytes):
            wire, place = connection.wire, connection.seat
            intent = wire.usual.get((place, line)) or wire.parse(line, place)
        elif isinstance(line, Overlong):
            dispatch.refuse_line(connection, f"a line has at most {line.limit} bytes, this one is longer")
            return self._finish()
        else:
            intent, line = line, b""
        if own_ms is not None:
            connection.is_stamped = True
        seat = table.seats[connection.seat] if connection.seat is not None else None
        match intent:
            case Ready() if seat is not None and seat.player is connection and table.board is not None:
                if not table.board.receive_ready(seat, intent):
                    connection.was_idle = True
            case CallIntent() | CardIntent():
                dispatch.receive_action(connection, intent, line, began_ms, own_ms)
            case ReturnIntent():
                if dispatch.reconnect(connection, intent):
                    # It is a line of that seat.
                    return self.receive_line(connection.number, line, now_ms, began_ms, own_ms)
            case _:
                connection.was_idle = True
                dispatch.receive_other(connection, intent)
                self._retract()
        if seat is not None and seat.is_catching_up and table.board is not None:
            table.board.advance()  # the player may have caught up
        return self._finish()

    def _retract(self) -> None:
        """Begin the board again from before a call or card that has been taken back."""
        table, board = self.state, self.state.board
        if board is None or board.retracted is None or not table.is_playing:
            return
        table.under_way = board.retracted
        table.resume_earlier()

    def close_connection(self, number: int, now_ms: int, reason: str, *, is_aborted: bool = False) -> list[Effect]:
        """Handle the end of a connection, whoever ended it; `is_aborted` if the shell did, by one of its limits."""
        self.state.time.now_ms = now_ms
        connection = self.state.connections.pop(number, None)
        if connection is not None and is_aborted:
            connection.closing = connection.closing or reason
        if connection is not None and connection.seat is not None:
            seat = self.state.seats[connection.seat]
            self.state.leave_seat(seat, connection.closing or reason)
        return self._finish()

    def receive_timer(self, name: str, now_ms: int) -> list[Effect]:
        """Handle the expiry of a timer."""
        table = self.state
        table.time.now_ms = now_ms
        armed_ms = self._outbox.armed.pop(name, None)
        if name == CLOSE_TIMER:
            for connection in table.connections.values():
                connection.close("the session is over")
        elif table.stage is _OVER:
            return []
        elif name in REJOIN_TIMERS:
            if armed_ms is not None:
                self._rejoin.receive_timer(name, armed_ms)
        elif name == LIMIT_TIMER:
            if armed_ms is not None:
                self._check_limits(armed_ms)
        elif table.board is not None and table.is_playing:
            table.board.receive_timer(name)
        return self._finish()

    def _check_limits(self, armed_ms: int) -> None:
        table = self.state
        if table.now_ms - armed_ms > LATE_TIMER_MS:
            table.time.skip(self._last_event_ms, table.now_ms)
        elif not table.time.is_paused:
            self._adjudicator.judge_time()

    def receive_order(self, order: Order, now_ms: int, order_id: int | None = None) -> list[Effect]:
        """Carry out an order of the director or the host; with an id, what has come of it goes on record under that.

        Nothing that the order leads to is written before its outcome is on record as well.
        """
        self.state.time.now_ms = now_ms
        outcome = self._orders.carry_out(order)
        effects = self._outbox.take_effects() if isinstance(order, PASSIVE) else self._finish()
        if order_id is not None:
            effects.append(OrderActed(order_id, outcome, now_ms))
        return effects

    # Boards

    def _finish(self) -> list[Effect]:
        """Advance the session as far as possible, and return the effects."""
        table, outbox = self.state, self._outbox
        now_ms = self._last_event_ms = table.time.now_ms
        board = table.board
        if table.stage is not _BOARDS or board is None or board.state.ended is not None:
            if board is not None and board.state.is_final and not board.is_counted:
                self._count(board)
            self._move_on()
            if table.board is not board and table.board is not None and table.board.state.ended is not None:
                return self._finish()  # at Minibridge, a board that is dealt again is over when it has begun
        if table.stage is not _OVER:
            # Make sure that a timer expires when the next line is late. Usually an armed timer is early enough.
            armed_ms = outbox.armed.get(LIMIT_TIMER)
            is_late = armed_ms is None or armed_ms > now_ms + self._adjudicator.shortest_ms
            is_late = is_late or (board is not None and board.state.fault is not None)  # whose program has less time
            if is_late and not table.time.is_paused:
                self._arm_limit(armed_ms)
        if table.shows_unasked and table.stage is _BOARDS and table.board is not None:
            table.board.show_options()
        effects, outbox.effects = outbox.effects, []
        return effects

    def _count(self, board: BoardSession) -> None:
        """Note the result of a board; if it has decided what is played here, no other is begun."""
        boards = self.state.queue
        board.is_counted = True
        boards.note_end(board.board, board.state.result)
        if boards.is_decided:
            self.state.record(BoardsDecided(boards.finished, self.state.now_ms))

    def _move_on(self) -> None:
        """End a finished board, and begin the next when all are ready."""
        table = self.state
        if table.stage is _BOARDS:
            board = table.board
            if board is not None and not table.time.is_paused and board.is_served:
                self._end_board(board)
        if table.stage is _SEATING:
            if table.closing is not None:
                table.end_session(table.closing)
            elif not table.time.is_paused and all(seat.is_ready for seat in table.seats) and not table.is_on_break:
                self._start_board()
        if table.stage is _SEATING:
            self._rejoin.watch_seats()

    def _start_board(self) -> None:
        table, settings = self.state, self.state.settings
        table.enter(_BOARDS)
        table.has_begun = True
        under_way, table.under_way = table.under_way, None
        follows_undo = under_way is not None and under_way.follows_undo
        if not follows_undo:
            self._adjudicator.begin_board()
        self._rejoin.begin_board()
        board = table.queue.take()
        is_resumed = under_way is not None and settings.rules.rejoin is Rejoin.REPLAY
        if under_way is not None and not is_resumed and not follows_undo:
            table.record(
                BoardEnded(
                    board=board.number,
                    end=BoardEnd.VOID,
                    reason="the table's host died",
                    at_ms=table.now_ms,
                )
            )
        table.board = BoardSession(board, table)
        if under_way is not None and follows_undo:
            table.board.resume_earlier(under_way)
        elif under_way is not None and is_resumed:
            table.board.resume_board(under_way)
        else:
            table.board.start()

    def _end_board(self, board: BoardSession) -> None:
        """Send the times to all that took part (BC-37), then prepare the next board or end the session."""
        table = self.state
        spent_ms, total_ms = board.state.clock.spent_ms, table.total_ms
        if board.state.is_final:
            for side in SIDES:
                total_ms[side] += spent_ms[side]
        for seat in table.seats:
            player = seat.active
            if player is not None:
                scores = player.take_new_scores()
                player.notify(BoardFinished(spent_ms, total_ms, board.state.result, scores), seat.view)
        table.drop_board()
        self._requeue_void(board)
        if table.stage is _SEATING and not table.queue:
            table.end_session(None)
        elif table.stage is _SEATING and board.state.is_final:
            table.begin_break()

    def _requeue_void(self, board: BoardSession) -> None:
        """Queue a void board again under its number, up to `VOIDS_MAX` times in a row."""
        number = board.board.number
        if board.state.ended is not BoardEnd.VOID:
            return
        self.state.queue.put_back(board.board)
        if number in self.state.replays:
            self.state.replays.remove(number)
            return
        voids = self.state.counts.voids
        if voids >= VOIDS_MAX:
            reason = f"board {number} was void {voids} times in a row: look after the network"
            self.state.end_session(reason)

    # Limits

    def _arm_limit(self, armed_ms: int | None) -> None:
        """Arm a timer for when the first of the pending lines is late, unless one expires before."""
        limit_ms = self._adjudicator.next_limit_ms()
        if limit_ms is not None and (armed_ms is None or limit_ms < armed_ms):
            # An overdue line that is judged by another rule is checked again after a moment, not at once.
            self._outbox.arm(LIMIT_TIMER, max(limit_ms, self.state.now_ms + RECHECK_MS))
