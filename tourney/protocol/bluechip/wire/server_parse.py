"""Lines from a table manager, parsed to messages for the player's side.

Parsing is lenient, as our own players also connect to other servers: any case, any blanks, suits of a hand in any
order, dash or blank missing, additional words after the team names and after the board line.
"""

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from tourney.bridge import RANKS, Card, Hand, Seat, Suit, Vulnerability
from tourney.protocol.bluechip.wire.player_lines import SEAT_WORDS, CallLine, ClaimLine, parse_player_line
from tourney.protocol.lines import straighten
from tourney.protocol.session.intents import CardIntent

_VULNERABLE: Final = {
    "neither": Vulnerability.NONE,
    "n/s": Vulnerability.NS,
    "e/w": Vulnerability.EW,
    "both": Vulnerability.ALL,
}
_REFUSALS: Final = ("illegal ", "error", "expected '", "unexpected '")
_NOTICE: Final = re.compile(r"|timing\b.*|.*'s claim is (accepted|rejected)|feas[ai]bility\b.*|explain\b.*")
"""Times (BC-37), the verdict on a claim (BC-41), what Bridge Moniteur sends after a board, and a request of later
servers for the meaning of a call."""

_SUITS: Final = {suit.letter: suit for suit in Suit}
_NUMBER_DIGITS_MAX: Final = 9
"""Maximum digits of a board number: no event has more boards, and Python refuses to parse thousands of digits."""


@dataclass(frozen=True, slots=True)
class SeatedLine:
    """`North ("Alpha") seated`."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TeamsLine:
    """The names of both teams; empty where the line has none."""

    ns_team: str
    ew_team: str


@dataclass(frozen=True, slots=True)
class StartLine:
    """`Start of board`."""


@dataclass(frozen=True, slots=True)
class BoardLine:
    """`Board number 7. Dealer South. Both vulnerable.`"""

    number: int
    dealer: Seat
    vulnerability: Vulnerability


@dataclass(frozen=True, slots=True)
class HandLine:
    """Thirteen cards, the player's own or dummy's."""

    of_dummy: bool
    hand: Hand


@dataclass(frozen=True, slots=True)
class LeadLine:
    """`North to lead`, `Dummy to lead`."""


@dataclass(frozen=True, slots=True)
class EndLine:
    """`End of session`, or `Disconnect` from a later server."""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """`NS:...`, the last line of some servers before they close the connection."""


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """`Illegal bid`, `Illegal card`, `Error ...`, `Expected '...'`: the table refuses what was sent."""

    text: str


@dataclass(frozen=True, slots=True)
class NoticeLine:
    """Times and other known lines that need no answer."""


@dataclass(frozen=True, slots=True)
class OtherLine:
    """A line that is not understood."""


ServerMessage: TypeAlias = (
    SeatedLine
    | TeamsLine
    | StartLine
    | BoardLine
    | HandLine
    | LeadLine
    | EndLine
    | ScoreLine
    | RefusedLine
    | NoticeLine
    | OtherLine
    | CallLine
    | CardIntent
    | ClaimLine
)


def parse_server_line(line: str) -> ServerMessage:
    """Parse a server's line. Never raises: a line that is not understood is `OtherLine`."""
    said = " ".join(line.split())
    text = straighten(said)
    lower = text.lower().rstrip(".")
    words = lower.split(" ")
    if lower == "start of board":
        return StartLine()
    if lower in ("end of session", "disconnect"):
        return EndLine()
    if lower.startswith("ns:"):
        return ScoreLine()
    if lower.startswith(_REFUSALS):
        return RefusedLine(text)
    if lower.startswith("teams"):
        return _parse_teams(said)
    if lower.startswith("board number"):
        return _parse_board(lower) or OtherLine()
    # Before the forms recognised by their last words, as an alert's text may end in the same words.
    message = parse_player_line(said)
    if isinstance(message, CallLine | CardIntent | ClaimLine):
        return message
    if words[-1] == "seated" and words[0] in SEAT_WORDS:
        return SeatedLine(SEAT_WORDS[words[0]])
    if words[-2:] == ["to", "lead"]:
        return LeadLine()
    head, colon, cards = text.partition(":")
    if colon and head.rstrip().lower().endswith("'s cards"):
        hand = parse_hand(cards)
        return HandLine(head.lower().startswith("dummy"), hand) if hand is not None else OtherLine()
    return NoticeLine() if _NOTICE.fullmatch(lower) else OtherLine()


def is_whole_line(text: str) -> bool:
    """Return whether a text without its line end is a complete line.

    Some servers write `Dummy to lead` and `Start of Board` without an end. A text that may continue (a refusal, the
    information of an alert, a bid without its strain) is not whole.
    """
    message = parse_server_line(text)
    match message:
        case TeamsLine():
            return bool(message.ew_team)
        case CallLine():
            return not message.alerted and not message.text
        case RefusedLine() | ScoreLine() | NoticeLine() | OtherLine():
            return False
        case _:
            return True


def parse_hand(text: str) -> Hand | None:
    """Parse thirteen cards from `S A K 7. H Q J. D -. C T 9 8 7 6 5 4 3.`; None if they are not thirteen."""
    cards: list[Card] = []
    suit: Suit | None = None
    for char in text.upper().replace("10", "T"):
        if char in _SUITS:
            suit = _SUITS[char]
        elif char in RANKS and suit is not None:
            cards.append(Card(suit, RANKS.index(char) + 2))
    return Hand.of(cards) if len(set(cards)) == 13 == len(cards) else None


def _parse_teams(text: str) -> TeamsLine:
    names = text.split('"')
    return TeamsLine(names[1], names[3]) if len(names) >= 5 else TeamsLine("", "")


def _parse_board(lower: str) -> BoardLine | None:
    words = lower.replace(".", " ").split()
    number = words[2] if len(words) > 2 else ""
    dealer = SEAT_WORDS.get(words[words.index("dealer") + 1]) if "dealer" in words[:-1] else None
    at = words.index("vulnerable") if "vulnerable" in words else 0
    vulnerability = _VULNERABLE.get(words[at - 1]) if at else None
    if not number.isdecimal() or len(number) > _NUMBER_DIGITS_MAX or dealer is None or vulnerability is None:
        return None
    return BoardLine(int(number), dealer, vulnerability)
