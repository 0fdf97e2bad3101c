"""Players that misbehave, each in one way: `python -m tourney.testing.misbehaving KIND --port P --seat S --team T`.

Each is a program that plays by the protocol apart from its one fault, and whose actions depend only on its seed and
on what the table sends. Exit status: 0 after the end of the session, 1 with one sentence if the connection was lost
or the player was refused, 2 for a command that cannot be used; a fault may have its own.
"""

import argparse
import select
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import ClassVar, Final, NamedTuple

from tourney.bots import STYLES, strategy_of
from tourney.bots.client import SocketPlayer, connect
from tourney.bridge import BIDS, DECK, DOUBLE, SEATS, Seat
from tourney.errors import FormatError, TourneyError
from tourney.protocol.bluechip import server_lines
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.bluechip.player_lines import format_connecting
from tourney.protocol.bluechip.server_lines import PlainLine, parse_server_line
from tourney.protocol.lines import Overlong, decode_line
from tourney.protocol.player import AskCall, AskCard, PlayerEffect, SendLine


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
    """Plays by the protocol until its fault sets in.

    There is one exception: a refusal does not end it, so that a subclass can send what it should not, and then go on.
    """

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
            case PlainLine.REFUSED if not self.settings.die:
                self.refused()
                return
            case PlainLine.START:
                self.board_starts()
            case _:
                pass
        effects = self.core.receive_line(line)
        self._check_for_fault()
        self.perform(effects)

    def perform(self, effects: Iterable[PlayerEffect]) -> None:
        for effect in effects:
            super().perform([effect])
            if isinstance(effect, SendLine):
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


CRASH_STATUS: Final = 3
_GARBAGE_BYTES: Final = 4096
_FIRST_BYTES: Final = 2
"""It pauses after each of its first bytes, so that the reader gets three pieces, however busy it is."""
_FIRST_BYTE_MS: Final = 100
_MEGABYTE: Final = 1_000_000
_SMALL_BUFFER_BYTES: Final = 4096


# Faults of the program or of its connection that set in at some point


class _Crash(FaultyPlayer):
    def go_wrong(self) -> None:
        print_error(f"{self.settings.seat.title} crashed after {self.lines_heard} lines")
        raise SystemExit(CRASH_STATUS)


class _HangUp(FaultyPlayer):
    def go_wrong(self) -> None:
        self.connection.close()
        raise SystemExit(0)


class _Reset(FaultyPlayer):
    def go_wrong(self) -> None:
        # Lingering for 0 s resets the connection instead of closing it in an orderly way.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        raise SystemExit(0)


class _Stall(FaultyPlayer):
    def send_line(self, line: str) -> None:
        if not self.is_wrong:
            super().send_line(line)


class _Hang(FaultyPlayer):
    def call(self, ask: AskCall) -> None:
        if not self.is_wrong:
            super().call(ask)

    def card(self, ask: AskCard) -> None:
        if not self.is_wrong:
            super().card(ask)


class _Garbage(_Stall):
    def go_wrong(self) -> None:
        self.send(Random(f"{self.settings.seed}|garbage").randbytes(_GARBAGE_BYTES) + b"\r\n")


class _MegabyteLine(FaultyPlayer):
    def go_wrong(self) -> None:
        self.send(self.settings.seat.title.encode() + b" " + b"x" * _MEGABYTE + b"\r\n")


class _NoLineEnd(FaultyPlayer):
    def send_line(self, line: str) -> None:
        if self.is_wrong:
            self.send(line.encode())
        else:
            super().send_line(line)


class _Deaf(FaultyPlayer):
    def play(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _SMALL_BUFFER_BYTES)
        seat, team = self.settings.seat, self.settings.team
        self.send_line(format_connecting(team, seat, self.core.version))
        for what in _BEFORE_THE_CARDS:
            self.send_line(f"{seat.title} ready {what}")
        # What arrives stays unread; the player only waits for the end of the connection.
        end = select.poll()
        end.register(self.connection, getattr(select, "POLLRDHUP", 0))
        end.poll()


