"""Strangers at the door of a table: a process of its own, `python -m bench.attacks KIND HOST PORT`, until a SIGTERM.

At its end it prints how many connections it has tried and how many the table's machine has taken, as JSON.
"""

import asyncio
import contextlib
import json
import os
import resource
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ClassVar, Final

ADDRESSES: Final = tuple(f"127.0.0.{last}" for last in range(1, 9))
"""Where strangers come from; the first one is the address of the programs."""

SEATED: Final = (("Loud A", ("North", "South")), ("Loud B", ("East", "West")))
"""The teams whose seats the attacker has, at one of their tables."""

HELD_MAX: Final = 400
"""Connections that a holder keeps open at once."""

PHRASED: Final = "Program A"
"""The team at the attacked table that has a passphrase."""

_LOG_ON: Final = b'Connecting "Nobody" as North using protocol version 18\r\n'


class Attack:
    """The connections of one attack."""

    addresses: ClassVar[tuple[str, ...]] = ADDRESSES
    apart_s: ClassVar[float] = 0.0
    """How long it waits between the first connections that it keeps."""
    patience_s: ClassVar[float] = 1.0
    """How long it waits for a connection."""

    def __init__(self, host: str, port: int) -> None:
        self.tried = 0
        self.opened = 0
        self.let_in = 0
        """Those that the server has let in, where an attack can tell."""
        self._host = host
        self._port = port

    @property
    def address(self) -> tuple[str, int]:
        """What is attacked."""
        return self._host, self._port

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """Open a connection; None if there is none in time."""
        self.tried += 1
        address = self.addresses[self.tried % len(self.addresses)]
        try:
            async with asyncio.timeout(self.patience_s):
                ends = await asyncio.open_connection(self._host, self._port, local_addr=(address, 0))
        except OSError:
            return None
        self.opened += 1
        return ends

    async def hold(
        self, send_line: Callable[[asyncio.StreamWriter], Awaitable[None]], at_once: int = HELD_MAX
    ) -> None:
        """Keep many connections, and open another for each that is closed."""

        async def hold_one(number: int) -> None:
            await asyncio.sleep(number * self.apart_s)
            while True:
                ends = await self.connect()
                if ends is None:
                    await asyncio.sleep(0.05)
                    continue
                reader, writer = ends
                speaking = asyncio.ensure_future(send_line(writer))
                with contextlib.suppress(OSError):
                    while await reader.read(4096):
                        pass
                speaking.cancel()
                writer.transport.abort()

        await asyncio.gather(*(hold_one(number) for number in range(at_once)))


async def idle(attack: Attack) -> None:
    """Say nothing, on as many connections as there are."""

    async def send_line(_writer: asyncio.StreamWriter) -> None:
        """Nothing is said."""

    await attack.hold(send_line)


async def wrong_names(attack: Attack) -> None:
    """Log on under a name that does not play, from many addresses, again and again."""

    async def send_line(writer: asyncio.StreamWriter) -> None:
        writer.write(_LOG_ON)

    await attack.hold(send_line)


async def connects(attack: Attack) -> None:
    """Open connections as fast as it goes, and leave them."""

    async def flood() -> None:
        while True:
            ends = await attack.connect()
            if ends is not None:
                ends[1].transport.abort()

    await asyncio.gather(*(flood() for _ in range(1000)))


async def slow(attack: Attack) -> None:
    """Send a log-on that never ends, a letter at a time."""

    async def send_line(writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(b"C")
            await asyncio.sleep(0.1)

    await attack.hold(send_line)


async def endless_lines(attack: Attack) -> None:
    """Send as much as is read, without the end of a line."""

    async def send_line(writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while True:
                writer.write(b"x" * 65_536)
                await writer.drain()

    await attack.hold(send_line)


async def garbage(attack: Attack) -> None:
    """Send lines of random bytes."""

    async def send_line(writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while True:
                writer.write(b"".join(os.urandom(40) + b"\r\n" for _ in range(50)))
                await writer.drain()

    await attack.hold(send_line)


async def wrong_phrases(attack: Attack) -> None:
    """Log on under the name of a team that plays, with another wrong passphrase each time."""

    async def send_line(writer: asyncio.StreamWriter) -> None:
        login = f"{PHRASED}#{attack.tried}"
        writer.write(f'Connecting "{login}" as ANYPL using protocol version 18\r\n'.encode())

    await attack.hold(send_line)


async def page_requests(attack: Attack) -> None:
    """Send what a page in a browser sends, with a log-on of a team that plays in its body."""
    body = f'Connecting "{PHRASED}#x" as North using protocol version 18\r\n'

    async def send_line(writer: asyncio.StreamWriter) -> None:
        writer.write(f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())

    await attack.hold(send_line)


async def seats(attack: Attack) -> None:
    """Take the seats of both teams of the attacked table, and ask for what moves nothing, just below the limit."""
    host, port = attack.address

    async def flood(seat: str, team: str) -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(host, port)
                attack.tried += 1
                writer.write(f'Connecting "{team}" as {seat} using protocol version 18\r\n'.encode())
                asked = f"{seat} ready for teams\r\n".encode() * 19
                reading = asyncio.ensure_future(reader.read(-1))
                while not reading.done():
                    writer.write(asked)
                    await asyncio.sleep(0.01)
                writer.transport.abort()
            await asyncio.sleep(0.1)

    await asyncio.gather(*(flood(seat, team) for team, pair in SEATED for seat in pair))


async def stateful_phrases(attack: Attack) -> None:
    """Say hello at the event's port under the name of a team that plays, with wrong passphrases."""

    async def send_line(writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            for guess in range(10):
                writer.write(f'HELLO "{PHRASED}#{attack.tried}-{guess}"\r\n'.encode())
                await writer.drain()

    await attack.hold(send_line)


async def stateful_page_requests(attack: Attack) -> None:
    """Send what a page in a browser sends to the event's port, with a hello in its body."""
    await page_requests(attack)


async def stateful_seats(attack: Attack) -> None:
    """Take seats of both teams at the event's port, and ask for what moves nothing, just below the limit."""
    asked = b"JOIN-T\r\nX-PING B7\r\n" * 9

    async def flood(team: str) -> None:
        host, port = attack.address
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(host, port)
                attack.tried += 1
                writer.write(f'X-HELLO PING\r\nHELLO "{team}"\r\nJOIN-T\r\n'.encode())
                reading = asyncio.ensure_future(reader.read(-1))
                while not reading.done():
                    writer.write(asked)
                    await asyncio.sleep(0.01)
                writer.transport.abort()
            await asyncio.sleep(0.1)

    await asyncio.gather(*(flood(team) for team, pair in SEATED for _ in pair))


KINDS: Final = {
    each.__name__: each
    for each in (
        *(idle, wrong_names, connects, slow, endless_lines, garbage),
        *(wrong_phrases, stateful_phrases, page_requests, stateful_page_requests, seats, stateful_seats),
    )
}
"""The attacks: those on seats are at a table whose seats nobody has, `SEATED` are its teams."""


async def attack_until_told(attacking: Coroutine[Any, Any, None], attack: Attack) -> None:
    """Attack until a SIGTERM, then print what came of it."""
    running = asyncio.ensure_future(attacking)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await running
    found = {"tried": attack.tried, "opened": attack.opened, "let_in": attack.let_in}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    asyncio.run(attack_until_told(KINDS[sys.argv[1]](attack := Attack(sys.argv[2], int(sys.argv[3]))), attack))
