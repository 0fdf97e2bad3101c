"""The Table Manager's side of the Blue Chip protocol, version 18: lines in, effects out.

Knows lines, seats and boards. Knows no socket, no clock but the `now_ms` it is given, no database. No line that a
player can send makes it raise.
"""

import enum
from dataclasses import dataclass, field
from typing import Final

from tourney.bridge import SEATS, Board, Seat, Side
from tourney.errors import FormatError
from tourney.protocol.bluechip import texts
from tourney.protocol.bluechip.board_session import LEAD_TIMER, BoardSession
from tourney.protocol.bluechip.desk import Desk, Guest
from tourney.protocol.bluechip.messages import (
    CallLine,
    CardLine,
    Connecting,
    Courtesy,
    PlayerMessage,
    Ready,
    ReadyFor,
    Unknown,
    parse_player_line,
)
from tourney.protocol.effects import Effect, EndTable
from tourney.protocol.lines import Overlong, decode_line
from tourney.protocol.records import SeatLeft, SeatTaken

VERSIONS: Final = (18, 19)
"""19 says only that the player wants texts (BC-08)."""

ANY_SEAT_ORDER: Final = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""In which order `ANYPL` is seated (BC-52)."""

CLOSE_TIMER: Final = "close"
CLOSE_PAUSE_MS: Final = 1000
"""Between `End of session` and the end of the connection (BC-39)."""

GUESTS_MAX: Final = 16
"""Connections at one table, seated or not: four players, and room for those that came to the wrong table."""

_QUOTE_MAX: Final = 64
"""Characters of a log-on that a refusal quotes: no team name is longer (BC-10)."""


class Stage(enum.Enum):
    """Where the session stands."""

    SEATING = "seating"
    BOARDS = "boards"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What a table is to play, and how.

    `boards` are those still to be played, in order. `spent_ms` is the thinking time of each side on the boards of
    this table that were finished before, for the totals of the Timing line.
    """

    ns_team: str
    ew_team: str
    boards: tuple[Board, ...]
    trick_pause_ms: int = 1000
    bad_lines_max: int = 20
    spent_ms: dict[Side, int] = field(default_factory=dict)

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
        self._desk = Desk()
        self._next_board = 0
        self._asked_teams: set[Seat] = set()
        self._told_teams: set[Seat] = set()
        self._ready_to_start: set[Seat] = set()
        self._total_ms = {side: settings.spent_ms.get(side, 0) for side in Side}

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

    def receive_line(self, connection: int, line: bytes | Overlong, now_ms: int) -> list[Effect]:
        """A line has arrived, without its end. Never raises, whatever the bytes are."""
        guest = self._desk.guests.get(connection)
        if guest is None or guest.closing or self.stage is Stage.OVER:
            return []
        if isinstance(line, Overlong):
            self._complain(guest, f"a line has at most {line.limit} bytes, this one is longer")
        else:
            try:
                message = parse_player_line(decode_line(line))
            except FormatError as error:
                message = Unknown(str(error))
            self._receive(guest, message, now_ms)
        return self._finish(now_ms)

    def close_connection(self, connection: int, now_ms: int, reason: str) -> list[Effect]:
        """A connection is gone, whoever ended it."""
        guest = self._desk.guests.pop(connection, None)
        if guest is None or guest.seat is None:
            return self._desk.take_effects()
        seat = guest.seat
        reason = guest.closing or reason
        del self._desk.seated[seat]
        self._desk.record(SeatLeft(connection, seat, reason, now_ms))
        if self.stage is Stage.SEATING:
            for players in (self._asked_teams, self._told_teams, self._ready_to_start):
                players.discard(seat)
        elif self.stage is Stage.BOARDS:
            board = f" on board {self.board.board.number}" if self.board is not None else ""
            self._interrupt(f"{seat.title} ({guest.team}) left{board}: {reason}", now_ms)
        return self._finish(now_ms)

    def receive_timer(self, name: str, now_ms: int) -> list[Effect]:
        """A timer that was asked for has run out."""
        if name == LEAD_TIMER and self.board is not None and self.stage is Stage.BOARDS:
            self.board.receive_lead_timer(now_ms)
        elif name == CLOSE_TIMER:
            for guest in list(self._desk.guests.values()):
                self._desk.close(guest, "the session is over")
        return self._finish(now_ms)

    def note_sent(self, clock: int, now_ms: int) -> None:
        """A `Send` with this clock was written at `now_ms`."""
        if self.board is not None:
            self.board.note_sent(clock, now_ms)

    def stop(self, reason: str, now_ms: int) -> list[Effect]:
        """End the session now: the board in hand stays unfinished, the players are told and let go."""
        if self.stage is not Stage.OVER:
            self._interrupt(reason, now_ms)
        return self._desk.take_effects()

    # What can be asked

    @property
    def seats(self) -> dict[Seat, str]:
        """Who sits: the team name, as its program gave it, by seat."""
        return {seat: guest.team for seat, guest in self._desk.seated.items()}

    @property
    def connections(self) -> set[int]:
        """The connections that are open, seated or not."""
        return set(self._desk.guests)

    def seat_of(self, connection: int) -> Seat | None:
        """The seat of a connection; None before it has logged on and when it is unknown."""
        guest = self._desk.guests.get(connection)
        return guest.seat if guest is not None else None

    # Messages

    def _receive(self, guest: Guest, message: PlayerMessage, now_ms: int) -> None:
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
            self._receive_card(guest, guest.seat, message, now_ms)
        elif message.seat is not guest.seat:
            self._desk.note(
                guest, f"the line is {message.seat.title}'s, the connection {guest.seat.title}'s: ignored"
            )
        elif isinstance(message, Ready):
            self._receive_ready(guest.seat, message, now_ms)
        elif isinstance(message, CallLine):
            board = self.board
            early = texts.format_error("no board has been started")
            self._answer(guest, board.receive_call(guest.seat, message, now_ms) if board else early)
        else:
            assert isinstance(message, Courtesy)

    def _receive_ready(self, seat: Seat, message: Ready, now_ms: int) -> None:
        if self.board is not None:
            self.board.receive_ready(seat, message, now_ms)
        elif message.what is ReadyFor.TEAMS:
            self._asked_teams.add(seat)
            self._tell_teams()
        elif message.what is ReadyFor.START and seat in self._told_teams:
            self._ready_to_start.add(seat)
        else:
            self._desk.note_seat(seat, f"ready for {message.what.value} before the first board, swallowed")

    def _receive_card(self, guest: Guest, seat: Seat, message: CardLine, now_ms: int) -> None:
        board = self.board
        if board is None:
            self._answer(guest, texts.format_error("no board has been started"))
            return
        contract = board.in_play.contract
        # Declarer may name dummy; a card of dummy's from anybody is judged by the board (BC-33). Else BC-11.
        if message.seat not in (None, seat) and (contract is None or message.seat is not contract.dummy):
            self._desk.note(guest, f"a card of another seat from {seat.title}'s connection: ignored")
            return
        self._answer(guest, board.receive_card(seat, message, now_ms))

    def _answer(self, guest: Guest, line: str | None) -> None:
        if line is not None:
            assert guest.seat is not None
            self._desk.send(guest.seat, line)
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

    # Logging on

    def _log_on(self, guest: Guest, message: Connecting, now_ms: int) -> None:
        if guest.seat is not None:
            self._complain(guest, f"this connection is {guest.seat.title}'s already")
            return
        seat = self._seat_for(guest, message)
        if isinstance(seat, str):
            self._desk.note(guest, f"log-on refused: {seat}")
            self._dismiss(guest, seat)
            return
        guest.seat, guest.team, guest.wants_texts = seat, message.team, message.version == 19
        self._desk.seated[seat] = guest
        self._desk.record(
            SeatTaken(guest.connection, seat, message.team, message.version, message.system, guest.peer, now_ms)
        )
        self._desk.send(seat, texts.format_seated(seat, message.team))

    def _seat_for(self, guest: Guest, message: Connecting) -> Seat | str:
        """The seat a log-on gets, or why it gets none (BC-08, BC-52)."""
        if message.version not in VERSIONS:
            return f"protocol version {message.version} is not spoken here, only 18 and 19"
        seat, team_word = message.seat, message.team[:_QUOTE_MAX]
        if seat is None and message.any_seat:
            seat = self._any_seat(message.team, guest.port_seat)
            if seat is None:
                return f"no seat of {team_word!r} is free"
        if seat is None:
            named = repr(message.seat_word[:_QUOTE_MAX]) if message.seat_word else "none"
            return f"a seat is North, East, South or West, got {named}"
        if guest.port_seat is not None and seat is not guest.port_seat:
            return f"this port is {guest.port_seat.title}'s, not {seat.title}'s"
        team, other = self.settings.team(seat.side), self.settings.team(seat.side.other)
        if not same_name(message.team, team):
            if same_name(message.team, other):
                return f"{other!r} sits {seat.side.other.value} here, {seat.title} is a seat of {team!r}"
            return f"{team_word!r} does not play here, {seat.title} is a seat of {team!r}"
        taken = self._desk.seated.get(seat)
        return f"{seat.title} is taken by {taken.team!r}" if taken is not None else seat

    def _any_seat(self, team: str, port_seat: Seat | None) -> Seat | None:
        for seat in ANY_SEAT_ORDER:
            right_team = same_name(team, self.settings.team(seat.side))
            if right_team and seat not in self._desk.seated and port_seat in (None, seat):
                return seat
        return None

    def _tell_teams(self) -> None:
        """Once all four sit and have asked, each is told once (BC-07).

        A side is told its own name as it was sent: some programs leave when they find it in other casing.
        """
        if len(self._asked_teams) < 4:
            return
        for seat in SEATS:
            if seat not in self._told_teams:
                self._told_teams.add(seat)
                names = {side: self.settings.team(side) for side in Side}
                names[seat.side] = self._desk.seated[seat].team
                self._desk.send(seat, texts.format_teams(names[Side.NS], names[Side.EW]))

    # Boards

    def _finish(self, now_ms: int) -> list[Effect]:
        """Move the session on where it can move, and give the effects."""
        if self.stage is Stage.SEATING and len(self._ready_to_start) == 4:
            self.stage = Stage.BOARDS
            self._start_board(now_ms, ready=set())
        board = self.board
        if self.stage is Stage.BOARDS and board is not None and board.served:
            self._end_board(board, now_ms)
        return self._desk.take_effects()

    def _start_board(self, now_ms: int, *, ready: set[Seat]) -> None:
        settings = self.settings
        self.board = BoardSession(settings.boards[self._next_board], self._desk, settings.trick_pause_ms)
        self._next_board += 1
        self.board.start(now_ms, ready=ready)

    def _end_board(self, board: BoardSession, now_ms: int) -> None:
        """Times to all (BC-37), then the next board or the end of the session."""
        spent = board.spent_ms
        for side in Side:
            self._total_ms[side] += spent[side]
        total = self._total_ms
        self._desk.send_all(texts.format_timing(spent[Side.NS], total[Side.NS], spent[Side.EW], total[Side.EW]))
        if self._next_board < len(self.settings.boards):
            self._start_board(now_ms, ready=board.early_deal)
        else:
            self._end_session(None, now_ms)

    def _interrupt(self, reason: str, now_ms: int) -> None:
        board = self.board
        all_over = board is not None and board.in_play.is_over and self._next_board == len(self.settings.boards)
        if board is not None:
            board.abandon(reason, now_ms)
        self._end_session(None if all_over else reason, now_ms)

    def _end_session(self, reason: str | None, now_ms: int) -> None:
        """`End of session` to each, always: programs hang or fail on a bare close (BC-39)."""
        self.stage = Stage.OVER
        self._desk.send_all(texts.END_OF_SESSION)
        self._desk.effects.append(EndTable(reason))
        self._desk.start_timer(CLOSE_TIMER, now_ms + CLOSE_PAUSE_MS)


def same_name(one: str, other: str) -> bool:
    """Whether two team names are the same: blanks and case aside (BC-10)."""
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()
