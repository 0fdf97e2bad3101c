"""A person at a pseudo-terminal: reads the lines that `tourney play` prints, types what they ask for."""

import codecs
import contextlib
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

from tests.support.events import environment

DEADLINE_S = 60
"""How long to wait for a line: a busy machine must not fail a test."""


class TerminalProgram:
    """A command of tourney in a terminal of its own."""

    def __init__(self, words: Sequence[str]) -> None:
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tourney", *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment() | {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"},
            start_new_session=True,
        )
        os.close(slave)
        self.written = ""
        """Everything that the program has written, and the terminal has repeated of what was typed."""
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._read_to = 0
        """Where the line begins that is looked at next."""

    def type(self, line: str) -> None:
        os.write(self._master, f"{line}\r".encode())

    def lines(self) -> Iterator[str]:
        """Return each line that has not been looked at, as it comes, until the program has ended."""
        until_s = time.monotonic() + DEADLINE_S
        while True:
            line, end, _ = self.written[self._read_to :].partition("\r\n")
            if end:
                self._read_to += len(line) + len(end)
                yield line
                until_s = time.monotonic() + DEADLINE_S
            elif not self._read(until_s):
                return

    def wait_for(self, text: str) -> None:
        """Look at lines until one has a text."""
        if not any(text in line for line in self.lines()):
            raise AssertionError(f"no line has {text!r}: {self.written[-3000:]}")

    def finish(self) -> int:
        """Read to the end; return the exit status."""
        until_s = time.monotonic() + DEADLINE_S
        while self._read(until_s):
            pass
        return self.process.wait(DEADLINE_S)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)

    def _read(self, until_s: float) -> bool:
        """Read what there is; return whether there may be more."""
        if not select.select([self._master], [], [], max(0, until_s - time.monotonic()))[0]:
            raise AssertionError(f"nothing more is printed: {self.written[-3000:]}")
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
