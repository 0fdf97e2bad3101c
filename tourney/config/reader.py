"""The text of an event file to an `EventConfig`, or to all that is wrong with it."""

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from tourney.config.doors import DoorsConfig
from tourney.config.fit import TeamToFit, fit_problems
from tourney.config.model import (
    DealsConfig,
    EventConfig,
    EventSection,
    TablesConfig,
    TeamConfig,
    VpTableConfig,
)
from tourney.config.reports import ReportsConfig
from tourney.config.stages import CarryOverConfig, StageConfig
from tourney.config.table_rules import ClockConfig, MethodsConfig, RulesConfig, WireConfig
from tourney.config.toml import EventFileError, load_toml, nested_too_deeply
from tourney.config.values import shown
from tourney.scoring.victory_points import UserTable

_SECTIONS: dict[str, type[BaseModel]] = {
    "event": EventSection,
    "team": TeamConfig,
    "stage": StageConfig,
    "deals": DealsConfig,
    "tables": TablesConfig,
    "doors": DoorsConfig,
    "clock": ClockConfig,
    "rules": RulesConfig,
    "reports": ReportsConfig,
    "vp_table": VpTableConfig,
}
_SUBSECTIONS: dict[str, type[BaseModel]] = {
    "wire": WireConfig,
    "methods": MethodsConfig,
    "carry_over": CarryOverConfig,
}
"""Of `[[team]]` and `[[stage]]`."""
_REPEATED = ("team", "stage")
_TYPES = {
    "string_type": "text in quotes",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list in square brackets",
    "dict_type": "a section",
    "model_type": "a section",
    "datetime_type": "a date and time with zone, such as 2026-11-21T14:00:00Z",
    "timezone_aware": "a date and time with zone, such as 2026-11-21T14:00:00Z",
}


_Part = TypeVar("_Part", bound=BaseModel)


def parse_event_file(text: str, name: str) -> EventConfig:
    """Check the text of an event file.

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
    """The checked event, or all that is wrong."""
    try:
        return EventConfig.model_validate(data)
    except ValidationError as error:
        details = error.errors()
        problems = [line for detail in details for line in _describe(detail)]
        if all(detail["loc"] for detail in details):  # else they are of the fit already
            problems += _check_fit(data)
        return problems


def _check_fit(data: dict[str, Any]) -> list[str]:
    """What does not fit between the sections that are right by themselves."""
    teams, stages, own = data.get("team"), data.get("stage"), data.get("vp_table", {})
    return fit_problems(
        [_team_to_fit(team) for team in teams] if isinstance(teams, list) else None,
        [_salvage(StageConfig, stage) for stage in stages] if isinstance(stages, list) else None,
        _salvage(TablesConfig, data.get("tables", {})),
        {name: _own_steps(table) for name, table in own.items()} if isinstance(own, dict) else {},
    )


def _own_steps(table: object) -> UserTable | None:
    section = _salvage(VpTableConfig, table)
    return section.steps if section is not None else None


def _team_to_fit(team: object) -> TeamToFit:
    """The name and when it comes, whatever else is wrong with the team."""
    if not isinstance(team, dict):
        return TeamToFit(None)
    named = _salvage(TeamConfig, {"name": team.get("name")})
    late = _salvage(TeamConfig, {"name": "A", "enters": team.get("enters")})
    return TeamToFit(named.name if named is not None else None, late.enters if late is not None else None)


def _salvage(kind: type[_Part], data: object) -> _Part | None:
    """The section, if it is right by itself."""
    try:
        return kind.model_validate(data)
    except ValidationError:
        return None


def _describe(error: ErrorDetails) -> list[str]:
    """One sentence for each thing that is wrong: the place, what is allowed, what was found."""
    place = _place(error["loc"])
    kind, got = error["type"], error["input"]
    context: dict[str, Any] = error.get("ctx", {})
    if kind == "missing":
        head, key = error["loc"][:-1], error["loc"][-1]
        if not head:
            section = f"[[{key}]]" if key in _REPEATED else f"[{key}]"
            return [f"there is no {section} section"]
        return [f"{_place(head)}: {key} is missing"]
    if kind == "extra_forbidden":
        *above, key = error["loc"]
        model = _SUBSECTIONS.get(str(above[-1])) or _SECTIONS.get(str(above[0])) if above else EventConfig
        allowed = ", ".join(model.model_fields) if model is not None else ""
        where = f"{_place(tuple(above))}: " if above else ""
        return [f"{where}{key!r} is not known here, allowed are {allowed}"]
    if kind == "value_error":
        message = str(context["error"])
        return [f"{place}: {message}" if place else line for line in message.split("\n")]
    if kind in ("list_type", "model_type", "dict_type") and len(error["loc"]) == 1 and place in _SECTIONS:
        if place in _REPEATED:
            return [f"{place}: sections [[{place}]], in double brackets, are asked for, got {shown(got)}"]
        return [f"{place}: one section [{place}], in single brackets, is asked for, got {shown(got)}"]
    if kind == "model_type" and error["loc"][0] == "vp_table":
        return [f"{place}: a [vp_table.NAME] section is asked for, got {shown(got)}"]
    if kind in _TYPES:
        return [f"{place}: {_TYPES[kind]} is asked for, got {shown(got)}"]
    if kind in ("greater_than_equal", "less_than_equal"):
        limit = f"at least {context['ge']}" if "ge" in context else f"at most {context['le']}"
        return [f"{place}: {limit} is allowed, got {shown(got)}"]
    if kind == "string_too_long":
        return [f"{place}: at most {context['max_length']} characters are allowed, got {len(str(got))}"]
    return [f"{place}: {error['msg']}, got {shown(got)}"]


def _place(location: tuple[int | str, ...]) -> str:
    """`team 2, name` for `("team", 1, "name")`."""
    parts: list[str] = []
    for part in location:
        if isinstance(part, int):
            parts[-1] += f" {part + 1}"
        else:
            parts.append(part)
    return ", ".join(parts)
