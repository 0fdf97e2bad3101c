"""Chooses what a defender leads after the first trick."""

from typing import Final

from tourney.bots.basic.play.opening_lead import notrump_card, suit_card
from tourney.bots.basic.play.position import PlayPosition, is_sequence, lowest, of_suit
from tourney.bots.strategy import Variation
from tourney.bridge import Card, Suit

_CASH: Final = 50.0
_VARIATION: Final = 0.4
"""How far the seed may change the score of a lead."""


def defender_lead(position: PlayPosition, variation: Variation) -> Card:
    """Cash what defeats the contract, give partner a ruff, continue the side's suit, or else lead a safe card."""
    suits = [(suit, of_suit(position.legal, suit)) for suit in reversed(Suit)]
    leads = [_lead(position, suit, cards) for suit, cards in suits if cards]
    return max(leads, key=lambda lead: lead[0] + _VARIATION * variation.of(f"defence {lead[1].suit.letter}"))[1]


def _lead(position: PlayPosition, suit: Suit, cards: list[Card]) -> tuple[float, Card]:
    winners = [card for card in cards if position.is_winner(card) and not _declarer_ruffs(position, suit)]
    if winners and _cashes_out(position):
        return _CASH + len(winners), winners[0]
    score = 0.0
    if suit is position.trumps:
        score += _trump_score(position, cards)
    else:
        score += _side_suit_score(position, suit, cards)
    if winners:
        # At notrump an established suit is run; otherwise an ace is kept to capture an honour.
        runs = position.trumps is None and len(winners) >= 2
        score += 4.0 if runs else 1.5 if position.trumps is not None else 0.0
        return score, winners[0]
    return score, _card(position, suit, tuple(cards))


def _cashes_out(position: PlayPosition) -> bool:
    """Tell whether this hand's winners alone defeat the contract, or the end is near."""
    count = 0
    for suit in Suit:
        if not _declarer_ruffs(position, suit):
            count += sum(position.is_winner(card) for card in of_suit(position.legal, suit))
    return count > 0 and (0 < position.tricks_wanted <= count or position.tricks_left <= 3)


def _declarer_ruffs(position: PlayPosition, suit: Suit) -> bool:
    if position.trumps is None or suit is position.trumps:
        return False
    return position.opponents_may_ruff(suit)


def _side_suit_score(position: PlayPosition, suit: Suit, cards: list[Card]) -> float:
    declarer, dummy = position.contract.declarer, position.contract.dummy
    score = 0.3 * len(cards) if position.trumps is None else 0.0
    trumps = position.trumps
    if trumps is not None:
        if suit in position.voids[position.partner] and position.may_hold(position.partner, trumps):
            score += 5.0
        both_out = not position.may_hold(declarer, suit) and not position.may_hold(dummy, suit)
        if both_out:
            score -= 6.0  # a ruff in one hand and a discard from the other
        elif not position.ranks(dummy, suit) and position.ranks(dummy, trumps):
            score -= 2.0
    score += _history_score(position, suit)
    in_dummy = position.ranks(dummy, suit)
    honours = sum(rank >= 11 for rank in in_dummy)
    if position.seat.next is dummy:
        score += 1.0 if honours in (1, 2) else 0.0
    else:
        score += 2.0 if honours == 0 and in_dummy else -1.5 * honours
    return score + _holding_score(position, cards)


def _history_score(position: PlayPosition, suit: Suit) -> float:
    """Score a suit by who has led it: the side continues what it began."""
    score = 0.0
    for trick in position.tricks:
        if trick.cards[0].suit is not suit:
            continue
        if trick.leader is position.partner:
            score += 2.0
        elif trick.leader is position.seat:
            score += 1.0 if position.trumps is None else 0.4
        else:
            score -= 1.5
    return max(-3.0, min(score, 3.5 if position.trumps is None else 2.5))


def _holding_score(position: PlayPosition, cards: list[Card]) -> float:
    top = cards[0].rank
    against = position.against(cards[0].suit)
    higher = sum(rank > top for rank in against)
    if is_sequence(cards, against):
        return 1.5
    if higher == 0:
        return -0.5 if position.trumps is None else -1.0
    if top >= 11 and higher == 1:
        return -1.5  # a king should be led up to
    return -0.5 if top >= 11 else 0.5


def _trump_score(position: PlayPosition, cards: list[Card]) -> float:
    """Score a trump lead: it stops ruffs in dummy, and seldom gains otherwise."""
    dummy, trumps = position.contract.dummy, position.contract.strain.trumps
    assert trumps is not None
    short = any(len(position.ranks(dummy, suit)) <= 1 for suit in Suit if suit is not trumps)
    score = 0.5 if short and position.ranks(dummy, trumps) else -1.5
    return score - (1.5 if 11 <= cards[0].rank <= 13 else 0.0)


def _card(position: PlayPosition, suit: Suit, cards: tuple[Card, ...]) -> Card:
    if is_sequence(cards, position.against(suit)) or (len(cards) == 2 and cards[0].rank < 13):
        return cards[0]
    if any(trick.cards[0].suit is suit for trick in position.tricks):
        return lowest(cards)
    return notrump_card(cards) if position.trumps is None else suit_card(cards)
