"""What `tourney lab strength` reads: the history of programs from the duels in folders, and IMPs of a CSV file."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Final

from tourney.errors import FormatError, UsageError
from tourney.event.file import EventFile, load_event_to_play
from tourney.formats.file_kinds import LIST_KINDS, csv_rows, read_text
from tourney.lab.duel_run import open_duel
from tourney.lab.event_files import duel_on_disk, duels_in
from tourney.lab.programs import noted_programs
from tourney.scoring import BOARDS_MAX
from tourney.scoring.strength.sequential import SWING_MAX
from tourney.store.results.event_results import load_first_began_ms
from tourney.views.duel import load_duel
from tourney.views.history import HistoricDuel, HistoryReport, make_history


def load_history(paths: Iterable[Path]) -> HistoryReport:
    """Load the history of the duels of some event files, and of those in some folders.

    Raises:
        ConfigError: something is wrong with the event file of a duel.
        StoreError: a database cannot be used.
        UsageError: there is no duel with a board that is finished in both rooms.
    """
    given = list(paths)
    files = {file.path.resolve(): file for path in given for file in _duels_at(path)}
    duels = [duel for file in files.values() if (duel := _load_duel(file)) is not None]
    if not duels:
        raise UsageError(f"no duel of {', '.join(map(str, given))} has a board that is finished in both rooms")
    return make_history(given[0].resolve().stem, duels)


def _duels_at(path: Path) -> Iterator[EventFile]:
    """Yield an event file, or those of the duels in a folder, in the order of their names."""
    if not path.is_dir():
        file = load_event_to_play(path)
        if duel_on_disk(path).matches is None:
            raise UsageError(f"{path} is the file of an event that is no duel")
        yield file
        return
    yield from duels_in(path)


def _load_duel(file: EventFile) -> HistoricDuel | None:
    """Load a duel; None before its first board is finished in both rooms."""
    with open_duel(file) as (database, event):
        if event is None:
            return None
        report = load_duel(database, event, file.config.stage[0])
        began_at_ms = load_first_began_ms(database, event.id)
    if not report.result.tally.boards or began_at_ms is None:
        return None
    return HistoricDuel(report, began_at_ms, noted_programs(file.results))


IMPS_COLUMN: Final = "imp"
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
    if swing is None or abs(swing) > SWING_MAX:
        raise FormatError(f"{where}: a board is worth -{SWING_MAX} to {SWING_MAX} IMPs, got {text!r}")
    return swing
