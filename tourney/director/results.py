"""The results of an event as a whole: made final, and opened again."""

from dataclasses import dataclass

from tourney.coordinator.director import Grounds, check_finalisable, check_reopenable, finalise, reopen
from tourney.coordinator.run_lease import load_activity
from tourney.director.action import DirectorAction, Preview
from tourney.errors import RuleError
from tourney.event.drawn import DrawnEvent
from tourney.table import clock


@dataclass(frozen=True, slots=True)
class Finalise(DirectorAction):
    """Make the results of an event final: until then they are provisional."""

    is_abandoned: bool = False
    """Whether matches are left, which nobody will play."""

    def preview(self, drawn: DrawnEvent) -> Preview:
        """Return what becomes final."""
        self._check(drawn)
        check_finalisable(drawn.database, drawn.event, is_abandoned=self.is_abandoned)
        left = "; what is left of it will not be played" if self.is_abandoned else ""
        return Preview((f"the results of {drawn.event.name} become final{left}",))

    def carry_out(self, drawn: DrawnEvent, grounds: Grounds) -> tuple[str, ...]:
        """Make them final."""
        self._check(drawn)
        finalise(drawn.database, drawn.event, grounds, is_abandoned=self.is_abandoned)
        return (f"the results of {drawn.event.name} are final",)

    def _check(self, drawn: DrawnEvent) -> None:
        if self.is_abandoned and load_activity(drawn.file, drawn.database, drawn.event.id, clock.wall_ms()).is_played:
            raise RuleError(f"{drawn.event.name!r} is being played: stop its `tourney run` first")


@dataclass(frozen=True, slots=True)
class Reopen(DirectorAction):
    """Let final results change again."""

    def preview(self, drawn: DrawnEvent) -> Preview:
        """Return what becomes provisional."""
        check_reopenable(drawn.database, drawn.event)
        return Preview((f"the results of {drawn.event.name} become provisional again",))

    def carry_out(self, drawn: DrawnEvent, grounds: Grounds) -> tuple[str, ...]:
        """Open them again."""
        reopen(drawn.database, drawn.event, grounds)
        return (f"the results of {drawn.event.name} are provisional again",)
