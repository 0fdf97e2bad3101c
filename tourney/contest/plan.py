"""The plan of a contest: the entrants of a stage, and the rounds, matches and tables stored as its draw.

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
    """A participant in the event, with its number in the draw."""

    number: int
    name: str
    open_room: Side | None = None
    """The direction it takes in the open room when it has the choice."""


class SeatSettings(Protocol):
    """The settings of a stage that determine the length of a match and how its seats change."""

    @property
    def boards_per_match(self) -> int: ...
    @property
    def segments(self) -> int:
        """Number of parts of a match, each with the same number of boards."""

    @property
    def seats(self) -> SeatsRule: ...


class PlanSettings(StageSettings, SeatSettings, Protocol):
    """A stage of an event file."""


@dataclass(frozen=True, kw_only=True)
class StagePlan:
    """A stage as the event file describes it, before any of it is drawn."""

    number: int
    settings: PlanSettings
    entrants: Sequence[Entrant]
    """All entrants of the event, by number."""
    size: int
    """Number of entrants the stage is planned for; fewer take part if some have withdrawn."""
    goes_on: int | None = None
    """Number of entrants that advance to it from the previous stage; None for all."""
    shared: SharedDeals = SharedDeals.ROUND
    head: int | None = None
    """The entrant that meets all others, if the event file names one."""
    carry_over: CarryOver | None = None

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Each entrant's number in the draw, by name."""
        return {entrant.name: entrant.number for entrant in self.entrants}

    def number_of(self, name: str) -> int:
        """Return the number of an entrant in the draw."""
        return self.numbers[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRules:
    """The settings of a stage that are stored with the draw, each under the name of its column."""

    name: str
    format: StageFormat
    boards_per_match: int
    vp_scale: str
    shared_deals: SharedDeals
    groups: int
    segments: int
    seats: SeatsRule
    extra_boards: int
    """Number of boards a tied match gets each time; 0 for none."""


@dataclass(frozen=True, slots=True)
class PlannedSegment:
    """Boards of a match that are played with the same seats; `first` counts from 0 in the order of play."""

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
    """The home team's carry-over from the previous stage."""
    carry_away: ImpHundredths = NO_CARRY
    is_third_place: bool = False

    @property
    def boards(self) -> int:
        return sum(segment.boards for segment in self.segments)


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A round to be stored: its matches, and who sits out."""

    matches: tuple[PlannedMatch, ...]
    byes: tuple[int, ...]


def seat_at_one_table(settings: SeatSettings, home: Entrant, away: Entrant) -> tuple[PlannedSegment, ...]:
    """Return the only segment of a match that has one table: the home side sits North-South in the open room."""
    seats = RoomSeating(Room.OPEN, home.number, away.number, ns_pair=1, ew_pair=1)
    return (PlannedSegment(0, settings.boards_per_match, {Room.OPEN: seats}),)
