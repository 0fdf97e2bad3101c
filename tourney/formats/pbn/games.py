"""The games of a PBN text: tag pairs, each with the lines of its section (PBN 2.1 section 3.2 and chapter 3).

Knows the syntax of PBN and where a game starts and ends, but not what a tag, a value or a word means. Comments and
escaped lines are dropped here. Every step is linear in the length of the text, whatever the text, and what no archive
has, such as an auction of a million calls, is refused as soon as a limit is passed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from tourney.errors import FormatError
from tourney.formats.unchecked import SourceFinding

MANDATORY_TAGS: Final = (
    *("Event", "Site", "Date", "Board", "West", "North", "East", "South"),
    *("Dealer", "Vulnerable", "Deal", "Scoring", "Declarer", "Contract", "Result"),
)
"""The mandatory tag set, in the order of the export format (PBN 2.1 section 3.4)."""

LINES_MAX: Final = 2_000_000
"""Lines in a file: those of 60,000 boards with everything that a record of play may have."""

GAMES_MAX: Final = 250_000
"""Games in a file: more boards than the longest event has."""

TOKENS_MAX: Final = 50_000
"""Tags, words and comments in one game. The longest auction has 319 calls, a play 52 cards; a table of scores has a
row for each pair of the event."""

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
    """One or more blank lines, after which another game begins (PBN 2.1 chapter 3)."""

    line: int


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment or an escaped line (PBN 2.1 sections 2.4 and 3.8), which says nothing about the game."""

    line: int


Token: TypeAlias = TagPair | Word | EmptyLine | Comment

_LINE_END: Final = re.compile(r"\r+\n?")

# The value is possessive: it needs no way back, which would take 300 bytes a character.
_TOKEN: Final = re.compile(
    r"""
      (?P<empty>(?:^[ \t\v\f]*\n)+)
    | (?P<skip>^%[^\n]* | ;[^\n]* | \})
    | (?P<blank>[^\S\n]+ | \n)
    | (?P<comment>\{)
    | \[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\\n]|\\[^\n])*+)"\s*\]
    | \[\s*(?P<loose_name>\w+)[ \t]*"(?P<loose_value>[^\n]*)
    | (?P<word>"[^"\n]*"? | [^\s\[{};"]+ | \[)
    """,
    re.VERBOSE | re.MULTILINE,
)
_TAG_LINE: Final = re.compile(r'^[^\S\n]*\[[^\S\n]*\w+[^\S\n]*"', re.MULTILINE)
_BRACE: Final = re.compile(r"[{}]")
_BLANK_LINE: Final = re.compile(r"^[^\S\n]*\n", re.MULTILINE)

_ESCAPE: Final = re.compile(r'\\(["\\])')


def tokenise(text: str, name: str, findings: list[SourceFinding]) -> Iterator[Token]:
    """Yields the tokens of a text in order, each with its line, counted from 1.

    Lines may end in CR LF, LF or CR, mixed. A tag pair may span lines or share one. A tag whose string or bracket
    is not closed in its line takes the rest of that line.

    Args:
        text: the whole file.
        name: what to call it in errors.
        findings: receives the brace comments that are not closed.

    Raises:
        FormatError: it has too many lines.
    """
    text = _LINE_END.sub(_line_feeds, text.replace("\r\n", "\n")) if "\r" in text else text
    lines = text.count("\n")
    if lines > LINES_MAX:
        raise FormatError(f"{name} has {lines} lines, the most that are read are {LINES_MAX}")
    line, position = 1, 0
    comments = _Comments(text)
    while match := _TOKEN.match(text, position):
        position = match.end()
        kind = match.lastgroup
        if kind == "skip":
            yield Comment(line)
        elif kind == "value":
            yield TagPair(match["name"], _ESCAPE.sub(r"\1", match["value"]), line)
        elif kind == "loose_value":
            loose = match["loose_value"].rstrip().removesuffix("]").rstrip().removesuffix('"')
            yield TagPair(match["loose_name"], loose, line)
        elif kind == "word":
            yield Word(match["word"], line)
        elif kind == "empty":
            yield EmptyLine(line)
        elif kind == "comment":
            position, is_closed = comments.find_end(match.start())
            if not is_closed:
                said = "the comment that opens here with { is not closed: it ends before the next tag or empty line"
                findings.append(SourceFinding(name, line, None, None, said))
            yield Comment(line)
        line += text.count("\n", match.start(), position)
    assert position == len(text), "a pattern of _TOKEN takes any character"


