"""Files of an export: written beside their place and moved into it whole, so that no reader meets half of one."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TextIO

from tourney import __version__
from tourney.errors import LaunchError
from tourney.store.draw.objects import MatchInfo

PROGRAM: Final = f"tourney {__version__}"
"""Who has written a file, as files say it."""


@contextmanager
def replace_file(path: Path) -> Iterator[TextIO]:
    """A text file to write, in UTF-8, line ends as they are given; it takes its place once it is complete.

    When the block raises, what was there before stays.

    Raises:
        LaunchError: it cannot be written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            yield file
        part.replace(path)
    except OSError as error:
        raise LaunchError(f"file {path} cannot be written: {error.strerror}") from None
    finally:
        with suppress(OSError):  # gone already, or as unreachable as when it could not be written
            part.unlink()


def make_export_folder(folder: Path) -> None:
    """Make the folder of an export, when it is not there.

    Raises:
        LaunchError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LaunchError(f"folder {folder} cannot be made: {error.strerror}") from None


def match_file_stem(match: MatchInfo) -> str:
    """`match-001-Alpha-Beta`: letters, digits and dashes only, in the order of the matches when sorted."""
    return f"match-{match.number:03}-{_safe(match.home)}-{_safe(match.away)}"


def _safe(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-") or "team"
