"""Uncontested auctions: responses to partner's bid, and what follows."""

import pytest

from tests.support.bots_table import call, decide


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("K84.Q73.J9852.84", "2S"),  # six points and support
        ("KQ84.75.A9852.98", "3S"),  # a limit raise with four trumps
        ("QT8432.7.K9852.8", "4S"),  # weak and shapely: preemptive
        ("84.Q73.KJ852.Q84", "1NT"),
        ("84.AQ973.KJ52.84", "2H"),
        ("84.AQ3.KJ962.Q84", "2D"),
        ("84.A93.K852.AJ84", "2C"),
        ("K4.AJ3.KT52.QJ84", "2C"),
        ("84.973.J852.Q984", "Pass"),
    ],
)
def test_responses_to_one_spade(hand: str, expected: str) -> None:
    assert call(hand, "1S Pass") == expected


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("K984.Q73.J985.84", "1S"),
        ("KJ84.QT73.95.842", "1H"),  # four each: up the line
        ("KJ984.QT732.95.8", "1S"),  # five each: the higher
        ("K84.Q7.KJ98.J842", "1NT"),
        ("K84.A7.KJ98.J842", "2NT"),
        ("K84.A73.KJ98.K84", "3NT"),
        ("84.73.KQ985.J842", "2D"),
        ("84.K3.AQ985.J842", "3D"),
        ("4.AQ3.K5.KQJ8742", "2C"),
        ("84.973.J852.J984", "Pass"),
    ],
)
def test_responses_to_one_diamond(hand: str, expected: str) -> None:
    assert call(hand, "1D Pass") == expected


def test_a_strong_hand_with_support_does_not_stop_below_game() -> None:
    for hand in ("AQT7.AJ72.K86.A3", "AQT7.KJ2.K8.A732", "KQ94.AQ3.AK2.Q73"):
        assert call(hand, "1S Pass") not in ("Pass", "2S", "3S", "1NT", "2NT")


@pytest.mark.parametrize(
    ("hand", "calls", "expected"),
    [
        ("AQ4.K872.Q985.J4", "1D Pass 1H Pass", "2H"),
        ("A4.KQ72.KQ852.A4", "1D Pass 1H Pass", "4H"),
        ("A4.KQ72.KQ852.J4", "1D Pass 1H Pass", "3H"),
        ("AQ4.K8.KQ852.984", "1D Pass 1H Pass", "1NT"),
        ("AQ4.K8.AKJ52.K84", "1D Pass 1H Pass", "2NT"),
        ("AQ84.K8.KQ852.84", "1D Pass 1H Pass", "1S"),
        ("A4.K8.KQJ852.984", "1D Pass 1H Pass", "2D"),
        ("A4.K8.AKJ852.Q84", "1D Pass 1H Pass", "3D"),
        ("A4.8.KQ852.KQ984", "1D Pass 1H Pass", "2C"),
        ("AK84.8.AKJ85.A84", "1D Pass 1H Pass", "2S"),  # a jump shift forces to game
        ("A4.KQ84.AKJ852.8", "1D Pass 1S Pass", "2H"),  # a reverse
        ("A4.KQJ852.K4.984", "1H Pass 1NT Pass", "2H"),
        ("A4.KQJ85.K742.84", "1H Pass 1NT Pass", "2D"),
        ("A4.KQJ85.K742.84", "1H Pass 2H Pass", "Pass"),
        ("A4.AKJ85.AQ74.84", "1H Pass 2H Pass", "4H"),
        ("K5.AQJ85.K74.Q84", "1H Pass 3H Pass", "4H"),
        ("KQ5.AJ3.KQ74.J84", "1NT Pass 3NT Pass", "Pass"),
    ],
)
def test_opener_describes_its_hand_at_the_second_turn(hand: str, calls: str, expected: str) -> None:
    assert call(hand, calls) == expected


@pytest.mark.parametrize(
    ("hand", "calls", "expected"),
    [
        ("KJ84.Q7.J985.984", "1D Pass 1S Pass 2S Pass", "Pass"),
        ("KJ84.A7.KJ98.984", "1D Pass 1S Pass 2S Pass", "4S"),
        ("KJ842.Q7.J98.984", "1C Pass 1S Pass 1NT Pass", "Pass"),
        ("KJ84.A7.KJ98.Q84", "1C Pass 1S Pass 1NT Pass", "3NT"),
    ],
)
def test_responder_places_the_contract(hand: str, calls: str, expected: str) -> None:
    assert call(hand, calls) == expected


