"""`[lobby]`: what its players may use, and the kinds of games that they can make, a stage each."""

import enum
from typing import Annotated, Any, Final

from pydantic import Field

from tourney.config.base import Section
from tourney.contest import FORMATS

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


class LobbyConfig(Section):
    """`[lobby]`. What is left out is as `tourney lobby` writes the file."""

    games: Annotated[int, Field(ge=1, le=1000)] = 250
    """Games that may be open at once, forming or in play."""
    starts_per_name: Annotated[int, Field(ge=1, le=1000)] = 6
    """Games that one player may make within a minute; all players at one address together five times as many."""
    clients_per_address: Annotated[int, Field(ge=1, le=10_000)] = 64
    """Connections from one address at once."""
    start_s: Annotated[int, Field(ge=1, le=86_400)] = 60
    """Seconds after the last player has come when a tournament begins by itself, once it can."""
    chat: bool = True
    """Whether players may talk to each other in games."""
