"""A CSV file with the IMPs of boards, of whatever origin, for a sequential test."""

import csv
from fractions import Fraction
from pathlib import Path
from typing import Final

from tourney.errors import FormatError
from tourney.scoring import BOARDS_MAX

IMPS_COLUMN: Final = "imp"
_IMPS_MAX: Final = 24
_FILE_BYTES_MAX: Final = 16 * 1024 * 1024


def read_imps(path: Path) -> list[Fraction]:
    """Read the IMPs of boards from the column `imp` of a CSV file.

    Raises:
        FormatError: one sentence on what cannot be read.
    """
    size = path.stat().st_size
    if size > _FILE_BYTES_MAX:
        raise FormatError(f"{path} may have {_FILE_BYTES_MAX} bytes, got {size}")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError(f"{path} is not text in UTF-8") from None
    reader = csv.reader(text.splitlines())
    try:
        header = [cell.strip().casefold() for cell in next(reader, [])]
        if IMPS_COLUMN not in header:
            raise FormatError(
                f"{path}: the first line names a column {IMPS_COLUMN!r}, got {','.join(header) or 'none'}"
            )
        place = header.index(IMPS_COLUMN)
        swings = [
            _parse_imps(cells[place] if place < len(cells) else "", f"{path} line {reader.line_num}")
            for cells in reader
            if any(cell.strip() for cell in cells)
        ]
    except csv.Error as error:
        raise FormatError(f"{path} line {reader.line_num} is not CSV: {error}") from error
    if not 0 < len(swings) <= BOARDS_MAX:
        raise FormatError(f"{path}: a test has 1 to {BOARDS_MAX} boards, got {len(swings)}")
    return swings


def _parse_imps(text: str, where: str) -> Fraction:
    try:
        swing = Fraction(text.strip().replace("\N{MINUS SIGN}", "-"))
    except (ValueError, ZeroDivisionError):
        swing = None
    if swing is None or abs(swing) > _IMPS_MAX:
        raise FormatError(f"{where}: a board is worth -{_IMPS_MAX} to {_IMPS_MAX} IMPs, got {text!r}")
    return swing
