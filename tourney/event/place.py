"""The location of an event file and of its record, which is all that a command needs to read the record."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tourney.config.toml import EventNames, parse_event_names
from tourney.errors import ConfigError
from tourney.store.db.database import file_url, resolve_url

DATABASE_VARIABLE: Final = "TOURNEY_DATABASE"
"""Overrides the database of the event file."""

_SQLITE: Final = b"SQLite format 3\0"
"""How a database file begins."""
EVENT_FILE_BYTES_MAX: Final = 1_000_000
"""A file of 256 teams has about 50,000; the limit rejects a large file, such as a video, named by mistake."""


@dataclass(frozen=True, slots=True)
class EventLocation:
    """The location of an event file and of what it names. Paths in it are relative to its own folder."""

    path: Path
    names: EventNames

    @property
    def folder(self) -> Path:
        return self.path.parent

    @property
    def results(self) -> Path:
        """The folder of everything that a run writes, absolute."""
        return find_path(self.folder, self.names.results_folder)

    @property
    def database_url(self) -> str:
        """The database of the environment, else of the file, else `event.db` in the results folder."""
        given = os.environ.get(DATABASE_VARIABLE)
        if given:
            return resolve_url(given, Path.cwd())
        if self.names.database is not None:
            return resolve_url(self.names.database, self.folder)
        return file_url(self.results / "event.db")


def find_path(folder: Path, name: str) -> Path:
    """Return the path of a file or folder that an event file in `folder` names; `~` is a home folder there."""
    return folder / os.path.expanduser(name)  # noqa: PTH111 # pathlib raises where there is no such user


def load_event_location(path: Path) -> EventLocation | None:
    """Read where the record is; None if that part of the file is invalid, so that the whole file has to be checked.

    Raises:
        ConfigError: the file cannot be read, or is not TOML.
    """
    names = parse_event_names(read_event_text(path), path.name)
    return EventLocation(path.resolve(), names) if names is not None else None


def read_event_text(path: Path) -> str:
    """Read the text of an event file.

    Raises:
        ConfigError: it cannot be read, or is not UTF-8 text.
    """
    if _is_database(path):
        raise ConfigError(f"{path} is a database: give the event file that it belongs to")
    data = read_bytes(path, "event file", EVENT_FILE_BYTES_MAX)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"event file {path} is not UTF-8 text: line {line} has byte {data[error.start]:#04x}; save it as UTF-8"
        ) from None


def _is_database(path: Path) -> bool:
    if not path.is_file():
        return False  # a pipe can be read once only
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError:
        return False  # what is wrong is said when it is read


def read_bytes(path: Path, what: str, bytes_max: int) -> bytes:
    """Read a file of at most `bytes_max` bytes.

    Raises:
        ConfigError: it cannot be read, or is longer.
    """
    try:
        with path.open("rb") as file:
            data = file.read(bytes_max + 1)
    except OSError as error:
        raise ConfigError(f"{what} {path} cannot be read: {error.strerror}") from None
    if len(data) > bytes_max:
        raise ConfigError(f"{what} {path} has more than {bytes_max} bytes, the most that are read")
    return data
