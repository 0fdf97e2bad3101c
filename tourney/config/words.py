"""The words of the event file that other rooms use as well. Plain: whoever reads the record needs no event file."""

import enum

from tourney.bridge import Side


class SharedDeals(enum.StrEnum):
    """Which matches play the same boards."""

    ROUND = "round"
    MATCH = "match"


class EarlyLeavers(enum.StrEnum):
    """What becomes of the scores of a team that leaves before half of its matches were played."""

    FORGET = "forget"
    """They are cancelled, those of its opponents against it too."""
    FORFEIT = "forfeit"
    """They stand, and what is left is forfeited, as for a team that leaves later."""


class OpenRoomSide(enum.StrEnum):
    """A way to sit in the open room."""

    NORTH_SOUTH = "north-south"
    EAST_WEST = "east-west"

    @property
    def side(self) -> Side:
        return Side.NS if self is OpenRoomSide.NORTH_SOUTH else Side.EW
