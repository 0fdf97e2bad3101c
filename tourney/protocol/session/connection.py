"""One connection as the session sees it: its address, its seat and its wire."""

from typing import TYPE_CHECKING

from tourney.bridge import Seat
from tourney.protocol.access import parse_peer
from tourney.protocol.lines import LINE_BYTES_MAX, spell_line
from tourney.protocol.session.effects import Close, Send
from tourney.protocol.session.wire import Wire

if TYPE_CHECKING:
    from tourney.protocol.session.state import SessionState


class PlayerConnection:
    """A connection. `seat` is None until its program has logged on, and again when it has left."""

    def __init__(
        self,
        number: int,
        *,
        peer: str = "",
        port_seat: Seat | None = None,
        is_ours: bool = False,
        wire: Wire,
        table: "SessionState",
    ) -> None:
        self.number = number
        self.peer = peer
        self.address = parse_peer(peer)
        """The address of its program; None if `peer` has none."""
        self.port_seat = port_seat
        """The seat of the port it connected to, if each seat has its own port (BC-02)."""
        self.is_ours = is_ours
        """Whether it came in by a port that only a program knows which tourney has started."""
        self.table = table
        self.wire = wire
        wire.connection = self
        self.seat: Seat | None = None
        self.team = ""
        self.version = 0
        self.system = ""
        """What its program has said of itself when it logged on: the protocol version, and the text after it."""
        self.is_ready = False
        """Whether it takes part in boards that begin from now on."""
        self.bad_lines = 0
        self.closing = ""
        """Why it was refused or dismissed, after which its lines are ignored; else empty."""
        self.relieved = ""
        """Why its seat is to be another's from the next board on; else empty."""
        self.exit = ""
        """How its program has ended, if that is known before the connection is closed."""

    def take_over(self, wire: Wire) -> None:
        """Continue with the wire that served the same program on another connection."""
        self.wire = wire
        wire.connection = self

    def send(self, line: str, clock: int | None = None) -> None:
        """Send a line, as far as the player's character set has its letters; nothing follows a `Close`."""
        if not self.closing:
            if not line.isascii() or len(line) > LINE_BYTES_MAX:
                line = spell_line(line, self.wire.charset)
            self.table.outbox.effects.append(Send(self.number, line, clock))

    def note(self, text: str) -> None:
        self.table.outbox.note(self.number, text)

    def close(self, reason: str) -> None:
        """Close once everything sent before has been written."""
        if not self.closing:
            self.closing = reason
            self.table.outbox.effects.append(Close(self.number, reason))
