"""What is called in an auction, with each of some hands."""

import pytest

from tests.support.bots_table import PLAIN, view_after
from tourney.bridge import PASS, Vulnerability

AUCTIONS = {
    # A hand opens with the bid of the system
    "": {
        "AQ4.KJ73.K82.Q95": "1NT",  # 15, balanced
        "AQ4.KJ7.KJ842.A9": "1D",  # 18, too strong for 1NT
        "AQJ84.KJ7.K82.95": "1S",
        "AKJ84.KQ7.A82.Q5": "1S",  # 19, to jump in notrump later
        "K84.AQJ75.K82.95": "1H",
        "AQ842.KJ973.K2.9": "1S",  # equal fives: the higher
        "AQ84.KJ73.K82.95": "1D",  # three diamonds, for want of three clubs
        "AQ84.KJ3.K82.952": "1C",  # three each: clubs
        "A84.K3.KQ82.J952": "1D",  # four each: diamonds
        "A8.K3.KQ82.KJ952": "1C",
        "4.AJ983.KQJ82.A3": "1H",
        "AQJ.KQ4.AK82.Q95": "2NT",
        "AKQ84.AKJ.AQ2.95": "2C",
        "AK.AKQJ.AK82.Q95": "2C",
        "KQJ984.72.952.84": "2S",
        "84.KQT984.952.Q4": "2H",
        "72.84.KQJ984.952": "2D",
        "KQJT984.7.952.84": "3S",
        "4.72.952.KQJT984": "3C",
        "KQJT9842.7.95.84": "4S",
        "AQ4.J73.J82.9532": "Pass",
        "Q4.9873.J82.J532": "Pass",
        "A9432.A8542.32.7": "Pass",  # 8 points, however shapely
        "AJ943.KQ854.32.7": "1S",  # rule of twenty
        "QT9843.72.K5.984": "2S",  # not vulnerable
        "KQJ84.K72.J52.84": "Pass",
    },
    # Third seat opens a good suit with ten points; fourth seat counts its spades, and does not preempt
    "Pass Pass": {
        "KQJ84.K72.J52.84": "1S",
    },
    "Pass Pass Pass": {
        "KQJ984.72.952.84": "Pass",
        "KQ84.AJ72.92.J84": "1C",
        "8.AJ742.K962.Q84": "Pass",
    },
    # Responses to one spade
    "1S Pass": {
        "K84.Q73.J9852.84": "2S",  # six points and support
        "KQ84.75.A9852.98": "3S",  # a limit raise with four trumps
        "QT8432.7.K9852.8": "4S",  # weak and shapely: preemptive
        "84.Q73.KJ852.Q84": "1NT",
        "84.AQ973.KJ52.84": "2H",
        "84.AQ3.KJ962.Q84": "2D",
        "84.A93.K852.AJ84": "2C",
        "K4.AJ3.KT52.QJ84": "2C",
        "84.973.J852.Q984": "Pass",
    },
    # Responses to one diamond
    "1D Pass": {
        "K984.Q73.J985.84": "1S",
        "KJ84.QT73.95.842": "1H",  # four each: up the line
        "KJ984.QT732.95.8": "1S",  # five each: the higher
        "K84.Q7.KJ98.J842": "1NT",
        "K84.A7.KJ98.J842": "2NT",
        "K84.A73.KJ98.K84": "3NT",
        "84.73.KQ985.J842": "2D",
        "84.K3.AQ985.J842": "3D",
        "4.AQ3.K5.KQJ8742": "2C",
        "84.973.J852.J984": "Pass",
    },
    # Opener describes its hand at the second turn
    "1D Pass 1H Pass": {
        "AQ4.K872.Q985.J4": "2H",
        "A4.KQ72.KQ852.A4": "4H",
        "A4.KQ72.KQ852.J4": "3H",
        "AQ4.K8.KQ852.984": "1NT",
        "AQ4.K8.AKJ52.K84": "2NT",
        "AQ84.K8.KQ852.84": "1S",
        "A4.K8.KQJ852.984": "2D",
        "A4.K8.AKJ852.Q84": "3D",
        "A4.8.KQ852.KQ984": "2C",
        "AK84.8.AKJ85.A84": "2S",  # a jump shift forces to game
    },
    "1D Pass 1S Pass": {
        "A4.KQ84.AKJ852.8": "2H",  # a reverse
    },
    "1H Pass 1NT Pass": {
        "A4.KQJ852.K4.984": "2H",
        "A4.KQJ85.K742.84": "2D",
    },
    "1H Pass 2H Pass": {
        "A4.KQJ85.K742.84": "Pass",
        "A4.AKJ85.AQ74.84": "4H",
    },
    "1H Pass 3H Pass": {
        "K5.AQJ85.K74.Q84": "4H",
    },
    "1NT Pass 3NT Pass": {
        "KQ5.AJ3.KQ74.J84": "Pass",
    },
    # Responder places the contract
    "1D Pass 1S Pass 2S Pass": {
        "KJ84.Q7.J985.984": "Pass",
        "KJ84.A7.KJ98.984": "4S",
    },
    "1C Pass 1S Pass 1NT Pass": {
        "KJ842.Q7.J98.984": "Pass",
        "KJ84.A7.KJ98.Q84": "3NT",
    },
    # Responses to one notrump
    "1NT Pass": {
        "84.Q73.J985.9842": "Pass",
        "K4.Q73.KJ85.9842": "2NT",
        "K4.Q73.KJ85.A842": "3NT",
        "KJ84.Q7.KJ85.842": "2C",
        "KJ84.QT73.K5.842": "2C",
        "84.QT732.J985.84": "2D",
        "QT732.84.J985.84": "2H",
        "AQT73.84.KJ85.84": "2H",
        "84.73.J2.QT98432": "3C",
        "AQ4.K73.KQ85.A84": "6NT",
        "AQ4.K73.KJ85.Q84": "3NT",
        "AQ4.KJ3.KJ85.Q84": "4NT",
    },
    # Opener answers the question for a major
    "1NT Pass 2C Pass": {
        "AQ4.KJ73.K82.Q95": "2H",
        "AQ84.KJ7.K82.Q95": "2S",
        "AQ84.KJ73.K2.Q95": "2H",
        "AQ4.KJ7.K82.Q952": "2D",
    },
    # The hand that asked bids on by the answer
    "1NT Pass 2C Pass 2S Pass": {
        "KJ84.J7.KT85.842": "3S",
        "KJ84.A7.KJ85.842": "4S",
    },
    "1NT Pass 2C Pass 2H Pass": {
        "KJ84.J7.KJ85.842": "2NT",
        "KJ84.A7.KJ85.842": "3NT",
    },
    "1NT Pass 2C Pass 2D Pass": {
        "KJ84.A7.KJ85.842": "3NT",
        "AJ984.KQ73.85.84": "3S",
    },
    # Opener completes the transfer
    "1NT Pass 2D Pass": {
        "AQ4.KJ7.K82.Q952": "2H",
        "AQ4.KJ74.AK82.95": "3H",
        "AQJ.72.KQ82.KJ95": "2H",
    },
    # The hand that transferred shows its strength
    "1NT Pass 2D Pass 2H Pass": {
        "84.QT732.J985.84": "Pass",
        "84.KQ732.K985.84": "2NT",
        "84.KQ7432.K98.84": "4H",
        "84.KQ7432.J98.84": "3H",
        "84.AQ732.KJ8.Q84": "3NT",
        "84.AQ7432.KJ8.84": "4H",
    },
    # Opener chooses between the major and notrump
    "1NT Pass 2D Pass 2H Pass 3NT Pass": {
        "AQ4.KJ7.K82.Q952": "4H",
        "AQ4.J7.KQ82.KJ95": "Pass",
    },
    # Responses to two clubs
    "2C Pass": {
        "84.Q73.J985.9842": "2D",
        "AQJ73.84.K85.842": "2S",
        "84.K3.985.AQJ842": "3C",
        "-.Q73.J98543.9842": "2D",
    },
    # The strong hand describes itself
    "2C Pass 2D Pass": {
        "AKQ4.AKJ.AQ2.J95": "2NT",
        "AKQ84.AKJ2.AQ2.9": "2S",
        "AK.A2.AKQJ984.K5": "3D",
        "AKQ.AKJ.AQ2.KJ95": "3NT",
    },
    # Calls over an opening of one club
    "1C": {
        "KQJ84.K73.95.842": "1S",
        "84.K7.AQJ984.K42": "1D",
        "AQ84.A73.KJ85.42": "X",
        "AQ84.A732.KJ85.4": "X",
        "AK84.AQ7.KJ85.A2": "X",  # too strong for an overcall of 1NT
        "AQ4.K73.KJ85.AJ2": "1NT",
        "KQJ984.73.952.84": "2S",
        "4.K73.KQJ9852.84": "3D",
        "K984.Q73.K85.J42": "Pass",
        "A4.K73.QJ5.KJ842": "Pass",  # length in their suit
    },
    # Calls over other bids
    "1H": {
        "AQ84.7.AKJ5.Q842": "X",
    },
    "2H": {
        "AQ84.73.KQJ5.A42": "X",
        "A4.KQ7.KQ85.A842": "2NT",
        "AQJ984.7.KQ5.842": "2S",
    },
    "3C": {
        "A4.KQ7.AKJ985.84": "3D",
    },
    "1NT": {
        "AQ4.KJ7.AQ85.842": "X",
        "84.KQJ984.A5.842": "2H",
        "84.KQ84.A85.9842": "Pass",
    },
    "1C Pass 1H": {
        "KQJ84.K7.A985.84": "1S",
        "KQ84.8.AQ985.K84": "2D",
    },
    # Answers to a takeout double of one heart
    "1H X Pass": {
        "QJ84.73.9852.842": "1S",
        "QJ84.73.KJ85.Q42": "2S",
        "AQ984.73.KJ85.42": "4S",
        "84.QT73.985.8432": "2C",  # no suit but theirs and clubs: a takeout double is never passed
        "J84.KQ3.985.Q843": "1NT",
        "K84.AQ3.J95.QJ84": "3NT",
        "84.KQJT98.85.432": "Pass",  # for penalties
        "AQ84.73.AK85.J42": "2H",
    },
    # Answers to an overcall
    "1H 1S Pass": {
        "Q84.K73.9852.K42": "2S",
        "QJ84.7.K9852.842": "3S",
        "QJ84.A3.AK85.842": "2H",  # a cue bid as a strong raise
        "84.KQ3.KJ85.Q842": "1NT",
        "84.973.KJ85.9842": "Pass",
    },
    # Calls after partner opened and was overcalled
    "1C 1H": {
        "KJ84.73.KJ85.842": "X",
        "KJ984.73.K85.842": "1S",
    },
    "1H 1S": {
        "84.Q73.KJ85.Q842": "2H",
        "8.Q732.AK85.Q842": "2S",
        "84.QT732.KJ985.8": "4H",
    },
    "1D 1S": {
        "K84.KJ84.Q85.842": "X",
        "KJ4.84.Q85.K8432": "1NT",
        "84.9832.QJ5.8432": "Pass",
    },
    "1D X": {
        "84.KJ84.AQ5.K842": "XX",
        "84.J842.K9852.84": "2D",
    },
    # A hand in last seat bids on less
    "1H Pass Pass": {
        "KQ84.73.K985.Q42": "X",
        "KJ4.Q73.K985.A42": "1NT",
    },
    # Opener answers partner's takeout double, and reopens with one when short in their suit
    "1C 1S X Pass": {
        "AQ4.KJ84.Q4.J842": "2H",
        "AJ4.Q8.K84.KJ842": "1NT",
    },
    "1D 1S Pass Pass": {
        "4.KQ84.AQ84.K842": "X",
        "KJ84.Q4.AQ842.K4": "Pass",
    },
    # The two sides compete by the length of their trumps
    "1S 2H 2S 3H": {
        "KQJ984.73.A52.84": "3S",
    },
    "1S 2H Pass 3H": {
        "KQJ84.732.A5.K84": "Pass",
    },
    # A penalty double is left in, and a preemptor speaks once
    "1NT X Pass": {
        "K84.9732.Q852.84": "Pass",
    },
    "3S Pass Pass 4H": {
        "KQJT984.7.952.84": "Pass",
    },
    # Opener with both majors finds the second fit
    "1NT Pass 2C Pass 2H Pass 3NT Pass": {
        "AQ84.KJ73.K2.Q95": "4S",
    },
    # Game is reached after a strong suit, and transfers are on after a strong notrump
    "2C Pass 2D Pass 2S Pass": {
        "J84.73.J9852.842": "4S",
        "4.9732.J9852.842": "2NT",
    },
    "2C Pass 2D Pass 2NT Pass": {
        "QT732.84.J985.84": "3H",
    },
    "2C Pass 2D Pass 2NT Pass 3H Pass": {
        "AK4.AKJ.AQ2.KJ95": "3S",
    },
    # The hand that asked for aces stops when two are missing, and partner passes what it decides
    "1D Pass 1S Pass 3S Pass 4NT Pass 5C Pass": {
        "KQJ84.KQ3.5.AKQ4": "5S",
    },
    "1D Pass 1S Pass 3S Pass 4NT Pass 5D Pass": {
        "AQJ84.KQ3.5.AKJ4": "6S",
    },
    "1D Pass 1S Pass 3S Pass 4NT Pass 5H Pass": {
        "AQJ84.KQ3.5.AKJ4": "7S",
    },
    "1D Pass 1S Pass 3S Pass 4NT Pass 5D Pass 5S Pass": {
        "K952.A4.KQJ82.Q5": "Pass",
    },
    # Over notrump 4NT asks for no aces
    "1NT Pass 4NT Pass": {
        "AQ4.KJ73.K82.Q95": "Pass",
        "AQ4.KJ73.K82.AJ5": "6NT",
    },
}
"""The calls so far, and what each hand calls then."""


