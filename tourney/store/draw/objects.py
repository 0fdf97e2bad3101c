"""An event as it is drawn, and the record of a board: what the store accepts and returns, free of SQL."""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from tourney.bridge import Board, Card, Seat, Side
from tourney.config.values import Processes
from tourney.contest import common_entrant
from tourney.contest.draw import MatchInfo, RoundInfo, StageInfo
from tourney.movement.seating import Room, TableInfo
from tourney.protocol.session.records import BoardEnd, CallMade, CardPlayed
from tourney.store.draw.tables import TeamInfo
from tourney.store.record.results import BoardResult


class Visibility(enum.Enum):
    """What a look at an event may take from boards that somebody, in whatever event, still has to play."""

    SHOWN_BOARDS = enum.auto()
    """Nothing: everything goes by the boards that may be shown, totals, victory points and standings included."""
    WHOLE_TOTALS = enum.auto()
    """Their part of totals, as the organiser has chosen (`[reports] totals`)."""
    EVERYTHING = enum.auto()
    """All of them: the run's own decisions, and the director who asks for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventInfo:
    """An event, as far as it is drawn."""

    name: str
    seed: str
    plan: str
    """A text of everything that the draw depends on, used to detect changes."""
    teams: tuple[TeamInfo, ...]
    stages: tuple[StageInfo, ...]
    partnerships: tuple[TeamInfo, ...] = ()
    """Where partners change, those that entrants form, numbered after them; otherwise empty."""
    board_sets: Mapping[str, tuple[Board, ...]] = field(default_factory=dict)
    """In a plan, the boards of all rounds, drawn or not, by name of the set; on record they are read set by set."""
    id: int = 0
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
    def has_schedule(self) -> bool:
        """Whether its matches are drawn ahead; those that players of a lobby make come one by one."""
        return not all(stage.format.is_open for stage in self.stages)

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
    def undrawn(self) -> tuple[RoundInfo, ...]:
        """The rounds that will be drawn when earlier ones have finished."""
        return tuple(round_ for round_ in self.all_rounds if not round_.is_drawn)

    @property
    def matches(self) -> tuple[MatchInfo, ...]:
        return tuple(match for round_ in self.rounds for match in round_.matches)

    @property
    def team_names(self) -> list[str]:
        return [team.name for team in self.teams]

    @property
    def matches_by_number(self) -> dict[int, MatchInfo]:
        return {match.number: match for match in self.matches}

    @property
    def tables(self) -> list[TableInfo]:
        """The tables of these matches."""
        return [table for match in self.matches for table in match.tables]

    def stage_of(self, part: MatchInfo | RoundInfo) -> StageInfo:
        return self.stages[part.stage - 1]

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
