"""Points of single players where partners change after each chicago: each scores what its side of the moment does."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tourney.bridge import SEATS
from tourney.scoring.ledger import NO_POINTS, LedgerEntry


@dataclass(frozen=True, slots=True)
class PlayerPoints:
    """What the sides that a player was of have scored, and what their opponents have: points, or IMPs."""

    won: int = 0
    lost: int = 0

    @property
    def net(self) -> int:
        """What players rank by; over the four of them it adds up to 0."""
        return self.won - self.lost


def add_up_players(entries: Iterable[LedgerEntry], seats_of: Callable[[int], Sequence[int]]) -> list[PlayerPoints]:
    """Return the points of each of four players.

    Args:
        entries: the deals in the order of play.
        seats_of: which player, 0..3, sits North, East, South and West in a chicago, by its number from 0.
    """
    points = [PlayerPoints()] * len(SEATS)
    before, chicago = NO_POINTS, 0
    for entry in entries:
        scored = entry.after.totals - before
        for seat, player in zip(SEATS, seats_of(chicago), strict=True):
            own = points[player]
            points[player] = PlayerPoints(own.won + scored[seat.side], own.lost + scored[seat.side.other])
        before, chicago = entry.after.totals, entry.after.completed
    return points
