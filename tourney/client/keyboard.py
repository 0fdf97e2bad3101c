"""A line that is being typed, key by key: so that the picture above it can change while a person types."""

import codecs
from typing import Final

LINE_CHARS_MAX: Final = 300
"""Longest line: an explanation of a call, at its longest."""

HISTORY_MAX: Final = 50

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
        self._lines: list[str] = []
        self._place = 0
        """Which of the earlier lines is shown; their number for none."""

    def feed(self, data: bytes) -> list[str]:
        """Return the lines that these keys complete."""
        lines = []
        for char in self._decoder.decode(data):
            if self._sequence:
                self._continue_sequence(char)
            elif char in "\r\n":
                lines.append(self.text)
                self._remember()
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
                self._end_sequence()
        elif char not in "[O":
            self._sequence = ""

    def _end_sequence(self) -> None:
        if self._sequence[2:] in ("A", "B"):
            self._place += 1 if self._sequence.endswith("B") else -1
            self._place = max(0, min(self._place, len(self._lines)))
            self.text = self._lines[self._place] if self._place < len(self._lines) else ""
        self._sequence = ""

    def _remember(self) -> None:
        if self.text.strip():
            self._lines = [*self._lines, self.text][-HISTORY_MAX:]
        self._place, self.text = len(self._lines), ""
