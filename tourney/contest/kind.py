"""The interface of a kind of contest: what the draw, the match runner and the results ask of it."""

import enum
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tourney.bridge import Board, board_from_seed
from tourney.config.values import SharedDeals
from tourney.contest.plan import (
    NO_CARRY,
    Entrant,
    PlannedMatch,
    PlannedRound,
    PlannedSegment,
    SeatSettings,
    StagePlan,
)
from tourney.contest.record import (
    DrawnEntry,
    DrawnMatch,
    DrawnStage,
    FieldRecord,
    Qualifier,
    RankedField,
    Ruling,
    SeatedBoard,
    SeatedTable,
    StageRecord,
)
from tourney.movement.carry_over import ImpHundredths, carry_vp
from tourney.movement.formats import PlannedEntry, RoundDraw, StageFormat, deal_entries
from tourney.movement.pairs.individual import name_partnership
from tourney.movement.ranking import FinishedMatch, RankingRules
from tourney.movement.round_robin import Pairing
from tourney.movement.seating import Room
from tourney.movement.tie_breaks import TieBreak
from tourney.scoring.match import BoardComparison, ImpTotals, MatchScore
from tourney.scoring.victory_points import VpHundredths, VpScale

_NO_VP: Final = VpHundredths(0)


def set_name(plan: StagePlan, board_set: int) -> str:
    """Return the name of a set of boards of a movement, which numbers them through the stage."""
    return f"{plan.number}.{board_set}"


