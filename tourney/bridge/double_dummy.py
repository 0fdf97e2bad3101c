"""The double-dummy table of a deal: the tricks of each declarer when everybody sees all cards."""

from dataclasses import dataclass
from itertools import product
from typing import Final

from tourney.bridge.cards import Strain
from tourney.bridge.seats import Seat
from tourney.errors import RuleError

DECLARERS: Final = (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
STRAINS: Final = tuple(reversed(Strain))
TABLE_PLACES: Final = tuple(product(DECLARERS, STRAINS))
"""The order of figures in `DoubleDummyTricks`, a tag that programs write besides PBN 2.1's OptimumResultTable."""


@dataclass(frozen=True, slots=True)
class DoubleDummyTable:
    """Tricks of every declarer in every strain."""

    tricks: dict[tuple[Seat, Strain], int]

    def __str__(self) -> str:
        """Return 20 hexadecimal digits: declarers N, S, E, W, for each of them NT, S, H, D, C."""
        return "".join(f"{self.tricks[place]:x}" for place in TABLE_PLACES)

    @classmethod
    def parse(cls, text: str) -> "DoubleDummyTable":
        """Parse the output of `str`.

        Raises:
            RuleError: the text is not such a table.
        """
        digits = "0123456789abcd"
        if len(text) != len(TABLE_PLACES) or not set(text.lower()) <= set(digits):
            raise RuleError(f"a double dummy table is 20 digits of 0 to d, got {text!r}")
        return cls({place: digits.index(digit) for place, digit in zip(TABLE_PLACES, text.lower(), strict=True)})
