"""A Table Manager without sockets: lines and timers in, effects out.

Seats the players (BC-05 to BC-11), conducts the boards one after the other, ends the session (BC-39). Nothing a
player sends can do more than end its own connection, and cost its side a board.
"""

import enum
from collections import deque
from dataclasses import dataclass, field
from typing import Final

from tourney.bridge import SEATS, Board, Seat, Side
from tourney.errors import FormatError
from tourney.protocol.bluechip import texts
from tourney.protocol.bluechip.board_session import BoardSession, Debt, Refusal
from tourney.protocol.bluechip.desk import Desk, Guest
from tourney.protocol.bluechip.judge import Judge, Lost
from tourney.protocol.bluechip.logging_on import Reception
from tourney.protocol.bluechip.messages import (
    CallLine,
    CardLine,
    ClaimAnswer,
    ClaimLine,
    Connecting,
    Courtesy,
    PlayerMessage,
    Ready,
    ReadyFor,
    Unknown,
    parse_player_line,
)
from tourney.protocol.bluechip.profile import WireProfile
from tourney.protocol.bluechip.rules import TableRules
from tourney.protocol.effects import Effect, EndTable, Vacate
from tourney.protocol.lines import Overlong, decode_line
from tourney.protocol.records import BoardEnd, Incident, IncidentKind, SeatLeft

CLOSE_TIMER: Final = "close"
CLOSE_PAUSE_MS: Final = 1000
"""Between `End of session` and the end of the connection (BC-39)."""

LIMIT_TIMER: Final = "limit"
LOOK_AGAIN_MS: Final = 50
LATE_TIMER_MS: Final = 1000
"""A limit's timer that comes later than this tells that our machine stood still, and judges nobody."""

LOST_TIMER: Final = "lost"
LOST_WAIT_MS: Final = 1000
"""How long after a lost connection it is judged: time for the other side's to be lost too, and for a program's exit
status to arrive."""

ABSENCE_TIMER: Final = "absence"
_OWN_TIMERS: Final = (LIMIT_TIMER, LOST_TIMER, ABSENCE_TIMER)

VOIDS_MAX: Final = 2
"""A board void so often in a row stops the table."""

GUESTS_MAX: Final = 16
"""Connections at one table, seated or not: four players, and room for those that came to the wrong table."""


