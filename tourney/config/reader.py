"""Reads the text of an event file: an `EventConfig`, or everything that is wrong with it."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from datetime import datetime, tzinfo
from typing import Any, Final, TypeAlias

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tourney.config.event import EventConfig
from tourney.config.messages import describe_errors
from tourney.config.toml import EventFileError, load_toml, nested_too_deeply
from tourney.config.values import MissingKeyError
from tourney.times import find_zone

_UNKNOWN: Final = "extra_forbidden"
"""What pydantic calls a key that it does not know."""

ReadFile: TypeAlias = Callable[[str], str]
"""Reads a file that an event file names; raises `ConfigError` if it cannot be read."""


def parse_event_file(text: str, name: str, read: ReadFile | None = None) -> EventConfig:
    """Checks the text of an event file.

    Args:
        text: TOML.
        name: what to call the file in messages.
        read: how to read a movement that it names; without it, movements are not looked at.

    Raises:
        EventFileError: all problems at once.
    """
    data = _load_sections(text, name)
    try:
        found = _check(data, read, text)
    except RecursionError:
        raise nested_too_deeply(name) from None
    if isinstance(found, list):
        raise EventFileError(name, found)
    return found


def _load_sections(text: str, name: str) -> dict[str, Any]:
    """Reads the sections of an event file, unchecked."""
    data = load_toml(text, name)
    _place_starts_in_zone(data)
    return data


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
            stage["starts"] = [_in_zone(start, zone) for start in starts]


def _in_zone(start: object, zone: tzinfo) -> object:
    return start.replace(tzinfo=zone) if isinstance(start, datetime) and start.tzinfo is None else start


def _check(data: dict[str, Any], read: ReadFile | None, text: str) -> EventConfig | list[str]:
    """Returns the checked event, or all problems; `text` is the file, whose lines are named."""
    try:
        return EventConfig.model_validate(data, context={"read": read})
    except ValidationError as error:
        problems = describe_errors(error, text)
        found = error.errors()
    if all(detail["loc"] for detail in found):  # else the whole has been looked at
        try:
            EventConfig.model_validate(_without_invalid(data, found))
        except ValidationError as error:
            # What was taken out has its default now, so that nothing follows from it for other sections.
            are_unknown = all(detail["type"] == _UNKNOWN for detail in found)
            rest = describe_errors(
                error, text, lambda detail: are_unknown if not detail["loc"] else not _is_missing(detail)
            )
            problems += (problem for problem in rest if problem not in problems)
    return problems


def _without_invalid(data: dict[str, Any], found: Sequence[ErrorDetails]) -> dict[str, Any]:
    """Leaves out the settings that are invalid: pydantic does not look at a section as a whole beside them."""
    data = deepcopy(data)
    for detail in found:
        place = _find_key(data, detail["loc"])
        if detail["type"] == "missing" or place is None:
            continue
        section, key = place
        if section is not data or detail["type"] == _UNKNOWN:  # a whole section has to be there
            section.pop(key, None)
    return data


def _is_missing(detail: ErrorDetails) -> bool:
    """Tells whether a finding is that a key is missing, which may have been left out because it is invalid."""
    return detail["type"] == "missing" or isinstance(detail.get("ctx", {}).get("error"), MissingKeyError)


def _find_key(data: dict[str, Any], location: tuple[int | str, ...]) -> tuple[dict[str, Any], str] | None:
    """Returns the innermost section on the way to a location, and the key in it."""
    found: tuple[dict[str, Any], str] | None = None
    value: Any = data  # of TOML
    for part in location:
        if isinstance(value, dict) and isinstance(part, str) and part in value:
            found, value = (value, part), value[part]
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            break
    return found
