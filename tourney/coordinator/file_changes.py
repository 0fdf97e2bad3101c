"""Edits of the event file while its event is run: what has changed, and when each change takes effect.

What concerns tables takes effect at those that are opened from then on, rankings and start times at once. The draw
that is being played stays as it is, except that a Swiss takes teams that come late.
"""

import enum
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias, TypeVar

from tourney.config import EventConfig, StageConfig, TeamConfig
from tourney.config.base import Section
from tourney.config.stages import NOT_OF_DRAW, stage_teams
from tourney.errors import ConfigError
from tourney.event.file import EventFile, load_event_file

POLL_EVERY_S: Final = 1
"""How often the file is looked at, in seconds. It is read when it has not changed between two looks: editors write in
several steps."""

LINES_MAX: Final = 20
"""How many changes are said one by one."""


class Effect(enum.StrEnum):
    """When a change of a setting takes effect."""

    NOW = "which takes effect at once"
    TABLES = "which takes effect at tables that are opened from now on"
    NEXT_RUN = "which takes effect when the run is started again"
    NEVER = "which takes no effect, as boards have been played by the draw as it is"


class Change(NamedTuple):
    """A setting that has changed."""

    place: str
    """Such as `team 2, command`."""
    effect: Effect

    def __str__(self) -> str:
        return f"{self.place}, {self.effect.value}"


_Model = TypeVar("_Model", bound=Section)
_Signature: TypeAlias = tuple[int, int, int]
_UNREAD: Final = (0, 0, 0)

_OF_DRAW: Final = Effect.NEVER
"""What concerns the draw has no effect once a board has been begun; before, the next run draws anew."""

_SECTIONS: Final = {
    "event": Effect.NEXT_RUN,
    "team": Effect.TABLES,
    "stage": _OF_DRAW,
    "deals": _OF_DRAW,
    "tables": Effect.TABLES,
    "limits": Effect.TABLES,
    "clock": Effect.TABLES,
    "rules": Effect.TABLES,
    "stateful": Effect.NEXT_RUN,
    "sandbox": Effect.NEXT_RUN,
    "launch": Effect.NEXT_RUN,
    "record": Effect.NEXT_RUN,
    "analysis": Effect.NEXT_RUN,
    "reports": Effect.NOW,
    "web": Effect.NOW,
}
"""When a change takes effect, by the section that it is in."""

_KEYS: Final = {
    "event": {"timezone": Effect.NOW},
    "team": dict.fromkeys(("name", "enters", "open_room"), _OF_DRAW) | {"pass_phrase": Effect.NEXT_RUN},
    "stage": dict.fromkeys(NOT_OF_DRAW - {"name", "format"}, Effect.NOW),
    "tables": dict.fromkeys(("lease_s", "orphan_s", "outage_s", "team_ports", "connect_port"), Effect.NEXT_RUN)
    | {"at_once": Effect.NOW},
    "rules": {"strikes": Effect.NEXT_RUN},
}
"""The settings that differ in this from the others of their section."""


def _effect(section: str, key: str) -> Effect:
    return _KEYS.get(section, {}).get(key, _SECTIONS[section])


def list_changes(old: EventConfig, new: EventConfig, late: int = 0, *, is_begun: bool = True) -> list[Change]:
    """List what differs between two versions of an event file.

    Args:
        old: what the run has gone by.
        new: what the file says now.
        late: how many of its last teams come late, and are taken.
        is_begun: whether a board has been begun, so that the draw stays.
    """
    changes = list(_list_changes(old, new, late))
    if is_begun:
        return changes
    return [Change(each.place, Effect.NEXT_RUN) if each.effect is _OF_DRAW else each for each in changes]


def _list_changes(old: EventConfig, new: EventConfig, late: int) -> Iterator[Change]:
    for section in _SECTIONS:
        if section == "team":
            yield from _list_team_changes(old, new, late)
        elif section == "stage":
            yield from _list_stage_changes(old, new)
        else:
            for key in _differing(getattr(old, section), getattr(new, section)):
                yield Change(f"{section}, {key}", _effect(section, key))
    if old.vp_table != new.vp_table:
        yield Change("vp_table", _OF_DRAW)


