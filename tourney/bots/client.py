"""The reference player's program: a blocking socket, the player's side of a wire language, and a strategy."""

import socket
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from tourney.bots.seated_player import SeatedPlayer
from tourney.bots.strategy import Decision, Strategy, explain_call
from tourney.bridge import Call, Card, Seat
from tourney.errors import LaunchError, ProtocolError, RuleError
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.bluechip.server_lines import is_whole_line
from tourney.protocol.lines import LineBuffer, Overlong, decode_line
from tourney.protocol.player import (
    AskCall,
    AskCard,
    ClaimJudge,
    Leave,
    PlayerEffect,
    PlayerSide,
    SendLine,
)
from tourney.protocol.wires import Language

CONNECT_S: Final = 30.0
"""How long to try to reach the table by default: it may be started after the bot."""

NOTIFY_S: Final = 5.0
"""How often to say that the table is still being waited for."""

SILENCE_S: Final = 0.3
"""How long to wait for the end of a line that is otherwise complete, which some servers never send; and after a
refusal for what the table does in our place."""

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
    claims: bool = False
    """Whether the table takes claims, and the strategy is asked whether it makes one."""
    explains: bool = True
    """Whether it tells opponents who ask what its calls mean, in the stateful protocol."""
    line_gap_ms: int = 0
    """The least time between two lines sent without reading in between: some servers take only one line per read."""


def run_bot(settings: BotSettings, strategy: Strategy, notify: Callable[[str], None]) -> None:
    """Play until the table ends the session. `notify` receives a sentence on whatever a person may have to look at.

    Raises:
        LaunchError: the table cannot be reached.
        ProtocolError: the table refused the player or sent what cannot be read, or the connection was lost.
        PlayerError: the strategy is an author's class, and it raised or answered with what is no call or card.
    """
    with connect(settings.host, settings.port, settings.connect_s, notify) as connection:
        BotPlayer(connection, settings, strategy, notify).play()


def connect(host: str, port: int, wait_s: float, notify: Callable[[str], None]) -> socket.socket:
    """Connect to a table.

    Args:
        host: the address of the table.
        port: its port.
        wait_s: how long to wait for a table that does not listen yet.
        notify: receives a sentence now and then while it is waited for.

    Raises:
        LaunchError: the table cannot be reached.
    """
    start_s = notify_s = time.monotonic()
    while True:
        try:
            connection = socket.create_connection((host, port), timeout=max(wait_s, 1.0))
        except ConnectionRefusedError:
            waited_s = time.monotonic() - start_s
            if waited_s >= wait_s:
                raise LaunchError(f"no table listens on {host} port {port} after {wait_s:.0f} s") from None
            if start_s + waited_s >= notify_s:
                notify_s += NOTIFY_S
                left_s = wait_s - waited_s
                notify(f"no table listens on {host} port {port} yet: trying for another {left_s:.0f} s")
            time.sleep(RETRY_S)
        except OSError as error:
            raise LaunchError(f"table {host} port {port} cannot be reached: {error.strerror or error}") from None
        else:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connection


