"""Live pages of a played event: the application without a socket, and a reader that looks when it is told to."""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx2

from tests.support.phrase_paces import QuickPace
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent
from tourney.event.drawn import DrawnEvent
from tourney.store.db.database import Database
from tourney.web.app import PublicPages, make_app
from tourney.web.exports import Exports
from tourney.web.hub import Hub
from tourney.web.reader import Reader

NOW_MS = BEGINS_AT_MS + 3_600_000


@dataclass
class WatchedEvent:
    """An event with its reader and hub; `told` are the addresses that were published, in turn."""

    played: PlayedEvent
    hub: Hub = field(default_factory=lambda: Hub(100))
    told: list[str] = field(default_factory=list)
    waits: QuickPace = field(default_factory=QuickPace)
    now_ms: int = NOW_MS
    topics: list[str] = field(default_factory=list)
    reader: Reader = field(init=False)
    exports: Exports = field(init=False)
    database: Database = field(init=False)

    def __post_init__(self) -> None:
        played = self.played
        self.database = Database(played.file.database_url, is_read_only=True)
        drawn = DrawnEvent(played.path, played.file.place, self.database, played.event)
        self.reader = Reader(drawn, lambda: [*self.topics, *self.hub.watched()], self._publish, lambda: self.now_ms)

        self.exports = Exports(played.path, self.reader.version_shown)

    @property
    def pages(self) -> PublicPages:
        """The application, without a socket; the reader has to be started."""
        return PublicPages(self.reader, self.hub, self.exports, self.waits.pace)

    def _publish(self, changed: Collection[str]) -> None:
        self.told += changed
        self.hub.publish(changed)

    def poll(self) -> list[str]:
        """Look once, render all that is watched, and return what has changed."""
        self.told.clear()
        self.reader.poll()
        for address in self.topics:
            self.reader.refresh(address)
        return list(self.told)

    def close(self) -> None:
        """Close the database, where the reader has not been started."""
        self.database.close()


@asynccontextmanager
async def browser(watched: WatchedEvent) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the application, whose reader runs."""
    watched.reader.start()
    transport = httpx2.ASGITransport(make_app(watched.pages))
    try:
        async with httpx2.AsyncClient(transport=transport, base_url="http://test") as client:
            yield client
    finally:
        await watched.exports.close()
        await watched.reader.stop()
