"""The tricks and the score that can be expected of a contract."""

from tourney.bots.basic.prospects import expected_score, notrump_tricks, suit_tricks
from tourney.bridge import Strain


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
