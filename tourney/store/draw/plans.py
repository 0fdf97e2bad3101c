"""The draw as passed to the store: plain objects, free of SQL."""

from dataclasses import dataclass

from tourney.bridge import Board
from tourney.contest.kind import Contest
from tourney.contest.plan import PAIRS_SCORING, SCORING, PlannedEntry, PlannedRound
from tourney.movement.seating import SeatsRule, SharedDeals
from tourney.scoring.board_a_match import BoardPoints
from tourney.scoring.board_scale import IMPS, BoardScale, board_a_match_scale, pairs_scale
from tourney.scoring.pairs.field import PairsScoring
from tourney.store.draw.tables import PlannedTeam, StagePlan, game_of


def board_scale_of(said: StagePlan) -> BoardScale:
    """Return how a stage scores boards, from its plan; IMPs if it does not say."""
    game = game_of(said)
    if game is not None:
        return game.board_scale
    if PAIRS_SCORING in said:
        return pairs_scale(is_matchpoints=said[PAIRS_SCORING] == PairsScoring.MATCHPOINTS)
    if SCORING not in said:
        return IMPS
    return board_a_match_scale(BoardPoints(said[SCORING].rpartition(" ")[2]), said["vp_scale"])


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRules:
    """The settings of a stage that are stored with the draw, each under the name of its column."""

    name: str
    format: Contest
    boards_per_match: int
    vp_scale: str
    shared_deals: SharedDeals
    groups: int
    segments: int
    seats: SeatsRule
    extra_boards: int
    """Number of boards a tied match gets each time; 0 for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStage(StageRules):
    """A stage to be stored, as far as it is drawn."""

    starts_at_ms: tuple[int | None, ...]
    """The starting time of each of its rounds."""
    entries: tuple[PlannedEntry, ...]
    """In the order of their seeds; empty until the teams of the stage are known."""
    rounds: tuple[PlannedRound, ...]
    """The first rounds, as far as they are drawn."""


@dataclass(frozen=True, slots=True)
class EventDraw:
    """A draw to be stored. `plan` is a text of everything it depends on, used to detect changes."""

    name: str
    seed: str
    plan: str
    teams: tuple[PlannedTeam, ...]
    stages: tuple[PlannedStage, ...]
    board_sets: dict[str, tuple[Board, ...]]
    """The boards of all rounds, drawn or not."""
