"""The boards that a table still has to play, and the score of a game that is played over several of them."""

from collections import deque
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tourney.bridge import Board, Result, Side


class LineScore(NamedTuple):
    """What one side has on the score sheet of a game, by results at the table alone."""

    above: int
    """Points above the line, with those below it of games that are over: above and below are the total."""
    below: int
    """Points below the line towards the game that is being played."""
    is_vulnerable: bool
    """Whether it is vulnerable on the next deal."""


class BoardQueue:
    """The boards of a table in order, known beforehand. A subclass has boards that depend on results."""

    may_repeat = True
    """Whether a board that has finished may be played again: no other follows from its result."""

    def __init__(self, boards: Iterable[Board]) -> None:
        self._left = deque(boards)
        self.finished = 0
        """Number of boards that are finished; those of earlier sessions count where boards depend on results."""

    def __len__(self) -> int:
        """Return the number of boards left; at most, if their number depends on results."""
        return len(self._left)

    @property
    def is_decided(self) -> bool:
        """Whether results have made further boards unnecessary."""
        return False

    @property
    def is_minibridge(self) -> bool:
        """Whether the boards are played as Minibridge."""
        return False

    @property
    def line_scores(self) -> Mapping[Side, LineScore] | None:
        """The score of a game that is played over several deals, before the next; None for any others."""
        return None

    def take(self) -> Board:
        """Take the next board."""
        return self._left.popleft()

    def put_back(self, board: Board) -> None:
        """Have a board that was taken played next, as it is."""
        self._left.appendleft(board)

    def add(self, board: Board) -> None:
        """Have a finished board played again, after the others."""
        self._left.append(board)

    def note_end(self, board: Board, result: Result | None) -> None:  # noqa: ARG002 # nothing depends on them here
        """Note that a board is finished; without a result it was forfeited."""
        self.finished += 1

    def clear(self) -> None:
        """Drop the boards that are left."""
        self._left.clear()