def _list_team_changes(old: EventConfig, new: EventConfig, late: int) -> Iterator[Change]:
    known = {team.name: team for team in old.team}
    for number, team in enumerate(new.team[: len(new.team) - late], 1):
        if team.name not in known:
            yield Change(f"team {number}, name", _OF_DRAW)
            continue
        for key in _differing(known[team.name], team):
            yield Change(f"team {number}, {key}", _effect("team", key))
    names = [team.name for team in new.team if team.name in known]
    if names != [team.name for team in old.team if team.name in names]:
        yield Change("the order of the teams", _OF_DRAW)
    if len(new.team) - late != len(old.team):
        yield Change("the number of teams", _OF_DRAW)


def _list_stage_changes(old: EventConfig, new: EventConfig) -> Iterator[Change]:
    for number, (before, stage) in enumerate(zip(old.stage, new.stage, strict=False), 1):
        for key in _differing(before, stage):
            yield Change(f"stage {number}, {key}", _effect("stage", key) if stage.name == before.name else _OF_DRAW)
    if len(new.stage) != len(old.stage):
        yield Change("the number of stages", _OF_DRAW)


def _differing(old: Section | None, new: Section | None) -> list[str]:
    """Return the keys that differ; a section that only one of the files has differs in all of its keys."""
    keys = getattr(type(old or new), "model_fields", ())
    return [key for key in keys if getattr(old, key, None) != getattr(new, key, None)]


def added_teams(old: EventConfig, new: EventConfig) -> list[TeamConfig]:
    """Return the teams that were added after the others; none if anything else about the names has changed."""
    names = [team.name for team in old.team]
    return new.team[len(names) :] if [team.name for team in new.team[: len(names)]] == names else []


def merge_config(old: EventConfig, new: EventConfig, late: Sequence[TeamConfig] = ()) -> EventConfig:
    """Return what the run goes by from now on: the new file where it takes effect, otherwise the old one."""
    teams = {team.name: team for team in new.team}
    stages = {stage.name: stage for stage in new.stage}
    sizes = stage_teams(old.stage, len(old.team))
    others = _SECTIONS.keys() - {"team", "stage", "stateful"}
    update = {name: _merge(name, getattr(old, name), getattr(new, name)) for name in others}
    update["team"] = [*(_merge("team", team, teams.get(team.name, team)) for team in old.team), *late]
    update["stage"] = [
        _merge_stage(before, stages.get(before.name, before), before.format.count_rounds(before, size))
        for before, size in zip(old.stage, sizes, strict=True)
    ]
    return old.model_copy(update=update)


def _merge_stage(old: StageConfig, new: StageConfig, rounds: int) -> StageConfig:
    merged = _merge("stage", old, new)
    fits = new.starts is None or len(new.starts) == rounds  # else they are for another draw
    return merged if fits else merged.model_copy(update={"starts": old.starts})


def _merge(section: str, old: _Model, new: _Model) -> _Model:
    """Return a section with what takes effect during a run as in the new file."""
    taken = [key for key in _differing(old, new) if _effect(section, key) in (Effect.NOW, Effect.TABLES)]
    return old.model_copy(update={key: getattr(new, key) for key in taken})


class EventFileWatch:
    """Finds out when an event file has been edited, and reads it then."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen = _signature(path)
        self._read: _Signature | None = _UNREAD  # it may have been edited since it was read
        self.is_refused = False
        """Whether the last edit cannot be used."""
        self.is_there = self._seen is not None
        """Whether there is a file to look at; a simulation has none."""

    def poll(self, current: EventFile) -> EventFile | None:
        """Return the file if it has been edited and says something else than what the run goes by, else None.

        Raises:
            ConfigError: it cannot be used; this is said once for each edit.
        """
        seen, self._seen = self._seen, _signature(self._path)
        if self._seen != seen or self._seen == self._read:
            return None
        self._read = self._seen
        try:
            event_file = load_event_file(self._path)
        except ConfigError as error:
            self.is_refused = True
            first, _, more = str(error).partition("\n")
            others = f", and {more.count(chr(10)) + 1} more" if more else ""
            raise ConfigError(f"{first}{others}") from None
        self.is_refused = False
        return event_file if event_file.config != current.config else None

    def read_again(self) -> None:
        """Have the next look read the file once more, as what it says could not be taken up."""
        self._read = _UNREAD


def _signature(path: Path) -> _Signature | None:
    """Return what changes when a file is written or replaced; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def describe_changes(changes: Sequence[Change]) -> list[str]:
    """Return a sentence for each change: `the event file has changed: reports, butler_trim, which takes ...`."""
    lines = [f"the event file has changed: {change}" for change in changes[:LINES_MAX]]
    if len(changes) > LINES_MAX:
        lines.append(f"the event file has changed: {len(changes) - LINES_MAX} settings more")
    return lines