# Faults in how lines are written


class _Slow(FaultyPlayer):
    def call(self, ask: AskCall) -> None:
        think(self.settings.think_ms)
        super().call(ask)

    def card(self, ask: AskCard) -> None:
        think(self.settings.think_ms)
        super().card(ask)


class _SlowReady(FaultyPlayer):
    def send_line(self, line: str) -> None:
        if " ready " in line:
            think(self.settings.think_ms)
        super().send_line(line)


class _Noise(FaultyPlayer):
    def send_line(self, line: str) -> None:
        chance = Random(f"{self.settings.seed}|{self.lines_heard}|{line}")
        garbage = chance.randbytes(chance.randint(1, 80))
        # One line of garbage for each of its own, whatever bytes are drawn.
        self.send(garbage.replace(b"\n", b"?") + b"\r\n")
        super().send_line(line)


class _DoubleSend(FaultyPlayer):
    def send_line(self, line: str) -> None:
        super().send_line(line)
        super().send_line(line)


class _ByteByByte(FaultyPlayer):
    def send(self, data: bytes) -> None:
        for number, byte in enumerate(data):
            super().send(bytes((byte,)))
            if number < _FIRST_BYTES and not self.lines_heard:
                think(_FIRST_BYTE_MS)


class _LfOnly(FaultyPlayer):
    def send_line(self, line: str) -> None:
        self.send(line.encode() + b"\n")


# Faults in what is said, and when


class _Talker(FaultyPlayer):
    def send_line(self, line: str) -> None:
        super().send_line(line)
        if " ready " in line:
            self.send((line.encode() + b"\r\n") * self.settings.flood)


_BEFORE_THE_CARDS: Final = ("for teams", "to start", "for deal", "for cards")


class _EarlyReady(FaultyPlayer):
    """Sends ready lines early, and again when they are due."""

    def send_line(self, line: str) -> None:
        super().send_line(line)
        seat = self.settings.seat
        ahead: list[str] = []
        if line.startswith("Connecting"):
            ahead += _BEFORE_THE_CARDS
        elif line.endswith(" ready for cards"):
            ahead += [f"for {other.title}'s bid" for other in SEATS if other is not seat]
        elif (view := self.core.view) is not None and " ready " not in line:
            others = [seat.plus(steps) for steps in (1, 2, 3)]
            if view.contract is None:
                ahead += [f"for {other.title}'s bid" for other in others]
            else:
                trick = len(view.tricks) + 1
                ahead += ["for dummy", *(f"for {other.title}'s card to trick {trick}" for other in others)]
        for what in ahead:
            super().send_line(f"{seat.title} ready {what}")


class _WrongSeat(FaultyPlayer):
    def send_line(self, line: str) -> None:
        title = self.settings.seat.title
        if line.startswith(title):
            super().send_line(self.settings.seat.next.title + line.removeprefix(title))
        super().send_line(line)


class _Irregular(FaultyPlayer):
    """Tries something that the table refuses, `times` per board, and then does what is right."""

    def __init__(self, connection: socket.socket, settings: PlayerSettings) -> None:
        super().__init__(connection, settings)
        self._tried = 0
        self._then: Callable[[], None] | None = None

    def board_starts(self) -> None:
        self._tried = 0
        self._then = None

    def _try(self, line: str | None, then: Callable[[], None]) -> bool:
        """Send a line that will be refused, if there is one and it is time; call `then` after the refusal."""
        if line is None or self._tried == self.settings.times:
            return False
        self._tried += 1
        self._then = then
        self.send_line(line)
        return True

    def refused(self) -> None:
        then, self._then = self._then, None
        if then is not None:
            then()


