"""The games of a PBN text: tag pairs, each with the lines of its section (PBN 2.1 section 3.2 and chapter 3).

Knows the syntax of PBN and where a game starts and ends, but not what a tag, a value or a word means. Comments and
escaped lines are dropped here. Every step is linear in the length of the text, whatever the text.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from tourney.errors import FormatError

MANDATORY_TAGS: Final = (
    *("Event", "Site", "Date", "Board", "West", "North", "East", "South"),
    *("Dealer", "Vulnerable", "Deal", "Scoring", "Declarer", "Contract", "Result"),
)
"""The mandatory tag set, in the order of the export format (PBN 2.1 section 3.4)."""

_MANDATORY: Final = frozenset(name.casefold() for name in MANDATORY_TAGS)


@dataclass(frozen=True, slots=True)
class TagPair:
    """`[name "value"]`, the value without its quotes and escapes (PBN 2.1 section 3.3)."""

    name: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a section: a call, a card, a note, a cell of a table."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class EmptyLine:
    """A blank line, after which another game begins (PBN 2.1 chapter 3)."""

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
"""An unclosed comment: up to the next line that starts with a tag."""

_ESCAPE: Final = re.compile(r'\\(["\\])')


def decode_pbn(data: bytes) -> str:
    """Decodes a PBN file: as UTF-8 (with or without a byte order mark) where that succeeds, else as ISO 8859-1.

    ISO 8859-1 is the standard's own (PBN 2.1 section 2.2) and takes every byte, so there is always a text.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("iso-8859-1")


def tokenise(text: str, name: str, on_unclosed: Callable[[int], None] | None = None) -> Iterator[Token]:
    """Yields the tokens of a text in order, each with its line, counted from 1.

    Lines may end in CR LF, LF or CR, mixed. A tag pair may span lines or share one. A tag whose string or bracket
    is not closed in its line takes the rest of that line.

    Args:
        text: the whole file.
        name: what to call it in errors.
        on_unclosed: called with the line of a brace comment that is never closed, which then ends before the next
            line that starts with a tag; None to raise.

    Raises:
        FormatError: a brace comment is never closed; it might swallow boards.
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
            # Handle them all at once: no later one can be closed either, and searching for the end of each is slow.
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


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag pair. `rows` are the words of each line that follows it, of which only sections have any."""

    name: str
    value: str
    line: int
    rows: tuple[tuple[str, ...], ...]
    row_lines: tuple[int, ...] = ()
    """The line of each row."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game: `tags` in the order of the file, at least one; `line` is where it starts, counted from 1."""

    line: int
    tags: tuple[Tag, ...]

    def tag(self, name: str) -> Tag | None:
        """Returns the first tag of this name, ignoring case; repeated tags are ignored (PBN 2.1 section 3.4)."""
        key = name.casefold()
        return next((tag for tag in self.tags if tag.name.casefold() == key), None)


class _Builder:
    """Collects the tags of one game."""

    def __init__(self) -> None:
        self._tags: list[tuple[TagPair, dict[int, list[str]]]] = []
        self._names: set[str] = set()

    def starts_another(self, pair: TagPair) -> bool:
        """Returns whether this tag can only belong to the next game, although no empty line precedes it.

        A tag repeated before the deal is a duplicate; one repeated after the deal belongs to the next game.
        """
        key = pair.name.casefold()
        return key in _MANDATORY and key in self._names and "deal" in self._names

    def add_tag(self, pair: TagPair) -> None:
        self._tags.append((pair, {}))
        self._names.add(pair.name.casefold())

    def add_word(self, word: Word) -> None:
        if self._tags:  # words before the first tag are no data of any section
            self._tags[-1][1].setdefault(word.line, []).append(word.text)

    def build(self) -> Game | None:
        tags = tuple(
            Tag(pair.name, pair.value, pair.line, tuple(map(tuple, rows.values())), tuple(rows))
            for pair, rows in self._tags
        )
        return Game(tags[0].line, tags) if tags else None


def parse_games(text: str, name: str, on_unclosed: Callable[[int], None] | None = None) -> list[Game]:
    """Reads the games of a PBN text, in order; none when there is no tag in it.

    A game ends at a semi-empty line, or, where the line is missing, at a mandatory tag that the game has already.

    Args:
        text: the whole file, from `decode_pbn`.
        name: what to call it in errors.
        on_unclosed: what to do about a brace comment that is never closed, as for `tokenise`.

    Raises:
        FormatError: a brace comment is never closed.
    """
    games: list[Game | None] = []
    builder = _Builder()
    for token in tokenise(text, name, on_unclosed):
        match token:
            case TagPair():
                if builder.starts_another(token):
                    games.append(builder.build())
                    builder = _Builder()
                builder.add_tag(token)
            case Word():
                builder.add_word(token)
            case EmptyLine():
                games.append(builder.build())
                builder = _Builder()
    games.append(builder.build())
    return [game for game in games if game is not None]
