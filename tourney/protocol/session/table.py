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
from tourney.protocol.access import TableDoors
from tourney.protocol.bluechip.profile import DEFAULT, WireProfile
from tourney.protocol.bluechip.wire import server_format
from tourney.protocol.bluechip.wire.player_lines import Unknown, read_player_line
from tourney.protocol.lines import Overlong
from tourney.protocol.session.adjudication import Judge
from tourney.protocol.session.board.pending import Debt
from tourney.protocol.session.board.state import BoardSession
from tourney.protocol.session.dispatch import Intake
from tourney.protocol.session.effects import Effect, EndTable
from tourney.protocol.session.logon import Reception
from tourney.protocol.session.outbox import Desk, Guest
from tourney.protocol.session.records import BoardEnd, BoardEnded, Incident, IncidentKind
from tourney.protocol.session.rejoin import LATE_TIMER_MS, PRESENCE_TIMERS, Presence
from tourney.protocol.session.rules import Rejoin, TableRules
from tourney.protocol.session.snapshot import BoardOnRecord
from tourney.protocol.session.timers import Timers

CLOSE_TIMER: Final = "close"
CLOSE_PAUSE_MS: Final = 1000
"""Between `End of session` and the end of the connection (BC-39)."""

LIMIT_TIMER: Final = "limit"
LOOK_AGAIN_MS: Final = 50

