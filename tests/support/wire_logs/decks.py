"""Boards with all that is called and played on them, from `tests/golden/wire/decks.toml`."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from tourney.bridge import PASS, Board, BoardInPlay, Call, Card, parse_call, parse_card, parse_deal

FOLDER: Final = Path(__file__).parents[2] / "golden" / "wire"


@dataclass(frozen=True)
class Deck:
    """A board and its course: `texts` are what players say of their calls and cards, by number from 0."""

    board: Board
    course: tuple[Call | Card, ...]
    texts: dict[int, str]

    def choose(self, made: Sequence[Call | Card]) -> Call | Card:
        """Return what is called or played after `made`: as the deck says or, once that is left, the least."""
        number = len(made)
        if number < len(self.course) and tuple(made) == self.course[:number]:
            return self.course[number]
        in_play = self.replay(made)
        if in_play.play is None:
            return PASS
        return min(in_play.play.legal_cards(), key=str)

    def replay(self, made: Sequence[Call | Card]) -> BoardInPlay:
        """Return the board after calls and cards."""
        in_play = BoardInPlay(self.board)
        for each in made:
            add(in_play, each)
        return in_play


def add(in_play: BoardInPlay, made: Call | Card) -> None:
    """Make a call or play a card."""
    if isinstance(made, Card):
        in_play.add_card(made)
    else:
        in_play.add_call(made)


@cache
def load_decks() -> dict[int, Deck]:
    """Return the decks by the numbers of their boards."""
    read = tomllib.loads((FOLDER / "decks.toml").read_text(encoding="utf-8"))
    return {each["number"]: _deck(each) for each in read["board"]}


def _deck(read: dict) -> Deck:  # type: ignore[type-arg] # as TOML has it
    board = Board.numbered(read["number"], parse_deal(read["deal"]))
    calls = [parse_call(word) for word in read["calls"].split()]
    cards = [parse_card(word) for word in read.get("cards", "").split()]
    texts = {int(number): text for number, text in read.get("texts", {}).items()}
    return Deck(board, (*calls, *cards), texts)
