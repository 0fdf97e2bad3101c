"""The schedule: the draw as it is stored, with the numbers of the boards of each match."""

from collections.abc import Mapping
from dataclasses import dataclass

from tourney.store.database import Database
from tourney.store.objects import EventInfo, MatchInfo
from tourney.store.results import load_board_set_numbers


@dataclass(frozen=True, slots=True)
class Schedule:
    """Who meets whom, where and on which boards."""

    event: EventInfo
    board_numbers: Mapping[int, list[int]]
    """By the id of the set, in the order of play."""

    def boards_of(self, match: MatchInfo) -> list[int]:
        """Numbers of a match's boards, in the order of play."""
        return self.board_numbers[match.board_set_id]


def load_schedule(database: Database, event: EventInfo) -> Schedule:
    """The stored draw.

    Raises:
        StoreError: the database cannot be used.
    """
    return Schedule(event, load_board_set_numbers(database, event.id))


def format_ranges(numbers: list[int]) -> str:
    """`1-16`, `1-4, 9, 11-12`: runs that count up by one are drawn together, the order is kept."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
