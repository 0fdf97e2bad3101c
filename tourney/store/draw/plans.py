"""The draw as it is given to the store: plain objects, free of SQL."""

from dataclasses import dataclass

from tourney.bridge import Board
from tourney.contest.plan import PlannedRound, StageRules
from tourney.movement.formats import PlannedEntry
from tourney.protocol.wires import DEFAULT as DEFAULT_WIRE
from tourney.protocol.wires import WireProfile


@dataclass(frozen=True, slots=True)
class PlannedTeam:
    """A team to be stored; its number is its place in the list."""

    name: str
    command: str | None
    profile: str
    wire: WireProfile = DEFAULT_WIRE
    """The profile of that name with the team's own settings."""
    second_command: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStage(StageRules):
    """A stage to be stored, as far as it is drawn."""

    starts_at_ms: tuple[int | None, ...]
    """One for each round that it has."""
    entries: tuple[PlannedEntry, ...]
    """In the order of their seeds; none while it is not known who comes."""
    rounds: tuple[PlannedRound, ...]
    """The first ones, as far as it is known who meets whom."""


@dataclass(frozen=True, slots=True)
class EventDraw:
    """A draw to be stored. `plan` is a text of all that it depends on, by which a change is noticed."""

    name: str
    seed: str
    plan: str
    teams: tuple[PlannedTeam, ...]
    stages: tuple[PlannedStage, ...]
    board_sets: dict[str, tuple[Board, ...]]
    """The boards of all rounds, drawn or not."""
