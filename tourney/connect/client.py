"""The author's end of a tunnel: a port of this machine, and one WebSocket that is made again when it is lost."""

import asyncio
import contextlib
import secrets
import ssl
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tourney.connect.dial import EventNotRun, Unreachable, close_websocket, explain_os_error, make_tls, open_websocket
from tourney.connect.options import ConnectSettings
from tourney.errors import LaunchError, ProtocolError, ServiceError
from tourney.protocol.http_requests import WEB_PAGE, is_http_request
from tourney.protocol.tunnel.end import DATA_BYTES_MAX, TRY_AGAIN, TunnelEnd, TunnelSide
from tourney.protocol.tunnel.events import (
    ByeReceived,
    CallAnswered,
    Connected,
    ConnectionDead,
    DataReceived,
    DelayMeasured,
    EofReceived,
    RoomMade,
    StreamClosed,
    StreamReset,
    TunnelEvent,
)
from tourney.protocol.tunnel.frames import SESSION_BYTES

LOOPBACK: Final = "127.0.0.1"
"""Where programs connect: nobody but this machine can."""

PAUSES_S: Final = (0.5, 1, 2, 4, 8)
"""Before the connection is tried again, in seconds, and up to half as much by lot; the last one from then on.

A seat is kept for a minute (`rejoin_s`): a server that is back must be found well within that."""

IDLE_S: Final = 60.0
"""After so long without a program it is said that none has come, in seconds."""

NOTABLE_DELAY_MS: Final = 100
"""The delay is said again when it has changed by this much, and by half."""


def now_ms() -> int:
    """Return the time of a clock that nobody sets, in milliseconds."""
    return time.monotonic_ns() // 1_000_000


Say = Callable[[str], None]
"""Writes one line for the author."""


def print_line(text: str) -> None:
    """Write a line; characters that a terminal would act on are shown as Python writes them."""
    sys.stdout.write(show_characters(text) + "\n")
    sys.stdout.flush()


