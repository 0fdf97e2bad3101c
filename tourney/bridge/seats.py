"""Seats, sides and vulnerability."""

import enum
from typing import Final


class Side(enum.StrEnum):
    """A partnership at one table."""

    NS = "NS"
    EW = "EW"

    @property
    def other(self) -> "Side":
        return Side.EW if self is Side.NS else Side.NS


class Seat(enum.IntEnum):
    """A chair at the table, numbered clockwise from North so that `(dealer + i) % 4` makes call `i`."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    @property
    def next(self) -> "Seat":
        """The left-hand opponent, who acts next in turn."""
        return SEATS[(self + 1) % 4]

    @property
    def partner(self) -> "Seat":
        return SEATS[(self + 2) % 4]

    @property
    def previous(self) -> "Seat":
        """The right-hand opponent."""
        return SEATS[(self + 3) % 4]

    @property
    def side(self) -> Side:
        return _SIDES[self]

    @property
    def letter(self) -> str:
        """`N`, `E`, `S` or `W`, as PBN and the record have it."""
        return "NESW"[self]

    @property
    def title(self) -> str:
        """`North`, `East`, `South` or `West`, as the wire has it."""
        return _TITLES[self]

    def plus(self, steps: int) -> "Seat":
        """The seat `steps` places clockwise."""
        return SEATS[(self + steps) % 4]

    @classmethod
    def from_letter(cls, letter: str) -> "Seat":
        """The seat of `N`, `E`, `S` or `W`; raises KeyError for any other text."""
        return _BY_LETTER[letter]


SEATS: Final = (Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST)
_SIDES: Final = (Side.NS, Side.EW, Side.NS, Side.EW)
_TITLES: Final = ("North", "East", "South", "West")
_BY_LETTER: Final = {"N": Seat.NORTH, "E": Seat.EAST, "S": Seat.SOUTH, "W": Seat.WEST}


class Vulnerability(enum.StrEnum):
    """Which sides are vulnerable, in the words of PBN 2.1."""

    NONE = "None"
    NS = "NS"
    EW = "EW"
    ALL = "All"

    def includes(self, side: Side) -> bool:
        return self is Vulnerability.ALL or self.value == side.value


def board_dealer(number: int) -> Seat:
    """Dealer of a board by its number: North deals board 1, then clockwise (Laws 2017, Law 2)."""
    return SEATS[(number - 1) % 4]


_VULNERABILITY_CYCLE: Final = (Vulnerability.NONE, Vulnerability.NS, Vulnerability.EW, Vulnerability.ALL)


def board_vulnerability(number: int) -> Vulnerability:
    """Vulnerability of a board by its number: a cycle of 16, shifted by one every four (Laws 2017, Law 2)."""
    index = number - 1
    return _VULNERABILITY_CYCLE[(index + index // 4) % 4]
