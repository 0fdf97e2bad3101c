"""The history of programs, from the records of the duels in folders."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from tourney.errors import UsageError
from tourney.event.file import EventFile, load_event_to_play
from tourney.lab.duel_run import open_duel
from tourney.lab.event_files import duel_on_disk, duels_in
from tourney.lab.programs import noted_programs
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
    deals = file.config.deals
    return HistoricDuel(
        report=report,
        began_at_ms=began_at_ms,
        programs=noted_programs(file.results),
        deals=deals.seed if deals.pbn is None else (file.folder / deals.pbn).resolve(),
        is_numbered_through=deals.pbn is None,
    )
