"""What declarer leads, from its own hand or dummy's."""

from typing import Final

from tourney.bots.basic.play.layout import Table, highest, lowest, of_suit
from tourney.bridge import Card, Suit

_LOW: Final = 9
"""The highest card that is led as a small one."""


def declarer_lead(table: Table) -> Card:
    """Draw trumps, then set up the best suit, ruff losers, cash what is high."""
    trumps = table.trumps
    if trumps is not None:
        out = table.outstanding(trumps)
        own, other = table.ranks(table.seat, trumps), table.ranks(table.partner, trumps)
        if out and _should_draw(table, out, own, other):
            if own:
                return lead_in_suit(table, trumps)
            crossing = _cross(table, skip=trumps)
            if crossing is not None and other:
                return crossing
    return _suit_plan(table)


def _should_draw(table: Table, out: list[int], own: list[int], other: list[int]) -> bool:
    """While the opponents have trumps, unless all they have is the highest."""
    ours = own + other
    if not ours:
        return False
    if len(out) == 1 and out[0] > max(ours):
        return False
    # two high trumps against weak ones would leave the side without control
    return max(len(own), len(other)) >= (len(out) + 1) // 2 or table.tricks_left <= 4


def _loser_to_ruff(table: Table) -> Card | None:
    """A loser that the other hand will ruff, once the opponents' trumps are drawn."""
    trumps = table.trumps
    if trumps is None or table.outstanding(trumps) or not table.ranks(table.partner, trumps):
        return None
    for suit in Suit:
        if suit is trumps or table.ranks(table.partner, suit):
            continue
        losers = [card for card in of_suit(table.legal, suit) if not table.is_winner(card)]
        if losers:
            return lowest(losers)
    return None


def _suit_plan(table: Table) -> Card:
    """Cash when there are enough tricks or none to lose, else work on the suit that promises most."""
    sure = sum(table.winners(suit) for suit in Suit)
    wanted = max(table.tricks_wanted, 1)
    in_danger = table.trumps is None and sure == wanted - 1 and _runs_of_opponents(table) > table.tricks_left - wanted
    cashing = _cash(table)
    if cashing is not None and (sure >= min(table.tricks_left, wanted) or in_danger):
        return cashing
    return _best_suit(table) or _loser_to_ruff(table) or cashing or _exit(table)


def _runs_of_opponents(table: Table) -> int:
    """Tricks the opponents may take at notrump once they are in, in suits that are not stopped."""
    count = 0
    for suit in Suit:
        out = table.outstanding(suit)
        own, other = table.ranks(table.seat, suit), table.ranks(table.partner, suit)
        best = max([*own, *other], default=0)
        if sum(rank > best for rank in out) >= max(len(own), len(other), 1):
            count += (len(out) + 1) // 2 + 1  # the longer of two hands among which they lie
    return count


def _cash(table: Table) -> Card | None:
    """A winner of the leading hand, or a small card to a winner in the other, the suit with most of them first."""
    best: tuple[float, Card] | None = None
    for suit in Suit:
        cards = of_suit(table.legal, suit)
        if not cards or (suit is table.trumps and not table.outstanding(suit)):
            continue
        if table.opponents_may_ruff(suit):
            continue
        own_winners = [card for card in cards if table.is_winner(card)]
        other = table.ranks(table.partner, suit)
        against = table.against(suit)
        other_wins = bool(other) and other[0] > max(against, default=0)
        if not own_winners and not other_wins:
            continue
        score = float(table.winners(suit)) - 0.5 * len(against) / 4
        if own_winners and len(cards) <= len(other):
            card = own_winners[0]  # unblock
        elif other_wins and other and len(other) <= len(cards) and cards[-1].rank < other[0]:
            card = cards[-1]
        else:
            card = own_winners[0] if own_winners else cards[-1]
        if best is None or score > best[0]:
            best = (score, card)
    return best[1] if best is not None else None


def _best_suit(table: Table) -> Card | None:
    """Lead in the suit where work brings most extra tricks for fewest lost."""
    best: tuple[float, Suit] | None = None
    for suit in Suit:
        if suit is table.trumps or not of_suit(table.legal, suit):
            continue
        score = _promise(table, suit)
        if score > 0 and (best is None or score > best[0]):
            best = (score, suit)
    if best is None:
        return None
    suit = best[1]
    if _better_from_other_hand(table, suit):
        crossing = _cross(table, skip=suit)
        if crossing is not None:
            return crossing
    return lead_in_suit(table, suit)


