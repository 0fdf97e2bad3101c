"""The objects that the store accepts and returns, free of SQL.

The draw as it is given to the store is in `plans`.
"""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from tourney.bridge import Board, Card, Seat, Side
from tourney.config.values import Processes
from tourney.contest import ROUND_ROBIN, Contest, common_entrant
from tourney.contest.plan import NO_CARRY
from tourney.contest.record import DrawnEntry, VoidMatches
from tourney.movement.carry_over import ImpHundredths
from tourney.movement.knockout import EXTRA_TIMES
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardEnd, CallMade, CardPlayed
from tourney.scoring.board_scale import IMPS, BoardScale
from tourney.scoring.games import GameSettings
from tourney.store.draw.plans import StageRules
from tourney.store.draw.tables import TableInfo, TeamInfo
from tourney.store.models import TableState
from tourney.store.record.results import BoardResult


@dataclass(frozen=True, slots=True)
class SegmentInfo:
    """Boards of a match that are played in one seating: `boards` of them from position `first` on, from 0."""

    number: int
    first: int
    boards: int
    tables: dict[Room, TableInfo]


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """A match of the draw; `id` is the database's, `number` what commands name, `round` counts through the event."""

    id: int
    number: int
    round: int
    home: str
    away: str
    board_set_id: int
    segments: tuple[SegmentInfo, ...]
    """In the order of play; extra boards of a tied match are segments too."""
    stage: int = 1
    carry_home: ImpHundredths = NO_CARRY
    """IMPs that the home team has carried over from the previous stage."""
    carry_away: ImpHundredths = NO_CARRY
    is_third_place: bool = False
    format: Contest = ROUND_ROBIN
    """The kind of contest of its stage."""
    void_matches: VoidMatches = VoidMatches.AS_PLAYED
    """The rule of its stage for a match of which too little was played."""
    board_scale: BoardScale = IMPS
    """How its boards are scored."""
    game: GameSettings | None = None
    """The game that its one table plays; None for a match of teams in two rooms."""
    players: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The two players of either side by its name where partners change; otherwise empty."""
    boards_drawn: int = 0
    """The number of boards that it was drawn with, which its victory point scale is for; 0 if that is not known."""
    segments_drawn: int = 1
    extra_boards: int = 0
    """How many more boards are played each time that it is level; 0 if none are."""
    advanced: frozenset[str] | None = None
    """In a knockout, which of its teams are in the next round, or the next stage; None before that is drawn."""

    @property
    def extra_times_left(self) -> int:
        """How many times it still gets extra boards while it is level."""
        return self.segments_drawn + EXTRA_TIMES - len(self.segments) if self.extra_boards else 0

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
        """The number of boards of its set that it plays."""
        return sum(segment.boards for segment in self.segments)

    @property
    def boards_known(self) -> int | None:
        """The number of boards that it has; None of a game that goes on, where it depends on their results."""
        is_over = all(table.state is TableState.FINISHED for table in self.tables)
        return self.boards if is_over or not self.ends_by_results else None

    @property
    def ends_by_results(self) -> bool:
        """Whether results decide how many boards it has, so that some are only kept ready."""
        return self.format.ends_by_results(self.game)

    @property
    def tables(self) -> tuple[TableInfo, ...]:
        """The tables of all segments, in the order of play, the open room first."""
        return tuple(table for segment in self.segments for table in segment.tables.values())

    @property
    def tables_by_id(self) -> dict[int, TableInfo]:
        return {table.id: table for table in self.tables}

    @property
    def rooms(self) -> tuple[Room, ...]:
        """The rooms that it is played in."""
        return tuple(self.segments[0].tables) if self.segments else ()

    def tables_at(self, position: int) -> dict[Room, TableInfo]:
        """Return the tables that play the board at a position in the order of play, from 0."""
        return next(s.tables for s in self.segments if s.first <= position < s.first + s.boards)


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


@dataclass(frozen=True, slots=True)
class RoundInfo:
    """A round. `number` counts through the event and is what commands name, `number_in_stage` within its stage."""

    id: int
    number: int
    stage: int
    number_in_stage: int
    starts_at_ms: int | None
    is_drawn: bool
    """Whether its matches are known."""
    byes: tuple[str, ...]
    matches: tuple[MatchInfo, ...]
    """The matches that it decides, by number."""
    assignments: tuple[RoundAssignment, ...]
    """What is played in it, in the order of the tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageInfo(StageRules):
    """A stage of a drawn event."""

    id: int
    number: int
    entries: tuple[DrawnEntry, ...]
    """In the order of their seeds; empty until the teams of the stage are known."""
    rounds: tuple[RoundInfo, ...]
    """All rounds, drawn or not."""
    board_scale: BoardScale = IMPS
    """How the boards of its matches are scored."""
    sections: int = 1
    """In pairs events: how many sections are compared and ranked by themselves; 1 if the whole field is."""
    sessions: int = 1
    """In pairs events: how many sessions of equal length it has."""

    def group_name(self, group: int) -> str:
        """Return the name of one of its groups, counted from 1."""
        return self.format.group_name(group, self.groups, self.sections)

    def group_title(self, group: int) -> str:
        """Return the words for one of its groups, counted from 1: `group A`, `North-South`."""
        return self.format.group_title(group, self.groups, self.sections)

    @property
    def lacks(self) -> frozenset[str]:
        """The reports that have no page, by their names."""
        return self.format.lacks(self.board_scale)

    @property
    def is_drawn(self) -> bool:
        """Whether all of its rounds have been drawn."""
        return all(round_.is_drawn for round_ in self.rounds)

    @property
    def matches(self) -> tuple[MatchInfo, ...]:
        return tuple(match for round_ in self.rounds for match in round_.matches)


