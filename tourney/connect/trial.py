"""`tourney connect --try`: the connection and its delay, and whether a program comes; nothing is played."""

import asyncio
import secrets
from typing import Final

from tourney.connect.client import LOOPBACK, now_ms, open_port
from tourney.connect.console import Say, show_characters
from tourney.connect.dial import close_websocket, make_tls, open_websocket
from tourney.connect.options import ConnectSettings
from tourney.connect.programs import run_programs
from tourney.errors import LaunchError, ServiceError
from tourney.protocol.http_requests import is_http_request
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
        if not (first.done() or is_http_request(line)):
            first.set_result(line.decode("utf-8", "replace").strip())
        writer.close()

    servers: list[asyncio.Server] = []
    programs: asyncio.Task[None] | None = None
    try:
        for place in settings.ports:
            servers.append(await open_port(place.port, take))  # noqa: PERF401 # those that are open are closed below
        ports = ", ".join(str(place.port) for place in settings.ports)
        say(f"Waiting up to {program_s:g} s for a program at {LOOPBACK} port {ports} ...")
        if settings.command:
            programs = asyncio.create_task(run_programs(settings, say))
        waiting: set[asyncio.Future[str] | asyncio.Future[None]] = {first}
        if programs is not None:
            waiting.add(programs)
        await asyncio.wait(waiting, timeout=program_s, return_when=asyncio.FIRST_COMPLETED)
        if programs is not None and programs.done():
            await programs  # they never end but by an error
        if not first.done():
            raise LaunchError(f"no program has connected to {LOOPBACK} port {ports} for {program_s:g} s")
        line = first.result()
        say(f"A program has connected, and begins with: {show_characters(line)}")
        say("Nothing was played. `tourney check-bot` tests whether a program speaks the protocol.")
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
        end.send_bye("the trial has ended")
        farewell = end.next_message()
        assert farewell is not None
        await websocket.send(farewell)
    except TimeoutError:
        raise ServiceError(f"the server has not answered for {_ANSWER_S:g} s") from None
    finally:
        await close_websocket(websocket)
    return delays
