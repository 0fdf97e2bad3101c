"""Hand evaluation: points, shape and stoppers."""

import pytest

from tests.support.bots_table import hand_of
from tourney.bots.basic.evaluation import Evaluation
from tourney.bridge import Suit


def evaluation(text: str) -> Evaluation:
    return Evaluation.of(hand_of(text))


def test_points_count_honours_and_length() -> None:
    hand = evaluation("AKJ84.KQ7.J82.95")
    assert (hand.hcp, hand.points, hand.lengths) == (14, 15, (2, 3, 3, 5))
    assert hand.aces == 1


def test_support_points_count_shortness_outside_trumps() -> None:
    assert evaluation("K984.7.A9852.984").support_points(Suit.SPADES) == 7 + 3
    assert evaluation("K98.7.A98542.984").support_points(Suit.SPADES) == 7 + 2
    assert evaluation("K9842.-.A982.9842").support_points(Suit.SPADES) == 7 + 5


@pytest.mark.parametrize(
    ("text", "balanced"),
    [("AQ4.KJ73.K82.Q95", True), ("AQ842.KJ7.K82.95", True), ("AQ84.KJ73.K842.9", False), ("AQ84.KJ73.K8.952", True),
     ("AQ842.KJ73.K8.95", False)],
)  # fmt: skip
def test_balanced_hands_have_at_most_one_doubleton_and_no_less(text: str, *, balanced: bool) -> None:
    assert evaluation(text).is_balanced is balanced


@pytest.mark.parametrize(
    ("suit", "stops"),
    [("A", True), ("K2", True), ("K", False), ("Q32", True), ("Q2", False), ("J432", True), ("T43", False)],
)
def test_stoppers(suit: str, *, stops: bool) -> None:
    rest = "AKQJT98765"[: 13 - len(suit)]
    fill = "98765432"[: 13 - len(suit) - len(rest)] or "-"
    assert evaluation(f"{suit}.{rest}.{fill}.-").stops(Suit.SPADES) is stops


def test_the_longest_suit_is_the_higher_of_equals() -> None:
    assert evaluation("AQ842.KJ973.K2.9").longest is Suit.SPADES
    assert evaluation("AQ.KJ973.KJ752.9").longest is Suit.HEARTS
