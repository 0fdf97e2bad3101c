"""The location of an event file and of its record, which is all that a command needs to read the record.

The results folder also knows in which database the event was drawn, and when. So a database that was overwritten, or
put in the place of another, is not taken for one in which nothing has been played yet.
"""

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC
from pathlib import Path
from typing import Final

from sqlalchemy import select

from tourney.config.toml import EventNames, parse_event_names
from tourney.errors import ConfigError, StoreError
from tourney.store.db.database import Database, file_url, resolve_url
from tourney.store.db.files import load_identity
from tourney.store.db.schema import load_revision
from tourney.store.draw.tables import name_key
from tourney.store.models import Event
from tourney.times import format_moment

DATABASE_VARIABLE: Final = "TOURNEY_DATABASE"
"""Overrides the database of the event file."""

_SQLITE: Final = b"SQLite format 3\0"
"""How a database file begins."""

EVENT_FILE_BYTES_MAX: Final = 1_000_000
"""A file of 256 teams has about 50,000; the limit rejects a large file, such as a video, named by mistake."""

NOTE_FILE: Final = "database.json"
"""The file of the results folder that knows of the record."""


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
    """Return the path of a file or folder that an event file in `folder` names; `~` is a home folder there.

    It has no `..`, of which the mounts of a sandbox know nothing.
    """
    path = folder / os.path.expanduser(name)  # noqa: PTH111 # pathlib raises where there is no such user
    return path.resolve() if ".." in path.parts else path


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
    with ConfigError.of_system(f"{what} {path} cannot be read"), path.open("rb") as file:
        data = file.read(bytes_max + 1)
    if len(data) > bytes_max:
        raise ConfigError(f"{what} {path} has more than {bytes_max} bytes, the most that are read")
    return data


# What the results folder knows of the record


@dataclass(frozen=True, slots=True)
class RecordNote:
    """The database of an event as it was when the event was last played."""

    database: str
    """Its URL, without a password."""
    event: str
    drawn_at_ms: int
    identity: int
    """The number of its file; 0 for a server's."""
    is_overwritten: bool = False
    """Whether a run has found that its file was overwritten."""


def check_record(results: Path, database: Database, event: str) -> None:
    """Check that a database holds the event that was drawn in it, if the results folder knows of one.

    A database that is not there, or a server's that is empty, holds nothing that could be lost.

    Raises:
        StoreError: it does not, or the database cannot be used.
    """
    note = _load_note(results)
    if note is None or (note.database, name_key(note.event)) != (str(database), name_key(event)):
        return
    # First of all it is found out whether a log beside the file is another's, which SQLite would read into it.
    if database.is_missing or (load_revision(database) is None and not database.is_sqlite):
        return
    identity = load_identity(database)
    is_same_file = identity == note.identity and not note.is_overwritten
    # A backup has no number. What was overwritten may look sound: a part of it comes from the log.
    if (is_same_file or 0 in (identity, note.identity)) and _load_drawn_at(database, event) == note.drawn_at_ms:
        return
    drawn = format_moment(note.drawn_at_ms, UTC)
    what = "was overwritten while it was in use" if note.is_overwritten else "is not the one that it was drawn in"
    raise StoreError(
        f"event {event!r} was drawn on {drawn}, and database {database} {what}: put a backup in "
        f"its place with `tourney db restore EVENT BACKUP`; or remove {results / NOTE_FILE}, and it is taken as it is"
    )


def note_record(results: Path, database: Database, event: str) -> None:
    """Have the results folder know in which database an event has been drawn, if there is such a folder.

    Raises:
        StoreError: the database cannot be used.
    """
    drawn_at_ms = _load_drawn_at(database, event)
    if drawn_at_ms is not None and results.is_dir():
        _save_note(results, RecordNote(str(database), event, drawn_at_ms, load_identity(database)))


def note_overwritten(results: Path) -> None:
    """Have the results folder know that the file of the database was overwritten."""
    note = _load_note(results)
    if note is not None:
        _save_note(results, replace(note, is_overwritten=True))


def forget_record(results: Path) -> None:
    """Have the results folder know of no database: another is put in its place on purpose."""
    with suppress(OSError):
        (results / NOTE_FILE).unlink(missing_ok=True)


def _load_drawn_at(database: Database, event: str) -> int | None:
    if load_revision(database) is None:
        return None
    with database.read() as connection:
        return connection.scalar(select(Event.created_at_ms).where(Event.name_key == name_key(event)))


def _load_note(results: Path) -> RecordNote | None:
    """Load what is known; nothing if that cannot be read, such as by another user."""
    try:
        return RecordNote(**json.loads((results / NOTE_FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _save_note(results: Path, note: RecordNote) -> None:
    if _load_note(results) == note:
        return
    path = results / NOTE_FILE
    with suppress(OSError):
        new = path.with_suffix(".new")
        new.write_text(json.dumps(asdict(note)) + "\n", encoding="utf-8")
        new.replace(path)
