"""Writes CSV that spreadsheets can open: no text of a player or a file becomes a formula there.

A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@`, also behind a tab or a carriage return, and with the
full-width forms of these signs. Such a text gets an apostrophe in front, which spreadsheets take for "this is text".
Numbers are never touched, whether they are numbers or texts such as `-3.50`; nor is a lone sign.
"""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TextIO

_GUARD: Final = "'"
_FORMULA: Final = re.compile(r"[=+\-@＝＋－＠\t\r\n].", re.DOTALL)  # noqa: RUF001 # the full-width signs are meant
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


def guard_cell(value: object) -> object:
    """Returns the value of a cell as a spreadsheet takes it for what it is; true and false are 1 and 0."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.fullmatch(value):
        return _GUARD + value
    return value


class CsvWriter:
    """Writes rows under columns, with a line of headings first.

    An unknown or missing value is an empty field, a value of no column is left out.
    """

    def __init__(self, file: TextIO, columns: Sequence[str], *, line_end: str = "\r\n") -> None:
        """Write the headings.

        Args:
            file: where to.
            columns: the names of the columns.
            line_end: what ends a line.
        """
        self._writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator=line_end)
        self._writer.writeheader()

    def writerow(self, row: Mapping[str, Any]) -> None:  # whatever csv can write
        self._writer.writerow({key: guard_cell(value) for key, value in row.items()})

    def writerows(self, rows: Iterable[Mapping[str, Any]]) -> None:
        for row in rows:
            self.writerow(row)
