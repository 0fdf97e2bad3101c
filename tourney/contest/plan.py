"""The plan of a contest: the entrants of a stage, and the rounds, matches and tables stored as its draw.

The record groups tables into matches (`matches` and `tables` of the schema): a match is a home and an away entrant, a
set of boards, and for each segment of it one table in each of its rooms. A contest of two tables a match uses the
open and the closed room; one that needs a single table uses the open room only. A table of a pairs movement, where
each row has its own North-South, East-West and set, is a match with one table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol

from tourney.bridge import Side
from tourney.movement.carry_over import CarryOver, ImpHundredths
from tourney.movement.groups import deal_into_groups
from tourney.movement.pairs.planning import MovementSettings
from tourney.movement.round_robin import Pairing
from tourney.movement.seating import Room, RoomSeating, SeatsRule, SharedDeals
from tourney.scoring.victory_points import VpHundredths

if TYPE_CHECKING:
    from tourney.contest.kind import Contest

NO_CARRY: Final = ImpHundredths(0)
NO_VP: Final = VpHundredths(0)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A participant in the event, with its number in the draw."""

    number: int
    name: str
    open_room: Side | None = None
    """The direction it takes in the open room when it has the choice."""


class StageSettings(Protocol):
    """The settings of a stage of an event file that its contest reads."""

    @property
    def format(self) -> "Contest": ...
    @property
    def groups(self) -> int:
        """Number of round robins played side by side."""

    @property
    def rounds(self) -> int | None:
        """Number of rounds in the event file; None if the contest determines it."""

    @property
    def third_place(self) -> bool:
        """Whether the beaten semi-finalists play for third place."""

    @property
    def movement_settings(self) -> MovementSettings:
        """What is said about the movement of a pairs stage."""

    @property
    def matches(self) -> int:
        """Number of matches that a duel is divided into."""

    @property
    def boards_per_match(self) -> int: ...
    @property
    def vp_scale(self) -> str: ...
    @property
    def scoring(self) -> str | None:
        """The word for how boards are scored, if the event file has one."""

    @property
    def scoring_in_use(self) -> str:
        """That word, or else the usual one."""

    @property
    def segments(self) -> int:
        """Number of parts of a match, each with the same number of boards."""

    @property
    def seats(self) -> SeatsRule: ...


@dataclass(frozen=True, slots=True)
class PlannedEntry:
    """A team in a stage, identified by its number in the draw."""

    team: int
    group: int = 1
    rank: int = 0
    """Its rank in its group of the previous stage; 0 in the first stage."""
    from_round: int = 1
    """The first round of the stage that it plays."""
    carry_vp: VpHundredths = NO_VP
    """Its carry-over from the previous stage."""


@dataclass(frozen=True, slots=True)
class RoundDraw:
    """The pairings of a round of a stage; the match for third place comes last."""

    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...] = ()
    has_third_place: bool = False
    sets: tuple[int, ...] = ()
    """The number of the board set of each pairing, from 1, where a movement says so; otherwise empty."""


@dataclass(frozen=True, kw_only=True)
class StagePlan:
    """A stage as the event file describes it, before any of it is drawn."""

    number: int
    settings: StageSettings
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


def deal_entries(entries: Sequence[PlannedEntry], groups: int) -> tuple[PlannedEntry, ...]:
    """Deal the entries, given in the order of their seeds, into the groups of a stage."""
    groups = min(groups, len(entries) // 2)  # fewer take part if teams have left the event
    if groups <= 1:
        return tuple(entries)
    seeds = deal_into_groups(range(1, len(entries) + 1), groups)
    group_of = {seed: group for group, members in enumerate(seeds, 1) for seed in members}
    return tuple(
        PlannedEntry(e.team, group_of[seed], e.rank, e.from_round, e.carry_vp) for seed, e in enumerate(entries, 1)
    )
