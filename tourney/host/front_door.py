"""The front door on sockets: one public port, and the channels to the hosts whose tables its clients play at.

What is decided, and the states of a client, are in `protocol.stateful.front_door`. Here are the parts that have to do
with sockets and turns of the loop:

- A connection is let in by `ports`, is a client of the core from then on, and is closed when the core says so. It
  never moves: its lines go through this process to its table, and back.
- Tables are on **hosts**: a host in this process is a `HostSeats`, one elsewhere is at the other end of a link. Both
  take and send the same messages (`seat_links.Message`).
- While a client has no place at a table, its lines are read in turns with those of all others that have none
  (`connection.LineTurns`), so that they hold up nobody who plays.
- A message to or from a host in this process is handled in a turn of the loop of its own, not amid the work of a
  table.

**The port of an event** (`Gateway`, SS-35). All hosts of a machine try to open it; the operating system gives it to
one of them, and to another when that one has ended. Its owner runs the `GatewayCore`. The others reach it by a link
on the loopback interface, whose port and key are in a file of the results folder that only the organiser's account
can read. The port of a lobby is in `lobby`.
"""

import asyncio
import contextlib
import hmac
import json
import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from tourney.bridge import SEATS
from tourney.config import PortRange
from tourney.errors import LaunchError
from tourney.host.connection import CLOSE_S, LineTurns, TcpConnection
from tourney.host.ports import HostAdmission, Listen, PortAdmission, UnauthenticatedConnections, listen
from tourney.host.relay import RelayedConnection, write_private
from tourney.host.seat_links import Channel, HostSeats, Message
from tourney.protocol.access import ConnectionLimits, PhrasePending, TeamAccess
from tourney.protocol.lines import Charset, Overlong
from tourney.protocol.stateful.front_door import (
    AdmitClient,
    CloseClient,
    FrontDoor,
    FrontDoorEffect,
    Host,
    LeaveTable,
    ProbeClient,
    SeatKey,
    SeatOffer,
    SendToClient,
    SendToTable,
    TakeSeat,
    is_call_or_card,
)
from tourney.protocol.stateful.gateway import GatewayCore
from tourney.runtime.event_loop import wait_up_to
from tourney.store.control.host_settings import HostSettings

_LOGGER: Final = logging.getLogger(__name__)

LINK_FILE: Final = "stateful-link.json"
"""Where the owner of the port says how other hosts reach it."""

RETRY_S: Final = 0.2
"""How often a host looks whether the port is free, or its owner reachable, while it has neither."""

LINK_BYTES_MAX: Final = 2**20
"""Longest message of a link; lines have at most 2,048 bytes, each up to six characters in JSON."""

LINK_UNREAD_BYTES_MAX: Final = 8 * 2**20
"""How much may lie unread on a link. A host that reads nothing, such as one that stands still, is cut off: it links
itself again as soon as it reads, and what it plays stays on record."""

LINK_FIRST_LINE_S: Final = 5.0
"""How long a connection to the port of the links may take to present the key."""

OVER: Final = "the event is over"
INTERRUPTED: Final = "the run has stopped, and the event goes on where it is when it is run again"

OWN_HOST: Final = 0
"""The number of the owner's own link."""


OwnPlayer: TypeAlias = Callable[[str], list[str]]
"""One of our own players: what it says to a line of its table."""


