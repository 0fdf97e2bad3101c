"""Reads the text of an event file: an `EventConfig`, or everything that is wrong with it, in our own sentences."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, TypeAlias, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from tourney.config.event import EventConfig
from tourney.config.stages import StageConfig
from tourney.config.team import NOT_OF_PAIRS, TeamConfig
from tourney.config.toml import REPEATED_SECTIONS, EventFileError, load_toml, nested_too_deeply
from tourney.config.values import shown
from tourney.suggestions import suggest
from tourney.times import find_zone

ReadFile: TypeAlias = Callable[[str], str]
"""Reads a file that an event file names; raises `ConfigError` if it cannot be read."""


def parse_event_file(text: str, name: str, read: ReadFile | None = None) -> EventConfig:
    """Checks the text of an event file.

    Args:
        text: TOML.
        name: what to call the file in messages.
        read: how to read a movement that it names; without it, movements are not looked at.

    Raises:
        EventFileError: it cannot be used; the problems of a section hide those between sections.
    """
    data = load_toml(text, name)
    _place_starts_in_zone(data)
    try:
        return EventConfig.model_validate(data, context={"read": read})
    except ValidationError as error:
        raise EventFileError(name, [said for detail in error.errors() for said in _describe(detail)]) from None
    except RecursionError:
        raise nested_too_deeply(name) from None


def _place_starts_in_zone(sections: dict[str, Any]) -> None:
    """Gives starts of rounds that have no time zone that of the event, if it has one."""
    event, stages = sections.get("event"), sections.get("stage")
    name = event.get("timezone") if isinstance(event, dict) else None
    if not isinstance(name, str) or not isinstance(stages, list):
        return
    try:
        zone = find_zone(name)
    except ValueError:
        return  # it is reported when the section is checked
    for stage in stages:
        starts = stage.get("starts") if isinstance(stage, dict) else None
        if isinstance(starts, list):
            stage["starts"] = [
                start.replace(tzinfo=zone) if isinstance(start, datetime) and start.tzinfo is None else start
                for start in starts
            ]


def _section_model(annotation: object) -> type[BaseModel] | None:
    """Returns the model of a key whose value is a section, several sections, or sections by name."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_section_model, get_args(annotation))), None)


def section_models(model: type[BaseModel]) -> dict[str, type[BaseModel]]:
    """Returns the models of the sections within a section, by their keys."""
    models = {name: _section_model(field.annotation) for name, field in model.model_fields.items()}
    return {name: found for name, found in models.items() if found is not None}


_SECTIONS = section_models(EventConfig)
_IN_TEAM, _IN_STAGE = section_models(TeamConfig), section_models(StageConfig)
_SUBSECTIONS = _IN_TEAM | _IN_STAGE
_TYPES = {
    "string_type": "text in quotes",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list in square brackets",
    "dict_type": "a section",
    "model_type": "a section",
    "datetime_type": "a date and time, such as 2026-11-21T14:00:00Z",
    "timezone_aware": "a time zone, as in 2026-11-21T14:00:00Z, or a timezone in [event]",
}
_NEVER: Final = re.compile(r"(?!)")
_BARE: Final = {
    "int_type": re.compile(r"[-+]?\d{1,18}"),
    "bool_type": re.compile(r"(?i:true|false)"),
    "datetime_type": re.compile(r"\d{4}-\d\d-\d\d.*"),
}
"""What looks like a value of another type that was put in quotes."""

_COUNTS: Final = frozenset({"teams", "pairs", "players"})
_MEANT_BY_COUNT: Final = "; each has its own section: `tourney init --teams 8 FILE` writes that many"
"""The mend where somebody has given the number of those who enter."""


def _describe(error: ErrorDetails) -> list[str]:
    """Returns a sentence for each problem: the place, what is allowed, what was found."""
    place = _place(error["loc"])
    kind, got = error["type"], error["input"]
    context: dict[str, Any] = error.get("ctx", {})
    if kind == "missing":
        head, key = error["loc"][:-1], error["loc"][-1]
        if not head:
            section = f"[[{key}]]" if key in REPEATED_SECTIONS else f"[{key}]"
            return [f"there is no {section} section"]
        return [f"{_place(head)}: {key} is missing"]
    if kind == "extra_forbidden":
        *above, key = error["loc"]
        model = _SUBSECTIONS.get(str(above[-1])) or _SECTIONS.get(str(above[0])) if above else EventConfig
        keys = list(model.model_fields) if model is not None else []
        without = NOT_OF_PAIRS if above[:1] in (["pair"], ["player"]) else ()
        keys = [each for each in keys if each not in without]
        where = f"{_place(tuple(above))}: " if above else ""
        is_count = above in ([], ["event"]) and key in _COUNTS and isinstance(got, int)
        meant = _MEANT_BY_COUNT if is_count else _meant(str(key), keys)
        return [f"{where}{key!r} is not known here{meant or ', allowed are ' + ', '.join(keys)}"]
    if kind == "value_error":
        message = str(context["error"])
        return [f"{place}: {message}" if place else line for line in message.split("\n")]
    if kind in ("list_type", "model_type", "dict_type") and len(error["loc"]) == 1 and place in _SECTIONS:
        if place in REPEATED_SECTIONS:
            return [f"{place}: expected sections [[{place}]], in double brackets, got {shown(got)}"]
        return [f"{place}: expected one section [{place}], in single brackets, got {shown(got)}"]
    if kind == "model_type" and error["loc"][0] == "vp_table":
        return [f"{place}: expected a [vp_table.NAME] section, got {shown(got)}"]
    if kind in _TYPES:
        bare = "; write it without quotes" if isinstance(got, str) and _BARE.get(kind, _NEVER).fullmatch(got) else ""
        return [f"{place}: expected {_TYPES[kind]}, got {shown(got)}{bare}"]
    if kind in ("greater_than_equal", "less_than_equal"):
        limit = f"at least {context['ge']}" if "ge" in context else f"at most {context['le']}"
        return [f"{place}: {limit} is allowed, got {shown(got)}"]
    if kind in ("too_short", "too_long"):
        limit = f"at least {context['min_length']}" if kind == "too_short" else f"at most {context['max_length']}"
        return [f"{place}: a list of {limit} is allowed, got {context['actual_length']}"]
    if kind == "string_too_long":
        return [f"{place}: at most {context['max_length']} characters are allowed, got {len(str(got))}"]
    return [f"{place}: {error['msg']}, got {shown(got)}"]


def _meant(key: str, keys: list[str]) -> str:
    """Returns the end of the sentence on an unknown key: what it may mean, or where it belongs."""
    close = suggest(key, keys)
    if close:
        return close
    homes = [_heading(name) for name, model in (_SECTIONS | _SUBSECTIONS).items() if key in model.model_fields]
    return f"; it is a key of {' or '.join(homes)}" if homes else ""


def _heading(section: str) -> str:
    """Formats the heading of a section: `[tables]`, `[[team]]`, `[team.wire]`."""
    if section in REPEATED_SECTIONS:
        return f"[[{section}]]"
    above = "team." if section in _IN_TEAM else "stage." if section in _IN_STAGE else ""
    return f"[{above}{section}{'.NAME' if section == 'vp_table' else ''}]"


def _place(location: tuple[int | str, ...]) -> str:
    """Formats a location: `team 2, name` for `("team", 1, "name")`."""
    parts: list[str] = []
    for part in location:
        if isinstance(part, int):
            parts[-1] += f" {part + 1}"
        else:
            parts.append(part)
    return ", ".join(parts)
