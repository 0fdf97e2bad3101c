"""The second, third and fourth card of a trick."""

import itertools
from typing import Final

from tourney.bots.basic.play.discards import discard
from tourney.bots.basic.play.layout import Table, highest, lowest, of_suit
from tourney.bridge import Card, Suit

_HOLD_UP_ROUNDS: Final = 2
"""A single stopper at notrump is kept back for so many rounds."""


def follow(table: Table) -> Card:
    """A card to a trick that has been led to."""
    led = table.trick.cards[0].suit
    if table.legal[0].suit is not led:
        return _out_of_suit(table)
    if len(table.legal) == 1:
        return table.legal[0]
    if not any(table.beats(card) for card in table.legal):
        return lowest(table.legal)
    match len(table.trick.cards):
        case 1:
            card = _second(table, led)
        case 2:
            card = _third(table, led)
        case _:
            card = _fourth(table, led)
    return _cheapest_equal(table, card)


def _cheapest_equal(table: Table, card: Card) -> Card:
    """The lowest own card that does the same: nobody else holds a card between the two."""
    others = set(table.outstanding(card.suit))
    for seat, held in table.held.items():
        if seat is not table.seat:
            others |= {each.rank for each in held if each.suit is card.suit}
    others |= {each.rank for each in table.trick.cards if each.suit is card.suit}
    best = card
    for other in of_suit(table.legal, card.suit):
        if other.rank < best.rank and not any(other.rank < rank < best.rank for rank in others):
            best = other
    return best


def _beating(table: Table) -> list[Card]:
    """The legal cards that would hold the trick, lowest first."""
    return sorted((card for card in table.legal if table.beats(card)), key=lambda card: card.rank)


def _fourth(table: Table, led: Suit) -> Card:
    if table.partner_holds or _holds_up(table, led):
        return lowest(table.legal)
    return _beating(table)[0]


def _second(table: Table, led: Suit) -> Card:
    beating = _beating(table)
    sure = [card for card in beating if not table.can_be_beaten(card)]
    if table.declares:
        return _second_of_declarer(table, led, beating, sure)
    if sure and (table.tricks_wanted == 1 or table.tricks_left <= 2):
        return sure[0]
    return _cover(table, led, beating) or lowest(table.legal)


def _second_of_declarer(table: Table, led: Suit, beating: list[Card], sure: list[Card]) -> Card:
    """Low, unless the other hand cannot take the trick."""
    if _holds_up(table, led):
        return lowest(table.legal)
    other = table.ranks(table.partner, led)
    against = table.outstanding(led)
    top = max(against, default=0)
    if other and other[0] > max(top, table.best_so_far.rank):
        # the other hand wins behind: put in an honour only where it costs nothing
        cheap = [card for card in beating if 9 < card.rank < other[0] and sum(r > card.rank for r in against) <= 1]
        return cheap[0] if cheap and len(table.legal) > 2 else lowest(table.legal)
    if not other and table.trumps is not None and table.ranks(table.partner, table.trumps):
        return sure[0] if sure and len(table.ranks(table.seat, led)) > 2 else lowest(table.legal)
    behind = table.still_to_play[0]
    if sure and led not in table.voids[behind] and table.trick.cards[0].rank < 10:
        near = [card for card in beating if card.rank >= 10 and sum(rank > card.rank for rank in against) == 1]
        if near and near[0].rank < sure[0].rank and len(table.legal) >= 2:
            return near[0]
    if sure:
        return sure[0]
    touching = [low for low, high in itertools.pairwise(beating) if low.rank >= 10 and high.rank == low.rank + 1]
    if touching and table.trick.cards[0].rank < 10:
        return touching[0]
    # K-x with the ace out, or an honour that the other hand backs up
    if len(table.legal) == 2 and beating and beating[-1].rank == top - 1 and table.trick.cards[0].rank < 10:
        return beating[-1]
    return lowest(table.legal)


def _cover(table: Table, led: Suit, beating: list[Card]) -> Card | None:
    """Cover an honour with an honour, but not the first of touching ones in dummy."""
    card = table.trick.cards[0]
    if card.rank < 10 or not beating or beating[0].rank < 11:
        return None
    dummy = table.contract.dummy
    in_dummy = table.ranks(dummy, led)
    if table.seat.previous is dummy:
        if any(rank == card.rank - 1 for rank in in_dummy):
            return None
    elif not any(rank > card.rank for rank in in_dummy) or len(table.legal) > 3:
        return None  # declarer led from its hand: only through a tenace in dummy
    if led is table.trumps and len(table.legal) > 2:
        return None
    return beating[0]


def _holds_up(table: Table, led: Suit) -> bool:
    """Declarer at notrump keeps its only stopper, the ace, until a defender may be out of the suit."""
    if not table.declares or table.trumps is not None or table.tricks_wanted <= 0:
        return False
    if table.trick.leader.side is table.seat.side:
        return False
    ours = sorted(table.ranks(table.seat, led) + table.ranks(table.partner, led), reverse=True)
    played = [card for trick in (*table.tricks, table.trick) for card in trick.cards if card.suit is led]
    if table.trick.winner(None) is table.partner:
        return True
    stoppers = [rank for rank in ours if rank >= 11]
    if stoppers[:1] != [14] or len(stoppers) > 1:
        return False
    rounds = sum(trick.cards[0].suit is led for trick in table.tricks)
    spare = sum(table.winners(suit) for suit in Suit)
    fewest = min(len(of_suit(table.held[table.seat], led)), len(of_suit(table.held[table.partner], led)))
    enough = spare >= table.tricks_wanted
    return not enough and rounds < _HOLD_UP_ROUNDS and len(played) <= 9 and fewest >= 1 and len(ours) <= 6