class Contest(ABC):
    """A kind of contest: how results compare and entrants rank, and the words of its views; its `format` pairs them.

    What is true of the pairing is asked of the format, which the event file and the plan need before there is a
    result (see `StageFormat`); nothing of it is repeated here.
    """

    rooms: tuple[Room, ...]
    """The rooms of a match, in the order of their ports."""
    ranks_by_boards: bool = False
    """Whether `rank` compares the results of boards across matches; if so, they are loaded for it."""
    carries_points: bool = True
    """Whether entrants may carry points over from the previous stage, if the event file says so."""

    # What its views show
    entrant: str = "team"
    """What takes part in it: a `team`, a `pair` or a `player`."""
    names_tables: bool = False
    """Whether what is played in a round is called by its table, because a match is one table in one round."""
    keeps_sheet: bool = False
    """Whether boards are written on a score sheet, one after the other, rather than compared with other tables."""
    has_crosstable: bool = True
    """Whether a cross-table shows who has met whom, and with what score."""
    uses_vp_scale: bool = True
    """Whether a scale of the event file gives victory points for a match."""
    pbn_competition: str = "Teams"
    """The `Competition` tag of its games in PBN."""
    usebio_type: str | None = "SWISS_TEAMS"
    """The `EVENT_TYPE` of a USEBIO file of it; None if it cannot be written in one."""
    why_no_usebio: str = ""
    """Why not, as a sentence."""

    def __init__(self, stage_format: StageFormat) -> None:
        self.format = stage_format
        """The format, which pairs the entrants; its name is also the name of the contest."""

    @property
    def has_rooms(self) -> bool:
        """Whether a match is played in two rooms; at one table there is none to name."""
        return len(self.rooms) > 1

    def group_heading(self, sections: int) -> str:
        """Return the heading of a column that says where entrants are ranked; `sections` are ranked by themselves."""
        return "Group"

    def describe_byes(self, count: int) -> str:
        """Return the words before the names of the entrants that have no opponents in a round."""
        return "Bye" if count == 1 else "Byes"

    # Entrants

    def enter(self, plan: StagePlan, qualifiers: Sequence[Qualifier]) -> tuple[PlannedEntry, ...]:
        """Return the entries of a stage, given its qualifiers, best first."""
        rules = plan.carry_over if self.carries_points else None
        return self.deal(
            plan,
            [
                PlannedEntry(
                    plan.number_of(each.team),
                    rank=each.rank,
                    carry_vp=VpHundredths(carry_vp(rules, each.vp, each.rank)) if rules is not None else _NO_VP,
                )
                for each in qualifiers
            ],
        )

    def groups(self, plan: StagePlan) -> int:
        """Return the number of groups of a stage, each of which is ranked by itself."""
        return self.format.count_groups(plan.settings, plan.size)

    def deal(self, plan: StagePlan, entries: Sequence[PlannedEntry]) -> tuple[PlannedEntry, ...]:
        """Deal entries, given in the order of their seeds, into the groups of a stage."""
        return deal_entries(entries, self.groups(plan))

    # Sittings: pairings, rooms and boards

    def draw_first(self, plan: StagePlan, entries: Sequence[PlannedEntry]) -> list[RoundDraw]:
        """Return the rounds that depend on no result of the stage."""
        return self.format.draw_first(plan.settings, plan.size, entries, plan.head)

    def draw_next(self, plan: StagePlan, record: StageRecord, number: int) -> RoundDraw:
        """Draw round `number` of a stage whose rounds depend on earlier results (`is_drawn_by_round`)."""
        raise AssertionError(f"all rounds of {self.format.with_article} are drawn when it begins, got round {number}")

    def sides(self, plan: StagePlan) -> Mapping[int, Entrant]:
        """Return who can be a side of a match, by number: the entrants, or the partnerships that they form."""
        entrants = {entrant.number: entrant for entrant in plan.entrants}
        if not self.format.changes_partners:
            return entrants
        return {
            number: Entrant(number, name_partnership(entrants[one].name, entrants[other].name))
            for number, (one, other) in enumerate(self.format.partnerships(plan.size), plan.size + 1)
        }

    def plan_round(
        self,
        plan: StagePlan,
        number: int,
        drawn: RoundDraw,
        carried: Mapping[Pairing, tuple[ImpHundredths, ImpHundredths]],
    ) -> PlannedRound:
        """Plan round `number` of a stage with its tables; `carried` is the teams' carry-over by pairing."""
        sides = self.sides(plan)
        matches = []
        for index, (home, away) in enumerate(drawn.pairings, 1):
            carry_home, carry_away = carried.get((home, away), (NO_CARRY, NO_CARRY))
            matches.append(
                PlannedMatch(
                    home=home,
                    away=away,
                    segments=self.seat(plan.settings, sides[home], sides[away]),
                    board_set=(
                        set_name(plan, drawn.sets[index - 1]) if drawn.sets else self.board_set(plan, number, index)
                    ),
                    carry_home=carry_home,
                    carry_away=carry_away,
                    is_third_place=drawn.has_third_place and index == len(drawn.pairings),
                )
            )
        return PlannedRound(tuple(matches), drawn.byes)

    @abstractmethod
    def seat(self, settings: SeatSettings, home: Entrant, away: Entrant) -> tuple[PlannedSegment, ...]:
        """Return the tables of a match, segment by segment."""

    def board_set(self, plan: StagePlan, round_: int, match: int) -> str:
        """Return the name of a match's board set: stage, round and, if the match has its own boards, its number."""
        own = f".{match}" if plan.shared is SharedDeals.MATCH else ""
        return f"{plan.number}.{round_}{own}"

    def board_sets(self, plan: StagePlan) -> list[str]:
        """Return all board sets of the stage, in the order of the rounds, whoever enters and wins."""
        if plan.shared is SharedDeals.ROUND:
            rounds = self.format.count_rounds(plan.settings, plan.size)
            return [self.board_set(plan, number, 1) for number in range(1, rounds + 1)]
        return [
            self.board_set(plan, number, index)
            for number, matches in enumerate(self.format.count_matches(plan.settings, plan.size), 1)
            for index in range(1, matches + 1)
        ]

    def cards_of(self, plan: StagePlan, board_set: str) -> str:
        """Return the name under which the cards of a set are dealt; sets with the same name have the same cards."""
        return board_set

    def first_number(self, plan: StagePlan, index: int) -> int:
        """Return the number of the first board of a set; `index` counts the sets of the stage from 0."""
        return 1

    def deal_set(self, plan: StagePlan, seed: str, index: int, boards: int) -> tuple[Board, ...]:
        """Deal so many boards of a set from a seed; `index` counts the sets of the stage from 0."""
        cards = self.cards_of(plan, self.board_sets(plan)[index])
        first = self.first_number(plan, index)
        return tuple(board_from_seed(seed, cards, number) for number in range(first, first + boards))

    def carry_into_matches(
        self,
        plan: StagePlan,
        entries: Sequence[DrawnEntry | PlannedEntry],
        drawn: Sequence[RoundDraw],
        source: StageRecord | None,
    ) -> dict[Pairing, tuple[ImpHundredths, ImpHundredths]]:
        """Return the carry-over of the teams of each pairing, from the stage that last ranked them."""
        return {}

    def extra_segment(
        self, plan: StagePlan, stage: DrawnStage, match: DrawnMatch, segments: int, made: FinishedMatch
    ) -> PlannedSegment | None:
        """Return a further segment for a match that needs extra boards; None if it needs none."""
        return None

    # How results compare

    @abstractmethod
    def compare(
        self,
        match: DrawnMatch,
        tables: Mapping[Room, SeatedTable],
        board: Board,
        scores: Mapping[Room, int],
        rulings: Sequence[Ruling],
    ) -> BoardComparison | None:
        """Return what each side of a match scores on a board; None until the board is finished.

        Args:
            match: the match.
            tables: where the board is played.
            board: the board.
            scores: North-South's points in each room where the board has a result.
            rulings: those on the board that determine its score.

        Raises:
            RuleError: a team sat the same way at all tables, so nothing can be compared.
        """

    def compare_boards(self, match: DrawnMatch, boards: Sequence[SeatedBoard]) -> list[BoardComparison | None]:
        """Return what `compare` does for each board of a match, in the order of play.

        Raises:
            RuleError: as `compare` does.
        """
        return [
            self.compare(
                match,
                each.tables,
                each.board,
                {room: result.score for room, result in each.results.items()},
                each.rulings,
            )
            for each in boards
        ]

    @abstractmethod
    def score(
        self,
        match: DrawnMatch,
        comparisons: Iterable[BoardComparison],
        rulings: Sequence[Ruling],
        scale: VpScale,
        *,
        is_complete: bool,
    ) -> MatchScore | None:
        """Return the score of a match; None while boards that it needs are missing.

        Args:
            match: the match.
            comparisons: its finished boards in the order of play, the cancelled ones too.
            rulings: those on the match that are in force.
            scale: the victory points of each margin, for a contest that has them.
            is_complete: whether all boards are finished.
        """

    @abstractmethod
    def add_up(
        self, match: DrawnMatch, comparisons: Iterable[BoardComparison], rulings: Sequence[Ruling]
    ) -> ImpTotals:
        """Return the running totals of the home and away sides, in the unit that boards are compared in."""

    @abstractmethod
    def describe_score(self, match: DrawnMatch, score: MatchScore) -> str:
        """Format the score of a match as text: `26 - 10 IMPs, 14.21 - 5.79 VPs`."""

    # How entrants rank

    @abstractmethod
    def rank(self, field: FieldRecord) -> RankedField:
        """Rank the entrants of a field after its rounds."""

    def tie_breaks(self, rules: RankingRules) -> tuple[enum.StrEnum, ...]:
        """Return the tie-break criteria, in the order in which they apply."""
        return tuple(rules.tie_breaks)

    def draws_lots(self, rules: RankingRules) -> bool:
        """Return whether lots may break ties."""
        return any(criterion.value == TieBreak.LOT for criterion in self.tie_breaks(rules))

    @abstractmethod
    def qualify(self, record: StageRecord, count: int | None) -> list[Qualifier]:
        """Return the best `count` entrants of a finished stage (None for all), without withdrawn ones, best first."""
