"""The types of arguments: cards, suits, bids, teams, positions, strings, numbers and lists (SS-02, SS-03).

`parse_` functions take any case and raise `FormatError` with what is wrong and what is right.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from tourney.bridge import (
    BIDS,
    DECK,
    DOUBLE,
    PASS,
    REDOUBLE,
    SEATS,
    Call,
    Card,
    Contract,
    Seat,
    Side,
    Strain,
    Vulnerability,
)
from tourney.errors import FormatError

LINE_BYTES_MAX: Final = 2048
"""Longest line, its end not counted (SS-01). The longest possible auction takes 1,750 bytes."""

STRING_BYTES_MAX: Final = 1900
"""Longest string that is sent; the rest of a longer one is cut, so that its line has at most `LINE_BYTES_MAX`."""

NOBODY: Final = "0"
EMPTY_LIST: Final = "-"

LIST_MAX: Final = 400
"""Most items of a list; an auction has at most 319 calls."""

ID_CHARS_MAX: Final = 64
"""Longest id of a game or a tournament."""

_QUOTED_CHARS_MAX: Final = 40
_ID: Final = re.compile(r"[a-zA-Z0-9]+")
_PLAIN_STRING: Final = re.compile(r"[a-zA-Z0-9]+")
_TOKEN: Final = re.compile(r'"(?P<quoted>(?:[^"\\]|\\.)*)"(?=\s|$)|(?P<plain>[^\s"]\S*)')

_CARD_TEXTS: Final = {card: f"{10 if card.rank == 10 else card.rank_letter}{card.suit.letter}" for card in DECK}
_CARDS: Final = {text: card for card, text in _CARD_TEXTS.items()} | {str(card): card for card in DECK}
_CALL_TEXTS: Final[dict[Call, str]] = {bid: str(bid) for bid in BIDS} | {
    PASS: "PASS",
    DOUBLE: "DOUBLE",
    REDOUBLE: "REDOUBLE",
}
_CALLS: Final = {text: call for call, text in _CALL_TEXTS.items()}
_STRAINS: Final = {strain.letters: strain for strain in Strain}
_POSITIONS: Final = {seat.letter: seat for seat in SEATS}
_DOUBLED: Final = ("0", "DOUBLE", "REDOUBLE")
_VULNERABILITIES: Final = {"BOTH" if each is Vulnerability.ALL else each.name: each for each in Vulnerability}
_VULNERABILITY_TEXTS: Final = {each: text for text, each in _VULNERABILITIES.items()}

T = TypeVar("T")


def shown(text: str) -> str:
    """Return a text as a refusal quotes it."""
    return repr(text if len(text) <= _QUOTED_CHARS_MAX else f"{text[:_QUOTED_CHARS_MAX]}...")


# One value


def format_card(card: Card) -> str:
    """`2C`, `10H`, `AS`."""
    return _CARD_TEXTS[card]


def parse_card_text(text: str) -> Card:
    """Parse a card; the ten may be `10` or `T`."""
    card = _CARDS.get(text.upper())
    if card is None:
        raise FormatError(f"a card is 2 to 10, J, Q, K or A and then C, D, H or S, such as 10H, got {shown(text)}")
    return card


def format_bid(call: Call) -> str:
    """`3NT`, `PASS`, `DOUBLE`, `REDOUBLE`."""
    return _CALL_TEXTS[call]


def parse_bid(text: str) -> Call:
    """Parse a call."""
    call = _CALLS.get(text.upper())
    if call is None:
        raise FormatError(f"a bid is 1C to 7NT, PASS, DOUBLE or REDOUBLE, got {shown(text)}")
    return call


def format_suit(strain: Strain) -> str:
    """`C`, `D`, `H`, `S`, `NT`."""
    return strain.letters


def parse_suit(text: str) -> Strain:
    """Parse a suit or notrump."""
    strain = _STRAINS.get(text.upper())
    if strain is None:
        raise FormatError(f"a suit is C, D, H, S or NT, got {shown(text)}")
    return strain


def format_position(seat: Seat | None) -> str:
    """`N`, `E`, `S`, `W`; `0` for nobody."""
    return NOBODY if seat is None else seat.letter


def parse_position(text: str) -> Seat:
    """Parse a position."""
    seat = _POSITIONS.get(text.upper())
    if seat is None:
        raise FormatError(f"a position is N, E, S or W, got {shown(text)}")
    return seat


def parse_position_or_nobody(text: str) -> Seat | None:
    """Parse a position, or `0` for nobody."""
    return None if text == NOBODY else parse_position(text)


def format_team(side: Side | None) -> str:
    """`NS`, `EW`; `0` for neither."""
    return NOBODY if side is None else side.value


def parse_team(text: str) -> Side:
    """Parse a team."""
    try:
        return Side(text.upper())
    except ValueError:
        raise FormatError(f"a team is NS or EW, got {shown(text)}") from None


def format_doubled(doubled: int) -> str:
    """`0`, `DOUBLE` or `REDOUBLE` for 0, 1 and 2."""
    return _DOUBLED[doubled]


def parse_doubled(text: str) -> int:
    """Parse the double status of a contract."""
    if text.upper() not in _DOUBLED:
        raise FormatError(f"a double status is 0, DOUBLE or REDOUBLE, got {shown(text)}")
    return _DOUBLED.index(text.upper())


def format_vulnerability(vulnerability: Vulnerability) -> str:
    """`NONE`, `NS`, `EW`, `BOTH`."""
    return _VULNERABILITY_TEXTS[vulnerability]


def parse_vulnerability(text: str) -> Vulnerability:
    """Parse a vulnerability."""
    found = _VULNERABILITIES.get(text.upper())
    if found is None:
        raise FormatError(f"a vulnerability is NONE, NS, EW or BOTH, got {shown(text)}")
    return found


def format_contract(contract: Contract | None) -> str:
    """`4SXN`: the contract, then its declarer; `PASS` for a board that was passed out."""
    return "PASS" if contract is None else f"{contract}{contract.declarer.letter}"


def parse_contract(text: str) -> Contract | None:
    """Parse a contract with its declarer."""
    if text.upper() == "PASS":
        return None
    found = re.fullmatch(r"([1-7])(NT|[CDHS])(X{0,2})([NESW])", text.upper())
    if found is None:
        raise FormatError(f"a contract is PASS, or such as 4SXN, got {shown(text)}")
    return Contract(int(found[1]), _STRAINS[found[2]], len(found[3]), _POSITIONS[found[4]])


def parse_number(text: str) -> int:
    """Parse a whole number of at most nine digits."""
    if re.fullmatch(r"-?[0-9]{1,9}", text) is None:
        raise FormatError(f"a whole number is expected, got {shown(text)}")
    return int(text)


def parse_flag(text: str) -> bool:
    """Parse `0` or `1`."""
    if text not in ("0", "1"):
        raise FormatError(f"0 or 1 is expected, got {shown(text)}")
    return text == "1"


def parse_id(text: str) -> str:
    """Parse the id of a game or a tournament: letters and digits, at most `ID_CHARS_MAX`."""
    if _ID.fullmatch(text) is None or len(text) > ID_CHARS_MAX:
        raise FormatError(f"an id has letters and digits, at most {ID_CHARS_MAX}, got {shown(text)}")
    return text


def parse_left_out(text: str, parse: Callable[[str], T]) -> T | None:
    """Parse an argument that may be left out: `-` stands for one that is, before another that is not."""
    return None if text == EMPTY_LIST else parse(text)


# Strings and lists


def format_string(text: str) -> str:
    r"""Return a text as an argument: as it is if it has only letters and digits of ASCII, else quoted.

    Quotes and backslashes in it have a backslash before them; its rest beyond `STRING_BYTES_MAX` is cut.
    """
    if _PLAIN_STRING.fullmatch(text) and len(text) <= STRING_BYTES_MAX:
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    data = escaped.encode()
    if len(data) > STRING_BYTES_MAX:
        escaped = data[:STRING_BYTES_MAX].decode(errors="ignore")
        if (len(escaped) - len(escaped.rstrip("\\"))) % 2:
            escaped = escaped[:-1]  # its backslash would escape the quote that follows
    return f'"{escaped}"'


def format_list(items: Iterable[str]) -> str:
    """Return a list as an argument: items joined by commas, `-` for none."""
    return ",".join(items) or EMPTY_LIST


def parse_list(text: str, parse_item: Callable[[str], T]) -> tuple[T, ...]:
    """Parse a list of at most `LIST_MAX` items."""
    if text == EMPTY_LIST:
        return ()
    items = text.split(",")
    if len(items) > LIST_MAX:
        raise FormatError(f"a list has at most {LIST_MAX} items, this one has {len(items)}")
    return tuple(parse_item(item) for item in items)


def split_arguments(text: str) -> list[str]:
    """Split what follows the name of a message into arguments; quoted strings lose their quotes.

    Blanks after the commas of a list are left out.

    Raises:
        FormatError: a quotation mark is not closed, or something follows it.
    """
    arguments: list[str] = []
    at, joins = 0, False
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        found = _TOKEN.match(text, at)
        if found is None:
            raise FormatError('a quoted string ends with ", and a blank follows')
        quoted = found["quoted"]
        if quoted is not None:
            arguments.append(re.sub(r"\\(.)", r"\1", quoted))
            joins = False
        else:
            word = found["plain"]
            if joins:
                arguments[-1] += word
            else:
                arguments.append(word)
            joins = word.endswith(",")
        at = found.end()
    return arguments


def format_cards(cards: Sequence[Card]) -> str:
    """Format a list of cards."""
    return format_list(map(format_card, cards))


def parse_cards(text: str) -> tuple[Card, ...]:
    """Parse a list of cards."""
    return parse_list(text, parse_card_text)
