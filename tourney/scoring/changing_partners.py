"""Chicago with changing partners: where four players sit, and what each scores with its partner of the moment."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tourney.bridge import SEATS
from tourney.scoring.ledger import NO_POINTS, LedgerEntry

CHICAGOS_OF_ROTATION: Final = 3
"""The chicagos after which every player has had each other one as partner; then the seats are those of the first."""


def seat_four(chicago: int) -> tuple[int, int, int, int]:
    """Return which player, 0..3, sits North, East, South and West.

    The player at North stays; after each chicago the others move on one seat clockwise, past North.

    Args:
        chicago: the number of the chicago, from 0.
    """
    moved = chicago % CHICAGOS_OF_ROTATION
    east, south, west = (1 + (place - moved) % CHICAGOS_OF_ROTATION for place in range(3))
    return 0, east, south, west


@dataclass(frozen=True, slots=True)
class PlayerPoints:
    """What the sides that a player was of have scored, and what their opponents have: points, or IMPs."""

    won: int = 0
    lost: int = 0

    @property
    def net(self) -> int:
        """What players rank by; over the four of them it adds up to 0."""
        return self.won - self.lost


def add_up_players(entries: Iterable[LedgerEntry]) -> list[PlayerPoints]:
    """Return the points of each of four players, given the deals in the order of play."""
    points = [PlayerPoints()] * len(SEATS)
    before, chicago = NO_POINTS, 0
    for entry in entries:
        scored = entry.after.totals - before
        for seat, player in zip(SEATS, seat_four(chicago), strict=True):
            own = points[player]
            points[player] = PlayerPoints(own.won + scored[seat.side], own.lost + scored[seat.side.other])
        before, chicago = entry.after.totals, entry.after.completed
    return points
