"""The games of a PBN text: tag pairs, each with the lines of its section (PBN 2.1 section 3.2 and chapter 3).

Knows the syntax of PBN and where a game starts and ends, but not what a tag, a value or a word means. Comments and
escaped lines are dropped here. Every step is linear in the length of the text, whatever the text, and what no archive
has, such as an auction of a million calls, is refused as soon as a limit is passed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

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


class Token(NamedTuple):
    """A tag pair, a word of a section, blank lines after which another game begins, or a comment, which says nothing.

    A comment may be an escaped line (PBN 2.1 sections 2.4, 3.3, 3.8 and chapter 3).
    """

    line: int
    text: str = ""
    """A word: a call, a card, a note, a cell of a table; or the value of a tag, without its quotes and escapes."""
    name: str = ""
    """The name of a tag."""
    is_end: bool = False
    """Whether another game begins after it."""


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
            yield Token(line)
        elif kind == "value":
            yield Token(line, _ESCAPE.sub(r"\1", match["value"]), match["name"])
        elif kind == "loose_value":
            loose = match["loose_value"].rstrip().removesuffix("]").rstrip().removesuffix('"')
            yield Token(line, loose, match["loose_name"])
        elif kind == "word":
            yield Token(line, match["word"])
        elif kind == "empty":
            yield Token(line, is_end=True)
        elif kind == "comment":
            position, is_closed = comments.find_end(match.start())
            if not is_closed:
                said = "the comment that opens here with { is not closed: it ends before the next tag or empty line"
                findings.append(SourceFinding(name, line, None, None, said))
            yield Token(line)
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
    """One game: `tags` in the order of the file, at least one."""

    tags: tuple[Tag, ...]

    @property
    def line(self) -> int:
        """Where it starts, counted from 1."""
        return self.tags[0].line

    def tag(self, name: str) -> Tag | None:
        """Returns the first tag of this name, ignoring case; repeated tags are ignored (PBN 2.1 section 3.4)."""
        key = name.casefold()
        return next((tag for tag in self.tags if tag.name.casefold() == key), None)


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
    tags: list[tuple[Token, dict[int, list[str]]]] = []
    names: set[str] = set()
    games = tokens = 0
    for token in chain(tokenise(text, name, findings), (Token(0, is_end=True),)):
        key = token.name.casefold()
        # A tag that is repeated before the deal, or a table of results, is a duplicate; after that it is of the next.
        is_again = key in names and key in _MANDATORY
        if tags and (token.is_end or (is_again and ("deal" in names or any(rows for _, rows in tags)))):
            games += 1
            if games > GAMES_MAX:
                where = f"{name} line {tags[0][0].line}"
                raise FormatError(f"{where}: a file has more than {GAMES_MAX} games, the most that are read")
            yield Game(
                tuple(
                    Tag(tag.name, tag.text, tag.line, tuple(map(tuple, rows.values())), tuple(rows))
                    for tag, rows in tags
                )
            )
            tags, names, tokens = [], set(), 0
        tokens += 1
        if tokens > TOKENS_MAX:
            what = "tags, words and comments"
            raise FormatError(
                f"{name} line {token.line}: a game has more than {TOKENS_MAX} {what}, the most that are read"
            )
        if token.name:
            tags.append((token, {}))
            names.add(key)
        elif token.text and tags:  # words before the first tag are no data of any section
            tags[-1][1].setdefault(token.line, []).append(token.text)
