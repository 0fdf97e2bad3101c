"""What a defender leads after the first trick."""

from typing import Final

from tourney.bots.basic.play.layout import Table, lowest, of_suit
from tourney.bots.basic.play.opening_lead import notrump_card, suit_card
from tourney.bots.temperament import Temper
from tourney.bridge import Card, Suit

_CASH: Final = 50.0
_WHIM: Final = 0.4
"""How far taste may move the score of a lead."""


def defender_lead(table: Table, temper: Temper) -> Card:
    """Cash what breaks the contract, give partner a ruff, go on with the side's suit, else do no harm."""
    best: tuple[float, Card] | None = None
    for suit in reversed(Suit):
        cards = of_suit(table.legal, suit)
        if not cards:
            continue
        score, card = _lead(table, suit, cards)
        score += _WHIM * temper.whim(f"defence {suit.letter}")
        if best is None or score > best[0]:
            best = (score, card)
    assert best is not None
    return best[1]


def _lead(table: Table, suit: Suit, cards: list[Card]) -> tuple[float, Card]:
    winners = [card for card in cards if table.is_winner(card) and not _declarer_ruffs(table, suit)]
    if winners and _cashes_out(table):
        return _CASH + len(winners), winners[0]
    score = 0.0
    if suit is table.trumps:
        score += _trump_score(table, cards)
    else:
        score += _side_suit_score(table, suit, cards)
    if winners:
        # at notrump a long suit that is high is run; elsewhere an ace waits for a picture to fall on
        runs = table.trumps is None and len(winners) >= 2
        score += 4.0 if runs else 1.5 if table.trumps is not None else 0.0
        return score, winners[0]
    return score, _card(table, suit, tuple(cards))


def _cashes_out(table: Table) -> bool:
    """Whether the winners of this hand alone are enough to break the contract, or the end is near."""
    count = 0
    for suit in Suit:
        if not _declarer_ruffs(table, suit):
            count += sum(table.is_winner(card) for card in of_suit(table.legal, suit))
    return count > 0 and (0 < table.tricks_wanted <= count or table.tricks_left <= 3)


def _declarer_ruffs(table: Table, suit: Suit) -> bool:
    if table.trumps is None or suit is table.trumps:
        return False
    return table.opponents_may_ruff(suit)


def _side_suit_score(table: Table, suit: Suit, cards: list[Card]) -> float:
    declarer, dummy = table.contract.declarer, table.contract.dummy
    score = 0.3 * len(cards) if table.trumps is None else 0.0
    trumps = table.trumps
    if trumps is not None:
        if suit in table.voids[table.partner] and table.may_hold(table.partner, trumps):
            score += 5.0
        both_out = not table.may_hold(declarer, suit) and not table.may_hold(dummy, suit)
        if both_out:
            score -= 6.0  # a ruff in one hand and a discard from the other
        elif not table.ranks(dummy, suit) and table.ranks(dummy, trumps):
            score -= 2.0
    score += _history_score(table, suit)
    in_dummy = table.ranks(dummy, suit)
    honours = sum(rank >= 11 for rank in in_dummy)
    if table.seat.next is dummy:
        score += 1.0 if honours in (1, 2) else 0.0
    else:
        score += 2.0 if honours == 0 and in_dummy else -1.5 * honours
    return score + _holding_score(table, cards)


def _history_score(table: Table, suit: Suit) -> float:
    """What the side began is gone on with."""
    score = 0.0
    for trick in table.tricks:
        if trick.cards[0].suit is not suit:
            continue
        if trick.leader is table.partner:
            score += 2.0
        elif trick.leader is table.seat:
            score += 1.0 if table.trumps is None else 0.4
        else:
            score -= 1.5
    return max(-3.0, min(score, 3.5 if table.trumps is None else 2.5))


def _holding_score(table: Table, cards: list[Card]) -> float:
    top = cards[0].rank
    against = table.against(cards[0].suit)
    higher = sum(rank > top for rank in against)
    touching = len(cards) >= 2 and not any(cards[1].rank < rank < top for rank in against)
    if top >= 10 and touching:
        return 1.5
    if higher == 0:
        return -0.5 if table.trumps is None else -1.0
    if top >= 11 and higher == 1:
        return -1.5  # a king or its like wants to be led up to
    return -0.5 if top >= 11 else 0.5


def _trump_score(table: Table, cards: list[Card]) -> float:
    """Trumps are led to stop ruffs in dummy, seldom otherwise."""
    dummy, trumps = table.contract.dummy, table.contract.strain.trumps
    assert trumps is not None
    short = any(len(table.ranks(dummy, suit)) <= 1 for suit in Suit if suit is not trumps)
    score = 0.5 if short and table.ranks(dummy, trumps) else -1.5
    return score - (1.5 if 11 <= cards[0].rank <= 13 else 0.0)


def _card(table: Table, suit: Suit, cards: tuple[Card, ...]) -> Card:
    against = table.against(suit)
    if len(cards) >= 2 and cards[0].rank >= 10 and not any(cards[1].rank < r < cards[0].rank for r in against):
        return cards[0]
    if len(cards) == 2 and cards[0].rank < 13:
        return cards[0]
    if any(trick.cards[0].suit is suit for trick in table.tricks):
        return lowest(cards)
    return notrump_card(cards) if table.trumps is None else suit_card(cards)
