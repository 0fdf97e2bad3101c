"""What all programs have in common: lines are sent and read in the order of the protocol.

A program is written as it runs: a generator that stops at every line it waits for. So it is strict where the real one
is strict, and waits for ever where that waits for ever. Lines are read here to the letter of version 18; a program's
own class has what it reads more strictly or loosely, or says differently.
"""

import re
from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias, TypeVar

from tourney.bots.strategy import Strategy
from tourney.bridge import (
    DOUBLE,
    PASS,
    RANKS,
    REDOUBLE,
    Bid,
    Call,
    Card,
    Hand,
    PlayerView,
    Seat,
    Suit,
    Vulnerability,
    parse_call,
    parse_card,
)
from tourney.errors import FormatError, ProtocolError, RuleError

Result = TypeVar("Result")
Reading: TypeAlias = Generator[None, str, Result]
"""A part of a program's script: each `yield` waits for a line."""

START: Final = "start of board"
END: Final = "End of session"

VULNERABILITIES: Final = {
    "Neither": Vulnerability.NONE,
    "N/S": Vulnerability.NS,
    "E/W": Vulnerability.EW,
    "Both": Vulnerability.ALL,
}
CALL_WORDS: Final = {PASS: "passes", DOUBLE: "doubles", REDOUBLE: "redoubles"}
_CALLS: Final = {word: call for call, word in CALL_WORDS.items()}
SEATS_BY_TITLE: Final = {seat.title: seat for seat in Seat}


class DialectError(ProtocolError):
    """Raised where the real program ends with an exception of its own."""


class StartAgain(Exception):  # noqa: N818 # not an error
    """Raised on `Start of board` in the middle of a board, in a program that can start it again."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Bytes that a program writes at once, `after_ms` after the segment before it."""

    data: bytes
    after_ms: int = 0


