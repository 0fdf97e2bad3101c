"""Other table managers: scripted servers that accept from a player only what the real one accepts.

A server is written as it runs: it reads one line after another, each from the player whose turn the server thinks it
is. It conducts its boards by the rules of the game and records nothing.
"""

import re
from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from tourney.bridge import (
    DOUBLE,
    PASS,
    REDOUBLE,
    SEATS,
    SUITS_DOWN,
    Action,
    Board,
    BoardInPlay,
    Call,
    Card,
    Hand,
    Seat,
    Vulnerability,
    parse_call,
    parse_card,
)
from tourney.errors import ProtocolError

Serving: TypeAlias = Generator[Seat, str, None]
"""A part of a server's script: each `yield` waits for a line from that seat."""

VULNERABLE: Final = {
    Vulnerability.NONE: "Neither",
    Vulnerability.NS: "N/S",
    Vulnerability.EW: "E/W",
    Vulnerability.ALL: "Both",
}
ACTIONS: Final[dict[Action, str]] = {PASS: "passes", DOUBLE: "doubles", REDOUBLE: "redoubles"}
CALLS: Final = {word: call for call, word in ACTIONS.items()}


class ServerStoppedError(ProtocolError):
    """Raised where the real server stops the table."""


@dataclass(frozen=True, slots=True)
class Sending:
    """Bytes for one player."""

    seat: Seat
    data: bytes


