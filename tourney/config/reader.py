"""The text of an event file to an `EventConfig`, or to all that is wrong with it."""

import tomllib
from datetime import datetime
from decimal import Decimal
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from tourney.config.model import (
    DealsConfig,
    EventConfig,
    EventSection,
    StageConfig,
    TablesConfig,
    TeamConfig,
    VpTableConfig,
)
from tourney.errors import ConfigError

_SECTIONS: dict[str, type[BaseModel]] = {
    "event": EventSection,
    "team": TeamConfig,
    "stage": StageConfig,
    "deals": DealsConfig,
    "tables": TablesConfig,
    "vp_table": VpTableConfig,
}
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


class EventFileError(ConfigError):
    """All that is wrong with an event file; `problems` has a sentence each, with the place and what is allowed."""

    def __init__(self, name: str, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(f"{name}: {problem}" for problem in problems))


def parse_event_file(text: str, name: str) -> EventConfig:
    """Check the text of an event file.

    Args:
        text: TOML.
        name: what to call the file in messages.

    Raises:
        EventFileError: all problems at once.
    """
    try:
        data = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise EventFileError(name, [f"this is not TOML: {error}"]) from None
    try:
        return EventConfig.model_validate(data)
    except ValidationError as error:
        problems = [line for details in error.errors() for line in _describe(details)]
        raise EventFileError(name, problems) from None


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
        model = _SECTIONS.get(str(above[0])) if above else EventConfig
        allowed = ", ".join(model.model_fields) if model is not None else ""
        where = f"{_place(tuple(above))}: " if above else ""
        return [f"{where}{key!r} is not known here, allowed are {allowed}"]
    if kind == "value_error":
        message = str(context["error"])
        return [f"{place}: {message}" if place else line for line in message.split("\n")]
    if kind in _TYPES:
        return [f"{place}: {_TYPES[kind]} is asked for, got {_shown(got)}"]
    if kind in ("greater_than_equal", "less_than_equal"):
        limit = f"at least {context['ge']}" if "ge" in context else f"at most {context['le']}"
        return [f"{place}: {limit} is allowed, got {_shown(got)}"]
    if kind == "string_too_long":
        return [f"{place}: at most {context['max_length']} characters are allowed, got {len(str(got))}"]
    return [f"{place}: {error['msg']}, got {_shown(got)}"]


def _place(location: tuple[int | str, ...]) -> str:
    """`team 2, name` for `("team", 1, "name")`."""
    parts: list[str] = []
    for part in location:
        if isinstance(part, int):
            parts[-1] += f" {part + 1}"
        else:
            parts.append(part)
    return ", ".join(parts)


def _shown(value: object) -> str:
    text = str(value) if isinstance(value, datetime) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
