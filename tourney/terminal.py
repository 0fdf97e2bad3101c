"""What may go to a terminal: texts of others never bring a character that moves, hides or restyles anything.

Names, alerts, reasons and what programs print come from outside. An escape sequence in one of them could rewrite
what the organiser sees, set the title of the window or fill the clipboard; a bidirectional control could turn a
line round; a character without width could make two names look the same. `show_controls` is the one rule: such a
character is shown, escaped as in Python, never sent. Standard output and errors of all commands go through it
(`shown_streams`); only sequences of our own go past it (`unfiltered`).
"""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TextIO, cast

_NEVER_SENT: Final = re.compile(
    "["
    "\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f"  # controls but the line feed
    "\\u2028\\u2029\\ud800-\\udfff"  # separators of lines and paragraphs, halves of characters
    "\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\ufff9-\\ufffb"  # other format characters
    "\\U000110bd\\U000110cd\\U00013430-\\U0001345f"
    # Default_Ignorable_Code_Point of Unicode: no width, among them all bidirectional controls and tags
    "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f"
    "\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a"
    "\\U000e0000-\\U000e0fff"
    "]"
)


def show_controls(text: str) -> str:
    """Return a text with every character that a terminal would act on, or not show, as Python writes it.

    Line feeds stay: what is printed has lines.
    """
    return _NEVER_SENT.sub(_shown, text)


def _shown(found: "re.Match[str]") -> str:
    return found[0].encode("unicode_escape").decode("ascii")


class _TextStream:
    """A text stream that can write every letter; with `shows_controls` all goes through `show_controls`."""

    def __init__(self, stream: TextIO, *, shows_controls: bool) -> None:
        self.stream = stream
        self._shows_controls = shows_controls

    def write(self, text: str | bytes) -> int:
        if isinstance(text, bytes):  # Click writes completions for shells so
            text = text.decode(errors="replace")
        written = show_controls(text) if self._shows_controls else text
        try:
            self.stream.write(written)
        except UnicodeEncodeError as error:
            # Nothing is lost to a locale without letters, as where there is no locale at all.
            encoding = "utf-8" if error.encoding == "ascii" else error.encoding
            self.stream.flush()
            self.stream.buffer.write(written.encode(encoding, "replace"))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:  # whatever streams have
        if name == "buffer" and self._shows_controls:
            raise AttributeError(name)  # bytes would go past the filter
        return getattr(self.stream, name)


@contextmanager
def shown_streams() -> Iterator[None]:
    """Let the standard output and errors go through `show_controls` until the end of the block."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(_as_shown, before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _as_shown(stream: TextIO) -> TextIO:
    if isinstance(stream, _TextStream):
        return cast("TextIO", stream)
    return cast("TextIO", _TextStream(stream, shows_controls=True))  # it has all that a stream has


def unfiltered(stream: TextIO) -> TextIO:
    """Return the stream for sequences of our own; every text of others must have been shown before."""
    if not isinstance(stream, _TextStream):
        return stream
    return cast("TextIO", _TextStream(stream.stream, shows_controls=False))
