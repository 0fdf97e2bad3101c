"""The stages of a lobby: the kinds of games that its players can make, one stage each."""

import enum
from typing import Any, Final

from tourney.movement.formats import FORMATS
from tourney.scoring.chicago import HANDS
from tourney.scoring.games import DEALS_OF_CHICAGO, DEALS_OF_RUBBER, MINIBRIDGE_REDEALS_MIN

MINIBRIDGE_DEALS: Final = 4
"""Deals of a game of Minibridge: each player deals one."""


class LobbyKind(enum.StrEnum):
    """A kind of game. The value is the word with which a player asks for it."""

    RUBBER = "rubber"
    CHICAGO = "chicago"
    MINIBRIDGE = "minibridge"
    DUPLICATE = "duplicate"

    @property
    def stage(self) -> int:
        """The number of its stage in a lobby."""
        return list(LobbyKind).index(self) + 1


_STAGES: Final[dict[LobbyKind, dict[str, Any]]] = {
    LobbyKind.RUBBER: {
        "name": "Rubber bridge",
        "format": FORMATS["rubber lobby"],
        "game": "rubber",
        "boards_per_match": DEALS_OF_RUBBER,
    },
    LobbyKind.CHICAGO: {
        "name": "Chicago",
        "format": FORMATS["chicago lobby"],
        "game": "chicago",
        "boards_per_match": DEALS_OF_CHICAGO,
    },
    LobbyKind.MINIBRIDGE: {
        "name": "Minibridge",
        "format": FORMATS["minibridge lobby"],
        "game": "minibridge",
        "deals": MINIBRIDGE_DEALS,
        "boards_per_match": MINIBRIDGE_DEALS + MINIBRIDGE_REDEALS_MIN,
    },
    # Four boards with the dealers and vulnerabilities of boards 1 to 4, each scored by itself.
    LobbyKind.DUPLICATE: {
        "name": "Duplicate boards",
        "format": FORMATS["chicago lobby"],
        "game": "chicago",
        "scoring": "duplicate",
        "passed_out": "counts",
        "boards_per_match": HANDS,
    },
}


def lobby_stages() -> list[dict[str, Any]]:
    """Return the stages of a lobby as the sections of an event file, in the order of `LobbyKind`."""
    return [dict(_STAGES[kind]) for kind in LobbyKind]
