"""The tokens of a PBN text (PBN 2.1 section 3.2): tag pairs, words of sections and semi-empty lines.

Knows how PBN is spelt and where; must not know what a tag or a word means. Comments and escaped lines end here.
Every step is linear in the length of the text, whatever the text.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from tourney.errors import FormatError


@dataclass(frozen=True, slots=True)
class TagPair:
    """`[name "value"]`, the value without its quotes and escapes (PBN 2.1 section 3.3)."""

    name: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Word:
    """What stands between blanks in a section: a call, a card, a note, a cell of a table."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class EmptyLine:
    """A line of nothing but blanks: what follows is another game (PBN 2.1 chapter 3)."""

    line: int


Token: TypeAlias = TagPair | Word | EmptyLine

_LINE_END: Final = re.compile(r"\r+\n?")

_TOKEN: Final = re.compile(
    r"""
      (?P<empty>^[ \t\v\f]*\n)
    | (?P<skip>^%[^\n]* | ;[^\n]* | \{[^}]*\} | \s)
    | (?P<unclosed>\{)
    | \[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\\n]|\\[^\n])*)"\s*\]
    | \[\s*(?P<loose_name>\w+)[ \t]*"(?P<loose_value>[^\n]*)
    | (?P<word>"[^"\n]*"? | [^\s\[{;"]+ | \[)
    """,
    re.VERBOSE | re.MULTILINE,
)
_OPEN_COMMENT: Final = re.compile(r"\{[^\n]*(?:\n(?![ \t]*\[)[^\n]*)*")
"""A comment that nobody closed: up to the next line that starts with a tag."""

_ESCAPE: Final = re.compile(r'\\(["\\])')


def decode_pbn(data: bytes) -> str:
    """The text of a PBN file: UTF-8 (with or without its mark) when it is that, else ISO 8859-1.

    ISO 8859-1 is the standard's own (PBN 2.1 section 2.2) and takes every byte, so there is always a text.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("iso-8859-1")


def tokenise(text: str, name: str, on_unclosed: Callable[[int], None] | None = None) -> Iterator[Token]:
    """The tokens of a text in order, each with its line, counted from 1.

    Lines may end in CR LF, LF or CR, mixed. A tag pair may span lines or share one. A tag whose string or bracket
    is not closed in its line takes the rest of that line.

    Args:
        text: the whole file.
        name: what to call it in errors.
        on_unclosed: told the line of a brace comment that is never closed, which then ends before the next line that
            starts with a tag; None to raise.

    Raises:
        FormatError: a brace comment is never closed: what it would swallow may be boards.
    """
    text = _LINE_END.sub(_line_feeds, text)
    line, position = 1, 0
    while match := _TOKEN.match(text, position):
        position = match.end()
        kind = match.lastgroup
        if kind == "value":
            yield TagPair(match["name"], _ESCAPE.sub(r"\1", match["value"]), line)
        elif kind == "loose_value":
            loose = match["loose_value"].rstrip().removesuffix("]").rstrip().removesuffix('"')
            yield TagPair(match["loose_name"], loose, line)
        elif kind == "word":
            yield Word(match["word"], line)
        elif kind == "empty":
            yield EmptyLine(line)
        elif kind == "unclosed":
            if on_unclosed is None:
                raise FormatError(f"{name} line {line}: the comment that opens here with {{ is never closed")
            on_unclosed(line)
            # All of them at once: none that follows can be closed either, and to look for each its end takes long.
            text = text[: match.start()] + _OPEN_COMMENT.sub(_line_comments, text[match.start() :])
            position = match.start()
            continue
        line += text.count("\n", match.start(), position)
    assert position == len(text), "a pattern of _TOKEN takes any character"


def _line_feeds(match: re.Match[str]) -> str:
    # CR CR LF is one line end, mangled on its way through a text-mode copy; CR CR is two.
    ends = match[0]
    return "\n" if ends.endswith("\n") else "\n" * len(ends)


def _line_comments(match: re.Match[str]) -> str:
    return ";" + "\n;" * match[0].count("\n")
