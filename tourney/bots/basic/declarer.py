"""Chooses what declarer leads, from its own hand or from dummy."""

from operator import itemgetter
from typing import Final

from tourney.bots.basic.position import PlayPosition, count_above, is_sequence, lowest, of_suit
from tourney.bridge import Card, Suit

_LOW: Final = 9
"""The highest rank that counts as a small card."""


def declarer_lead(position: PlayPosition) -> Card:
    """Draw trumps, then establish the best suit, ruff losers, and cash winners."""
    trumps = position.trumps
    if trumps is not None:
        out = position.outstanding(trumps)
        own, other = position.both(trumps)
        if out and _should_draw(position, out, own, other):
            if own:
                return lead_in_suit(position, trumps)
            crossing = _cross(position, skip=trumps)
            if crossing is not None:
                return crossing
    return _suit_plan(position)


def _should_draw(position: PlayPosition, out: list[int], own: list[int], other: list[int]) -> bool:
    """Tell whether to draw trumps: while the opponents have any, unless all they have is the highest."""
    ours = own + other
    if not ours:
        return False
    if len(out) == 1 and out[0] > max(ours):
        return False
    # Drawing with too few trumps would leave the side without control.
    return max(len(own), len(other)) >= (len(out) + 1) // 2 or position.tricks_left <= 4


def _loser_to_ruff(position: PlayPosition) -> Card | None:
    """Return a loser for the other hand to ruff, once the opponents' trumps are drawn."""
    trumps = position.trumps
    if position.outstanding(trumps) or not position.ranks(position.partner, trumps):
        return None
    for suit in Suit:
        if position.ranks(position.partner, suit):
            continue
        losers = [card for card in of_suit(position.legal, suit) if not position.is_winner(card)]
        if losers:
            return lowest(losers)
    return None


def _suit_plan(position: PlayPosition) -> Card:
    """Cash if there are enough tricks or none may be lost, else develop the suit that promises most."""
    sure = sum(position.winners(suit) for suit in Suit)
    wanted = position.tricks_wanted
    in_danger = (
        position.trumps is None
        and sure == wanted - 1
        and _runs_of_opponents(position) > position.tricks_left - wanted
    )
    cashing = _cash(position)
    if cashing is not None and (sure >= min(position.tricks_left, wanted) or in_danger):
        return cashing
    return _best_suit(position) or _loser_to_ruff(position) or cashing or _exit(position)


def _runs_of_opponents(position: PlayPosition) -> int:
    """Count the tricks the opponents may take at notrump once they are in, in suits that are not stopped."""
    count = 0
    for suit in Suit:
        out = position.outstanding(suit)
        own, other = position.both(suit)
        best = max([*own, *other], default=0)
        if count_above(best, out) >= max(len(own), len(other), 1):
            count += (len(out) + 1) // 2 + 1  # the longer of their two holdings
    return count


def _cash(position: PlayPosition) -> Card | None:
    """Return a winner, or a small card to a winner in the other hand, from the suit with most of them."""
    found: list[tuple[float, Card]] = []
    for suit in Suit:
        cards = of_suit(position.legal, suit)
        against = position.outstanding(suit)
        if not cards or (suit is position.trumps and not against) or position.opponents_may_ruff(suit):
            continue
        other, top = position.ranks(position.partner, suit), max(against, default=0)
        if max([cards[0].rank, *other]) > top:
            card = _from_the_top(cards, other, top) if cards[0].rank > top else cards[-1]
            found.append((position.winners(suit) - len(against) / 8, card))
    return max(found, key=itemgetter(0))[1] if found else None


def _best_suit(position: PlayPosition) -> Card | None:
    """Lead the suit that can be developed for most extra tricks at least cost."""
    suits = [suit for suit in Suit if suit is not position.trumps and of_suit(position.legal, suit)]
    gains = {suit: _expected_gain(position, suit) for suit in suits}
    suit = max(gains, key=gains.__getitem__, default=None)
    if suit is None or gains[suit] <= 0:
        return None
    if _better_from_other_hand(position, suit):
        crossing = _cross(position, skip=suit)
        if crossing is not None:
            return crossing
    return lead_in_suit(position, suit)


