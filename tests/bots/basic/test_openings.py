"""The opening bid of each kind of hand."""

from tests.support.bots_table import call, decide, view_after
from tourney.bots.basic import BasicStrategy
from tourney.bridge import Bid, Seat, Strain, Vulnerability


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