class FrontDoorPort:
    """A port, its clients, and the hosts that have tables for them."""

    def __init__(
        self,
        core: FrontDoor[Any],
        limits: ConnectionLimits,
        budget: HostAdmission,
        make_player: Callable[[], OwnPlayer] | None = None,
        relay_key: str | None = None,
    ) -> None:
        """Prepare.

        Args:
            core: decides everything.
            limits: those of one connection.
            budget: those of this process, which have the clock of the tables.
            make_player: makes one of our own players, where there are any.
            relay_key: the hash of the key of connections that are made for others; None where none are.
        """
        self._relay_key = relay_key
        self.core = core
        core.phrases = self._phrases = budget.phrases
        self.clock = budget.clock
        self._limits = limits
        self._make_player = make_player
        self._unauthenticated = UnauthenticatedConnections(budget, self._make_room, keeps_clients=True)
        self._clients: dict[int, TcpConnection] = {}
        self._own_players: dict[int, OwnPlayer] = {}
        """Those without a connection, by negative numbers."""
        self._count = 0
        self._turns = LineTurns(budget.clock)
        self._all_closed = asyncio.Event()
        self._hosts: dict[Host, Channel] = {}
        self._close_ports: list[Callable[[], None]] = []

    async def open(self, host: str, port: int, listen: Listen = listen) -> int:
        """Open the port, and return its number.

        Raises:
            LaunchError: another program has it, or the address is not this machine's.
        """
        (opened,) = await listen(
            host, PortRange(port, port), port, [PortAdmission(self._accept, self._unauthenticated)]
        )
        self._close_ports.append(opened.close)
        return opened.number

    def stop_listening(self) -> None:
        """Close what could be opened; connections that have been accepted stay."""
        for close in self._close_ports:
            close()
        self._unauthenticated.close()

    async def wait_closed(self) -> None:
        """Wait until the last lines have been sent to every client."""
        if self._clients:
            await wait_up_to(self._all_closed, CLOSE_S)

    # Clients

    def _accept(self) -> TcpConnection:
        self._count += 1
        given = self, self.clock, self._count, None, self._limits
        key = self._relay_key
        connection = TcpConnection(*given) if key is None else RelayedConnection(*given, key)
        connection.turns = self._turns
        return connection

    def _make_room(self) -> None:
        self.carry_out(self.core.make_room(self.clock.now_ms()))

    def connection_opened(self, connection: TcpConnection) -> None:
        self._clients[connection.number] = connection
        self._all_closed.clear()
        number, now_ms = connection.number, self.clock.now_ms()
        self.carry_out(self.core.open_client(number, connection.peer, now_ms, connection.team_number))

    def line_received(self, connection: TcpConnection, line: bytes | Overlong, now_ms: int) -> None:
        if connection.turns is None and not (isinstance(line, bytes) and is_call_or_card(line)):
            connection.charge_idle(now_ms)
        try:
            effects = self.core.receive_line(connection.number, line, now_ms, connection.line_own_ms)
        except PhrasePending as pending:
            self._phrases.check(
                pending, connection, lambda: self.line_received(connection, line, self.clock.now_ms())
            )
        else:
            self.carry_out(effects)

    def line_sent(self, connection: TcpConnection, line: str, clock: int | None, now_ms: int) -> None:
        """The tables log what their players are sent."""

    def limit_passed(self, connection: TcpConnection, reason: str) -> None:
        self.carry_out(self.core.disconnect(connection.number, reason, self.clock.now_ms()))

    def connection_closed(self, connection: TcpConnection, reason: str) -> None:
        self._clients.pop(connection.number, None)
        self._unauthenticated.remove(connection)
        if not self._clients:
            self._all_closed.set()
        self.carry_out(self.core.close_client(connection.number, reason, self.clock.now_ms()))

    # Hosts

    def add_seats(self, host: Host, seats: HostSeats) -> None:
        """Take the seats that tables of this process offer."""
        loop = asyncio.get_running_loop()
        self.add_host(host, lambda message: loop.call_soon(seats.receive, message))
        seats.open_channel(lambda message: loop.call_soon(self.receive, host, message))

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
                self.core.withdraw_seat(SeatKey(host, table, SEATS[seat]))
            case ["line", int(client), str(line)] if client in self._own_players:
                for said in self._own_players[client](line):
                    self.send_to_host(host, ["said", client, said, None])
            case ["line", int(client), str(line)]:
                self.carry_out(self.core.receive_table_line(host, client, line))
            case ["left", int(client), str(reason), bool(is_over)]:
                self._own_players.pop(client, None)
                self._set_turns(client, self._turns)
                now_ms = self.clock.now_ms()
                self.carry_out(self.core.leave_table(host, client, reason, now_ms, is_over=is_over))
            case _:
                pass  # what not every port knows, or of a later version

    # Effects of the core

    def carry_out(self, effects: list[FrontDoorEffect]) -> None:
        """Do what the core has decided, in order."""
        for effect in effects:
            self._carry_out_one(effect)

    def _carry_out_one(self, effect: FrontDoorEffect) -> None:
        match effect:
            case SendToTable(host=host, client=client, line=data, own_ms=own_ms):
                self.send_to_host(host, ["said", client, data.decode("latin-1"), own_ms])
            case TakeSeat(client=client, key=key, peer=peer, lines=lines, team_number=number):
                if client < 0 and self._make_player is not None:
                    self._own_players[client] = self._make_player()
                self._set_turns(client, None)
                self.send_to_host(key.host, ["seat", client, key.table, int(key.seat), peer, list(lines), number])
            case LeaveTable(host=host, client=client, reason=reason):
                self._own_players.pop(client, None)
                self._set_turns(client, self._turns)
                self.send_to_host(host, ["gone", client, reason])
            case SendToClient(client=client, line=line) if client in self._clients:
                self._clients[client].send(line, None, self.clock.now_ms())
            case AdmitClient(client=client) if client in self._clients:
                self._clients[client].admit(0, Charset.UTF_8)
            case ProbeClient(client=client) if client in self._clients:
                self._clients[client].probe()
            case CloseClient(client=client) if client in self._clients:
                self._clients[client].close()
            case _:
                pass  # for a client that has left

    def _set_turns(self, client: int, turns: LineTurns | None) -> None:
        """Have a client read in turns, while it has no place at a table, or at once."""
        if (connection := self._clients.get(client)) is not None:
            connection.turns = turns


