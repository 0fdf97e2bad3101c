"""A CSV file with the IMPs of boards, of whatever origin, for a sequential test."""

from fractions import Fraction
from pathlib import Path
from typing import Final

from tourney.errors import FormatError
from tourney.formats.file_kinds import LIST_KINDS, csv_rows, read_text
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
    rows = csv_rows(read_text(path.read_bytes(), str(path), *LIST_KINDS), str(path))
    header = [cell.casefold() for cell in next(rows, (1, []))[1]]
    if IMPS_COLUMN not in header:
        raise FormatError(f"{path}: the first line names a column {IMPS_COLUMN!r}, got {','.join(header) or 'none'}")
    place = header.index(IMPS_COLUMN)
    swings = [_parse_imps(cells[place] if place < len(cells) else "", f"{path} line {line}") for line, cells in rows]
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
