"""PBN texts as tests look at them."""

from tourney.formats.pbn.games import Game, iter_games


def parse_games(text: str, name: str = "x.pbn") -> list[Game]:
    """The games of a text, in order."""
    return list(iter_games(text, name, []))
