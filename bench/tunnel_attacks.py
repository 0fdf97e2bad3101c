"""Strangers and a bad team at the server's end of tunnels: `python -m bench.tunnel_attacks KIND HOST PORT TEAM KEY`.

It is a process of its own, until a SIGTERM. At its end it prints how many connections it has tried, how many the
server's machine has taken, and over how many a WebSocket was opened, as JSON.
The key is that of a team: the attacks from `garbage_frames` on are by somebody who has got in.
"""

import asyncio
import contextlib
import ipaddress
import os
import resource
import struct
import sys
from collections.abc import Awaitable, Callable, Iterable
from typing import Final
from urllib.parse import quote

from bench.attacks import Attack, attack_until_told
from tourney.protocol.tunnel.end import STREAMS_MAX, SUBPROTOCOL
from tourney.protocol.tunnel.frames import MESSAGE_BYTES_MAX, SESSION_BYTES, VERSION
from tourney.store.team_access import make_team_key

WEBSOCKETS: Final = 600
"""More than a server of tunnels has at once."""

OPENS: Final = 10_000
"""Streams that are opened and reset, one after the other, over one connection."""

_HEADER: Final = struct.Struct("!BQIQ")
"""Kind, number, stream and value of a message; see `protocol.tunnel`."""

_HELLO, _OPEN, _DATA, _RESET, _CALL = 1, 16, 17, 20, 21
_BINARY, _PING = 0x82, 0x89


class TunnelAttack(Attack):
    """The connections of one attack, all by way of the web server in front, as that says."""

    addresses = ("127.0.0.1",)
    apart_s = 0.001
    patience_s = 30.0

    def __init__(self, host: str, port: int, team: str, key: str) -> None:
        super().__init__(host, port)
        self._team = team
        self._key = key

    def head(self, key: str | None = None, address: str = "") -> bytes:
        """Return a request for a tunnel, from a random address and with the right key if none is given."""
        address = address or str(ipaddress.IPv4Address(b"\x0a" + os.urandom(3)))
        lines = (
            "GET /connect HTTP/1.1",
            "Host: club.example",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            f"Sec-WebSocket-Protocol: {SUBPROTOCOL}",
            f"X-Forwarded-For: {address}",
            f"Tourney-Team: {quote(self._team)}",
            f"Authorization: Bearer {key or self._key}",
        )
        return "\r\n".join(lines).encode() + b"\r\n\r\n"

    async def get_in(self, send: Callable[[asyncio.StreamWriter], Awaitable[None]], at_once: int) -> None:
        """Keep many WebSockets, over which something is sent, and open another for each that is closed."""

        async def hold_one(number: int) -> None:
            await asyncio.sleep(number * self.apart_s)
            while True:
                ends = await self.connect()
                if ends is None:
                    await asyncio.sleep(0.05)
                    continue
                reader, writer = ends
                with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                    writer.write(self.head())
                    answer = await reader.readuntil(b"\r\n\r\n")
                    if b" 101 " in answer.partition(b"\r\n")[0]:
                        self.let_in += 1
                        await send(writer)
                        while await reader.read(4096):
                            pass
                writer.transport.abort()

        await asyncio.gather(*(hold_one(number) for number in range(at_once)))

    async def say(self, parts: Iterable[bytes], at_once: int) -> None:
        """Get in and say hello, then something without end, on so many connections at once; nothing is read."""

        async def send(writer: asyncio.StreamWriter) -> None:
            writer.write(hello())
            while not writer.transport.is_closing():
                for part in parts:
                    writer.write(part)
                    await writer.drain()
                await asyncio.sleep(0)

        await self.get_in(send, at_once)


def frame(payload: bytes, opcode: int = _BINARY) -> bytes:
    """Return a WebSocket's frame from a client, masked with zeros."""
    length = len(payload)
    if length < 126:
        head = struct.pack("!BB", opcode, 0x80 | length)
    else:
        head = struct.pack("!BBQ", opcode, 0x80 | 127, length)
    return head + bytes(4) + payload


def message(kind: int, number: int = 0, stream: int = 0, value: int = 0, body: bytes = b"") -> bytes:
    """Return a message of a tunnel in its frame."""
    return frame(_HEADER.pack(kind, number, stream, value) + body)


def hello() -> bytes:
    """Return the first message of a new session."""
    return message(_HELLO, stream=VERSION, body=os.urandom(SESSION_BYTES))


