"""The event files of duels on disk: each is written once, and another duel under its name is refused."""

import os
import tomllib
from collections.abc import Sequence
from pathlib import Path

from tourney import __version__
from tourney.bridge import Board
from tourney.config import parse_event_file
from tourney.config.stages import MATCHES_MAX
from tourney.config.values import slug
from tourney.errors import ConfigError, LaunchError
from tourney.event.file import EventFile, load_event_file
from tourney.export.files import replace_file
from tourney.formats.pbn import format_boards
from tourney.lab.duel import DuelSettings, check_same_duel, format_duel


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


def format_deals(settings: DuelSettings, boards: Sequence[Board]) -> str:
    """Return the PBN file with the boards of a duel, match by match."""
    return format_boards(settings.divide(boards), f"tourney {__version__}")


def write_event(settings: DuelSettings, path: Path, boards: Sequence[Board] | None, *, has_seed: bool) -> EventFile:
    """Write the event file of the duel and its boards, unless they are there: then they must be the same.

    Raises:
        ConfigError: another duel has the file, or it cannot be written or used.
    """
    text = format_duel(settings)
    parse_event_file(text, str(path))  # what cannot be played is not written
    texts = {path: text}
    if boards is not None:
        assert settings.deals is not None
        texts[path.parent / settings.deals] = format_deals(settings, boards)
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
