"""The reference players' calls, alerts and cards never change: teams are compared with them."""

import pytest

from tests.support.bidding_net import auction_blocks, rare_blocks
from tests.support.bots_table import BoardPlayed, play_board
from tests.support.golden_outputs import check_outputs
from tourney.bots import STYLES, strategy_of
from tourney.bridge import board_from_seed
from tourney.errors import ConfigError

BOARDS = 200


def text_of(played: BoardPlayed) -> str:
    calls = " ".join(f"{decision.call}={decision.alert!r}" for decision in played.decisions)
    cards = " ".join(f"{seat.letter}:{card}" for seat, card in played.cards)
    return f"{calls}\n{cards}\n{played.result}\n"


@pytest.mark.parametrize(
    "style", [pytest.param(style, marks=pytest.mark.campaign if style == "basic" else ()) for style in STYLES]
)
def test_two_hundred_boards_are_called_and_played_as_before(style: str) -> None:
    players = [strategy_of(style, seed) for seed in (1, 2, 3, 4)]
    boards = [play_board(board_from_seed("golden", style, number), players) for number in range(1, BOARDS + 1)]
    texts = [text_of(board) for board in boards]
    fifties = {f"boards {n + 1} to {n + 50}": "".join(texts[n : n + 50]) for n in range(0, BOARDS, 50)}
    check_outputs(f"bots-{style}", fifties)


@pytest.mark.campaign
def test_auctions_of_all_kinds_are_called_and_alerted_as_before() -> None:
    check_outputs("bots-auctions", auction_blocks(), whole=("auctions-0001-to-0050",))


@pytest.mark.campaign
def test_calls_after_rare_auctions_are_as_before() -> None:
    check_outputs("bots-rare-auctions", rare_blocks(), whole=("after-1C-1S-X-Pass",))


def test_an_unknown_style_is_named_in_the_error() -> None:
    with pytest.raises(ConfigError, match=r"a style of play is one of basic, random, got 'wild'"):
        strategy_of("wild", 1)
