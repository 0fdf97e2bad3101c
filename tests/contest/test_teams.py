"""The match of two teams as a contest, without a database: how boards compare, who meets whom, who goes on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from tests.support.finished_matches import finish
from tourney.bridge import Board, Side, board_from_seed
from tourney.config.values import VoidMatches
from tourney.contest import contest_of
from tourney.contest.plan import Entrant, StagePlan
from tourney.contest.record import Ruling, StageRecord
from tourney.movement.carry_over import ImpHundredths
from tourney.movement.formats import StageFormat
from tourney.movement.pairs.planning import MovementSettings
from tourney.movement.ranking import RankingRules
from tourney.movement.seating import Room, SeatsRule
from tourney.protocol.session.records import RulingKind
from tourney.scoring.assigned import AssignedResult
from tourney.scoring.board_scale import IMPS, BoardScale
from tourney.scoring.games import GameSettings
from tourney.scoring.victory_points import VpHundredths

NAMES = ("Ants", "Bees", "Cats", "Dogs")
NO_IMPS, NO_VP = ImpHundredths(0), VpHundredths(0)
NO_MOVEMENT = MovementSettings()


@dataclass(frozen=True)
class Settings:
    boards_per_match: int = 4
    segments: int = 1
    seats: SeatsRule = SeatsRule.FIXED
    groups: int = 1
    rounds: int | None = None
    third_place: bool = False
    movement_settings: MovementSettings = NO_MOVEMENT
    matches: int = 1


@dataclass(frozen=True)
class Entry:
    team: str
    seed: int
    group: int = 1
    rank: int = 0
    from_round: int = 1
    carry_vp: VpHundredths = NO_VP


@dataclass(frozen=True)
class Match:
    number: int
    home: str
    away: str
    carry_home: ImpHundredths = NO_IMPS
    carry_away: ImpHundredths = NO_IMPS
    is_third_place: bool = False
    boards: int = 4
    void_matches: VoidMatches = VoidMatches.AVERAGE_PLUS
    board_set_id: int = 1
    board_scale: BoardScale = IMPS
    game: GameSettings | None = None
    is_knockout: bool = False
    extra_times_left: int = 0
    advanced: frozenset[str] | None = None

    @property
    def entrants(self) -> tuple[str, str]:
        return self.home, self.away

    def entrants_of(self, team: str) -> tuple[str]:
        return (team,)


@dataclass(frozen=True)
class Round:
    number: int
    number_in_stage: int
    matches: tuple[Match, ...] = ()
    byes: tuple[str, ...] = ()
    is_drawn: bool = True


@dataclass(frozen=True)
class Stage:
    format: StageFormat
    entries: tuple[Entry, ...]
    rounds: tuple[Round, ...]
    groups: int = 1
    boards_per_match: int = 4
    segments: int = 1
    seats: SeatsRule = SeatsRule.FIXED
    extra_boards: int = 0
    sections: int = 1
    sessions: int = 1

    @property
    def matches(self) -> tuple[Match, ...]:
        return tuple(match for round_ in self.rounds for match in round_.matches)


@dataclass(frozen=True)
class Table:
    north_south: str

    def side_of(self, team: str) -> Side:
        return Side.NS if team == self.north_south else Side.EW


@dataclass(frozen=True)
class Given:
    """A ruling."""

    kind: RulingKind
    team: str = ""
    room: Room | None = None
    board: int | None = 1
    amount: int = 0
    assigned: tuple[AssignedResult, ...] = ()
    is_automatic: bool = False


MATCH = Match(1, "Ants", "Bees")
BOARD = board_from_seed("1", "set", 1)
TABLES = {Room.OPEN: Table("Ants"), Room.CLOSED: Table("Bees")}
ROUND_ROBIN = contest_of(StageFormat.ROUND_ROBIN)


def compared(scores: Mapping[Room, int], *rulings: Ruling, board: Board = BOARD) -> tuple[int, int] | None:
    found = ROUND_ROBIN.compare(MATCH, TABLES, board, scores, rulings)
    return (found.imps_home, found.imps_away) if found is not None else None


def plan_of(settings: Settings | None = None, names: Sequence[str] = NAMES) -> StagePlan:
    entrants = [Entrant(number, name) for number, name in enumerate(names, 1)]
    return StagePlan(number=1, settings=settings or Settings(), entrants=entrants, size=len(names))


def stage_of(stage_format: StageFormat, *rounds: Round, groups: int = 1, extra_boards: int = 0) -> Stage:
    entries = tuple(Entry(name, seed, 1 + (seed - 1) % groups) for seed, name in enumerate(NAMES, 1))
    return Stage(stage_format, entries, rounds, groups, extra_boards=extra_boards)


def record_of(stage: Stage, imps: Mapping[int, tuple[int, int]], withdrawn: Sequence[str] = ()) -> StageRecord:
    """The record after matches with these IMPs; victory points go with the margin."""
    finished = {
        match.number: finish(
            home=match.home,
            away=match.away,
            imps_home=imps[match.number][0],
            imps_away=imps[match.number][1],
            vp_home=VpHundredths(1000 + 100 * (imps[match.number][0] - imps[match.number][1])),
            vp_away=VpHundredths(1000 - 100 * (imps[match.number][0] - imps[match.number][1])),
            number=match.number,
            is_knockout=stage.format.is_knockout,
        )
        for match in stage.matches
        if match.number in imps
    }
    return StageRecord(stage=stage, finished=finished, withdrawn=frozenset(withdrawn), rules=RankingRules())


# How results compare


def test_a_ruling_on_the_score_comes_before_the_results() -> None:
    scores = {Room.OPEN: 420, Room.CLOSED: -50}
    adjusted = Given(RulingKind.ADJUSTED_SCORE, "Bees", amount=-2)
    assert compared(scores, adjusted) == (10, -2)
    assert compared(scores, adjusted, Given(RulingKind.BOARD_CANCELLED)) == (0, 0)
    assert compared({Room.CLOSED: -50}, Given(RulingKind.BOARD_FORFEIT, "Bees", Room.OPEN)) == (3, -3)


def test_a_board_forfeited_in_one_room_counts_when_both_teams_have_an_assigned_score_in_the_other() -> None:
    forfeit = Given(RulingKind.BOARD_FORFEIT, "Bees", Room.OPEN)
    assigned = (AssignedResult(1, None, 0),)
    for_ants, for_bees = (
        Given(RulingKind.ASSIGNED_SCORE, team, Room.CLOSED, assigned=assigned) for team in NAMES[:2]
    )
    assert compared({}, forfeit, for_ants) is None
    assert compared({}, forfeit, for_ants, for_bees) == (3, -3)


@pytest.mark.parametrize(
    ("stage_format", "words"),
    [
        (StageFormat.ROUND_ROBIN, "8 - 3 IMPs, 12.00 - 8.00 VPs"),
        (StageFormat.KNOCKOUT, "10.5 - 3 IMPs, 2.5 - 0 of them carried over"),
    ],
    ids=str,
)
def test_a_score_is_told_by_what_decides(stage_format: StageFormat, words: str) -> None:
    made = finish("Ants", "Bees", 8, 3, VpHundredths(1200), VpHundredths(800))
    match = replace(MATCH, carry_home=ImpHundredths(250))
    assert contest_of(stage_format).describe_score(match, made.score) == words


# Who sits where


# Rounds that depend on results


def test_a_swiss_leaves_out_who_has_withdrawn() -> None:
    first = Round(1, 1, (Match(1, "Ants", "Cats"), Match(2, "Bees", "Dogs")))
    stage = stage_of(StageFormat.SWISS, first, Round(2, 2, is_drawn=False))
    record = record_of(stage, {1: (5, 0), 2: (0, 8)}, withdrawn=["Dogs"])
    drawn = contest_of(StageFormat.SWISS).draw_next(plan_of(Settings(rounds=2)), record, 2)
    assert 4 not in {*drawn.byes, *(team for pair in drawn.pairings for team in pair)}
    assert len(drawn.byes) == 1


# Who goes on
