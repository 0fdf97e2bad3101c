"""Chooses the second, third and fourth card of a trick: following suit, ruffing and discarding."""

import itertools
from typing import Final

from tourney.bots.basic.position import PlayPosition, count_above, of_suit
from tourney.bridge import Card, Suit

_HOLD_UP_ROUNDS: Final = 2
"""How many rounds declarer holds up a single stopper at notrump."""


def follow(position: PlayPosition) -> Card:
    """Choose a card to a trick that has been led to."""
    led, beating = position.first.suit, position.beating
    if position.legal[0].suit is not led:
        return _out_of_suit(position)
    if not beating:
        return position.low
    match len(position.trick.cards):
        case 1:
            card = _second(position, led, beating)
        case 2:
            card = _third(position, led, beating)
        case _:
            card = position.low if position.partner_holds or _holds_up(position, led) else beating[0]
    return _cheapest_equal(position, card)


def _cheapest_equal(position: PlayPosition, card: Card) -> Card:
    """Return the lowest card equivalent to `card`: no other hand holds a card between the two."""
    others = [*position.hidden, *position.trick.cards]
    for seat, held in position.held.items():
        if seat is not position.seat:
            others += held
    floor = max((each.rank for each in others if each.suit is card.suit and each.rank < card.rank), default=0)
    return [each for each in of_suit(position.legal, card.suit) if floor < each.rank <= card.rank][-1]


def _sure(position: PlayPosition, cards: list[Card]) -> list[Card]:
    """Select the cards that no opponent who plays later can beat."""
    return [card for card in cards if not position.can_be_beaten(card)]


def _second(position: PlayPosition, led: Suit, beating: list[Card]) -> Card:
    sure = _sure(position, beating)
    if position.declares:
        return _second_of_declarer(position, led, beating, sure)
    if sure and (position.tricks_wanted == 1 or position.tricks_left <= 2):
        return sure[0]
    return _cover(position, led, beating) or position.low


def _second_of_declarer(position: PlayPosition, led: Suit, beating: list[Card], sure: list[Card]) -> Card:
    """Play low, unless the other hand cannot take the trick."""
    if _holds_up(position, led):
        return position.low
    other = position.ranks(position.partner, led)
    against = position.outstanding(led)
    top = max(against, default=0)
    if other and other[0] > max(top, position.best_so_far.rank):
        # The other hand can win the trick: play an honour only where it costs nothing.
        cheap = [card for card in beating if 9 < card.rank < other[0] and count_above(card.rank, against) <= 1]
        return cheap[0] if cheap and len(position.legal) > 2 else position.low
    if not other and position.ranks(position.partner, position.trumps):
        return sure[0] if sure and len(position.ranks(position.seat, led)) > 2 else position.low
    behind = position.still_to_play[0]
    if sure and led not in position.voids[behind] and position.first.rank < 10:
        near = [card for card in beating if card.rank >= 10 and count_above(card.rank, against) == 1]
        if near:
            return near[0]
    if sure:
        return sure[0]
    touching = [low for low, high in itertools.pairwise(beating) if low.rank >= 10 and high.rank == low.rank + 1]
    if touching and position.first.rank < 10:
        return touching[0]
    # K-x with the ace out
    if len(position.legal) == 2 and beating[-1].rank == top - 1 and position.first.rank < 10:
        return beating[-1]
    return position.low


def _cover(position: PlayPosition, led: Suit, beating: list[Card]) -> Card | None:
    """Cover an honour with an honour, but not the first of touching honours in dummy."""
    card = position.first
    if card.rank < 10:
        return None
    dummy = position.contract.dummy
    in_dummy = position.ranks(dummy, led)
    if position.seat.previous is dummy:
        if any(rank == card.rank - 1 for rank in in_dummy):
            return None
    elif not any(rank > card.rank for rank in in_dummy) or len(position.legal) > 3:
        return None  # an honour led from declarer's hand is covered only if dummy has a higher card
    if led is position.trumps and len(position.legal) > 2:
        return None
    return beating[0]


def _holds_up(position: PlayPosition, led: Suit) -> bool:
    """Tell whether declarer holds up: at notrump it keeps its only stopper, the ace, for the first rounds."""
    if not position.declares or position.trumps is not None:
        return False
    own, other = position.both(led)
    if not other or [rank for rank in (*own, *other) if rank >= 11] != [14]:
        return False
    rounds = sum(trick.cards[0].suit is led for trick in position.tricks)
    enough = sum(position.winners(suit) for suit in Suit) >= position.tricks_wanted
    ours = len(own + other)
    left = ours + len(position.outstanding(led))
    return not enough and rounds < _HOLD_UP_ROUNDS and ours <= 6 and left >= 4


def _third(position: PlayPosition, led: Suit, beating: list[Card]) -> Card:
    if position.declares:
        return _third_of_declarer(position, led, beating)
    last = position.still_to_play[0]
    if position.partner_holds and not position.can_be_beaten(position.best_so_far):
        return position.low
    sure = _sure(position, beating)
    if last in position.held:  # dummy plays last: play no higher than needed
        if position.partner_holds and not sure:
            return position.low
        return sure[0] if sure else _force(position, beating, led)
    if sure and position.tricks_wanted == 1:
        return sure[0]
    if (
        position.partner_holds
        and position.best_so_far.rank >= 11
        and beating[-1].rank - position.best_so_far.rank == 1
    ):
        return position.low  # partner's honour is as good as the next higher one
    return _over_dummy(position, led, beating) or beating[-1]


