"""The stages of a lobby: the kinds of games that its players can make, one stage each."""

import enum
from typing import Any, Final

from tourney.movement.formats import FORMATS

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
    LobbyKind.RUBBER: {"name": "Rubber bridge", "format": FORMATS["rubber lobby"]},
    LobbyKind.CHICAGO: {"name": "Chicago", "format": FORMATS["chicago lobby"]},
    LobbyKind.MINIBRIDGE: {"name": "Minibridge", "format": FORMATS["minibridge lobby"], "deals": MINIBRIDGE_DEALS},
    # Four boards with the dealers and vulnerabilities of boards 1 to 4, each scored by itself.
    LobbyKind.DUPLICATE: {
        "name": "Duplicate boards",
        "format": FORMATS["chicago lobby"],
        "scoring": "duplicate",
        "passed_out": "counts",
    },
}


def lobby_stages() -> list[dict[str, Any]]:
    """Return the stages of a lobby as the sections of an event file, in the order of `LobbyKind`."""
    return [dict(_STAGES[kind]) for kind in LobbyKind]
