"""The state of one seat, and every way in which it changes.

Rule 1: the state of a seat is kept here and nowhere else. Rule 2: a phase changes only by an event in `TRANSITIONS`;
an event that a phase does not list is a bug, which ends the table with a line in the log
(`ProtocolError`) and no other.

During a board a seat has two aspects: its part in the board, which is the phase, and who is connected to it now. They
differ if the player of the board has left: `connection` is then None, or a newcomer that waits for the next board,
and `player` and `view` are still of the player who left, until it comes back or the table acts for it.
"""

import enum
from dataclasses import dataclass
from typing import Final, NamedTuple

from tourney.bridge import Seat
from tourney.errors import ProtocolError
from tourney.protocol.session.connection import PlayerConnection
from tourney.protocol.session.notices import Notice
from tourney.protocol.session.records import BoardEnd, IncidentKind
from tourney.protocol.session.seat_view import SeatView

IN_TRANSIT_MAX: Final = 8
"""Lines of an earlier board that are swallowed from one program: it has a call or card on its way, and some requests.
More than that is a flood, and refused."""


class SeatPhase(enum.StrEnum):
    """The phase of a seat."""

    EMPTY = "empty"
    """No board is in progress, and nobody is connected."""
    SEATED = "seated"
    """A program has logged on and is not ready to play."""
    READY = "ready"
    """A program waits for the next board."""
    PLAYING = "playing"
    CATCHING_UP = "catching up"
    """The board is being replayed to a program from its beginning (BC-48, BC-49)."""
    AWAY = "away"
    """The player of the current board is gone, and may come back."""
    SUBSTITUTED = "substituted"
    """The table calls and plays for the seat to the end of the board (BC-46)."""


class SeatEvent(enum.StrEnum):
    """What happens to a seat."""

    LOG_ON = "log on"
    JOIN = "join"
    """The program that is connected is ready to play, or has come back and remembers the board."""
    LEAVE = "leave"
    """The connection is gone, or was sent away."""
    SUBSTITUTE = "substitute"
    """The table acts for it from now on."""
    BEGIN_BOARD = "begin board"
    BEGIN_REPLAY = "begin replay"
    """A board that another table host began is continued."""
    CATCH_UP = "catch up"
    """The program has caught up with the board."""
    END_BOARD = "end board"


_IN_BOARD: Final = (SeatPhase.PLAYING, SeatPhase.CATCHING_UP)

_STEPS: Final = """
empty: log on -> seated
seated: join -> ready, leave -> empty
ready: leave -> empty, begin board -> playing, begin replay -> catching up
playing: leave -> away, substitute -> substituted, end board -> ready
catching up: catch up -> playing, leave -> away, substitute -> substituted, end board -> ready
away: log on -> away, join -> catching up, leave -> away, substitute -> substituted, end board -> empty
substituted: log on -> substituted, join -> substituted, leave -> substituted, end board -> empty
"""

TRANSITIONS: Final = {
    SeatPhase(phase): {
        SeatEvent(event): SeatPhase(after) for event, after in (step.split(" -> ") for step in steps.split(", "))
    }
    for phase, steps in (line.split(": ") for line in _STEPS.split("\n")[1:-1])
}
"""The next phase by event and phase. After END_BOARD, connected programs log on and join again."""


class Loss(NamedTuple):
    """How a connection was lost in the middle of a board: by a crash or otherwise.

    A program that ended by itself and left a board that was not over has crashed. It is no crash when the table had
    sent the program away (kicked, stalled, late, flooding), whatever its exit status; nor when programs of both sides
    are lost within a second, as the network or the machine is to blame then.
    """

    reason: str
    at_ms: int
    crash: str = ""
    """How its program ended; empty if it did not, or if that is no crash."""
    by_table: bool = False
    """Whether the table had sent the program away."""
    may_be_crash: bool = True
    """Whether it is a crash if the program is found to have ended."""
    until_ms: int = 0
    """Until when the board waits for the player, once the loss has been judged; 0 before."""

    @property
    def is_judged(self) -> bool:
        return self.until_ms > 0

    def kind(self, *, both_sides: bool) -> IncidentKind:
        """Return the kind of incident that it is; `both_sides` if programs of both were lost at once."""
        if both_sides:
            return IncidentKind.OUTAGE
        return IncidentKind.CRASH if self.crash else IncidentKind.DISCONNECT

    @property
    def end(self) -> BoardEnd:
        """How the board ends if the player's side forfeits it."""
        return BoardEnd.CRASH if self.crash else BoardEnd.DISCONNECT

    def why(self, seat: Seat) -> str:
        return f"{seat.title} left: {self.crash or self.reason}"


