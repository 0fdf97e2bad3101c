"""A Table Manager without sockets: lines, timers, losses and orders in, effects out.

It seats the players (BC-05 to BC-11), conducts the boards one after the other and ends the session (BC-39).

**Decide, apply, render.** A line is parsed to an intent; what comes of it is decided from the state and put on
record; the record is applied, which is the only way in which seats, pauses and the board change; then every player is
shown what it may see now and has not been shown (`Cursor`). The effects of one event are one list, in which a record
stands before the lines that reveal it. So a table that another host takes up from the record is the one that was
lost, but for what no row has: connections, cursors, and the clock of the player in turn (`board/state.py` has all).

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

**Time** is an argument of every method and never goes back. It counts as `TableTime` says: not during a pause, an
outage, or while the machine stood still. A limit is judged by a timer, which is armed for the first pending line that
will be late, and never by a timer that is itself late.
"""

from collections.abc import Sequence
from typing import Final

from tourney.bridge import Board, Seat, Side
from tourney.protocol.lines import Charset, Overlong
from tourney.protocol.session.adjudication import Adjudicator
from tourney.protocol.session.board.session import BoardSession
from tourney.protocol.session.connection import PlayerConnection
from tourney.protocol.session.dispatch import Dispatch
from tourney.protocol.session.effects import Effect
from tourney.protocol.session.intents import PendingLine
from tourney.protocol.session.logon import Logon
from tourney.protocol.session.records import BoardEnd, BoardEnded, BoardsDecided, Incident, IncidentKind
from tourney.protocol.session.rejoin import LATE_TIMER_MS, REJOIN_TIMERS, RejoinControl
from tourney.protocol.session.rules import Rejoin
from tourney.protocol.session.state import CLOSE_PAUSE_MS, CLOSE_TIMER, SessionState, Stage, TableSettings
from tourney.protocol.session.table_time import TableTime
from tourney.protocol.session.wire import Wire, WireFactory

__all__ = ["CLOSE_PAUSE_MS", "Stage", "TableCore", "TableSettings"]

LIMIT_TIMER: Final = "limit"
RECHECK_MS: Final = 50

VOIDS_MAX: Final = 2
"""Number of times in a row that a board may be void before the table stops."""