class Stage(enum.Enum):
    """Where the session stands."""

    SEATING = "seating"
    """No board is in hand: somebody is missing, or not ready."""
    BOARDS = "boards"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What a table is to play, and how.

    `boards` are those still to be played, in order. `spent_ms` is the thinking time of each side on the boards of
    this table that were finished before, for the totals of the Timing line. A side without a profile has the default.
    """

    ns_team: str
    ew_team: str
    boards: tuple[Board, ...]
    trick_pause_ms: int = 1000
    bad_lines_max: int = 20
    spent_ms: dict[Side, int] = field(default_factory=dict)
    profiles: dict[Side, WireProfile] = field(default_factory=dict)
    rules: TableRules = field(default_factory=TableRules)

    def team(self, side: Side) -> str:
        return self.ns_team if side is Side.NS else self.ew_team


class TableCore:
    """One table, from the first connection to `End of session`.

    Each method takes the time and returns what is to be done, in order. `now_ms` never goes back.
    """

    def __init__(self, settings: TableSettings) -> None:
        assert settings.boards, "a table without boards has nothing to play"
        self.settings = settings
        self.stage = Stage.SEATING
        self.board: BoardSession | None = None
        """The board in hand, and after the last one that."""
        self.paused = False
        self._desk = Desk()
        self._reception = Reception(self._desk, {side: settings.team(side) for side in Side}, settings.profiles)
        self._judge = Judge(settings.rules, self._desk, self)
        self._queue = deque(settings.boards)
        self._has_begun = False
        self._early_deal: set[Seat] = set()
        self._lost: dict[Seat, Lost] = {}
        self._voids = 0
        self._replays: set[int] = set()
        self._total_ms = {side: settings.spent_ms.get(side, 0) for side in Side}
        self._armed: dict[str, int] = {}

    # What the shell tells

    def open_connection(self, connection: int, *, peer: str = "", port_seat: Seat | None = None) -> list[Effect]:
        """A program has connected. `port_seat` is the seat of its port, where every seat has one (BC-02)."""
        guest = Guest(connection, peer, port_seat)
        self._desk.guests[connection] = guest
        if self.stage is Stage.OVER:
            self._dismiss(guest, "the session is over")
        elif len(self._desk.guests) > GUESTS_MAX:
            self._dismiss(guest, f"this table takes {GUESTS_MAX} connections at once")
        return self._desk.take_effects()

    def receive_line(
        self, connection: int, line: bytes | Overlong, now_ms: int, began_ms: int | None = None
    ) -> list[Effect]:
        """A line has arrived, without its end; its first byte at `began_ms`, when that was earlier.

        Never raises, whatever the bytes are.
        """
        guest = self._desk.guests.get(connection)
        if guest is None or guest.closing or self.stage is Stage.OVER:
            return []
        if isinstance(line, Overlong):
            self._complain(guest, f"a line has at most {line.limit} bytes, this one is longer")
        else:
            try:
                text = decode_line(line)
                message = parse_player_line(text)
            except FormatError as error:
                text, message = "", Unknown(str(error))
            if self.board is not None:
                self.board.clock.began_ms = began_ms
            self._receive(guest, message, text, now_ms)
        return self._finish(now_ms)

    def close_connection(self, connection: int, now_ms: int, reason: str) -> list[Effect]:
        """A connection is gone, whoever ended it."""
        guest = self._desk.guests.pop(connection, None)
        if guest is not None and guest.seat is not None:
            self._leave(guest, guest.seat, guest.closing or reason, now_ms)
        return self._finish(now_ms)

    def note_exit(self, seat: Seat, how: str) -> None:
        """The program of a seat has ended by itself; a connection just lost is then a crash."""
        lost = self._lost.get(seat)
        if lost is not None:
            self._lost[seat] = Lost(lost.reason, how)

    def receive_timer(self, name: str, now_ms: int) -> list[Effect]:
        """A timer that was asked for has run out."""
        armed_ms = self._armed.pop(name, None)
        if name == CLOSE_TIMER:
            for guest in list(self._desk.guests.values()):
                self._desk.close(guest, "the session is over")
        elif self.stage is Stage.OVER:
            return []
        elif name in _OWN_TIMERS:
            if armed_ms is not None:
                self._receive_own_timer(name, armed_ms, now_ms)
        elif self.board is not None:
            self.board.receive_timer(name, now_ms)
        return self._finish(now_ms)

    def _receive_own_timer(self, name: str, armed_ms: int, now_ms: int) -> None:
        if name == LOST_TIMER:
            lost, self._lost = self._lost, {}
            self._judge.judge_lost(lost, now_ms)
        elif name == LIMIT_TIMER:
            if now_ms - armed_ms > LATE_TIMER_MS:
                self._judge.forgive_waiting(now_ms)
            elif not self.paused:
                self._judge.judge_time(now_ms)
        else:
            self._receive_absence(now_ms)

    def note_sent(self, clock: int, now_ms: int) -> None:
        """A `Send` with this clock was written at `now_ms`."""
        if self.board is not None:
            self.board.note_sent(clock, now_ms)

    # What the director orders

    def stop(self, reason: str, now_ms: int) -> list[Effect]:
        """End the session now: the board in hand stays unfinished, the players are told and let go."""
        if self.stage is not Stage.OVER:
            board = self.board
            all_over = board is not None and board.ended is not None and board.ended.is_final and not self._queue
            if board is not None:
                board.end_attempt(BoardEnd.ABANDONED, reason, None, now_ms)
            self._end_session(None if all_over else reason, now_ms)
        return self._desk.take_effects()

    def pause(self, now_ms: int) -> list[Effect]:
        """Relay nothing and ask nobody until `resume`; what players say is still taken."""
        self._set_paused(now_ms, paused=True)
        return self._desk.take_effects()

    def resume(self, now_ms: int) -> list[Effect]:
        """Go on after a pause; nobody is late for what it lasted."""
        if self.paused:
            self._set_paused(now_ms, paused=False)
            self._judge.forgive_waiting(now_ms)
            if self.board is not None:
                self.board.advance(now_ms)
        return self._finish(now_ms)

    def kick(self, seat: Seat, reason: str, now_ms: int) -> list[Effect]:
        """End the connection of a seat; its side loses the board in hand."""
        if seat in self._desk.seated and self.stage is not Stage.OVER:
            self._judge.kick(seat, reason, now_ms)
        return self._finish(now_ms)

    def replay(self, number: int, reason: str, now_ms: int) -> list[Effect]:
        """The board in hand does not count, and is played again once it is over."""
        board = self.board
        if board is not None and board.board.number == number and self.stage is Stage.BOARDS:
            if board.ended is None:
                board.end_attempt(BoardEnd.VOID, reason, None, now_ms)
            self._replays.add(number)
        return self._finish(now_ms)

    def add_board(self, board: Board) -> None:
        """A board to be played after those that are left."""
        self._queue.append(board)

    def answer_alert(
        self, number: int, seq: int, text: str, author: str, now_ms: int
    ) -> tuple[str | None, list[Effect]]:
        """The operator's word on a call (BC-27); the sentence says why it is not taken."""
        board = self.board
        if board is None or board.board.number != number or self.stage is not Stage.BOARDS:
            return f"board {number} is not in play", []
        why = board.answer_alert(seq, text, author, now_ms)
        return why, self._finish(now_ms)

    # What can be asked

    @property
    def seats(self) -> dict[Seat, str]:
        """Who sits: the team name, as its program gave it, by seat."""
        return {seat: guest.team for seat, guest in self._desk.seated.items()}

    @property
    def connections(self) -> set[int]:
        """The connections that are open, seated or not."""
        return set(self._desk.guests)

    @property
    def boards_left(self) -> int:
        """Boards that have not begun."""
        return len(self._queue)

    @property
    def has_begun(self) -> bool:
        """A board has begun in this session."""
        return self._has_begun

    def seat_of(self, connection: int) -> Seat | None:
        """The seat of a connection; None before it has logged on and when it is unknown."""
        guest = self._desk.guests.get(connection)
        return guest.seat if guest is not None else None

    def debts(self) -> list[Debt]:
        """The lines that the table waits for now."""
        debts = self.board.debts() if self.board is not None and self.stage is Stage.BOARDS else []
        for seat, guest in self._desk.seated.items():
            if not guest.asked_teams:
                debts.append(Debt(seat, "ready for teams", guest.since_ms, logs_on=True))
            elif guest.told_teams and not guest.joined:
                debts.append(Debt(seat, "ready to start", guest.since_ms, logs_on=True))
        return debts

    def match_spent_ms(self, side: Side) -> int:
        """Thinking time of a side on the boards before the one in hand."""
        return self._total_ms[side]

    # Messages

    def _receive(self, guest: Guest, message: PlayerMessage, text: str, now_ms: int) -> None:
        if isinstance(message, Unknown):
            if message.log_on and guest.seat is None:
                self._dismiss(guest, message.reason)
            else:
                self._complain(guest, message.reason)
        elif isinstance(message, Connecting):
            self._log_on(guest, message, now_ms)
        elif guest.seat is None:
            self._complain(guest, "a connection begins with Connecting")
        elif isinstance(message, CardLine):
            self._receive_card(guest, guest.seat, message, text, now_ms)
        elif message.seat is not guest.seat:
            self._desk.note(
                guest, f"the line is {message.seat.title}'s, the connection {guest.seat.title}'s: ignored"
            )
        elif isinstance(message, Ready):
            self._receive_ready(guest, guest.seat, message, now_ms)
        elif not isinstance(message, Courtesy):
            self._receive_in_board(guest, guest.seat, message, text, now_ms)

    def _board_of(self, seat: Seat) -> BoardSession | None:
        """The board that the player of this seat takes part in; not one that began before it sat down."""
        board = self.board if self.stage is Stage.BOARDS else None
        return board if board is not None and seat not in board.absent else None

    def _receive_ready(self, guest: Guest, seat: Seat, message: Ready, now_ms: int) -> None:
        board = self._board_of(seat)
        if board is not None and guest.joined:
            board.receive_ready(seat, message, now_ms)
        elif message.what is ReadyFor.TEAMS and not guest.told_teams:
            guest.asked_teams = True
            self._reception.tell_teams(now_ms)
        elif message.what is ReadyFor.START and guest.told_teams:
            guest.joined = True
        elif message.what is ReadyFor.DEAL and self._was_passed_out:
            self._early_deal.add(seat)
        else:
            self._desk.note_seat(seat, f"ready for {message.what.value} outside a board, swallowed")

    @property
    def _was_passed_out(self) -> bool:
        """The last board was passed out, and the next has not begun: "ready for deal" may come now (BC-19)."""
        return self.stage is Stage.SEATING and self.board is not None and self.board.ended is BoardEnd.PASSED_OUT

    def _receive_in_board(
        self, guest: Guest, seat: Seat, message: CallLine | ClaimLine | ClaimAnswer, text: str, now_ms: int
    ) -> None:
        board = self._board_of(seat)
        if board is None:
            self._answer_outside(guest, seat)
        elif isinstance(message, CallLine):
            self._answer(guest, seat, board.receive_call(seat, message, now_ms), text, now_ms)
        else:
            why = (
                board.receive_claim(seat, now_ms)
                if isinstance(message, ClaimLine)
                else board.receive_claim_answer(seat, message.claimant, now_ms, accepts=message.accepts)
            )
            if why is not None:
                self._desk.send(seat, texts.format_error(why))

    def _receive_card(self, guest: Guest, seat: Seat, message: CardLine, text: str, now_ms: int) -> None:
        board = self._board_of(seat)
        if board is None:
            self._answer_outside(guest, seat)
            return
        contract = board.in_play.contract
        # Declarer may name dummy; a card of dummy's from anybody is judged by the board (BC-33). Else BC-11.
        if message.seat not in (None, seat) and (contract is None or message.seat is not contract.dummy):
            self._desk.note(guest, f"a card of another seat from {seat.title}'s connection: ignored")
            return
        self._answer(guest, seat, board.receive_card(seat, message, now_ms), text, now_ms)

    def _answer(self, guest: Guest, seat: Seat, refusal: Refusal | None, text: str, now_ms: int) -> None:
        if refusal is None:
            return
        self._desk.note(guest, f"refused: {refusal.why}")
        self._desk.send(seat, refusal.line)
        if refusal.kind is None:
            self._count_bad_line(guest)
        else:
            self._judge.judge_refusal(seat, refusal, text, now_ms)

    def _answer_outside(self, guest: Guest, seat: Seat) -> None:
        """A call or card of a player that takes part in no board: it was taken out of one, or none has begun."""
        if self.stage is Stage.BOARDS:
            self._desk.note(guest, "the board goes on without this player: ignored")
        else:
            self._desk.send(seat, texts.format_error("no board has been started"))
        self._count_bad_line(guest)

    def _complain(self, guest: Guest, reason: str) -> None:
        self._desk.say_error(guest, reason)
        self._count_bad_line(guest)

    def _count_bad_line(self, guest: Guest) -> None:
        guest.bad_lines += 1
        if guest.bad_lines >= self.settings.bad_lines_max:
            self._dismiss(guest, f"{guest.bad_lines} lines were refused, the limit is {self.settings.bad_lines_max}")

    def _dismiss(self, guest: Guest, reason: str) -> None:
        self._desk.say_error(guest, reason)
        self._desk.close(guest, reason)

    def _log_on(self, guest: Guest, message: Connecting, now_ms: int) -> None:
        if guest.seat is not None:
            self._complain(guest, f"this connection is {guest.seat.title}'s already")
            return
        why = self._reception.take(guest, message, now_ms)
        if why is not None:
            self._desk.note(guest, f"log-on refused: {why}")
            self._dismiss(guest, why)

    # Seats that become free

    def dismiss_seat(self, seat: Seat, reason: str, now_ms: int) -> None:
        """Send a program away; its seat is free. Nothing when nobody sits there."""
        guest = self._desk.seated.get(seat)
        if guest is None:
            return
        self._desk.say_error(guest, reason)
        self._desk.send(seat, texts.END_OF_SESSION)
        self._desk.close(guest, reason)
        self._leave(guest, seat, reason, now_ms)

    def _leave(self, guest: Guest, seat: Seat, reason: str, now_ms: int) -> None:
        """The program of a seat is no more part of the table."""
        guest.seat = None
        del self._desk.seated[seat]
        self._desk.record(SeatLeft(guest.connection, seat, reason, now_ms))
        if self.stage is Stage.OVER:
            return
        self._desk.effects.append(Vacate(seat, reason))
        board = self._board_of(seat)
        if board is not None and guest.joined:
            self._lost[seat] = Lost(reason)
            if len(self._lost.keys() | board.absent) == len(SEATS):
                self._arm(LOST_TIMER, now_ms)  # nobody is left to wait for
            elif LOST_TIMER not in self._armed:
                self._arm(LOST_TIMER, now_ms + LOST_WAIT_MS)

    def _receive_absence(self, now_ms: int) -> None:
        missing = [seat for seat in SEATS if seat not in self._desk.seated]
        if self.stage is not Stage.SEATING or not missing or self.paused:
            return
        if not self._judge.judge_absence(missing, now_ms):
            seats = ", ".join(seat.title for seat in missing)
            self._end_session(f"the seats {seats} stayed empty, on both sides: nobody is judged for it", now_ms)

    # Boards

    def _finish(self, now_ms: int) -> list[Effect]:
        """Move the session on where it can move, and give the effects."""
        board = self.board
        if self.stage is Stage.BOARDS and board is not None and board.served and not self.paused:
            self._end_board(board, now_ms)
        if self.stage is Stage.SEATING and not self.paused and self._all_joined():
            self._start_board(now_ms)
        if self.stage is not Stage.OVER:
            self._watch(now_ms)
        return self._desk.take_effects()

    def _all_joined(self) -> bool:
        return len(self._desk.seated) == len(SEATS) and all(guest.joined for guest in self._desk.seated.values())

    def _start_board(self, now_ms: int) -> None:
        settings = self.settings
        self.stage = Stage.BOARDS
        self._has_begun = True
        self._judge.begin_board()
        self.board = BoardSession(self._queue.popleft(), self._desk, settings.rules, settings.trick_pause_ms, now_ms)
        self.board.start(now_ms, ready=self._early_deal)
        self._early_deal = set()

    def _end_board(self, board: BoardSession, now_ms: int) -> None:
        """Times to all that took part (BC-37), then the next board or the end of the session."""
        spent, total = board.spent_ms, self._total_ms
        for side in Side:
            total[side] += spent[side]
        line = texts.format_timing(spent[Side.NS], total[Side.NS], spent[Side.EW], total[Side.EW])
        for seat, guest in self._desk.seated.items():
            if seat not in board.absent and guest.profile.timing:
                self._desk.send(seat, line)
        self._early_deal = board.early_deal - board.absent
        self._lost.clear()
        self.stage = Stage.SEATING
        self._note_void(board, now_ms)
        if self.stage is Stage.SEATING and not self._queue:
            self._end_session(None, now_ms)

    def _note_void(self, board: BoardSession, now_ms: int) -> None:
        """A void board is played again, under its number; not for ever."""
        number = board.board.number
        if board.ended is not BoardEnd.VOID:
            self._voids = 0
            return
        self._queue.appendleft(board.board)
        if number in self._replays:
            self._replays.remove(number)
            return
        self._voids += 1
        if self._voids >= VOIDS_MAX:
            self._end_session(f"board {number} was void {self._voids} times in a row: look after the network", now_ms)

    def end_match(self, now_ms: int) -> None:
        """The match is decided: end the session."""
        self._queue.clear()
        self._end_session(None, now_ms)

    def _end_session(self, reason: str | None, now_ms: int) -> None:
        """`End of session` to each, always: programs hang or fail on a bare close (BC-39)."""
        self.stage = Stage.OVER
        self._desk.send_all(texts.END_OF_SESSION)
        self._desk.effects.append(EndTable(reason))
        self._desk.start_timer(CLOSE_TIMER, now_ms + CLOSE_PAUSE_MS)

    def _set_paused(self, now_ms: int, *, paused: bool) -> None:
        if self.paused is paused or self.stage is Stage.OVER:
            return
        self.paused = paused
        number = None
        if self.board is not None:
            self.board.paused = paused
            number = self.board.board.number
        kind = IncidentKind.PAUSED if paused else IncidentKind.RESUMED
        self._desk.record(Incident(kind, number, None, f"the table was {kind.value}", now_ms))

    # Limits

    def _watch(self, now_ms: int) -> None:
        """See to it that somebody looks when the next line is late, and when a seat stays empty."""
        empty = self._has_begun and self.stage is Stage.SEATING and len(self._desk.seated) < len(SEATS)
        if empty and ABSENCE_TIMER not in self._armed:
            self._arm(ABSENCE_TIMER, now_ms + self.settings.rules.time.absence_ms)
        elif not empty:
            self._armed.pop(ABSENCE_TIMER, None)
        if self.paused:
            return  # nobody is late now; `resume` comes back here
        armed_ms = self._armed.get(LIMIT_TIMER)
        if armed_ms is None or armed_ms > now_ms + self._judge.shortest_ms:
            limit_ms = self._judge.next_limit_ms(now_ms)
            if limit_ms is not None and (armed_ms is None or limit_ms < armed_ms):
                # A line that is overdue, but judged otherwise, is looked at again in a moment, not at once.
                self._arm(LIMIT_TIMER, max(limit_ms, now_ms + LOOK_AGAIN_MS))

    def _arm(self, name: str, at_ms: int) -> None:
        self._armed[name] = at_ms
        self._desk.start_timer(name, at_ms)