def _expected_gain(position: PlayPosition, suit: Suit) -> float:
    """Estimate the extra tricks in a suit, by force or by a finesse, less the cost of losing the lead."""
    own, other = position.both(suit)
    against = position.outstanding(suit)
    longest = max(len(own), len(other))
    if position.opponents_may_ruff(suit):
        return 0.0
    ours = sorted(own + other, reverse=True)
    top_losers = 0
    stack, remaining = ours, against
    for _ in range(longest):
        if not remaining:
            break
        if stack[0] > remaining[0]:
            stack, remaining = stack[1:], remaining[:-1]
        else:
            top_losers += 1
            stack, remaining = stack[:-1], remaining[1:-1]
    extra = longest - position.winners(suit) - top_losers
    if extra <= 0:
        return 0.0
    safe = 1.0 if ours[0] >= 11 or len(ours) >= 8 else 0.3
    return safe * (extra - 0.4 * top_losers + 0.1 * len(ours))


def _better_from_other_hand(position: PlayPosition, suit: Suit) -> bool:
    """Tell whether, at notrump, this hand holds the tenace, so that the suit should be led from the other."""
    if position.trumps is not None:
        return False  # in a suit contract the entry is worth more than the finesse
    (own, other), against = position.both(suit), position.outstanding(suit)
    if not other or len(against) < 2:
        return False
    if has_tenace(own, against) and not has_tenace(other, against) and other[0] < against[0]:
        return True
    # With A-x-x here and Q-J there, the king missing, the queen should be led from there.
    runs = against[0] > other[0] > against[1] and len(other) >= 2 and other[0] - other[1] <= 1
    return own[0] > against[0] and runs and len(against) >= 4


def has_tenace(ranks: list[int], against: list[int]) -> bool:
    """Tell whether a missing card lies just above a held ten or honour, as the king does above AQ or Qx."""
    for index, rank in enumerate(against[:2]):
        above = any(own > rank for own in ranks)
        following = against[index + 1] if index + 1 < len(against) else 0
        below = any(following < own < rank and own >= 10 for own in ranks)
        if below and (above or index == 0):
            return True
    return False


def _cross(position: PlayPosition, skip: Suit) -> Card | None:
    """Return a small card to a sure winner of the other hand in another suit."""
    for suit in Suit:
        if suit is skip or position.opponents_may_ruff(suit):
            continue
        cards, other = of_suit(position.legal, suit), position.ranks(position.partner, suit)
        against = position.outstanding(suit)
        if cards and other and other[0] > max(against, default=0) and cards[-1].rank < other[0]:
            return cards[-1]
    return None


def lead_in_suit(position: PlayPosition, suit: Suit) -> Card:
    """Choose the card to lead from a suit in this hand."""
    cards = of_suit(position.legal, suit)
    own, other = position.both(suit)
    against = position.outstanding(suit)
    top = max(against, default=0)
    if own[0] < top and has_tenace(other, against):
        return _towards(cards, other, against)
    if own[0] > top:
        return _from_the_top(cards, other, top)
    return cards[0] if is_sequence(cards, against) else cards[-1]


def _towards(cards: list[Card], other: list[int], against: list[int]) -> Card:
    """Lead low to the tenace, or an honour to run if the next lower one backs it up."""
    finessed = against[0] if other[0] > against[0] else 0
    honours = [card for card in cards if 10 <= card.rank < finessed and count_above(card.rank, against) == 1]
    backed = [card for card in honours if card.rank - 1 in {c.rank for c in cards} | set(other)]
    return backed[0] if backed else cards[-1]


def _from_the_top(cards: list[Card], other: list[int], top: int) -> Card:
    """Cash the winner here, unless the other hand is shorter and has one too."""
    if other and other[0] > top and len(other) < len(cards) and cards[-1].rank < other[0]:
        return cards[-1]
    return cards[0]


def _exit(position: PlayPosition) -> Card:
    """Lead the smallest card of the suit with least to lose, trumps last."""
    side = [card for card in position.legal if card.suit is not position.trumps]
    small = [card for card in side if card.rank <= _LOW]
    if small:
        return min(small, key=lambda card: (position.winners(card.suit), card.rank, card.suit))
    return lowest(side) if side else position.legal[0]