@pytest.mark.parametrize(
    ("calls", "hand", "expected"),
    [(calls, hand, expected) for calls, hands in AUCTIONS.items() for hand, expected in hands.items()],
)
def test_a_hand_in_turn_makes_the_call_that_its_system_has_for_it(calls: str, hand: str, expected: str) -> None:
    assert str(PLAIN.choose_call(view_after(hand, calls)).call) == expected


def test_a_weak_two_is_sounder_when_vulnerable() -> None:
    view = view_after("QT9843.72.K5.984", vulnerability=Vulnerability.ALL)
    assert PLAIN.choose_call(view).call is PASS


ALERTS = {
    "": {
        "AKQ84.AKJ.AQ2.95": ("2C", "at least 22 total points, Forcing for one round."),
        "AQJ84.KJ7.K82.95": ("1S", ""),
    },
    "1NT Pass": {
        "KJ84.Q7.KJ85.842": (
            "2C",
            "at least 8 total points, Asking for a four-card major suit, Forcing for one round.",
        ),
        "84.QT732.J985.84": ("2D", "at least 5 cards in hearts, Forcing for one round."),
        "K4.Q73.KJ85.A842": ("3NT", ""),
    },
    "1NT Pass 2C Pass": {
        "AQ4.KJ7.K82.Q952": ("2D", "15 to 17 total points, 2 to 3 cards in spades, 2 to 3 cards in hearts."),
        "AQ84.KJ7.K82.Q95": ("2S", ""),
    },
    # Doubles for takeout and for penalties
    "1C": {
        "AQ84.A732.KJ85.4": (
            "X",
            "at least 12 total points, 3 to 5 cards in spades, 3 to 5 cards in hearts, 3 to 5 cards in diamonds, "
            "up to 3 cards in clubs. Alternatively, at least 18 total points.",
        ),
    },
    "1NT": {
        "AQ4.KJ7.AQ85.842": ("X", ""),
    },
    # Aces are asked for, and their number is shown
    "1D Pass 1S Pass 3S Pass": {
        "AQJ84.KQ3.5.AKJ4": ("4NT", "Asking for aces."),
    },
    "1C Pass 1S Pass 3S Pass 4NT Pass": {
        "KQ84.KQJ3.Q5.K84": ("5C", "0 or 4 total aces."),
        "AQ84.KQJ3.Q5.K84": ("5D", "1 total aces."),
        "AQ84.AQJ3.Q5.984": ("5H", "2 total aces."),
        "AQ84.AQJ3.A5.984": ("5S", "3 total aces."),
        "AQ84.AJ43.A5.A84": ("5C", "0 or 4 total aces."),
    },
}


@pytest.mark.parametrize(
    ("calls", "hand", "expected"),
    [(calls, hand, expected) for calls, hands in ALERTS.items() for hand, expected in hands.items()],
)
def test_artificial_calls_are_alerted_and_natural_ones_are_not(
    calls: str, hand: str, expected: tuple[str, str]
) -> None:
    decision = PLAIN.choose_call(view_after(hand, calls))
    assert (str(decision.call), decision.alert) == expected
