"""The cards played in named situations, and the contract at Minibridge. North deals throughout."""

import pytest

from tests.support.bots_table import PLAIN, card_to, hand_of, view_after
from tourney.bots.basic.prospects import choose_minibridge_contract
from tourney.bots.strategy import Variation
from tourney.bridge import PlayerView, Seat, Vulnerability

# East leads against North's contract
_NOTRUMP = "1NT Pass 3NT Pass Pass Pass"
_SPADES = "1S Pass 2S Pass 4S Pass Pass Pass"

LEADS = {
    _NOTRUMP: {
        "84.KJ852.Q73.842": "5H",  # fourth best of the longest
        "84.KQJ52.A73.842": "KH",
        "QJT84.A5.732.842": "QS",
        "A84.95.KJT42.842": "JD",  # the top of an inner sequence
        "84.95.9852.KT743": "4C",
        "7432.K5.AKQJ4.42": "AD",
    },
    _SPADES: {
        "84.AK52.9732.842": "AH",
        "84.A852.KQJ3.842": "KD",
        "843.A8532.KT43.7": "7C",  # a singleton, to ruff
        "84.QJT2.A732.K42": "QH",
        "84.QJT52.K732.42": "QH",
        "84.A852.J732.K42": "2D",  # no ace is underled or laid down
        "842.AQ75.9873.Q4": "8D",
    },
    # Partner's suit is led, and one that the opponents have bid is not
    "Pass Pass 1H 1S Pass 2S Pass 4S Pass Pass Pass": {
        "84.96.KJ732.Q842": "9H",
    },
    "1H Pass 2H Pass 2NT Pass 3NT Pass Pass Pass": {
        "84.KJ852.QJT7.84": "QD",
    },
}


@pytest.mark.parametrize(
    ("calls", "hand", "expected"),
    [(calls, hand, card) for calls, hands in LEADS.items() for hand, card in hands.items()],
)
def test_an_opening_lead_follows_the_auction_and_the_hand(calls: str, hand: str, expected: str) -> None:
    view = view_after(hand, calls)
    assert str(PLAIN.choose_card(view, view.seat)) == expected


# South declares, West leads, dummy is North
_SOUTH_SPADES = "Pass Pass 1S Pass 4S Pass Pass Pass"
_SOUTH_NOTRUMP = "Pass Pass 1NT Pass 3NT Pass Pass Pass"
_DUMMY = "dummy"

