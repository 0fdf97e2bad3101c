"""A table in memory: no socket, no clock and no record, and time passes when whoever has it says so.

It is the core with the driver that hosts have. What a connection is, and when something is written to it, is up to
its owner: the tests have connections that keep lines, the lab has players that are asked.
"""

from collections.abc import Sequence
from typing import Final, Generic, TypeVar

from tourney.protocol.session.driver import Link, Shell, TableDriver
from tourney.protocol.session.effects import Effect
from tourney.protocol.session.records import TableRecord
from tourney.protocol.session.table import TableCore, TableSettings
from tourney.protocol.session.wire import WireFactory

START_MS: Final = 1_000_000
"""The time at which a table is opened: none begins at 0."""


class MemoryLink(Link):
    """A connection to a table in memory."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.closed = ""
        """Why the table has closed it; empty while it is open."""

    def close(self) -> None:
        assert self.player is not None
        self.closed = self.player.closing


LinkType = TypeVar("LinkType", bound=MemoryLink)


class MemoryTable(Shell, Generic[LinkType]):
    """One table and its time."""

    def __init__(
        self,
        settings: TableSettings,
        wire_factory: WireFactory,
        standstills: Sequence[tuple[int, int]] = (),
        start_ms: int = START_MS,
    ) -> None:
        """Open a table.

        Args:
            settings: what is played, and how.
            wire_factory: makes the wire of a connection that comes without one.
            standstills: when its machine stood still, from and to; whoever has the table may append to it.
            start_ms: the time at its beginning.
        """
        self.core = TableCore(settings, wire_factory, standstills)
        self.driver: TableDriver[LinkType] = TableDriver(self.core, self)
        self.now_ms = start_ms
        self.timers: dict[str, int] = {}
        """When each timer runs out, by name."""
        self.records: list[TableRecord] = []
        """What the table has put on record."""
        self.ended: list[str | None] = []
        """Why the session has ended: None if every board was finished. Empty while it lasts."""

    # What happens to it

    def carry_out(self, effects: list[Effect]) -> None:
        """Carry out effects of the core, and drop the connections that it has closed by them."""
        self.driver.carry_out(effects, self.now_ms)
        for link in [link for link in self.driver.links.values() if link.closed and self.is_written(link)]:
            if link.number in self.driver.links:
                self.drop(link)

    def drop(self, link: LinkType) -> None:
        """Close the table's end of a connection."""
        self.carry_out(self.driver.close(link, link.closed, self.now_ms))

    def wait(self, ms: int) -> None:
        """Let time pass; timers run out in order."""
        end_ms = self.now_ms + ms
        while self.timers:
            name, at_ms = min(self.timers.items(), key=lambda item: item[1])
            if at_ms > end_ms:
                break
            del self.timers[name]
            self.now_ms = max(self.now_ms, at_ms)
            self.run_timer(name)
        self.now_ms = end_ms

    def run_timer(self, name: str) -> None:
        """Act on a timer that has run out."""
        self.carry_out(self.core.receive_timer(name, self.now_ms))

    # What the driver asks for

    def start_timer(self, name: str, at_ms: int, now_ms: int) -> None:  # noqa: ARG002 # see Shell
        self.timers[name] = at_ms

    def note_record(self, record: TableRecord, now_ms: int) -> None:  # noqa: ARG002 # see Shell
        self.records.append(record)

    def end(self, reason: str | None) -> None:
        self.ended.append(reason)

    def is_written(self, link: LinkType) -> bool:  # noqa: ARG002
        """Return whether everything sent to a connection has been written, so that it can be closed."""
        return True
