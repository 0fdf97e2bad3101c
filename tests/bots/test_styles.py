"""The styles a bot can be started with, and the player of random calls and cards."""

import pytest

from tests.support.bots_table import play_board
from tourney.bots import STYLES, strategy_of
from tourney.bots.basic import BasicStrategy
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import board_from_seed
from tourney.errors import ConfigError


@pytest.mark.parametrize(("style", "kind"), [("basic", BasicStrategy), ("random", RandomStrategy)])
def test_a_style_has_its_strategy(style: str, kind: type) -> None:
    assert style in STYLES
    assert isinstance(strategy_of(style, 3), kind)


def test_an_unknown_style_is_named_in_the_error() -> None:
    with pytest.raises(ConfigError, match=r"a style of play is one of basic, random, got 'wild'"):
        strategy_of("wild", 1)


def test_nothing_carries_over_from_one_board_to_the_next() -> None:
    fresh, used = BasicStrategy(4), BasicStrategy(4)
    for number in range(1, 6):
        play_board(board_from_seed("carry", "a", number), [used] * 4)
    board = board_from_seed("carry", "b", 1)
    assert play_board(board, [fresh] * 4).cards == play_board(board, [used] * 4).cards
