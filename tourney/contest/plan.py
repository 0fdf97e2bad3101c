"""What a contest plans: who enters a stage, and the rounds, matches and tables that are stored as its draw.

The record groups tables into matches (`matches` and `tables` of the schema): a match is a home and an away entrant, a
set of boards, and for each segment of it one table in each of its rooms. A contest of two tables a match uses the
open and the closed room; one that needs a single table uses the open room only. A table of a pairs movement, where
each row has its own North-South, East-West and set, is a match with one table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

from tourney.bridge import Side
from tourney.config.values import SharedDeals
from tourney.movement.carry_over import CarryOver, ImpHundredths
from tourney.movement.formats import StageFormat, StageSettings
from tourney.movement.seating import Room, RoomSeating, SeatsRule

NO_CARRY: Final = ImpHundredths(0)


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who may play, by its number in the draw."""

    number: int
    name: str
    open_room: Side | None = None
    """The direction that it takes in the open room when it may choose."""


class SeatSettings(Protocol):
    """What of a stage says how long a match is, and how its seats change."""

    @property
    def boards_per_match(self) -> int: ...
    @property
    def segments(self) -> int:
        """Parts of a match of the same number of boards."""

    @property
    def seats(self) -> SeatsRule: ...


class PlanSettings(StageSettings, SeatSettings, Protocol):
    """A stage of an event file."""


@dataclass(frozen=True, kw_only=True)
class StagePlan:
    """A stage as the event file has it, before anything of it is drawn."""

    number: int
    settings: PlanSettings
    entrants: Sequence[Entrant]
    """Everybody in the event, by number."""
    size: int
    """How many the stage is for; fewer come when entrants have left the event."""
    goes_on: int | None = None
    """How many go on into it from the stage before; None for all."""
    shared: SharedDeals = SharedDeals.ROUND
    head: int | None = None
    """Who meets all others, where the event file names one."""
    carry_over: CarryOver | None = None

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number in the draw of each entrant, by name."""
        return {entrant.name: entrant.number for entrant in self.entrants}

    def number_of(self, name: str) -> int:
        """The number of an entrant in the draw."""
        return self.numbers[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRules:
    """What the draw keeps of a stage's settings, each under the name of its column."""

    name: str
    format: StageFormat
    boards_per_match: int
    vp_scale: str
    shared_deals: SharedDeals
    groups: int
    segments: int
    seats: SeatsRule
    extra_boards: int
    """How many a level match gets each time; 0 for none."""


@dataclass(frozen=True, slots=True)
class PlannedSegment:
    """Boards of a match that are played in one seating; `first` counts from 0 in the order of play."""

    first: int
    boards: int
    seating: dict[Room, RoomSeating]
    """One table in each room that the match uses."""


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match to be stored: entrants by number in the draw, its segments, and its set of boards."""

    home: int
    away: int
    segments: tuple[PlannedSegment, ...]
    board_set: str
    carry_home: ImpHundredths = NO_CARRY
    """What the home team brings along from the stage before."""
    carry_away: ImpHundredths = NO_CARRY
    is_third_place: bool = False

    @property
    def boards(self) -> int:
        return sum(segment.boards for segment in self.segments)


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A round to be stored: who meets whom, and who sits out."""

    matches: tuple[PlannedMatch, ...]
    byes: tuple[int, ...]
