"""Tricks and the play of a hand."""

import pytest

from tourney.bridge import Card, Contract, Play, Seat, Strain, Suit, Trick, parse_card, parse_deal
from tourney.errors import RuleError

DEAL = parse_deal("N:A976.KJT53.Q.J94 Q3.72.A7642.QT65 K52.AQ96.KT93.K7 JT84.84.J85.A832")


def cards(*texts: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, texts))


def play_of(*texts: str, strain: Strain = Strain.HEARTS, declarer: Seat = Seat.NORTH) -> Play:
    play = Play(DEAL, Contract(4, strain, 0, declarer))
    for card in cards(*texts):
        play.add(card)
    return play


def test_a_trick_that_is_not_complete_is_being_won_by_the_highest_trump_else_the_highest_of_the_suit_led() -> None:
    """A property says it of whole tricks."""
    won = [
        Trick(Seat.NORTH, cards(*texts.split())).winner(Suit.SPADES) for texts in ("2C", "2C AD", "2C 2S", "2C 2S 3C")
    ]
    assert won == [Seat.NORTH, Seat.NORTH, Seat.EAST, Seat.EAST]


def test_a_trick_knows_what_was_led_and_whose_turn_it_is() -> None:
    empty = Trick(Seat.WEST, ())
    assert (empty.suit_led, empty.turn, empty.is_complete) == (None, Seat.WEST, False)
    begun = Trick(Seat.WEST, cards("2C", "AD"))
    assert (begun.suit_led, begun.turn, begun.is_complete) == (Suit.CLUBS, Seat.EAST, False)


@pytest.mark.parametrize(
    ("played", "card", "why"),
    [
        ((), "KC", "East may not play KC: East does not hold KC"),
        (("QC",), "KS", "South may not play KS: South must follow suit in C"),
        (("QC", "7C", "AC"), "QC", "North may not play QC: North does not hold QC"),
        (("QC", "7C", "AC", "4C"), "AC", "West may not play AC: West does not hold AC"),
        (("AD", "KD", "5D"), "KH", "North may not play KH: North must follow suit in D"),
    ],
)
def test_an_illegal_card_is_refused_with_its_reason(played: tuple[str, ...], card: str, why: str) -> None:
    play = play_of(*played)
    before = list(play.cards)
    with pytest.raises(RuleError) as refused:
        play.add(parse_card(card))
    assert str(refused.value) == why
    assert play.cards == before


def test_a_card_out_of_turn_is_not_legal() -> None:
    assert play_of("QC").why_illegal(Seat.WEST, parse_card("AC")) == "it is South's turn"


def test_nothing_may_be_played_after_the_thirteenth_trick() -> None:
    play = play_of(strain=Strain.NOTRUMP)
    while not play.is_over:
        play.add(play.legal_cards()[0])
    assert len(play.tricks) == 13
    assert play.legal_cards() == []
    with pytest.raises(RuleError, match="the play is over"):
        play.add(parse_card("AS"))
