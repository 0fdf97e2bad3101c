"""Which card to part with when it cannot follow suit: the one that is missed least."""

from tourney.bots.basic.play.layout import Table
from tourney.bridge import Card, Suit


def discard(table: Table, cards: list[Card]) -> Card:
    """The card whose loss costs least. `cards` are those to choose from, at least one."""
    return min(cards, key=lambda card: (_cost(table, card), card.rank, card.suit))


def _cost(table: Table, card: Card) -> float:
    suit = card.suit
    own = table.ranks(table.seat, suit)
    cost = float(card.rank) / 2
    if suit is table.trumps:
        return cost + 60
    if table.is_winner(card):
        cost += 40
    if card.rank == own[-1]:
        cost += _guard(table, suit, own)
    else:
        cost += 6  # the smallest of a suit goes first
    if table.declares:
        return cost + _use_to_declarer(table, suit, own)
    return cost + _use_to_defender(table, suit, own)


def _guard(table: Table, suit: Suit, own: list[int]) -> float:
    """What the small cards that guard an honour are worth."""
    against = table.against(suit)
    above = sum(rank > own[0] for rank in against)
    if above == 0 or own[0] < 11:
        return 0.0
    # an honour with `above` higher cards out makes a trick while as many small ones stand beside it
    return 25.0 if len(own) - 1 == above else 0.0


def _use_to_declarer(table: Table, suit: Suit, own: list[int]) -> float:
    partner = table.ranks(table.partner, suit)
    if not table.outstanding(suit):
        return 15.0  # every card left is a trick
    if len(own) > len(partner) and len(own) >= 4:
        return 8.0
    return 0.0 if partner else 2.0


def _use_to_defender(table: Table, suit: Suit, own: list[int]) -> float:
    """Keep as many cards as dummy has of a suit dummy may run."""
    dummy = table.ranks(table.contract.dummy, suit)
    keeps = len(dummy) >= 3 and len(own) <= len(dummy) and own[0] >= 9
    return 12.0 if keeps else 0.0
