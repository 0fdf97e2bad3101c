"""Players that misbehave, each in one way: `python misbehaving.py KIND --port P --seat S --team T`.

Each is a program that plays by the protocol apart from its one fault, and whose actions depend only on its seed and
on what the table sends. Exit status: 0 after the end of the session, 1 with one sentence if the connection was lost
or the player was refused, 2 for a command that cannot be used; a fault may have its own.
"""

import argparse
import socket
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tourney.bots import STYLES, strategy_of
from tourney.bots.client import BotPlayer, BotSettings, connect
from tourney.bridge import SEATS, Seat
from tourney.errors import FormatError, TourneyError
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.bluechip.server_lines import PlainLine, parse_server_line
from tourney.protocol.lines import Overlong, decode_line
from tourney.protocol.player import PlayerEffect, SendLine


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
    flood: int = 100
    """How many superfluous lines a `talker` sends with each ready line."""


@dataclass(frozen=True, slots=True)
class Misbehaviour:
    """One way of misbehaving: what it is, and which steps of a player differ."""

    sets_in: Callable[["FaultyPlayer"], None] | None = None
    """Done once, when the fault sets in."""
    written: Callable[["FaultyPlayer", str], Iterable[bytes]] | None = None
    """Returns what is written for each of its lines, if not that line."""


class FaultyPlayer(BotPlayer):
    """Plays by the protocol until its fault sets in.

    There is one exception: a refusal does not end it.
    """

    core: PlayerCore

    def __init__(
        self, connection: socket.socket, settings: PlayerSettings, fault: Misbehaviour = Misbehaviour()
    ) -> None:
        where = BotSettings("", 0, settings.seat, settings.team)
        super().__init__(connection, where, strategy_of(settings.style, settings.seed), print_error)
        self.settings = settings
        self.lines_heard = 0
        self.is_wrong = False
        """Whether the fault has set in."""
        self._fault = fault

    def play(self) -> None:
        self._check_for_fault()
        super().play()

    def hear(self, line: bytes | Overlong) -> None:
        self.lines_heard += 1
        if _read(line) is PlainLine.REFUSED:
            return
        effects = self.core.receive_line(line)
        self._check_for_fault()
        self.perform(effects)

    def perform(self, effects: Iterable[PlayerEffect]) -> None:
        for effect in effects:
            super().perform([effect])
            if isinstance(effect, SendLine):
                self._check_for_fault()

    def send_line(self, line: str) -> None:
        if self._fault.written is None:
            super().send_line(line)
            return
        for data in self._fault.written(self, line):
            self.send(data)

    def _check_for_fault(self) -> None:
        if self.is_wrong:
            return
        at_card, view = self.settings.at_card, self.core.view
        if at_card is None:
            self.is_wrong = self.lines_heard >= self.settings.after
        else:
            self.is_wrong = view is not None and len(view.cards) >= at_card
        if self.is_wrong and self._fault.sets_in is not None:
            self._fault.sets_in(self)


def _read(line: bytes | Overlong) -> object:
    """Parse a line of the table; None if it cannot be parsed, which the core finds out for itself."""
    try:
        return None if isinstance(line, Overlong) else parse_server_line(decode_line(line))
    except FormatError:
        return None


def _whole(line: str) -> bytes:
    return line.encode() + b"\r\n"


def print_error(text: str) -> None:
    """Print a line to standard error."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


_MEGABYTE: Final = 1_000_000
_BEFORE_THE_CARDS: Final = ("for teams", "to start", "for deal", "for cards")


# Faults of the program or of its connection


def _crash(player: FaultyPlayer) -> None:
    print_error(f"{player.settings.seat.title} crashed after {player.lines_heard} lines")
    raise SystemExit(3)


def _megabyte_line(player: FaultyPlayer) -> None:
    player.send(player.settings.seat.title.encode() + b" " + b"x" * _MEGABYTE + b"\r\n")


# Faults in how lines are written, and in what is said before and after them


def _lf_only(player: FaultyPlayer, line: str) -> Iterator[bytes]:
    yield line.encode() + b"\n"


def _talk(player: FaultyPlayer, line: str) -> Iterator[bytes]:
    yield _whole(line)
    if " ready " in line:
        yield _whole(line) * player.settings.flood


def _early_ready(player: FaultyPlayer, line: str) -> Iterator[bytes]:
    yield _whole(line)
    seat = player.settings.seat
    ahead: list[str] = []
    if line.startswith("Connecting"):
        ahead += _BEFORE_THE_CARDS
    elif line.endswith(" ready for cards"):
        ahead += [f"for {other.title}'s bid" for other in SEATS if other is not seat]
    elif (view := player.core.view) is not None and " ready " not in line:
        others = [seat.plus(steps) for steps in (1, 2, 3)]
        if view.contract is None:
            ahead += [f"for {other.title}'s bid" for other in others]
        else:
            trick = len(view.tricks) + 1
            ahead += ["for dummy", *(f"for {other.title}'s card to trick {trick}" for other in others)]
    for what in ahead:
        yield _whole(f"{seat.title} ready {what}")


KINDS: Final = {
    "crash": Misbehaviour(sets_in=_crash),
    "megabyte-line": Misbehaviour(sets_in=_megabyte_line),
    "lf-only": Misbehaviour(written=_lf_only),
    "talker": Misbehaviour(written=_talk),
    "early-ready": Misbehaviour(written=_early_ready),
}
"""All ways of misbehaving, by the name that the command takes."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="misbehaving")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--seat", type=str.title, choices=[seat.title for seat in SEATS], required=True)
    parser.add_argument("--team", required=True)
    parser.add_argument("--style", choices=STYLES, default="random")
    for name in ("at-card", "flood"):
        parser.add_argument(f"--{name}", type=int, default=argparse.SUPPRESS)
    return parser


def main(words: Sequence[str] | None = None) -> None:
    """Play as the arguments say, by default those of this process; returns only after success.

    Raises:
        SystemExit: with status 1, 2 or the fault's own.
    """
    asked = vars(_parser().parse_args(words))
    fault, host, port = KINDS[asked.pop("kind")], asked.pop("host"), asked.pop("port")
    settings = PlayerSettings(**{**asked, "seat": Seat.from_letter(asked["seat"][0])})
    try:
        with connect(host, port) as connection:
            FaultyPlayer(connection, settings, fault).play()
    except TourneyError as error:
        print_error(str(error))
        raise SystemExit(error.exit_status) from None


if __name__ == "__main__":
    main(sys.argv[1:])
