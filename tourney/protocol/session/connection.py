"""One connection as the session sees it: its address, its seat, its wire, and what its program has been told."""

from typing import Final, Protocol

from tourney.bridge import Seat
from tourney.protocol.access import address_key, parse_peer
from tourney.protocol.lines import LINE_BYTES_MAX, spell_line
from tourney.protocol.session.board.state import BoardState
from tourney.protocol.session.effects import Close, LogRemark, Outbox
from tourney.protocol.session.intents import PendingLine
from tourney.protocol.session.notices import ErrorText, Notice, Scores
from tourney.protocol.session.seat_view import SeatView
from tourney.protocol.session.wire import Lines, Mark, TableFacts, Wire

_ASKS: Final = Mark.ASKS
_REMARK: Final = Mark.REMARK

_OF_PROGRAM: Final = (
    "wire",
    "wants_teams",
    "team",
    "version",
    "system",
    "is_ready",
    "teams_shown",
    "is_early",
    "scores_shown",
)
"""What is the same when a program goes on over another connection."""


class ConnectionOrigin(Protocol):
    """Where a connection comes from, as the shell knows it."""

    number: int
    """Its number, unique at the table."""
    peer: str = ""
    """The address of its program; empty if it has none."""
    team_number: int | None = None
    """The number of the team that it has shown to belong to, by a key; None for any other.

    It gets a seat of that team only, and without a passphrase.
    """
    port_seat: Seat | None = None
    """The seat of its port, if every seat has its own (BC-02)."""
    is_ours: bool = False
    """Whether it came in by the port of a program that we have started; overload never keeps it out."""
    wire: Wire | None = None
    """Its wire; None for one of the table's language."""


class PlayerConnection:
    """A connection. `seat` is None until its program has logged on, and again when it has left."""

    was_idle = False
    """Whether its last line has moved nothing, so that the shell charges more for it; the shell sets it back."""
    seat: Seat | None = None
    team = ""
    version = 0
    system = ""
    """What its program has said of itself when it logged on: the protocol version, and the text after it."""
    teams_shown = False
    is_ready = False
    """Whether it takes part in boards that begin from now on."""
    since_ms = 0
    """When, before it was ready, it was last sent something that it must answer."""
    is_early = False
    """Whether its program was ready for the next deal before the board began (BC-19)."""
    chatted_at_ms = 0
    """When its player last said something to the others; 0 if it has not."""
    is_on_break = False
    """Whether the next board waits for its player, while the break between boards lasts."""
    scores_shown: Scores | None = None
    """The score that it was last told, in a game that is played over several deals."""
    is_stamped = False
    """Whether a client has said of a line how long its program took."""
    last_sent_ms = 0
    """When it was last sent a line that does not ask for a call or card: its client counts from there."""
    stated_at_ms = 0
    """When it was last told the state because it had asked for it; 0 if it has not."""
    bad_lines = 0
    closing = ""
    """Why it was refused or dismissed, after which its lines are ignored; else empty."""
    exit = ""
    """How its program has ended, if that is known before the connection is closed."""

    def __init__(self, origin: ConnectionOrigin, wire: Wire, table: TableFacts, outbox: Outbox) -> None:
        self.number = origin.number
        self.peer = origin.peer
        self.address = parse_peer(origin.peer)
        """The address of its program; None if `peer` has none."""
        self.address_key = address_key(self.address)
        """What counts as its address where connections are counted; empty without one, as in tests."""
        self.team_number = origin.team_number
        self.port_seat = origin.port_seat
        self.is_ours = origin.is_ours
        self.wire = wire
        wire.table = table
        self.table = table
        self._outbox = outbox
        self.wants_teams = not wire.has_requests
        """Whether its program may be sent the names of the teams, or has been: all four get them at once."""

    def continue_from(self, before: "PlayerConnection") -> None:
        """Continue with the program of another connection: it is the same, and remembers what it was told."""
        for name in _OF_PROGRAM:
            setattr(self, name, getattr(before, name))

    def pending(self) -> PendingLine | None:
        """Return the request that a program owes that has logged on and is not ready."""
        if self.seat is None or not self.wire.has_requests or (self.wants_teams and not self.teams_shown):
            return None
        what = "ready to start" if self.teams_shown else "ready for teams"
        return PendingLine(seat=self.seat, what=what, since_ms=self.since_ms, logs_on=True)

    def take_new_scores(self) -> Scores | None:
        """Return the score of the game if the program has not been told it, and note that it is told it now."""
        scores = self.table.line_scores
        if scores == self.scores_shown:
            return None
        self.scores_shown = scores
        return scores

    def send(self, line: str) -> None:
        """Send a line, as far as the player's character set has its letters; nothing follows a `Close`."""
        if not self.closing:
            self.last_sent_ms = self.table.now_ms
            self._outbox.effects.append((self.number, spell_line(line, self.wire.charset), None))

    def show(self, view: SeatView, state: BoardState, cards: Lines | None = None) -> int | None:
        """Send what can be shown of a board and is new, or the cards; the player that may act by it is on the clock.

        Return when there may be more without an event.
        """
        lines, wake_at_ms = (cards, None) if cards is not None else self.wire.render(view)
        for text, mark in lines:
            if mark is _REMARK:
                self.log_remark(text)
                continue
            clock = state.clock.start() if mark is _ASKS else None
            if state.in_play.claim is not None:
                state.clock.hold()
            if not self.closing:
                # Like `send`, without the extra calls: this runs for every call and card.
                is_plain = text.isascii() and len(text) <= LINE_BYTES_MAX
                spelt = text if is_plain else spell_line(text, self.wire.charset)
                self._outbox.effects.append((self.number, spelt, clock))
        return wake_at_ms

    def notify(self, notice: Notice, view: SeatView | None = None) -> None:
        """Tell the player something, as far as its language has words for it."""
        for line in self.wire.format_notice(notice, view):
            self.send(line)

    def log_remark(self, text: str) -> None:
        """Note in the wire log what came of its line, which has moved nothing."""
        self.was_idle = True
        self._outbox.effects.append(LogRemark(self.number, text))

    def disconnect(self, reason: str) -> None:
        """Send the reason, and close the connection."""
        self.notify(ErrorText(reason))
        self.close(reason)

    def close(self, reason: str) -> None:
        """Close once everything sent before has been written."""
        if not self.closing:
            self.closing = reason
            self._outbox.effects.append(Close(self.number))