def _line_feeds(match: re.Match[str]) -> str:
    # CR CR LF is one line end, mangled on its way through a text-mode copy; CR CR is two.
    ends = match[0]
    return "\n" if ends.endswith("\n") else "\n" * len(ends)


class _Comments:
    """Finds where brace comments end, looking at no part of the text again and again."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._limit = 0  # where the next line that starts with a tag begins
        self._closes = self._nests = True  # whether a brace before the limit can close a comment; in pairs

    def find_end(self, start: int) -> tuple[int, bool]:
        """Returns where the comment that opens at `start` ends, and whether it is closed there.

        No comment goes beyond a line that starts with a tag. Braces inside one are comments of their own where all
        of them are closed; otherwise the first that closes ends it, as the standard has it.
        """
        text = self._text
        if start >= self._limit:
            tag = _TAG_LINE.search(text, start)
            self._limit = tag.start() if tag is not None else len(text)
            self._closes = self._nests = True
        first = text.find("}", start, self._limit) if self._closes else -1
        self._closes = first >= 0
        if not self._closes:
            gap = _BLANK_LINE.search(text, start, self._limit)
            return gap.start() if gap is not None else self._limit, False
        depth = 0
        for brace in _BRACE.finditer(text, start, self._limit) if self._nests else ():
            depth += 1 if brace[0] == "{" else -1
            if not depth:
                return brace.end(), True
        self._nests = False
        return first + 1, True


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

    def __init__(self, name: str) -> None:
        self._name = name
        self._tags: list[tuple[TagPair, dict[int, list[str]]]] = []
        self._names: set[str] = set()
        self._tokens = 0

    def count(self, token: Token) -> None:
        """Counts a token of the game.

        Raises:
            FormatError: it has too many.
        """
        self._tokens += 1
        if self._tokens > TOKENS_MAX:
            what = "tags, words and comments"
            raise FormatError(
                f"{self._name} line {token.line}: a game has more than {TOKENS_MAX} {what}, the most that are read"
            )

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


def parse_games(text: str, name: str) -> list[Game]:
    """Reads the games of a PBN text, in order; none when there is no tag in it. For the rest see `iter_games`."""
    return list(iter_games(text, name, []))


def iter_games(text: str, name: str, findings: list[SourceFinding]) -> Iterator[Game]:
    """Yields the games of a PBN text, in order, reading no further than asked.

    A game ends at a semi-empty line, or, where the line is missing, at a mandatory tag that the game has already.

    Args:
        text: the whole file, from `decode_text`.
        name: what to call it in errors.
        findings: receives what is wrong with the text as such.

    Raises:
        FormatError: the file has too many games, or one too much in it.
    """
    for number, game in enumerate(_build_games(text, name, findings), 1):
        if number > GAMES_MAX:
            raise FormatError(
                f"{name} line {game.line}: a file has more than {GAMES_MAX} games, the most that are read"
            )
        yield game


def _build_games(text: str, name: str, findings: list[SourceFinding]) -> Iterator[Game]:
    builder = _Builder(name)
    for token in tokenise(text, name, findings):
        ends = isinstance(token, EmptyLine) or (isinstance(token, TagPair) and builder.starts_another(token))
        if ends and (game := builder.build()) is not None:
            yield game
            builder = _Builder(name)
        builder.count(token)
        match token:
            case TagPair():
                builder.add_tag(token)
            case Word():
                builder.add_word(token)
            case EmptyLine() | Comment():
                pass
    last = builder.build()
    if last is not None:
        yield last
