"""A player on a blocking socket, each step of which a subclass can take in a way of its own.

As it stands it plays by the protocol, but for one thing: a refusal does not end it, so that a subclass can say what
it should not and then go on.
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
    """Where a player sits down, how it plays, and when and how it goes wrong."""

    seat: Seat
    team: str
    seed: int = 1
    style: str = "random"
    after: int = 12
    """The number of lines from the table after which a player goes wrong that does so once."""
    at_card: int | None = None
    """Instead of `after`: as soon as so many cards of a board, 1..52, are known to it."""
    times: int = 1
    """How often on a board what is irregular is tried."""
    think_ms: int = 200
    flood: int = 100
    """How many lines too many a talker sends with each of its own."""
    die: bool = False
    """End at the first refusal, as most programs do."""


class SocketPlayer:
    """One player from log-on to `End of session`."""

    def __init__(self, connection: socket.socket, settings: PlayerSettings) -> None:
        self.connection = connection
        self.settings = settings
        self.core = PlayerCore(settings.seat, settings.team)
        self.strategy = strategy_of(settings.style, settings.seed)
        self.lines_heard = 0
        self.is_wrong = False
        """The time to go wrong has come."""
        self._over = False

    def play(self) -> None:
        """Play until the table ends the session.

        Raises:
            ProtocolError: the table broke off, or refused what was said and `die` is set.
        """
        lines = LineBuffer()
        self._look_at_time()
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
        self._look_at_time()
        self.perform(effects)

    def _look_at_time(self) -> None:
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
                    self._look_at_time()
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
            ProtocolError: the connection is no more.
        """
        try:
            self.connection.sendall(data)
        except OSError as error:
            raise ProtocolError(f"the connection to the table broke: {error.strerror}") from None

    # What a subclass may do in its own way

    def say(self, line: str) -> None:
        self.send(line.encode("ascii", "replace") + b"\r\n")

    def call(self, view: PlayerView) -> None:
        decision = self.strategy.choose_call(view)
        self.perform(self.core.make_call(decision.call, decision.alert))

    def card(self, view: PlayerView, hand: Seat) -> None:
        self.perform(self.core.make_card(hand, self.strategy.choose_card(view, hand)))

    def board_starts(self) -> None:
        """A board begins, or begins again."""

    def refused(self) -> None:
        """The table has refused what was said."""

    def go_wrong(self) -> None:
        """The time to go wrong has come; told once."""


def _read(line: bytes | Overlong) -> object:
    """What a line of the table says; None when it cannot be read, which the core sees for itself."""
    try:
        return None if isinstance(line, Overlong) else parse_server_line(decode_line(line))
    except FormatError:
        return None


def connect(host: str, port: int) -> socket.socket:
    """A connection to a table.

    Raises:
        LaunchError: there is none to be had.
    """
    try:
        connection = socket.create_connection((host, port), timeout=_CONNECT_S)
    except OSError as error:
        raise LaunchError(f"table {host} port {port} cannot be reached: {error.strerror or error}") from None
    connection.settimeout(None)  # an opponent may think as long as its rules allow
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def think(ms: int) -> None:
    """Let time pass, as a program that thinks does."""
    time.sleep(ms / 1000)


def last_words(text: str) -> None:
    """What a program prints when it goes wrong."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