class _IllegalCall(_Irregular):
    def call(self, ask: AskCall) -> None:
        bid = ask.view.auction.last_bid
        too_low = bid if bid is None else BIDS[max(0, BIDS.index(bid) - self._tried)]
        if not self._try(server_lines.format_call(ask.view.seat, too_low or DOUBLE), partial(self.call, ask)):
            super().call(ask)


class _WrongHand(_Irregular):
    def card(self, ask: AskCard) -> None:
        view, hand = ask.view, ask.hand
        held = view.held(hand)
        chance = Random(f"{self.settings.seed}|{view.number}|{len(view.cards)}|{self._tried}")
        card = chance.choice([card for card in DECK if card not in held])
        if not self._try(server_lines.format_card(hand, card), partial(self.card, ask)):
            super().card(ask)


class _Revoke(_Irregular):
    def card(self, ask: AskCard) -> None:
        view, hand = ask.view, ask.hand
        legal = view.legal_cards(hand)
        revokes = [card for card in view.held(hand) if card not in legal]
        line = server_lines.format_card(hand, revokes[self._tried % len(revokes)]) if revokes else None
        if not self._try(line, partial(self.card, ask)):
            super().card(ask)


class _OutOfTurn(_Irregular):
    def send_line(self, line: str) -> None:
        title = self.settings.seat.title
        asks = line.startswith(f"{title} ready for ") and line.endswith("'s bid")
        if not asks or not self._try(f"{title} passes", partial(super().send_line, line)):
            super().send_line(line)


# Faults in alerts


class _Alerting(FaultyPlayer):
    """Alerts every call; `ending` follows the call itself."""

    ending: ClassVar[str]

    def call(self, ask: AskCall) -> None:
        said, *rest = self.core.make_call(self.strategy.choose_call(ask.view).call)
        assert isinstance(said, SendLine)
        self.send_line(said.line + self.ending)
        self.perform(rest)


class _NoAlertStop(_Alerting):
    ending = " Alert. 0 to 40 total points"


class _BareAlert(_Alerting):
    ending = " Alert."


class _LongAlert(_Alerting):
    ending = " Alert. " + ", ".join(["at least 0 cards in spades"] * 80) + "."


class Misbehaviour(NamedTuple):
    """One way of misbehaving: the player's class, and what it does."""

    player: type[FaultyPlayer]
    sentence: str


KINDS: Final = {
    "crash": Misbehaviour(_Crash, "ends with status 3 and a line on stderr"),
    "hang-up": Misbehaviour(_HangUp, "closes its connection and ends with status 0"),
    "reset": Misbehaviour(_Reset, "drops its connection with a reset and ends with status 0"),
    "stall": Misbehaviour(_Stall, "falls silent, but reads and stays connected; never says a word with --after 0"),
    "hang": Misbehaviour(_Hang, "stops calling and playing, but sends all other lines"),
    "garbage": Misbehaviour(_Garbage, "sends 4096 random bytes, then nothing"),
    "megabyte-line": Misbehaviour(_MegabyteLine, "sends one line of a million bytes, and plays on"),
    "no-line-end": Misbehaviour(_NoLineEnd, "stops ending its lines"),
    "deaf": Misbehaviour(_Deaf, "logs on, sends all ready lines up to the cards at once, and never reads"),
    "slow": Misbehaviour(_Slow, "thinks --think-ms before each call and card"),
    "slow-ready": Misbehaviour(_SlowReady, "waits --think-ms before each ready line"),
    "noise": Misbehaviour(_Noise, "sends a line of random bytes before each of its lines"),
    "double-send": Misbehaviour(_DoubleSend, "sends every line twice"),
    "byte-by-byte": Misbehaviour(_ByteByByte, "writes every byte separately"),
    "lf-only": Misbehaviour(_LfOnly, "ends its lines with LF only"),
    "talker": Misbehaviour(_Talker, "sends every ready line --flood times too often"),
    "early-ready": Misbehaviour(_EarlyReady, "sends all ready lines early, and again when they are due"),
    "wrong-seat": Misbehaviour(_WrongSeat, "sends every line in the name of its left-hand opponent first"),
    "out-of-turn": Misbehaviour(
        _OutOfTurn, "passes when it is another player's turn, --times per board, then goes on"
    ),
    "illegal-call": Misbehaviour(
        _IllegalCall, "bids too low or doubles nothing, --times per board, then calls legally"
    ),
    "wrong-hand": Misbehaviour(
        _WrongHand, "plays a card that the hand does not hold, --times per board, then plays legally"
    ),
    "revoke": Misbehaviour(_Revoke, "does not follow suit where it could, --times per board, then plays legally"),
    "no-alert-stop": Misbehaviour(_NoAlertStop, "alerts every call, without a full stop at the end"),
    "bare-alert": Misbehaviour(_BareAlert, "alerts every call and explains none"),
    "long-alert": Misbehaviour(_LongAlert, "alerts every call with more than 2000 characters"),
}
"""All ways of misbehaving, by the name that the command takes."""


