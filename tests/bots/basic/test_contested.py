"""Contested auctions."""

import pytest

from tests.support.bots_table import call, decide


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("KQJ84.K73.95.842", "1S"),
        ("84.K7.AQJ984.K42", "1D"),
        ("AQ84.A73.KJ85.42", "X"),
        ("AQ84.A732.KJ85.4", "X"),
        ("AK84.AQ7.KJ85.A2", "X"),  # too strong for an overcall of 1NT
        ("AQ4.K73.KJ85.AJ2", "1NT"),
        ("KQJ984.73.952.84", "2S"),
        ("4.K73.KQJ9852.84", "3D"),
        ("K984.Q73.K85.J42", "Pass"),
        ("A4.K73.QJ5.KJ842", "Pass"),  # length in their suit
    ],
)
def test_calls_over_an_opening_of_one_club(hand: str, expected: str) -> None:
    assert call(hand, "1C") == expected


@pytest.mark.parametrize(
    ("hand", "calls", "expected"),
    [
        ("AQ84.7.AKJ5.Q842", "1H", "X"),
        ("AQ84.73.KQJ5.A42", "2H", "X"),
        ("A4.KQ7.KQ85.A842", "2H", "2NT"),
        ("AQJ984.7.KQ5.842", "2H", "2S"),
        ("A4.KQ7.AKJ985.84", "3C", "3D"),
        ("AQ4.KJ7.AQ85.842", "1NT", "X"),
        ("84.KQJ984.A5.842", "1NT", "2H"),
        ("84.KQ84.A85.9842", "1NT", "Pass"),
        ("KQJ84.K7.A985.84", "1C Pass 1H", "1S"),
        ("KQ84.8.AQ985.K84", "1C Pass 1H", "2D"),
    ],
)
def test_calls_over_other_bids(hand: str, calls: str, expected: str) -> None:
    assert call(hand, calls) == expected


def test_a_hand_in_last_seat_bids_on_less() -> None:
    light = "KQ84.73.K985.Q42"
    assert call(light, "1H") == "Pass"
    assert call(light, "1H Pass Pass") == "X"
    assert call("KJ4.Q73.K985.A42", "1H Pass Pass") == "1NT"


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("QJ84.73.9852.842", "1S"),
        ("QJ84.73.KJ85.Q42", "2S"),
        ("AQ984.73.KJ85.42", "4S"),
        ("84.QT73.985.8432", "2C"),  # no suit but theirs and clubs: a takeout double is never passed
        ("J84.KQ3.985.Q843", "1NT"),
        ("K84.AQ3.J95.QJ84", "3NT"),
        ("84.KQJT98.85.432", "Pass"),  # for penalties
        ("AQ84.73.AK85.J42", "2H"),
    ],
)
def test_answers_to_a_takeout_double_of_one_heart(hand: str, expected: str) -> None:
    assert call(hand, "1H X Pass") == expected


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("Q84.K73.9852.K42", "2S"),
        ("QJ84.7.K9852.842", "3S"),
        ("QJ84.A3.AK85.842", "2H"),  # a cue bid as a strong raise
        ("84.KQ3.KJ85.Q842", "1NT"),
        ("84.973.KJ85.9842", "Pass"),
    ],
)
def test_answers_to_an_overcall(hand: str, expected: str) -> None:
    assert call(hand, "1H 1S Pass") == expected


@pytest.mark.parametrize(
    ("hand", "calls", "expected"),
    [
        ("KJ84.73.KJ85.842", "1C 1H", "X"),
        ("KJ984.73.K85.842", "1C 1H", "1S"),
        ("84.Q73.KJ85.Q842", "1H 1S", "2H"),
        ("8.Q732.AK85.Q842", "1H 1S", "2S"),
        ("84.QT732.KJ985.8", "1H 1S", "4H"),
        ("K84.KJ84.Q85.842", "1D 1S", "X"),
        ("KJ4.84.Q85.K8432", "1D 1S", "1NT"),
        ("84.KJ84.AQ5.K842", "1D X", "XX"),
        ("84.J842.K9852.84", "1D X", "2D"),
        ("84.9832.QJ5.8432", "1D 1S", "Pass"),
    ],
)
def test_calls_after_partner_opened_and_was_overcalled(hand: str, calls: str, expected: str) -> None:
    assert call(hand, calls) == expected


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
