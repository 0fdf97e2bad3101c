"""Opener's second bid after one of a suit and a response, the opponents silent."""

from collections.abc import Iterator
from typing import Final

from tourney.bots.basic.bidding.meaning import Force, Meaning, Tag, meaning
from tourney.bots.basic.bidding.needs import is_shapely, longer_than
from tourney.bots.basic.bidding.situation import Situation
from tourney.bridge import Bid, Strain, Suit

C, D, H, S = Suit
_NT: Final = Strain.NOTRUMP


def rebids(situation: Situation) -> Iterator[Meaning]:
    """By what partner answered: a suit at the one level, 1NT, or a suit at the two level."""
    opened, answer = situation.own[-1].suit, situation.partners[-1]
    assert opened is not None
    bid = answer.bid
    if bid is None:
        return
    if bid == Bid(1, _NT):
        yield from _after_notrump(situation, opened)
    elif bid.level == 1 and answer.suit is not None:
        yield from _after_one_over_one(situation, opened, answer.suit)
    elif bid.level == 2 and answer.suit is not None and answer.suit is not opened:
        yield from _after_two_over_one(situation, opened, answer.suit)


def _after_one_over_one(situation: Situation, opened: Suit, shown: Suit) -> Iterator[Meaning]:
    strain = Strain(shown)
    if shown in (H, S):
        for level, low, high in ((4, 19, 37), (3, 16, 18), (2, 11, 15)):
            yield meaning(Bid(level, strain), (low, high), suits={shown: (4, 13)}, trumps=shown, tag=Tag.RAISE)
    yield meaning(Bid(2, _NT), (18, 19), balanced=True)
    if shown is H and opened in (C, D):
        yield meaning(Bid(1, Strain.SPADES), (11, 18), suits={S: (4, 4)}, tag=Tag.OPENING)
    if shown is D:
        for suit in (H, S):
            yield meaning(Bid(1, Strain(suit)), (11, 18), suits={suit: (4, 4)}, tag=Tag.OPENING)
    yield meaning(Bid(1, _NT), (11, 14), balanced=True)
    second = list(_second_suit(situation, opened, shown))
    yield from (each for each in second if each.force is not Force.NONE)
    yield from _own_suit(opened, 2)
    yield from (each for each in second if each.force is Force.NONE)
    if shown is D:
        for level, low, high in ((3, 16, 18), (2, 11, 15)):
            yield meaning(Bid(level, strain), (low, high), suits={shown: (4, 13)}, tag=Tag.RAISE)
    if shown in (H, S):  # three-card support and a short suit
        yield meaning(Bid(2, strain), (11, 15), suits={shown: (3, 3)}, needs=is_shapely, tag=Tag.RAISE, aside=True)
    yield meaning(Bid(2, Strain(opened)), (11, 16), suits={opened: (5, 13)})
    yield meaning(Bid(1, _NT), (11, 16), aside=True)
    yield meaning(Bid(2, _NT), (17, 37), aside=True)


def _own_suit(opened: Suit, level: int) -> Iterator[Meaning]:
    """Six cards or more: a jump with sixteen points."""
    if opened in (H, S):
        yield meaning(Bid(4, Strain(opened)), (19, 37), suits={opened: (6, 13)})
    yield meaning(Bid(level + 1, Strain(opened)), (16, 18 if opened in (H, S) else 21), suits={opened: (6, 13)})
    yield meaning(Bid(level, Strain(opened)), (11, 15), suits={opened: (6, 13)})


def _second_suit(situation: Situation, opened: Suit, shown: Suit | None) -> Iterator[Meaning]:
    """A jump with nineteen points; above the first suit only with seventeen."""
    for suit in (S, H, D, C):
        if suit in (opened, shown):
            continue
        cheap = situation.cheapest(suit)
        if cheap.level != 2:
            if cheap.level == 1:
                jump = Bid(2, cheap.strain)
                yield meaning(jump, (19, 37), suits={suit: (4, 13)}, force=Force.GAME, tag=Tag.OPENING)
            continue
        if suit > opened:
            yield meaning(
                cheap,
                (17, 37),
                suits={suit: (4, 13), opened: (5, 13)},
                needs=longer_than(opened, suit),
                force=Force.ROUND,
                tag=Tag.OPENING,
            )
        else:
            jump = Bid(3, cheap.strain)
            yield meaning(jump, (19, 37), suits={suit: (4, 13)}, force=Force.GAME, tag=Tag.OPENING)
            yield meaning(cheap, (11, 18), suits={suit: (4, 13)}, tag=Tag.OPENING)


def _after_notrump(situation: Situation, opened: Suit) -> Iterator[Meaning]:
    yield meaning(Bid(3, _NT), (19, 37), balanced=True)
    yield meaning(Bid(2, _NT), (18, 18), balanced=True)
    second = list(_second_suit(situation, opened, None))
    yield from (each for each in second if each.force is not Force.NONE)
    yield from _own_suit(opened, 2)
    yield from (each for each in second if each.force is Force.NONE)


def _after_two_over_one(situation: Situation, opened: Suit, shown: Suit) -> Iterator[Meaning]:
    """Partner has ten points or more and will bid again, unless it passed before."""
    strain = Strain(shown)
    force = Force.NONE if situation.shown[situation.partner].points.high <= 11 else Force.ROUND
    need = 3 if shown is H else 4
    if shown is H:
        yield meaning(Bid(4, strain), (14, 37), suits={H: (3, 13)}, trumps=H, tag=Tag.RAISE)
        yield meaning(Bid(3, strain), (11, 13), suits={H: (3, 13)}, trumps=H, tag=Tag.RAISE)
    jump = Bid(3, Strain(opened))
    if opened in (H, S):
        yield meaning(jump, (16, 37), suits={opened: (6, 13)}, force=Force.GAME)
        yield meaning(Bid(2, Strain(opened)), (11, 15), suits={opened: (6, 13)}, force=force)
    yield meaning(Bid(3, _NT), (18, 19), balanced=True)
    for suit in (S, H, D, C):
        if suit in (opened, shown):
            continue
        cheap = situation.cheapest(suit)
        if cheap.level == 2 and suit < opened:
            yield meaning(cheap, (11, 37), suits={suit: (4, 13)}, force=force, tag=Tag.OPENING)
        elif cheap.level == 2:
            yield meaning(cheap, (16, 37), suits={suit: (4, 13), opened: (5, 13)}, force=Force.ROUND, tag=Tag.OPENING)
        elif cheap.level == 3:
            yield meaning(cheap, (16, 37), suits={suit: (4, 13)}, force=Force.GAME, tag=Tag.OPENING)
    yield meaning(Bid(3, strain), (12, 37), suits={shown: (need, 13)}, force=force, tag=Tag.RAISE)
    yield meaning(Bid(2, _NT), (11, 14), balanced=True, force=force)
    yield meaning(Bid(2, Strain(opened)), suits={opened: (5, 13)}, force=force)
    yield meaning(Bid(2, _NT), aside=True, force=force)
