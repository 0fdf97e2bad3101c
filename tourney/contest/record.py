"""What a contest reads of the record: a drawn stage, the matches of it that are over, and rulings.

The store's own objects have these shapes; nothing here knows where they are kept.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from tourney.bridge import Side
from tourney.movement.carry_over import ImpHundredths
from tourney.movement.formats import StageFormat
from tourney.movement.ranking import NO_BOARDS, BoardTotals, FinishedMatch, RankingRules, StandingRow
from tourney.movement.seating import Room, SeatsRule
from tourney.movement.tie_breaks import Tie
from tourney.protocol.session.records import RulingKind
from tourney.scoring.assigned import AssignedResult
from tourney.scoring.victory_points import VpHundredths

BoardScores: TypeAlias = Mapping[Room, Mapping[int, int]]
"""Points of North-South at the tables of a match, by room and number of the board."""


class DrawnEntry(Protocol):
    """An entrant in a stage."""

    @property
    def team(self) -> str: ...
    @property
    def seed(self) -> int:
        """Its place among those of the stage, from 1."""

    @property
    def group(self) -> int:
        """From 1."""

    @property
    def rank(self) -> int:
        """In its group of the stage before; 0 in the first stage."""

    @property
    def from_round(self) -> int:
        """The round of the stage from which it plays."""

    @property
    def carry_vp(self) -> VpHundredths:
        """What it has brought along from the stage before."""


class SeatedTable(Protocol):
    """A table of a match: who sits how."""

    def side_of(self, team: str) -> Side:
        """Where an entrant of the match sits."""


class DrawnMatch(Protocol):
    """Two entrants who meet."""

    @property
    def number(self) -> int: ...
    @property
    def home(self) -> str: ...
    @property
    def away(self) -> str: ...
    @property
    def carry_home(self) -> ImpHundredths: ...
    @property
    def carry_away(self) -> ImpHundredths: ...
    @property
    def is_third_place(self) -> bool: ...


class DrawnRound(Protocol):
    """A round; one that is not drawn yet has no matches."""

    @property
    def number(self) -> int:
        """Counted through the event."""

    @property
    def number_in_stage(self) -> int: ...
    @property
    def is_drawn(self) -> bool: ...
    @property
    def byes(self) -> Sequence[str]: ...
    @property
    def matches(self) -> Sequence[DrawnMatch]: ...


class DrawnStage(Protocol):
    """A stage with its entries and rounds, as far as they are drawn."""

    @property
    def format(self) -> StageFormat: ...
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
    def entries(self) -> Sequence[DrawnEntry]:
        """In the order of their seeds."""

    @property
    def rounds(self) -> Sequence[DrawnRound]: ...
    @property
    def matches(self) -> Sequence[DrawnMatch]: ...


class Ruling(Protocol):
    """A decision of the director, or of a rule."""

    @property
    def kind(self) -> RulingKind: ...
    @property
    def team(self) -> str:
        """Whom it is against, or whose score it makes; empty for one that is the same for both."""

    @property
    def room(self) -> Room | None: ...
    @property
    def board(self) -> int | None: ...
    @property
    def amount(self) -> int:
        """IMPs, or hundredths of a victory point for a penalty in victory points."""

    @property
    def assigned(self) -> Sequence[AssignedResult]: ...
    @property
    def is_automatic(self) -> bool:
        """Whether a rule gave it, and no director."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRecord:
    """What the record says of the entrants that are ranked together: a stage, or a group of one."""

    stage: DrawnStage
    entries: Sequence[DrawnEntry]
    rounds: Sequence[DrawnRound]
    """Those that count."""
    finished: Mapping[int, FinishedMatch]
    """The matches that are over, by number; those of other fields are passed over."""
    withdrawn: frozenset[str]
    """Who has left the event."""
    rules: RankingRules
    lot_seed: str | None = None
    """What lots are drawn from once all matches are over."""
    scores: Mapping[int, BoardScores] = field(default_factory=dict)
    """The results of the boards by number of the match, for a contest that asks for them (`ranks_by_boards`)."""

    @property
    def teams(self) -> list[str]:
        return [entry.team for entry in self.entries]

    @property
    def matches(self) -> list[DrawnMatch]:
        """Those of this field that are drawn."""
        teams = frozenset(self.teams)
        return [match for round_ in self.rounds for match in round_.matches if match.home in teams]

    @property
    def over(self) -> list[FinishedMatch]:
        """Those of them that are over."""
        return [self.finished[match.number] for match in self.matches if match.number in self.finished]

    @property
    def is_over(self) -> bool:
        """Whether all rounds are drawn and all matches are over."""
        return len(self.over) == len(self.matches) and all(round_.is_drawn for round_ in self.rounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRecord:
    """What the record says of a stage."""

    stage: DrawnStage
    finished: Mapping[int, FinishedMatch]
    """The matches of the event that are over, by number."""
    withdrawn: frozenset[str]
    rules: RankingRules
    lot_seed: str | None = None
    scores: Mapping[int, BoardScores] = field(default_factory=dict)
    """As in `FieldRecord`."""

    def field_of(self, group: int, last: int | None = None) -> FieldRecord:
        """One group, 1 the first, up to round `last` of the event; None for all rounds."""
        return FieldRecord(
            stage=self.stage,
            entries=[entry for entry in self.stage.entries if entry.group == group],
            rounds=[round_ for round_ in self.stage.rounds if last is None or round_.number <= last],
            finished=self.finished,
            withdrawn=self.withdrawn,
            rules=self.rules,
            lot_seed=self.lot_seed,
            scores=self.scores,
        )


@dataclass(frozen=True, slots=True)
class RankedField:
    """Who stands where in a field."""

    rows: tuple[StandingRow, ...]
    """Best first."""
    ties: tuple[Tie, ...]
    """How ties were broken."""
    counted: tuple[FinishedMatch, ...]
    """The matches as they count; those that are cancelled are left out."""


@dataclass(frozen=True, slots=True)
class Qualifier:
    """An entrant that goes on into the next stage."""

    team: str
    rank: int
    """In its group of the stage that it comes from."""
    vp: VpHundredths
    """What it has made there."""


class Score(Protocol):
    """The score of a match that is over."""

    @property
    def imps_home(self) -> int: ...
    @property
    def imps_away(self) -> int: ...
    @property
    def vp_home(self) -> VpHundredths: ...
    @property
    def vp_away(self) -> VpHundredths: ...
    @property
    def lost_home(self) -> int: ...
    @property
    def lost_away(self) -> int: ...


def finished_match(
    match: DrawnMatch, score: Score, rulings: Iterable[Ruling], totals: BoardTotals = NO_BOARDS
) -> FinishedMatch:
    """What a ranking needs of a match that is over; `rulings` are those on it that count."""
    forfeits = [ruling for ruling in rulings if ruling.kind is RulingKind.MATCH_FORFEIT]
    return FinishedMatch(
        home=match.home,
        away=match.away,
        imps_home=score.imps_home,
        imps_away=score.imps_away,
        vp_home=score.vp_home,
        vp_away=score.vp_away,
        lost_home=score.lost_home,
        lost_away=score.lost_away,
        forfeits=frozenset(ruling.team for ruling in forfeits),
        totals=totals,
        is_walkover=any(ruling.is_automatic for ruling in forfeits),
        number=match.number,
        carried=match.carry_home - match.carry_away,
    )
