"""Where a table's boards come from: a list, or whatever says which is next, given the results so far."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from tourney.bridge import Board, Result, Side


@dataclass(frozen=True, slots=True)
class LineScore:
    """What one side has on the score sheet of a game, by results at the table alone."""

    above: int
    """Points above the line, with those below it of games that are over: above and below are the total."""
    below: int
    """Points below the line towards the game that is being played."""
    is_vulnerable: bool
    """Whether it is vulnerable on the next deal."""


class BoardSource(Protocol):
    """The boards that a table still has to play, in order."""

    finished: int
    """Number of boards that are finished, in earlier sessions as well."""

    @property
    def is_minibridge(self) -> bool:
        """Whether the boards are played as Minibridge."""

    @property
    def line_scores(self) -> Mapping[Side, LineScore] | None:
        """The score of a game that is played over several deals, before the next; None for any others."""

    def __len__(self) -> int:
        """Return the number of boards left; at most, if their number depends on results."""

    @property
    def is_decided(self) -> bool:
        """Whether results have made further boards unnecessary."""

    def take(self) -> Board:
        """Take the next board."""

    def put_back(self, board: Board) -> None:
        """Have a board that was taken played next, as it is."""

    def add(self, board: Board) -> None:
        """Have a finished board played again, after the others."""

    def note_end(self, board: Board, result: Result | None) -> None:
        """Note that a board is finished; without a result it was forfeited."""

    def clear(self) -> None:
        """Drop the boards that are left."""


class BoardList:
    """Boards that are known beforehand, whatever their results are."""

    def __init__(self, boards: Iterable[Board], finished: int = 0) -> None:
        self._left = deque(boards)
        self.finished = finished

    @property
    def is_minibridge(self) -> bool:
        return False

    @property
    def line_scores(self) -> Mapping[Side, LineScore] | None:
        return None

    def __len__(self) -> int:
        return len(self._left)

    @property
    def is_decided(self) -> bool:
        return False

    def take(self) -> Board:
        return self._left.popleft()

    def put_back(self, board: Board) -> None:
        self._left.appendleft(board)

    def add(self, board: Board) -> None:
        self._left.append(board)

    def note_end(self, board: Board, result: Result | None) -> None:  # noqa: ARG002 # nothing depends on them
        self.finished += 1

    def clear(self) -> None:
        self._left.clear()
