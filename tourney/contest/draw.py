"""The draw of an event: its stages, rounds and matches, as they are planned, kept on record and played.

The record groups tables into matches (`matches` and `tables` of the schema): a match is a home and an away entrant, a
set of boards, and for each segment of it one table in each of its rooms. A contest of two tables a match uses the
open and the closed room; one that needs a single table uses the open room only. A table of a pairs movement, where
each row has its own North-South, East-West and set, is a match with one table.

A kind of contest plans these objects, the store writes and reads them, and the run plays them. What is not on record
yet has no ids, and no numbers that count through the event: they are 0.
"""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from tourney.bridge import Seat
from tourney.movement.carry_over import ImpHundredths
from tourney.movement.knockout import EXTRA_TIMES
from tourney.movement.seating import Room, SeatsRule, TableInfo
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.games import GameSettings
from tourney.scoring.victory_points import VpHundredths

if TYPE_CHECKING:
    from tourney.contest.kind import Contest

NO_CARRY: Final = ImpHundredths(0)
NO_VP: Final = VpHundredths(0)


class VoidMatches(enum.StrEnum):
    """What becomes of a match of which more than half of the boards were cancelled or not played."""

    AVERAGE_PLUS = "average-plus"
    """It is void: a team that is not at fault gets +3 IMPs a board on half of its boards."""
    AS_PLAYED = "as-played"
    """It counts by the boards that are left."""


@dataclass(frozen=True, slots=True)
class EntryInfo:
    """A team in a stage, by its name."""

    team: str
    group: int = 1
    """The number of its group, from 1."""
    rank: int = 0
    """Its rank in its group of the previous stage; 0 in the first stage."""
    from_round: int = 1
    """The first round of the stage in which it plays."""
    carry_vp: VpHundredths = NO_VP
    """Victory points carried over from the previous stage."""


@dataclass(frozen=True, kw_only=True)
class StageRules:
    """What a stage has laid down for all of its matches."""

    number: int
    name: str
    format: "Contest"
    boards_per_match: int
    vp_scale: str
    groups: int
    segments: int
    seats: SeatsRule
    extra_boards: int
    """Number of boards a tied match gets each time; 0 for none."""
    void_matches: VoidMatches
    board_scale: BoardScale
    """How the boards of its matches are scored."""
    game: GameSettings | None
    """The game that is played at one table; None for matches of teams in two rooms."""
    sections: int
    """In pairs events: how many sections are compared and ranked by themselves; 1 if the whole field is."""
    sessions: int
    """In pairs events: how many sessions of equal length it has."""


