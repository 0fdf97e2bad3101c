"""What all parts of a run go by, each fact once: the settings, the event as last read, its record, the time."""

from dataclasses import dataclass, field

from tourney.coordinator.run_events import Notice, RunSink
from tourney.errors import StoreError
from tourney.event.file import EventFile
from tourney.runtime.clock import HostClock
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo, TeamInfo
from tourney.store.draw.reader import load_event
from tourney.store.results.event_results import DrawMark, load_draw_mark


@dataclass(slots=True)
class RunContext:
    """The state that the parts of one run share."""

    file: EventFile
    """The event file; another one after an edit that has been taken up."""
    database: Database
    """The record; in a run, as fenced by its lease."""
    event: EventInfo
    """The event as last read: rounds, extra boards and teams are added while it is played."""
    clock: HostClock
    report: RunSink
    """Is handed what happens."""
    teams: dict[str, TeamInfo] = field(init=False)
    """The teams of the event by name."""
    _mark: DrawMark | None = None
    """The mark of the draw when it was last read; None before the first read of this run."""

    def __post_init__(self) -> None:
        self.teams = {team.name: team for team in self.event.teams}

    def notify(self, sentence: str, action: str = "notice") -> None:
        """Report news of the run itself, which the log has as this action."""
        self.report(Notice(sentence, action))

    def reload(self) -> None:
        """Read the event again, with whatever has been drawn since and with teams that have come late.

        Raises:
            StoreError: it is gone, or the database cannot be used.
        """
        mark = load_draw_mark(self.database, self.event.id)
        event = load_event(self.database, self.event.name)
        if event is None:
            raise StoreError(f"event {self.event.name!r} is not in database {self.database} any more")
        self._mark, self.event = mark, event
        self.teams = {team.name: team for team in event.teams}

    def refresh(self) -> None:
        """Read the event again if its draw has changed since, by whomever.

        Raises:
            StoreError: it is gone, or the database cannot be used.
        """
        if self._mark != load_draw_mark(self.database, self.event.id):
            self.reload()
