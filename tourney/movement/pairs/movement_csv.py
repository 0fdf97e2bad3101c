"""An organiser's own movement as CSV, and any movement written that way: `round,table,ns,ew,set`, a table a line.

A pair that sits out has a line with the other pair and the set empty. Lines keep their order.
"""

from collections.abc import Iterator
from typing import Final

from tourney.errors import ConfigError
from tourney.formats.file_kinds import csv_rows
from tourney.movement.pairs.movement import NO_TABLE, Movement, MovementRow

COLUMNS: Final = ("round", "table", "ns", "ew", "set")
ROWS_MAX: Final = 20_000
"""The most lines of a movement: 100 tables in 200 rounds."""
_NUMBER_MAX: Final = 10_000
"""The highest number in a movement; it catches typing errors."""


def parse_movement(text: str, name: str) -> Movement:
    """Parse a movement; `name` is what messages call it, such as the path of the file. Further columns are ignored.

    Raises:
        ConfigError: one sentence on the line that cannot be read, or on what is wrong with the movement.
    """
    lines = csv_rows(text.removeprefix("\ufeff"), name)
    header = [cell.casefold() for cell in next(lines, (1, []))[1]]
    if missing := [column for column in COLUMNS if column not in header]:
        raise ConfigError(f"{name}: the first line names the columns {','.join(COLUMNS)}, got no {missing[0]!r}")
    places = [header.index(column) for column in COLUMNS]
    rows: list[MovementRow] = []
    for number, cells in lines:
        if len(rows) == ROWS_MAX:
            raise ConfigError(f"{name}: a movement has at most {ROWS_MAX} lines, got more")
        figures = (cells[place] if place < len(cells) else "" for place in places)
        rows.append(_parse_row(figures, f"{name}, line {number}"))
    return Movement(name, tuple(rows))


def _parse_row(figures: Iterator[str], where: str) -> MovementRow:
    numbers = []
    for column, text in zip(COLUMNS, figures, strict=True):
        if text and not (text.isascii() and text.isdigit() and int(text) <= _NUMBER_MAX):
            raise ConfigError(f"{where}: {column} is a number of at most {_NUMBER_MAX}, got {text!r}")
        numbers.append(int(text) if text else None)
    round_, table, ns, ew, board_set = numbers
    if round_ is None:
        raise ConfigError(f"{where}: there is no round")
    return MovementRow(round_, NO_TABLE if table is None else table, ns, ew, board_set)


def format_movement(movement: Movement) -> str:
    """Format a movement as CSV, row for row, lines ending in a line feed."""
    return "".join(f"{line}\n" for line in (",".join(COLUMNS), *movement.rows))