class Visibility(enum.Enum):
    """What a look at an event may take from boards that somebody, in whatever event, still has to play."""

    SHOWN_BOARDS = enum.auto()
    """Nothing: everything goes by the boards that may be shown, totals, victory points and standings included."""
    WHOLE_TOTALS = enum.auto()
    """Their part of totals, as the organiser has chosen (`[reports] totals`)."""
    EVERYTHING = enum.auto()
    """All of them: the run's own decisions, and the director who asks for it."""


@dataclass(frozen=True, slots=True)
class EventInfo:
    """A drawn event, as far as it is drawn."""

    id: int
    name: str
    seed: str
    plan: str
    teams: tuple[TeamInfo, ...]
    stages: tuple[StageInfo, ...]
    partnerships: tuple[TeamInfo, ...] = ()
    """Where partners change, those that entrants form, numbered after them; otherwise empty."""
    processes: Mapping[str, Processes] = field(default_factory=dict)
    """How many processes play for the teams of which a process has more than one seat, by name, as its newest run has
    it."""
    visibility: Visibility = Visibility.SHOWN_BOARDS
    """What those who look at it may see of boards that are still to be played."""

    def seen_whole(self) -> "EventInfo":
        """Return the event for who may see everything, such as the run."""
        return replace(self, visibility=Visibility.EVERYTHING)

    @property
    def sides(self) -> tuple[TeamInfo, ...]:
        """Everybody who can be a side of a match: the teams, and the partnerships that players form."""
        return (*self.teams, *self.partnerships)

    @property
    def entrant(self) -> str:
        """What takes part: a `team`, unless all stages are of `pair`s."""
        return common_entrant(stage.format for stage in self.stages)

    @property
    def seat_choices(self) -> frozenset[str]:
        """What a person who plays for a team may choose: a `seat`, a `room`."""
        return frozenset[str]().union(*(stage.format.seat_choices for stage in self.stages))

    @property
    def is_open(self) -> bool:
        """Whether its matches come one by one while it is run, such as the games that players of a lobby make."""
        return all(stage.format.is_open for stage in self.stages)

    @property
    def pairs_stages(self) -> tuple[StageInfo, ...]:
        """The stages whose entrants rank by the results of boards across the field."""
        return tuple(stage for stage in self.stages if stage.format.ranks_by_boards)

    @property
    def rounds(self) -> tuple[RoundInfo, ...]:
        """The rounds that have been drawn; round n has index n - 1."""
        return tuple(round_ for stage in self.stages for round_ in stage.rounds if round_.is_drawn)

    @property
    def all_rounds(self) -> tuple[RoundInfo, ...]:
        """All rounds, including those that will be drawn when earlier ones have finished."""
        return tuple(round_ for stage in self.stages for round_ in stage.rounds)

    @property
    def matches(self) -> tuple[MatchInfo, ...]:
        return tuple(match for round_ in self.rounds for match in round_.matches)

    def stage_of(self, match: MatchInfo) -> StageInfo:
        return self.stages[match.stage - 1]

    def played_in(self, match: MatchInfo, room: Room) -> int:
        """Return the round in which a match plays in a room, counted through the event."""
        rounds = self.stage_of(match).rounds
        return match.format.played_in(room, match.round, rounds[0].number + rounds[-1].number)


class CardColumns(NamedTuple):
    """The cards of an attempt in the order of play, column by column, as `CardPlayed` has them card by card.

    An export of a large event reads millions of cards, and needs but a few of their values.
    """

    numbers: Sequence[int] = ()
    """`CardPlayed.seq` of each."""
    seats: Sequence[Seat] = ()
    cards: Sequence[Card] = ()
    thinking_ms: Sequence[int] = ()
    at_ms: Sequence[int] = ()
    substituted: Sequence[bool] = ()


class NetworkTime(NamedTuple):
    """What the network took of the calls and cards of a side on a board, in milliseconds."""

    delay_ms: int
    allowed_ms: int
    """How much of it the side was not charged."""


@dataclass(frozen=True)
class BoardRecord:
    """The full record of one final attempt at a board: it has a result, or was forfeited."""

    match: int
    table: TableInfo
    attempt: int
    board: Board
    result: BoardResult | None
    """None if the board was forfeited; calls and cards are then those made before."""
    calls: tuple[CallMade, ...]
    play: CardColumns
    began_at_ms: int
    ended: BoardEnd
    fault: Seat | None
    """The seat at fault for how it ended, if any."""
    reason: str
    delays: Mapping[Side, NetworkTime] = field(default_factory=dict, hash=False)
    """What the network took of each side whose programs come through a tunnel."""

    @cached_property
    def cards(self) -> tuple[CardPlayed, ...]:
        """The cards of the play, one by one."""
        return tuple(
            CardPlayed(
                board=self.board.number,
                seq=seq,
                seat=seat,
                card=card,
                thinking_ms=thinking_ms,
                at_ms=at_ms,
                substituted=substituted,
            )
            for seq, seat, card, thinking_ms, at_ms, substituted in zip(*self.play, strict=True)
        )

    @property
    def room(self) -> Room:
        return self.table.room

    @property
    def times_ms(self) -> dict[Side, int]:
        """The thinking time of both sides; for a forfeited board, that of its calls and cards."""
        if self.result is not None:
            return self.result.times_ms
        times = dict.fromkeys(Side, 0)
        for call in self.calls:
            times[call.seat.side] += call.thinking_ms
        for seat, thinking_ms in zip(self.play.seats, self.play.thinking_ms, strict=True):
            times[seat.side] += thinking_ms
        return times
