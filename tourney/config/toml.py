"""Reads TOML into plain objects with exact decimals, and finds where the record of an event file is kept."""

import json
import re
import tomllib
from dataclasses import dataclass
from datetime import tzinfo
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from tourney.config.values import Totals, check_text, clean_name, slug
from tourney.errors import ConfigError
from tourney.times import find_zone

EXPONENT_MAX: Final = 30
"""The largest exponent of a decimal number: victory points have four digits, and longer ones would flood messages."""

_LONG_KEY: Final = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){32}""", re.ASCII)
"""A key of more than 32 parts: `tomllib` takes time that grows with the square of their number."""

REPEATED_SECTIONS: Final = ("team", "pair", "player", "stage")
"""The sections of which there may be several, each in double brackets."""

_SINGLE: Final = re.compile(rf"^[ \t]*\[[ \t]*({'|'.join(REPEATED_SECTIONS)})[ \t]*\]", re.MULTILINE)
_DRIVE: Final = re.compile(r'^[^#"\']*=\s*"(?:[^"\\]|\\\\)*?\b[A-Za-z]:\\(?!\\)')
"""A text in double quotes with the beginning of a path on Windows, whose backslash is not written twice."""

_PATH: Final = (
    r"a backslash in double quotes begins an escape: put the text in single quotes, as in 'C:\bots\run.exe'"
)

_TOO_LONG: Final = f"a number has more than 64 bits or {EXPONENT_MAX} digits"


class EventFileError(ConfigError):
    """Everything that is wrong with an event file; `problems` are sentences with the place and what is allowed."""

    def __init__(self, name: str, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(f"{name}: {problem}" for problem in problems))


def load_toml(text: str, name: str) -> dict[str, Any]:
    """Reads the sections of an event file, unchecked.

    Raises:
        EventFileError: the text is not TOML, or has numbers that are too long.
    """
    text = text.removeprefix("\ufeff")
    if _LONG_KEY.search(text):
        raise nested_too_deeply(name)
    try:
        data = _load(text)
        _check_whole_numbers(data)
    except tomllib.TOMLDecodeError as error:
        raise EventFileError(
            name, ["; ".join(filter(None, (f"this is not TOML: {error}", _mend(text, str(error)))))]
        ) from None
    except OverflowError as error:
        raise EventFileError(name, [str(error)]) from None
    except RecursionError:
        raise nested_too_deeply(name) from None
    paths = [f"line {number}: {_PATH}" for number, line in enumerate(text.split("\n"), 1) if _DRIVE.search(line)]
    if paths:  # TOML, which cannot be meant
        raise EventFileError(name, paths)
    return data


def _mend(text: str, error: str) -> str:
    """Return how the two commonest slips are mended that `tomllib` finds; empty for others."""
    single = _SINGLE.search(text)
    if error.startswith(("Cannot declare", "Cannot overwrite")) and single is not None:
        section, line = single[1], text.count("\n", 0, single.start(1)) + 1
        return f"each {section} is a section [[{section}]], in double brackets, line {line} has [{section}]"
    return _PATH if "hex value" in error or "Unescaped" in error else ""


def format_toml_text(value: str) -> str:
    """Format a string of TOML, one with backslashes, such as a path on Windows, in single quotes where it may be."""
    if "\\" in value and "'" not in value and value.isprintable():
        return f"'{value}'"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # JSON escapes the others alike


def nested_too_deeply(name: str) -> EventFileError:
    return EventFileError(name, ["its brackets or dots are nested too deeply"])


def _load(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text, parse_float=_parse_float)
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # Python reads at most 4300 digits
        raise OverflowError(_TOO_LONG) from None


def _parse_float(text: str) -> Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise OverflowError(_TOO_LONG) from None
    if number.is_finite() and abs(number.adjusted()) > EXPONENT_MAX:
        raise OverflowError(_TOO_LONG)
    return number


def _check_whole_numbers(value: object) -> None:
    match value:
        case dict():
            for item in value.values():
                _check_whole_numbers(item)
        case list():
            for item in value:
                _check_whole_numbers(item)
        case int() if not -(2**63) <= value < 2**63:
            raise OverflowError(_TOO_LONG)


@dataclass(frozen=True, slots=True)
class EventNames:
    """The name of the event, where its record is kept, and what else reports need of the file."""

    event: str
    results: str | None = None
    database: str | None = None
    has_own_scales: bool = False
    """Whether the file has victory-point scales of the organiser's own."""
    has_whole_totals: bool = False
    """Whether totals go by all boards (`[reports] totals`)."""
    timezone: str | None = None
    """The name of the event's time zone, which there is."""

    @property
    def zone(self) -> tzinfo | None:
        """The event's time zone; None if the file names none."""
        return find_zone(self.timezone) if self.timezone is not None else None

    @property
    def results_folder(self) -> str:
        """The folder named in the file, else `results/<name>`; relative to the folder of the event file."""
        return self.results or f"results/{slug(self.event)}"


def parse_event_names(text: str, name: str) -> EventNames | None:
    """Reads only the names; returns None if they are invalid, which `parse_event_file` then explains.

    Args:
        text: TOML. Nothing else in it is looked at.
        name: what to call the file in messages.

    Raises:
        EventFileError: it is not TOML.
    """
    data = load_toml(text, name)
    section = data.get("event")
    if not isinstance(section, dict):
        return None
    texts = [section.get(key) for key in ("results", "database")]
    try:
        event = clean_name(_expect_text(section.get("name")))
        results, database = (None if text is None else check_text(_expect_text(text)) for text in texts)
        timezone = section.get("timezone")
        if timezone is not None:
            find_zone(_expect_text(timezone))
    except ValueError:
        return None
    reports = data.get("reports")
    whole = isinstance(reports, dict) and reports.get("totals") == Totals.ALL
    return EventNames(event, results, database, bool(data.get("vp_table")), has_whole_totals=whole, timezone=timezone)


def _expect_text(value: Any) -> str:  # of TOML
    if not isinstance(value, str):
        raise ValueError("expected text in quotes")  # noqa: TRY004 # as all that is wrong with a value
    return value
