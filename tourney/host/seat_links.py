"""The empty seats of a host's tables, offered to clients of the event's port, and the links of those that take them.

The port is open in one of the hosts of a machine (`front_door`). The others, and that one itself, offer their empty
seats through a channel; a client that is given one is a `SeatLink` to its table, which treats it like a connection.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from tourney.bridge import SEATS, Seat
from tourney.protocol.lines import Overlong
from tourney.protocol.session.driver import Link
from tourney.protocol.session.wire import Wire
from tourney.protocol.stateful.values import LINE_BYTES_MAX
from tourney.runtime.clock import HostClock

if TYPE_CHECKING:
    from tourney.host.manager import TableManager

Message: TypeAlias = list[Any]  # JSON: the name of a message, then its arguments
"""What goes through a channel. From a host to the port:

- `["offer", table, seat, team, game]`, `["withdraw", table, seat]`: a seat is empty, or is not any more
- `["line", client, text]`: a line of a table to a client
- `["left", client, reason, is_over]`: a table has closed its end of a client's connection
- `["board", game, number]`: a board begins at the table of a game; 0 once it is over

From the port to a host:

- `["seat", client, table, seat, peer, lines, team]`: a client takes a seat, and says these lines; `team` is the
  number of the team that it has shown to belong to, or null
- `["said", client, text, own_ms]`: a line of a client, its bytes as Latin-1, and how long its program took for it if
  the client of a tunnel says so, or null
- `["gone", client, reason]`: a client's connection is gone
"""

Channel: TypeAlias = Callable[[Message], object]
"""Sends a message to the port."""


class SeatLink(Link):
    """A client of the event's port, as its table sees it: the counterpart of `TcpConnection`.

    The process of the port has the connection: it admits and probes that by itself.
    """

    def __init__(
        self,
        owner: "TableManager",
        clock: HostClock,
        number: int,
        seat: Seat,
        peer: str,
        team_number: int | None,
        wire: Wire,
        seats: "HostSeats",
    ) -> None:
        self.number = number
        self.team_number = team_number
        self.port_seat = seat
        self.peer = peer
        self.wire = wire
        self.client = 0
        """The number of the client at the port; 0 once it is gone."""
        self.is_aborted = False
        self.owner = owner
        self._clock = clock
        self._seats = seats

    def send(self, line: str, clock: int | None, now_ms: int) -> bool:  # noqa: ARG002 # as `TcpConnection.send`
        """Pass a line of the table to the client; return whether it has one."""
        if self.client:
            self._seats.send(["line", self.client, line])
        return bool(self.client)

    def receive(self, text: str, own_ms: int | None = None) -> None:
        """Handle a line of the client, for which its program took `own_ms` if a tunnel's client says so."""
        data = text.encode("latin-1", "replace")
        self.line_began_ms = now_ms = self._clock.now_ms()
        self.line_own_ms = own_ms
        self.owner.line_received(self, data if len(data) <= LINE_BYTES_MAX else Overlong(LINE_BYTES_MAX), now_ms)

    def charge_idle(self, now_ms: int) -> None:
        """Do nothing: the process of the port has the connection, and charges what it passes on."""

    def close(self) -> None:
        """End the link: the client waits for its next seat if the session is over, and is sent away otherwise."""
        self._end("the connection was closed")

    def abort(self, reason: str) -> None:
        """End the link at once, by no fault of the client."""
        self.is_aborted = True
        self._end(reason)

    def lose(self, reason: str) -> None:
        """Handle that the client is gone, and with it the link."""
        if self.client:
            self.client = 0
            self.owner.connection_closed(self, reason)

    def _end(self, reason: str) -> None:
        if self.client:
            self._seats.end_link(self, reason)
            self.client = 0
            # Later, as the end of a connection is noticed: not in the middle of what the table does now.
            asyncio.get_running_loop().call_soon(self.owner.connection_closed, self, reason)


class HostSeats:
    """Offers the empty seats of one host's tables, and keeps the links of the clients that have taken some."""

    def __init__(self) -> None:
        self._channel: Channel | None = None
        self._tables: dict[int, TableManager] = {}
        self._offers: dict[tuple[int, Seat], Message] = {}
        """The seats that are offered, by table and seat."""
        self._links: dict[int, SeatLink] = {}

    # Tables

    def add_table(self, table_id: int, table: "TableManager") -> None:
        """Note a table that has just opened: it may offer seats."""
        self._tables[table_id] = table

    def remove_table(self, table_id: int) -> None:
        """Withdraw the seats of a table whose session is over."""
        self._tables.pop(table_id, None)
        for seat in SEATS:
            self.withdraw(table_id, seat)

    def offer(self, table_id: int, seat: Seat, team: str, game: str) -> None:
        """Offer an empty seat to a program of a team."""
        if table_id in self._tables:
            message = self._offers[table_id, seat] = ["offer", table_id, int(seat), team, game]
            self.send(message)

    def withdraw(self, table_id: int, seat: Seat) -> None:
        """Note that a seat is empty no more."""
        if self._offers.pop((table_id, seat), None) is not None:
            self.send(["withdraw", table_id, int(seat)])

    # The channel

    def open_channel(self, channel: Channel) -> None:
        """Use a channel to the port, and offer everything again that is empty."""
        self._channel = channel
        for _, message in sorted(self._offers.items()):
            self.send(message)

    def close_channel(self) -> None:
        """Note that the port is gone, and with it all of its clients."""
        self._channel = None
        links, self._links = list(self._links.values()), {}
        for link in links:
            link.lose("the connection was closed")

    def send(self, message: Message) -> None:
        """Send a message to the port, if it is open."""
        if self._channel is not None:
            self._channel(message)

    def receive(self, message: Message) -> None:
        """Handle a message of the port."""
        match message:
            case ["seat", int(client), int(table), int(seat), str(peer), list(lines), team]:
                if (manager := self._tables.get(table)) is None:
                    self.send(["left", client, "the table is over", True])
                    return
                self._offers.pop((table, SEATS[seat]), None)  # the port has given it out
                taken = self._links[client] = manager.open_link(SEATS[seat], peer, team)
                taken.client = client
                manager.connection_opened(taken)
                for line in lines:
                    taken.receive(line.encode().decode("latin-1"))
            case ["said", int(client), str(text), own_ms] if (link := self._links.get(client)) is not None:
                link.receive(text, own_ms)
            case ["gone", int(client), str(reason)] if (link := self._links.pop(client, None)) is not None:
                link.lose(reason)
            case _:
                pass  # of a later version, or for a client that has left

    def end_link(self, link: SeatLink, reason: str) -> None:
        """Tell the port that a table has ended a link."""
        self._links.pop(link.client, None)
        is_over = link.is_aborted or link.player is None or link.player.table.is_over
        self.send(["left", link.client, reason, is_over])
