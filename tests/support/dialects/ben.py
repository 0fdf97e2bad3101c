"""BEN, which plays by neural networks: as it is now, and as it was in 2022."""

import re
from typing import ClassVar, Final

from tests.support.dialects.base import (
    CALL_WORDS,
    END,
    START,
    VULNERABILITIES,
    DialectError,
    DialectPlayer,
    Reading,
    Segment,
    read_hand,
)
from tourney.bridge import Call, Card, Hand, PlayerView, Seat, Vulnerability, parse_call, parse_card

PAUSE_MS: Final = 50
"""How long it sleeps after each line it writes."""

_TEAMS: Final = re.compile(r'N/S : "([^"]+)" E/W : "([^"]+)"(?:.*?Playing (\w+))?')
_NUMBER: Final = re.compile(r"Board number (\d+)\.")
_DEALER: Final = re.compile(r"(?P<dealer>[a-zA-Z]+?)\.\s(?P<vuln>.+?)\svulnerable")
_WORDS: Final = {word: call for call, word in CALL_WORDS.items()}


class Ben(DialectPlayer):
    """BEN 0.8.8.6 with `--sendinfo` and `--sendcardinfo`.

    It takes its lines one by one from a buffered stream (asyncio's `readline`), however many a packet brings.
    It ends on a full stop between the team names, on names in capitals, and on an unexpected line in the auction or
    play. While it waits for a board it answers every other line with "ready to start"; after a board it first reads
    one line of any kind. `Start of board` starts a board at any time; from then on it says "ready for deal" twice.
    """

    profile = "ben"
    restarts = True
    after_card: ClassVar[str] = ". stub"
    system: ClassVar[str] = " BEN-21GF 0.8.8.6 config/default.conf"

    def _take_said(self) -> list[Segment]:
        said = super()._take_said()
        return said[:1] + [Segment(segment.data, PAUSE_MS) for segment in said[1:]]

    def _log_on(self) -> str:
        return super()._log_on() + self.system

    def _alert(self, text: str) -> str:
        """Format an alert, or `Infos.` for a call that needs no alert; texts of even length are sent as such."""
        word = "Alert." if len(text) % 2 else "Infos."
        return f" {word} {text}" if text else ""

    def _card_line(self, hand: Seat, card: Card) -> str:
        return super()._card_line(hand, card) + self.after_card

    _deals_asked = 1

    def _note_restart(self) -> None:
        self._deals_asked = 2

    def _ask_for_deal(self) -> None:
        for _ in range(self._deals_asked):
            super()._ask_for_deal()

    def _read_seated(self, line: str) -> None:
        """Ignore the line."""

    def _read_teams(self, line: str) -> None:
        if _TEAMS.search(line) is None:
            raise DialectError(f"{line!r}: list index out of range")

    def _await_first_board(self) -> Reading[None]:
        yield from self._await_start()

    def _await_next_board(self) -> Reading[bool]:
        yield  # whatever it is
        return (yield from self._await_start())

    def _await_start(self) -> Reading[bool]:
        while True:
            line = yield
            if line == END:
                return False
            if line.lower() == START:
                return True
            self._say(self._ready("to start"))

    def _read_board(self, line: str) -> tuple[int, Seat, Vulnerability]:
        number, dealer = _NUMBER.search(line), _DEALER.search(line)
        if number is None or dealer is None or dealer["dealer"][0] not in "NESW":
            raise DialectError(f"{line!r} in place of a board")
        if dealer["vuln"] not in VULNERABILITIES:
            raise DialectError(f"{dealer['vuln']!r} is no vulnerability")
        return int(number[1]), Seat.from_letter(dealer["dealer"][0]), VULNERABILITIES[dealer["vuln"]]

    def _read_cards(self, line: str) -> Hand:
        return _read_behind_colon(line)

    def _read_dummy(self, line: str) -> Hand:
        return _read_behind_colon(line)

    def _read_call(self, line: str, turn: Seat) -> tuple[Call, str]:
        words = line.split()
        if words[0] != turn.title:
            raise DialectError(f"{line!r} in place of {turn.title}'s call")
        text = ""
        for mark in ("Alert.", "Infos."):
            if mark in words:
                text = " ".join(words[words.index(mark) + 1 :])
        return _WORDS.get(words[1].lower()) or parse_call(words[2]), text

    def _read_card(self, line: str, turn: Seat) -> Card:
        words = line.partition(".")[0].split()
        if words[0] != self._shown_as(turn):
            raise DialectError(f"{line!r} in place of {turn.title}'s card")
        return parse_card(words[2])

    def _shown_as(self, hand: Seat) -> str:
        """Return the name under which the table relays a card."""
        return hand.title

    def _read_lead(self, line: str, turn: Seat) -> None:
        """Take any line for the one that asks for the lead."""


