"""What a contest reads from the record: a drawn stage, its finished matches, and rulings.

The store's own objects have these shapes; nothing here knows where they are kept.
"""

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from tourney.bridge import Board, Result, Side, Vulnerability
from tourney.movement.carry_over import ImpHundredths
from tourney.movement.ranking import NO_BOARDS, BoardTotals, FinishedMatch, RankingRules, StandingRow
from tourney.movement.seating import Room, SeatsRule
from tourney.movement.tie_breaks import Tie
from tourney.protocol.session.records import RulingKind
from tourney.scoring.assigned import AssignedResult
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.games import GameSettings
from tourney.scoring.match import Fines, MatchScore
from tourney.scoring.pairs.field import ScoredField
from tourney.scoring.victory_points import VpHundredths

if TYPE_CHECKING:
    from tourney.contest.kind import Contest

BoardScores: TypeAlias = Mapping[Room, Mapping[int, int]]
"""North-South's points at the tables of a match, by room and board number."""

BoardsOfMatch: TypeAlias = Mapping[int, Vulnerability]
"""The boards of a match in the order of play: number and vulnerability."""


class VoidMatches(enum.StrEnum):
    """What becomes of a match of which more than half of the boards were cancelled or not played."""

    AVERAGE_PLUS = "average-plus"
    """It is void: a team that is not at fault gets +3 IMPs a board on half of its boards."""
    AS_PLAYED = "as-played"
    """It counts by the boards that are left."""


@dataclass(frozen=True, slots=True)
class DrawnEntry:
    """A team in a stage."""

    team: str
    seed: int
    """Its position among the teams of the stage, from 1."""
    group: int
    """The number of its group, from 1."""
    rank: int
    """Its rank in its group of the previous stage; 0 in the first stage."""
    from_round: int
    """The first round of the stage in which it plays."""
    carry_vp: VpHundredths
    """Victory points carried over from the previous stage."""


class SeatedTable(Protocol):
    """A table of a match with its seats."""

    def side_of(self, team: str) -> Side:
        """Return the side that an entrant of the match sits on."""


@dataclass(frozen=True, slots=True)
class SeatedBoard:
    """A board of a match with everything that its score depends on."""

    board: Board
    tables: Mapping[Room, SeatedTable]
    """Where it is played."""
    results: Mapping[Room, Result]
    """Its results in the rooms where it has one."""
    rulings: Sequence["Ruling"]
    """Those on it that determine its score."""


class DrawnMatch(Protocol):
    """A match of two entrants."""

    @property
    def number(self) -> int: ...
    @property
    def home(self) -> str: ...
    @property
    def away(self) -> str: ...
    @property
    def entrants(self) -> Sequence[str]:
        """The entrants of the stage that play in it: its two sides, or the players of both."""

    def entrants_of(self, team: str) -> Sequence[str]:
        """Return whom a side is made of: the team itself, or two partners."""

    @property
    def carry_home(self) -> ImpHundredths: ...
    @property
    def carry_away(self) -> ImpHundredths: ...
    @property
    def is_third_place(self) -> bool: ...
    @property
    def format(self) -> "Contest": ...
    @property
    def extra_times_left(self) -> int:
        """How many times it still gets extra boards while it is level."""

    @property
    def advanced(self) -> frozenset[str] | None:
        """Which of its teams are in the next round of the knockout; None before that is drawn."""

    @property
    def boards(self) -> int:
        """The number of its boards, extra ones included."""

    @property
    def board_set_id(self) -> int:
        """Its set of boards: two matches with the same id play the same boards."""

    @property
    def void_matches(self) -> VoidMatches:
        """What becomes of a match of which too little was played."""

    @property
    def board_scale(self) -> BoardScale:
        """How its boards are scored."""

    @property
    def game(self) -> GameSettings | None:
        """The game that is played at its one table; None for a match of teams in two rooms."""


class DrawnRound(Protocol):
    """A round; it has no matches until it is drawn."""

    @property
    def number(self) -> int:
        """Its number, counted through the event."""

    @property
    def number_in_stage(self) -> int: ...
    @property
    def is_drawn(self) -> bool: ...
    @property
    def byes(self) -> Sequence[str]: ...
    @property
    def matches(self) -> Sequence[DrawnMatch]: ...


class DrawnStage(Protocol):
    """A stage with the entries and rounds drawn so far."""

    @property
    def format(self) -> "Contest": ...
    @property
    def boards_per_match(self) -> int: ...
    @property
    def groups(self) -> int: ...
    @property
    def segments(self) -> int: ...
    @property
    def seats(self) -> SeatsRule: ...
    @property
    def extra_boards(self) -> int: ...
    @property
    def vp_scale(self) -> str: ...
    @property
    def board_scale(self) -> BoardScale: ...
    @property
    def sections(self) -> int:
        """In pairs events: how many sections are compared and ranked by themselves; 1 if the whole field is."""

    @property
    def sessions(self) -> int:
        """In pairs events: how many sessions of equal length it has."""

    @property
    def entries(self) -> Sequence[DrawnEntry]:
        """The entries, in the order of their seeds."""

    @property
    def rounds(self) -> Sequence[DrawnRound]: ...
    @property
    def matches(self) -> Sequence[DrawnMatch]: ...