def _promise(table: Table, suit: Suit) -> float:
    """Extra tricks a suit may bring by force or by a finesse, less the cost of losing the lead."""
    own, other = table.ranks(table.seat, suit), table.ranks(table.partner, suit)
    against = table.outstanding(suit)
    longest = max(len(own), len(other))
    if not against or table.opponents_may_ruff(suit):
        return 0.0
    ours = sorted(own + other, reverse=True)
    rounds = 0
    top_losers = 0
    remaining = list(against)
    stack = list(ours)
    while stack and remaining and rounds < longest:
        rounds += 1
        if stack[0] > remaining[0]:
            stack.pop(0)
        else:
            top_losers += 1
            stack.pop()
            remaining.pop(0)
        remaining = remaining[: max(0, len(remaining) - 1)] if remaining else remaining
    extra = longest - table.winners(suit) - top_losers
    if extra <= 0:
        return 0.0
    safe = 1.0 if ours[0] >= 11 or len(ours) >= 8 else 0.3
    return safe * (extra - 0.4 * top_losers + 0.1 * len(ours))


def _better_from_other_hand(table: Table, suit: Suit) -> bool:
    """At notrump, whether this hand holds the tenace that wants to be led up to."""
    if table.trumps is not None:
        return False  # an entry is worth more there than the finesse
    own, other, against = table.ranks(table.seat, suit), table.ranks(table.partner, suit), table.outstanding(suit)
    if not own or not other or len(against) < 2:
        return False
    if has_tenace(own, against) and not has_tenace(other, against) and other[0] < against[0]:
        return True
    # A-x-x here and Q-J there with the king missing: the queen is to be led from there
    runs = against[0] > other[0] > against[1] and len(other) >= 2 and other[0] - other[1] <= 1
    return own[0] > against[0] and runs and len(against) >= 4


def has_tenace(ranks: list[int], against: list[int]) -> bool:
    """A card above and a card below one that is missing: AQ without the king; or a bare honour under one higher."""
    if not ranks or not against:
        return False
    for index, rank in enumerate(against[:2]):
        above = any(own > rank for own in ranks)
        following = against[index + 1] if index + 1 < len(against) else 0
        below = any(following < own < rank and own >= 10 for own in ranks)
        if below and (above or index == 0):
            return True
    return False


def _cross(table: Table, skip: Suit) -> Card | None:
    """A small card to a sure winner of the other hand in another suit."""
    for suit in Suit:
        if suit is skip or table.opponents_may_ruff(suit):
            continue
        cards, other = of_suit(table.legal, suit), table.ranks(table.partner, suit)
        against = table.outstanding(suit)
        if cards and other and other[0] > max(against, default=0) and cards[-1].rank < other[0]:
            return cards[-1]
    return None


def lead_in_suit(table: Table, suit: Suit) -> Card:
    """The card to lead when a suit is to be played from this hand."""
    cards = of_suit(table.legal, suit)
    own, other = table.ranks(table.seat, suit), table.ranks(table.partner, suit)
    against = table.outstanding(suit)
    if not against:
        return cards[0] if len(own) <= len(other) else cards[-1] if other and other[0] > own[-1] else cards[0]
    top = against[0]
    if other and has_tenace(other, against) and not own[0] > top:
        return _towards(cards, other, against)
    if own[0] > top:
        return _from_the_top(cards, other, top)
    if other and other[0] > top:
        return cards[-1] if not (len(cards) >= 2 and _is_sequence_lead(cards, against)) else cards[0]
    if _is_sequence_lead(cards, against):
        return cards[0]
    return cards[-1]


def _towards(cards: list[Card], other: list[int], against: list[int]) -> Card:
    """Low to the tenace, or an honour that can be let run when the next one stands beside it."""
    finessed = against[0] if other[0] > against[0] else 0
    if finessed and len(cards) >= 2:
        honours = [card for card in cards if 10 <= card.rank < finessed and sum(r > card.rank for r in against) == 1]
        backed = [card for card in honours if card.rank - 1 in {c.rank for c in cards} | set(other)]
        if backed:
            return backed[0]
    return cards[-1]


def _from_the_top(cards: list[Card], other: list[int], top: int) -> Card:
    """Cash the winner here, unless the other hand is the shorter and has one too."""
    if other and other[0] > top and len(other) < len(cards) and cards[-1].rank < other[0]:
        return cards[-1]
    return cards[0]


def _is_sequence_lead(cards: list[Card], against: list[int]) -> bool:
    """Two touching honours: lead the upper to force out what is higher."""
    if len(cards) < 2 or cards[0].rank < 10:
        return False
    return not any(cards[1].rank < rank < cards[0].rank for rank in against)


def _exit(table: Table) -> Card:
    """Nothing to gain: the smallest card of the suit with least in it, trumps last."""
    side = [card for card in table.legal if card.suit is not table.trumps]
    small = [card for card in side if card.rank <= _LOW]
    if small:
        return min(small, key=lambda card: (table.winners(card.suit), card.rank, card.suit))
    return lowest(side) if side else highest(table.legal)