class DialectPlayer:
    """One program at one seat, without a socket.

    With `seat` None it asks for any seat, as WBridge5 does. The strategy chooses calls and cards; its alerts are sent
    in the program's own form.

    `left` turns true at `End of session`. A program that ends otherwise raises `DialectError` out of `receive`.
    """

    profile: ClassVar[str]
    """The name of the wire profile that its team needs."""
    line_end: ClassVar[bytes] = b"\r\n"
    joins_lines: ClassVar[bool] = False
    """Whether lines sent without reading in between travel in one segment."""
    read_ms: ClassVar[int] = 4
    """How long it is busy with what it has read before it reads again."""
    restarts: ClassVar[bool] = False
    """Whether it starts a board again on `Start of board` in the middle of it."""

    def __init__(self, seat: Seat | None, team: str, strategy: Strategy) -> None:
        self.wished_seat = seat
        self.team = team
        self.left = False
        self.view: PlayerView | None = None
        self.boards_played = 0
        self._seat = seat
        self._strategy = strategy
        self._said: list[Segment] = []
        self._pending = b""
        self._script = self._session()
        self._now_ms = 0

    @property
    def seat(self) -> Seat:
        """The seat it has.

        Raises:
            ProtocolError: it asked for any seat and has not been given one yet.
        """
        if self._seat is None:
            raise ProtocolError("a program that asked for any seat has not been told where it sits")
        return self._seat

    # Bytes

    def connect(self, now_ms: int) -> list[Segment]:
        """Return what it writes once the connection is open."""
        self._now_ms = now_ms
        next(self._script)
        return self._take_said()

    def receive(self, data: bytes, now_ms: int) -> list[Segment]:
        """Return what it writes after one read of `data`, at `now_ms`.

        Raises:
            DialectError: the real program would have ended here.
        """
        self._now_ms = now_ms
        for line in self._lines_of(data):
            if self.left:
                break
            self._hear(line)
        return self._take_said()

    def lose_connection(self) -> None:
        """Notice that the table has closed the connection.

        Raises:
            DialectError: the session has not ended.
        """
        if not self.left:
            raise DialectError("the connection was closed before the end of the session")

    def _lines_of(self, data: bytes) -> list[str]:
        *lines, self._pending = (self._pending + data).split(b"\n")
        return [line.rstrip(b"\r").decode("ascii") for line in lines]

    def _hear(self, line: str) -> None:
        try:
            self._script.send(line)
        except StopIteration:
            self.left = True
        except (FormatError, RuleError, ValueError, LookupError) as error:
            raise DialectError(f"{line!r} cannot be: {error}") from error

    def _take_said(self) -> list[Segment]:
        said, self._said = self._said, []
        if self.joins_lines and said:
            return [Segment(b"".join(segment.data for segment in said), said[0].after_ms)]
        return said

    def _say(self, line: str, after_ms: int = 0) -> None:
        self._said.append(Segment(line.encode("ascii") + self.line_end, after_ms))

    # The session

    def _session(self) -> Reading[None]:
        self._say(self._log_on())
        self._read_seated((yield))
        self._say(self._ready("for teams"))
        self._read_teams((yield))
        self._say(self._ready("to start"))
        yield from self._await_first_board()
        going = True
        while going:
            try:
                yield from self._play_board()
                self.boards_played += 1
                going = yield from self._await_next_board()
            except StartAgain:
                self._note_restart()

    def _read(self) -> Reading[str]:
        """Read a line of a board."""
        line = yield
        if self.restarts and line.lower() == START:
            raise StartAgain
        return line

    def _note_restart(self) -> None:
        """Called when a board is started again."""

    def _play_board(self) -> Reading[None]:
        self.view = None
        self._ask_for_deal()
        number, dealer, vulnerability = self._read_board((yield from self._read()))
        self._ask_for_cards()
        hand = self._read_cards((yield from self._read()))
        self.view = view = PlayerView(self.seat, number, dealer, vulnerability, hand)
        yield from self._play_deal(view)

    def _play_deal(self, view: PlayerView) -> Reading[None]:
        while not view.auction.is_over:
            yield from self._take_part_in_auction(view)
        if view.contract is not None:
            yield from self._play_cards(view)

    def _ask_for_deal(self) -> None:
        self._say(self._ready("for deal"))

    def _ask_for_cards(self) -> None:
        self._say(self._ready("for cards"))

    def _take_part_in_auction(self, view: PlayerView) -> Reading[None]:
        turn = view.auction.turn
        if turn is self.seat:
            call, alert = self._strategy.choose_call(view)
            view.add_call(call)
            self._say(self._call_line(call, alert))
        else:
            self._say(self._ready(f"for {self._whose_call(turn)}'s bid"))
            call, text = self._read_call((yield from self._read()), turn)
            view.add_call(call, text)

    def _play_cards(self, view: PlayerView) -> Reading[None]:
        contract = view.contract
        assert contract is not None
        yield from self._before_the_lead(view)
        while (turn := view.turn) is not None:
            assert view.current is not None
            actor = contract.declarer if turn is contract.dummy else turn
            if actor is self.seat:
                if not view.current.cards:
                    self._read_lead((yield from self._read()), turn)
                card = self._strategy.choose_card(view, turn)
                self._say(self._card_line(turn, card))
            else:
                self._say(self._ready(f"for {self._whose_card(turn)} card to trick {self._trick(view)}"))
                card = self._read_card((yield from self._read()), turn)
            view.add_card(card)
            if view.dummy_hand is None and not view.is_dummy:
                yield from self._see_dummy(view)

    def _before_the_lead(self, view: PlayerView) -> Reading[None]:
        """Say what the program says between the auction and the opening lead: in version 18, nothing."""
        yield from ()

    def _see_dummy(self, view: PlayerView) -> Reading[None]:
        self._say(self._ready("for dummy"))
        view.show_dummy(self._read_dummy((yield from self._read())))

    def _await_first_board(self) -> Reading[None]:
        line = yield
        if line.lower() != START:
            raise DialectError(f"{line!r} in place of the start of a board")

    def _await_next_board(self) -> Reading[bool]:
        """Tell whether another board follows; in version 18 a line with times comes first."""
        line = yield
        if line.startswith("Timing"):
            line = yield
        return self._is_start(line)

    def _is_start(self, line: str) -> bool:
        if line.lower() == START:
            return True
        if line == END:
            return False
        raise DialectError(f"{line!r} in place of the start of a board or the end of the session")

    # What it says

    @property
    def _name(self) -> str:
        """Its own seat, in its spelling."""
        return self.seat.title

    def _log_on(self) -> str:
        return f'Connecting "{self.team}" as {self._seat_word} using protocol version 18'

    @property
    def _seat_word(self) -> str:
        return self._name if self._seat is not None else "ANYPL"

    def _ready(self, what: str) -> str:
        return f"{self._name} ready {what}"

    def _whose_call(self, seat: Seat) -> str:
        return seat.title

    def _whose_card(self, hand: Seat) -> str:
        """Return whose card it asks for, with the apostrophe."""
        assert self.view is not None
        assert self.view.contract is not None
        return "dummy's" if hand is self.view.contract.dummy else f"{hand.title}'s"

    def _trick(self, view: PlayerView) -> int:
        """Return the number by which it asks for a card of the trick."""
        return len(view.tricks) + 1

    def _call_line(self, call: Call, alert: str) -> str:
        said = f"bids {call}" if isinstance(call, Bid) else CALL_WORDS[call]
        return f"{self._name} {said}{self._alert(alert)}"

    def _alert(self, text: str) -> str:
        """Format what follows a call that the strategy alerts; `text` is empty for a natural call."""
        return f" Alert. {text}" if text else ""

    def _card_line(self, hand: Seat, card: Card) -> str:
        """Format a card from its own hand, or from dummy."""
        return f"{hand.title} plays {card}"

    # What it reads

    def _read_seated(self, line: str) -> None:
        words = line.split()
        if words[-1:] != ["seated"] or (self._seat is not None and words[0] != self._seat.title):
            raise DialectError(f"{line!r} in place of the seat")
        self._seat = SEATS_BY_TITLE[words[0]]

    def _read_teams(self, line: str) -> None:
        if not line.startswith("Teams"):
            raise DialectError(f"{line!r} in place of the teams")

    def _read_board(self, line: str) -> tuple[int, Seat, Vulnerability]:
        found = re.fullmatch(
            r"Board number (\d+)\. Dealer (North|East|South|West)\. (Neither|N/S|E/W|Both) vulnerable\.", line
        )
        if found is None:
            raise DialectError(f"{line!r} in place of a board")
        return int(found[1]), SEATS_BY_TITLE[found[2]], VULNERABILITIES[found[3]]

    def _read_cards(self, line: str) -> Hand:
        if not line.startswith(f"{self.seat.title}'s cards : "):
            raise DialectError(f"{line!r} in place of the cards")
        return read_hand(line)

    def _read_dummy(self, line: str) -> Hand:
        if not line.startswith("Dummy's cards : "):
            raise DialectError(f"{line!r} in place of dummy")
        return read_hand(line)

    def _read_call(self, line: str, turn: Seat) -> tuple[Call, str]:
        """Read the call of `turn`, and the text of its alert."""
        said, _, text = line.partition(" Alert. ")
        return read_call(said, turn), text

    def _read_card(self, line: str, turn: Seat) -> Card:
        start = f"{turn.title} plays "
        if not line.startswith(start):
            raise DialectError(f"{line!r} in place of {turn.title}'s card")
        return parse_card(line.removeprefix(start))

    def _read_lead(self, line: str, turn: Seat) -> None:
        assert self.view is not None
        assert self.view.contract is not None
        expected = "Dummy to lead" if turn is self.view.contract.dummy else f"{turn.title} to lead"
        if line != expected:
            raise DialectError(f"{line!r} in place of {expected!r}")


