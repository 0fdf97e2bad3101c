"""Cards, hands and calls, and their texts."""

import pytest

from tourney.bridge import (
    BIDS,
    CALLS,
    DECK,
    DOUBLE,
    PASS,
    REDOUBLE,
    SUITS_DOWN,
    Bid,
    Card,
    Hand,
    Strain,
    Suit,
    parse_call,
    parse_card,
)
from tourney.errors import FormatError


def test_the_deck_is_52_cards_from_the_ace_of_spades_to_the_two_of_clubs() -> None:
    assert len(set(DECK)) == len(DECK) == 52
    assert (str(DECK[0]), str(DECK[12]), str(DECK[13]), str(DECK[51])) == ("AS", "2S", "AH", "2C")
    assert list(DECK) == sorted(DECK, reverse=True)


def test_every_card_is_read_from_what_is_written() -> None:
    assert [parse_card(str(card)) for card in DECK] == list(DECK)
    assert parse_card("TD") == Card(Suit.DIAMONDS, 10)


@pytest.mark.parametrize("text", ["", "DQ", "qd", "10D", "1D", "QDX", " QD", "QN"])
def test_a_text_that_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(FormatError) as refused:
        parse_card(text)
    assert str(refused.value) == f"a card is a rank (A K Q J T 9..2) and a suit (S H D C), such as QD, got {text!r}"


def test_a_hand_is_sorted_spades_first_and_high_to_low() -> None:
    hand = Hand.of(map(parse_card, ["2C", "TS", "AH", "AS", "KH"]))
    assert [str(card) for card in hand.cards] == ["AS", "TS", "AH", "KH", "2C"]
    assert str(hand) == "AT.AK..2"
    assert [hand.suit_letters(suit) for suit in SUITS_DOWN] == ["AT", "AK", "", "2"]
    assert hand.suit(Suit.HEARTS) == (parse_card("AH"), parse_card("KH"))
    assert hand.suit(Suit.DIAMONDS) == ()


def test_suits_and_strains_rank_as_in_the_auction() -> None:
    assert [suit.letter for suit in sorted(Suit)] == ["C", "D", "H", "S"]
    assert [strain.letters for strain in sorted(Strain)] == ["C", "D", "H", "S", "NT"]
    assert [Suit.from_letter(suit.letter) for suit in Suit] == list(Suit)


def test_there_are_35_bids_in_rising_order() -> None:
    assert len(BIDS) == 35
    assert list(BIDS) == sorted(set(BIDS))
    assert [str(bid) for bid in (*BIDS[:6], BIDS[-1])] == ["1C", "1D", "1H", "1S", "1NT", "2C", "7NT"]


def test_every_call_is_read_from_what_is_written() -> None:
    assert len(CALLS) == 38
    assert [parse_call(str(call)) for call in CALLS] == list(CALLS)
    assert [parse_call(text) for text in ("Pass", "X", "XX", "3NT")] == [
        PASS,
        DOUBLE,
        REDOUBLE,
        Bid(3, Strain.NOTRUMP),
    ]


@pytest.mark.parametrize("text", ["", "pass", "PASS", "P", "1N", "1nt", "0C", "8C", "XXX", "1C ", "Double"])
def test_a_text_that_is_no_call_is_refused(text: str) -> None:
    with pytest.raises(FormatError) as refused:
        parse_call(text)
    assert str(refused.value) == f"a call is Pass, X, XX or 1C..7NT, got {text!r}"
