"""A player on a blocking socket with a fault that sets in at some point.

By itself it plays by the protocol, with one exception: a refusal does not end it, so that a subclass can send what it
should not, and then go on.
"""

import socket
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass

from tourney.bots import strategy_of
from tourney.bots.client import SocketPlayer
from tourney.bridge import Seat
from tourney.errors import FormatError
from tourney.protocol.bluechip import PlayerCore, PlayerEffect, Say
from tourney.protocol.bluechip.wire.server_parse import RefusedLine, StartLine, parse_server_line
from tourney.protocol.lines import Overlong, decode_line


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


class FaultyPlayer(SocketPlayer):
    """Plays by the protocol until its fault sets in."""

    core: PlayerCore

    def __init__(self, connection: socket.socket, settings: PlayerSettings) -> None:
        super().__init__(
            connection, PlayerCore(settings.seat, settings.team), strategy_of(settings.style, settings.seed)
        )
        self.settings = settings
        self.lines_heard = 0
        self.is_wrong = False
        """Whether the fault has set in."""

    def play(self) -> None:
        self._check_for_fault()
        super().play()

    def hear(self, line: bytes | Overlong) -> None:
        self.lines_heard += 1
        match _read(line):
            case RefusedLine() if not self.settings.die:
                self.refused()
                return
            case StartLine():
                self.board_starts()
            case _:
                pass
        effects = self.core.receive_line(line)
        self._check_for_fault()
        self.perform(effects)

    def perform(self, effects: Iterable[PlayerEffect]) -> None:
        for effect in effects:
            super().perform([effect])
            if isinstance(effect, Say):
                self._check_for_fault()

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

    # What a subclass may override, beside the steps of a `SocketPlayer`

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


def think(ms: int) -> None:
    """Let time pass, like a program that thinks."""
    time.sleep(ms / 1000)


def print_error(text: str) -> None:
    """Print a line to standard error."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
