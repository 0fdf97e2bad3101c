"""The styles a bot can be started with, and the player of random calls and cards."""

from collections import Counter

import pytest

from tests.support.bots_table import BoardPlayed, play_auction, play_board
from tourney.bots import STYLES, strategy_of
from tourney.bots.basic import BasicStrategy
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import Bid, board_from_seed
from tourney.errors import ConfigError


@pytest.mark.parametrize(("style", "kind"), [("basic", BasicStrategy), ("random", RandomStrategy)])
def test_a_style_has_its_strategy(style: str, kind: type) -> None:
    assert style in STYLES
    assert isinstance(strategy_of(style, 3), kind)


def test_an_unknown_style_is_named_in_the_error() -> None:
    with pytest.raises(ConfigError, match=r"a style of play is one of basic, random, got 'wild'"):
        strategy_of("wild", 1)


def random_auctions(count: int) -> list[BoardPlayed]:
    player = RandomStrategy(7)
    return [play_auction(board_from_seed("random", "a", n), [player] * 4)[2] for n in range(1, count + 1)]


def test_random_auctions_vary_and_come_to_an_end() -> None:
    auctions = random_auctions(400)
    lengths = sorted(len(auction.decisions) for auction in auctions)
    assert lengths[len(lengths) * 8 // 10] <= 16
    assert lengths[-1] <= 60
    kinds: Counter[str] = Counter()
    for auction in auctions:
        calls = auction.auction.replace("*", "").split()
        kinds["passed out"] += set(calls) == {"Pass"}
        kinds["doubled"] += "X" in calls
        kinds["redoubled"] += "XX" in calls
        bidders = {
            auction.board.dealer.plus(i).side for i, d in enumerate(auction.decisions) if isinstance(d.call, Bid)
        }
        kinds["competitive"] += len(bidders) == 2
    assert 4 <= kinds["passed out"] <= 40
    assert kinds["doubled"] >= 40
    assert kinds["redoubled"] >= 10
    assert kinds["competitive"] >= 200


def test_another_seed_plays_otherwise() -> None:
    board = board_from_seed("random", "b", 5)
    first, other = (play_board(board, [RandomStrategy(seed)] * 4) for seed in (9, 10))
    assert (first.decisions, first.cards) != (other.decisions, other.cards)


def test_nothing_carries_over_from_one_board_to_the_next() -> None:
    fresh, used = BasicStrategy(4), BasicStrategy(4)
    for number in range(1, 6):
        play_board(board_from_seed("carry", "a", number), [used] * 4)
    board = board_from_seed("carry", "b", 1)
    assert play_board(board, [fresh] * 4).cards == play_board(board, [used] * 4).cards