def _third(table: Table, led: Suit) -> Card:
    beating = _beating(table)
    if table.declares:
        return _third_of_declarer(table, led, beating)
    last = table.still_to_play[0]
    if table.partner_holds and not table.can_be_beaten(table.best_so_far):
        return lowest(table.legal)
    sure = [card for card in beating if not table.can_be_beaten(card)]
    if last in table.held:  # dummy plays last: no more than needed
        if table.partner_holds and not sure:
            return lowest(table.legal)
        return sure[0] if sure else _force(table, beating, led)
    if sure and table.tricks_wanted == 1:
        return sure[0]
    if table.partner_holds and table.best_so_far.rank >= 11 and highest(beating).rank - table.best_so_far.rank == 1:
        return lowest(table.legal)  # partner's honour does what the next one would
    return _over_dummy(table, led, beating) or beating[-1]


def _force(table: Table, beating: list[Card], led: Suit) -> Card:
    """Make dummy, which plays last, spend an honour on a smaller one."""
    dummy_top = table.ranks(table.contract.dummy, led)[:1]
    useful = [card for card in beating if 9 <= card.rank <= 12]
    return useful[0] if useful and dummy_top and dummy_top[0] >= 12 else lowest(table.legal)


def _over_dummy(table: Table, led: Suit, beating: list[Card]) -> Card | None:
    """Keep the card that stands over dummy's honour, and put in the one below it."""
    top = beating[-1]
    for rank in table.ranks(table.contract.dummy, led):
        if rank < 11 or rank > top.rank:
            continue
        below = [card for card in beating if 10 <= card.rank < rank]
        if below and table.trick.cards[1].rank != rank:
            return below[-1]
    return None


def _third_of_declarer(table: Table, led: Suit, beating: list[Card]) -> Card:
    """Finesse against one missing card, take what is sure, else play as high as helps."""
    against = table.outstanding(led)
    best = table.best_so_far
    if table.partner_holds:
        higher = [rank for rank in against if rank > best.rank]
        if not table.can_be_beaten(best):
            return lowest(table.legal)
        if best.rank >= 10 and len(higher) == 1 and _finesses(table, led, higher[0]):
            return lowest(table.legal)  # let it run
    sure = [card for card in beating if not table.can_be_beaten(card)]
    for card in beating:
        above = [rank for rank in against if rank > card.rank]
        if (
            sure
            and len(above) == 1
            and card.rank >= 9
            and card.rank < sure[0].rank
            and _finesses(table, led, above[0])
        ):
            return card
    if sure:
        return sure[0]
    near = [card for card in beating if sum(rank > card.rank for rank in against) == 1]
    if near and near[0].rank >= 10:
        return near[0]
    return beating[-1] if beating[-1].rank >= 11 and len(against) > 3 else lowest(table.legal)


def _finesses(table: Table, suit: Suit, missing: int) -> bool:
    """Whether to play the left-hand opponent of the leading hand for a card, or for it to drop."""
    count = len(table.outstanding(suit))
    behind = table.still_to_play[0]
    before = behind.partner
    if not table.may_hold(before, suit) or suit in table.voids[before]:
        return False
    if suit in table.voids[behind]:
        return True
    limit = {14: 1, 13: 3, 12: 5}.get(missing, 6)
    # with so few cards out that the missing one is likelier to drop, do not finesse
    return count >= limit


def _out_of_suit(table: Table) -> Card:
    """Ruff what partner does not win; else discard."""
    trumps = table.trumps
    own_trumps = of_suit(table.legal, trumps) if trumps is not None else []
    rest = [card for card in table.legal if card.suit is not trumps]
    if not own_trumps:
        return discard(table, rest)
    ruffs = sorted((card for card in own_trumps if table.beats(card)), key=lambda card: card.rank)
    if not ruffs:
        return discard(table, rest) if rest else lowest(own_trumps)
    if not rest:
        return lowest(own_trumps) if table.partner_holds else ruffs[0]
    if table.partner_holds and not table.can_be_beaten(table.best_so_far):
        return discard(table, rest)
    if table.declares and _other_hand_wins(table):
        return discard(table, rest)
    if table.partner_holds and not table.declares and table.best_so_far.rank >= 13:
        return discard(table, rest)
    safe = [card for card in ruffs if not table.can_be_beaten(card)]
    return safe[0] if safe else ruffs[0]


def _other_hand_wins(table: Table) -> bool:
    """Whether the other hand of declarer's side, still to play, takes the trick from the top of the suit led."""
    led = table.trick.cards[0].suit
    if table.partner not in table.still_to_play:
        return False
    own = table.ranks(table.partner, led)
    top = max([*table.outstanding(led), table.best_so_far.rank if table.best_so_far.suit is led else 15])
    return bool(own) and own[0] > top and table.may_hold(table.seat.next, led)