def show_characters(text: str) -> str:
    """Return a text in which every character that is not printable is escaped."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


@dataclass(eq=False, slots=True)
class LocalProgram:
    """A program that has connected to the port of this machine: one stream of the tunnel."""

    name: str
    """How the author knows it."""
    reader: asyncio.StreamReader
    """What it sends."""
    writer: asyncio.StreamWriter
    """What it is sent."""
    to_write: "asyncio.Queue[bytes | None]" = field(default_factory=asyncio.Queue)
    """Bytes for the program, and None for the end of file. The tunnel's own limit bounds it."""
    room: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when there may be room to send more."""
    written_at_ms: int | None = None
    """When it was given the last bytes; None if it has said something since."""
    tasks: "list[asyncio.Task[None]]" = field(default_factory=list)
    """What reads from it and writes to it."""

    def take_own_ms(self) -> int | None:
        """Return how long the program has thought before the bytes that have just come; None if it was not asked."""
        written_at_ms, self.written_at_ms = self.written_at_ms, None
        return None if written_at_ms is None else now_ms() - written_at_ms


class TunnelClient:
    """Keeps the port of this machine and the connection to the server."""

    def __init__(self, settings: ConnectSettings, say: Say) -> None:
        """Prepare; `run` does the rest.

        Args:
            settings: what the author wants.
            say: takes what is said to the author.
        """
        self._settings = settings
        self._say = say
        self._tls: ssl.SSLContext | None = make_tls(settings)
        self._end = TunnelEnd(TunnelSide.CLIENT, secrets.token_bytes(SESSION_BYTES))
        self._programs: dict[int, LocalProgram] = {}
        self._server: asyncio.Server | None = None
        self._to_send = asyncio.Event()
        self._farewell: str | None = None
        """The reason for which the server has ended the session."""
        self._shown_delay_ms: int | None = None
        self._has_come = asyncio.Event()
        """Set when a program has connected."""
        self._is_dead = False
        """Whether nothing has come on the connection for too long."""
        self._is_welcome = False
        """Whether the server has greeted us on the connection."""

    async def open_port(self) -> None:
        """Open the port, for this machine only; a program that connects before the tunnel is there waits.

        Raises:
            LaunchError: it cannot be opened.
        """
        port = self._settings.port
        try:
            self._server = await asyncio.start_server(self._take, LOOPBACK, port)
        except OSError as error:
            why = explain_os_error(error)
            raise LaunchError(
                f"port {port} of this machine cannot be opened ({why}): another program may have it",
                remedy="--port gives another",
            ) from None

    async def run(self) -> None:
        """Serve the author's programs until the server ends it, or until cancelled; the port is open by then.

        Raises:
            ServiceError: the server cannot be reached at the beginning, refuses, or has ended the session. An event
                that is not being run yet is waited for.
        """
        try:
            async with asyncio.TaskGroup() as group:
                reminder = group.create_task(self._remind())
                await self._stay_connected()
                reminder.cancel()
        except BaseExceptionGroup as group_of_errors:
            raise group_of_errors.exceptions[0] from None
        finally:
            if self._server is not None:
                self._server.close()
            programs = list(self._programs.values())
            tasks = [task for program in programs for task in program.tasks]
            for task in tasks:
                task.cancel()
            for program in programs:
                program.writer.close()
            endings = (program.writer.wait_closed() for program in programs)
            await asyncio.gather(*tasks, *endings, return_exceptions=True)

    def call_director(self, text: str) -> None:
        """Call the director; the answer is said to the author."""
        try:
            self._end.call_director(text)
        except ProtocolError as error:
            self._say(f"The director is not called: {error}.")
        else:
            self._say("The director is being called.")
        self._pump()

    # Programs of this machine

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a program that has connected."""
        try:
            stream = self._end.open_stream()
        except ProtocolError as error:
            self._say(f"A program was sent away: {error}.")
            writer.close()
            return
        program = LocalProgram(f"program {stream}", reader, writer)
        self._programs[stream] = program
        self._has_come.set()
        self._say(f"Connected here: {program.name}.")
        for work in (self._read(stream, program), self._write(stream, program)):
            program.tasks.append(asyncio.create_task(work))
        self._pump()

    async def _read(self, stream: int, program: LocalProgram) -> None:
        """Pass on what a program says; a web page, which a browser may connect here, says nothing."""
        head: bytes | None = b""  # until there is a first line
        try:
            while True:
                room = self._end.room(stream)
                if not room:
                    program.room.clear()
                    await program.room.wait()
                    continue
                data = await program.reader.read(min(room, DATA_BYTES_MAX))
                if head is not None:
                    head += data
                    if data and b"\n" not in head and len(head) < DATA_BYTES_MAX:
                        continue
                    if is_http_request(head):
                        self._end.reset(stream, WEB_PAGE)
                        self._drop(stream, WEB_PAGE)
                        self._pump()
                        return
                    data, head = head, None
                if not data:
                    break
                self._end.send(stream, data, program.take_own_ms())
                self._pump()
            self._end.send_eof(stream)
            self._pump()
        except OSError as error:
            self._give_up(stream, error)

    async def _write(self, stream: int, program: LocalProgram) -> None:
        """Pass on to a program what comes for it; close its connection when everything is said."""
        try:
            while (data := await program.to_write.get()) is not None:
                program.writer.write(data)
                program.written_at_ms = now_ms()
                await program.writer.drain()
                self._end.acknowledge(stream, len(data))
                self._pump()
            with contextlib.suppress(NotImplementedError):
                program.writer.write_eof()
        except OSError as error:
            self._give_up(stream, error)

    def _give_up(self, stream: int, error: OSError) -> None:
        """End the stream of a program whose connection has failed."""
        program = self._programs.get(stream)
        if program is not None:
            self._end.reset(stream, f"the connection of the program has failed: {error.strerror or error}")
            self._drop(stream, "its connection has failed")
            self._pump()

    def _drop(self, stream: int, how: str) -> None:
        program = self._programs.pop(stream, None)
        if program is None:
            return
        self._say(f"Gone: {program.name}, {how}.")
        program.room.set()
        program.writer.close()
        for task in program.tasks:
            if task is not asyncio.current_task():
                task.cancel()

    async def _remind(self) -> None:
        try:
            async with asyncio.timeout(IDLE_S):
                await self._has_come.wait()
        except TimeoutError:
            port = self._settings.port
            self._say(f"No program has connected to {LOOPBACK} port {port} for {IDLE_S:g} s: is it started?")

    # The connection

    async def _stay_connected(self) -> None:
        failures = 0
        has_been_connected = is_waiting = False
        while True:
            try:
                websocket = await open_websocket(self._settings, self._tls)
            except Unreachable as error:
                if not (has_been_connected or isinstance(error, EventNotRun)):
                    raise
                if failures == 0:
                    self._say(f"There is no connection: {error}. It is tried until it works.")
            else:
                self._is_welcome = False
                await self._serve(websocket)
                if self._farewell is not None:
                    raise ServiceError(
                        f"the organiser's server has ended the connection: {self._farewell.rstrip('.')}"
                    )
                if websocket.close_code == TRY_AGAIN:
                    if not is_waiting:
                        self._say(f"Waiting: {show_characters(websocket.close_reason or '')}.")
                    is_waiting = True
                elif self._is_welcome:
                    has_been_connected = True
                    is_waiting = False
                    failures = 0
                    self._say("The connection is lost; it is made again, and the programs wait.")
                elif not has_been_connected:
                    raise ServiceError("the server has opened the connection and closed it without a word")
            pause_s = PAUSES_S[min(failures, len(PAUSES_S) - 1)]
            failures += 1
            await asyncio.sleep(pause_s * (1 + secrets.randbelow(500) / 1000))

    async def _serve(self, websocket: ClientConnection) -> None:
        """Exchange messages on a WebSocket until it is lost or the session has ended."""
        self._is_dead = False
        self._end.connect(now_ms())
        self._pump()
        tasks = [asyncio.create_task(self._send(websocket)), asyncio.create_task(self._tick(websocket))]
        try:
            async for message in websocket:
                self._end.receive(message.encode() if isinstance(message, str) else message, now_ms())
                self._pump()
                if self._farewell is not None:
                    break
        except ConnectionClosed:
            pass
        except ProtocolError as error:
            self._say(f"The server said something that cannot be right: {error}.")
        except asyncio.CancelledError:
            self._end.send_bye("the author has stopped the client")
            raise
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._end.disconnect(now_ms())
            farewell = self._end.next_message()
            if farewell is not None:
                with contextlib.suppress(ConnectionClosed):
                    await websocket.send(farewell)
            await close_websocket(websocket)

    async def _send(self, websocket: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                message = self._end.next_message()
                if message is None:
                    self._to_send.clear()
                    await self._to_send.wait()
                else:
                    await websocket.send(message)

    async def _tick(self, websocket: ClientConnection) -> None:
        """Do what is due by the clock, until the connection is dead."""
        while not self._is_dead:
            wake_at_ms = self._end.wake_at_ms
            pause_ms = 1000 if wake_at_ms is None else max(0, wake_at_ms - now_ms())
            await asyncio.sleep(min(pause_ms, 1000) / 1000)  # a machine that slept is noticed within a second
            self._end.tick(now_ms())
            self._pump()
        websocket.transport.abort()

    def _pump(self) -> None:
        """Carry out what the core says has happened, and have sent what it wants sent."""
        while (event := self._end.next_event()) is not None:
            self._carry_out(event)
        self._to_send.set()

    def _carry_out(self, event: TunnelEvent) -> None:  # noqa: PLR0912 # one case an event
        match event:
            case DataReceived(stream, data, _) if stream in self._programs:
                self._programs[stream].to_write.put_nowait(data)
            case EofReceived(stream) if stream in self._programs:
                self._programs[stream].to_write.put_nowait(None)
            case RoomMade(stream) if stream in self._programs:
                self._programs[stream].room.set()
            case StreamClosed(stream):
                self._drop(stream, "the connection was ended")
            case StreamReset(stream, reason):
                self._drop(stream, show_characters(reason) or "the tunnel has ended")
            case Connected(lost_ms):
                self._is_welcome = True
                if lost_ms:
                    self._say(f"Connected again after {lost_ms / 1000:.1f} s.")
                else:
                    self._say(f"Connected as {self._settings.team}.")
            case DelayMeasured(round_trip_ms):
                self._say_delay(round_trip_ms)
            case CallAnswered(_, text):
                self._say(f"The director: {show_characters(text)}")
            case ByeReceived(reason):
                self._farewell = show_characters(reason)
            case ConnectionDead():
                self._is_dead = True
            case _:
                pass

    def _say_delay(self, round_trip_ms: int) -> None:
        shown = self._shown_delay_ms
        if shown is None or abs(round_trip_ms - shown) > max(NOTABLE_DELAY_MS, shown / 2):
            self._shown_delay_ms = round_trip_ms
            self._say(f"The way to the server and back takes {round_trip_ms} ms.")
