"""Contested auctions."""

from tests.support.bots_table import call, decide


def test_a_hand_in_last_seat_bids_on_less() -> None:
    light = "KQ84.73.K985.Q42"
    assert call(light, "1H") == "Pass"
    assert call(light, "1H Pass Pass") == "X"
    assert call("KJ4.Q73.K985.A42", "1H Pass Pass") == "1NT"


def test_opener_answers_a_takeout_double_by_partner() -> None:
    assert call("AQ4.KJ84.Q4.J842", "1C 1S X Pass") == "2H"
    assert call("AQ4.AKJ8.K4.J842", "1C 1S X Pass") in ("3H", "4H")
    assert call("AJ4.Q8.K84.KJ842", "1C 1S X Pass") == "1NT"


def test_opener_reopens_with_a_double_when_short_in_their_suit() -> None:
    assert call("4.KQ84.AQ84.K842", "1D 1S Pass Pass") == "X"
    assert call("KJ84.Q4.AQ842.K4", "1D 1S Pass Pass") == "Pass"


def test_the_two_sides_compete_by_the_length_of_their_trumps() -> None:
    nine_trumps, seven_trumps = "KQJ984.73.A52.84", "KQJ84.732.A5.K84"
    assert call(nine_trumps, "1S 2H 2S 3H") == "3S"
    assert call(seven_trumps, "1S 2H Pass 3H") == "Pass"


def test_doubles_for_takeout_are_alerted_and_doubles_for_penalties_are_not() -> None:
    takeout = decide("AQ84.A732.KJ85.4", "1C")
    assert takeout.alert.startswith("at least 12 total points, 3 to 5 cards in spades")
    assert " Alternatively, at least 18 total points." in takeout.alert
    assert decide("AQ4.KJ7.AQ85.842", "1NT").alert == ""


def test_a_penalty_double_by_partner_is_left_in() -> None:
    assert call("K84.9732.Q852.84", "1NT X Pass") == "Pass"


def test_a_preemptor_speaks_once() -> None:
    assert call("KQJT984.7.952.84", "3S Pass Pass 4H") == "Pass"
