"""The basic player's choice of contract at Minibridge."""

import pytest

from tourney.bots.basic.prospects import choose_minibridge_contract
from tourney.bots.strategy import Variation
from tourney.bridge import Hand, PlayerView, Seat, Vulnerability, parse_card


def hand(text: str) -> Hand:
    suits = zip("SHDC", text.split("."), strict=True)
    return Hand.of(parse_card(rank + suit) for suit, ranks in suits for rank in ranks)


def choose(own: str, dummy: str, seed: int = 0) -> str:
    view = PlayerView(Seat.NORTH, 1, Seat.NORTH, Vulnerability.NONE, hand(own))
    view.show_dummy(hand(dummy))
    return str(choose_minibridge_contract(view, Variation(seed, 1)))


@pytest.mark.parametrize(
    ("own", "dummy", "contract"),
    [
        ("AQ32.KJ4.KQ3.A92", "K54.A65.J842.KQ3", "game NT"),
        ("AKQ32.KJ4.K3.A92", "J654.A65.842.K83", "game S"),
        ("KJ943.KQ4.3.K932", "AT65.65.9842.Q75", "part S"),
        ("AK.32.AKQJ87.A32", "32.65.T943.KQ864", "game D"),
    ],
)
def test_declarer_chooses_what_the_two_hands_are_worth(own: str, dummy: str, contract: str) -> None:
    assert choose(own, dummy) == contract


def test_the_choice_is_the_same_for_the_same_seed() -> None:
    hands = ("AQ3.KJ42.KQ3.932", "K54.Q65.9842.A53")
    assert len({choose(*hands, seed=5) for _ in range(3)}) == 1
