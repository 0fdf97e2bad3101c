"""The program behind `tourney play`: connects, comes back, and joins the socket, the session and the display."""

import asyncio
import contextlib
import signal
import socket
from dataclasses import dataclass
from typing import Final

from tourney.client.display import Display, LineDisplay, PictureDisplay
from tourney.client.session import PlaySession, SeatAddress
from tourney.errors import LaunchError, ProtocolError
from tourney.protocol.lines import LineBuffer

FIRST_PAUSE_S: Final = 0.25
PAUSE_MAX_S: Final = 3.0
"""Between two attempts to connect; each pause is twice as long as the one before, up to this."""

CONNECT_S: Final = 10.0
"""How long one attempt to connect may take."""

_READ_BYTES: Final = 65536
_KEEPALIVE: Final = (("TCP_KEEPIDLE", 20), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3))
"""When a silent server is asked whether it is there, in seconds, where the platform lets one choose."""


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """Where a person plays, and how it is shown."""

    host: str
    port: int
    name: str
    place: SeatAddress
    wait_s: float
    """How long to try to reach a server that does not answer, at first and after a lost connection."""
    is_plain: bool


def run_play(settings: PlaySettings) -> None:
    """Play until the server or the person ends the session.

    Raises:
        LaunchError: the server cannot be reached.
        ProtocolError: it refused the player.
        KeyboardInterrupt: the person has left with Ctrl-C.
    """
    asyncio.run(_Program(settings).run())


class _Program:
    def __init__(self, settings: PlaySettings) -> None:
        self._settings = settings
        self._session = PlaySession(settings.name, settings.place)
        self._writer: asyncio.StreamWriter | None = None
        self._ended = asyncio.Event()
        self._is_interrupted = False

    @property
    def _where(self) -> str:
        return f"{self._settings.host} port {self._settings.port}"

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):  # on Windows, where Ctrl-C ends the loop
                loop.add_signal_handler(number, self._interrupt)
        make_display = LineDisplay if self._settings.is_plain else PictureDisplay
        async with make_display(self._session, self._receive_typed) as display:
            playing = asyncio.create_task(self._play(display))
            ended = asyncio.create_task(self._ended.wait())
            await asyncio.wait((playing, ended), return_when=asyncio.FIRST_COMPLETED)
            ended.cancel()
            playing.cancel()
            await self._close_connection()
            with contextlib.suppress(asyncio.CancelledError):
                await playing
            if self._session.has_left or self._is_interrupted:
                self._session.notice(self._farewell())
                display.show()
        if self._is_interrupted:
            raise KeyboardInterrupt

    def _farewell(self) -> str:
        if self._session.view.seat is None or self._session.view.game == "":
            return "you have left"
        return "you have left; the same command brings you back to your seat as long as the game waits"

    def _interrupt(self) -> None:
        self._is_interrupted = True
        self._ended.set()

    # The connection

    async def _play(self, display: Display) -> None:
        """Connect, and again whenever the connection is lost, until the session is over."""
        clock = asyncio.get_running_loop().time
        session, pause_s, since_s = self._session, FIRST_PAUSE_S, clock()
        while True:
            why = await self._connect_and_read(display)
            had_seat, session_lost = session.view.seat is not None, session.is_connected
            session.lose_connection()
            if session.is_over:
                return
            if session.is_stopped:
                pause_s, since_s = (FIRST_PAUSE_S if session_lost else pause_s), clock()
            elif not had_seat and session.refused:
                raise ProtocolError(f"the server refuses: {session.refused} ({self._where})")
            elif session_lost and had_seat and not session.refused:
                pause_s, since_s = FIRST_PAUSE_S, clock()  # it was seated, so the server was there until now
            left_s = since_s + self._settings.wait_s - clock()
            if left_s <= 0 and not session.is_stopped:
                raise LaunchError(f"{why} ({self._where}), tried for {self._settings.wait_s:.0f} s")
            session.wait_for_server(why, None if session.is_stopped else left_s)
            display.show()
            await asyncio.sleep(pause_s if session.is_stopped else min(pause_s, left_s))
            pause_s = min(2 * pause_s, PAUSE_MAX_S)

    async def _connect_and_read(self, display: Display) -> str:
        """Connect once and play until the connection ends; return why it did."""
        try:
            async with asyncio.timeout(CONNECT_S):
                reader, writer = await asyncio.open_connection(self._settings.host, self._settings.port)
        except ConnectionRefusedError:
            return "nobody listens there"
        except TimeoutError:
            return f"no answer within {CONNECT_S:.0f} s"
        except OSError as error:
            return f"the server cannot be reached: {error.strerror or error}"
        self._writer = writer
        _keep_alive(writer)
        try:
            self._send(self._session.open_connection())
            display.show()
            return await self._read(reader, display)
        except OSError as error:
            return f"the connection broke: {error.strerror or error}"
        finally:
            await self._close_connection()

    async def _read(self, reader: asyncio.StreamReader, display: Display) -> str:
        lines = LineBuffer()
        while True:
            data = await reader.read(_READ_BYTES)
            if not data:
                return "the server has closed the connection"
            for line in lines.feed(data):
                self._send(self._session.receive_line(line))
            if self._session.is_turned_away:
                return self._session.refused  # a connection that was lost may have the name still
            display.show()

    def _send(self, lines: list[str]) -> None:
        if self._writer is not None:
            self._writer.writelines([line.encode() + b"\r\n" for line in lines])

    async def _close_connection(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    # The person

    def _receive_typed(self, line: str | None) -> None:
        self._send(self._session.receive_typed("quit" if line is None else line))
        if self._session.is_over:
            self._ended.set()


def _keep_alive(writer: asyncio.StreamWriter) -> None:
    """Have the system find out that a server has vanished without a farewell."""
    raw = writer.get_extra_info("socket")
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE:
        if hasattr(socket, name):
            raw.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
