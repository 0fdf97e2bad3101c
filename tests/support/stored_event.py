"""A stored draw as an event that is played, for tests of the store: on whichever database, without a file."""

from pathlib import Path

from tests.support.played_event import PlayedEvent, event_text
from tests.support.store_events import save_event
from tourney.config import parse_event_file
from tourney.event.file import EventFile
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo

_FILE = EventFile(Path("event.toml"), parse_event_file(event_text(), "event.toml"))


def stored_event(database: Database, draw: EventInfo | None = None) -> PlayedEvent:
    """Store a draw; two teams and one match of two boards by default."""
    return PlayedEvent(_FILE.path, _FILE, database, save_event(database, draw))
