"""The entries of an event: those of a CSV file, as a spreadsheet writes it, or so many of our own bots."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tourney.config.programs import KnownProgram
from tourney.config.toml import EventFileError
from tourney.errors import FormatError
from tourney.formats.file_kinds import LIST_KINDS, csv_rows, read_text
from tourney.suggestions import suggest

COLUMNS: Final = ("name", "members", "contact", "command")
"""The columns that a list of entries may have; only the first must be there."""

_GREEK: Final = (
    *("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta", "Iota", "Kappa", "Lambda", "Mu"),
    *("Nu", "Xi", "Omicron", "Pi", "Rho", "Sigma", "Tau", "Upsilon", "Phi", "Chi", "Psi", "Omega"),
)


@dataclass(frozen=True, slots=True)
class EventEntry:
    """A team, pair or player that enters. Its values are those of the list, checked by nobody yet."""

    name: str
    members: str = ""
    contact: str = ""
    command: str = ""
    """What starts its program; empty where our own bot plays for it, or a known program."""
    program: KnownProgram | None = None
    """The known program that plays for it."""
    line: int = 0
    """The line of the list that it begins on; 0 for one that is in no list."""


def named_entries(count: int, entrant: str) -> list[EventEntry]:
    """Return so many entries of our own bots: `Alpha` to `Omega`, then `Team 25` and so on.

    Args:
        count: how many.
        entrant: what an entry is: `team`, `pair` or `player`.
    """
    names = _GREEK[:count] + tuple(f"{entrant.title()} {number}" for number in range(len(_GREEK) + 1, count + 1))
    return [EventEntry(name) for name in names]


def parse_entries(data: bytes, name: str) -> list[EventEntry]:
    """Read a list of entries: CSV in UTF-8, with commas, semicolons or tabs between its fields.

    Args:
        data: the file.
        name: what to call the file in messages.

    Raises:
        EventFileError: everything that is wrong with it, each with its line.
    """
    try:
        read_text(data, "it", *LIST_KINDS)
        rows = list(csv_rows(data.decode("utf-8-sig"), "", is_strict=True))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise EventFileError(
            name, [f"line {line} is not UTF-8 text: save the list as CSV with UTF-8, in Excel `CSV UTF-8`"]
        ) from None
    except FormatError as error:
        raise EventFileError(name, [str(error).lstrip()]) from None
    if not rows:
        raise EventFileError(name, [f"it is empty: its first line has to name columns, {', '.join(COLUMNS)}"])
    (line, heading), *others = rows
    problems = _heading_problems(line, heading, others)
    columns = [_fold(field) for field in heading]
    found = []
    for line, fields in others:
        surplus = [field for field in fields[len(columns) :] if field]
        if surplus:
            problems.append(f"line {line}: it has more fields than the heading has columns, {len(columns)}")
        values = defaultdict(str, zip(columns, fields, strict=False))
        found.append(EventEntry(values["name"], values["members"], values["contact"], values["command"], line=line))
    if not others:
        problems.append("there is no entry below its first line")
    if problems:
        raise EventFileError(name, problems)
    return found


def _heading_problems(line: int, heading: Sequence[str], others: Sequence[tuple[int, Sequence[str]]]) -> list[str]:
    """Return what is wrong with the names of the columns."""
    columns = [_fold(field) for field in heading]
    allowed = f"allowed are {', '.join(COLUMNS)}"
    problems = []
    for number, (column, shown) in enumerate(zip(columns, heading, strict=True)):
        has_values = any(fields[number : number + 1] not in ([], [""]) for _, fields in others)
        if column not in COLUMNS and (column or has_values):
            problems.append(f"line {line}: column {shown!r} is not known, {allowed}{suggest(column, COLUMNS)}")
        if column in COLUMNS and column in columns[:number]:
            problems.append(f"line {line}: column {shown!r} occurs twice")
    if "name" not in columns:
        problems.append(f"line {line}: no column is called 'name', {allowed}")
    return problems


def _fold(column: str) -> str:
    """Return the name of a column as it is compared."""
    return column.strip().casefold()