@dataclass(eq=False, slots=True)
class Gateway:
    """Connects the clients of the event's port with the tables of one host, whoever owns the port."""

    settings: HostSettings
    """The port and the limits."""
    seats: HostSeats
    """The seats of this host's tables."""
    make_owner: Callable[[], "EventPort"]
    """Makes the port itself, for the case that this host gets it."""
    listen: Listen
    """Opens the port."""
    _stopping: asyncio.Event = field(default_factory=asyncio.Event)
    _is_over: bool = False
    """Whether nothing of the event is left to play when this host stops."""

    async def run(self) -> None:
        """Own the port, or be linked to its owner, until `stop`."""
        port = self.settings.stateful.port
        assert port is not None
        has_reported = False
        while not self._stopping.is_set():
            owner = self.make_owner()
            try:
                await owner.open(self.settings.host, port, self.listen)
            except (LaunchError, OSError) as error:
                owner.stop_listening()
                is_linked = await self._be_linked()
                if not is_linked and not has_reported:
                    has_reported = True
                    _LOGGER.warning(
                        "the port for the stateful protocol cannot be used yet: %s",
                        error,
                        extra={"action": "stateful_port_taken", "port": port},
                    )
                await wait_up_to(self._stopping, RETRY_S)
                continue
            _LOGGER.info("stateful port %s is open", port, extra={"action": "stateful_port_opened", "port": port})
            await self._stopping.wait()
            await owner.close(is_over=self._is_over)

    def stop(self, *, is_over: bool) -> None:
        """End every client's connection if this host owns the port; they come back unless the event is over."""
        self._is_over = is_over
        self._stopping.set()

    async def _be_linked(self) -> bool:
        """Link this host to the owner of the port, until that ends; return whether it could be reached."""
        try:
            known = json.loads((Path(self.settings.results_folder) / LINK_FILE).read_text(encoding="utf-8"))
            async with asyncio.timeout(RETRY_S * 5):
                reader, writer = await asyncio.open_connection("127.0.0.1", known["port"], limit=LINK_BYTES_MAX)
        except (OSError, ValueError, KeyError, TypeError):
            return False

        send = partial(_send, writer)
        send([known["key"]])
        self.seats.open_channel(send)
        reading = asyncio.create_task(_read_messages(reader, self.seats.receive))
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait([reading, stopping], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reading, stopping):
                task.cancel()
            writer.close()
            self.seats.close_channel()
        return True


