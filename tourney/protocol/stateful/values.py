"""The types of arguments: cards, suits, bids, teams, positions, strings, numbers and lists (SS-02, SS-03).

Each type is a `Codec`: how it is parsed, with the sentence that refuses anything else, and how it is formatted.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar

from tourney.bridge import (
    BIDS,
    DECK,
    DOUBLE,
    PASS,
    REDOUBLE,
    SEATS,
    Call,
    Contract,
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
LEFT_OUT: Final = "-"
"""An empty list, and an argument that is left out before another that is not."""

LIST_MAX: Final = 400
"""Most items of a list; an auction has at most 319 calls."""

ID_CHARS_MAX: Final = 64
"""Longest id of a game or a tournament."""

NAME_CHARS_MAX: Final = 160
"""Longest name of a client: that of a team, and a passphrase."""

TEXT_CHARS_MAX: Final = 200
"""Longest explanation of a call, and the longest that is said to the others."""

_QUOTED_CHARS_MAX: Final = 40
_LETTERS_AND_DIGITS: Final = re.compile(r"[a-zA-Z0-9]+")
_ARGUMENT: Final = re.compile(
    r"""
    "(?P<quoted>(?:[^"\\]|\\.)*)"(?=\s|$)
    | (?P<plain>[^\s"]\S*(?:(?<=,)\s+[^\s"]\S*)*)  # blanks may stand after the commas of a list
    | "  # of a string that does not end
    """,
    re.VERBOSE,
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Codec(Generic[T]):
    """One type of argument. `parse` takes any case, and raises `FormatError` with what is wrong and what is right."""

    parse: Callable[[str], T]
    format: Callable[[Any], str] = str
    none: str = LEFT_OUT
    """How None is written, where a message may have none."""
    takes_all: bool = False
    """Whether it is all that follows the name of the message, in quotes or not, as people type it."""


def shown(text: str) -> str:
    """Return a text as a refusal quotes it."""
    return repr(text if len(text) <= _QUOTED_CHARS_MAX else f"{text[:_QUOTED_CHARS_MAX]}...")


def _words(texts: Mapping[T, str], rule: str, also: Mapping[str, T] | None = None) -> Codec[T]:
    """Return the type whose values have a word each, and perhaps others that are read too; `rule` describes them."""
    values = {text: value for value, text in texts.items()} | dict(also or {})

    def parse(text: str) -> T:
        value = values.get(text.upper())
        if value is None:
            raise FormatError(f"{rule}, got {shown(text)}")
        return value

    return Codec(parse, texts.__getitem__, NOBODY)


def list_of(item: Codec[T]) -> Codec[tuple[T, ...]]:
    """Return the type of a list of at most `LIST_MAX` items, which are joined by commas."""

    def parse(text: str) -> tuple[T, ...]:
        if text == LEFT_OUT:
            return ()
        items = text.split(",")
        if len(items) > LIST_MAX:
            raise FormatError(f"a list has at most {LIST_MAX} items, this one has {len(items)}")
        return tuple(map(item.parse, items))

    return Codec(parse, lambda items: ",".join(map(item.format, items)) or LEFT_OUT)


def or_none(codec: Codec[T]) -> Codec[T | None]:
    """Return the type that reads None as well, where that is written."""

    def parse(text: str) -> T | None:
        return None if text.upper() == codec.none else codec.parse(text)

    return Codec(parse, codec.format, codec.none)


# Words

CARD: Final = _words(
    {card: f"{10 if card.rank == 10 else card.rank_letter}{card.suit.letter}" for card in DECK},
    "a card is 2 to 10, J, Q, K or A and then C, D, H or S, such as 10H",
    {str(card): card for card in DECK},  # the ten may be T
)
BID: Final[Codec[Call]] = _words(
    {bid: str(bid) for bid in BIDS} | {PASS: "PASS", DOUBLE: "DOUBLE", REDOUBLE: "REDOUBLE"},
    "a bid is 1C to 7NT, PASS, DOUBLE or REDOUBLE",
)
SUIT: Final = _words({strain: strain.letters for strain in Strain}, "a suit is C, D, H, S or NT")
POSITION: Final = _words({seat: seat.letter for seat in SEATS}, "a position is N, E, S or W")
ROOM: Final = _words({"open": "OPEN", "closed": "CLOSED"}, "a room is OPEN or CLOSED")
TEAM: Final = _words({side: side.value for side in Side}, "a team is NS or EW")
DOUBLED: Final = _words({0: "0", 1: "DOUBLE", 2: "REDOUBLE"}, "a double status is 0, DOUBLE or REDOUBLE")
VULNERABILITY: Final = _words(
    {each: "BOTH" if each is Vulnerability.ALL else each.name for each in Vulnerability},
    "a vulnerability is NONE, NS, EW or BOTH",
)
ANSWER: Final = _words({False: "NO", True: "YES"}, "YES or NO is expected")
FLAG: Final = _words({False: "0", True: "1"}, "0 or 1 is expected")

# Numbers, contracts, ids


def _parse_number(text: str) -> int:
    if re.fullmatch(r"-?[0-9]{1,9}", text) is None:
        raise FormatError(f"a whole number is expected, got {shown(text)}")
    return int(text)


def _parse_level(text: str) -> int:
    level = _parse_number(text)
    if not 1 <= level <= 7:
        raise FormatError(f"a contract value is 1 to 7, got {level}")
    return level


def _parse_contract(text: str) -> Contract:
    found = re.fullmatch(r"([1-7])(NT|[CDHS])(X{0,2})([NESW])", text.upper())
    if found is None:
        raise FormatError(f"a contract is PASS, or such as 4SXN, got {shown(text)}")
    return Contract(int(found[1]), SUIT.parse(found[2]), len(found[3]), POSITION.parse(found[4]))


def _parse_id(text: str) -> str:
    if _LETTERS_AND_DIGITS.fullmatch(text) is None or len(text) > ID_CHARS_MAX:
        raise FormatError(f"an id has letters and digits, at most {ID_CHARS_MAX}, got {shown(text)}")
    return text


NUMBER: Final = Codec(_parse_number)
LEVEL: Final = Codec(_parse_level)
CONTRACT: Final = Codec(_parse_contract, lambda contract: f"{contract}{contract.declarer.letter}", "PASS")
ID: Final = Codec(_parse_id)

# What games are called


class GameId(NamedTuple):
    """Where a table's players are: its game's id, and that of the tournament; None for a game of no tournament."""

    game: str
    tournament: str | None = None


def game_id(number: int) -> str:
    """Return the id of the game of a lobby that is the match of this number on record: `g7`."""
    return f"g{number}"


def game_number(id_: str) -> int:
    """Return the number of the game of a lobby with an id; 0 if it is none."""
    return int(id_[1:]) if id_[:1] == "g" and id_[1:].isdecimal() else 0


# Strings


def format_string(text: str) -> str:
    r"""Return a text as an argument: as it is if it has only letters and digits of ASCII, else quoted.

    Quotes and backslashes in it have a backslash before them; its rest beyond `STRING_BYTES_MAX` is cut. An end of a
    line in it becomes a blank, as no text may begin another line.
    """
    if _LETTERS_AND_DIGITS.fullmatch(text) and len(text) <= STRING_BYTES_MAX:
        return text
    one_line = text.replace("\r", " ").replace("\n", " ")
    escaped = one_line.replace("\\", "\\\\").replace('"', '\\"')
    data = escaped.encode()
    if len(data) > STRING_BYTES_MAX:
        escaped = data[:STRING_BYTES_MAX].decode(errors="ignore")
        if (len(escaped) - len(escaped.rstrip("\\"))) % 2:
            escaped = escaped[:-1]  # its backslash would escape the quote that follows
    return f'"{escaped}"'


def _parse_name(text: str) -> str:
    name = " ".join(text.split())
    if not name:
        raise FormatError("the message is HELLO name, and the name is empty")
    if len(name) > NAME_CHARS_MAX:
        raise FormatError(f"a name has at most {NAME_CHARS_MAX} characters, this one has {len(name)}")
    return name


def _parse_partner(text: str) -> str | None:
    name = " ".join(text.split())
    return name if name != LEFT_OUT else None


STRING: Final = Codec(str, format_string)
TEXT: Final = Codec(str, format_string, takes_all=True)
NAME: Final = Codec(_parse_name, format_string, takes_all=True)
PARTNER: Final = Codec(_parse_partner, format_string)

# Arguments of a line


def split_arguments(text: str) -> list[str]:
    """Split what follows the name of a message into arguments; quoted strings lose their quotes.

    Blanks after the commas of a list are left out.

    Raises:
        FormatError: a quotation mark is not closed, or something follows it.
    """
    if '"' not in text and ", " not in text:
        return text.split()  # as nearly all lines are
    arguments = []
    for found in _ARGUMENT.finditer(text):
        match found.lastgroup:
            case "quoted":
                arguments.append(re.sub(r"\\(.)", r"\1", found["quoted"]))
            case "plain":
                arguments.append("".join(found["plain"].split()))
            case _:
                raise FormatError('a quoted string ends with ", and a blank follows')
    return arguments
