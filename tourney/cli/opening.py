"""How commands that read come to an event: its file, its database, its draw. Nothing is made or changed."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from tourney.coordinator.event_file import EventFile
    from tourney.coordinator.event_place import EventPlace
    from tourney.movement.ranking import RankingRules
    from tourney.scoring.victory_points import VpScale
    from tourney.store.db.database import Database
    from tourney.store.draw.objects import EventInfo, MatchInfo

MATCH_NUMBER_MAX: Final = 999_999_999
"""No event has so many matches; a database has whole numbers of 64 bits."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


def event_argument(function: _Function) -> _Function:
    """EVENT, the path of an event file that is there."""
    path = click.Path(exists=True, dir_okay=False, path_type=Path)
    return click.argument("event_path", metavar="EVENT", type=path)(function)


@dataclass(frozen=True)
class DrawnEvent:
    """An event as it is stored, with the file that names it; the two may have drifted apart."""

    place: "EventPlace"
    database: "Database"
    event: "EventInfo"
    """Without the matches of other rounds when it was opened for one match."""

    @cached_property
    def file(self) -> "EventFile":
        """The whole file, read and checked when something of it is asked for that is not on record.

        Raises:
            ConfigError: it cannot be read, or something is wrong with it.
        """
        from tourney.coordinator.event_file import load_event_file

        return load_event_file(self.place.path)

    @property
    def scales(self) -> "dict[int, VpScale | None]":
        """The scales of the draw by stage; None for one of the organiser's own that the file has no more."""
        from tourney.errors import ConfigError
        from tourney.scoring.victory_points import vp_scale

        own = {}
        if self.place.names.has_own_scales:
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
        from tourney.store.draw.event_info import count_matches

        found = next((match for match in self.event.matches if match.number == number), None)
        if found is None:
            last = count_matches(self.database, self.event.id)
            raise UsageError(f"matches of {self.event.name!r} are 1..{last}, got {number}")
        return found


@contextmanager
def drawn_event(path: Path, of_match: int | None = None) -> "Iterator[DrawnEvent]":
    """The stored event of an event file.

    Args:
        path: of the file. No more of it is read and checked than where the record is, until more is asked for.
        of_match: the number of a match, for commands that look at no other: the draw has only its round then.

    Raises:
        ConfigError: the file cannot be read, or what it says of the record is wrong.
        StoreError: the event was never drawn, or the database cannot be used.
    """
    from tourney.errors import StoreError
    from tourney.store.db.database import Database
    from tourney.store.db.schema import check
    from tourney.store.draw.event_info import load_event

    place = _place_of(path)
    name = place.names.event
    with closing(Database(place.database_url)) as database:
        check(database)
        event = load_event(database, name, None if of_match is None else max(0, min(of_match, MATCH_NUMBER_MAX)))
        if event is None:
            raise StoreError(
                f"event {name!r} is not in database {database}: `tourney schedule {path}` draws it, "
                f"`tourney run {path}` draws and plays it"
            )
        yield DrawnEvent(place, database, event)


def _place_of(path: Path) -> "EventPlace":
    from tourney.coordinator.event_place import load_event_place

    place = load_event_place(path)
    if place is None:
        from tourney.coordinator.event_file import load_event_file  # which says all that is wrong

        return load_event_file(path).place
    return place
