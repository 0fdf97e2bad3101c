"""What the tests of an author's player put to it."""

from typing import Any

import pytest

from tourney.bridge import Seat
from tourney.errors import FormatError, RuleError
from tourney.testing import playing_view

HAND, DUMMY = "AK97.K32.QT3.AK7", "QJ.A54.J98.Q6542"
NOTRUMP = "1NT Pass Pass Pass"


@pytest.mark.parametrize(
    ("calls", "cards", "seat", "turn", "legal"),
    [
        (f"Pass {NOTRUMP}", "", Seat.SOUTH, Seat.SOUTH, 13),
        (NOTRUMP, "S2", Seat.NORTH, Seat.SOUTH, 2),
        (NOTRUMP, "2S JS 3S", Seat.NORTH, Seat.NORTH, 4),
        (NOTRUMP, "S7 SJ S3 S2 H4 H7 H9", Seat.EAST, Seat.EAST, 3),
        (NOTRUMP, "S2 SJ S3 S7", Seat.NORTH, Seat.SOUTH, 12),
    ],
)
def test_a_question_about_a_card_is_put_to_who_plays_from_the_hand_in_turn(
    calls: str, cards: str, seat: Seat, turn: Seat, legal: int
) -> None:
    view = playing_view(HAND, calls, cards, dummy=DUMMY)
    assert (view.seat, view.turn, len(view.legal_cards), view.asks_call) == (seat, turn, legal, False)
    assert (view.dummy_hand is not None) is bool(cards)
    assert repr(view) == f"<View of {view}>"


@pytest.mark.parametrize(
    ("calls", "cards", "options", "error", "sentence"),
    [
        ("1NT Pass", "", {}, RuleError, "cards are played after an auction that ends in a contract, got '1NT Pass'"),
        ("Pass Pass Pass Pass", "", {}, RuleError, "cards are played after an auction that ends in a contract"),
        (NOTRUMP, "S2 S2", {}, RuleError, "each card is played once, and the last one is left to the player"),
        (NOTRUMP, "SA SJ", {}, RuleError, "East cannot have played AS"),
        (NOTRUMP, "S2 S4", {}, RuleError, "South cannot have played 4S"),
        (NOTRUMP, "S2 ZZ", {}, FormatError, "a card is a rank"),
        (NOTRUMP, "S2", {"dummy": ""}, FormatError, "the hand of South has 4 suits"),
    ],
)
def test_a_question_that_cannot_come_is_refused_in_a_sentence(
    calls: str, cards: str, options: Any, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        playing_view(HAND, calls, cards, **({"dummy": DUMMY} | options))