class EventPort(FrontDoorPort):
    """The port itself: a front door whose tables are on this host, and on others by links."""

    core: GatewayCore

    def __init__(
        self,
        settings: HostSettings,
        seats: HostSeats,
        entrants: Mapping[str, TeamAccess],
        budget: HostAdmission,
    ) -> None:
        """Prepare.

        Args:
            settings: the port and the limits.
            seats: the seats of this host's tables.
            entrants: the names of the event's teams in the order of the draw, and what each must present; its owner
                adds those that come later.
            budget: those of the host.
        """
        core = GatewayCore(settings.stateful.tournament or "", entrants)
        super().__init__(core, settings.limits, budget, relay_key=settings.relay_key)
        self._link_file = Path(settings.results_folder) / LINK_FILE
        self._seats = seats
        self._links: dict[Host, asyncio.StreamWriter] = {}
        self._last_host = OWN_HOST
        self._key = secrets.token_hex(16)

    async def open(self, host: str, port: int, listen: Listen = listen) -> int:
        number = await super().open(host, port, listen)
        links = await asyncio.start_server(self._serve_link, "127.0.0.1", 0, limit=LINK_BYTES_MAX)
        self._close_ports.append(links.close)
        write_private(self._link_file, json.dumps({"port": links.sockets[0].getsockname()[1], "key": self._key}))
        self.add_seats(OWN_HOST, self._seats)
        return number

    async def close(self, *, is_over: bool) -> None:
        """Tell the clients, and close everything."""
        self.carry_out(self.core.interrupt(OVER if is_over else INTERRUPTED, is_over=is_over))
        self.stop_listening()
        for writer in self._links.values():
            writer.close()
        await asyncio.sleep(0)
        self._seats.close_channel()

    async def _serve_link(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(LINK_FIRST_LINE_S):
                first = (await reader.readline()).strip()
        except (OSError, ValueError):  # a timeout is an OSError
            first = b""
        if not hmac.compare_digest(first, _encode([self._key]).strip()):
            writer.close()
            return
        self._last_host += 1
        host = self._last_host
        self._links[host] = writer
        self.add_host(host, partial(_send, writer))
        try:
            await _read_messages(reader, partial(self.receive, host))
        finally:
            del self._links[host]
            self.remove_host(host)
            writer.close()
            self.carry_out(self.core.lose_host(host))


async def _read_messages(reader: asyncio.StreamReader, receive: Callable[[Message], None]) -> None:
    """Pass on the messages of a link until it ends; one that cannot be read ends it."""
    with contextlib.suppress(OSError, ValueError):
        while line := await reader.readline():
            message: Any = json.loads(line)
            if isinstance(message, list):
                receive(message)


def _send(writer: asyncio.StreamWriter, message: Message) -> None:
    """Send a message on a link, unless it has ended; one on which too much lies unread is ended."""
    if writer.is_closing():
        return
    writer.write(_encode(message))
    unread_bytes = writer.transport.get_write_buffer_size()
    if unread_bytes > LINK_UNREAD_BYTES_MAX:
        _LOGGER.warning(
            "a link between table hosts is ended: %s bytes lie unread, at most %s may",
            unread_bytes,
            LINK_UNREAD_BYTES_MAX,
            extra={"action": "stateful_link_ended"},
        )
        writer.transport.abort()


def _encode(message: Message) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"
