"""The reference player on the wire: a socket, a `PlayerCore` and a strategy. Blocking, as it has one thing to do."""

import socket
import time
from dataclasses import dataclass
from typing import Final

from tourney.bots.strategy import Strategy
from tourney.bridge import Seat
from tourney.errors import LaunchError, ProtocolError
from tourney.protocol.bluechip import AskCall, AskCard, Leave, PlayerCore, PlayerEffect, Say
from tourney.protocol.lines import LineBuffer

CONNECT_S: Final = 30.0
"""How long to try to reach the table: it may be started a moment later than we are."""

RETRY_S: Final = 0.2
_READ_BYTES: Final = 65536


@dataclass(frozen=True, slots=True)
class BotSettings:
    """Where a bot sits down, and how it behaves there."""

    host: str
    port: int
    seat: Seat
    team: str
    system: str = ""
    think_ms: int = 0
    """A pause before each call and card, as a program that thinks would take."""


def run_bot(settings: BotSettings, strategy: Strategy) -> None:
    """Play until the table ends the session.

    Raises:
        LaunchError: the table cannot be reached.
        ProtocolError: the table refused us, or broke off.
    """
    with _connect(settings.host, settings.port) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        _Bot(connection, settings, strategy).play()


def _connect(host: str, port: int) -> socket.socket:
    deadline = time.monotonic() + CONNECT_S
    while True:
        try:
            return socket.create_connection((host, port), timeout=CONNECT_S)
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise LaunchError(f"no table listens on {host} port {port} after {CONNECT_S:.0f} s") from None
            time.sleep(RETRY_S)
        except OSError as error:
            raise LaunchError(f"table {host} port {port} cannot be reached: {error.strerror or error}") from None


class _Bot:
    def __init__(self, connection: socket.socket, settings: BotSettings, strategy: Strategy) -> None:
        self._connection = connection
        self._settings = settings
        self._strategy = strategy
        self._core = PlayerCore(settings.seat, settings.team, system=settings.system)
        self._over = False

    def play(self) -> None:
        lines = LineBuffer()
        self._connection.settimeout(None)  # an opponent may think as long as its rules allow
        self._carry_out(self._core.start())
        while not self._over:
            try:
                data = self._connection.recv(_READ_BYTES)
            except OSError as error:
                raise ProtocolError(f"the connection to the table broke: {error.strerror}") from None
            if not data:
                raise ProtocolError("the table closed the connection before the end of the session")
            for line in lines.feed(data):
                self._carry_out(self._core.receive_line(line))

    def _carry_out(self, effects: list[PlayerEffect]) -> None:
        for effect in effects:
            match effect:
                case Say():
                    self._say(effect.line)
                case AskCall():
                    self._think()
                    decision = self._strategy.choose_call(effect.view)
                    self._carry_out(self._core.make_call(decision.call, decision.alert))
                case AskCard():
                    self._think()
                    card = self._strategy.choose_card(effect.view, effect.hand)
                    self._carry_out(self._core.make_card(effect.hand, card))
                case Leave():
                    self._over = True
                    if effect.reason is not None:
                        raise ProtocolError(effect.reason)

    def _say(self, line: str) -> None:
        try:
            self._connection.sendall(line.encode("ascii", "replace") + b"\r\n")
        except OSError as error:
            raise ProtocolError(f"the connection to the table broke: {error.strerror}") from None

    def _think(self) -> None:
        if self._settings.think_ms:
            time.sleep(self._settings.think_ms / 1000)