CARDS = {
    "second hand, a defender plays low before dummy": (
        *("West", "84.KQJ2.K73.9842", "K732.985.AQ4.J53", _SOUTH_NOTRUMP, "KH 5H 3H AH 2D", "3D"),
    ),
    "second hand, declarer plays low from dummy when its hand can win": (
        *(_DUMMY, "AQ4.K85.AQJ5.J42", "K73.942.K42.QT85", _SOUTH_NOTRUMP, "QH", "2H"),
    ),
    "second hand, an honour of dummy is covered when no touching card lies beside it": (
        *("East", "984.J43.K75.9532", "AK732.A5.Q63.J84", _SOUTH_NOTRUMP, "KH 5H 3H 7H 2H AH 4H 8H QD", "KD"),
    ),
    "second hand, the first of touching honours is not covered": (
        *("East", "984.J43.K75.9532", "AK732.A5.QJ3.84T", _SOUTH_NOTRUMP, "KH 5H 3H 7H 2H AH 4H 8H QD", "5D"),
    ),
    "third hand plays high": ("East", "984.K83.K752.953", "KQ32.964.AQ4.J84", _SOUTH_NOTRUMP, "5H 4H", "KH"),
    "third hand plays no higher than needed": (
        *("East", "984.QJ3.K752.953", "KQ32.964.AQ4.J84", _SOUTH_NOTRUMP, "5H 4H", "JH"),
    ),
    "third hand does not play over partner's winner": (
        *("East", "984.Q83.K752.953", "KQ32.964.AQ4.J84", _SOUTH_NOTRUMP, "AH 4H", "3H"),
    ),
    "third hand keeps the card that stands over dummy's honour": (
        *("East", "984.AJ3.K752.953", "KQ32.Q64.A84.J84", _SOUTH_NOTRUMP, "5H 4H", "JH"),
    ),
    "declarer finesses against a single missing honour": (
        *(_DUMMY, "AK4.A85.T972.K42", "Q73.942.AQ43.QT8", _SOUTH_NOTRUMP, "KH 2H 3H AH 2D 5D", "QD"),
    ),
    "fourth hand wins as cheaply as possible": (
        *("South", "AK4.AQJ5.9732.K4", "Q73.942.AQ43.QT8", _SOUTH_NOTRUMP, "6H 2H TH", "JH"),
    ),
    "fourth hand leaves the trick to partner": (
        *("East", "984.J43.A75.9532", "AK732.85.J63.J84", _SOUTH_NOTRUMP, "KH 5H 3H AH 2D KD 3D", "5D"),
    ),
    "a void hand ruffs what the opponents would win": (
        *("East", "984.QJT93.A9752.-", "K732.85.J63.J742", _SOUTH_SPADES, "KH 5H 3H AH KC 8C 2C", "4S"),
    ),
    "partner's winner is not ruffed": (
        *("East", "984.QJT93.A9752.-", "K732.85.J63.J742", _SOUTH_SPADES, "AC 2C", "2D"),
    ),
    "a discard keeps winners and guards": (
        *("East", "9842.J943.KQJT9.-", "K73.85.A63.J7542", _SOUTH_NOTRUMP, "KH 5H 3H AH KC 8C 2C", "2S"),
    ),
    "declarer draws trumps while the opponents have some": (
        *("South", "AKJ84.A3.K72.Q54", "Q732.85.AQ63.K82", _SOUTH_SPADES, "KH 5H 3H AH", "4S"),
    ),
    "declarer draws no more trumps than there are": (
        "South",
        *("AKJ84.A3.K72.Q54", "Q732.85.AQ63.K82", _SOUTH_SPADES, "KH 5H 3H AH AS 5S 2S 9S KS 6S 3S TS", "4C"),
    ),
    "declarer cashes the tricks that make the contract": (
        *("South", "AK4.A85.AKQJ.432", "Q73.942.5432.AK8", _SOUTH_NOTRUMP, "KH 2H 3H AH", "AD"),
    ),
    "declarer holds up a single stopper at notrump": (
        *("South", "AK4.A85.QJT9.K42", "Q73.94.K432.QJ85", _SOUTH_NOTRUMP, "KH 4H 3H", "5H"),
    ),
    "declarer takes the stopper when the tricks are there": (
        *("South", "AK4.A85.AKQJ.432", "Q73.94.5432.AK85", _SOUTH_NOTRUMP, "KH 4H 3H", "AH"),
    ),
    "partner's suit is returned": (
        *("East", "984.J83.A752.953", "KQ32.964.K84.J84", _SOUTH_NOTRUMP, "5H 4H JH AH 2D 3D KD AD", "8H"),
    ),
    "the setting trick is cashed": (
        *("West", "A842.AKQJ.973.84", "KQ3.52.K84.AJT97", _SOUTH_NOTRUMP),
        *("AH 2H 3H 4H KH 5H 6H 8H QH 4D 7H 9H JH 7D 2D 3D", "AS"),
    ),
}
"""Who plays, its hand and dummy's, the auction, the cards so far, and the card that is played."""


@pytest.mark.parametrize(("who", "hand", "dummy", "calls", "cards", "expected"), CARDS.values(), ids=CARDS.keys())
def test_a_card_suits_the_situation(who: str, hand: str, dummy: str, calls: str, cards: str, expected: str) -> None:
    seat = Seat.SOUTH if who == _DUMMY else Seat[who.upper()]
    assert card_to(seat, hand, dummy, calls, cards, plays_dummy=who == _DUMMY) == expected


@pytest.mark.parametrize(
    ("own", "dummy", "contract"),
    [
        ("AQ32.KJ4.KQ3.A92", "K54.A65.J842.KQ3", "game NT"),
        ("AKQ32.KJ4.K3.A92", "J654.A65.842.K83", "game S"),
        ("KJ943.KQ4.3.K932", "AT65.65.9842.Q75", "part S"),
        ("AK.32.AKQJ87.A32", "32.65.T943.KQ864", "game D"),
    ],
)
def test_declarer_at_minibridge_chooses_what_the_two_hands_are_worth(own: str, dummy: str, contract: str) -> None:
    view = PlayerView(Seat.NORTH, 1, Seat.NORTH, Vulnerability.NONE, hand_of(own))
    view.show_dummy(hand_of(dummy))
    assert str(choose_minibridge_contract(view, Variation(0, 1))) == contract
