"""Reads the text of an event file: an `EventConfig`, or everything that is wrong with it."""

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from tourney.config.consistency import consistency_problems
from tourney.config.event import EventConfig, VpTableConfig
from tourney.config.messages import describe_errors
from tourney.config.stages import StageConfig
from tourney.config.tables import TablesConfig
from tourney.config.team import TeamConfig
from tourney.config.toml import EventFileError, load_toml, nested_too_deeply
from tourney.scoring.victory_points import UserTable

_Section = TypeVar("_Section", bound=BaseModel)


def parse_event_file(text: str, name: str) -> EventConfig:
    """Checks the text of an event file.

    Args:
        text: TOML.
        name: what to call the file in messages.

    Raises:
        EventFileError: all problems at once.
    """
    data = load_toml(text, name)
    try:
        found = _check(data)
    except RecursionError:
        raise nested_too_deeply(name) from None
    if isinstance(found, list):
        raise EventFileError(name, found)
    return found


def _check(data: dict[str, Any]) -> EventConfig | list[str]:
    """Returns the checked event, or all problems."""
    try:
        return EventConfig.model_validate(data)
    except ValidationError as error:
        problems = describe_errors(error)
        if all(detail["loc"] for detail in error.errors()):  # else their consistency was checked already
            problems += _check_consistency(data)
        return problems


def _check_consistency(data: dict[str, Any]) -> list[str]:
    """Returns inconsistencies between the sections that are valid."""
    teams, stages, scales = data.get("team"), data.get("stage"), data.get("vp_table", {})
    return consistency_problems(
        [_salvage_team(team) for team in teams] if isinstance(teams, list) else None,
        [_salvage(StageConfig, stage) for stage in stages] if isinstance(stages, list) else None,
        _salvage(TablesConfig, data.get("tables", {})),
        {name: _salvage_scale(table) for name, table in scales.items()} if isinstance(scales, dict) else {},
    )


def _salvage(kind: type[_Section], data: object) -> _Section | None:
    """Returns the section if it is valid."""
    try:
        return kind.model_validate(data)
    except ValidationError:
        return None


def _salvage_team(data: object) -> TeamConfig | None:
    """Returns the team with its name and entry round, whatever else is wrong with it; None if its name is invalid."""
    if not isinstance(data, dict):
        return None
    name = {"name": data.get("name")}
    return _salvage(TeamConfig, name | {"enters": data.get("enters")}) or _salvage(TeamConfig, name)


def _salvage_scale(data: object) -> UserTable | None:
    section = _salvage(VpTableConfig, data)
    return section.steps if section is not None else None
