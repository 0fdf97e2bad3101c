"""How commands that read come to an event: its file, its database, its draw. Nothing is made or changed."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from tourney.coordinator.event_file import EventFile
    from tourney.movement.ranking import RankingRules
    from tourney.scoring.victory_points import VpScale
    from tourney.store.database import Database
    from tourney.store.objects import EventInfo, MatchInfo

_Function = TypeVar("_Function", bound=Callable[..., Any])


def event_argument(function: _Function) -> _Function:
    """EVENT, the path of an event file that is there."""
    path = click.Path(exists=True, dir_okay=False, path_type=Path)
    return click.argument("event_path", metavar="EVENT", type=path)(function)


@dataclass(frozen=True, slots=True)
class DrawnEvent:
    """An event as it is stored, with the file that names it; the two may have drifted apart."""

    file: "EventFile"
    database: "Database"
    event: "EventInfo"

    @property
    def scales(self) -> "dict[int, VpScale | None]":
        """The scales of the draw by stage; None for one of the organiser's own that the file has no more."""
        from tourney.errors import ConfigError
        from tourney.scoring.victory_points import vp_scale

        own = {name: table.steps for name, table in self.file.config.vp_table.items()}
        scales: dict[int, VpScale | None] = {}
        for stage in self.event.stages:
            try:
                scales[stage.number] = vp_scale(stage.vp_scale, stage.boards_per_match, own)
            except ConfigError:
                scales[stage.number] = None
        return scales

    @property
    def ranking_rules(self) -> "dict[int, RankingRules]":
        """How teams are ranked in each stage: by the file, for it is no part of the draw."""
        scales = self.scales
        return {n: stage.ranking_rules(scales.get(n)) for n, stage in enumerate(self.file.config.stage, 1)}

    def match(self, number: int) -> "MatchInfo":
        """The match of that number.

        Raises:
            UsageError: there is none.
        """
        from tourney.errors import UsageError

        matches = {match.number: match for match in self.event.matches}
        if number not in matches:
            raise UsageError(f"matches of {self.event.name!r} are 1..{len(matches)}, got {number}")
        return matches[number]


@contextmanager
def drawn_event(path: Path) -> "Iterator[DrawnEvent]":
    """The stored event of an event file.

    Raises:
        ConfigError: the file cannot be read, or something is wrong with it.
        StoreError: the event was never drawn, or the database cannot be used.
    """
    from tourney.coordinator.event_file import load_event_file
    from tourney.errors import StoreError
    from tourney.store.database import Database
    from tourney.store.event_info import load_event
    from tourney.store.schema import check

    event_file = load_event_file(path)
    name = event_file.config.event.name
    with closing(Database(event_file.database_url)) as database:
        check(database)
        event = load_event(database, name)
        if event is None:
            raise StoreError(
                f"event {name!r} is not in database {database}: `tourney schedule {path}` draws it, "
                f"`tourney run {path}` draws and plays it"
            )
        yield DrawnEvent(event_file, database, event)