@dataclass(eq=False)
class SeatState:
    """One seat of a table."""

    seat: Seat
    phase: SeatPhase = SeatPhase.EMPTY
    connection: PlayerConnection | None = None
    """The connection of the seat, if any."""
    player: PlayerConnection | None = None
    """The connection of the player of the current board, who may be gone; None if the table acts for it."""
    active: PlayerConnection | None = None
    """The same while that player takes part in the board, else None."""
    view: SeatView | None = None
    """The current board as that player sees it, and what it has been shown; None while there is no player."""
    is_catching_up: bool = False
    """Whether the board is being replayed to the player; like `active`, by the phase, and so is the next."""
    is_substituted: bool = False
    """Whether the table acts for the seat to the end of the board."""
    loss: Loss | None = None
    """A loss in the current board that has not been judged, or whose player the board waits for."""
    rejoined: str = ""
    """What is to go on record about the player's return, once its loss has: a sentence; else empty."""
    in_transit_left: int = 0
    """How many lines of an earlier board may still arrive, until the program joins the present one."""

    @property
    def is_ready(self) -> bool:
        """Whether a program is connected that takes part in boards that begin from now on."""
        return self.connection is not None and self.connection.is_ready

    # What the phase means

    @property
    def is_away(self) -> bool:
        """Whether the player of the current board is gone and the table does not act for it."""
        return self.phase is SeatPhase.AWAY

    @property
    def is_awaited(self) -> bool:
        """Whether its player is gone, the loss has been judged, and the board waits for it."""
        return self.is_away and self.loss is not None and self.loss.is_judged

    def _move(self, event: SeatEvent) -> None:
        after = TRANSITIONS[self.phase].get(event)
        if after is None:
            raise ProtocolError(f"{event} cannot happen to {self.seat.title}'s seat, which is {self.phase}")
        self.phase = after
        self.active = self.player if self.phase in _IN_BOARD else None
        self.is_catching_up = self.phase is SeatPhase.CATCHING_UP
        self.is_substituted = self.phase is SeatPhase.SUBSTITUTED

    # Who is connected

    def log_on(self, connection: PlayerConnection) -> None:
        """Note that a program has logged on here."""
        connection.seat = self.seat
        self.connection = connection
        self.in_transit_left = 0
        self._move(SeatEvent.LOG_ON)

    def leave(self) -> None:
        """Note that the connection is gone; a player of the current board may come back."""
        assert self.connection is not None
        self._move(SeatEvent.LEAVE)
        self.connection.seat = None
        self.connection = None

    def lose(self, connection: PlayerConnection, reason: str, now_ms: int, *, is_over: bool) -> None:
        """Note how the player of the current board, which may be over, was lost with its connection."""
        by_table = bool(connection.closing)
        may_be_crash = not by_table and not is_over
        crash = connection.exit if may_be_crash else ""
        if self.loss is not None and not self.loss.is_judged:
            crash = self.loss.crash or crash  # it had left a moment before as well
        self.loss = Loss(reason, now_ms, crash, by_table, may_be_crash)

    def note_exit(self, how: str) -> None:
        """Note that the program of the seat has ended by itself: one that is connected, or was a moment ago."""
        if self.connection is not None:
            self.connection.exit = how
        elif self.loss is not None and not self.loss.is_judged and self.loss.may_be_crash:
            # How the first ended is what happened; one started in its place may have ended because of that.
            self.loss = self.loss._replace(crash=self.loss.crash or how)

    def join(self) -> None:
        """Note that the connected program is ready to play, or is back at the board that it has left."""
        assert self.connection is not None
        self.connection.is_ready = True
        if self.is_awaited:
            self.loss = None
        if self.is_away:
            self.player = self.connection
        self._move(SeatEvent.JOIN)

    def discard_stale_line(self) -> bool:
        """Return whether a line is of an earlier board, on its way when that was left; note it if so.

        It is if its program has not joined the present board. Such a line is nobody's fault; at most `IN_TRANSIT_MAX`
        are swallowed.
        """
        connection = self.connection
        if not self.in_transit_left or connection is None or self.is_substituted:
            return False
        if connection is self.player and self.view is not None and self.view.is_in_board:
            return False
        self.in_transit_left -= 1
        connection.log_remark("on its way when the board before was left, swallowed")
        return True

    # The current board

    def notify(self, notice: Notice) -> None:
        """Tell the player something if it takes part in the board."""
        if self.active is not None:
            self.active.notify(notice, self.view)

    def begin_board(self, *, replay: bool) -> None:
        """Begin a board."""
        assert self.connection is not None
        self.loss, self.rejoined = None, ""
        self.player = self.connection
        self._move(SeatEvent.BEGIN_REPLAY if replay else SeatEvent.BEGIN_BOARD)

    @property
    def wants_cards(self) -> bool:
        """Whether its player is ready for its cards, or has them: all four get them at once (BC-14)."""
        player, view = self.active, self.view
        if player is None or view is None:
            return False
        return not player.wire.has_requests or (view.has_joined and view.has_asked_cards)

    def catch_up(self) -> None:
        """Note that the program has caught up with the board."""
        self._move(SeatEvent.CATCH_UP)

    def wait(self, until_ms: int) -> None:
        """Have the board wait for the lost player."""
        assert self.loss is not None
        self.loss = self.loss._replace(until_ms=until_ms)

    def substitute(self) -> None:
        """Have the table act for the seat from now on."""
        self._leave_board(in_the_middle=True)
        self._move(SeatEvent.SUBSTITUTE)

    def end_board(self, *, in_the_middle: bool) -> None:
        """End the board, perhaps before its last card; connected programs may join the next."""
        if not self.is_substituted:
            self._leave_board(in_the_middle=in_the_middle or (self.view is not None and self.view.ignores_next_line))
        self._move(SeatEvent.END_BOARD)
        if self.phase is SeatPhase.EMPTY and self.connection is not None:
            self._move(SeatEvent.LOG_ON)
            if self.connection.is_ready:
                self._move(SeatEvent.JOIN)

    def _leave_board(self, *, in_the_middle: bool) -> None:
        is_connected = self.connection is not None and self.connection is self.player
        self.in_transit_left = IN_TRANSIT_MAX if in_the_middle and is_connected else 0
        self.player = self.view = None
