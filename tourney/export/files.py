"""Writes the files of an export under temporary names and renames them, so that no reader sees half a file."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, Final, TextIO

from tourney import __version__
from tourney.contest.draw import MatchInfo
from tourney.errors import LaunchError
from tourney.formats.ascii import to_ascii

PROGRAM: Final = f"tourney {__version__}"
"""The program and version, as named in files."""


@contextmanager
def replace_file(path: Path) -> Iterator[TextIO]:
    """Opens a text file for writing, in UTF-8, line ends as given; it replaces the old file once it is complete.

    If the block raises, the old file is left as it was.

    Raises:
        LaunchError: it cannot be written.
    """
    with replace_bytes(path) as data, TextIOWrapper(data, encoding="utf-8", newline="") as file:
        yield file


def write_file(path: Path, text: str) -> None:
    """Writes a whole text file likewise.

    Raises:
        LaunchError: it cannot be written.
    """
    with replace_file(path) as file:
        file.write(text)


@contextmanager
def replace_bytes(path: Path) -> Iterator[BinaryIO]:
    """Opens a file for writing bytes; it replaces the old file likewise.

    Raises:
        LaunchError: it cannot be written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    except OSError as error:
        raise LaunchError(f"file {path} cannot be written: {error.strerror}") from None
    finally:
        with suppress(OSError):  # it no longer exists, or is still inaccessible
            part.unlink()


def make_export_folder(folder: Path) -> None:
    """Makes the folder of an export if it does not exist.

    Raises:
        LaunchError: it cannot be made.
    """
    with LaunchError.of_system(f"folder {folder} cannot be made"):
        folder.mkdir(parents=True, exist_ok=True)


def match_file_stem(match: MatchInfo) -> str:
    """`match-001-Alpha-Beta`: letters, digits and dashes only, in the order of the matches when sorted."""
    return f"match-{match.number:03}-{_safe(match.home)}-{_safe(match.away)}"


def _safe(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", to_ascii(name)).strip("-") or "team"
