"""Chicago with changing partners: where four players sit, so that each plays with every other."""

from typing import Final

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
