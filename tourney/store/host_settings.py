"""What table hosts need of the event file, as it is kept for them."""

from typing import Final

from pydantic import TypeAdapter
from sqlalchemy import select, update

from tourney.errors import StoreError
from tourney.store.database import Database
from tourney.store.models import Event
from tourney.store.objects import HostSettings

_SETTINGS: Final = TypeAdapter(HostSettings)


def save_settings(database: Database, event_id: int, settings: HostSettings) -> None:
    """Store what hosts need of the event file; of pass phrases the hashes, and nothing that has them in clear."""
    text = _SETTINGS.dump_json(settings, exclude={"logins"}).decode()
    with database.write() as connection:
        connection.execute(update(Event).where(Event.id == event_id).values(settings=text))


def load_settings(database: Database, event_id: int) -> HostSettings:
    """What `save_settings` stored.

    Raises:
        StoreError: there is no such event.
    """
    with database.read() as connection:
        text = connection.scalar(select(Event.settings).where(Event.id == event_id))
    if text is None:
        raise StoreError(f"database {database} has no event {event_id}")
    return _SETTINGS.validate_json(text)