class ForeignServer:
    """A server of version 18 for four players, to the letter; the players of a side send the same team name."""

    line_end: ClassVar[str] = "\r\n"

    def __init__(self, boards: Sequence[Board]) -> None:
        self.played: list[BoardInPlay] = []
        """The boards that have been played to the end."""
        self.over = False
        """Whether it has closed the connections."""
        self._boards = boards
        self._teams: dict[Seat, str] = {}
        self._lines: dict[Seat, deque[str]] = {seat: deque() for seat in SEATS}
        self._unended = dict.fromkeys(SEATS, b"")
        self._sent: list[Sending] = []
        self._script = self._session()
        self._awaited = next(self._script)

    def receive(self, seat: Seat, data: bytes) -> list[Sending]:
        """Handle one read of a player's connection; return what the server writes then, in order.

        Raises:
            ServerStoppedError: the real server would have stopped here.
        """
        *lines, rest = (self._unended[seat] + data).split(b"\n")
        self._unended[seat] = rest
        self._lines[seat].extend(line.rstrip(b"\r").decode("ascii") for line in lines)
        while not self.over and self._lines[self._awaited]:
            try:
                self._awaited = self._script.send(self._lines[self._awaited].popleft())
            except StopIteration:
                self.over = True
        sent, self._sent = self._sent, []
        return sent

    # The session

    def _session(self) -> Serving:
        for seat in SEATS:
            self._teams[seat] = self._read_log_on((yield seat), seat)
            self._send(seat, self._seated(seat))
        yield from self._expect_all("ready for teams")
        self._send_all(self._teams_line())
        yield from self._expect_all("ready to start")
        for board in self._boards:
            yield from self._conduct(board)
        self._end()

    def _conduct(self, board: Board) -> Serving:
        in_play = BoardInPlay(board)
        self._start()
        yield from self._expect_all("ready for deal")
        self._send_all(self._board_line(board))
        yield from self._expect_all("ready for cards")
        for seat in SEATS:
            self._send(seat, self._cards(seat.title, in_play.hand(seat)))
        while in_play.in_auction:
            yield from self._conduct_call(in_play)
        while in_play.turn is not None:
            yield from self._conduct_card(in_play)
        self.played.append(in_play)
        self._end_board()

    def _conduct_call(self, in_play: BoardInPlay) -> Serving:
        turn = in_play.auction.turn
        call = self._read_call((yield turn), turn)
        in_play.add_call(call)
        for seat in SEATS:
            if seat is not turn:
                self._expect((yield seat), seat, f"ready for {turn.title}'s bid")
                self._send(seat, self._call(turn, call))

    def _conduct_card(self, in_play: BoardInPlay) -> Serving:
        play, contract, hand, actor = in_play.play, in_play.contract, in_play.turn, in_play.actor
        assert play is not None
        assert contract is not None
        assert hand is not None
        assert actor is not None
        trick = len(play.tricks) + 1
        if not play.current.cards:
            self._ask_for_lead(actor, hand if actor is hand else None)
        card = self._read_card((yield actor), hand)
        in_play.add_card(card)
        whose = "dummy" if hand is contract.dummy else hand.title
        for seat in SEATS:
            if seat is not actor:
                self._expect((yield seat), seat, f"ready for {whose}'s card to trick {trick}")
                self._send(seat, f"{hand.title} plays {card}")
        if len(play.cards) == 1:
            for seat in SEATS:
                if seat is not contract.dummy:
                    self._expect((yield seat), seat, "ready for dummy")
                    self._send(seat, self._cards("Dummy", in_play.hand(contract.dummy)))

    def _expect_all(self, what: str) -> Serving:
        for seat in SEATS:
            self._expect((yield seat), seat, what)

    # What it says

    def _send(self, seat: Seat, line: str) -> None:
        self._sent.append(Sending(seat, (line + self.line_end).encode("ascii")))

    def _send_all(self, line: str) -> None:
        for seat in SEATS:
            self._send(seat, line)

    def _seated(self, seat: Seat) -> str:
        return f'{seat.title} ("{self._teams[seat]}") seated'

    def _teams_line(self) -> str:
        return f'Teams : N/S : "{self._teams[Seat.NORTH]}" E/W : "{self._teams[Seat.EAST]}"'

    def _start(self) -> None:
        self._send_all("Start of board")

    def _board_line(self, board: Board) -> str:
        vulnerable = VULNERABLE[board.vulnerability]
        return f"Board number {board.number}. Dealer {board.dealer.title}. {vulnerable} vulnerable."

    def _cards(self, whose: str, hand: Hand) -> str:
        suits = " ".join(f"{suit.letter} {' '.join(hand.suit_letters(suit)) or '-'}." for suit in SUITS_DOWN)
        return f"{whose}'s cards : {suits}"

    def _call(self, seat: Seat, call: Call) -> str:
        return f"{seat.title} {ACTIONS[call]}" if isinstance(call, Action) else f"{seat.title} bids {call}"

    def _ask_for_lead(self, actor: Seat, hand: Seat | None) -> None:
        """`hand` is None when dummy is on lead."""
        self._send(actor, f"{hand.title} to lead" if hand is not None else "Dummy to lead")

    def _end_board(self) -> None:
        self._send_all("Timing - N/S : this board  01:15,  total  0:11:23.  E/W : this board  01:18,  total  0:10:23")

    def _end(self) -> None:
        self._send_all("End of session")

    # What it accepts

    def _read_log_on(self, line: str, seat: Seat) -> str:
        """Return the team's name."""
        found = re.match(rf'Connecting "(.*)" as {seat.title} using protocol version 18', line)
        if found is None:
            raise ServerStoppedError(f"{line!r} is no log-on of {seat.title}")
        return found[1]

    def _expect(self, line: str, seat: Seat, what: str) -> None:
        if line != f"{seat.title} {what}":
            raise ServerStoppedError(f"{line!r} in place of '{seat.title} {what}'")

    def _read_call(self, line: str, seat: Seat) -> Call:
        words = line.partition(" Alert.")[0].split(" ")
        if words[0] == seat.title and words[1] in (*CALLS, "bids"):
            return CALLS.get(words[1]) or parse_call(words[2])
        raise ServerStoppedError(f"{line!r} in place of {seat.title}'s call")

    def _read_card(self, line: str, hand: Seat) -> Card:
        start = f"{hand.title} plays "
        if not line.startswith(start):
            raise ServerStoppedError(f"{line!r} in place of {hand.title}'s card")
        return parse_card(line.removeprefix(start))


class BridgeMoniteur(ForeignServer):
    """Bridge Moniteur.

    It ends its lines with LF, but `Start of Board` and the line that asks for a lead with nothing. It says the plain
    `seated`, a full stop after a call, the teams again before every board, and `Feasability` after it. Its last line
    is the score.
    """

    line_end = "\n"

    def _conduct(self, board: Board) -> Serving:
        if self.played:
            self._send_all(self._teams_line())
            yield from self._expect_all("ready to start")
        yield from super()._conduct(board)

    def _seated(self, seat: Seat) -> str:
        return f"{seat.title} {self._teams[seat]} seated"

    def _send_unended(self, seat: Seat, line: str) -> None:
        self._sent.append(Sending(seat, line.encode("ascii")))

    def _start(self) -> None:
        for seat in SEATS:
            self._send_unended(seat, "Start of Board")

    def _call(self, seat: Seat, call: Call) -> str:
        return super()._call(seat, call) + "."

    def _ask_for_lead(self, actor: Seat, hand: Seat | None) -> None:
        self._send_unended(actor, f"{hand.title} to lead" if hand is not None else "Dummy to lead")

    def _end_board(self) -> None:
        super()._end_board()
        self._send_all("Feasability 9 9 8 8 7")

    def _end(self) -> None:
        self._send_all("NS:1NT+1 120")