async def garbage(attack: TunnelAttack) -> None:
    """Send random bytes where a request is due."""

    async def send_line(writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while True:
                writer.write(os.urandom(4096))
                await writer.drain()

    await attack.hold(send_line, 100)


async def half_requests(attack: TunnelAttack) -> None:
    """Begin requests and never end them."""

    async def send_line(writer: asyncio.StreamWriter) -> None:
        writer.write(attack.head()[:-2])

    await attack.hold(send_line, 1500)


async def wrong_keys(attack: TunnelAttack) -> None:
    """Try keys from many addresses, as fast as they are refused."""

    async def send_line(writer: asyncio.StreamWriter) -> None:
        writer.write(attack.head(make_team_key()))

    await attack.hold(send_line)


async def keys_of_one_address(attack: TunnelAttack) -> None:
    """Try keys from the address from which the quiet teams come, too."""

    async def send_line(writer: asyncio.StreamWriter) -> None:
        writer.write(attack.head(make_team_key(), "127.0.0.1"))

    await attack.hold(send_line)


async def early_frames(attack: TunnelAttack) -> None:
    """Send a wrong key, and a flood of pings before the answer can have come."""
    flood = frame(b"", _PING) * 80_000

    async def send_line(writer: asyncio.StreamWriter) -> None:
        writer.write(attack.head(make_team_key()) + flood)

    await attack.hold(send_line, 20)


async def garbage_frames(attack: TunnelAttack) -> None:
    """Get in, and send messages of random bytes."""
    await attack.say([frame(os.urandom(200)) for _ in range(100)], at_once=20)


async def out_of_order(attack: TunnelAttack) -> None:
    """Open a stream, and say its bytes under numbers that are not due."""
    await attack.say([message(_OPEN, 1, 1), message(_DATA, 7, 1, 0, b"x"), message(_DATA, 3, 1, 0, b"x")], at_once=20)


async def director_calls(attack: TunnelAttack) -> None:
    """Get in, and call the director without end."""
    await attack.say([message(_CALL, number, number, 0, b"Director!") for number in range(1, 10_000)], at_once=8)


async def idle_streams(attack: TunnelAttack) -> None:
    """Get in, open as many streams as a tunnel has, and say nothing in them."""
    opens = b"".join(message(_OPEN, number, number) for number in range(1, STREAMS_MAX + 1))

    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(hello() + opens)

    await attack.get_in(send, 2)


async def stream_opens(attack: TunnelAttack) -> None:
    """Open thousands of streams and reset each one."""
    pairs = (message(_OPEN, 2 * n + 1, n + 1) + message(_RESET, 2 * n + 2, n + 1) for n in range(OPENS))
    opens = b"".join(pairs)

    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(hello() + opens)

    await attack.get_in(send, 2)


async def oversized(attack: TunnelAttack) -> None:
    """Send messages that are too long, and announce others that are longer still."""
    announced = struct.pack("!BBQ", _BINARY, 0x80 | 127, 2**40) + bytes(MESSAGE_BYTES_MAX)
    await attack.say([frame(bytes(MESSAGE_BYTES_MAX)) + frame(bytes(MESSAGE_BYTES_MAX + 1)), announced], at_once=20)


async def pings(attack: TunnelAttack) -> None:
    """Get in, and send the smallest pings of a WebSocket without end."""
    await attack.say([frame(b"", _PING) * 10_000], at_once=2)


async def takes_nothing(attack: TunnelAttack) -> None:
    """Get in, ask for answers without end, and read none."""
    await attack.say([frame(bytes(125), _PING) * 50], at_once=8)


async def no_hello(attack: TunnelAttack) -> None:
    """Get in with more connections than there are places, and say nothing."""

    async def send(_writer: asyncio.StreamWriter) -> None:
        """Nothing is said."""

    await attack.get_in(send, WEBSOCKETS)


async def websockets(attack: TunnelAttack) -> None:
    """Get in and say hello with more connections than there are places."""

    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(hello())

    await attack.get_in(send, WEBSOCKETS)


async def own_idle_streams(attack: TunnelAttack) -> None:
    """Open idle streams beside the client of the same team."""
    await idle_streams(attack)


async def own_clients(attack: TunnelAttack) -> None:
    """Come with more clients than the team may have, and more WebSockets."""
    await websockets(attack)


KINDS: Final = {
    each.__name__: each
    for each in (
        *(garbage, half_requests, wrong_keys, keys_of_one_address, early_frames),
        *(garbage_frames, out_of_order, stream_opens, oversized, pings, takes_nothing, no_hello, websockets),
        *(director_calls, idle_streams, own_idle_streams, own_clients),
    )
}


if __name__ == "__main__":
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    attack = TunnelAttack(sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5])
    asyncio.run(attack_until_told(KINDS[sys.argv[1]](attack), attack))
