"""What a player answers is read as an author would expect, and what is no answer is refused in a sentence."""

import pytest

from tourney.errors import PlayerError
from tourney.player import DOUBLE, PASS, REDOUBLE, Answer, Bid, Card, Strain, Suit
from tourney.player.answers import read_call, read_card

ONE_NOTRUMP = Bid(1, Strain.NOTRUMP)


@pytest.mark.parametrize(
    ("answer", "call", "explanation"),
    [
        (ONE_NOTRUMP, ONE_NOTRUMP, ""),
        (PASS, PASS, ""),
        (" 1nt ", ONE_NOTRUMP, ""),
        ("1N", ONE_NOTRUMP, ""),
        ("pass", PASS, ""),
        ("--", PASS, ""),
        ("dbl", DOUBLE, ""),
        ("XX", REDOUBLE, ""),
        (("2D", "6 cards in  a major."), Bid(2, Strain.DIAMONDS), "6 cards in a major."),
        (Answer(ONE_NOTRUMP, "15 to 17 total points."), ONE_NOTRUMP, "15 to 17 total points."),
    ],
)
def test_a_call_is_a_value_or_one_of_the_usual_texts_with_or_without_its_meaning(
    answer: object, call: object, explanation: str
) -> None:
    assert read_call(answer) == (call, explanation)


@pytest.mark.parametrize("answer", ["SA", "as", Card(Suit.SPADES, 14)])
def test_a_card_is_a_value_or_a_text_in_either_order(answer: object) -> None:
    assert read_card(answer) == Card(Suit.SPADES, 14)


def test_a_ten_has_one_letter_or_two_digits() -> None:
    assert {read_card(text) for text in ("HT", "TH", "H10", "10h")} == {Card(Suit.HEARTS, 10)}


@pytest.mark.parametrize("answer", [None, 7, "8NT", "SA", Card(Suit.CLUBS, 2), ("pass", 3), ("1C", "2C", "3C")])
def test_what_is_no_call_is_refused(answer: object) -> None:
    with pytest.raises(PlayerError, match=r"call\(\) returns a call such as|the explanation of a call is a text"):
        read_call(answer)


@pytest.mark.parametrize("answer", [None, 3, "1NT", "S1", ONE_NOTRUMP])
def test_what_is_no_card_is_refused(answer: object) -> None:
    with pytest.raises(PlayerError, match=r"play\(\) returns a card such as 'SA' or one of view.legal_cards, got"):
        read_card(answer)
