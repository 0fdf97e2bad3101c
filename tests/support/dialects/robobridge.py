"""RoboBridge: it takes one line per read, and speaks version 19."""

from typing import Final

from tests.support.dialects.base import (
    CALL_WORDS,
    END,
    SEATS_BY_TITLE,
    VULNERABILITIES,
    DialectError,
    DialectPlayer,
    Reading,
    read_hand,
)
from tourney.bridge import Call, Card, Hand, Seat, Vulnerability, parse_call, parse_card

_RULE: Final = "(!(ps0911*pa0012)&(hs5+|ss5+))"
TEXT_LENGTH: Final = 1500
"""The length of the longest texts in its logs."""

_WORDS: Final = {word: call for call, word in CALL_WORDS.items()}


class RoboBridge(DialectPlayer):
    """RoboBridge's client of 2017, and today's where that is stricter.

    It takes one line per read and loses what else has arrived; it waits for ever on a line that ends in LF alone. It
    needs its own team's name announced for its side. It names its system after version 19, explains its calls in
    1,500 characters, and its cards after a full stop; only as dummy it asks for dummy's card as `dummy's`.
    """

    profile = "robobridge"

    def _lines_of(self, data: bytes) -> list[str]:
        line, end, _ = data.partition(b"\r\n")
        return [line.decode("ascii")] if end else []

    def _log_on(self) -> str:
        return f'Connecting "{self.team}" as {self._seat_word} using protocol version 19 sayc'

    def _alert(self, text: str) -> str:
        if not text:
            return ""
        word = "Alert." if len(text) % 2 else "Infos."
        rules = _RULE * (TEXT_LENGTH // len(_RULE))
        return f" {word}{rules}"

    def _card_line(self, hand: Seat, card: Card) -> str:
        return f"{super()._card_line(hand, card)}. signal"

    def _whose_card(self, hand: Seat) -> str:
        assert self.view is not None
        whose = super()._whose_card(hand)
        return "dummy's" if whose == "dummy's" and self.view.is_dummy else f"{hand.title}'s"

    def _await_next_board(self) -> Reading[bool]:
        while True:
            line = yield
            if line.lower().startswith("start of board"):
                return True
            if line == END or line.startswith(("NS:", "Disconnect")):
                return False
            if not line.lower().startswith("timing"):
                raise DialectError(f"{line!r} between two boards")

    def _read_seated(self, line: str) -> None:
        super()._read_seated(line)
        if line not in (f'{self.seat.title} ("{self.team}") seated', f"{self.seat.title} {self.team} seated"):
            raise DialectError(f"{line!r} in place of the seat")

    def _read_teams(self, line: str) -> None:
        names = [line.partition(f'{side} : "')[2].partition('"')[0] for side in ("N/S", "E/W")]
        own = names[0 if self.seat in (Seat.NORTH, Seat.SOUTH) else 1]
        if not line.startswith("Teams") or own != self.team:
            raise DialectError(f"{line!r} does not announce {self.team!r}")

    def _read_board(self, line: str) -> tuple[int, Seat, Vulnerability]:
        parts = line.split(".")
        if not line.startswith("Board number") or len(parts) < 3:
            raise DialectError(f"{line!r} in place of a board")
        dealer = SEATS_BY_TITLE.get(parts[1][8:])
        if not parts[0][13:].isdecimal() or dealer is None:
            raise DialectError(f"{line!r} has no number at column 13, or no dealer at column 8 of what follows")
        vulnerability = VULNERABILITIES[parts[2].removesuffix(" vulnerable").removeprefix(" ")]
        return int(parts[0][13:]), dealer, vulnerability

    def _read_cards(self, line: str) -> Hand:
        if not line.lower().startswith(f"{self.seat.title.lower()}'s cards : "):
            raise DialectError(f"{line!r} in place of the cards")
        return read_hand(line)

    def _read_call(self, line: str, turn: Seat) -> tuple[Call, str]:
        if not line.lower().startswith(f"{turn.title.lower()} "):
            raise DialectError(f"{line!r} in place of {turn.title}'s call")
        lower = line.lower()
        cut = min((at for mark in ("alert.", "infos.") if (at := lower.find(mark)) >= 0), default=len(line))
        last = line[:cut].strip().removesuffix(".").split(" ")[-1]
        return _WORDS.get(last) or parse_call(last), line[cut:]

    def _read_card(self, line: str, turn: Seat) -> Card:
        words = line.partition(".")[0].split(" ")
        if words[0].lower() != turn.title.lower():
            raise DialectError(f"{line!r} in place of {turn.title}'s card")
        return parse_card(words[2])
