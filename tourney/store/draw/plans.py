"""The draw as passed to the store: plain objects, free of SQL."""

from dataclasses import dataclass

from tourney.bridge import Board
from tourney.contest.kind import Contest
from tourney.contest.plan import PlannedEntry, PlannedRound
from tourney.movement.seating import SeatsRule, SharedDeals
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.games import stage_scale
from tourney.store.draw.tables import PlannedTeam, StagePlan, game_of


def board_scale_of(said: StagePlan) -> BoardScale:
    """Return how a stage scores boards, from its plan; IMPs if it does not say."""
    return stage_scale(
        game_of(said), said.get("scoring", ""), str(said.get("board_points", 1)), said.get("vp_scale", "")
    )


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
