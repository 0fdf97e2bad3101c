"""PBN texts as tests look at them, and boards to write."""

from tourney.bridge import PASS, BoardInPlay, board_from_seed, parse_call
from tourney.formats.pbn.games import Game, iter_games


def parse_games(text: str, name: str = "x.pbn") -> list[Game]:
    """The games of a text, in order."""
    return list(iter_games(text, name, []))


def play_sample(number: int, calls: str, cards: int) -> BoardInPlay:
    """A board from a seed with these calls, then as many cards, each the lowest that is legal."""
    in_play = BoardInPlay(board_from_seed("sample", "pbn", number))
    for word in calls.split():
        in_play.add_call(PASS if word.startswith("p") else parse_call(word.removesuffix("!")))
    for _ in range(cards):
        if in_play.play is not None and not in_play.play.is_over:
            in_play.add_card(in_play.play.legal_cards()[-1])
    return in_play
