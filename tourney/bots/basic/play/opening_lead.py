"""The opening lead: partner's suit, the top of a sequence, a singleton, the fourth best of the longest suit."""

from typing import Final, NamedTuple

from tourney.bots.basic.bidding.inference import read_auction
from tourney.bots.basic.bidding.meaning import Shown
from tourney.bots.temperament import Temper
from tourney.bridge import Card, Hand, PlayerView, Suit


class _Lead(NamedTuple):
    score: float
    card: Card


_ACE: Final = 14
_WHIM: Final = 0.4
"""How far taste may move the score of a lead; what makes a lead good or bad counts 1 and more."""
_TEN: Final = 10


def opening_lead(view: PlayerView, temper: Temper) -> Card:
    """A card to lead to the first trick."""
    assert view.contract is not None
    shown = read_auction(view).shown
    trumps = view.contract.strain.trumps
    partner = shown[view.seat.partner]
    enemies = [shown[view.contract.declarer], shown[view.contract.dummy]]
    leads = []
    for suit in reversed(Suit):
        cards = view.hand.suit(suit)
        if not cards:
            continue
        if trumps is None:
            leads.append(_notrump_lead(cards, suit, partner, enemies))
        elif suit is trumps:
            leads.append(_trump_lead(cards))
        else:
            leads.append(_suit_lead(cards, suit, view.hand, trumps, partner, enemies))
    return max(leads, key=lambda lead: lead.score + _WHIM * temper.whim(f"lead {lead.card.suit.letter}")).card


def _bid_by_enemies(suit: Suit, enemies: list[Shown]) -> int:
    """The most cards an opponent has promised, when it is four or more; else 0."""
    most = max(enemy.lengths[suit].low for enemy in enemies)
    return most if most >= 4 else 0


def _notrump_lead(cards: tuple[Card, ...], suit: Suit, partner: Shown, enemies: list[Shown]) -> _Lead:
    length = len(cards)
    score = 2.0 * length + 0.4 * sum(card.rank >= 11 for card in cards)
    if length >= 3 and _sequence(cards) >= 2:
        score += 1.5
    if length >= 3 and _sequence(cards) >= 3:
        score += 1.0
    score -= 1.0 * _bid_by_enemies(suit, enemies)
    if suit >= Suit.HEARTS:
        score += 0.3  # opponents look for their majors first
    if partner.lengths[suit].low >= 4:
        score += 2.0 * partner.lengths[suit].low - 2
    return _Lead(score, notrump_card(cards, to_partner=partner.lengths[suit].low >= 4))


def notrump_card(cards: tuple[Card, ...], *, to_partner: bool = False) -> Card:
    """Top of a sequence of three, or of two and a near third; fourth best; the top of two or of nothing."""
    length = len(cards)
    if length <= 2:
        return cards[0]
    if cards[0].rank >= _TEN and _is_solid(cards):
        return cards[0]
    if _is_inner_sequence(cards):
        return cards[1]
    if length == 3:
        if to_partner and cards[0].rank < _TEN:
            return cards[0]
        return cards[2] if cards[0].rank >= _TEN else cards[0]
    if cards[0].rank < _TEN:
        return cards[1]
    return cards[3]


def _is_solid(cards: tuple[Card, ...]) -> bool:
    """KQJ, QJ10, KQ10, QJ9 and the like, or AKQ; AK alone of four is no sequence against notrump."""
    first, second, third = (card.rank for card in cards[:3])
    return first - second == 1 and second - third <= 2


def _is_inner_sequence(cards: tuple[Card, ...]) -> bool:
    """KJ10 or Q109."""
    first, second, third = (card.rank for card in cards[:3])
    return first in (13, 12) and first - second == 2 and second - third == 1


def _sequence(cards: tuple[Card, ...]) -> int:
    """How many touching cards a suit is headed by, from the ten up."""
    count = 1
    while count < len(cards) and cards[count - 1].rank - cards[count].rank == 1 and cards[count].rank >= 9:
        count += 1
    return count if cards[0].rank >= _TEN else 0


def _trump_lead(cards: tuple[Card, ...]) -> _Lead:
    """Passive: never from an honour that may make a trick by itself."""
    risk = 3.0 if any(card.rank >= 11 for card in cards) else 0.0
    if len(cards) == 1:
        risk += 1.5
    return _Lead(2.2 - risk, cards[-1])


def _suit_lead(
    cards: tuple[Card, ...], suit: Suit, hand: Hand, trumps: Suit, partner: Shown, enemies: list[Shown]
) -> _Lead:
    length, top = len(cards), cards[0].rank
    score = 2.0
    own_trumps = hand.suit(trumps)
    if length == 1:
        # a ruff needs trumps that would not take tricks anyway
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
    score -= 0.45 * _bid_by_enemies(suit, enemies)
    if partner.lengths[suit].low >= 4:
        score += 0.8 * partner.lengths[suit].low - (0.0 if top != _ACE or length == 1 else -2.0)
    return _Lead(score, suit_card(cards))


def suit_card(cards: tuple[Card, ...]) -> Card:
    """Against a trump contract: ace from an ace, top of touching honours, top of two, else third or fourth best."""
    length = len(cards)
    if length <= 2 or cards[0].rank == _ACE or _sequence(cards) >= 2:
        return cards[0]
    if _is_inner_sequence(cards):
        return cards[1]
    if length == 3:
        return cards[2] if cards[0].rank >= _TEN else cards[0]
    if cards[0].rank < _TEN:
        return cards[1]
    return cards[3]
