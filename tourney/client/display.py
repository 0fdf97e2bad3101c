"""Where a session is shown and typed: a terminal or a pipe, line by line."""

import asyncio
import contextlib
import signal
import sys
import threading
from collections.abc import Callable
from typing import Final

from tourney.client.server_link import ServerAddress, ServerLink
from tourney.client.session import PlaySession

_STDIN: Final = 0


class LineDisplay:
    """Prints a line for each thing that happens; reads lines.

    Calls and cards of a pipe wait for the player's turn: a program may write them as early as it likes. `take_line`
    is called for each line, and with None at the end of the input.
    """

    def __init__(self, session: PlaySession, take_line: Callable[[str | None], None]) -> None:
        self._session = session
        self._take_line = take_line
        self._waits = not sys.stdin.isatty()
        self._loop = asyncio.get_running_loop()
        self._pending: list[str | None] = []
        self._has_room = threading.Semaphore(1)

    def read_input(self) -> None:
        """Begin to read lines, in a thread: a file cannot be waited for with select. It ends with the program."""
        threading.Thread(target=self._read, daemon=True).start()

    def show(self) -> None:
        self._print()
        while self._pending:
            line = self._pending[0]
            if self._waits and line is not None and self._session.must_wait(line):
                return
            self._pending.pop(0)
            self._has_room.release()
            self._take_line(line)
            self._print()

    def receive(self, line: str | None) -> None:
        """Take a line of the input, None at its end; it may have to wait."""
        self._pending.append(line)
        self.show()

    def _print(self) -> None:
        for text in self._session.take_messages():
            print(text, flush=True)  # noqa: T201 # the display of a command

    def _read(self) -> None:
        # Not `sys.stdin`, whose lock this thread would hold while the interpreter ends.
        with open(_STDIN, encoding="utf-8", errors="replace", newline="\n", closefd=False) as lines:
            for line in lines:
                self._pass_on(line.removesuffix("\n"))
        self._pass_on(None)

    def _pass_on(self, line: str | None) -> None:
        self._has_room.acquire()
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self.receive, line)


def run_play(server: ServerAddress, session: PlaySession) -> None:
    """Play until the server or the person ends the session.

    Raises:
        LaunchError: the server cannot be reached.
        ProtocolError: it refused the player.
        KeyboardInterrupt: the person has left with Ctrl-C.
    """
    asyncio.run(_play(server, session))


async def _play(server: ServerAddress, session: PlaySession) -> None:
    is_over, interrupted = asyncio.Event(), asyncio.Event()

    def interrupt() -> None:
        interrupted.set()
        is_over.set()

    def receive_typed(line: str | None) -> None:
        link.send(session.receive_typed("quit" if line is None else line))
        if session.is_over:
            is_over.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # on Windows, where Ctrl-C ends the loop
            asyncio.get_running_loop().add_signal_handler(number, interrupt)
    display = LineDisplay(session, receive_typed)
    link = ServerLink(session, server, display.show)
    display.read_input()
    try:
        playing, ended = asyncio.create_task(link.run()), asyncio.create_task(is_over.wait())
        await asyncio.wait((playing, ended), return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        playing.cancel()
        await link.close()
        with contextlib.suppress(asyncio.CancelledError):
            await playing
        if session.has_left or interrupted.is_set():
            waits = "; the same command brings you back to your seat as long as the game waits"
            session.notice(f"you have left{waits if session.view.seat is not None and session.view.game else ''}")
    finally:
        display.show()
    if interrupted.is_set():
        raise KeyboardInterrupt
