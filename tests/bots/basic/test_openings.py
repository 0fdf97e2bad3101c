"""The opening bid of each kind of hand."""

import pytest

from tests.support.bots_table import call, decide, view_after
from tourney.bots.basic import BasicStrategy
from tourney.bridge import Bid, Seat, Strain, Vulnerability


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("AQ4.KJ73.K82.Q95", "1NT"),  # 15, balanced
        ("AQ4.KJ7.KJ842.A9", "1D"),  # 18, too strong for 1NT
        ("AQJ84.KJ7.K82.95", "1S"),
        ("AKJ84.KQ7.A82.Q5", "1S"),  # 19, to jump in notrump later
        ("K84.AQJ75.K82.95", "1H"),
        ("AQ842.KJ973.K2.9", "1S"),  # equal fives: the higher
        ("AQ84.KJ73.K82.95", "1D"),  # three diamonds, for want of three clubs
        ("AQ84.KJ3.K82.952", "1C"),  # three each: clubs
        ("A84.K3.KQ82.J952", "1D"),  # four each: diamonds
        ("A8.K3.KQ82.KJ952", "1C"),
        ("4.AJ983.KQJ82.A3", "1H"),
        ("AQJ.KQ4.AK82.Q95", "2NT"),
        ("AKQ84.AKJ.AQ2.95", "2C"),
        ("AK.AKQJ.AK82.Q95", "2C"),
        ("KQJ984.72.952.84", "2S"),
        ("84.KQT984.952.Q4", "2H"),
        ("72.84.KQJ984.952", "2D"),
        ("KQJT984.7.952.84", "3S"),
        ("4.72.952.KQJT984", "3C"),
        ("KQJT9842.7.95.84", "4S"),
        ("AQ4.J73.J82.9532", "Pass"),
        ("Q4.9873.J82.J532", "Pass"),
        ("A9432.A8542.32.7", "Pass"),  # 8 points, however shapely
        ("AJ943.KQ854.32.7", "1S"),  # rule of twenty
    ],
)
def test_a_hand_opens_with_the_bid_of_the_system(hand: str, expected: str) -> None:
    assert call(hand) == expected


def test_weak_hands_open_no_preempt_in_fourth_seat() -> None:
    assert call("KQJ984.72.952.84", "Pass Pass Pass") == "Pass"


def test_third_seat_opens_a_good_suit_with_ten_points() -> None:
    light = "KQJ84.K72.J52.84"
    assert call(light) == "Pass"
    assert call(light, "Pass Pass") == "1S"


def test_fourth_seat_counts_its_spades() -> None:
    assert call("KQ84.AJ72.92.J84", "Pass Pass Pass") == "1C"
    assert call("8.AJ742.K962.Q84", "Pass Pass Pass") == "Pass"


def test_a_weak_two_is_sounder_when_vulnerable() -> None:
    ragged = "QT9843.72.K5.984"
    view = view_after(ragged, dealer=Seat.NORTH, vulnerability=Vulnerability.ALL)
    assert call(ragged) == "2S"
    assert str(BasicStrategy(0).choose_call(view).call) == "Pass"


def test_only_the_strong_artificial_opening_is_alerted() -> None:
    strong, natural = decide("AKQ84.AKJ.AQ2.95"), decide("AQJ84.KJ7.K82.95")
    assert strong.call == Bid(2, Strain.CLUBS)
    assert strong.alert == "at least 22 total points, Forcing for one round."
    assert natural.alert == ""
