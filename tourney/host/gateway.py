"""The port of an event for the stateful-server protocol, and the way from every table host to it (SS-35).

All hosts of a machine try to open the port; the operating system gives it to one of them, and to another when that
one has ended. Its owner runs the `GatewayCore`. The others reach it by a link on the loopback interface, whose port
and key are in a file of the results folder that only the organiser's account can read.
"""

import asyncio
import contextlib
import hmac
import json
import logging
import os
import secrets
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from tourney.errors import LaunchError
from tourney.host.acceptor import HostAdmission
from tourney.host.front_door import FrontDoorPort
from tourney.host.ports import Listen, listen
from tourney.host.seat_links import HostSeats, Message
from tourney.protocol.access import TeamAccess
from tourney.protocol.stateful.front_door import Host
from tourney.protocol.stateful.gateway import GatewayCore
from tourney.runtime.clock import HostClock
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


class Gateway:
    """Connects the clients of the event's port with the tables of one host, whoever owns the port."""

    def __init__(
        self,
        settings: HostSettings,
        seats: HostSeats,
        clock: HostClock,
        load_entrants: Callable[[], Mapping[str, TeamAccess]],
        budget: HostAdmission,
        listen: Listen = listen,
    ) -> None:
        """Prepare.

        Args:
            settings: the port and the limits.
            seats: the seats of this host's tables.
            clock: the host's clock.
            load_entrants: loads the names of the event's teams, and what each must present.
            budget: those of the host.
            listen: opens the port.
        """
        self._settings = settings
        self._seats = seats
        self._clock = clock
        self._load_entrants = load_entrants
        self._budget = budget
        self._listen = listen
        self._stopping = asyncio.Event()
        self._is_over = False
        """Whether nothing of the event is left to play when this host stops."""
        self._owner: _PortOwner | None = None

    async def run(self) -> None:
        """Own the port, or be linked to its owner, until `stop`."""
        port = self._settings.stateful.port
        assert port is not None
        has_reported = False
        while not self._stopping.is_set():
            owner = _PortOwner(self._settings, self._seats, self._clock, self._load_entrants, self._budget)
            try:
                await owner.open(self._settings.host, port, self._listen)
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
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(RETRY_S):
                        await self._stopping.wait()
                continue
            self._owner = owner
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
            known = json.loads((Path(self._settings.results_folder) / LINK_FILE).read_text(encoding="utf-8"))
            async with asyncio.timeout(RETRY_S * 5):
                reader, writer = await asyncio.open_connection("127.0.0.1", known["port"], limit=LINK_BYTES_MAX)
        except (OSError, ValueError, KeyError, TypeError):
            return False

        send = partial(_send, writer)
        send([known["key"]])
        self._seats.open_channel(send)
        reading = asyncio.create_task(_read_messages(reader, self._seats.receive))
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait([reading, stopping], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reading, stopping):
                task.cancel()
            writer.close()
            self._seats.close_channel()
        return True


class _PortOwner(FrontDoorPort):
    """The port itself: a front door whose tables are on this host, and on others by links."""

    core: GatewayCore

    def __init__(
        self,
        settings: HostSettings,
        seats: HostSeats,
        clock: HostClock,
        load_entrants: Callable[[], Mapping[str, TeamAccess]],
        budget: HostAdmission,
    ) -> None:
        core = GatewayCore(settings.stateful.tournament or "", load_entrants, settings.limits)
        super().__init__(core, clock, settings.limits, budget, "the stateful port")
        self._link_file = Path(settings.results_folder) / LINK_FILE
        self._seats = seats
        self._links: dict[Host, asyncio.StreamWriter] = {}
        self._last_host = OWN_HOST
        self._key = secrets.token_hex(16)

    async def open(self, host: str, port: int, listen: Listen = listen) -> int:
        number = await super().open(host, port, listen)
        links = await asyncio.start_server(self._serve_link, "127.0.0.1", 0, limit=LINK_BYTES_MAX)
        self._servers.append(links)
        _write_private(self._link_file, json.dumps({"port": links.sockets[0].getsockname()[1], "key": self._key}))
        self.add_seats(OWN_HOST, self._seats)
        return number

    async def close(self, *, is_over: bool) -> None:
        """Tell the clients, and close everything."""
        self.carry_out(self.core.front_door.interrupt(OVER if is_over else INTERRUPTED, is_over=is_over))
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


def _write_private(path: Path, text: str) -> None:
    """Replace a file that only its owner can read."""
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    new.replace(path)
