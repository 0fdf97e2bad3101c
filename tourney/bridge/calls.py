"""Calls: pass, double, redouble and the 35 bids."""

import enum
from typing import Final, NamedTuple, TypeAlias

from tourney.bridge.cards import Strain
from tourney.errors import FormatError


class Bid(NamedTuple):
    """A bid. Bids are ordered by level, then strain, as an auction requires (Laws 2017, Law 18)."""

    level: int
    strain: Strain

    def __str__(self) -> str:
        """`1NT`, `4S`."""
        return f"{self.level}{self.strain.letters}"


class Action(enum.StrEnum):
    """The calls other than bids, as their PBN texts."""

    PASS = "Pass"
    DOUBLE = "X"
    REDOUBLE = "XX"


Call: TypeAlias = Bid | Action

PASS: Final = Action.PASS
DOUBLE: Final = Action.DOUBLE
REDOUBLE: Final = Action.REDOUBLE

BIDS: Final = tuple(Bid(level, strain) for level in range(1, 8) for strain in Strain)
"""All 35 bids, lowest first."""

CALLS: Final[tuple[Call, ...]] = (PASS, DOUBLE, REDOUBLE, *BIDS)

_BY_TEXT: Final[dict[str, Call]] = {str(call): call for call in CALLS}


def parse_call(text: str) -> Call:
    """Parse a call from its PBN text: `Pass`, `X`, `XX`, `1C` .. `7NT`, in this casing.

    Raises:
        FormatError: the text is not a call.
    """
    call = _BY_TEXT.get(text)
    if call is None:
        raise FormatError(f"a call is Pass, X, XX or 1C..7NT, got {text!r}")
    return call
