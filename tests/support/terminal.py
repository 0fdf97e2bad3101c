"""A person at a pseudo-terminal: reads the pictures that `tourney play` draws, types what they ask for."""

import codecs
import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence

from tests.support.events import environment

DEADLINE_S = 60
"""How long to wait for a picture: a busy machine must not fail a test."""

_SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_HOME = "\x1b[H"


class TerminalProgram:
    """A command of tourney in a terminal of its own."""

    def __init__(self, words: Sequence[str], *, columns: int = 80, rows: int = 24, **variables: str) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tourney", *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment() | {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"} | variables,
            start_new_session=True,
        )
        os.close(slave)
        self.written = ""
        """Everything that the program has written."""
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._read_to = 0
        """Where the picture begins that has been looked at last."""

    def type(self, line: str) -> None:
        os.write(self._master, f"{line}\r".encode())

    def press(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def next_picture(self) -> list[str]:
        """Return the next picture that was drawn whole, line by line; none once the program has ended."""
        until_s = time.monotonic() + DEADLINE_S
        while True:
            begin = self.written.find(_HOME, self._read_to)
            end = self.written.find("\x1b[J", begin) if begin >= 0 else -1
            if end >= 0:
                self._read_to = end
                return [line.rstrip() for line in _SEQUENCE.sub("", self.written[begin:end]).split("\r\n")]
            if not self._read(until_s):
                return []

    def wait_for(self, text: str) -> list[str]:
        """Return the next picture that has a text."""
        while picture := self.next_picture():
            if any(text in line for line in picture):
                return picture
        raise AssertionError(f"no picture has {text!r}: {_SEQUENCE.sub('', self.written)[-3000:]}")

    def finish(self) -> int:
        """Read to the end; return the exit status."""
        until_s = time.monotonic() + DEADLINE_S
        while self._read(until_s):
            pass
        return self.process.wait(DEADLINE_S)

    @property
    def left_behind(self) -> str:
        """What stands in the terminal after the pictures are gone."""
        return _SEQUENCE.sub("", self.written.rpartition("\x1b[?1049l")[2])

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)

    def _read(self, until_s: float) -> bool:
        """Read what there is; return whether there may be more."""
        if not select.select([self._master], [], [], max(0, until_s - time.monotonic()))[0]:
            raise AssertionError(f"nothing more is drawn: {_SEQUENCE.sub('', self.written)[-3000:]}")
        data = b""
        with contextlib.suppress(OSError):  # the program has ended
            data = os.read(self._master, 65536)
        self.written += self._decoder.decode(data)  # a read may end within a character
        return bool(data)


def answer(prompt: str) -> str:
    """What a person types to a prompt of its own turn: a pass, or the first of the cards that it lists."""
    if prompt.startswith("your contract"):
        return "1n"
    if prompt.startswith("your bid"):
        return "p"
    rest = prompt.partition(" card")[2]
    found = re.fullmatch(r", the (\w)\w+ (\w+)( .*)?", rest)
    if found is not None:
        return f"{found[1]}{found[2]}"
    suits = re.findall(r"([SHDC]): (\w+)", rest)
    return "".join(suits[0])


def is_turn(prompt: str) -> bool:
    return prompt.startswith(("your bid", "your contract", "your card", "dummy's card"))
