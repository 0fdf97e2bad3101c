"""`tourney connect --try`: the connection and its delay, and whether a program comes; nothing is played."""

import asyncio
import secrets
from typing import Final

from tourney.connect.client import LOOPBACK, now_ms
from tourney.connect.console import Say, show_characters
from tourney.connect.dial import close_websocket, make_tls, open_websocket
from tourney.connect.options import ConnectSettings
from tourney.connect.programs import run_programs
from tourney.errors import LaunchError, ServiceError
from tourney.protocol.tunnel import (
    SESSION_BYTES,
    ByeReceived,
    DelayMeasured,
    TunnelEnd,
    TunnelSide,
)

PINGS: Final = 5
"""How often the delay is measured."""

PROGRAM_S: Final = 60.0
"""How long a trial waits for a program, in seconds."""

_ANSWER_S: Final = 15.0
_FIRST_BYTES_MAX: Final = 8192


async def run_trial(settings: ConnectSettings, say: Say, program_s: float = PROGRAM_S) -> None:
    """Try the connection, then wait for a program's first line.

    Raises:
        LaunchError: a port of this machine cannot be used, or no program has come.
        ServiceError: the server cannot be reached or refuses.
    """
    delays = await _measure(settings)
    say(
        f"Connected as {settings.team}; the way to the server and back takes {min(delays)} to {max(delays)} ms "
        f"({len(delays)} measured)."
    )
    first: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            line = await reader.readline()
        except (OSError, ValueError):
            line = b""
        if not first.done():
            first.set_result(line.decode("utf-8", "replace").strip())
        writer.close()

    servers = []
    programs: asyncio.Task[None] | None = None
    try:
        for place in settings.ports:
            try:
                servers.append(await asyncio.start_server(take, LOOPBACK, place.port, limit=_FIRST_BYTES_MAX))
            except OSError as error:
                raise LaunchError(
                    f"port {place.port} of this machine cannot be opened, another program may have it: "
                    f"{error.strerror}",
                    remedy="--port gives another",
                ) from None
        ports = ", ".join(str(place.port) for place in settings.ports)
        say(f"Waiting up to {program_s:g} s for a program at {LOOPBACK} port {ports} ...")
        if settings.command:
            programs = asyncio.create_task(run_programs(settings, say))
        try:
            async with asyncio.timeout(program_s):
                line = await first
        except TimeoutError:
            raise LaunchError(f"no program has connected to {LOOPBACK} port {ports} for {program_s:g} s") from None
        say(f"A program has connected, and begins with: {show_characters(line)}")
        say("Nothing was played. `tourney check-bot` tests whether the program speaks the protocol.")
    finally:
        for server in servers:
            server.close()
        if programs is not None:
            programs.cancel()
            await asyncio.gather(programs, return_exceptions=True)


async def _measure(settings: ConnectSettings) -> list[int]:
    """Connect, and return how long some pings took, in milliseconds."""
    end = TunnelEnd(TunnelSide.CLIENT, secrets.token_bytes(SESSION_BYTES))
    websocket = await open_websocket(settings, make_tls(settings))
    delays: list[int] = []
    try:
        end.connect(now_ms())
        async with asyncio.timeout(_ANSWER_S):
            while len(delays) < PINGS:
                while (message := end.next_message()) is not None:
                    await websocket.send(message)
                answer = await websocket.recv(decode=False)
                end.receive(answer, now_ms())
                while (event := end.next_event()) is not None:
                    if isinstance(event, DelayMeasured):
                        delays.append(event.round_trip_ms)
                        end.ping(now_ms())
                    elif isinstance(event, ByeReceived):
                        raise ServiceError(f"the server refuses: {show_characters(event.reason).rstrip('.')}")
        end.say_bye("the trial has ended")
        farewell = end.next_message()
        assert farewell is not None
        await websocket.send(farewell)
    except TimeoutError:
        raise ServiceError(f"the server has not answered for {_ANSWER_S:g} s") from None
    finally:
        await close_websocket(websocket)
    return delays
