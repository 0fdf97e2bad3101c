"""Chooses what a defender leads: the opening lead, and what comes after the first trick.

The opening lead is partner's suit, the top of a sequence, a singleton, or the fourth best of the longest suit.
"""

from typing import Final, NamedTuple

from tourney.bots.basic.bidder import read_auction
from tourney.bots.basic.meaning import Shown
from tourney.bots.basic.position import PlayPosition, count_above, is_sequence, lowest, of_suit
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
    return _best_of(leads, "lead", variation)


def _best_of(leads: list[_Lead], subject: str, variation: Variation) -> Card:
    return max(
        leads, key=lambda lead: lead.score + _VARIATION * variation.of(f"{subject} {lead.card.suit.letter}")
    ).card


def _bid_by_opponents(suit: Suit, opponents: list[Shown]) -> int:
    """Return the most cards of a suit that an opponent has promised, or 0 if fewer than four."""
    most = max(opponent.lengths[suit].low for opponent in opponents)
    return most if most >= 4 else 0


def _notrump_lead(cards: tuple[Card, ...], suit: Suit, partner: Shown, opponents: list[Shown]) -> _Lead:
    length = len(cards)
    score = 2.0 * length + 0.4 * sum(card.rank >= 11 for card in cards)
    if length >= 3 and _sequence(cards) >= 2:
        score += 1.5
    if _sequence(cards) >= 3:
        score += 1.0
    score -= 1.0 * _bid_by_opponents(suit, opponents)
    if suit >= Suit.HEARTS:
        score += 0.3  # opponents look for their majors first
    if partner.lengths[suit].low >= 4:
        score += 2.0 * partner.lengths[suit].low - 2
    return _Lead(score, notrump_card(cards))


_SOLID: Final = ((1, 1), (1, 2))
"""The gaps of sequences such as KQJ, KQ10 and QJ9; AK alone is none against notrump."""


def notrump_card(cards: tuple[Card, ...]) -> Card:
    """Choose a card of a suit against notrump: the top of a sequence or of small cards, else the fourth best."""
    if len(cards) <= 2 or (cards[0].rank >= _TEN and _gaps(cards) in _SOLID):
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
    if cards[0].rank in (13, 12) and _gaps(cards) == (2, 1):  # headed by KJ10 or Q109
        return cards[1]
    if cards[0].rank < _TEN:
        return cards[0 if len(cards) == 3 else 1]
    return cards[2 if len(cards) == 3 else 3]


def _gaps(cards: tuple[Card, ...]) -> tuple[int, int]:
    """Return by how much the first three cards of a suit differ."""
    first, second, third = (card.rank for card in cards[:3])
    return first - second, second - third


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
    elif _sequence(cards) >= 2:
        score += 1.4 + 0.8 * min(_sequence(cards) - 1, 2) + (0.5 if top == 13 else 0.0)
    elif length >= 3:
        score += {13: -0.6, 12: 0.0, 11: 0.1}.get(top, 0.6)
    score -= 0.45 * _bid_by_opponents(suit, opponents)
    if partner.lengths[suit].low >= 4:
        score += 0.8 * partner.lengths[suit].low + (2.0 if top == _ACE and length > 1 else 0.0)
    return _Lead(score, suit_card(cards))


_CASH: Final = 50.0


def defender_lead(position: PlayPosition, variation: Variation) -> Card:
    """Cash what defeats the contract, give partner a ruff, continue the side's suit, or else lead a safe card."""
    suits = [(suit, of_suit(position.legal, suit)) for suit in reversed(Suit)]
    leads = [_lead(position, suit, cards) for suit, cards in suits if cards]
    return _best_of(leads, "defence", variation)


def _lead(position: PlayPosition, suit: Suit, cards: list[Card]) -> _Lead:
    winners = [card for card in cards if position.is_winner(card) and not position.opponents_may_ruff(suit)]
    if winners and _cashes_out(position):
        return _Lead(_CASH + len(winners), winners[0])
    is_trump = suit is position.trumps
    score = _trump_score(position, cards) if is_trump else _side_suit_score(position, suit, cards)
    if winners:
        # At notrump an established suit is run; otherwise an ace is kept to capture an honour.
        runs = position.trumps is None and len(winners) >= 2
        score += 4.0 if runs else 1.5 if position.trumps is not None else 0.0
        return _Lead(score, winners[0])
    return _Lead(score, _card(position, suit, tuple(cards)))


def _cashes_out(position: PlayPosition) -> bool:
    """Tell whether this hand's winners alone defeat the contract, or the end is near."""
    count = sum(position.is_winner(card) and not position.opponents_may_ruff(card.suit) for card in position.legal)
    return count > 0 and (0 < position.tricks_wanted <= count or position.tricks_left <= 3)


def _side_suit_score(position: PlayPosition, suit: Suit, cards: list[Card]) -> float:
    declarer, dummy = position.contract.declarer, position.contract.dummy
    score = 0.3 * len(cards) if position.trumps is None else 0.0
    trumps = position.trumps
    if trumps is not None:
        if not position.may_hold(position.partner, suit) and position.may_hold(position.partner, trumps):
            score += 5.0
        if not position.may_hold(declarer, suit) and not position.may_hold(dummy, suit):
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
    higher = count_above(top, against)
    if is_sequence(cards, against):
        return 1.5
    if higher == 0:
        return -0.5 if position.trumps is None else -1.0
    if top >= 11 and higher == 1:
        return -1.5  # a king should be led up to
    return -0.5 if top >= 11 else 0.5


def _trump_score(position: PlayPosition, cards: list[Card]) -> float:
    """Score a trump lead: it stops ruffs in dummy, and seldom gains otherwise."""
    dummy, trumps = position.contract.dummy, cards[0].suit
    short = any(len(position.ranks(dummy, suit)) <= 1 for suit in Suit if suit is not trumps)
    score = 0.5 if short and position.ranks(dummy, trumps) else -1.5
    return score - (1.5 if 11 <= cards[0].rank <= 13 else 0.0)


def _card(position: PlayPosition, suit: Suit, cards: tuple[Card, ...]) -> Card:
    if is_sequence(cards, position.against(suit)) or (len(cards) == 2 and cards[0].rank < 13):
        return cards[0]
    if any(trick.cards[0].suit is suit for trick in position.tricks):
        return lowest(cards)
    return notrump_card(cards) if position.trumps is None else suit_card(cards)