class TestNotrump:
    @pytest.mark.parametrize(
        ("hand", "expected"),
        [
            ("84.Q73.J985.9842", "Pass"),
            ("K4.Q73.KJ85.9842", "2NT"),
            ("K4.Q73.KJ85.A842", "3NT"),
            ("KJ84.Q7.KJ85.842", "2C"),
            ("KJ84.QT73.K5.842", "2C"),
            ("84.QT732.J985.84", "2D"),
            ("QT732.84.J985.84", "2H"),
            ("AQT73.84.KJ85.84", "2H"),
            ("84.73.J2.QT98432", "3C"),
            ("AQ4.K73.KQ85.A84", "6NT"),
            ("AQ4.K73.KJ85.Q84", "3NT"),
            ("AQ4.KJ3.KJ85.Q84", "4NT"),
        ],
    )
    def test_responses_to_one_notrump(self, hand: str, expected: str) -> None:
        assert call(hand, "1NT Pass") == expected

    @pytest.mark.parametrize(
        ("hand", "expected"),
        [
            ("AQ4.KJ73.K82.Q95", "2H"),
            ("AQ84.KJ7.K82.Q95", "2S"),
            ("AQ84.KJ73.K2.Q95", "2H"),
            ("AQ4.KJ7.K82.Q952", "2D"),
        ],
    )
    def test_opener_answers_the_question_for_a_major(self, hand: str, expected: str) -> None:
        assert call(hand, "1NT Pass 2C Pass") == expected

    @pytest.mark.parametrize(
        ("hand", "answer", "expected"),
        [
            ("KJ84.J7.KT85.842", "2S", "3S"),
            ("KJ84.A7.KJ85.842", "2S", "4S"),
            ("KJ84.J7.KJ85.842", "2H", "2NT"),
            ("KJ84.A7.KJ85.842", "2H", "3NT"),
            ("KJ84.A7.KJ85.842", "2D", "3NT"),
            ("AJ984.KQ73.85.84", "2D", "3S"),
        ],
    )
    def test_the_hand_that_asked_bids_on_by_the_answer(self, hand: str, answer: str, expected: str) -> None:
        assert call(hand, f"1NT Pass 2C Pass {answer} Pass") == expected

    def test_opener_with_both_majors_finds_the_second_fit(self) -> None:
        assert call("AQ84.KJ73.K2.Q95", "1NT Pass 2C Pass 2H Pass 3NT Pass") == "4S"

    @pytest.mark.parametrize(
        ("hand", "expected"), [("AQ4.KJ7.K82.Q952", "2H"), ("AQ4.KJ74.AK82.95", "3H"), ("AQJ.72.KQ82.KJ95", "2H")]
    )
    def test_opener_completes_the_transfer(self, hand: str, expected: str) -> None:
        assert call(hand, "1NT Pass 2D Pass") == expected

    @pytest.mark.parametrize(
        ("hand", "expected"),
        [
            ("84.QT732.J985.84", "Pass"),
            ("84.KQ732.K985.84", "2NT"),
            ("84.KQ7432.K98.84", "4H"),
            ("84.KQ7432.J98.84", "3H"),
            ("84.AQ732.KJ8.Q84", "3NT"),
            ("84.AQ7432.KJ8.84", "4H"),
        ],
    )
    def test_the_hand_that_transferred_shows_its_strength(self, hand: str, expected: str) -> None:
        assert call(hand, "1NT Pass 2D Pass 2H Pass") == expected

    @pytest.mark.parametrize(("hand", "expected"), [("AQ4.KJ7.K82.Q952", "4H"), ("AQ4.J7.KQ82.KJ95", "Pass")])
    def test_opener_chooses_between_the_major_and_notrump(self, hand: str, expected: str) -> None:
        assert call(hand, "1NT Pass 2D Pass 2H Pass 3NT Pass") == expected

    def test_questions_and_transfers_are_alerted_and_natural_bids_are_not(self) -> None:
        asking, transfer = decide("KJ84.Q7.KJ85.842", "1NT Pass"), decide("84.QT732.J985.84", "1NT Pass")
        assert asking.alert == "at least 8 total points, Asking for a four-card major suit, Forcing for one round."
        assert transfer.alert == "at least 5 cards in hearts, Forcing for one round."
        assert decide("AQ4.KJ7.K82.Q952", "1NT Pass 2C Pass").alert != ""
        assert decide("AQ84.KJ7.K82.Q95", "1NT Pass 2C Pass").alert == ""
        assert decide("K4.Q73.KJ85.A842", "1NT Pass").alert == ""


class TestStrongHands:
    @pytest.mark.parametrize(
        ("hand", "expected"),
        [
            ("84.Q73.J985.9842", "2D"),
            ("AQJ73.84.K85.842", "2S"),
            ("84.K3.985.AQJ842", "3C"),
            ("-.Q73.J98543.9842", "2D"),
        ],
    )
    def test_responses_to_two_clubs(self, hand: str, expected: str) -> None:
        assert call(hand, "2C Pass") == expected

    @pytest.mark.parametrize(
        ("hand", "expected"),
        [
            ("AKQ4.AKJ.AQ2.J95", "2NT"),
            ("AKQ84.AKJ2.AQ2.9", "2S"),
            ("AK.A2.AKQJ984.K5", "3D"),
            ("AKQ.AKJ.AQ2.KJ95", "3NT"),
        ],
    )
    def test_the_strong_hand_describes_itself(self, hand: str, expected: str) -> None:
        assert call(hand, "2C Pass 2D Pass") == expected

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
        decision = decide(hand, "1D Pass 1S Pass 3S Pass 4NT Pass".replace("1D Pass 1S", "1C Pass 1S"))
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
