"""A second wire language, for tests: the table says everything at once, and the player asks for nothing.

Lines of a player: `JOIN N Alpha`, `READY`, `CALL 1NT`, `CALL 1NT 15 to 17 points`, `PLAY QD`. Lines of the table:
`SEATED`, `TEAMS`, `BOARD 7`, `HAND N AK7.QJ..T98`, `CALLED N 1NT`, `CALLED N 1NT 15 to 17 points`, `PLAYED N QD`,
`TURN`, `NO why`, `OVER` after a board, `END` after the session. A player acts after `TURN`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.support.protocol_players import Script
from tourney.bridge import Seat, Side, describe_call, describe_card, parse_call, parse_card
from tourney.errors import FormatError
from tourney.protocol.session.board.state import BoardState, Entry
from tourney.protocol.session.wire import (
    BadLine,
    CallIntent,
    CardIntent,
    Intent,
    JoinIntent,
    LogOnIntent,
    PendingLine,
    Refusal,
    Wire,
)


class PlainWire(Wire):
    """Speaks to one player; everything is said as soon as it is true."""

    def __init__(self) -> None:
        super().__init__()
        self._told = 0
        self._prompted = -1
        self._told_cards = False
        self._told_dummy = False

    def receive_line(self, line: bytes, now_ms: int) -> Intent | None:
        word, _, rest = line.decode("ascii", "replace").partition(" ")
        try:
            match word:
                case "JOIN" if self.connection.seat is None:
                    letter, _, team = rest.partition(" ")
                    seat = Seat.from_letter(letter)
                    return LogOnIntent(team=team, seat=seat, any_seat=False, seat_word="", version=1, system="")
                case "READY":
                    return JoinIntent()
                case "CALL":
                    call, _, text = rest.partition(" ")
                    return CallIntent(parse_call(call), alerted=bool(text), text=text)
                case "PLAY":
                    return CardIntent(None, parse_card(rest))
                case _:
                    pass
        except (FormatError, KeyError) as error:
            return BadLine(str(error))
        return BadLine(f"{word} is no word of this language")

    def send_seated(self, profile: object, version: int, now_ms: int) -> None:
        self.connection.send("SEATED")

    @property
    def wants_teams(self) -> bool:
        return True

    def send_teams(self, names: Mapping[Side, str], now_ms: int) -> None:
        if not self.connection.is_ready:
            self.connection.send("TEAMS")

    def send_error(self, text: str) -> None:
        self.connection.send(f"NO {text}")

    def send_session_end(self) -> None:
        self.connection.send("END")

    def pending(self) -> PendingLine | None:
        return None

    def begin_board(self, board: BoardState, now_ms: int, *, replay: bool) -> None:
        self._told, self._prompted, self._told_cards, self._told_dummy = 0, -1, False, False
        self.connection.send(f"BOARD {board.board.number}")

    @property
    def has_joined_board(self) -> bool:
        return self.board is not None and self._prompted >= 0

    @property
    def wants_cards(self) -> bool:
        return True

    def send_cards(self, now_ms: int) -> None:
        if not self._told_cards:
            self._told_cards = True
            self._send_hand(self._seat)

    def advance(self, now_ms: int) -> None:
        board = self.board
        if board is None or not self._told_cards:
            return
        while self._told < len(board.history) and not board.history[self._told].held:
            entry = board.history[self._told]
            self._told += 1
            if entry.actor is not self._seat:
                text = f" {entry.text}" if entry.text and entry.actor.side is not self._seat.side else ""
                self.connection.send(_said(entry) + text)
        if board.in_play.dummy_is_open and not self._told_dummy and board.dummy is not None:
            self._told_dummy = True
            if board.dummy is not self._seat:
                self._send_hand(board.dummy)
        self._prompt(board, now_ms)

    def _prompt(self, board: BoardState, now_ms: int) -> None:
        made, play = len(board.history), board.in_play.play
        if board.in_play.actor is not self._seat or self._told < made or self._prompted == made:
            return
        is_lead = play is not None and not play.current.cards
        if is_lead and not board.may_lead(now_ms):
            return
        self._prompted = made
        clock = board.start_lead_clock(now_ms) if is_lead else board.start_clock(self._seat, now_ms)
        self.connection.send("TURN", clock)

    def note_own_entry(self, now_ms: int) -> None:
        self._told += 1

    def why_too_early(self) -> str | None:
        assert self.board is not None
        return None if self._prompted == len(self.board.history) else "wait for TURN"

    def hand_of(self, intent: CardIntent) -> Seat:
        assert self.board is not None
        assert self.board.in_play.turn is not None
        return self.board.in_play.turn

    def has_been_told_all(self) -> bool:
        return self.board is not None and self._told == len(self.board.history)

    def send_refusal(self, refusal: Refusal) -> None:
        self.send_error(refusal.why)

    def send_substituted(self, entry: Entry) -> None:
        self.connection.send(_said(entry))

    def send_claim(self, claimant: Seat) -> None:
        """Nobody claims here."""

    def send_claim_verdict(self, claimant: Seat, *, accepted: bool) -> None:
        """Nobody claims here."""

    def receive_timer(self) -> None:
        """Nothing was waited for."""

    def send_board_end(self, spent_ms: Mapping[Side, int], total_ms: Mapping[Side, int]) -> None:
        self.connection.send("OVER")

    @property
    def _seat(self) -> Seat:
        assert self.connection.seat is not None
        return self.connection.seat

    def _send_hand(self, seat: Seat) -> None:
        assert self.board is not None
        self.connection.send(f"HAND {seat.letter} {self.board.in_play.hand(seat)}")


@dataclass
class PlainPlayer:
    """A player of the plain language that follows scripts."""

    seat: Seat
    team: str
    scripts: Mapping[int, Script]
    made: int = 0
    """Calls and cards of the board so far, by all players."""
    number: int = 0
    has_left: bool = False
    refusals: list[str] = field(default_factory=list)

    def start(self) -> list[str]:
        return [f"JOIN {self.seat.letter} {self.team}"]

    def receive(self, line: str) -> list[str]:
        """What the player says to a line."""
        word, _, rest = line.partition(" ")
        match word:
            case "TEAMS":
                return ["READY"]
            case "BOARD":
                self.number, self.made = int(rest), 0
            case "CALLED" | "PLAYED":
                self.made += 1
            case "TURN":
                return [self._act()]
            case "END":
                self.has_left = True
            case "NO":
                self.refusals.append(rest)
            case _:
                pass
        return []

    def _act(self) -> str:
        script, seq = self.scripts[self.number], self.made
        self.made += 1
        if seq < len(script.calls):
            return f"CALL {script.calls[seq]} {script.alerts[seq]}".rstrip()
        return f"PLAY {script.cards[seq - len(script.calls)][1]}"


def as_blue_chip(line: str, seat: Seat) -> str | None:
    """A line of the table in the words of Blue Chip, for checks that know no other; None when those have none."""
    word, _, rest = line.partition(" ")
    if word == "HAND":
        letter, _, hand = rest.partition(" ")
        suits = [" ".join(held) or "-" for held in hand.split(".")]
        whose = f"{seat.title}'s" if letter == seat.letter else "Dummy's"
        return f"{whose} cards : " + " ".join(f"{suit} {held}." for suit, held in zip("SHDC", suits, strict=True))
    letter, _, said = rest.partition(" ")
    if word == "PLAYED":
        return describe_card(Seat.from_letter(letter), parse_card(said))
    if word == "CALLED":
        call, _, text = said.partition(" ")
        return describe_call(Seat.from_letter(letter), parse_call(call)) + (f" Alert. {text}" if text else "")
    return None


def _said(entry: Entry) -> str:
    return f"{'PLAYED' if entry.trick else 'CALLED'} {entry.hand.letter} {entry.made}"