def read_call(said: str, turn: Seat) -> Call:
    """Read a call in the exact form of version 18, without a text.

    Raises:
        DialectError: the line says something else.
    """
    words = said.split(" ")
    if words[0] == turn.title:
        if len(words) == 2 and words[1] in _CALLS:
            return _CALLS[words[1]]
        if len(words) == 3 and words[1] == "bids":
            return parse_call(words[2])
    raise DialectError(f"{said!r} in place of {turn.title}'s call")


def read_hand(line: str) -> Hand:
    """Read thirteen cards after the colon, suits in the order S H D C, each with a full stop (BC-14).

    Raises:
        DialectError: the line says something else, or does not write a void as a dash.
    """
    suits = line.partition(" : ")[2].removesuffix(".").split(". ")
    if len(suits) != 4:
        raise DialectError(f"{line!r} has not four suits")
    cards: list[Card] = []
    for suit, text in zip("SHDC", suits, strict=True):
        letter, *ranks = text.split(" ")
        if letter != suit or (ranks != ["-"] and not all(rank in RANKS for rank in ranks)):
            raise DialectError(f"{text!r} in place of {suit} and its cards")
        cards += [Card(Suit.from_letter(suit), RANKS.index(rank) + 2) for rank in ranks if rank != "-"]
    if len(cards) != 13:
        raise DialectError(f"{line!r} has {len(cards)} cards")
    return Hand.of(cards)
