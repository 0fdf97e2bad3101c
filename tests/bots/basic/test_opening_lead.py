"""Opening leads."""

import pytest

from tests.support.bots_table import PLAIN, view_after
from tourney.bridge import Seat

_NOTRUMP = "1NT Pass 3NT Pass Pass Pass"
_SPADES = "1S Pass 2S Pass 4S Pass Pass Pass"


def lead(hand: str, calls: str) -> str:
    """North deals; East leads against North's contract."""
    view = view_after(hand, calls)
    return str(PLAIN.choose_card(view, view.seat))


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
    },
}


@pytest.mark.parametrize(
    ("calls", "hand", "expected"),
    [(calls, hand, card) for calls, hands in LEADS.items() for hand, card in hands.items()],
)
def test_leads_against_notrump_and_a_trump_contract(calls: str, hand: str, expected: str) -> None:
    assert lead(hand, calls) == expected


@pytest.mark.parametrize("hand", ["84.A852.J732.K42", "842.AQ75.9873.Q4", "84.AJ85.T732.953"])
def test_no_ace_is_underled_or_laid_down_against_a_trump_contract(hand: str) -> None:
    assert lead(hand, _SPADES)[1] != "H"


def test_partners_suit_is_led() -> None:
    calls = "1S 2H 2S Pass 4S Pass Pass Pass"
    view = view_after("84.96.QJ732.Q842", calls, dealer=Seat.SOUTH)
    assert view.seat is Seat.WEST  # South declares, West's partner is East: neither has bid hearts
    calls = "Pass 1H 1S Pass 2S Pass 4S Pass Pass Pass"
    view = view_after("84.96.KJ732.Q842", calls, dealer=Seat.WEST)
    assert view.contract is not None
    assert view.contract.declarer is Seat.EAST
    assert view.seat is Seat.SOUTH
    assert str(PLAIN.choose_card(view, view.seat)) == "9H"


def test_a_suit_the_opponents_bid_is_not_led_against_notrump() -> None:
    assert lead("84.KJ852.QJT7.84", "1H Pass 2H Pass 2NT Pass 3NT Pass Pass Pass") == "QD"
