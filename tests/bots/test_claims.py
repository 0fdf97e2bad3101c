"""A bot accepts a claim exactly when the claimant's side can take the rest, as a search of all lines finds."""

from random import Random

import pytest

from tourney.bots.claims import Hands, takes_all
from tourney.bridge import DECK, SEATS, Seat, Side, Suit, Trick


def plainly_takes_all(hands: Hands, trick: Trick, trumps: Suit | None, side: Side) -> bool:
    """The same by every line of play."""
    seat = trick.turn
    held = hands[seat]
    if not trick.cards and not held:
        return True
    found = []
    for card in [card for card in held if card.suit is trick.suit_led] or held:
        played, left = trick.plus(card), hands | {seat: held - {card}}
        if played.is_complete:
            winner = played.winner(trumps)
            found.append(winner.side is side and plainly_takes_all(left, Trick(winner, ()), trumps, side))
        else:
            found.append(plainly_takes_all(left, played, trumps, side))
    return any(found) if seat.side is side else all(found)


@pytest.mark.parametrize("seed", range(150))
def test_the_search_finds_what_a_search_of_all_lines_finds(seed: int) -> None:
    chance = Random(seed)
    size = chance.choice((2, 3))
    high = [card for card in DECK if card.rank >= 10]
    cards = chance.sample(high, 4 * size)
    cards.sort(key=lambda card: card.rank * (seed % 3), reverse=True)  # often the claimant's are the highest
    order = [Seat.SOUTH, *chance.sample([Seat.NORTH, Seat.EAST, Seat.WEST], 3)]
    hands = {seat: frozenset(cards[size * at : size * at + size]) for at, seat in enumerate(order)}
    trick = Trick(chance.choice(SEATS), ())
    for _ in range(chance.randrange(3)):
        card = chance.choice([c for c in hands[trick.turn] if c.suit is trick.suit_led] or sorted(hands[trick.turn]))
        hands[trick.turn] -= {card}
        trick = trick.plus(card)
    trumps = chance.choice((None, *Suit))
    assert takes_all(hands, trick, trumps, Side.NS) is plainly_takes_all(hands, trick, trumps, Side.NS)


def test_both_answers_occur_and_what_takes_too_long_is_rejected() -> None:
    tops = {
        seat: frozenset(card for card in DECK if card.suit is suit) for seat, suit in zip(SEATS, Suit, strict=True)
    }
    lead = Trick(Seat.NORTH, ())
    assert takes_all(tops, lead, None, Side.NS)
    assert not takes_all(tops, lead, Suit.DIAMONDS, Side.NS)
    assert not takes_all(tops, lead, None, Side.NS, positions_max=10)
