"""The games of a PBN text: tag pairs, each with the lines of its section (PBN 2.1 chapter 3).

Knows where a game starts and ends; must not know what a value means.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tourney.formats.pbn.tokens import EmptyLine, TagPair, Word, tokenise

MANDATORY_TAGS: Final = (
    *("Event", "Site", "Date", "Board", "West", "North", "East", "South"),
    *("Dealer", "Vulnerable", "Deal", "Scoring", "Declarer", "Contract", "Result"),
)
"""The mandatory tag set, in the order of the export format (PBN 2.1 section 3.4)."""

_MANDATORY: Final = frozenset(name.casefold() for name in MANDATORY_TAGS)


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
        """The first tag of this name, in either case: one that occurs again is ignored (PBN 2.1 section 3.4)."""
        key = name.casefold()
        return next((tag for tag in self.tags if tag.name.casefold() == key), None)


class _Builder:
    """Gathers one game."""

    def __init__(self) -> None:
        self._tags: list[tuple[TagPair, dict[int, list[str]]]] = []
        self._names: set[str] = set()

    def starts_another(self, pair: TagPair) -> bool:
        """Whether this tag can only belong to the next game, though no empty line stands before it.

        Before the deal a tag given twice is one given twice; after it, it is the next game's.
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
    """The games of a PBN text, in order; none when there is no tag in it.

    A game ends at a semi-empty line, or, where the line is missing, at a mandatory tag that the game has already.

    Args:
        text: the whole file, as of `decode_pbn`.
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