def add_place(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where a player plays."""
    parser.add_argument("--host", default="127.0.0.1", help="address of the table")
    parser.add_argument("--port", type=int, required=True, help="port of the table")
    parser.add_argument("--seat", type=str.title, choices=[seat.title for seat in SEATS], required=True)
    parser.add_argument("--team", required=True, help="name of the team, as the organiser has entered it")


def _parser() -> argparse.ArgumentParser:
    kinds = "\n".join(f"  {name:<14} {kind.sentence}" for name, kind in KINDS.items())
    parser = argparse.ArgumentParser(
        prog="python -m tourney.testing.misbehaving",
        description="A player that misbehaves in one way, for testing tables.",
        epilog=f"kinds:\n{kinds}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    ready = PlayerSettings(Seat.NORTH, "")
    parser.add_argument("kind", choices=KINDS, metavar="KIND", help="how it misbehaves, see below")
    add_place(parser)
    parser.add_argument("--seed", type=int, default=ready.seed, help="the same seed makes the same choices")
    parser.add_argument("--style", choices=STYLES, default=ready.style, help="how it calls and plays")
    parser.add_argument(
        "--after", type=int, default=ready.after, help="lines from the table before the fault sets in"
    )
    parser.add_argument("--at-card", type=int, help="instead of --after: the number of a card of a board, 1..52")
    parser.add_argument("--times", type=int, default=ready.times, help="irregularities per board")
    parser.add_argument("--think-ms", type=int, default=ready.think_ms, help="milliseconds that the slow kinds take")
    parser.add_argument(
        "--flood", type=int, default=ready.flood, help="superfluous lines of a talker for each ready line"
    )
    parser.add_argument("--die", action="store_true", help="end at the first refusal, as most programs do")
    parser.add_argument(
        "--once", type=Path, metavar="FILE", help="create this file; play correctly if it exists already"
    )
    return parser


def main(words: Sequence[str] | None = None) -> None:
    """Play as the arguments say, by default those of this process; returns only after success.

    Raises:
        SystemExit: with status 1, 2 or the fault's own.
    """
    asked = _parser().parse_args(words)
    settings = PlayerSettings(
        seat=Seat.from_letter(asked.seat[0]),
        team=asked.team,
        seed=asked.seed,
        style=asked.style,
        after=asked.after,
        at_card=asked.at_card,
        times=asked.times,
        think_ms=asked.think_ms,
        flood=asked.flood,
        die=asked.die,
    )
    player = KINDS[asked.kind].player
    if asked.once is not None and not _create(asked.once):
        player = FaultyPlayer
    try:
        with connect(asked.host, asked.port) as connection:
            player(connection, settings).play()
    except TourneyError as error:
        print_error(str(error))
        raise SystemExit(error.exit_status) from None


def _create(marker: Path) -> bool:
    """Create a file; return False if it exists already."""
    try:
        marker.open("x").close()
    except FileExistsError:
        return False
    return True


if __name__ == "__main__":
    main(sys.argv[1:])
