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


@pytest.mark.parametrize(
    ("texts", "trumps", "winner"),
    [
        (("2C", "3C", "AC", "KC"), None, Seat.SOUTH),
        (("2C", "AD", "AH", "AS"), None, Seat.NORTH),
        (("2C", "AD", "AH", "AS"), Suit.DIAMONDS, Seat.EAST),
        (("AC", "2D", "KC", "3D"), Suit.DIAMONDS, Seat.WEST),
        (("AC", "3D", "KC", "2D"), Suit.DIAMONDS, Seat.EAST),
        (("2D", "AC", "3D", "AS"), Suit.DIAMONDS, Seat.SOUTH),
        (("2C", "3C", "AD", "4C"), Suit.SPADES, Seat.WEST),
        (("2C",), Suit.SPADES, Seat.NORTH),
        (("2C", "2S"), Suit.SPADES, Seat.EAST),
    ],
)
def test_the_highest_trump_wins_else_the_highest_of_the_suit_led(
    texts: tuple[str, ...], trumps: Suit | None, winner: Seat
) -> None:
    assert Trick(Seat.NORTH, cards(*texts)).winner(trumps) is winner


def test_a_trick_knows_what_was_led_and_whose_turn_it_is() -> None:
    empty = Trick(Seat.WEST, ())
    assert (empty.suit_led, empty.turn, empty.is_complete) == (None, Seat.WEST, False)
    begun = Trick(Seat.WEST, cards("2C", "AD"))
    assert (begun.suit_led, begun.turn, begun.is_complete) == (Suit.CLUBS, Seat.EAST, False)


def test_declarer_s_left_hand_opponent_leads_and_the_winner_leads_next() -> None:
    play = play_of("QC", "7C", "AC", "4C")
    assert play.tricks == [Trick(Seat.EAST, cards("QC", "7C", "AC", "4C"))]
    assert play.turn is Seat.WEST
    assert play.current == Trick(Seat.WEST, ())
    assert play.tricks_won == 0
    assert play.cards[1] == (Seat.SOUTH, parse_card("7C"))


def test_a_trick_won_by_dummy_is_declarer_s() -> None:
    play = play_of("QC", "KC", "2C", "4C")
    assert (play.turn, play.tricks_won) == (Seat.SOUTH, 1)


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


def test_legal_cards_run_from_the_highest_down() -> None:
    assert play_of("QC").legal_cards() == list(cards("KC", "7C"))


def test_nothing_may_be_played_after_the_thirteenth_trick() -> None:
    play = play_of(strain=Strain.NOTRUMP)
    while not play.is_over:
        play.add(play.legal_cards()[0])
    assert len(play.tricks) == 13
    assert play.legal_cards() == []
    with pytest.raises(RuleError, match="the play is over"):
        play.add(parse_card("AS"))