@dataclass(frozen=True, slots=True)
class SegmentInfo:
    """Boards of a match that are played in one seating: `boards` of them from position `first` on, from 0."""

    number: int
    first: int
    boards: int
    tables: dict[Room, TableInfo]

    @property
    def span(self) -> slice:
        """The positions of its boards in the order of play of the match."""
        return slice(self.first, self.first + self.boards)


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """A match of two entrants; `number` is what commands name, `round` counts through the event."""

    rules: StageRules
    """Those of its stage."""
    home: str
    away: str
    tables: tuple[TableInfo, ...]
    """The tables of all segments, in the order of play, the open room first."""
    board_set: str = ""
    """The name of its set of boards in a plan; on record the set is known by its id."""
    carry_home: ImpHundredths = NO_CARRY
    """IMPs that the home team has carried over from the previous stage."""
    carry_away: ImpHundredths = NO_CARRY
    is_third_place: bool = False
    players: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The two players of either side by its name where partners change; otherwise empty."""
    id: int = 0
    number: int = 0
    round: int = 0
    board_set_id: int = 0
    """Two matches with the same id play the same boards."""
    advanced: frozenset[str] | None = None
    """In a knockout, which of its teams are in the next round, or the next stage; None before that is drawn."""

    @property
    def stage(self) -> int:
        """The number of its stage."""
        return self.rules.number

    @property
    def format(self) -> "Contest":
        """The kind of contest of its stage."""
        return self.rules.format

    @property
    def board_scale(self) -> BoardScale:
        """How its boards are scored."""
        return self.rules.board_scale

    @property
    def game(self) -> GameSettings | None:
        """The game that its one table plays; None for a match of teams in two rooms."""
        return self.rules.game

    @property
    def extra_times_left(self) -> int:
        """How many times it still gets extra boards while it is level."""
        return self.rules.segments + EXTRA_TIMES - len(self.segments) if self.rules.extra_boards else 0

    @property
    def compared_scale(self) -> BoardScale | None:
        """How its boards are scored; None in pairs events, where nothing is compared within a match."""
        return self.format.compared_scale(self.board_scale)

    @property
    def ranking_scale(self) -> BoardScale | None:
        """The scale of what its teams rank by; None in a knockout, where who wins is all that counts."""
        return self.format.ranking_scale(self.board_scale)

    @property
    def teams(self) -> tuple[str, str]:
        """The two teams, the home team first."""
        return self.home, self.away

    def entrants_of(self, team: str) -> tuple[str, ...]:
        """Return whom a side is made of: the team itself, or two partners."""
        return self.players.get(team, (team,))

    @property
    def entrants(self) -> tuple[str, ...]:
        """The entrants of its stage that play in it: both teams, or the players of both partnerships."""
        return (*self.entrants_of(self.home), *self.entrants_of(self.away))

    def player_at(self, table: TableInfo, seat: Seat) -> str:
        """Return who sits in a seat: the team, or of two partners the first North or East, the second opposite."""
        members = self.entrants_of(table.team(seat.side))
        return members[0 if seat in (Seat.NORTH, Seat.EAST) else -1]

    def team_of(self, entrant: str) -> str:
        """Return the side that an entrant of the match belongs to, by its name."""
        return self.home if entrant in self.entrants_of(self.home) else self.away

    def opponents_of(self, entrant: str) -> str:
        """Return the side that an entrant of the match plays against, by its name."""
        return self.away if self.team_of(entrant) == self.home else self.home

    @property
    def boards(self) -> int:
        """The number of boards of its set that it plays, extra ones included."""
        return sum(table.boards for table in self.tables if table.room is self.tables[0].room)

    @property
    def boards_known(self) -> int | None:
        """The number of boards that it has; None of a game that goes on, where it depends on their results."""
        is_over = all(table.is_over for table in self.tables)
        return self.boards if is_over or not self.ends_by_results else None

    @property
    def ends_by_results(self) -> bool:
        """Whether results decide how many boards it has, so that some are only kept ready."""
        return self.format.ends_by_results(self.game)

    @property
    def segments(self) -> tuple[SegmentInfo, ...]:
        """Its parts in the order of play; extra boards of a tied match are segments too."""
        parts = (tuple(tables) for _, tables in groupby(self.tables, attrgetter("segment")))
        return tuple(
            SegmentInfo(first.segment, first.first, first.boards, {table.room: table for table in (first, *others)})
            for first, *others in parts
        )

    @property
    def tables_by_id(self) -> dict[int, TableInfo]:
        return {table.id: table for table in self.tables}

    @property
    def rooms(self) -> tuple[Room, ...]:
        """The rooms that it is played in."""
        return tuple(dict.fromkeys(table.room for table in self.tables))

    def tables_at(self, position: int) -> dict[Room, TableInfo]:
        """Return the tables that play the board at a position in the order of play, from 0."""
        return {each.room: each for each in self.tables if each.first <= position < each.first + each.boards}


@dataclass(frozen=True, slots=True)
class RoundAssignment:
    """What a match plays in a round: all of it, or in one of its rooms only."""

    match: MatchInfo
    rooms: tuple[Room, ...]
    round: int
    """The round, counted through the event; the match may belong to a later one."""

    @property
    def is_half(self) -> bool:
        """Whether the other room of the match has a sitting of its own, usually in another round."""
        return len(self.rooms) < len(self.match.rooms)

    @property
    def tables(self) -> tuple[TableInfo, ...]:
        """The tables of all segments in its rooms, in the order of play."""
        return tuple(table for table in self.match.tables if table.room in self.rooms)

    @property
    def teams(self) -> tuple[str, str]:
        """The home and the away team; of half a match, who sits North-South and East-West."""
        if not self.is_half:
            return self.match.teams
        (table,) = self.tables
        return table.ns_team, table.ew_team


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundInfo:
    """A round. `number` counts through the event and is what commands name, `number_in_stage` within its stage."""

    number_in_stage: int
    starts_at_ms: int | None = None
    is_drawn: bool = False
    """Whether its matches are known."""
    byes: tuple[str, ...] = ()
    matches: tuple[MatchInfo, ...] = ()
    """The matches that it decides, by number; the one for third place comes last."""
    assignments: tuple[RoundAssignment, ...] = ()
    """What is played in it on record, in the order of the tables."""
    id: int = 0
    number: int = 0
    stage: int = 0


@dataclass(frozen=True, kw_only=True)
class StageInfo(StageRules):
    """A stage, as far as it is drawn."""

    id: int = 0
    entries: tuple[EntryInfo, ...] = ()
    """In the order of their seeds; empty until the teams of the stage are known."""
    rounds: tuple[RoundInfo, ...]
    """All rounds, drawn or not."""

    @property
    def seeds(self) -> dict[str, int]:
        """The position of each team among the entries, from 1."""
        return {entry.team: seed for seed, entry in enumerate(self.entries, 1)}

    def group_name(self, group: int) -> str:
        """Return the name of one of its groups, counted from 1."""
        return self.format.group_name(self, group)

    def group_title(self, group: int) -> str:
        """Return the words for one of its groups, counted from 1: `group A`, `North-South`."""
        return self.format.group_title(self, group)

    @property
    def matches(self) -> tuple[MatchInfo, ...]:
        return tuple(match for round_ in self.rounds for match in round_.matches)

    @property
    def teams(self) -> list[str]:
        """The teams in it, in the order of their seeds."""
        return [entry.team for entry in self.entries]

    @property
    def members(self) -> dict[str, Sequence[str]]:
        """Whom each side of its matches is made of: a pair is its own, a partnership is two players."""
        return {side: match.entrants_of(side) for match in self.matches for side in match.teams}
