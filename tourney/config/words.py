"""The words of the event file that other rooms use as well. Plain: whoever reads the record needs no event file."""

import enum
from typing import Literal

from tourney.bridge import Side


class StageFormat(enum.StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    DOUBLE_ROUND_ROBIN = "double-round-robin"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    GAUNTLET = "gauntlet"
    MATCH = "match"

    @property
    def is_round_robin(self) -> bool:
        return self in (StageFormat.ROUND_ROBIN, StageFormat.DOUBLE_ROUND_ROBIN)

    @property
    def cycles(self) -> Literal[1, 2]:
        """How often everybody meets everybody in a round robin."""
        return 2 if self is StageFormat.DOUBLE_ROUND_ROBIN else 1

    @property
    def is_knockout(self) -> bool:
        """Who wins a match goes on: what counts are IMPs, carry-over included. A single match is the last of one."""
        return self in (StageFormat.KNOCKOUT, StageFormat.MATCH)

    @property
    def stage_name(self) -> str:
        """What a stage is called that has no name of its own."""
        return "Round robin" if self.is_round_robin else self.value.capitalize()


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
