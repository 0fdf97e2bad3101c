"""The reference player's program: a blocking socket, the player's side of a wire language, and a strategy."""

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tourney.bots.strategy import Strategy
from tourney.bridge import Seat
from tourney.errors import LaunchError, ProtocolError
from tourney.protocol.bluechip import PlayerCore
from tourney.protocol.bluechip.wire.server_parse import is_whole_line
from tourney.protocol.lines import LineBuffer, Overlong, decode_line
from tourney.protocol.player import AskCall, AskCard, Leave, Player, PlayerEffect, Say
from tourney.protocol.wires import Language

CONNECT_S: Final = 30.0
"""How long to try to reach the table by default: it may be started after the bot."""

TELL_S: Final = 5.0
"""How often to say that the table is still being waited for."""

SILENCE_S: Final = 0.3
"""How long to wait for the end of a line that is otherwise complete: some servers never send it."""

RETRY_S: Final = 0.2
_READ_BYTES: Final = 65536


@dataclass(frozen=True, slots=True)
class BotSettings:
    """Where a bot plays, and how it behaves there."""

    host: str
    port: int
    seat: Seat | None
    """None: any seat that the table assigns (BC-52, SS-07)."""
    team: str
    system: str = ""
    """Sent after the protocol version; some servers accept a log-on only without it."""
    alerts: bool = True
    """Whether calls are alerted; some servers garble the text of an alert."""
    connect_s: float = CONNECT_S
    """How long to wait for a table that does not listen yet."""
    think_ms: int = 0
    """A pause before each call and card, like that of a program that thinks."""
    protocol: Language = Language.BLUE_CHIP
    game: str | None = None
    """In the stateful protocol, the game to join; None for whatever the tournament in progress has."""
    line_gap_ms: int = 0
    """The least time between two lines sent without reading in between: some servers take only one line per read."""


def run_bot(settings: BotSettings, strategy: Strategy, tell: Callable[[str], None]) -> None:
    """Play until the table ends the session. `tell` receives a sentence on whatever a person may have to look at.

    Raises:
        LaunchError: the table cannot be reached.
        ProtocolError: the table refused the player or sent what cannot be read, or the connection was lost.
    """
    with _connect(settings, tell) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        _Bot(connection, settings, strategy, tell).play()


def _connect(settings: BotSettings, tell: Callable[[str], None]) -> socket.socket:
    host, port, connect_s = settings.host, settings.port, settings.connect_s
    start_s = tell_s = time.monotonic()
    while True:
        try:
            return socket.create_connection((host, port), timeout=max(connect_s, 1.0))
        except ConnectionRefusedError:
            waited_s = time.monotonic() - start_s
            if waited_s >= connect_s:
                raise LaunchError(f"no table listens on {host} port {port} after {connect_s:.0f} s") from None
            if start_s + waited_s >= tell_s:
                tell_s += TELL_S
                left_s = connect_s - waited_s
                tell(f"no table listens on {host} port {port} yet: trying for another {left_s:.0f} s")
            time.sleep(RETRY_S)
        except OSError as error:
            raise LaunchError(f"table {host} port {port} cannot be reached: {error.strerror or error}") from None


class _Bot:
    def __init__(
        self, connection: socket.socket, settings: BotSettings, strategy: Strategy, tell: Callable[[str], None]
    ) -> None:
        self._connection = connection
        self._settings = settings
        self._tell = tell
        self._strategy = strategy
        self._core = _player_of(settings)
        self._over = False
        self._may_say_s = 0.0  # on the monotonic clock; the gap ends once the table has answered

    @property
    def _where(self) -> str:
        return f"table {self._settings.host} port {self._settings.port}"

    def play(self) -> None:
        lines = LineBuffer()
        self._carry_out(self._core.start())
        while not self._over:
            # Opponents may think as long as the rules allow; the rest of a line that has begun is not waited for.
            self._connection.settimeout(SILENCE_S if _can_be_whole(lines.pending) else None)
            try:
                data = self._connection.recv(_READ_BYTES)
            except TimeoutError:
                data = b"\n"
            except OSError as error:
                raise ProtocolError(f"the connection broke: {error.strerror} ({self._where})") from None
            self._connection.settimeout(None)  # a table that is slow to read is not broken
            if not data:
                self._carry_out(self._core.receive_close())
                continue
            self._may_say_s = 0.0
            for line in lines.feed(data):
                if not self._over:
                    self._receive_line(line)

    def _receive_line(self, line: bytes | Overlong) -> None:
        effects = self._core.receive_line(line)
        self._carry_out(effects)
        if not effects and isinstance(line, bytes) and self._core.needs_no_answer(line):
            self._tell(f"the table sent {decode_line(line)!r}, which needs no answer ({self._where})")

    def _carry_out(self, effects: list[PlayerEffect]) -> None:
        for effect in effects:
            match effect:
                case Say():
                    self._say(effect.line)
                case AskCall():
                    self._think()
                    decision = self._strategy.choose_call(effect.view)
                    alert = decision.alert if self._settings.alerts else ""
                    self._carry_out(self._core.make_call(decision.call, alert, asked=effect))
                case AskCard():
                    self._think()
                    card = self._strategy.choose_card(effect.view, effect.hand)
                    self._carry_out(self._core.make_card(effect.hand, card, asked=effect))
                case Leave():
                    self._over = True
                    if effect.reason is not None:
                        raise ProtocolError(f"{effect.reason} ({self._where})")

    def _say(self, line: str) -> None:
        wait_s = self._may_say_s - time.monotonic()
        if wait_s > 0:
            time.sleep(wait_s)
        self._may_say_s = time.monotonic() + self._settings.line_gap_ms / 1000
        try:
            self._connection.sendall(line.encode() + b"\r\n")
        except OSError as error:
            raise ProtocolError(f"the connection broke: {error.strerror} ({self._where})") from None

    def _think(self) -> None:
        if self._settings.think_ms:
            time.sleep(self._settings.think_ms / 1000)


def _player_of(settings: BotSettings) -> Player:
    if settings.protocol is Language.STATEFUL:
        from tourney.protocol.stateful.player import ForgetfulPlayer  # noqa: PLC0415 # for quick starts of the others

        return ForgetfulPlayer(settings.team, settings.game, settings.seat)
    return PlayerCore(settings.seat, settings.team, system=settings.system)


def _can_be_whole(unended: bytes) -> bool:
    return bool(unended) and unended.isascii() and is_whole_line(unended.decode("ascii"))
