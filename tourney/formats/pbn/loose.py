"""The records of play in a PBN text of any age, read as forgivingly as can be: nothing in it is refused.

Puts right what belongs to the format: inherited values (PBN 2.1 section 4.8), games torn apart by an empty line. Must
not know the rules of the game: what values mean is for `tourney.scorefile.checking`.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from tourney.formats.pbn.reader import Game, Tag, parse_games
from tourney.formats.stated import Finding, Stated, StatedGame

_UNKNOWN: Final = frozenset(("", "?"))
"""What stands for a value that is not known or makes no sense (PBN 2.1 section 3.4)."""

_STARTS: Final = frozenset(("event", "board", "deal"))
"""A game that has none of these, and nothing that the game before has, is the rest of that one."""

_TRICK: Final = 4


def parse_stated_games(text: str, name: str) -> tuple[list[StatedGame], list[Finding]]:
    """The games of a PBN text, in order, and what is wrong with the text as such.

    Args:
        text: the whole file, as of `decode_pbn`.
        name: what the file is called.
    """
    findings: list[Finding] = []

    def note_unclosed(line: int) -> None:
        findings.append(
            Finding(line, None, None, "the comment that opens here with { is never closed: the next tag ends it")
        )

    whole = _mend(parse_games(text, name, note_unclosed))
    inherited = _Inherited()
    return [_stated(game, inherited.resolve(game)) for game in whole], findings


def _mend(games: list[Game]) -> Iterator[Game]:
    """The games, each with what an empty line has cut off from it."""
    last: Game | None = None
    names: set[str] = set()
    for game in games:
        own = {tag.name.casefold() for tag in game.tags}
        if last is not None and not own & _STARTS and not own & (names - {"note"}):
            last = Game(last.line, last.tags + game.tags)
            names |= own
        else:
            if last is not None:
                yield last
            last, names = game, own
    if last is not None:
        yield last


class _Inherited:
    """Values of earlier games that later ones refer to (PBN 2.1 section 4.8).

    The standard forbids it for a Deal, Dealer, Vulnerable, Declarer or Contract; archives of matches have it there
    all the same.
    """

    def __init__(self) -> None:
        self._values: dict[str, str] = {}  # of each tag in the nearest game before that had it
        self._standing: dict[str, str] = {}  # given with ##, until given again

    def resolve(self, game: Game) -> dict[str, Stated]:
        """The values of the next game. The first tag of a name counts (PBN 2.1 section 3.4)."""
        found: dict[str, Stated] = {}
        for tag in game.tags:
            key = tag.name.casefold()
            if key not in found:
                found[key] = Stated(self._resolve(key, tag.value.strip()), tag.line)
        for key, value in self._standing.items():
            found.setdefault(key, Stated(value, game.line))
        return {key: value for key, value in found.items() if value.text not in _UNKNOWN}

    def _resolve(self, key: str, value: str) -> str:
        if value.startswith("##"):
            value = value[2:].strip()
            self._standing[key] = value
        elif value == "#":
            value = self._values.get(key, "")
        else:
            self._standing.pop(key, None)
        self._values[key] = value
        return value


def _stated(game: Game, tags: Mapping[str, Stated]) -> StatedGame:
    auction, play = game.tag("Auction"), game.tag("Play")
    return StatedGame(
        line=game.line,
        tags=tags,
        calls=tuple(_words(auction)) if auction is not None else None,
        tricks=tuple(_tricks(play)) if play is not None else (),
        cards_in_order=False,
    )


def _words(section: Tag) -> Iterator[Stated]:
    for row, line in zip(section.rows, section.row_lines, strict=True):
        for word in row:
            yield Stated(word, line)


def _tricks(play: Tag) -> Iterator[tuple[Stated, ...]]:
    """A trick is a line; where lines hold more than four cards, or fewer throughout, four cards are a trick."""
    rows = [
        [Stated(word, line) for word in row if word[0] not in "=$"]  # references to notes, glyphs
        for row, line in zip(play.rows, play.row_lines, strict=True)
    ]
    rows = [row for row in rows if row]
    if rows and len(rows[0]) == _TRICK and max(map(len, rows)) == _TRICK:
        yield from map(tuple, rows)
        return
    words = [word for row in rows for word in row]
    for start in range(0, len(words), _TRICK):
        yield tuple(words[start : start + _TRICK])