class BotPlayer:
    """A player on a blocking socket, from the log-on to the end of the session; subclasses change single steps."""

    def __init__(
        self, connection: socket.socket, settings: BotSettings, strategy: Strategy, notify: Callable[[str], None]
    ) -> None:
        self.connection = connection
        self.core = player_core(settings, strategy)
        self.strategy = strategy
        self.where = f" (table {settings.host} port {settings.port})"
        """Where the table is, in brackets, for the end of a sentence."""
        self._settings = settings
        self._notify = notify
        self.is_over = False
        """Whether the table has ended the session."""
        self._may_send_s = 0.0  # on the monotonic clock; the gap ends once the table has answered

    def play(self) -> None:
        """Play until the table ends the session.

        Raises:
            ProtocolError: the table refused the player or sent what cannot be read, or the connection was lost.
        """
        lines = LineBuffer()
        self.perform(self.core.start())
        while not self.is_over:
            data = self.read(lines.pending or b"")
            if not data:
                self.perform(self.core.receive_close())
            for line in lines.feed(data):
                if not self.is_over:
                    self.hear(line)

    def read(self, begun: bytes) -> bytes:
        """Read what comes next; empty at the end of the connection. `begun` is a line without its end."""
        # Opponents may think as long as the rules allow; the rest of a line that has begun is not waited for.
        is_whole = bool(begun) and begun.isascii() and is_whole_line(begun.decode())
        self.connection.settimeout(SILENCE_S if is_whole or self.core.is_refused else None)
        try:
            data = self.connection.recv(_READ_BYTES)
        except TimeoutError:
            data = b"\n"
        except OSError as error:
            raise self._broken(error) from None
        self.connection.settimeout(None)  # a table that is slow to read is not broken
        self._may_send_s = 0.0
        return data

    def perform(self, effects: Iterable[PlayerEffect]) -> None:
        """Carry out what the core asks for."""
        for effect in effects:
            match effect:
                case SendLine(line):
                    self.send_line(line)
                case AskCall():
                    self.call(effect)
                case AskCard():
                    self.card(effect)
                case Leave(reason):
                    self.is_over = True
                    if reason is not None:
                        raise ProtocolError(f"{reason}{self.where}")

    def hear(self, line: bytes | Overlong) -> None:
        """Handle a line of the table."""
        effects = self.core.receive_line(line)
        self.perform(effects)
        if not effects and isinstance(line, bytes) and self.core.needs_no_answer(line):
            self._notify(f"the table sent {decode_line(line)!r}, which needs no answer{self.where}")

    def call(self, ask: AskCall) -> None:
        """Make a call."""
        self._think()
        self.answer_call(ask, self.strategy.choose_call(ask.view))

    def card(self, ask: AskCard) -> None:
        """Play a card."""
        self._think()
        if not self.try_claim(ask):
            self.answer_card(ask, self.strategy.choose_card(ask.view, ask.hand))

    def send_line(self, line: str) -> None:
        """Send a line, after the gap that the table needs."""
        wait_s = self._may_send_s - time.monotonic()
        if wait_s > 0:
            time.sleep(wait_s)
        self._may_send_s = time.monotonic() + self._settings.line_gap_ms / 1000
        self.send(line.encode() + b"\r\n")

    def send(self, data: bytes) -> None:
        """Write bytes.

        Raises:
            ProtocolError: the connection is lost.
        """
        try:
            self.connection.sendall(data)
        except OSError as error:
            raise self._broken(error) from None

    def _broken(self, error: OSError) -> ProtocolError:
        return ProtocolError(f"the connection broke: {error.strerror}{self.where}")

    def answer_call(self, ask: AskCall, decision: Decision) -> None:
        """Answer with a call."""
        alert = decision.alert if self._settings.alerts else ""
        self._answer(ask, decision.call, lambda: self.core.make_call(decision.call, alert, asked=ask))

    def try_claim(self, ask: AskCard) -> bool:
        """Claim instead of playing a card, if the strategy does; return whether it does."""
        if not (
            self._settings.claims
            and isinstance(self.strategy, SeatedPlayer)
            and self.strategy.choose_claim(ask.view, ask.hand)
        ):
            return False
        self.perform(self.core.make_claim(ask))
        return True

    def answer_card(self, ask: AskCard, card: Card) -> None:
        """Answer with a card."""
        self._answer(ask, card, lambda: self.core.make_card(ask.hand, card, asked=ask))

    def _answer(self, ask: AskCall | AskCard, answer: Call | Card, make: Callable[[], list[PlayerEffect]]) -> None:
        """Send an answer, what is not legal too: at a table of others as well, the table rules and not the player."""
        try:
            effects = make()
        except RuleError as error:
            self._notify(f"{error}: sent all the same, for the table to rule on{self.where}")
            effects = self.core.send_illegal(answer, asked=ask)
        self.perform(effects)

    def _think(self) -> None:
        if self._settings.think_ms:
            time.sleep(self._settings.think_ms / 1000)


def player_core(settings: BotSettings, strategy: Strategy) -> PlayerSide:
    """Make the player's side of the language that the settings name."""
    if settings.protocol is Language.STATEFUL:
        from tourney.bridge.claims import must_come_true  # noqa: PLC0415 # for quick starts of the others
        from tourney.protocol.stateful.player import CallExplainer, ForgetfulPlayer  # noqa: PLC0415 # likewise

        judge: ClaimJudge = must_come_true
        explain: CallExplainer | None = partial(explain_call, strategy) if settings.explains else None
        note_time = None
        if isinstance(strategy, SeatedPlayer):
            judge, explain, note_time = strategy.judge_claim, strategy.explain_call, strategy.note_time_left
        return ForgetfulPlayer(
            settings.team,
            settings.game,
            settings.seat,
            judge_claim=judge,
            explain_call=explain,
            note_time=note_time,
        )
    own_judge = strategy.judge_claim if settings.claims and isinstance(strategy, SeatedPlayer) else None
    return PlayerCore(settings.seat, settings.team, system=settings.system, judge_claim=own_judge)