class Ruling(Protocol):
    """A decision made by the director or by an automatic rule."""

    @property
    def kind(self) -> RulingKind: ...
    @property
    def team(self) -> str:
        """The team it is against, or whose score it sets; empty if it is the same for both."""

    @property
    def room(self) -> Room | None: ...
    @property
    def board(self) -> int | None: ...
    @property
    def amount(self) -> int:
        """A figure of the match's scale, or hundredths of victory points for a fine in them.

        Of a cancelled board it is `BREAKS_OFF` if the game ends before it.
        """

    @property
    def assigned(self) -> Sequence[AssignedResult]: ...
    @property
    def is_automatic(self) -> bool:
        """Whether an automatic rule made it, not the director."""


@dataclass(frozen=True, slots=True)
class AskedRuling:
    """A ruling on a board that a director asks for."""

    kind: RulingKind
    match: int
    board: int
    teams: Sequence[str]
    """Those whose score it sets."""
    parts: int = 0
    """The number of results that it assigns."""


@dataclass(frozen=True, kw_only=True)
class StageRecord:
    """The record of a stage."""

    stage: DrawnStage
    finished: Mapping[int, FinishedMatch]
    """The finished matches of the event, by number."""
    withdrawn: frozenset[str]
    """Names of the entrants that have withdrawn from the event."""
    rules: RankingRules
    lot_seed: str | None = None
    """The seed from which lots are drawn once all matches have finished."""
    scores: Mapping[int, BoardScores] = field(default_factory=dict)
    """Board results by match number, for a contest that needs them (`ranks_by_boards`)."""
    boards: Mapping[int, BoardsOfMatch] = field(default_factory=dict)
    """The boards of each match, likewise."""
    rulings: Mapping[int, Sequence[Ruling]] = field(default_factory=dict)
    """The rulings in force on each match, likewise, by its number."""

    def field_of(self, group: int, last: int | None = None) -> "FieldRecord":
        """Return the record of one group, counted from 1, up to round `last` of the event; None for all rounds."""
        return FieldRecord(
            **vars(self),
            entries=[entry for entry in self.stage.entries if entry.group == group],
            rounds=[round_ for round_ in self.stage.rounds if last is None or round_.number <= last],
        )


@dataclass(frozen=True, kw_only=True)
class FieldRecord(StageRecord):
    """The record of entrants that are ranked together: a stage, or one of its groups."""

    entries: Sequence[DrawnEntry]
    rounds: Sequence[DrawnRound]
    """The rounds that count."""

    @property
    def teams(self) -> list[str]:
        return [entry.team for entry in self.entries]

    @property
    def matches(self) -> list[DrawnMatch]:
        """The matches of this field drawn so far."""
        teams = frozenset(self.teams)
        return [match for round_ in self.rounds for match in round_.matches if not teams.isdisjoint(match.entrants)]

    @property
    def over(self) -> list[FinishedMatch]:
        """The finished matches among them."""
        return [self.finished[match.number] for match in self.matches if match.number in self.finished]

    @property
    def is_over(self) -> bool:
        """Whether all rounds are drawn and all matches finished."""
        return len(self.over) == len(self.matches) and all(round_.is_drawn for round_ in self.rounds)


@dataclass(frozen=True, slots=True)
class RankedField:
    """The ranking of a field."""

    rows: tuple[StandingRow, ...]
    """The lines of the standings, best first."""
    ties: tuple[Tie, ...]
    """How ties were broken."""
    counted: tuple[FinishedMatch, ...]
    """The matches as they count, without cancelled ones."""
    undecided: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """The best and the worst place that teams may still come to, in a knockout that goes on."""
    scored: ScoredField | None = None
    """The boards of a field of pairs as they are scored, with the totals of the pairs."""


@dataclass(frozen=True, slots=True)
class Qualifier:
    """An entrant that advances to the next stage."""

    team: str
    rank: int
    """Its rank in its group of the stage it comes from."""
    vp: VpHundredths
    """The victory points it won there; of a pair, hundredths of its percentage or of its IMPs per board."""
    boards: int = 0
    """In pairs events: how many boards counted for it there."""


def finished_match(
    match: DrawnMatch, score: MatchScore, rulings: Iterable[Ruling], totals: BoardTotals = NO_BOARDS
) -> FinishedMatch:
    """Return a finished match with all its figures; `rulings` are those on it that count."""
    counted = list(rulings)
    forfeits = [ruling for ruling in counted if ruling.kind is RulingKind.MATCH_FORFEIT]
    # A forfeited match without boards has no IMPs that anything could be deducted from.
    has_imps = bool(score.boards) or not forfeits
    home, away = fines(counted, match.home), fines(counted, match.away)
    return FinishedMatch(
        home=match.home,
        away=match.away,
        score=score,
        forfeits=frozenset(ruling.team for ruling in forfeits),
        fines=(home.imps, away.imps) if has_imps else (0, 0),
        vp_fines=(home.vp, away.vp),
        totals=totals,
        is_walkover=any(ruling.is_automatic for ruling in forfeits),
        is_void=(
            match.void_matches is VoidMatches.AVERAGE_PLUS
            and match.game is None
            and not forfeits
            and 2 * score.boards < match.boards
        ),
        number=match.number,
        carried=match.carry_home - match.carry_away,
        board_scale=match.board_scale,
        is_knockout=match.format.is_knockout,
        extra_times_left=match.extra_times_left,
        advanced=match.advanced,
    )


def fines(rulings: Iterable[Ruling], team: str) -> Fines:
    """Return what rulings deduct from a team's score."""
    amounts = dict.fromkeys((RulingKind.PENALTY_IMPS, RulingKind.PENALTY_VP), 0)
    for ruling in rulings:
        if ruling.team == team and ruling.kind in amounts:
            amounts[ruling.kind] += ruling.amount
    return Fines(amounts[RulingKind.PENALTY_IMPS], amounts[RulingKind.PENALTY_VP])