def _force(position: PlayPosition, beating: list[Card], led: Suit) -> Card:
    """Play an honour that forces dummy, which plays last, to use a higher one."""
    dummy_top = position.ranks(position.contract.dummy, led)[:1]
    useful = [card for card in beating if 9 <= card.rank <= 12]
    return useful[0] if useful and dummy_top and dummy_top[0] >= 12 else position.low


def _over_dummy(position: PlayPosition, led: Suit, beating: list[Card]) -> Card | None:
    """Keep the card that beats dummy's honour, and play the one below that honour."""
    top = beating[-1]
    for rank in position.ranks(position.contract.dummy, led):
        if rank < 11 or rank > top.rank:
            continue
        below = [card for card in beating if 10 <= card.rank < rank]
        if below:
            return below[-1]
    return None


def _third_of_declarer(position: PlayPosition, led: Suit, beating: list[Card]) -> Card:
    """Finesse against one missing card, win if that is certain, else play as high as is useful."""
    against = position.outstanding(led)
    best = position.best_so_far
    if position.partner_holds:
        if not position.can_be_beaten(best):
            return position.low
        if best.rank >= 10 and count_above(best.rank, against) == 1 and _finesses(position, led, against[0]):
            return position.low  # let it run
    sure = _sure(position, beating)
    for card in beating:
        is_next = count_above(card.rank, against) == 1
        if sure and is_next and 9 <= card.rank < sure[0].rank and _finesses(position, led, against[0]):
            return card
    if sure:
        return sure[0]
    near = [card for card in beating if count_above(card.rank, against) == 1]
    if near and near[0].rank >= 10:
        return near[0]
    return beating[-1] if beating[-1].rank >= 11 and len(against) > 3 else position.low


def _finesses(position: PlayPosition, suit: Suit, missing: int) -> bool:
    """Tell whether to finesse for a missing card rather than to play for its drop."""
    count = len(position.outstanding(suit))
    behind = position.still_to_play[0]
    before = behind.partner
    if not position.may_hold(before, suit):
        return False
    if suit in position.voids[behind]:
        return True
    limit = {14: 1, 13: 3, 12: 5}.get(missing, 6)
    # With so few cards out that the missing one is likelier to drop, do not finesse.
    return count >= limit


def _out_of_suit(position: PlayPosition) -> Card:
    """Ruff what partner does not win, or else discard."""
    rest, ruffs = [card for card in position.legal if card.suit is not position.trumps], position.beating
    if not rest:
        return ruffs[0] if ruffs and not position.partner_holds else position.low
    best = position.best_so_far
    is_won = position.partner_holds and (
        not position.can_be_beaten(best) or (best.rank >= 13 and not position.declares)
    )
    if not ruffs or is_won or _other_hand_wins(position):
        return _discard(position, rest)
    return (_sure(position, ruffs) or ruffs)[0]


def _other_hand_wins(position: PlayPosition) -> bool:
    """Tell whether partner's hand is in sight, still to play, and wins the trick with the highest card."""
    led = position.first.suit
    if position.partner not in position.still_to_play:
        return False
    own = position.ranks(position.partner, led)
    top = max([*position.outstanding(led), position.best_so_far.rank if position.best_so_far.suit is led else 15])
    return bool(own) and own[0] > top and position.may_hold(position.seat.next, led)


def _discard(position: PlayPosition, cards: list[Card]) -> Card:
    """Choose the card whose loss costs least; `cards` are those to choose from, at least one."""
    return min(cards, key=lambda card: (_discard_cost(position, card), card.rank, card.suit))


def _discard_cost(position: PlayPosition, card: Card) -> float:
    suit = card.suit
    own = position.ranks(position.seat, suit)
    cost = card.rank / 2
    if position.is_winner(card):
        cost += 40
    if card.rank == own[-1]:
        cost += _guard_value(position, suit, own)
    else:
        cost += 6  # the smallest card of a suit goes first
    if position.declares:
        return cost + _value_to_declarer(position, suit, own)
    return cost + _value_to_defender(position, suit, own)


def _guard_value(position: PlayPosition, suit: Suit, own: list[int]) -> float:
    """Value the small cards that guard an honour."""
    against = position.against(suit)
    above = count_above(own[0], against)
    # An honour with `above` higher cards out takes a trick as long as that many small cards guard it.
    return 25.0 if own[0] >= 11 and 0 < above == len(own) - 1 else 0.0


def _value_to_declarer(position: PlayPosition, suit: Suit, own: list[int]) -> float:
    partner = position.ranks(position.partner, suit)
    if not position.outstanding(suit):
        return 15.0  # every card left takes a trick
    if len(own) > len(partner) and len(own) >= 4:
        return 8.0
    return 0.0 if partner else 2.0


def _value_to_defender(position: PlayPosition, suit: Suit, own: list[int]) -> float:
    """Value the card to a defender, who keeps as many cards of a suit as dummy if dummy may run it."""
    dummy = position.ranks(position.contract.dummy, suit)
    keeps = len(dummy) >= 3 and len(own) <= len(dummy) and own[0] >= 9
    return 12.0 if keeps else 0.0