class TableCore:
    """One table, from the first connection to the end of the session.

    Each method takes the time and returns the effects to carry out, in order. `now_ms` never goes back.
    """

    def __init__(
        self, settings: TableSettings, wire_factory: WireFactory, standstills: Sequence[tuple[int, int]] = ()
    ) -> None:
        """Prepare a table.

        Args:
            settings: what is to be played, and how.
            wire_factory: makes the wires of connections that are opened without one.
            standstills: when the machine stood still, from and to; the shell appends to it.
        """
        self.settings = settings
        self.closing: str | None = None
        """Why the session ends after the current board; None while all boards are to be played."""
        self.evictions = 0
        """Connections that were sent away because there were too many of them."""
        self._wire_factory = wire_factory
        self._table = SessionState(settings, TableTime(standstills))
        self._outbox = self._table.outbox
        self._logon = Logon(self._table)
        self._adjudicator = Adjudicator(self._table)
        self._rejoin = RejoinControl(self._table, self._adjudicator)
        self._dispatch = Dispatch(self._table, self._logon, self._adjudicator, self._rejoin)
        self._under_way = settings.under_way
        self._is_next_known = settings.under_way is not None or settings.is_first_known
        """Whether the board that begins next was begun before, so that players know its cards."""
        self._voids = 0
        self._last_event_ms = 0
        """When something happened here last."""
        self._replays: set[int] = set()

    # Events from the shell

    def open_connection(
        self,
        number: int,
        *,
        peer: str = "",
        port_seat: Seat | None = None,
        is_ours: bool = False,
        wire: Wire | None = None,
    ) -> list[Effect]:
        """Handle a new connection.

        Args:
            number: the connection's number, unique.
            peer: its address.
            port_seat: the seat of its port, if every seat has its own (BC-02).
            is_ours: whether it came in by the port of a program that we have started; overload never keeps it out.
            wire: its wire; one of the table's language by default.
        """
        table = self._table
        connection = PlayerConnection(
            number,
            peer=peer,
            port_seat=port_seat,
            is_ours=is_ours,
            wire=wire if wire is not None else self._wire_factory(),
            table=table,
            outbox=self._outbox,
        )
        table.connections[number] = connection
        if table.stage is Stage.OVER:
            self._dispatch.disconnect(connection, "the session is over")
        elif (why := self._logon.why_not_let_in(connection)) is not None:
            self._dispatch.disconnect(connection, why)
        else:
            for other, reason in self._logon.excess_unauthenticated(connection):
                self.evictions += 1
                self._dispatch.disconnect(other, f"{reason}, and the oldest gives way")
        return self._outbox.take_effects()

    def make_room(self, *, are_ours: bool = False) -> list[Effect]:
        """Close the connection that has waited longest without logging on: its place is needed."""
        unauthenticated = self._logon.oldest_unauthenticated(are_ours=are_ours)
        if unauthenticated is not None:
            self.evictions += 1
            self._dispatch.disconnect(
                unauthenticated, "many connections have not logged on, and the oldest gives way"
            )
        return self._outbox.take_effects()

    def receive_line(
        self, number: int, line: bytes | Overlong, now_ms: int, began_ms: int | None = None
    ) -> list[Effect]:
        """Handle a line, without its end; `began_ms` is when its first byte arrived, if that was earlier.

        Never raises, whatever the bytes are.
        """
        table = self._table
        connection = table.connections.get(number)
        if connection is None or connection.closing or table.stage is Stage.OVER:
            return []
        if isinstance(line, Overlong):
            self._dispatch.refuse_line(connection, f"a line has at most {line.limit} bytes, this one is longer")
        else:
            self._dispatch.receive_line(connection, line, now_ms, began_ms)
        return self._finish(now_ms)

    def close_connection(self, number: int, now_ms: int, reason: str, *, is_aborted: bool = False) -> list[Effect]:
        """Handle the end of a connection, whoever ended it; `is_aborted` if the shell did, by one of its limits."""
        connection = self._table.connections.pop(number, None)
        if connection is not None and is_aborted:
            connection.closing = connection.closing or reason
        if connection is not None and connection.seat is not None:
            seat = self._table.seats[connection.seat]
            self._table.leave_seat(seat, connection.closing or reason, now_ms)
        return self._finish(now_ms)

    def disconnect(self, number: int, reason: str, now_ms: int) -> list[Effect]:
        """Close a connection that exceeds one of the shell's limits, and tell its program why."""
        connection = self._table.connections.get(number)
        if connection is not None and not connection.closing:
            self._dispatch.disconnect(connection, reason)
        return self._finish(now_ms)

    def note_exit(self, seat: Seat, how: str) -> None:
        """Note that the program of a seat has ended by itself: if it was in a board, it has crashed (`Loss`)."""
        self._table.seats[seat].note_exit(how)

    def give_up(self, seat: Seat, reason: str, now_ms: int) -> list[Effect]:
        """Handle that no program will take this seat any more."""
        if self._table.stage is not Stage.OVER:
            self._rejoin.give_up(seat, reason, now_ms)
        return self._finish(now_ms)

    def receive_timer(self, name: str, now_ms: int) -> list[Effect]:
        """Handle the expiry of a timer."""
        table = self._table
        armed_ms = self._outbox.armed.pop(name, None)
        if name == CLOSE_TIMER:
            for connection in table.connections.values():
                connection.close("the session is over")
        elif table.stage is Stage.OVER:
            return []
        elif name in REJOIN_TIMERS:
            if armed_ms is not None:
                self._rejoin.receive_timer(name, armed_ms, now_ms)
        elif name == LIMIT_TIMER:
            if armed_ms is not None:
                self._check_limits(armed_ms, now_ms)
        elif table.board is not None and table.is_playing:
            table.board.receive_timer(name, now_ms)
        return self._finish(now_ms)

    def _check_limits(self, armed_ms: int, now_ms: int) -> None:
        if now_ms - armed_ms > LATE_TIMER_MS:
            self._table.time.skip(self._last_event_ms, now_ms)
        elif not self._table.time.is_paused:
            self._adjudicator.judge_time(self.pending_lines(), now_ms)

    def note_sent(self, clock: int, now_ms: int) -> None:
        """Note that a `Send` with this clock was written at `now_ms`, from which its player is charged."""
        if self._table.board is not None:
            self._table.board.state.clock.note_written(clock, now_ms)

    def relieve(self, number: int, reason: str, now_ms: int) -> list[Effect]:
        """Let a player go before the next new board begins, at once between boards.

        A board that was begun before is not new: its cards are known.
        """
        connection = self._table.connections.get(number)
        if connection is not None and connection.seat is not None:
            connection.relieved = reason
            if self._table.stage is Stage.SEATING and not self._is_next_known:
                self._table.release_relieved(now_ms)
        return self._finish(now_ms)

    # Orders of the director

    def stop(self, reason: str, now_ms: int) -> list[Effect]:
        """End the session now: the current board stays unfinished, and the players are told and disconnected."""
        table = self._table
        if table.stage is not Stage.OVER:
            board = table.board
            all_over = board is not None and board.state.is_final and not table.queue
            if board is not None:
                board.end_attempt(BoardEnd.ABANDONED, reason, None, now_ms)
            table.end_session(None if all_over else reason, now_ms)
        return self._outbox.take_effects()

    def interrupt(self, reason: str, now_ms: int) -> list[Effect]:
        """Leave the table as a host that dies does, but in order: another goes on with the board in play (BC-49).

        Nobody is told that the session has ended, so that programs come back for the rest.
        """
        table = self._table
        if table.stage is not Stage.OVER:
            board = table.board
            all_over = board is not None and board.state.is_final and not table.queue
            if all_over:
                table.end_session(None, now_ms)
            else:
                table.interrupt_session(reason, now_ms)
        return self._outbox.take_effects()

    def finish_board(self, reason: str, now_ms: int) -> list[Effect]:
        """Begin no further board: the session ends after the current one, or at once if there is none."""
        self.closing = reason
        return self._finish(now_ms)

    def cancel_finish(self) -> None:
        """Cancel `finish_board`: play all boards."""
        self.closing = None

    def pause(self, now_ms: int) -> list[Effect]:
        """Relay nothing and ask nobody until `resume`; lines from players are still accepted."""
        self._set_paused(now_ms, paused=True)
        return self._outbox.take_effects()

    def resume(self, now_ms: int) -> list[Effect]:
        """Continue after a pause, which no time limit counts."""
        table = self._table
        if table.time.is_paused:
            self._set_paused(now_ms, paused=False)
            self._rejoin.reset_deadlines(now_ms)
            if table.board is not None and table.is_playing:
                table.board.resume(now_ms)
        return self._finish(now_ms)

    def suspend(self, now_ms: int) -> None:
        """Stop the time until `end_suspension`: effects cannot be carried out for a while."""
        self._table.time.suspend(now_ms, is_out=True)

    def end_suspension(self, now_ms: int) -> list[Effect]:
        """Continue after `suspend`; time limits do not count the suspension."""
        table = self._table
        table.time.suspend(now_ms, is_out=False)
        self._rejoin.reset_deadlines(now_ms)
        if table.board is not None and table.is_playing and not table.time.is_paused:
            table.board.resume(now_ms)
        return self._finish(now_ms)

    def skip_time(self, from_ms: int, now_ms: int) -> list[Effect]:
        """Charge nobody for the time from `from_ms` to now, and judge nobody by it: the table could not continue."""
        self._table.time.skip(from_ms, now_ms)
        self._rejoin.reset_deadlines(now_ms)
        return self._finish(now_ms)

    def kick(
        self, seat: Seat, reason: str, now_ms: int, *, author: str = "", forfeits: bool = True
    ) -> tuple[str, list[Effect]]:
        """End the connection of a seat; its side forfeits the board in play, or that is begun again.

        The sentence says what has been done.
        """
        state = self._table.seats[seat]
        if state.connection is None or self._table.stage is Stage.OVER:
            outcome = f"nobody sits {seat.title}"
        elif forfeits:
            outcome = self._adjudicator.kick(state, reason, author, now_ms)
        else:
            outcome, is_played_out = self._adjudicator.kick_without_forfeit(state, reason, author, now_ms)
            if is_played_out and self._table.board is not None:
                self._replays.add(self._table.board.board.number)
        return outcome, self._finish(now_ms)

    def replay(self, number: int, reason: str, now_ms: int) -> list[Effect]:
        """Void the current board and play it again once it has finished."""
        board = self._table.board
        if board is not None and board.board.number == number and self._table.is_playing:
            if board.state.ended is None:
                board.end_attempt(BoardEnd.VOID, reason, None, now_ms)
                board.stop_waiting(now_ms)
            self._replays.add(number)
        return self._finish(now_ms)

    def add_board(self, board: Board) -> None:
        """Add a board, to be played after the remaining ones."""
        self._table.queue.add(board)

    def answer_alert(
        self, number: int, seq: int, text: str, author: str, now_ms: int
    ) -> tuple[str | None, list[Effect]]:
        """Pass on the operator's answer on a call (BC-27); the sentence says why it is refused, None if it is not."""
        board = self._table.board
        if board is None or board.board.number != number or not self._table.is_playing:
            return f"board {number} is not in play", []
        why = board.answer_alert(seq, text, author, now_ms)
        return why, self._finish(now_ms)

    # Queries

    @property
    def stage(self) -> Stage:
        return self._table.stage

    @property
    def board(self) -> BoardSession | None:
        """The current board; between boards, the last one."""
        return self._table.board

    @property
    def board_in_play(self) -> int | None:
        """The number of the board whose attempt has not ended on record; None between boards."""
        board = self._table.board
        return board.board.number if board is not None and board.state.ended is None else None

    @property
    def paused(self) -> bool:
        return self._table.time.is_paused

    @property
    def has_begun(self) -> bool:
        """Whether a board has begun in this session."""
        return self._table.has_begun

    @property
    def seats(self) -> dict[Seat, str]:
        """The seated teams: the name that each program gave, by seat."""
        return {seat.seat: seat.connection.team for seat in self._table.seats if seat.connection is not None}

    @property
    def substituted_seats(self) -> list[Seat]:
        """Seats for which the table acts to the end of the current board."""
        return [seat.seat for seat in self._table.seats if seat.is_substituted]

    @property
    def connections(self) -> set[int]:
        """Numbers of the open connections, seated or not."""
        return set(self._table.connections)

    @property
    def boards_left(self) -> int:
        """Boards that have not begun."""
        return len(self._table.queue)

    def connection(self, number: int) -> PlayerConnection | None:
        """Return an open connection; None if the number is not of one."""
        return self._table.connections.get(number)

    def seat_of(self, number: int) -> Seat | None:
        """Return the seat of a connection; None before it has logged on and if it is unknown."""
        connection = self._table.connections.get(number)
        return connection.seat if connection is not None else None

    def line_gap_ms(self, number: int) -> int:
        """Return the minimum time between two lines to a connection that sends none in between (BC-50)."""
        connection = self._table.connections.get(number)
        return connection.wire.line_gap_ms if connection is not None else 0

    def charset(self, number: int) -> Charset:
        """Return how letters outside ASCII are sent to a connection (BC-01)."""
        connection = self._table.connections.get(number)
        return connection.wire.charset if connection is not None else Charset.UTF_8

    def pending_lines(self) -> list[PendingLine]:
        """Return the lines that the table waits for now."""
        table = self._table
        pending = table.board.pending_lines if table.board is not None and table.is_playing else []
        for seat in table.seats:
            if seat.connection is not None and not seat.connection.is_ready:
                line = seat.connection.pending()
                if line is not None:
                    pending.append(line)
        return pending

    def waits_since_ms(self, line: PendingLine, now_ms: int) -> int:
        """Return since when a pending line has been owed, without the time that is charged to nobody."""
        return self._table.time.since_ms(line.since_ms, now_ms)

    def match_spent_ms(self, side: Side) -> int:
        """Return the thinking time of a side on the boards before the current one."""
        return self._table.total_ms[side]

    # Boards

    def _finish(self, now_ms: int) -> list[Effect]:
        """Advance the session as far as possible, and return the effects."""
        table, outbox = self._table, self._outbox
        self._last_event_ms = now_ms
        board = table.board
        ended = board.state.ended if board is not None else None
        if board is not None and ended is not None and ended.is_final and not board.is_counted:
            self._count(board, now_ms)
        if table.stage is not Stage.BOARDS or board is None or ended is not None:
            self._move_on(now_ms)
            if table.board is not board and table.board is not None and table.board.state.ended is not None:
                return self._finish(now_ms)  # at Minibridge, a board that is dealt again is over when it has begun
        if table.stage is not Stage.OVER:
            # Make sure that a timer expires when the next line is late. Usually an armed timer is early enough.
            armed_ms = outbox.armed.get(LIMIT_TIMER)
            is_early = armed_ms is not None and armed_ms <= now_ms + self._adjudicator.shortest_ms
            if not is_early and not table.time.is_paused:
                self._arm_limit(armed_ms, now_ms)
        effects, outbox.effects = outbox.effects, []
        return effects

    def _count(self, board: BoardSession, now_ms: int) -> None:
        """Note the result of a board; if it has decided what is played here, no other is begun."""
        boards = self._table.queue
        board.is_counted = True
        boards.note_end(board.board, board.state.result)
        if boards.is_decided:
            self._table.record(BoardsDecided(boards.finished, now_ms))

    def _move_on(self, now_ms: int) -> None:
        """End a finished board, and begin the next when all are ready."""
        table = self._table
        if table.stage is Stage.BOARDS:
            board = table.board
            if board is not None and not table.time.is_paused and board.is_served:
                self._end_board(board, now_ms)
        if table.stage is Stage.SEATING:
            if self.closing is not None:
                table.end_session(self.closing, now_ms)
            elif not table.time.is_paused and table.all_ready:
                self._start_board(now_ms)
        if table.stage is Stage.SEATING:
            self._rejoin.watch_seats(now_ms)

    def _start_board(self, now_ms: int) -> None:
        settings, table = self.settings, self._table
        table.enter(Stage.BOARDS)
        table.has_begun = True
        self._adjudicator.begin_board(now_ms)
        self._rejoin.begin_board()
        under_way, self._under_way = self._under_way, None
        self._is_next_known = False
        board = table.queue.take()
        is_resumed = under_way is not None and settings.rules.rejoin is Rejoin.REPLAY
        if under_way is not None and not is_resumed:
            table.record(
                BoardEnded(
                    board=board.number,
                    end=BoardEnd.VOID,
                    reason="the table's host died",
                    result=None,
                    ns_ms=0,
                    ew_ms=0,
                    at_ms=now_ms,
                )
            )
        table.board = BoardSession(
            board,
            seats=table.seats,
            outbox=table.outbox,
            record=table.record,
            rules=settings.rules,
            trick_pause_ms=settings.trick_pause_ms,
            time=table.time,
            now_ms=now_ms,
            is_minibridge=table.queue.is_minibridge,
        )
        if under_way is not None and is_resumed:
            table.board.resume_board(under_way, now_ms)
        else:
            table.board.start(now_ms)

    def _end_board(self, board: BoardSession, now_ms: int) -> None:
        """Send the times to all that took part (BC-37), then prepare the next board or end the session."""
        table = self._table
        spent_ms, total_ms = board.spent_ms, table.total_ms
        for side in Side:
            total_ms[side] += spent_ms[side]
        for seat in table.seats:
            if seat.active_wire is not None and seat.player is not None:
                scores = seat.player.take_new_scores()
                seat.player.send_all(seat.active_wire.format_board_end(spent_ms, total_ms, scores))
        table.drop_board()
        if board.state.ended is not BoardEnd.VOID:
            table.release_relieved(now_ms)
        self._requeue_void(board, now_ms)
        if table.stage is Stage.SEATING and not table.queue:
            table.end_session(None, now_ms)

    def _requeue_void(self, board: BoardSession, now_ms: int) -> None:
        """Queue a void board again under its number, up to `VOIDS_MAX` times in a row."""
        number = board.board.number
        if board.state.ended is not BoardEnd.VOID:
            self._voids = 0
            return
        self._table.queue.put_back(board.board)
        self._is_next_known = True
        if number in self._replays:
            self._replays.remove(number)
            return
        self._voids += 1
        if self._voids >= VOIDS_MAX:
            reason = f"board {number} was void {self._voids} times in a row: look after the network"
            self._table.end_session(reason, now_ms)

    def _set_paused(self, now_ms: int, *, paused: bool) -> None:
        table = self._table
        if table.time.is_paused is paused or table.stage is Stage.OVER:
            return
        number = table.board.board.number if table.board is not None else None
        kind = IncidentKind.PAUSED if paused else IncidentKind.RESUMED
        table.record(Incident(kind, number, None, f"the table was {kind.value}", now_ms))

    # Limits

    def _arm_limit(self, armed_ms: int | None, now_ms: int) -> None:
        """Arm a timer for when the first of the pending lines is late, unless one expires before."""
        limit_ms = self._adjudicator.next_limit_ms(self.pending_lines(), now_ms)
        if limit_ms is not None and (armed_ms is None or limit_ms < armed_ms):
            # An overdue line that is judged by another rule is checked again after a moment, not at once.
            self._outbox.arm(LIMIT_TIMER, max(limit_ms, now_ms + RECHECK_MS))
