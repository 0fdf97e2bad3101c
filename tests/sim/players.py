"""Programs at the table, and who starts them again when they are gone; some go wrong, as the seed says."""

import asyncio
import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Protocol

from tests.sim.loop import SimulatedLoop
from tests.sim.network import End
from tourney.bots import Decision, Strategy
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import DECK, DOUBLE, PASS, Call, Card, PlayerView, Seat
from tourney.protocol.bluechip import server_lines
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.lines import LineBuffer
from tourney.protocol.player import AskCall, AskCard, Leave, PlayerEffect, PlayerSide, SendLine
from tourney.protocol.stateful.messages import BidMessage, PlayMessage, format_message
from tourney.protocol.stateful.player import ForgetfulPlayer

PATIENCE_S = 5.0
"""After so long a silence a program is started anew by its owner, who takes the table for dead."""

_GARBAGE_BYTES = 200
_LONG_LINE_BYTES = 9000
_SLOW_S = 0.4


class Flaw(enum.StrEnum):
    """In what a program goes wrong, from some line on."""

    HANG_UP = "hang-up"
    """Breaks off in the middle of a line."""
    STALL = "stall"
    HANG = "hang"
    """Says all but its calls and cards."""
    SLOW = "slow"
    GARBAGE = "garbage"
    """Bytes of any kind, then nothing."""
    NOISE = "noise"
    """A line of any bytes before each of its own."""
    LONG_LINE = "long-line"
    DOUBLE_SEND = "double-send"
    BYTE_BY_BYTE = "byte-by-byte"
    OUT_OF_TURN = "out-of-turn"
    EARLY = "early"
    """Asks for what is not yet due."""
    ILLEGAL = "illegal"
    """Calls or plays first what may not be, and then what may."""
    FICKLE = "fickle"
    """Calls what no other program of its team would, then breaks off: whoever comes in its place says otherwise."""


@dataclass(frozen=True, slots=True)
class Character:
    """What a program is like."""

    flaw: Flaw | None = None
    after: int = 0
    """Lines it hears before it goes wrong."""
    think_us_max: int = 2000
    is_absorbed: bool = False
    """Whether it reads nothing while it thinks, as most programs."""


FLAWLESS = Character()


class PassingStrategy(RandomStrategy):
    """Passes, whatever it holds."""

    def choose_call(self, view: PlayerView) -> Decision:
        return Decision(PASS, super().choose_call(view).alert)


class Words(Protocol):
    """What a program says in the words of its wire, when it goes wrong."""

    core: PlayerSide

    def call(self, seat: Seat, call: Call) -> str: ...

    def card(self, hand: Seat, card: Card) -> str: ...

    def is_refusal(self, line: bytes) -> bool:
        """Whether the table does not accept what the program has called or played."""

    def too_early(self) -> Sequence[str]:
        """Lines that are not due."""

    def out_of_turn(self, line: str) -> str | None:
        """A call out of turn before a line, if that is a moment for one."""


class BlueChipWords:
    """The words of the Blue Chip protocol."""

    def __init__(self, seat: Seat, team: str) -> None:
        self.core: PlayerSide = PlayerCore(seat, team)
        self._seat = seat

    def call(self, seat: Seat, call: Call) -> str:
        return server_lines.format_call(seat, call)

    def card(self, hand: Seat, card: Card) -> str:
        return server_lines.format_card(hand, card)

    def is_refusal(self, line: bytes) -> bool:
        return line.startswith(b"Illegal ")

    def too_early(self) -> Sequence[str]:
        title = self._seat.title
        return [f"{title} ready {what}" for what in ("for cards", "for dummy", f"for {self._seat.next.title}'s bid")]

    def out_of_turn(self, line: str) -> str | None:
        return f"{self._seat.title} passes" if line.endswith("'s bid") else None


class StatefulWords:
    """The words of the stateful-server protocol."""

    def __init__(self, team: str) -> None:
        self.core: PlayerSide = ForgetfulPlayer(team)

    def call(self, seat: Seat, call: Call) -> str:  # a connection has one seat
        return format_message(BidMessage(call))

    def card(self, hand: Seat, card: Card) -> str:  # the turn says whose hand it is
        return format_message(PlayMessage(card))

    def is_refusal(self, line: bytes) -> bool:
        return line.startswith(b"NAK ")

    def too_early(self) -> Sequence[str]:
        return ["BID PASS", "PLAY AS", "X-ALERT N early"]

    def out_of_turn(self, line: str) -> str | None:
        return "BID PASS" if line.startswith("X-PONG ") else None


