"""A stage in its row, as conditions of contest look at it: what comes before it, and how much is played in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.conditions.text import listed, quoted
from tourney.config import EventConfig, StageConfig
from tourney.config.fit import stage_rounds, stage_teams, teams_left
from tourney.movement.groups import deal_into_groups
from tourney.movement.seating import SeatsRule


@dataclass(frozen=True, slots=True)
class Phase:
    """One stage of an event file and its place in the row."""

    config: EventConfig
    number: int
    stage: StageConfig
    teams: int
    """How many it is for."""
    before: "Phase | None"
    """None for the first."""

    @property
    def is_only(self) -> bool:
        """Whether the event has no other stage."""
        return len(self.config.stage) == 1

    @property
    def rounds(self) -> int:
        return stage_rounds(self.stage, self.teams)

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The seeds of each group, 1 the best; one group where the stage is not cut into several."""
        return deal_into_groups(range(1, self.teams + 1), self.stage.groups)

    @property
    def late(self) -> tuple[int, ...]:
        """The rounds from which the teams play that come late."""
        return tuple(team.enters for team in self.config.team if team.enters is not None) if self.number == 1 else ()

    @property
    def left(self) -> int:
        """How many teams a knockout leaves."""
        left = teams_left(self.stage, self.teams)
        assert left is not None
        return left

    @property
    def matches(self) -> int:
        """How many it has when nobody leaves the event."""
        return sum(self.stage.format.count_matches(self.stage, self.teams, self.late))

    @property
    def ranks_by_vp(self) -> bool:
        """Whether victory points count in it; in a knockout IMPs alone do."""
        return not self.stage.format.is_knockout

    @property
    def seats_change(self) -> bool:
        """Whether anybody ever sits otherwise than by custom."""
        several = self.stage.segments > 1 or self.stage.extra > 0
        return self.stage.seats is SeatsRule.RIGHTS or (self.stage.seats is SeatsRule.ALTERNATE and several)

    @property
    def ranked_by(self) -> "Phase":
        """The last stage before it that was no knockout: what is carried over is made there."""
        assert self.before is not None
        return self.before if self.before.ranks_by_vp else self.before.ranked_by


def phases_of(config: EventConfig) -> list[Phase]:
    """The stages of an event file, in order."""
    phases: list[Phase] = []
    for number, (stage, teams) in enumerate(
        zip(config.stage, stage_teams(config.stage, len(config.team)), strict=True), 1
    ):
        phases.append(Phase(config, number, stage, teams, phases[-1] if phases else None))
    return phases


def stage_names(phases: Sequence[Phase]) -> str:
    """`the stage "A"`, `the stages "A" and "B"`."""
    names = [quoted(phase.stage.name) for phase in phases]
    return f"the {'stage' if len(names) == 1 else 'stages'} {listed(names)}"
