"""The opening lead: partner's suit, the top of a sequence, a singleton, the fourth best of the longest suit."""

from typing import Final, NamedTuple

from tourney.bots.basic.bidding.inference import read_auction
from tourney.bots.basic.bidding.meaning import Shown
from tourney.bots.strategy import Variation
from tourney.bridge import Card, Hand, PlayerView, Suit


class _Lead(NamedTuple):
    score: float
    card: Card


_ACE: Final = 14
_VARIATION: Final = 0.4
"""How far the seed may change the score of a lead; what makes a lead good or bad counts 1 or more."""
_TEN: Final = 10


def opening_lead(view: PlayerView, variation: Variation) -> Card:
    """Choose the opening lead."""
    assert view.contract is not None
    shown = read_auction(view).shown
    trumps = view.contract.strain.trumps
    partner = shown[view.seat.partner]
    opponents = [shown[view.contract.declarer], shown[view.contract.dummy]]
    leads = []
    for suit in reversed(Suit):
        cards = view.hand.suit(suit)
        if not cards:
            continue
        if trumps is None:
            leads.append(_notrump_lead(cards, suit, partner, opponents))
        elif suit is trumps:
            leads.append(_trump_lead(cards))
        else:
            leads.append(_suit_lead(cards, suit, view.hand, trumps, partner, opponents))
    return max(leads, key=lambda lead: lead.score + _VARIATION * variation.of(f"lead {lead.card.suit.letter}")).card


def _bid_by_opponents(suit: Suit, opponents: list[Shown]) -> int:
    """Return the most cards of a suit that an opponent has promised, or 0 if fewer than four."""
    most = max(opponent.lengths[suit].low for opponent in opponents)
    return most if most >= 4 else 0


def _notrump_lead(cards: tuple[Card, ...], suit: Suit, partner: Shown, opponents: list[Shown]) -> _Lead:
    length = len(cards)
    score = 2.0 * length + 0.4 * sum(card.rank >= 11 for card in cards)
    if length >= 3 and _sequence(cards) >= 2:
        score += 1.5
    if length >= 3 and _sequence(cards) >= 3:
        score += 1.0
    score -= 1.0 * _bid_by_opponents(suit, opponents)
    if suit >= Suit.HEARTS:
        score += 0.3  # opponents look for their majors first
    if partner.lengths[suit].low >= 4:
        score += 2.0 * partner.lengths[suit].low - 2
    return _Lead(score, notrump_card(cards))


def notrump_card(cards: tuple[Card, ...]) -> Card:
    """Choose a card of a suit against notrump: the top of a sequence or of small cards, else the fourth best."""
    if len(cards) <= 2 or (cards[0].rank >= _TEN and _is_solid(cards)):
        return cards[0]
    return _card_of_long_suit(cards)


def suit_card(cards: tuple[Card, ...]) -> Card:
    """Choose a card of a suit against a trump contract.

    It is the ace, the top of touching honours or of a doubleton, or else the third or fourth best.
    """
    if len(cards) <= 2 or cards[0].rank == _ACE or _sequence(cards) >= 2:
        return cards[0]
    return _card_of_long_suit(cards)


def _card_of_long_suit(cards: tuple[Card, ...]) -> Card:
    if _is_inner_sequence(cards):
        return cards[1]
    if cards[0].rank < _TEN:
        return cards[0 if len(cards) == 3 else 1]
    return cards[2 if len(cards) == 3 else 3]


def _is_solid(cards: tuple[Card, ...]) -> bool:
    """Tell whether the suit is headed by a sequence such as KQJ, KQ10 or QJ9; AK alone is none against notrump."""
    first, second, third = (card.rank for card in cards[:3])
    return first - second == 1 and second - third <= 2


def _is_inner_sequence(cards: tuple[Card, ...]) -> bool:
    """Tell whether the suit is headed by KJ10 or Q109."""
    first, second, third = (card.rank for card in cards[:3])
    return first in (13, 12) and first - second == 2 and second - third == 1


def _sequence(cards: tuple[Card, ...]) -> int:
    """Count the touching cards at the head of a suit; 0 if it is headed by less than the ten."""
    count = 1
    while count < len(cards) and cards[count - 1].rank - cards[count].rank == 1 and cards[count].rank >= 9:
        count += 1
    return count if cards[0].rank >= _TEN else 0


def _trump_lead(cards: tuple[Card, ...]) -> _Lead:
    """Score a trump lead: passive, but bad from an honour that may take a trick by itself."""
    risk = 3.0 if any(card.rank >= 11 for card in cards) else 0.0
    if len(cards) == 1:
        risk += 1.5
    return _Lead(2.2 - risk, cards[-1])


def _suit_lead(
    cards: tuple[Card, ...], suit: Suit, hand: Hand, trumps: Suit, partner: Shown, opponents: list[Shown]
) -> _Lead:
    length, top = len(cards), cards[0].rank
    score = 2.0
    own_trumps = hand.suit(trumps)
    if length == 1:
        # A ruff only gains with trumps that would not take tricks anyway.
        ruffs = 1 <= len(own_trumps) <= 4 and not (own_trumps[0].rank in (12, 13) and len(own_trumps) <= 3)
        score += 2.5 if ruffs else -0.5
    elif length == 2:
        score += 0.6 if top < 11 else -1.2
    if length >= 2 and top == _ACE:
        score += 3.0 if cards[1].rank == 13 else -3.5
    elif length >= 2 and _sequence(cards) >= 2:
        score += 1.4 + 0.8 * min(_sequence(cards) - 1, 2) + (0.5 if top == 13 else 0.0)
    elif length >= 3:
        score += {13: -0.6, 12: 0.0, 11: 0.1}.get(top, 0.6)
    score -= 0.45 * _bid_by_opponents(suit, opponents)
    if partner.lengths[suit].low >= 4:
        score += 0.8 * partner.lengths[suit].low - (0.0 if top != _ACE or length == 1 else -2.0)
    return _Lead(score, suit_card(cards))
