"""A client of a tunnel that means ill: `python -m bench.tunnel_misuse KIND URL KEY TEAM`, until a SIGTERM.

It has a key: strangers without one get no further than a refusal. At its end it prints how many streams it has opened
and how many bytes it has sent, as JSON.
"""

import asyncio
import contextlib
import json
import secrets
import signal
import sys
import time
from collections.abc import Callable
from typing import Final
from urllib.parse import quote

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from tourney.errors import ProtocolError
from tourney.protocol.tunnel.end import KEPT_BYTES_MAX, STREAMS_MAX, SUBPROTOCOL, TunnelEnd, TunnelSide
from tourney.protocol.tunnel.frames import SESSION_BYTES

_LOG_ON: Final = b'Connecting "%s" as North using protocol version 18\r\n'
_JUNK: Final = b"x" * 1000 + b"\r\n"
_JUNK_LINES: Final = 32


class TunnelAttack:
    """A session that is begun anew whenever the server ends it."""

    def __init__(self, url: str, key: str, team: str) -> None:
        self.opened = 0
        self.sent_bytes = 0
        self._url = url
        self._headers = {"Authorization": f"Bearer {key}", "Tourney-Team": quote(team, safe="")}
        self._log_on = _LOG_ON % team.encode()

    async def go_on(self, say: Callable[[TunnelEnd], None], *, reads: bool) -> None:
        """Attack: `say` has the session say something, again and again; without `reads` nothing more is read."""
        while True:
            with contextlib.suppress(OSError, WebSocketException, ProtocolError):
                async with connect(
                    self._url,
                    subprotocols=[Subprotocol(SUBPROTOCOL)],
                    additional_headers=self._headers,
                    compression=None,
                    ping_interval=None,
                    close_timeout=0.1,
                    max_queue=1,
                ) as websocket:
                    await self._attack(websocket, say, reads=reads)
            await asyncio.sleep(0.1)

    async def _attack(self, websocket: ClientConnection, say: Callable[[TunnelEnd], None], *, reads: bool) -> None:
        end = TunnelEnd(TunnelSide.CLIENT, secrets.token_bytes(SESSION_BYTES))
        end.connect(_now_ms())
        await self._flush(websocket, end)
        end.receive(await websocket.recv(decode=False), _now_ms())
        while True:
            if reads:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.001):
                        end.receive(await websocket.recv(decode=False), _now_ms())
            else:
                await asyncio.sleep(0.001)
            while end.next_event() is not None:
                pass
            with contextlib.suppress(ProtocolError):
                say(end)
            await self._flush(websocket, end)

    async def _flush(self, websocket: ClientConnection, end: TunnelEnd) -> None:
        while (message := end.next_message()) is not None:
            await websocket.send(message)
            self.sent_bytes += len(message)

    def flood(self, end: TunnelEnd) -> None:
        """Fill every stream with bytes, as fast as the tunnel takes them."""
        while len(end.streams) < STREAMS_MAX:
            self._open(end)
        for stream in end.streams:
            if end.room(stream) >= len(_JUNK) * _JUNK_LINES:
                end.send(stream, _JUNK * _JUNK_LINES)

    def open_streams(self, end: TunnelEnd) -> None:
        """Open streams, log on, and give them up at once."""
        for stream in end.streams:
            if end.room(stream) == KEPT_BYTES_MAX:  # the server has taken what was said
                end.reset(stream, "")
        while len(end.streams) < STREAMS_MAX:
            self._open(end)

    def ask(self, end: TunnelEnd) -> None:
        """Open all streams that there can be, and ask for what is never read."""
        while len(end.streams) < STREAMS_MAX:
            self._open(end)

    def _open(self, end: TunnelEnd) -> None:
        stream = end.open_stream()
        end.send(stream, self._log_on)
        self.opened += 1


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


async def main() -> None:
    """Attack as the command line says."""
    kind, url, key, team = sys.argv[1:]
    attack = TunnelAttack(url, key, team)
    kinds: dict[str, tuple[Callable[[TunnelEnd], None], bool]] = {
        "flood": (attack.flood, True),
        "opens": (attack.open_streams, True),
        "slow_reader": (attack.ask, False),
    }
    say, reads = kinds[kind]
    attacking = asyncio.ensure_future(attack.go_on(say, reads=reads))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, attacking.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await attacking
    sys.stdout.write(json.dumps({"opened": attack.opened, "sent_bytes": attack.sent_bytes}))


if __name__ == "__main__":
    asyncio.run(main())
