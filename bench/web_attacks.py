"""Strangers at the web server: `python -m bench.web_attacks KIND HOST PORT [TEAM]`, until a SIGTERM.

It is a process of its own; TEAM is the one whose seats are tried. At its end it prints how many connections it has
tried and how many the server has taken, as JSON.
"""

import asyncio
import contextlib
import resource
import sys
from typing import Final
from urllib.parse import quote_plus

from bench.attacks import Attack, attack_until_told

ADDRESS: Final = "127.0.0.2"
"""Where strangers come from; browsers come from elsewhere."""

SILENT: Final = 2600
"""More connections than a server with the usual settings keeps."""

_PIECE: Final = b"x" * 65_536


class WebAttack(Attack):
    """The connections of one attack, all from one address."""

    addresses = (ADDRESS,)
    apart_s = 0.001
    """Thousands at once would hold up the attacker itself."""
    patience_s = 30.0
    team = "Ants"
    """The team whose passphrase is guessed."""

    async def pour(self, head: bytes, piece: bytes) -> None:
        """Send a piece again and again after a head, over a few connections, and over others once these are ended."""

        async def send_line(writer: asyncio.StreamWriter) -> None:
            with contextlib.suppress(OSError):
                writer.write(head)
                while True:
                    writer.write(piece)
                    await writer.drain()

        await self.hold(send_line, at_once=8)


async def headers(attack: WebAttack) -> None:
    """Send a header that never ends."""
    await attack.pour(b"GET / HTTP/1.1\r\nHost: x\r\nX: ", _PIECE)


async def many_headers(attack: WebAttack) -> None:
    """Send headers that never end."""
    await attack.pour(b"GET / HTTP/1.1\r\nHost: x\r\n", b"X: y\r\n" * 10_000)


async def bodies(attack: WebAttack) -> None:
    """Send a form without end."""
    await attack.pour(b"POST /director/login HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n", _PIECE)


async def silent(attack: WebAttack) -> None:
    """Open more connections than the server keeps, and say nothing."""

    async def send_line(_writer: asyncio.StreamWriter) -> None:
        """Nothing is said."""

    await attack.hold(send_line, at_once=SILENT)


async def slow(attack: WebAttack) -> None:
    """Send requests a letter at a time."""

    async def send_line(writer: asyncio.StreamWriter) -> None:
        for letter in b"GET / HTTP/1.1\r\n" + _PIECE:
            writer.write(bytes([letter]))
            await asyncio.sleep(0.2)

    await attack.hold(send_line, at_once=600)


async def streams(attack: WebAttack) -> None:
    """Watch with more browsers than the server has places for."""

    async def send_line(writer: asyncio.StreamWriter) -> None:
        writer.write(b"GET /events?topics=/ HTTP/1.1\r\nHost: x\r\n\r\n")

    await attack.hold(send_line, at_once=2200)


async def log_ins(attack: WebAttack) -> None:
    """Log in with wrong passphrases."""
    form = b"name=bench&phrase=wrong"
    head = (
        b"POST /director/login HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nConnection: close\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n" % len(form)
    )

    async def send_line(writer: asyncio.StreamWriter) -> None:
        writer.write(head + form)

    await attack.hold(send_line, at_once=20)


async def seats(attack: WebAttack) -> None:
    """Sit down under the name of a team with wrong passphrases, and leave whatever seat there is."""

    async def send_line(writer: asyncio.StreamWriter) -> None:
        for place, form in (("enter", f"name={quote_plus(attack.team)}&phrase=guess{attack.tried}"), ("leave", "")):
            head = f"POST /seat/{place} HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
            kind = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n\r\n"
            writer.write((head + kind + form).encode())

    await attack.hold(send_line, at_once=20)


KINDS: Final = {
    each.__name__: each for each in (headers, many_headers, bodies, silent, slow, streams, log_ins, seats)
}


if __name__ == "__main__":
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    attack = WebAttack(sys.argv[2], int(sys.argv[3]))
    attack.team = "".join(sys.argv[4:5]) or attack.team
    asyncio.run(attack_until_told(KINDS[sys.argv[1]](attack), attack))
