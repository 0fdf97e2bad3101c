"""A player on a blocking socket whose steps subclasses can override.

By itself it plays by the protocol, with one exception: a refusal does not end it, so that a subclass can send what it
should not, and then go on.
"""

import socket
import sys
import time
from dataclasses import dataclass
from typing import Final

from tourney.bots import strategy_of
from tourney.bridge import PlayerView, Seat
from tourney.errors import FormatError, LaunchError, ProtocolError
from tourney.protocol.bluechip import AskCall, AskCard, Leave, PlayerCore, PlayerEffect, Say
from tourney.protocol.bluechip.wire.server_parse import RefusedLine, StartLine, parse_server_line
from tourney.protocol.lines import LineBuffer, Overlong, decode_line

_CONNECT_S: Final = 10.0
_READ_BYTES: Final = 65536


@dataclass(frozen=True, slots=True)
class PlayerSettings:
    """Where a player plays, how it plays, and when and how it misbehaves."""

    seat: Seat
    team: str
    seed: int = 1
    style: str = "random"
    after: int = 12
    """The number of lines from the table after which a fault that occurs once sets in."""
    at_card: int | None = None
    """Instead of `after`: the fault sets in once the player knows this many cards of a board, 1..52."""
    times: int = 1
    """How often an irregularity is tried on a board."""
    think_ms: int = 200
    flood: int = 100
    """How many superfluous lines a `talker` sends with each ready line."""
    die: bool = False
    """Whether to end at the first refusal, as most programs do."""


class SocketPlayer:
    """Plays from the log-on to `End of session`."""

    def __init__(self, connection: socket.socket, settings: PlayerSettings) -> None:
        self.connection = connection
        self.settings = settings
        self.core = PlayerCore(settings.seat, settings.team)
        self.strategy = strategy_of(settings.style, settings.seed)
        self.lines_heard = 0
        self.is_wrong = False
        """Whether the fault has set in."""
        self._over = False

    def play(self) -> None:
        """Play until the table ends the session.

        Raises:
            ProtocolError: the connection was lost, or the table refused a line and `die` is set.
        """
        lines = LineBuffer()
        self._check_for_fault()
        self.perform(self.core.start())
        while not self._over:
            try:
                data = self.connection.recv(_READ_BYTES)
            except OSError as error:
                raise ProtocolError(f"the connection to the table broke: {error.strerror}") from None
            if not data:
                raise ProtocolError("the table closed the connection before the end of the session")
            for line in lines.feed(data):
                self.lines_heard += 1
                self._hear(line)

    def _hear(self, line: bytes | Overlong) -> None:
        match _read(line):
            case RefusedLine(text):
                if self.settings.die:
                    raise ProtocolError(f"the table said {text!r}")
                self.refused()
                return
            case StartLine():
                self.board_starts()
            case _:
                pass
        effects = self.core.receive_line(line)
        self._check_for_fault()
        self.perform(effects)

    def _check_for_fault(self) -> None:
        if self.is_wrong:
            return
        at_card, view = self.settings.at_card, self.core.view
        if at_card is None:
            self.is_wrong = self.lines_heard >= self.settings.after
        else:
            self.is_wrong = view is not None and len(view.cards) >= at_card
        if self.is_wrong:
            self.go_wrong()

    def perform(self, effects: list[PlayerEffect]) -> None:
        """Carry out what the core asks for."""
        for effect in effects:
            match effect:
                case Say():
                    self.say(effect.line)
                    self._check_for_fault()
                case AskCall():
                    self.call(effect.view)
                case AskCard():
                    self.card(effect.view, effect.hand)
                case Leave():
                    self._over = True
                    if effect.reason is not None:
                        raise ProtocolError(effect.reason)

    def send(self, data: bytes) -> None:
        """Write bytes.

        Raises:
            ProtocolError: the connection is lost.
        """
        try:
            self.connection.sendall(data)
        except OSError as error:
            raise ProtocolError(f"the connection to the table broke: {error.strerror}") from None

    # What a subclass may override

    def say(self, line: str) -> None:
        self.send(line.encode() + b"\r\n")

    def call(self, view: PlayerView) -> None:
        decision = self.strategy.choose_call(view)
        self.perform(self.core.make_call(decision.call, decision.alert))

    def card(self, view: PlayerView, hand: Seat) -> None:
        self.perform(self.core.make_card(hand, self.strategy.choose_card(view, hand)))

    def board_starts(self) -> None:
        """Called when a board starts, or starts again."""

    def refused(self) -> None:
        """Called when the table has refused a line."""

    def go_wrong(self) -> None:
        """Called once, when the fault sets in."""


def _read(line: bytes | Overlong) -> object:
    """Parse a line of the table; None if it cannot be parsed, which the core finds out for itself."""
    try:
        return None if isinstance(line, Overlong) else parse_server_line(decode_line(line))
    except FormatError:
        return None


def connect(host: str, port: int) -> socket.socket:
    """Connect to a table.

    Raises:
        LaunchError: the table cannot be reached.
    """
    try:
        connection = socket.create_connection((host, port), timeout=_CONNECT_S)
    except OSError as error:
        raise LaunchError(f"table {host} port {port} cannot be reached: {error.strerror or error}") from None
    connection.settimeout(None)  # opponents may think as long as the rules allow
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def think(ms: int) -> None:
    """Let time pass, like a program that thinks."""
    time.sleep(ms / 1000)


def print_error(text: str) -> None:
    """Print a line to standard error."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