class Program(asyncio.Protocol):
    """One program on one connection."""

    def __init__(
        self,
        loop: SimulatedLoop,
        words: Words,
        strategy: Strategy,
        character: Character,
        chance: Random,
        on_end: Callable[["Program", str | None], None],
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.core = words.core
        self.character = character
        self._loop = loop
        self._words = words
        self._strategy = strategy
        self._chance = chance
        self._on_end = on_end
        self._patience_s = patience_s
        self._lines = LineBuffer()
        self._heard = 0
        self._over = False
        self._then: Callable[[], None] | None = None
        self._unread: list[bytes] = []
        """Lines that came while it thinks, in which it is absorbed."""
        self._is_thinking = False
        self._transport: End
        self._silence: asyncio.TimerHandle

    @property
    def _is_wrong(self) -> bool:
        return self.character.flaw is not None and self._heard >= self.character.after

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, End)
        self._transport = transport
        self._wait_for_table()
        self._react(self.core.start())

    def data_received(self, data: bytes) -> None:
        self._silence.cancel()
        self._wait_for_table()
        for line in self._lines.feed(data):
            assert isinstance(line, bytes)
            self._unread.append(line)
        self._read()

    def _read(self) -> None:
        while self._unread and not self._over and not (self._is_thinking and self.character.is_absorbed):
            self._hear(self._unread.pop(0))

    def _hear(self, line: bytes) -> None:
        self._heard += 1
        if self._then is not None and self._words.is_refusal(line):
            then, self._then = self._then, None
            then()
        else:
            self._react(self.core.receive_line(line))

    def connection_lost(self, exc: Exception | None) -> None:
        self._end("the connection was lost")

    def hang_up(self) -> None:
        """Break off."""
        self._end("hung up")

    def _wait_for_table(self) -> None:
        self._silence = self._loop.call_later(self._patience_s, self._end, "the table was silent")

    def _end(self, reason: str | None) -> None:
        if self._over:
            return
        self._over = True
        self._silence.cancel()
        self._transport.close()
        self._on_end(self, reason)

    def _react(self, effects: list[PlayerEffect]) -> None:
        for effect in effects:
            match effect:
                case SendLine():
                    self._say(effect.line)
                case AskCall():
                    self._think(effect.view, partial(self._call, effect))
                case AskCard():
                    self._think(effect.view, partial(self._card, effect))
                case Leave():
                    self._end(effect.reason)

    def _think(self, view: PlayerView, answer: Callable[[], None]) -> None:
        """Answer after a while, unless the table has acted in our place meanwhile."""
        flaw = self.character.flaw if self._is_wrong else None
        if flaw is Flaw.HANG:
            return
        delay_us = self._chance.randint(0, self.character.think_us_max)
        delay_s = delay_us / 1e6 + (_SLOW_S if flaw is Flaw.SLOW else 0)
        made = _made(view)
        self._is_thinking = True

        def decide() -> None:
            self._is_thinking = False
            if not self._over and _made(view) == made:
                answer()
            self._read()

        self._loop.call_later(delay_s, decide)

    def _call(self, asked: AskCall) -> None:
        view = asked.view
        if self._is_wrong and self.character.flaw is Flaw.ILLEGAL and self._then is None:
            self._then = partial(self._call_legally, asked)
            self._write(self._words.call(view.seat, _illegal_call(view)))
            return
        self._call_legally(asked)

    def _call_legally(self, asked: AskCall) -> None:
        decision = self._strategy.choose_call(asked.view)
        if self.character.flaw is Flaw.FICKLE:
            other = next(call for call in asked.view.auction.legal_calls() if call != decision.call)
            decision = Decision(other)
        self._react(self.core.make_call(decision.call, decision.alert, asked=asked))

    def _card(self, asked: AskCard) -> None:
        if self._is_wrong and self.character.flaw is Flaw.ILLEGAL and self._then is None:
            held = asked.view.held(asked.hand)
            self._then = partial(self._card_legally, asked)
            card = self._chance.choice([card for card in DECK if card not in held])
            self._write(self._words.card(asked.hand, card))
            return
        self._card_legally(asked)

    def _card_legally(self, asked: AskCard) -> None:
        card = self._strategy.choose_card(asked.view, asked.hand)
        self._react(self.core.make_card(asked.hand, card, asked=asked))

    def _say(self, line: str) -> None:
        if self._over:
            return
        flaw = self.character.flaw if self._is_wrong else None
        if flaw is Flaw.HANG_UP:
            self._transport.write(line.encode()[: self._chance.randint(0, len(line))])
            self._end("hung up")
        elif flaw is Flaw.FICKLE:
            self._end("broke off")
        elif flaw is Flaw.GARBAGE:
            if self._heard == self.character.after:
                self._transport.write(self._chance.randbytes(_GARBAGE_BYTES))
        elif flaw is Flaw.BYTE_BY_BYTE:
            for byte in line.encode() + b"\n":
                self._transport.write(bytes((byte,)))
        elif flaw is not Flaw.STALL:
            if flaw is not None:
                self._say_too_much(flaw, line)
            self._write(line)

    def _say_too_much(self, flaw: Flaw, line: str) -> None:
        """What comes before a line."""
        match flaw:
            case Flaw.NOISE:
                self._transport.write(self._chance.randbytes(20) + b"\r\n")
            case Flaw.LONG_LINE if self._heard == self.character.after:
                self._write("x" * _LONG_LINE_BYTES)
            case Flaw.DOUBLE_SEND:
                self._write(line)
            case Flaw.OUT_OF_TURN if self._heard % 3 == 0 and (call := self._words.out_of_turn(line)) is not None:
                self._write(call)
            case Flaw.EARLY:
                for early in self._words.too_early():
                    self._write(early)
            case _:
                pass

    def _write(self, line: str) -> None:
        self._transport.write(line.encode() + b"\r\n")


def _made(view: PlayerView) -> int:
    return len(view.auction.calls) + len(view.cards)


def _illegal_call(view: PlayerView) -> Call:
    """The last bid over again, or a double of nothing."""
    return view.auction.last_bid or DOUBLE
