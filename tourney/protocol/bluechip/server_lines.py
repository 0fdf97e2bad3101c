"""Lines from a table manager: how our tables write them, and how the player's side reads them.

They are written exactly as version 18 and the programs in use expect them, casing included. Parsing is lenient, as
our own players also connect to other servers: any case, any blanks, suits of a hand in any order, dash or blank
missing, additional words after the team names and after the board line.
"""

import enum
import re
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from tourney.bridge import (
    CALLS,
    DECK,
    DOUBLE,
    PASS,
    RANKS,
    REDOUBLE,
    SEATS,
    Bid,
    Call,
    Card,
    Hand,
    OpenBoard,
    Seat,
    Suit,
    Vulnerability,
)
from tourney.protocol.bluechip.player_lines import SEAT_WORDS, parse_player_line
from tourney.protocol.lines import USUAL_CHARS_MAX, USUAL_LINES, straighten
from tourney.protocol.session.intents import CallIntent, CardIntent, ClaimIntent
from tourney.protocol.wires import SeatedForm, TeamsLineForm

# Objects to lines

START_OF_BOARD = "Start of board"
END_OF_SESSION = "End of session"
DUMMY_TO_LEAD = "Dummy to lead"
ILLEGAL_BID = "Illegal bid"
ILLEGAL_CARD = "Illegal card"

_VULNERABLE_WORDS: Final = {
    Vulnerability.NONE: "Neither",
    Vulnerability.NS: "N/S",
    Vulnerability.EW: "E/W",
    Vulnerability.ALL: "Both",
}
_ACTION_WORDS: Final = {PASS: "passes", DOUBLE: "doubles", REDOUBLE: "redoubles"}


def format_seated(seat: Seat, team: str, form: SeatedForm = SeatedForm.V18) -> str:
    """Format `North ("Alpha") seated` (BC-06), or the form of older servers."""
    return f'{seat.title} ("{team}") seated' if form is SeatedForm.V18 else f"{seat.title} {team} seated"


def format_teams(ns_team: str, ew_team: str, form: TeamsLineForm = TeamsLineForm.PLAIN) -> str:
    """Format `Teams : N/S : "Alpha" E/W : "Beta"`, by default without the full stop that breaks programs (BC-07)."""
    stop = "." if form is TeamsLineForm.V18 else ""
    tail = ". Playing IMP" if form is TeamsLineForm.PLAYING else ""
    return f'Teams : N/S : "{ns_team}"{stop} E/W : "{ew_team}"{tail}'


def format_board(board: OpenBoard) -> str:
    """Format `Board number 7. Dealer South. Both vulnerable.` (BC-13)."""
    vulnerable = _VULNERABLE_WORDS[board.vulnerability]
    return f"Board number {board.number}. Dealer {board.dealer.title}. {vulnerable} vulnerable."


def format_hand(hand: Hand) -> str:
    """Format `S A K 7. H Q J. D -. C T 9 8 7 6 5 4 3.` (BC-14)."""
    suits = zip("SHDC", str(hand).split("."), strict=True)
    return " ".join([f"{letter} {' '.join(ranks) or '-'}." for letter, ranks in suits])


def format_cards(seat: Seat, hand: Hand) -> str:
    """Format `North's cards : S A K 7. ...`: those dealt (BC-14), or those that a claimant still holds (BC-40)."""
    return f"{seat.title}'s cards : {format_hand(hand)}"


def format_dummy(hand: Hand) -> str:
    """Format `Dummy's cards : S A K 7. ...` (BC-32)."""
    return f"Dummy's cards : {format_hand(hand)}"


def format_call(seat: Seat, call: Call) -> str:
    """Format `North passes`, `North bids 1NT` (BC-15)."""
    return f"{seat.title} bids {call}" if isinstance(call, Bid) else f"{seat.title} {_ACTION_WORDS[call]}"


def format_alert(text: str) -> str:
    """Format what follows an alerted call to the bidder's opponents: ` Alert. <text>.` (BC-17)."""
    return f" Alert. {_closed(text)}"


def format_infos(text: str) -> str:
    """Format what follows a call that was explained without an alert, for players of version 19."""
    return f" Infos. {_closed(text)}"


def format_signal(text: str) -> str:
    """Format what follows a card that came with a text, for players of version 19."""
    return f". {_closed(text)}"


def _closed(text: str) -> str:
    """Format a player's text for relaying: single blanks (BC-01), a full stop at the end."""
    text = " ".join(text.split())
    return text if text.endswith(".") else f"{text}."


def format_card(seat: Seat, card: Card) -> str:
    """Format `East plays QD` (BC-30)."""
    return f"{seat.title} plays {card}"


LINES: Final[dict[tuple[bool, Seat, Call | Card], str]] = {
    **{(False, seat, call): format_call(seat, call) for seat in SEATS for call in CALLS},
    **{(True, seat, card): format_card(seat, card) for seat in SEATS for card in DECK},
}
"""The line of each call and card by each seat, formatted once; the key begins with whether it is a card."""


def format_to_lead(seat: Seat) -> str:
    """Format `East to lead` (BC-29)."""
    return f"{seat.title} to lead"


def format_timing(ns_board_ms: int, ns_total_ms: int, ew_board_ms: int, ew_total_ms: int) -> str:
    """Format the line after every board: times in whole seconds, two blanks as printed (BC-37)."""
    return (
        f"Timing - N/S : this board  {_minutes(ns_board_ms)},  total  {_hours(ns_total_ms)}."
        f"  E/W : this board  {_minutes(ew_board_ms)},  total  {_hours(ew_total_ms)}"
    )


