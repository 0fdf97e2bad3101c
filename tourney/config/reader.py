"""Reads the text of an event file: an `EventConfig`, or everything that is wrong with it."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Final, TypeAlias, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from tourney.config.base import Problem, format_problems
from tourney.config.consistency import consistency_problems
from tourney.config.event import EventConfig, VpTableConfig
from tourney.config.messages import describe_errors, list_errors
from tourney.config.stage_formats import StageByFormat
from tourney.config.stages import StageConfig
from tourney.config.tables import TablesConfig
from tourney.config.team import TeamConfig
from tourney.config.toml import EventFileError, load_toml, nested_too_deeply
from tourney.config.values import MissingKeyError
from tourney.scoring.victory_points import UserTable
from tourney.times import find_zone

_PORTS: Final = frozenset({"ports", "port_plan", "at_once"})
"""The keys of `[tables]` that say how many ports are there and how many are needed."""

_STAGE: Final[TypeAdapter[StageConfig]] = TypeAdapter(StageByFormat)

_Section = TypeVar("_Section", bound=BaseModel)

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
        if all(detail["loc"] for detail in list_errors(error)):  # else their consistency was checked already
            rest = _without_invalid(data, error)
            problems += (problem for problem in rest.hidden_problems(text) if problem not in problems)
            problems += format_problems(rest.consistency_problems())
        return problems


@dataclass(frozen=True, slots=True)
class ValidSections:
    """What is valid of an event file in which something is wrong: sections without their invalid settings.

    A setting that was left out has its default, so it is named in `doubtful`, and nothing is concluded from it.
    """

    data: dict[str, Any]
    """The file without what is invalid, where it can be left out."""
    doubtful: Mapping[tuple[str, int], frozenset[str]]
    """Keys that were left out by section and its number, such as `("stage", 1)`; the number is 0 for single ones."""

    @property
    def teams(self) -> list[TeamConfig | None] | None:
        """The teams, None for each that has no valid name; None altogether if there is no list of them."""
        teams = self.data.get("team") or self.data.get("pair") or self.data.get("player")
        return [_salvage_team(team) for team in teams] if isinstance(teams, list) else None

    @property
    def stages(self) -> list[StageConfig | None] | None:
        stages = self.data.get("stage")
        return [_salvage(_STAGE.validate_python, stage) for stage in stages] if isinstance(stages, list) else None

    @property
    def tables(self) -> TablesConfig | None:
        return _salvage(TablesConfig.model_validate, self.data.get("tables", {}))

    def hidden_problems(self, text: str) -> list[str]:
        """Returns what is wrong with sections as wholes, which pydantic does not look at beside invalid settings.

        `text` is the file, whose lines are named.
        """
        try:
            EventConfig.model_validate(self.data)
        except ValidationError as error:
            return describe_errors(error, text, lambda detail: bool(detail["loc"]) and not _is_missing(detail))
        return []

    def consistency_problems(self) -> Iterator[Problem]:
        """Returns inconsistencies between the sections."""
        scales = self.data.get("vp_table", {})
        return consistency_problems(
            self.teams,
            self.stages,
            None if self.doubtful.get(("tables", 0), frozenset()) & _PORTS else self.tables,
            {name: _salvage_scale(table) for name, table in scales.items()} if isinstance(scales, dict) else {},
            {number: keys for (section, number), keys in self.doubtful.items() if section == "stage"},
            entrant=next((word for word in ("player", "pair") if self.data.get(word)), "team"),
        )


def salvage_sections(text: str, name: str) -> ValidSections | None:
    """Returns what is valid of an event file with mistakes; None if there are none.

    Raises:
        EventFileError: it is not TOML.
    """
    data = _load_sections(text, name)
    try:
        EventConfig.model_validate(data)
    except ValidationError as error:
        return _without_invalid(data, error)
    except RecursionError:
        raise nested_too_deeply(name) from None
    return None


def _without_invalid(data: dict[str, Any], error: ValidationError) -> ValidSections:
    """Leaves out the settings that are invalid: a key of a section, or of a section within it."""
    data = deepcopy(data)
    doubtful: defaultdict[tuple[str, int], frozenset[str]] = defaultdict(frozenset)
    for detail in list_errors(error):
        found = _find_key(data, detail["loc"])
        if detail["type"] == "missing" or found is None:
            continue
        section, key = found
        is_unknown = detail["type"] == "extra_forbidden"
        if section is data and not is_unknown:
            continue  # a whole section: it has to be there
        section.pop(key, None)
        if not is_unknown:
            name, *place = detail["loc"]
            number = 0
            if place and isinstance(place[0], int):
                number = place[0] + 1
                place.pop(0)
            doubtful[str(name), number] |= {str(key) for key in place[:1]}
    return ValidSections(data, doubtful)


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


def _salvage(validate: Callable[[object], _Section], data: object) -> _Section | None:
    """Returns the section if it is valid."""
    try:
        return validate(data)
    except ValidationError:
        return None


def _salvage_team(data: object) -> TeamConfig | None:
    """Returns the team, or at least its name and entry round; None if its name is invalid."""
    if not isinstance(data, dict):
        return None
    validate, name = TeamConfig.model_validate, {"name": data.get("name")}
    with_round = name | {"enters": data.get("enters")}
    return _salvage(validate, data) or _salvage(validate, with_round) or _salvage(validate, name)


def _salvage_scale(data: object) -> UserTable | None:
    section = _salvage(VpTableConfig.model_validate, data)
    return section.steps if section is not None else None
