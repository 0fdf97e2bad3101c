"""The schedule: the draw as it is stored, with the numbers of the boards of each match."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo, MatchInfo
from tourney.store.results.matches import load_board_set_numbers

_KNOCKOUT_ROUNDS: Final = {1: "final", 2: "semi-finals", 4: "quarter-finals"}
"""By the number of teams that go on."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Who meets whom, where and on which boards."""

    event: EventInfo
    board_numbers: Mapping[int, list[int]]
    """By the id of the set, in the order of play."""

    def boards_of(self, match: MatchInfo) -> list[int]:
        """Numbers of a match's boards, in the order of play."""
        return self.board_numbers[match.board_set_id][: match.boards]


def load_schedule(database: Database, event: EventInfo) -> Schedule:
    """The stored draw.

    Raises:
        StoreError: the database cannot be used.
    """
    return Schedule(event, load_board_set_numbers(database, event.id))


def describe_round(event: EventInfo, number: int) -> str:
    """`Round 3`; in an event of several stages `Round 9, Finals: semi-finals`."""
    round_ = event.all_rounds[number - 1]
    stage = event.stages[round_.stage - 1]
    if len(event.stages) == 1 and not stage.format.is_knockout:
        return f"Round {number}"
    name = stage.name
    if stage.format.is_knockout and stage.format.is_drawn_by_round and round_.is_drawn:
        matches = sum(not match.is_third_place for match in round_.matches) + len(round_.byes)
        if matches in _KNOCKOUT_ROUNDS and _KNOCKOUT_ROUNDS[matches].rstrip("s") != name.casefold().rstrip("s"):
            name += f": {_KNOCKOUT_ROUNDS[matches]}"
    return f"Round {number}, {name}"


def describe_byes(byes: Sequence[str]) -> str:
    """`Alpha and Beta sit out`."""
    *others, last = byes
    names = f"{', '.join(others)} and {last}" if others else last
    return f"{names} {'sit' if others else 'sits'} out"


def format_ranges(numbers: list[int]) -> str:
    """`1-16`, `1-4, 9, 11-12`: runs that count up by one are drawn together, the order is kept."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
