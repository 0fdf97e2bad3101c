"""`[lobby]`: what its players may use, and the kinds of games that they can make, a stage each."""

import enum
from typing import Annotated, Any, Final

from tourney.config.base import Section, between
from tourney.contest import FORMATS
from tourney.protocol.session.rules import RemedyName, TableRules, TimeLimit, TimeRules, UndoRule

MINIBRIDGE_DEALS: Final = 4
"""Deals of a game of Minibridge: each player deals one."""

BOARD_BREAK_MS: Final = 30_000
"""How long a table waits at most, after a board, for people who say when they are ready (SS-48)."""

ENDLESS_MS: Final = 10 * 365 * 24 * 3600 * 1000
"""No limit: the lobby itself frees seats and breaks games off, and nobody forfeits anything in it."""


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


STAGES: Final[dict[LobbyKind, dict[str, Any]]] = {
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
"""The stages of a lobby as the sections of an event file, in the order of `LobbyKind`."""


class LobbyConfig(Section):
    """`[lobby]`. What is left out is as `tourney lobby` writes the file."""

    games: Annotated[int, between(1, 1000)] = 250
    """Games that may be open at once, forming or in play."""
    starts_per_name: Annotated[int, between(1, 1000)] = 6
    """Games that one player may make within a minute; all players at one address together may make 30, or as many."""
    clients_per_address: Annotated[int, between(1, 10_000)] = 64
    """Connections from one address at once, and a quarter of those that it may open within a minute."""
    start_s: Annotated[int, between(1, 86_400)] = 60
    """Seconds after the last player has come when a tournament begins by itself, once it can."""
    chat: bool = True
    """Whether players may talk to each other in games."""

    def table_rules(self, undo: UndoRule) -> TableRules:
        """Return the rules of its tables: whoever plays out of turn is told so, and nobody loses a board by it."""
        warn = TimeLimit(None, RemedyName.WARN)
        return TableRules(
            time=TimeRules(
                call=warn,
                board=warn,
                match=warn,
                stall_ms=ENDLESS_MS,
                ready_ms=ENDLESS_MS,
                absence_ms=ENDLESS_MS,
                rejoin_ms=ENDLESS_MS,
            ),
            irregularities_max=1_000_000,
            irregularity_remedy=RemedyName.WARN,
            rejoins_max=1_000_000,
            claims=True,
            board_break_ms=BOARD_BREAK_MS,
            undo=undo,
            chat=self.chat,
        )
