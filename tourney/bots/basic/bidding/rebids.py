"""Opener's second bid after one of a suit and a response, the opponents silent."""

from collections.abc import Iterator
from typing import Final

from tourney.bots.basic.bidding.meaning import CallKind, Force, Meaning, is_shapely, longer_than, meaning
from tourney.bots.basic.bidding.situation import Situation
from tourney.bridge import Bid, Strain, Suit

C, D, H, S = Suit
_NT: Final = Strain.NOTRUMP


def rebids(situation: Situation) -> Iterator[Meaning]:
    """List opener's rebids after a response of one of a suit, 1NT, or a new suit at the two level."""
    opened, answer = situation.own_calls[-1].suit, situation.partner_calls[-1]
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
            yield meaning(Bid(level, strain), (low, high), suits={shown: (4, 13)}, trumps=shown, kind=CallKind.RAISE)
    yield meaning(Bid(2, _NT), (18, 19), balanced=True)
    if shown is H and opened in (C, D):
        yield meaning(Bid(1, Strain.SPADES), (11, 18), suits={S: (4, 4)}, kind=CallKind.OPENING)
    if shown is D:
        for suit in (H, S):
            yield meaning(Bid(1, Strain(suit)), (11, 18), suits={suit: (4, 4)}, kind=CallKind.OPENING)
    yield meaning(Bid(1, _NT), (11, 14), balanced=True)
    second = list(_second_suit(situation, opened, shown))
    yield from (each for each in second if each.force is not Force.NONE)
    yield from _own_suit(opened, 2)
    yield from (each for each in second if each.force is Force.NONE)
    if shown is D:
        for level, low, high in ((3, 16, 18), (2, 11, 15)):
            yield meaning(Bid(level, strain), (low, high), suits={shown: (4, 13)}, kind=CallKind.RAISE)
    if shown in (H, S):  # three-card support and a short suit
        yield meaning(
            Bid(2, strain),
            (11, 15),
            suits={shown: (3, 3)},
            condition=is_shapely,
            kind=CallKind.RAISE,
            exceptional=True,
        )
    yield meaning(Bid(2, Strain(opened)), (11, 16), suits={opened: (5, 13)})
    yield meaning(Bid(1, _NT), (11, 16), exceptional=True)
    yield meaning(Bid(2, _NT), (17, 37), exceptional=True)


def _own_suit(opened: Suit, level: int) -> Iterator[Meaning]:
    """List the rebids of a suit of six cards or more: a jump from sixteen points."""
    if opened in (H, S):
        yield meaning(Bid(4, Strain(opened)), (19, 37), suits={opened: (6, 13)})
    yield meaning(Bid(level + 1, Strain(opened)), (16, 18 if opened in (H, S) else 21), suits={opened: (6, 13)})
    yield meaning(Bid(level, Strain(opened)), (11, 15), suits={opened: (6, 13)})


def _second_suit(situation: Situation, opened: Suit, shown: Suit | None) -> Iterator[Meaning]:
    """List the bids of a second suit: a jump from nineteen points, a reverse from seventeen."""
    for suit in (S, H, D, C):
        if suit in (opened, shown):
            continue
        cheap = situation.cheapest(suit)
        if cheap.level != 2:
            if cheap.level == 1:
                jump = Bid(2, cheap.strain)
                yield meaning(jump, (19, 37), suits={suit: (4, 13)}, force=Force.GAME, kind=CallKind.OPENING)
            continue
        if suit > opened:
            yield meaning(
                cheap,
                (17, 37),
                suits={suit: (4, 13), opened: (5, 13)},
                condition=longer_than(opened, suit),
                force=Force.ROUND,
                kind=CallKind.OPENING,
            )
        else:
            jump = Bid(3, cheap.strain)
            yield meaning(jump, (19, 37), suits={suit: (4, 13)}, force=Force.GAME, kind=CallKind.OPENING)
            yield meaning(cheap, (11, 18), suits={suit: (4, 13)}, kind=CallKind.OPENING)


def _after_notrump(situation: Situation, opened: Suit) -> Iterator[Meaning]:
    yield meaning(Bid(3, _NT), (19, 37), balanced=True)
    yield meaning(Bid(2, _NT), (18, 18), balanced=True)
    second = list(_second_suit(situation, opened, None))
    yield from (each for each in second if each.force is not Force.NONE)
    yield from _own_suit(opened, 2)
    yield from (each for each in second if each.force is Force.NONE)


def _after_two_over_one(situation: Situation, opened: Suit, shown: Suit) -> Iterator[Meaning]:
    """List the rebids after two over one, which shows ten points and is forcing if partner has not passed."""
    strain = Strain(shown)
    force = Force.NONE if situation.shown[situation.partner].points.high <= 11 else Force.ROUND
    need = 3 if shown is H else 4
    if shown is H:
        yield meaning(Bid(4, strain), (14, 37), suits={H: (3, 13)}, trumps=H, kind=CallKind.RAISE)
        yield meaning(Bid(3, strain), (11, 13), suits={H: (3, 13)}, trumps=H, kind=CallKind.RAISE)
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
            yield meaning(cheap, (11, 37), suits={suit: (4, 13)}, force=force, kind=CallKind.OPENING)
        elif cheap.level == 2:
            yield meaning(
                cheap, (16, 37), suits={suit: (4, 13), opened: (5, 13)}, force=Force.ROUND, kind=CallKind.OPENING
            )
        elif cheap.level == 3:
            yield meaning(cheap, (16, 37), suits={suit: (4, 13)}, force=Force.GAME, kind=CallKind.OPENING)
    yield meaning(Bid(3, strain), (12, 37), suits={shown: (need, 13)}, force=force, kind=CallKind.RAISE)
    yield meaning(Bid(2, _NT), (11, 14), balanced=True, force=force)
    yield meaning(Bid(2, Strain(opened)), suits={opened: (5, 13)}, force=force)
    yield meaning(Bid(2, _NT), exceptional=True, force=force)
