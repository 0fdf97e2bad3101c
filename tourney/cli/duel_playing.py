"""Playing duels from the command line: the event file that is written for one, and the run until it is decided."""

import os
import tomllib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tourney import __version__
from tourney.bridge import Board
from tourney.cli.duel_display import DuelDisplay
from tourney.cli.run import run_event
from tourney.config.stages import MATCHES_MAX
from tourney.config.values import slug
from tourney.coordinator.event_run import RunOutcome
from tourney.errors import ConfigError, LaunchError
from tourney.event.file import EventFile, load_event_file
from tourney.export.files import replace_file
from tourney.formats.pbn import format_boards
from tourney.lab.duel import DuelSettings, DuelWatch, check_same_duel, format_duel
from tourney.report.duel import DuelReport, load_duel
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event

# The event file


def matches_by_default() -> int:
    """Return how many matches are played side by side: as many as there are cores for their two tables each."""
    return min(max(1, (os.cpu_count() or 1) // 2), MATCHES_MAX)


def matches_on_disk(path: Path) -> int | None:
    """Return how many matches the event file of a duel has that is there already; None if it cannot be told."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))["stage"][0]["matches"]
    except (OSError, ValueError, LookupError, TypeError):
        return None  # what is wrong with the file is said when it is compared
    return found if type(found) is int and 1 <= found <= MATCHES_MAX else None


def results_of(path: Path) -> str:
    """Return the folder of the record of a duel: that of its event file's name, so that each file has its own."""
    return f"results/{slug(path.stem)}"


def write_event(settings: DuelSettings, path: Path, boards: list[Board] | None, *, has_seed: bool) -> EventFile:
    """Write the event file of the duel and its boards, unless they are there: then they must be the same.

    Raises:
        ConfigError: another duel has the file, or it cannot be written or used.
    """
    text = format_duel(settings)
    texts = {path: text}
    if boards is not None:
        assert settings.deals is not None
        texts[Path(settings.deals)] = format_boards(settings.divide(boards), f"tourney {__version__}")
    try:
        if path.exists():
            found = tomllib.loads(path.read_text(encoding="utf-8"))
            check_same_duel(found, tomllib.loads(text), str(path), has_seed=has_seed)
            for deals, wanted in list(texts.items())[1:]:
                if deals.read_bytes() != wanted.encode():
                    raise ConfigError(
                        f"{deals} has other boards than this duel began with: play it under another --name"
                    )
        else:
            # The event file last, and each at once: a duel that was cut off here is as if it had not begun.
            for file, wanted in reversed(texts.items()):
                with replace_file(file) as new:
                    new.write(wanted)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is there already and is no event file: {error}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is there already and is no event file: it is not text in UTF-8") from None
    except OSError as error:
        raise LaunchError(f"{error.filename or path} cannot be read or written: {error.strerror}") from None
    return load_event_file(path)


# Playing it


def play_duel(
    event_file: EventFile, make_display: Callable[[], DuelDisplay], *, every: int, strikes: int
) -> tuple[DuelReport, RunOutcome | None]:
    """Play what is left of a duel; without an outcome if it is decided already.

    Raises:
        TourneyError: it cannot be played at all.
    """
    stage = event_file.config.stage[0]
    found = load_record(event_file)
    if found is not None and (found.is_over or any(0 < strikes <= lost for lost in found.forfeited.values())):
        return found, None

    display = make_display()

    async def watch(database: Database, event: EventInfo) -> None:
        watch = DuelWatch(
            database,
            event,
            stage,
            every=every,
            strikes=strikes,
            show=display.show,
            say=display.say,
            refresh=display.refresh,
        )
        await watch.watch()

    try:
        outcome = run_event(event_file, display=display, beside=watch)
    finally:
        display.close()
    report = load_record(event_file)
    assert report is not None
    return report, outcome


def load_record(event_file: EventFile) -> DuelReport | None:
    """Load what the record says so far; None before anything is on record."""
    with closing(Database(event_file.database_url)) as database:
        event = None if database.is_missing else load_event(database, event_file.config.event.name)
        return load_duel(database, event, event_file.config.stage[0]) if event is not None else None
