"""`[alarms]` of an event file: whom messages go to when something is wrong, and when."""

import enum
import re
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator

from tourney.config.base import Section, Text
from tourney.config.values import one_of, shown

_TIME: Final = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")
_LINK: Final = re.compile(r"https?://[!-~]{1,300}")


class EpisodeKind(enum.StrEnum):
    """What an alarm may be about."""

    RUN_SILENT = "run-silent"
    """The run has not been heard of for two leases, or nobody runs the event although it has begun."""
    HOST_LOST = "host-lost"
    PROGRAM_FAILED = "program-failed"
    """A table cannot go on, or its host has trouble with a program."""
    SEAT_WAITS = "seat-waits"
    """A table waits for somebody for too long: for a call, a card, or for anybody to sit down."""
    DIRECTOR_CALLED = "director-called"
    BOARD_STALLED = "board-stalled"
    DATABASE_AWAY = "database-away"
    DISK_FULL = "disk-full"
    ALL_IS_WELL = "all-is-well"
    """The daily message, which shows that messages arrive."""


def minute_of_day(text: str) -> int:
    """Return the minute of a time such as `22:30`, from midnight.

    Raises:
        ValueError: it is no such time.
    """
    found = _TIME.fullmatch(text)
    if found is None:
        raise ValueError(f'expected a time such as "22:30", got {shown(text)}')
    return 60 * int(found[1]) + int(found[2])


def _hours(text: str) -> str:
    begin, dash, end = text.partition("-")
    if not dash:
        raise ValueError(f'expected hours such as "22:00-07:00", got {shown(text)}')
    if minute_of_day(begin) == minute_of_day(end):
        raise ValueError(f"quiet hours that begin when they end, {shown(text)}, are none")
    return text


def _link(text: str) -> str:
    if not _LINK.fullmatch(text):
        raise ValueError(f'expected an address such as "https://club.example.org/director", got {shown(text)}')
    return text


def _kinds(value: Any) -> Any:  # before pydantic has looked at the type
    if not isinstance(value, list):
        raise ValueError(f'expected a list of kinds such as ["run-silent"], got {shown(value)}')  # noqa: TRY004 # pydantic's way
    wrong = [each for each in value if not isinstance(each, str) or each not in tuple(EpisodeKind)]
    if wrong:
        raise ValueError(one_of(EpisodeKind, wrong[0]))
    return tuple(EpisodeKind(each) for each in value)


_Kinds = Annotated[tuple[EpisodeKind, ...], BeforeValidator(_kinds)]


class AlarmsConfig(Section):
    """`[alarms]`."""

    addresses_file: Text | None = None
    """A file with the addresses that messages go to, one a line, as apprise writes them:
    `mailtos://user:password@example.org`, `ntfys://club-alarms`. Only its owner may read it. The environment variable
    `TOURNEY_ALARMS` overrides it. Addresses have passwords, so they never stand in the event file."""
    kinds: _Kinds = tuple(EpisodeKind)
    """What messages are sent about; by default everything: `"run-silent"`, `"host-lost"`, `"program-failed"`,
    `"seat-waits"`, `"director-called"`, `"board-stalled"`, `"database-away"`, `"disk-full"`, `"all-is-well"`, a daily
    message at 09:00 of the event's `timezone`."""
    quiet_hours: Annotated[Text, AfterValidator(_hours)] | None = None
    """When messages wait, in the event's `timezone`: `"23:00-07:00"`. By default never.
    Those that the run is silent, the database away or a disk full do not wait."""
    link: Annotated[Text, AfterValidator(_link)] | None = None
    """The address of the director's console, for the end of each message. Messages say little themselves: no hands,
    nothing that players or programs have written."""