class _OneLineAfterABoard(Ben):
    """What BEN of 2022 and of August 2023 have in common.

    It takes the first line after a board, whatever it says, for the start of the next: it answers `Timing` with
    "ready for deal", takes `Start of board` for the board line, and ends when it finds no cards in the line after
    that. It knows no `Start of board` in the middle of a board. Its ready messages have a full stop.
    """

    restarts = False
    after_card = ""
    system = ""

    def _alert(self, text: str) -> str:
        return ""

    def _ready(self, what: str) -> str:
        return super()._ready(what) + "."

    def _await_next_board(self) -> Reading[bool]:
        """Take any line for the start of a board."""
        return (yield) != END

    def _await_first_board(self) -> Reading[None]:
        yield  # whatever it is


class Ben2023(_OneLineAfterABoard):
    """BEN of August 2023.

    It asks for its cards and does not find out from a board line that it is none before they have come. It reads the
    second word of a call, or the third of a bid: texts do no harm.
    """

    profile = "ben-2023"

    def _ask_for_cards(self) -> None:
        self._say(f"{self.seat.title} ready for cards.")

    def _play_board(self) -> Reading[None]:
        self.view = None
        self._ask_for_deal()
        board = yield from self._read()
        self._ask_for_cards()
        hand = self._read_cards((yield from self._read()))
        number, dealer, vulnerability = self._read_board(board)
        self.view = view = PlayerView(self.seat, number, dealer, vulnerability, hand)
        yield from self._play_deal(view)


class Ben2022(_OneLineAfterABoard):
    """BEN of 2022, and the programs derived from it.

    Ends its lines with LF, and calls, ready messages and the version with a full stop. Reads the deal and its cards
    in a row, and asks for no cards. Takes the last word of a relayed call for the call. Plays dummy's cards under
    declarer's name, asks for them by dummy's seat, and for the opening lead as for trick 0. `End of session` is the
    start of a board to it: it asks for the deal, and ends with an exception once the connection is closed.
    """

    profile = "ben-2022"
    line_end = b"\n"
    system = "."

    _told_of_end = False

    def _await_next_board(self) -> Reading[bool]:
        line = yield
        self._told_of_end = line == END
        return True

    def lose_connection(self) -> None:
        if not self._told_of_end:
            super().lose_connection()
        self.left = True

    def _ask_for_cards(self) -> None:
        """Ask for nothing: it never did."""

    def _call_line(self, call: Call, alert: str) -> str:
        return super()._call_line(call, alert) + "."

    def _read_call(self, line: str, turn: Seat) -> tuple[Call, str]:
        first, *_, last = line.split()
        if first != turn.title:
            raise DialectError(f"{line!r} in place of {turn.title}'s call")
        word = last.rstrip(".")
        return _WORDS.get(word.lower()) or parse_call(word), ""

    def _whose_card(self, hand: Seat) -> str:
        return f"{hand.title}'s"

    def _trick(self, view: PlayerView) -> int:
        return super()._trick(view) if view.cards else 0

    def _card_line(self, hand: Seat, card: Card) -> str:  # under its own name, whoever's card it is
        return f"{self.seat.title} plays {card}"


def _read_behind_colon(line: str) -> Hand:
    """Read what is between the first colon and the last full stop."""
    return read_hand(" : " + line[line.index(":") + 1 : line.rindex(".") + 1].strip())
