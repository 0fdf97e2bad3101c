"""What the results folder of an event knows of its record: in which database it was drawn, and when.

So a database that was overwritten, or put in the place of another, is not taken for one in which nothing has been
played yet.
"""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlalchemy import select

from tourney.errors import StoreError
from tourney.store.db.database import Database
from tourney.store.db.files import load_identity
from tourney.store.db.schema import load_revision
from tourney.store.draw.reader import name_key
from tourney.store.models import Event

NOTE_FILE: Final = "database.json"


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
    if database.is_missing or (not database.is_sqlite and load_revision(database) is None):
        return
    identity = load_identity(database)
    is_same_file = identity == note.identity and not note.is_overwritten
    # A backup has no number. What was overwritten may look sound: a part of it comes from the log.
    if (is_same_file or 0 in (identity, note.identity)) and _load_drawn_at(database, event) == note.drawn_at_ms:
        return
    drawn = datetime.fromtimestamp(note.drawn_at_ms / 1000, UTC)
    what = "was overwritten while it was in use" if note.is_overwritten else "is not the one that it was drawn in"
    raise StoreError(
        f"event {event!r} was drawn on {drawn:%Y-%m-%d %H:%M} UTC, and database {database} {what}: put a backup in "
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
        _save_note(
            results, RecordNote(note.database, note.event, note.drawn_at_ms, note.identity, is_overwritten=True)
        )


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
