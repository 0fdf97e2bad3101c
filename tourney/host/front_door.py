"""The front door on sockets: one public port, and the channels to the hosts whose tables its clients play at.

What is decided, and the states of a client, are in `protocol.stateful.front_door`. Here are the parts that have to do
with sockets and turns of the loop:

- A connection is let in by `doors`, is a client of the core from then on, and is closed when the core says so. It
  never moves: its lines go through this process to its table, and back.
- Tables are on **hosts**: a host in this process is a `HostSeats`, one elsewhere is at the other end of a link
  (`gateway`). Both take and send the same messages (`seat_links.Message`).
- While a client has no place at a table, its lines are read in turns with those of all others that have none
  (`line_turns`), so that they hold up nobody who plays.
- A message to or from a host in this process is handled in a turn of the loop of its own, not amid the work of a
  table. A person's line need not wait for that, unless another message does that it must not overtake, such as the
  one that gives it its seat.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

from tourney.bridge import SEATS
from tourney.config import PortRange
from tourney.host.acceptor import UNNAMED_MAX, HostAdmission, PortAdmission, UnauthenticatedConnections
from tourney.host.connection import CLOSE_S, TcpConnection
from tourney.host.line_turns import LineTurns
from tourney.host.ports import Listen, PortServer, listen
from tourney.host.seat_links import Channel, HostSeats, Message
from tourney.protocol.access import ConnectionLimits
from tourney.protocol.lines import Charset, Overlong
from tourney.protocol.stateful.front_door import (
    AdmitClient,
    CloseClient,
    FrontDoorEffect,
    Host,
    LeaveTable,
    ProbeClient,
    RelieveSeat,
    SeatKey,
    SeatOffer,
    SendToClient,
    SendToTable,
    TakeSeat,
)
from tourney.protocol.stateful.gateway import GatewayCore
from tourney.protocol.stateful.lobby.core import LobbyCore
from tourney.runtime.clock import HostClock

OwnPlayer: TypeAlias = Callable[[str], list[str]]
"""One of our own players: what it says to a line of its table."""


class FrontDoorPort:
    """A port, its clients, and the hosts that have tables for them."""

    def __init__(
        self,
        core: GatewayCore | LobbyCore,
        clock: HostClock,
        limits: ConnectionLimits,
        budget: HostAdmission,
        name: str,
        make_player: Callable[[], OwnPlayer] | None = None,
    ) -> None:
        """Prepare.

        Args:
            core: decides everything.
            clock: the clock of the tables.
            limits: those of one connection.
            budget: those of this process.
            name: what the log calls the port.
            make_player: makes one of our own players, where there are any.
        """
        self.core = core
        self.clock = clock
        self._front_door = core.front_door
        self._limits = limits
        self._make_player = make_player
        self._unauthenticated = UnauthenticatedConnections(
            budget, self._make_room, name, places=UNNAMED_MAX, keeps_clients=True
        )
        self._clients: dict[int, TcpConnection] = {}
        self._own_players: dict[int, OwnPlayer] = {}
        """Those without a connection, by negative numbers."""
        self._count = 0
        self._turns = LineTurns(clock)
        self._all_closed = asyncio.Event()
        self._hosts: dict[Host, Channel] = {}
        self._servers: list[PortServer] = []

    async def open(self, host: str, port: int, listen: Listen = listen) -> int:
        """Open the port, and return its number.

        Raises:
            LaunchError: another program has it, or the address is not this machine's.
        """
        (opened,) = await listen(
            host, PortRange(port, port), port, [PortAdmission(self._accept, self._unauthenticated)]
        )
        self._servers.append(opened.server)
        return opened.number

    def stop_listening(self) -> None:
        """Close what could be opened; connections that have been accepted stay."""
        for server in self._servers:
            server.close()
        self._unauthenticated.close()

    async def wait_closed(self) -> None:
        """Wait until the last lines have been sent to every client."""
        if self._clients:
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_S):
                    await self._all_closed.wait()

    # Clients

    def _accept(self) -> TcpConnection:
        self._count += 1
        connection = TcpConnection(self, self.clock, self._count, None, self._limits)
        connection.turns = self._turns
        return connection

    def _make_room(self) -> None:
        self.carry_out(self._front_door.make_room(self.clock.now_ms()))

    def connection_opened(self, connection: TcpConnection) -> None:
        self._clients[connection.number] = connection
        self._all_closed.clear()
        self.carry_out(self._front_door.open_client(connection.number, connection.peer, self.clock.now_ms()))

    def line_received(self, connection: TcpConnection, line: bytes | Overlong, now_ms: int) -> None:
        self.carry_out(self._front_door.receive_line(connection.number, line, now_ms))

    def line_sent(self, connection: TcpConnection, line: str, clock: int | None, now_ms: int) -> None:
        """The tables log what their players are sent."""

    def limit_passed(self, connection: TcpConnection, reason: str) -> None:
        self.carry_out(self._front_door.disconnect(connection.number, reason, self.clock.now_ms()))

    def connection_closed(self, connection: TcpConnection, reason: str) -> None:
        self._clients.pop(connection.number, None)
        self._unauthenticated.remove(connection)
        if not self._clients:
            self._all_closed.set()
        self.carry_out(self._front_door.close_client(connection.number, reason, self.clock.now_ms()))

    # Hosts

    def add_seats(self, host: Host, seats: HostSeats) -> None:
        """Take the seats that tables of this process offer."""
        loop = asyncio.get_running_loop()
        unreported = 0

        def send(message: Message) -> None:
            nonlocal unreported
            if message[0] == "said" and not unreported:
                seats.receive(message)
            else:
                unreported += 1
                loop.call_soon(send_later, message)

        def send_later(message: Message) -> None:
            nonlocal unreported
            unreported -= 1
            seats.receive(message)

        def receive(message: Message) -> None:
            if message[0] == "line" and message[1] > 0:
                self.receive(host, message)
            else:
                loop.call_soon(self.receive, host, message)

        self.add_host(host, send)
        seats.open_channel(receive)

    def add_host(self, host: Host, channel: Channel) -> None:
        """Take the seats that tables elsewhere offer."""
        self._hosts[host] = channel

    def remove_host(self, host: Host) -> None:
        """Note that a host is gone."""
        self._hosts.pop(host, None)

    def send_to_host(self, host: Host, message: Message) -> None:
        """Send a message to a host, if it is there."""
        if (channel := self._hosts.get(host)) is not None:
            channel(message)

    def receive(self, host: Host, message: Message) -> None:
        """Handle a message of a host."""
        match message:
            case ["offer", int(table), int(seat), str(team), str(game)]:
                self.carry_out(self.core.offer_seat(SeatKey(host, table, SEATS[seat]), SeatOffer(team, game)))
            case ["withdraw", int(table), int(seat)]:
                self.carry_out(self.core.withdraw_seat(SeatKey(host, table, SEATS[seat])))
            case ["line", int(client), str(line)] if client in self._own_players:
                for said in self._own_players[client](line):
                    self.send_to_host(host, ["said", client, said])
            case ["line", int(client), str(line)]:
                self.carry_out(self._front_door.receive_table_line(host, client, line))
            case ["left", int(client), str(reason), bool(is_over)]:
                self._own_players.pop(client, None)
                self._set_turns(client, self._turns)
                now_ms = self.clock.now_ms()
                self.carry_out(self._front_door.leave_table(host, client, reason, now_ms, is_over=is_over))
            case _:
                self._receive_other(host, message)

    def _receive_other(self, host: Host, message: Message) -> None:
        """Handle a message that not every port knows; one of a later version is passed over."""

    # Effects of the core

    def carry_out(self, effects: list[FrontDoorEffect]) -> None:
        """Do what the core has decided, in order."""
        for effect in effects:
            match effect:
                case SendToClient(client=client, line=line) if client in self._clients:
                    self._clients[client].send(line, None, self.clock.now_ms())
                case SendToTable(host=host, client=client, line=data):
                    self.send_to_host(host, ["said", client, data.decode("latin-1")])
                case TakeSeat(client=client, key=key, peer=peer, lines=lines):
                    if client < 0 and self._make_player is not None:
                        self._own_players[client] = self._make_player()
                    self._set_turns(client, None)
                    self.send_to_host(key.host, ["seat", client, key.table, int(key.seat), peer, list(lines)])
                case RelieveSeat(host=host, client=client, reason=reason):
                    self.send_to_host(host, ["relieve", client, reason])
                case LeaveTable(host=host, client=client, reason=reason):
                    self._own_players.pop(client, None)
                    self._set_turns(client, self._turns)
                    self.send_to_host(host, ["gone", client, reason])
                case AdmitClient(client=client) if client in self._clients:
                    self._clients[client].admit(0, Charset.UTF_8)
                case ProbeClient(client=client) if client in self._clients:
                    self._clients[client].probe()
                case CloseClient(client=client) if client in self._clients:
                    self._clients[client].close()
                case _:
                    self._carry_out_other(effect)

    def _set_turns(self, client: int, turns: LineTurns | None) -> None:
        """Have a client read in turns, while it has no place at a table, or at once."""
        if (connection := self._clients.get(client)) is not None:
            connection.turns = turns

    def _carry_out_other(self, effect: FrontDoorEffect) -> None:
        """Do what only some ports do."""
