"""What sets players of one style apart: whims, each a fixed function of the seed, the board and the matter."""

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Temper:
    """The whims of one player on one board. Two players with the same seed have the same."""

    seed: int
    board: int

    def whim(self, matter: str) -> float:
        """From -1 to 1, evenly; the same for the same matter, on any machine."""
        return random.Random(f"{self.seed}|{self.board}|{matter}").uniform(-1, 1)
