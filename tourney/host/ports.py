"""Listening sockets: on the requested ports if they are free, else on the next ones of the range (BC-02)."""

import asyncio
import errno
import socket
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from tourney.bridge import SEATS, Seat, Side
from tourney.config import PortPlan, PortRange
from tourney.errors import LaunchError
from tourney.host.acceptor import Acceptor, PortAdmission

BACKLOG = 128
"""Connections that wait until the port admits them."""


class PortServer(Protocol):
    """What accepts the connections of a port."""

    def close(self) -> None: ...


class OpenPort(NamedTuple):
    """A port that accepts connections until its server is closed."""

    number: int
    server: PortServer


Accept: TypeAlias = Callable[[], asyncio.Protocol]
"""Makes the asyncio protocol of an accepted connection; a `Door` also says when one may be accepted."""

Listen: TypeAlias = Callable[[str, PortRange, int, Sequence[Accept]], Awaitable[list[OpenPort]]]
"""Opens the ports of a table: `listen`, or a substitute in simulations."""


def wished_ports(ports: PortRange, plan: PortPlan, place: int) -> dict[Seat, int]:
    """Return the ports that a table takes if they are free; `place` is its number among those played at once, from 0.

    A match keeps its place while it is played, so its ports are the same after a restart.
    """
    first = ports.first + place * plan.ports_per_table
    return {seat: first + (seat if plan is PortPlan.PER_SEAT else 0) for seat in SEATS}


def ports_of_pairs(ports: PortRange, north_south: int, east_west: int) -> dict[Seat, int]:
    """Return the ports of a table where each pair has its own; pairs are given by their numbers in the draw."""
    numbers = {Side.NS: north_south, Side.EW: east_west}
    return {seat: ports.first + numbers[seat.side] - 1 for seat in SEATS}


async def listen(host: str, ports: PortRange, wished: int, accepts: Sequence[Accept]) -> list[OpenPort]:
    """Accept connections on neighbouring ports, one for each of `accepts`, the first at `wished` if they are free.

    Raises:
        LaunchError: as for `open_ports`.
    """
    sockets = open_ports(host, ports, wished, len(accepts))
    return [
        OpenPort(listener.getsockname()[1], await serve_port(listener, accept))
        for listener, accept in zip(sockets, accepts, strict=True)
    ]


async def serve_port(listener: socket.socket, accept: Accept) -> PortServer:
    """Accept connections on a listening socket."""
    if isinstance(accept, PortAdmission):
        return Acceptor(listener, accept)
    return await asyncio.get_running_loop().create_server(accept, sock=listener)


def open_ports(host: str, ports: PortRange, wished: int, count: int) -> list[socket.socket]:
    """Open `count` listening sockets on neighbouring ports, the first at `wished` if they are free.

    Raises:
        LaunchError: none are free in the range, or the address is not this machine's.
    """
    for first in _starts(ports, wished, count):
        sockets = _try_ports(host, range(first, first + count))
        if sockets is not None:
            return sockets
    plural = "port is" if count == 1 else f"{count} neighbouring ports are"
    raise LaunchError(f"no {plural} free on {host} in {ports}: other programs have them")


def _starts(ports: PortRange, wished: int, count: int) -> Iterator[int]:
    last_start = ports.last - count + 1
    if ports.first <= wished <= last_start:
        yield from range(wished, last_start + 1)
    yield from range(ports.first, min(wished, last_start + 1))


def _try_ports(host: str, ports: range) -> list[socket.socket] | None:
    sockets: list[socket.socket] = []
    for port in ports:
        try:
            sockets.append(_listen(host, port))
        except OSError as error:
            for opened in sockets:
                opened.close()
            if isinstance(error, socket.gaierror) or error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise LaunchError(f"cannot listen on {host} port {port}: {error.strerror}") from None
            return None
    return sockets


def _listen(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    try:
        # A port whose last connections are still closing counts as free, so that a table can reopen on the same port.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
        listener.setblocking(False)  # noqa: FBT003 # the standard library's signature
    except OSError:
        listener.close()
        raise
    return listener
