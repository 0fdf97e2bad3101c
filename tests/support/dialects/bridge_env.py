"""bridge_env, a research package: it raises on every line that is not to the letter."""

import re
from typing import Final

from tests.support.dialects.base import (
    CALL_WORDS,
    END,
    SEATS_BY_TITLE,
    START,
    VULNERABILITIES,
    DialectError,
    DialectPlayer,
    Reading,
)
from tourney.bridge import Call, Card, Hand, Seat, Side, Suit, Vulnerability, parse_call, parse_card
from tourney.bridge.cards import RANKS

_TEAMS: Final = re.compile(r'Teams : N/S : "(.*)".? E/W : "(.*)"', re.IGNORECASE)
_BOARD: Final = re.compile(r"Board number (\d+)\. Dealer (.*)\. (.*) vulnerable\.", re.IGNORECASE)
_HAND: Final = re.compile(r"S (.*)\. H (.*)\. D (.*)\. C (.*)\.\s?", re.IGNORECASE)
_WORDS: Final = {word: call for call, word in CALL_WORDS.items()}


class BridgeEnv(DialectPlayer):
    """bridge_env's client.

    It takes one byte after another from the socket, up to CR LF, so that a packet may bring any number of lines.
    It needs CR LF, and its own team's exact name announced for its side. It raises on a line with times, on a text
    after a double, and on anything else it does not expect; it writes a call and the line after it at once, and asks
    for `dummy's card`.
    """

    profile = "bridge-env"
    joins_lines = True

    def _lines_of(self, data: bytes) -> list[str]:
        *lines, self._pending = (self._pending + data).split(b"\r\n")
        for line in lines:
            if b"\r" in line:
                raise DialectError(f"{line!r}: a CR without its LF")
        return [line.decode("ascii") for line in lines]

    def _read_seated(self, line: str) -> None:
        if line not in (f"{self.seat.title} {self.team} seated", f'{self.seat.title} ("{self.team}") seated'):
            raise DialectError(f"{line!r} in place of the seat")

    def _read_teams(self, line: str) -> None:
        names = _TEAMS.fullmatch(line)
        if names is None or names[1 if self.seat.side is Side.NS else 2] != self.team:
            raise DialectError(f"{line!r} does not announce {self.team!r}")

    def _await_next_board(self) -> Reading[bool]:
        line = yield
        if line == END:
            return False
        if line.lower() == START:
            return True
        raise DialectError(f"{line!r} between two boards")

    def _read_board(self, line: str) -> tuple[int, Seat, Vulnerability]:
        found = _BOARD.fullmatch(line)
        if found is None or found[2] not in SEATS_BY_TITLE or found[3] not in VULNERABILITIES:
            raise DialectError(f"{line!r} in place of a board")
        return int(found[1]), SEATS_BY_TITLE[found[2]], VULNERABILITIES[found[3]]

    def _read_cards(self, line: str) -> Hand:
        return self._read_hand(line, f"{self.seat.title}'s")

    def _read_dummy(self, line: str) -> Hand:
        return self._read_hand(line, "Dummy's")

    @staticmethod
    def _read_hand(line: str, whose: str) -> Hand:
        found = re.fullmatch(rf"{whose} cards : (.*)", line, re.IGNORECASE)
        suits = _HAND.fullmatch(found[1]) if found is not None else None
        if suits is None:
            raise DialectError(f"{line!r} in place of {whose} cards")
        cards = [
            Card(Suit.from_letter(suit), RANKS.index(rank) + 2)
            for suit, text in zip("SHDC", suits.groups(), strict=True)
            if text != "-"
            for rank in text.split(" ")
        ]
        return Hand.of(cards)

    def _read_call(self, line: str, turn: Seat) -> tuple[Call, str]:
        bid = re.match(rf"{turn.title} bids (\d)(C|D|H|S|NT)", line, re.IGNORECASE)
        if bid is not None:
            return parse_call(bid[1] + bid[2].upper()), ""
        call = _WORDS.get(line.lower().removeprefix(f"{turn.title.lower()} "))
        if call is None:
            raise DialectError(f"{line!r} in place of {turn.title}'s call")
        return call, ""

    def _read_card(self, line: str, turn: Seat) -> Card:
        found = re.fullmatch(rf"{turn.title} plays (.*)", line, re.IGNORECASE)
        if found is None:
            raise DialectError(f"{line!r} in place of {turn.title}'s card")
        text = found[1]
        return parse_card(text[1:] + text[0] if text[0] in "SHDC" else text)

    def _read_lead(self, line: str, turn: Seat) -> None:
        found = re.fullmatch(r"(.*) to lead", line, re.IGNORECASE)
        if found is None or found[1] not in ("Dummy", turn.title):
            raise DialectError(f"{line!r} in place of {turn.title} to lead")
