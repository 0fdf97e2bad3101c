"""When a page of the console may show something else than before: what a look costs that finds nothing new.

The console is looked at several times a second. As long as nobody has written to the record, nobody has come or gone
and nothing is due by the clock, a look reads the version of the database and who is at work; if only heartbeats were
written, a digest besides. Only a look that finds a difference reads the tables of the event.
"""

from typing import Final

from tourney.coordinator.run_lease import EventActivity
from tourney.report.status import LONG_WAIT_MS, EventStatus
from tourney.store.changes import CONSOLE, DataVersion, Digest, load_data_version, load_digest
from tourney.store.db.database import Database

CLOCK_MS: Final = 15_000
"""How often pages are brought up to date by which only the clock goes on: how long a table has waited, which boards
are slow."""


class ConsoleWatch:
    """Tells whether the tables of an event have to be read again for its console."""

    def __init__(self, database: Database, event_id: int) -> None:
        self._database = database
        self._event_id = event_id
        self._version: DataVersion | None = None
        self._digest: Digest | None = None
        self._activity: EventActivity | None = None
        self._read_at_ms = 0
        self._due_ms: int | None = None
        """When the tables have to be read again although nothing is written; None: they have not been read."""

    def has_news(self, activity: EventActivity, now_ms: int) -> bool:
        """Return whether the tables have to be read, after which `note` is to be called.

        Raises:
            StoreError: the database cannot be used.
        """
        is_due = self._due_ms is None or not self._read_at_ms <= now_ms < self._due_ms or activity != self._activity
        version = load_data_version(self._database)
        if not is_due and version is not None and version == self._version:
            return False
        # Before the tables are read: what is written in the meantime is news to the next look.
        digest = load_digest(self._database, CONSOLE, self._event_id)
        has_news = is_due or digest != self._digest
        self._version, self._digest, self._activity = version, digest, activity
        if has_news:
            self._due_ms = None
        return has_news

    def note(self, status: EventStatus, now_ms: int) -> None:
        """Note what was read, which says when something is due by the clock."""
        waits_until = [
            wait.since_ms + LONG_WAIT_MS - status.at_ms + now_ms for table in status.tables for wait in table.waits
        ]
        self._read_at_ms = now_ms
        self._due_ms = min([due for due in waits_until if due > now_ms] + [now_ms + CLOCK_MS])