def _minutes(ms: int) -> str:
    seconds = ms // 1000
    return f"{seconds // 60:02}:{seconds % 60:02}"


def _hours(ms: int) -> str:
    seconds = ms // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def format_error(text: str) -> str:
    """Format an error line: one sentence, which programs show to their operator (BC-03, BC-08)."""
    return f"Error: {text}"


# Lines to objects

_VULNERABLE: Final = {word.lower(): vulnerability for vulnerability, word in _VULNERABLE_WORDS.items()}
_REFUSALS: Final = ("illegal ", "error", "expected '", "unexpected '")
_NOTICE: Final = re.compile(r"|timing\b.*|.*'s claim is (accepted|rejected)|feas[ai]bility\b.*|explain\b.*")
"""Times (BC-37), the verdict on a claim (BC-41), what Bridge Moniteur sends after a board, and a request of later
servers for the meaning of a call."""

_SUITS: Final = {suit.letter: suit for suit in Suit}
_NUMBER_DIGITS_MAX: Final = 9
"""Maximum digits of a board number: no event has more boards, and Python refuses to parse thousands of digits."""


class PlainLine(enum.Enum):
    """A line of which it is enough to know what it is for."""

    START = "start"
    """`Start of board`."""
    LEAD = "lead"
    """`North to lead`, `Dummy to lead`."""
    END = "end"
    """`End of session`, or `Disconnect` from a later server."""
    SCORE = "score"
    """`NS:...`, the last line of some servers before they close the connection."""
    REFUSED = "refused"
    """`Illegal bid`, `Illegal card`, `Error ...`, `Expected '...'`: the table refuses what was sent."""
    NOTICE = "notice"
    """Times and other known lines that need no answer."""
    OTHER = "other"
    """A line that is not understood."""


class SeatedLine(NamedTuple):
    """`North ("Alpha") seated`."""

    seat: Seat


class TeamsLine(NamedTuple):
    """The names of both teams; empty where the line has none."""

    ns_team: str
    ew_team: str


class BoardLine(NamedTuple):
    """`Board number 7. Dealer South. Both vulnerable.`"""

    number: int
    dealer: Seat
    vulnerability: Vulnerability


class HandLine(NamedTuple):
    """Thirteen cards, the player's own or dummy's."""

    of_dummy: bool
    hand: Hand


ServerMessage: TypeAlias = (
    PlainLine | SeatedLine | TeamsLine | BoardLine | HandLine | CallIntent | CardIntent | ClaimIntent
)


def parse_server_line(line: str) -> ServerMessage:
    """Parse a server's line. Never raises: a line that is not understood is `PlainLine.OTHER`."""
    return _parse_usual(line) if len(line) <= USUAL_CHARS_MAX else _parse(line)


def _parse(line: str) -> ServerMessage:
    said = " ".join(line.split())
    text = straighten(said)
    lower = text.lower().rstrip(".")
    words = lower.split(" ")
    if lower == "start of board":
        return PlainLine.START
    if lower in ("end of session", "disconnect"):
        return PlainLine.END
    if lower.startswith("ns:"):
        return PlainLine.SCORE
    if lower.startswith(_REFUSALS):
        return PlainLine.REFUSED
    if lower.startswith("teams"):
        return _parse_teams(said)
    if lower.startswith("board number"):
        return _parse_board(lower) or PlainLine.OTHER
    # Before the forms recognised by their last words, as an alert's text may end in the same words.
    message = parse_player_line(said)
    if isinstance(message, CallIntent | CardIntent | ClaimIntent):
        return message
    if words[-1] == "seated" and words[0] in SEAT_WORDS:
        return SeatedLine(SEAT_WORDS[words[0]])
    if words[-2:] == ["to", "lead"]:
        return PlainLine.LEAD
    head, colon, cards = text.partition(":")
    if colon and head.rstrip().lower().endswith("'s cards"):
        hand = parse_hand(cards)
        return HandLine(head.lower().startswith("dummy"), hand) if hand is not None else PlainLine.OTHER
    return PlainLine.NOTICE if _NOTICE.fullmatch(lower) else PlainLine.OTHER


_parse_usual: Final = lru_cache(USUAL_LINES)(_parse)
"""The same for lines that recur on every board."""


def is_whole_line(text: str) -> bool:
    """Return whether a text without its line end is a complete line.

    Some servers write `Dummy to lead` and `Start of Board` without an end. A text that may continue (a refusal, the
    information of an alert, a bid without its strain) is not whole.
    """
    message = parse_server_line(text)
    match message:
        case TeamsLine():
            return bool(message.ew_team)
        case CallIntent():
            return not message.alerted and not message.text
        case PlainLine.REFUSED | PlainLine.SCORE | PlainLine.NOTICE | PlainLine.OTHER:
            return False
        case _:
            return True


def parse_hand(text: str) -> Hand | None:
    """Parse thirteen cards from `S A K 7. H Q J. D -. C T 9 8 7 6 5 4 3.`; None if they are not thirteen."""
    cards = parse_cards(text)
    return Hand.of(cards) if len(set(cards)) == 13 == len(cards) else None


def parse_cards(text: str) -> tuple[Card, ...]:
    """Parse any number of cards in the same form: those that a claimant still holds (BC-40)."""
    cards: list[Card] = []
    suit: Suit | None = None
    for char in text.upper().replace("10", "T"):
        if char in _SUITS:
            suit = _SUITS[char]
        elif char in RANKS and suit is not None:
            cards.append(Card(suit, RANKS.index(char) + 2))
    return tuple(cards)


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
