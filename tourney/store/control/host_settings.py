"""What table hosts need of the event file, as it is kept for them."""

from sqlalchemy import select, update

from tourney.errors import StoreError
from tourney.store.control.host_objects import HostSettings
from tourney.store.db.database import Database
from tourney.store.db.plain_json import format_plain, parse_plain
from tourney.store.models import Event


def save_settings(database: Database, event_id: int, settings: HostSettings) -> None:
    """Store what hosts need of the event file; of pass phrases the hashes, and nothing that has them in clear."""
    text = format_plain(settings, without=("logins",))
    with database.write() as connection:
        connection.execute(update(Event).where(Event.id == event_id).values(settings=text))


def load_settings(database: Database, event_id: int) -> HostSettings:
    """What `save_settings` stored.

    Raises:
        StoreError: there is no such event, or its settings cannot be read.
    """
    with database.read() as connection:
        text = connection.scalar(select(Event.settings).where(Event.id == event_id))
    if text is None:
        raise StoreError(f"database {database} has no event {event_id}")
    try:
        return parse_plain(HostSettings, text)
    except ValueError as error:
        raise StoreError(f"database {database}: the settings of event {event_id} cannot be read: {error}") from None
