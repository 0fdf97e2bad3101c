"""Edits of the event file while its event is run: what has changed, and when each change takes effect.

What concerns tables takes effect at those that are opened from then on, rankings and start times at once. The draw
that is being played stays as it is, except that a Swiss takes teams that come late.
"""

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from pydantic import BaseModel

from tourney.config import EventConfig, StageConfig, TeamConfig
from tourney.config.base import Section
from tourney.config.stages import stage_rounds, stage_teams
from tourney.errors import ConfigError
from tourney.event.file import EventFile, load_event_file

LOOK_EVERY_S: Final = 1
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


@dataclass(frozen=True, slots=True)
class Change:
    """A setting that has changed."""

    place: str
    """Such as `team 2, command`."""
    effect: Effect

    def __str__(self) -> str:
        return f"{self.place}, {self.effect.value}"


_Model = TypeVar("_Model", bound=BaseModel)
_Signature: TypeAlias = tuple[int, int, int]
_UNREAD: Final = (0, 0, 0)

_RANKING: Final = ("tie_breaks", "bye_vp", "late_vp", "early_leavers", "ties", "starts")
"""The settings of a stage that are no part of its draw."""

_OF_RUN: Final = ("lease_s", "orphan_s", "outage_s", "strikes", "team_ports")
"""The settings of `[tables]` and `[rules]` that the run and its hosts read when they start."""

_OF_DRAW: Final = ("name", "enters", "open_room")
"""The settings of a team that its draw depends on."""


def list_changes(old: EventConfig, new: EventConfig, late: int = 0, *, is_begun: bool = True) -> list[Change]:
    """List what differs between two versions of an event file.

    Args:
        old: what the run has gone by.
        new: what the file says now.
        late: how many of its last teams come late, and are taken.
        is_begun: whether a board has been begun, so that the draw stays.
    """
    draw = Effect.NEVER if is_begun else Effect.NEXT_RUN
    changes = [Change(f"event, {key}", Effect.NEXT_RUN) for key in _differing(old.event, new.event)]
    changes += _list_team_changes(old, new, late, draw)
    for number, (stage_before, stage) in enumerate(zip(old.stage, new.stage, strict=False), 1):
        is_same = stage.name == stage_before.name
        changes += (
            Change(f"stage {number}, {key}", Effect.NOW if is_same and key in _RANKING else draw)
            for key in _differing(stage_before, stage)
        )
    if len(new.stage) != len(old.stage):
        changes.append(Change("the number of stages", draw))
    changes += (Change(f"deals, {key}", draw) for key in _differing(old.deals, new.deals))
    for name in ("tables", "doors", "clock", "rules"):
        for key in _differing(getattr(old, name), getattr(new, name)):
            effect = Effect.NEXT_RUN if key in _OF_RUN else Effect.NOW if key == "at_once" else Effect.TABLES
            changes.append(Change(f"{name}, {key}", effect))
    if old.stateful != new.stateful:
        changes.append(Change("stateful, port", Effect.NEXT_RUN))
    changes += (Change(f"sandbox, {key}", Effect.NEXT_RUN) for key in _differing(old.sandbox, new.sandbox))
    changes += (Change(f"launch, {key}", Effect.NEXT_RUN) for key in _differing(old.launch, new.launch))
    changes += (Change(f"record, {key}", Effect.NEXT_RUN) for key in _differing(old.record, new.record))
    changes += (Change(f"reports, {key}", Effect.NOW) for key in _differing(old.reports, new.reports))
    changes += (Change(f"web, {key}", Effect.NOW) for key in _differing(old.web, new.web))
    if old.vp_table != new.vp_table:
        changes.append(Change("vp_table", draw))
    return changes


def _list_team_changes(old: EventConfig, new: EventConfig, late: int, draw: Effect) -> Iterator[Change]:
    known = {team.name: team for team in old.team}
    for number, team in enumerate(new.team[: len(new.team) - late], 1):
        before = known.get(team.name)
        if before is None:
            yield Change(f"team {number}, name", draw)
            continue
        for key in _differing(before, team):
            effect = draw if key in _OF_DRAW else Effect.NEXT_RUN if key == "pass_phrase" else Effect.TABLES
            yield Change(f"team {number}, {key}", effect)
    names = [team.name for team in new.team if team.name in known]
    if names != [team.name for team in old.team if team.name in names]:
        yield Change("the order of the teams", draw)
    if len(new.team) - late != len(old.team):
        yield Change("the number of teams", draw)


def added_teams(old: EventConfig, new: EventConfig) -> list[TeamConfig]:
    """Return the teams that were added after the others; none if anything else about the names has changed."""
    names = [team.name for team in old.team]
    return new.team[len(names) :] if [team.name for team in new.team[: len(names)]] == names else []


def _differing(old: Section, new: Section) -> Iterator[str]:
    for key in type(old).model_fields:
        if getattr(old, key) != getattr(new, key):
            yield key


def merge_config(old: EventConfig, new: EventConfig, late: Sequence[TeamConfig] = ()) -> EventConfig:
    """Return what the run goes by from now on: the new file where it takes effect, otherwise the old one."""
    known = {team.name: team for team in new.team}
    teams = [_merge_team(before, known.get(before.name, before)) for before in old.team]
    sizes = stage_teams(old.stage, len(old.team))
    named = {stage.name: stage for stage in new.stage}
    stages = [
        _merge_stage(before, named.get(before.name, before), stage_rounds(before, size))
        for before, size in zip(old.stage, sizes, strict=True)
    ]
    update = {
        "team": [*teams, *late],
        "stage": stages,
        "tables": _copy(new.tables, old.tables, _OF_RUN),
        "doors": new.doors,
        "clock": new.clock,
        "rules": _copy(new.rules, old.rules, _OF_RUN),
        "reports": new.reports,
        "web": new.web,
    }
    return old.model_copy(update=update)


def _merge_team(old: TeamConfig, new: TeamConfig) -> TeamConfig:
    return _copy(new, old, (*_OF_DRAW, "pass_phrase"))


def _merge_stage(old: StageConfig, new: StageConfig, rounds: int) -> StageConfig:
    fits = new.starts is None or len(new.starts) == rounds  # else they are for another draw
    return _copy(old, new, [key for key in _RANKING if key != "starts" or fits])


def _copy(model: _Model, source: _Model, keys: Sequence[str]) -> _Model:
    """Return the model with these attributes as in another one."""
    known = type(model).model_fields
    return model.model_copy(update={key: getattr(source, key) for key in keys if key in known})


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

    def look(self, current: EventFile) -> EventFile | None:
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
