"""Hand evaluation, and the expected scores of contracts."""

import pytest

from tests.support.bots_table import hand_of
from tourney.bots.basic.bidding.prospects import expected_score, notrump_tricks, suit_tricks
from tourney.bots.basic.evaluation import Evaluation
from tourney.bridge import Strain, Suit


def evaluation(text: str) -> Evaluation:
    return Evaluation.of(hand_of(text))


def test_points_count_honours_and_length() -> None:
    hand = evaluation("AKJ84.KQ7.J82.95")
    assert (hand.hcp, hand.points, hand.lengths) == (14, 15, (2, 3, 3, 5))
    assert (hand.aces, hand.kings) == (1, 2)


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


def test_more_points_and_more_trumps_promise_more_tricks() -> None:
    assert suit_tricks(26, 8, 2) > suit_tricks(22, 8, 2)
    assert suit_tricks(22, 9, 2) > suit_tricks(22, 8, 2)
    assert notrump_tricks(26) > notrump_tricks(22)


def test_game_is_worth_bidding_when_its_tricks_are_expected() -> None:
    game = expected_score(4, Strain.SPADES, 10.0, vulnerable=False)
    part = expected_score(3, Strain.SPADES, 10.0, vulnerable=False)
    assert game > part > 0
    assert expected_score(4, Strain.SPADES, 8.5, vulnerable=False) < expected_score(
        2, Strain.SPADES, 8.5, vulnerable=False
    )


def test_a_doubled_contract_that_fails_costs_more() -> None:
    plain = expected_score(4, Strain.SPADES, 8.0, vulnerable=True)
    assert expected_score(4, Strain.SPADES, 8.0, vulnerable=True, doubled=True) < plain < 0
