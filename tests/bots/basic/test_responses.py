"""Uncontested auctions: responses to partner's bid, and what follows."""

import pytest

from tests.support.bots_table import call, decide


def test_a_strong_hand_with_support_does_not_stop_below_game() -> None:
    for hand in ("AQT7.AJ72.K86.A3", "AQT7.KJ2.K8.A732", "KQ94.AQ3.AK2.Q73"):
        assert call(hand, "1S Pass") not in ("Pass", "2S", "3S", "1NT", "2NT")


class TestNotrump:
    def test_opener_with_both_majors_finds_the_second_fit(self) -> None:
        assert call("AQ84.KJ73.K2.Q95", "1NT Pass 2C Pass 2H Pass 3NT Pass") == "4S"

    def test_questions_and_transfers_are_alerted_and_natural_bids_are_not(self) -> None:
        asking, transfer = decide("KJ84.Q7.KJ85.842", "1NT Pass"), decide("84.QT732.J985.84", "1NT Pass")
        assert asking.alert == "at least 8 total points, Asking for a four-card major suit, Forcing for one round."
        assert transfer.alert == "at least 5 cards in hearts, Forcing for one round."
        assert decide("AQ4.KJ7.K82.Q952", "1NT Pass 2C Pass").alert != ""
        assert decide("AQ84.KJ7.K82.Q95", "1NT Pass 2C Pass").alert == ""
        assert decide("K4.Q73.KJ85.A842", "1NT Pass").alert == ""


class TestStrongHands:
    def test_game_is_reached_after_a_strong_suit(self) -> None:
        assert call("J84.73.J9852.842", "2C Pass 2D Pass 2S Pass") == "4S"
        assert call("4.9732.J9852.842", "2C Pass 2D Pass 2S Pass") == "2NT"
        assert call("4.9732.J9852.842", "2C Pass 2D Pass 2S Pass 2NT Pass 3S Pass") != "Pass"

    def test_transfers_are_on_after_two_notrump_by_a_strong_hand(self) -> None:
        assert call("QT732.84.J985.84", "2C Pass 2D Pass 2NT Pass") == "3H"
        assert call("AK4.AKJ.AQ2.KJ95", "2C Pass 2D Pass 2NT Pass 3H Pass") == "3S"


class TestAces:
    @pytest.mark.parametrize(
        ("hand", "expected", "alert"),
        [
            ("KQ84.KQJ3.Q5.K84", "5C", "0 or 4 total aces."),
            ("AQ84.KQJ3.Q5.K84", "5D", "1 total aces."),
            ("AQ84.AQJ3.Q5.984", "5H", "2 total aces."),
            ("AQ84.AQJ3.A5.984", "5S", "3 total aces."),
            ("AQ84.AJ43.A5.A84", "5C", "0 or 4 total aces."),
        ],
    )
    def test_the_number_of_aces_is_shown_and_alerted(self, hand: str, expected: str, alert: str) -> None:
        decision = decide(hand, "1C Pass 1S Pass 3S Pass 4NT Pass")
        assert (str(decision.call), decision.alert) == (expected, alert)

    def test_a_hand_worth_a_slam_asks_for_aces(self) -> None:
        decision = decide("AQJ84.KQ3.5.AKJ4", "1D Pass 1S Pass 3S Pass")
        assert str(decision.call) == "4NT"
        assert decision.alert == "Asking for aces."

    @pytest.mark.parametrize(("answer", "expected"), [("5C", "5S"), ("5D", "6S"), ("5H", "7S")])
    def test_the_hand_that_asked_stops_when_two_aces_are_missing(self, answer: str, expected: str) -> None:
        hand = "KQJ84.KQ3.5.AKQ4" if answer == "5C" else "AQJ84.KQ3.5.AKJ4"
        assert call(hand, f"1D Pass 1S Pass 3S Pass 4NT Pass {answer} Pass") == expected

    def test_partner_passes_what_the_asking_hand_decides(self) -> None:
        assert call("K952.A4.KQJ82.Q5", "1D Pass 1S Pass 3S Pass 4NT Pass 5D Pass 5S Pass") == "Pass"

    def test_four_notrump_over_notrump_asks_for_no_aces(self) -> None:
        assert call("AQ4.KJ73.K82.Q95", "1NT Pass 4NT Pass") == "Pass"
        assert call("AQ4.KJ73.K82.AJ5", "1NT Pass 4NT Pass") == "6NT"