VOIDS_MAX: Final = 2
"""A board void so often in a row stops the table."""


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
    doors: TableDoors = field(default_factory=TableDoors)
    under_way: BoardOnRecord | None = None
    """The board, one of `boards`, that another table host has begun (BC-49)."""
    ours: frozenset[Side] = frozenset()
    """The sides whose programs we start, and can start again."""

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
        self.closing: str | None = None
        """Why the session ends with the board in hand; None while all boards are to be played."""
        self._desk = Desk()
        teams = {side: settings.team(side) for side in Side}
        self._reception = Reception(self._desk, teams, settings.profiles, settings.doors)
        self._judge = Judge(settings.rules, self._desk, self)
        self._timers = Timers(self._desk)
        self._presence = Presence(settings.rules, self._desk, self._judge, self._timers, self)
        self._intake = Intake(self._desk, self._reception, self._judge, self, settings.bad_lines_max)
        self._under_way = settings.under_way
        first = [board for board in settings.boards if self._under_way and board.number == self._under_way.number]
        self._queue = deque([*first, *(board for board in settings.boards if board not in first)])
        self._has_begun = False
        self._early_deal: set[Seat] = set()
        self._voids = 0
        self._replays: set[int] = set()
        self._total_ms = {side: settings.spent_ms.get(side, 0) for side in Side}
        self._judge.note_match_time(self._total_ms)

    # What the shell tells

    def open_connection(self, connection: int, *, peer: str = "", port_seat: Seat | None = None) -> list[Effect]:
        """A program has connected. `port_seat` is the seat of its port, where every seat has one (BC-02)."""
        guest = Guest(connection, peer, port_seat)
        self._desk.guests[connection] = guest
        if self.stage is Stage.OVER:
            self._intake.dismiss(guest, "the session is over")
        elif (why := self._reception.why_not_let_in(guest)) is not None:
            self._intake.dismiss(guest, why)
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
            self._intake.complain(guest, f"a line has at most {line.limit} bytes, this one is longer")
        else:
            try:
                text, message = read_player_line(line)
            except FormatError as error:
                text, message = "", Unknown(str(error))
            if self.board is not None:
                self.board.clock.began_ms = began_ms
            self._intake.receive(guest, message, text, now_ms)
        return self._finish(now_ms)

    def close_connection(self, connection: int, now_ms: int, reason: str) -> list[Effect]:
        """A connection is gone, whoever ended it."""
        guest = self._desk.guests.pop(connection, None)
        if guest is not None and guest.seat is not None:
            self._presence.leave(guest, guest.seat, guest.closing or reason, now_ms)
        return self._finish(now_ms)

    def dismiss(self, connection: int, reason: str, now_ms: int) -> list[Effect]:
        """A connection is over one of the shell's limits: tell its program why and close it."""
        guest = self._desk.guests.get(connection)
        if guest is not None and not guest.closing:
            self._intake.dismiss(guest, reason)
        return self._finish(now_ms)

    def note_exit(self, seat: Seat, how: str) -> None:
        """The program of a seat has ended by itself; a connection just lost is then a crash."""
        self._presence.note_exit(seat, how)

    def give_up(self, seat: Seat, reason: str, now_ms: int) -> list[Effect]:
        """No program will come to this seat any more."""
        if self.stage is not Stage.OVER:
            self._presence.give_up(seat, reason, now_ms)
        return self._finish(now_ms)

    def receive_timer(self, name: str, now_ms: int) -> list[Effect]:
        """A timer that was asked for has run out."""
        armed_ms = self._timers.take(name)
        if name == CLOSE_TIMER:
            for guest in list(self._desk.guests.values()):
                self._desk.close(guest, "the session is over")
        elif self.stage is Stage.OVER:
            return []
        elif name in PRESENCE_TIMERS:
            if armed_ms is not None:
                self._presence.receive_timer(name, armed_ms, now_ms)
        elif name == LIMIT_TIMER:
            if armed_ms is not None:
                self._look_at_limits(armed_ms, now_ms)
        elif self.board is not None:
            self.board.receive_timer(name, now_ms)
        return self._finish(now_ms)

    def _look_at_limits(self, armed_ms: int, now_ms: int) -> None:
        if now_ms - armed_ms > LATE_TIMER_MS:
            self._judge.forgive_waiting(now_ms)
        elif not self.paused:
            self._judge.judge_time(now_ms)

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
            self.end_session(None if all_over else reason, now_ms)
        return self._desk.take_effects()

    def finish_board(self, reason: str, now_ms: int) -> list[Effect]:
        """Begin no other board: the session ends with the one in hand, and at once when there is none."""
        self.closing = reason
        return self._finish(now_ms)

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
                self.board.go_on(now_ms)
        return self._finish(now_ms)

    def forgive(self, now_ms: int) -> list[Effect]:
        """Nobody is late for what lies before: the table could not go on."""
        self._judge.forgive_waiting(now_ms)
        self._presence.forgive(now_ms)
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
                board.wait_no_more(now_ms)
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

    # What the rooms of the table ask of it

    @property
    def is_playing(self) -> bool:
        """A board is in hand."""
        return self.stage is Stage.BOARDS

    @property
    def is_over(self) -> bool:
        """The session has ended."""
        return self.stage is Stage.OVER

    @property
    def was_passed_out(self) -> bool:
        """The last board was passed out, and the next has not begun: "ready for deal" may come now (BC-19)."""
        return self.stage is Stage.SEATING and self.board is not None and self.board.ended is BoardEnd.PASSED_OUT

    def note_early_deal(self, seat: Seat) -> None:
        self._early_deal.add(seat)

    def board_of(self, guest: Guest) -> BoardSession | None:
        """The board that a player takes part in; not one that began before it sat down, unless it is led through."""
        board, seat = self.board, guest.seat
        if board is None or seat is None or not guest.joined or self.stage is not Stage.BOARDS:
            return None
        return board if board.takes_part(seat) else None

    def take_back(self, guest: Guest, seat: Seat, now_ms: int) -> None:
        """A connection that has not logged on speaks for a seat: the program that left it may be back."""
        self._presence.take_back(guest, seat, now_ms)

    def join(self, guest: Guest, seat: Seat, now_ms: int) -> None:
        """A program has said "ready to start": it is part of the board in hand, if it is waited for, or the next."""
        guest.joined = True
        self._presence.join(seat, now_ms)

    def dismiss_seat(self, seat: Seat, reason: str, now_ms: int) -> None:
        """Send a program away; its seat is free. Nothing when nobody sits there."""
        guest = self._desk.seated.get(seat)
        if guest is None:
            return
        self._desk.say_error(guest, reason)
        self._desk.send(seat, server_format.END_OF_SESSION)
        self._desk.close(guest, reason)
        self._presence.leave(guest, seat, reason, now_ms)

    @property
    def can_restart(self) -> bool:
        """Whether everybody at the table can begin a board again, or be started again."""
        profiles = self.settings.profiles
        return all(profiles.get(side, DEFAULT).board_restart or side in self.settings.ours for side in Side)

    def restart_board(self, now_ms: int) -> None:
        """Begin the board in hand again; programs that cannot are sent away, to come back for it."""
        assert self.board is not None
        self.stage = Stage.SEATING
        self._queue.appendleft(self.board.board)
        for seat, guest in list(self._desk.seated.items()):
            if not guest.profile.board_restart:
                self.dismiss_seat(seat, "the board is begun again", now_ms)

    # Boards

    def _finish(self, now_ms: int) -> list[Effect]:
        """Move the session on where it can move, and give the effects."""
        if self.stage is Stage.BOARDS:
            board = self.board
            if board is not None and board.served and not self.paused:
                self._end_board(board, now_ms)
        if self.stage is Stage.SEATING:
            if self.closing is not None:
                self.end_session(self.closing, now_ms)
            elif not self.paused and self._all_joined():
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
        self._presence.begin_board()
        under_way, self._under_way = self._under_way, None
        board = self._queue.popleft()
        self.board = BoardSession(board, self._desk, settings.rules, settings.trick_pause_ms, now_ms)
        if under_way is not None and settings.rules.rejoin is Rejoin.REPLAY:
            self.board.take_up(under_way, now_ms)
        else:
            if under_way is not None:
                why = "the table's host died"
                self._desk.record(BoardEnded(board.number, BoardEnd.VOID, why, None, 0, 0, now_ms))
            self.board.start(now_ms, ready=self._early_deal)
        self._early_deal = set()

    def _end_board(self, board: BoardSession, now_ms: int) -> None:
        """Times to all that took part (BC-37), then the next board or the end of the session."""
        spent, total = board.spent_ms, self._total_ms
        for side in Side:
            total[side] += spent[side]
        line = server_format.format_timing(spent[Side.NS], total[Side.NS], spent[Side.EW], total[Side.EW])
        for seat, guest in self._desk.seated.items():
            if seat not in board.absent and guest.profile.timing:
                self._desk.send(seat, line)
        self._early_deal = board.early_deal - board.absent
        self.stage = Stage.SEATING
        self._note_void(board, now_ms)
        if self.stage is Stage.SEATING and not self._queue:
            self.end_session(None, now_ms)

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
            self.end_session(f"board {number} was void {self._voids} times in a row: look after the network", now_ms)

    def end_match(self, now_ms: int) -> None:
        """The match is decided: end the session."""
        self._queue.clear()
        self.end_session(None, now_ms)

    def end_session(self, reason: str | None, now_ms: int) -> None:
        """`End of session` to each, always: programs hang or fail on a bare close (BC-39)."""
        self.stage = Stage.OVER
        self._desk.send_all(server_format.END_OF_SESSION)
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
        if self.stage is not Stage.BOARDS:
            self._presence.watch(now_ms)
        if self.paused:
            return  # nobody is late now; `resume` comes back here
        armed_ms = self._timers.at_ms(LIMIT_TIMER)
        if armed_ms is None or armed_ms > now_ms + self._judge.shortest_ms:
            limit_ms = self._judge.next_limit_ms(now_ms)
            if limit_ms is not None and (armed_ms is None or limit_ms < armed_ms):
                # A line that is overdue, but judged otherwise, is looked at again in a moment, not at once.
                self._timers.arm(LIMIT_TIMER, max(limit_ms, now_ms + LOOK_AGAIN_MS))
