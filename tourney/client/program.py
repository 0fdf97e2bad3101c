"""The program behind `tourney play`: joins the session, its link to the server, and the display."""

import asyncio
import contextlib
import signal

from tourney.client.display import LineDisplay, PictureDisplay
from tourney.client.server_link import ServerAddress, ServerLink
from tourney.client.session import PlaySession


def run_play(server: ServerAddress, session: PlaySession, *, is_plain: bool) -> None:
    """Play until the server or the person ends the session.

    Raises:
        LaunchError: the server cannot be reached.
        ProtocolError: it refused the player.
        KeyboardInterrupt: the person has left with Ctrl-C.
    """
    asyncio.run(_Program(session).run(server, LineDisplay if is_plain else PictureDisplay))


class _Program:
    def __init__(self, session: PlaySession) -> None:
        self._session = session
        self._link: ServerLink | None = None
        self._ended = asyncio.Event()
        self._is_interrupted = False

    async def run(self, server: ServerAddress, make_display: type[LineDisplay | PictureDisplay]) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):  # on Windows, where Ctrl-C ends the loop
                loop.add_signal_handler(number, self._interrupt)
        async with make_display(self._session, self._receive_typed) as display:
            self._link = link = ServerLink(self._session, server, display.show)
            playing = asyncio.create_task(link.run())
            ended = asyncio.create_task(self._ended.wait())
            await asyncio.wait((playing, ended), return_when=asyncio.FIRST_COMPLETED)
            ended.cancel()
            playing.cancel()
            await link.close()
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

    def _receive_typed(self, line: str | None) -> None:
        lines = self._session.receive_typed("quit" if line is None else line)
        if self._link is not None:
            self._link.send(lines)
        if self._session.is_over:
            self._ended.set()
