"""Seats, sides and vulnerability."""

import enum
from collections.abc import Iterable
from typing import Final


class Side(enum.StrEnum):
    """A partnership at one table."""

    NS = "NS"
    EW = "EW"

    @property
    def other(self) -> "Side":
        return Side.EW if self is Side.NS else Side.NS

    @property
    def full_name(self) -> str:
        """`North-South` or `East-West`."""
        return "-".join(seat.title for seat in self.seats)

    @property
    def seats(self) -> "tuple[Seat, Seat]":
        """The seats of the two partners, North or East first."""
        return (Seat.NORTH, Seat.SOUTH) if self is Side.NS else (Seat.EAST, Seat.WEST)


SIDES: Final = tuple(Side)


class Seat(enum.IntEnum):
    """A chair at the table, numbered clockwise from North so that `(dealer + i) % 4` makes call `i`."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    # Attributes, not properties: each is read many times for every call and card.
    next: "Seat"
    """The left-hand opponent, who acts next in turn."""
    partner: "Seat"
    previous: "Seat"
    """The right-hand opponent."""
    side: Side
    letter: str
    """`N`, `E`, `S` or `W`, as PBN and the record have it."""
    title: str
    """`North`, `East`, `South` or `West`, as the wire has it."""

    def __str__(self) -> str:
        return self.title

    def __format__(self, spec: str) -> str:
        return format(self.title, spec)

    def plus(self, steps: int) -> "Seat":
        """The seat `steps` places clockwise."""
        return SEATS[(self + steps) % 4]

    @classmethod
    def from_letter(cls, letter: str) -> "Seat":
        """The seat of `N`, `E`, `S` or `W`; raises KeyError for any other text."""
        return _BY_LETTER[letter]

    @classmethod
    def from_letters(cls, letters: Iterable[str]) -> "tuple[Seat, ...]":
        """The seats of many letters; raises KeyError for any other text."""
        return tuple(map(_BY_LETTER.__getitem__, letters))


SEATS: Final = (Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST)
for _seat in SEATS:
    _seat.next, _seat.partner, _seat.previous = (SEATS[(_seat + steps) % 4] for steps in (1, 2, 3))
    _seat.side = SIDES[_seat % 2]
    _seat.letter, _seat.title = _seat.name[0], _seat.name.capitalize()
_BY_LETTER: Final = {seat.letter: seat for seat in SEATS}


class Vulnerability(enum.StrEnum):
    """Which sides are vulnerable, in the words of PBN 2.1."""

    NONE = "None"
    NS = "NS"
    EW = "EW"
    ALL = "All"

    def includes(self, side: Side) -> bool:
        return self in ("All", side)


def board_dealer(number: int) -> Seat:
    """Dealer of a board by its number: North deals board 1, then clockwise (Laws 2017, Law 2)."""
    return SEATS[(number - 1) % 4]


_VULNERABILITY_CYCLE: Final = tuple(Vulnerability)


def board_vulnerability(number: int) -> Vulnerability:
    """Vulnerability of a board by its number: a cycle of 16, shifted by one every four (Laws 2017, Law 2)."""
    index = number - 1
    return _VULNERABILITY_CYCLE[(index + index // 4) % 4]
