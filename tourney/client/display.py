"""Where a session is shown and typed: a picture in a terminal, or plain lines in a pipe.

In a terminal a line is typed key by key (`LineEditor`), so that the picture above it can change meanwhile.
"""

import asyncio
import codecs
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, Final, Self

from tourney.client.screen import ScreenStyle, draw_screen
from tourney.client.server_link import ServerAddress, ServerLink
from tourney.client.session import PlaySession
from tourney.terminal import make_rich_console, unfiltered

LINE_CHARS_MAX: Final = 300
"""Longest line: an explanation of a call, at its longest."""

_ESCAPE: Final = "\x1b"


class LineEditor:
    """Bytes of a terminal without line mode to lines. Keys that it does not know do nothing."""

    def __init__(self) -> None:
        self.text = ""
        """What has been typed of the line in progress."""
        self.is_ended = False
        """Whether the person has ended the input: Ctrl-D on an empty line."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._sequence = ""
        """The beginning of an escape sequence, of an arrow key for example."""

    def feed(self, data: bytes) -> list[str]:
        """Return the lines that these keys complete."""
        lines = []
        for char in self._decoder.decode(data):
            if self._sequence:
                self._continue_sequence(char)
            elif char in "\r\n":
                lines.append(self.text)
                self.text = ""
            else:
                self._press(char)
        return lines

    def _press(self, char: str) -> None:
        if char == _ESCAPE:
            self._sequence = char
        elif char in "\x7f\x08":
            self.text = self.text[:-1]
        elif char == "\x15":  # Ctrl-U
            self.text = ""
        elif char == "\x17":  # Ctrl-W
            head, blank, _ = self.text.rstrip().rpartition(" ")
            self.text = head + blank
        elif char == "\x04" and not self.text:  # Ctrl-D
            self.is_ended = True
        elif char.isprintable() and len(self.text) < LINE_CHARS_MAX:
            self.text += char

    def _continue_sequence(self, char: str) -> None:
        """Read on: ESC [ parameters letter, ESC O letter, or ESC and one character."""
        self._sequence += char
        if char == _ESCAPE:
            self._sequence = char
        elif len(self._sequence) > 2:
            if "@" <= char <= "~":
                self._sequence = ""
        elif char not in "[O":
            self._sequence = ""


_READ_BYTES: Final = 4096
_HOME: Final = "\x1b[H"
_CLEAR_LINE: Final = "\x1b[K"
_CLEAR_BELOW: Final = "\x1b[J"
_STDIN: Final = 0


def has_keyboard() -> bool:
    """Return whether there is a terminal that can show a picture, and whose keys can be read one by one."""
    try:
        import termios  # noqa: F401, PLC0415 # there is none on Windows
    except ImportError:
        return False
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") not in (None, "dumb", "unknown")


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

    async def __aenter__(self) -> Self:
        # A file cannot be waited for with select; a thread that reads is left behind when the program ends.
        threading.Thread(target=self._read, daemon=True).start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.show()

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
        rest = b""
        while data := os.read(_STDIN, _READ_BYTES):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self._pass_on(line.decode(errors="replace"))
        if rest:
            self._pass_on(rest.decode(errors="replace"))
        self._pass_on(None)

    def _pass_on(self, line: str | None) -> None:
        self._has_room.acquire()
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self.receive, line)


class PictureDisplay:
    """Draws the table in the alternate screen of a terminal; reads keys."""

    def __init__(self, session: PlaySession, take_line: Callable[[str | None], None]) -> None:
        self._session = session
        self._take_line = take_line
        self._loop = asyncio.get_running_loop()
        self._console = make_rich_console()
        self._out = unfiltered(sys.stdout)
        self._editor = LineEditor()
        self._kept: list[Any] = []  # what termios calls the attributes of a terminal
        self._has_signs = (sys.stdout.encoding or "").lower().startswith("utf")

    async def __aenter__(self) -> Self:
        self._open()
        self._loop.add_reader(_STDIN, self._receive_keys)
        for number, action in (
            (signal.SIGWINCH, self.show),
            (signal.SIGTSTP, self._suspend),
            (signal.SIGCONT, self._resume),
        ):
            self._loop.add_signal_handler(number, action)
        self.show()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._loop.remove_reader(_STDIN)
        self._close()
        for notice in self._session.notices:
            self._console.print(notice)

    def show(self) -> None:
        self._session.take_messages()  # the picture shows it
        size = os.get_terminal_size()
        style = ScreenStyle(max(20, size.columns), max(6, size.lines), has_signs=self._has_signs)
        lines = []
        for line in draw_screen(self._session, self._editor.text, style):
            with self._console.capture() as captured:
                self._console.print(line, end="", soft_wrap=True)
            lines.append(captured.get())
        self._out.write(_HOME + f"{_CLEAR_LINE}\r\n".join(lines) + _CLEAR_LINE + _CLEAR_BELOW)
        self._out.flush()

    def _receive_keys(self) -> None:
        data = os.read(_STDIN, _READ_BYTES)
        for line in self._editor.feed(data):
            self._take_line(line)
        if self._editor.is_ended or not data:
            self._loop.remove_reader(_STDIN)
            self._take_line(None)
        self.show()

    def _open(self) -> None:
        import termios  # noqa: PLC0415 # there is none on Windows
        import tty  # noqa: PLC0415 # likewise

        self._kept = termios.tcgetattr(_STDIN)
        tty.setcbreak(_STDIN)
        self._console.set_alt_screen()
        self._out.write(_CLEAR_BELOW)

    def _close(self) -> None:
        import termios  # noqa: PLC0415 # there is none on Windows

        self._console.set_alt_screen(enable=False)
        self._out.flush()
        termios.tcsetattr(_STDIN, termios.TCSADRAIN, self._kept)

    def _suspend(self) -> None:
        self._close()
        os.kill(os.getpid(), signal.SIGSTOP)

    def _resume(self) -> None:
        self._open()
        self.show()


def run_play(server: ServerAddress, session: PlaySession, *, is_plain: bool) -> None:
    """Play until the server or the person ends the session.

    Raises:
        LaunchError: the server cannot be reached.
        ProtocolError: it refused the player.
        KeyboardInterrupt: the person has left with Ctrl-C.
    """
    asyncio.run(_play(server, session, LineDisplay if is_plain else PictureDisplay))


async def _play(
    server: ServerAddress, session: PlaySession, make_display: type[LineDisplay | PictureDisplay]
) -> None:
    link: ServerLink | None = None
    is_over, interrupted = asyncio.Event(), asyncio.Event()

    def interrupt() -> None:
        interrupted.set()
        is_over.set()

    def receive_typed(line: str | None) -> None:
        lines = session.receive_typed("quit" if line is None else line)
        if link is not None:
            link.send(lines)
        if session.is_over:
            is_over.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # on Windows, where Ctrl-C ends the loop
            asyncio.get_running_loop().add_signal_handler(number, interrupt)
    async with make_display(session, receive_typed) as display:
        link = ServerLink(session, server, display.show)
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
            display.show()
    if interrupted.is_set():
        raise KeyboardInterrupt
