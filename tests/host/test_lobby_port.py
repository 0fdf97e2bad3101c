"""The port of a lobby on real sockets: a client that says too much, beside one that is answered all the while."""

import asyncio
from unittest.mock import create_autospec

from tests.support.events import free_port
from tourney.host.front_door import OwnPlayer
from tourney.host.lobby import GameRecorder, LobbyPort
from tourney.protocol.access import ConnectionLimits
from tourney.protocol.stateful.lobby.core import LobbyCore
from tourney.protocol.stateful.lobby.state import LobbyLimits
from tourney.runtime.clock import HostClock

LIMITS = ConnectionLimits(lines_per_s=100, flood_ms=1000)


def no_bot() -> OwnPlayer:
    raise AssertionError("nobody sits down here")


async def answer(reader: asyncio.StreamReader, sought: bytes) -> bytes:
    """Read until a line begins so, and return it; empty once the connection is closed."""
    while line := await reader.readline():
        if line.startswith(sought):
            return line
    return b""


async def test_a_client_that_floods_a_lobby_is_told_the_limit_and_sent_away_while_another_is_answered() -> None:
    keeper = create_autospec(GameRecorder, instance=True)
    keeper.owed_ms.return_value = {}
    lobby = LobbyPort(LobbyCore("Lobby", ["rubber"], LobbyLimits()), keeper, HostClock(), LIMITS, no_bot)
    port = await lobby.open("127.0.0.1", free_port())
    (loud, shout), (quiet, ask) = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
    shout.write(b"HELLO Loud\r\n")
    ask.write(b"HELLO Quiet\r\nX-HELLO PING,STOPPED\r\n")
    await answer(quiet, b"X-HELLO")
    shout.write(b"X-PONG A\r\n" * 10_000)  # each is harmless by itself
    why = asyncio.create_task(answer(loud, b"NAK"))
    answered = 0
    while not why.done():
        ask.write(b"X-PING %d\r\n" % answered)
        assert await answer(quiet, b"X-PONG") == b"X-PONG %d\r\n" % answered
        answered += 1
        await asyncio.wait([why], timeout=0.02)  # fifty a second are no flood
    assert await why == b'NAK "more than 100 lines a second, or 20 that move nothing, for 1 s"\r\n'
    assert await loud.read() == b"", "the connection is closed"
    assert answered
    lobby.interrupt("the test is over")
    assert await answer(quiet, b"X-STOPPED")
    await lobby.wait_closed()
    for writer in (shout, ask):
        writer.close()
