"""Reads the records of play in a PBN text of any age, as leniently as possible: nothing in it is refused.

Resolves matters of format: inherited values (PBN 2.1 section 4.8), games split by an empty line. The rules of the
game are not known here: `tourney.scorefile.checking` decides what values mean.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from tourney.formats.pbn.games import Game, Tag, iter_games
from tourney.formats.unchecked import ScoreTable, SourceFinding, SourceText, UncheckedGame

_UNKNOWN: Final = frozenset(("", "?"))
"""Placeholders for a value that is unknown or irrelevant (PBN 2.1 section 3.4)."""

_STARTS: Final = frozenset(("event", "board", "deal"))
"""Tags that start a game; one with none of them, and no tag of the preceding game, is the rest of that game."""

_TABLES: Final = ("scoretable", "totalscoretable", "optimumresulttable")
"""Tags whose sections are tables of scores (PBN 2.1 sections 5.9 and 5.10)."""

_TRICK: Final = 4

_REJOINED_MAX: Final = 1000
"""Tags of a game that is rejoined with its parts; one with more is complete."""

_STANDING_MAX: Final = 40
"""Tags that a file may give for all games to come, with ##."""

VALUE_LENGTH_MAX: Final = 1000
"""Characters of a value that are read: a line of PBN has 255 (PBN 2.1 section 2.3)."""


def iter_unchecked_games(text: str, name: str, findings: list[SourceFinding]) -> Iterator[UncheckedGame]:
    """Yields the games of a PBN text, in order, reading no further than asked.

    Args:
        text: the whole file, from `decode_text`.
        name: what the file is called.
        findings: receives what is wrong with the text as such.

    Raises:
        FormatError: it has more lines or games, or more in a game, than are read.
    """
    inherited = _Inherited()
    for game in _rejoin(iter_games(text, name, findings)):
        auction, play = game.tag("Auction"), game.tag("Play")
        yield UncheckedGame(
            file=name,
            line=game.line,
            tags=inherited.resolve(game),
            calls=tuple(_words(auction)) if auction is not None else None,
            tricks=tuple(_tricks(play)) if play is not None else (),
            cards_in_order=False,
            tables={each: _table(tag) for each in _TABLES if (tag := game.tag(each)) is not None},
        )


def _rejoin(games: Iterable[Game]) -> Iterator[Game]:
    """Yields the games, each rejoined with the part that an empty line separated from it."""
    last: Game | None = None
    names: set[str] = set()
    for game in games:
        own = {tag.name.casefold() for tag in game.tags}
        is_rest = last is not None and len(last.tags) < _REJOINED_MAX
        if last is not None and is_rest and not own & _STARTS and not own & (names - {"note"}):
            last = Game(last.tags + game.tags)
            names |= own
        else:
            if last is not None:
                yield last
            last, names = game, own
    if last is not None:
        yield last


class _Inherited:
    """Values of earlier games that later ones refer to (PBN 2.1 section 4.8).

    The standard forbids it for a Deal, Dealer, Vulnerable, Declarer or Contract; archives of matches use it there
    all the same.
    """

    def __init__(self) -> None:
        self._values: dict[str, str] = {}  # of each tag in the nearest game before that had it
        self._standing: dict[str, str] = {}  # given with ##, until given again

    def resolve(self, game: Game) -> dict[str, SourceText]:
        """Returns the values of the next game. The first tag of a name counts (PBN 2.1 section 3.4)."""
        found: dict[str, SourceText] = {}
        for tag in game.tags:
            key = tag.name.casefold()
            if key not in found:
                found[key] = SourceText(self._resolve(key, tag.value.strip()), tag.line)
        for key, value in self._standing.items():
            found.setdefault(key, SourceText(value, game.line))
        return {key: value for key, value in found.items() if value.text not in _UNKNOWN}

    def _resolve(self, key: str, value: str) -> str:
        value = value[:VALUE_LENGTH_MAX]
        if value.startswith("##"):
            value = value[2:].strip()
            if len(self._standing) < _STANDING_MAX:
                self._standing[key] = value
        elif value == "#":
            value = self._values.get(key, "")
        else:
            self._standing.pop(key, None)
        self._values[key] = value
        return value


def _table(tag: Tag) -> ScoreTable:
    columns = tuple(column.partition("\\")[0].strip().casefold() for column in tag.value.split(";"))
    return ScoreTable(columns, tuple(zip(tag.row_lines, tag.rows, strict=True)))


def _words(section: Tag) -> Iterator[SourceText]:
    for row, line in zip(section.rows, section.row_lines, strict=True):
        for word in row:
            yield SourceText(word, line)


def _tricks(play: Tag) -> Iterator[tuple[SourceText, ...]]:
    """Yields the tricks: one a line, or every four cards if some line holds more than four or all hold fewer."""
    rows = [
        [SourceText(word, line) for word in row if word[0] not in "=$"]  # references to notes, glyphs
        for row, line in zip(play.rows, play.row_lines, strict=True)
    ]
    rows = [row for row in rows if row]
    if rows and len(rows[0]) == _TRICK and max(map(len, rows)) == _TRICK:
        yield from map(tuple, rows)
        return
    words = [word for row in rows for word in row]
    for start in range(0, len(words), _TRICK):
        yield tuple(words[start : start + _TRICK])
