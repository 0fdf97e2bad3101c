"""Overcalls, jump overcalls and takeout doubles: the first call of a side whose opponents have opened."""

from collections.abc import Iterator
from typing import Final

from tourney.bots.basic.bidding.meaning import (
    CallKind,
    Condition,
    Meaning,
    PointCount,
    both,
    good_suit,
    good_with_honours,
    is_shapely,
    meaning,
)
from tourney.bots.basic.bidding.situation import Situation
from tourney.bots.basic.evaluation import Evaluation
from tourney.bridge import DOUBLE, PASS, Bid, Strain, Suit

C, D, H, S = Suit
_NT: Final = Strain.NOTRUMP


def overcalls(situation: Situation) -> Iterator[Meaning]:
    """List the calls over the opponents' opening; over 1NT or an artificial bid only good suits and a double."""
    last = situation.last_bid
    assert last is not None
    suits = situation.their_suits
    if not suits or last.level > 4:
        yield from _over_notrump_or_artificial(situation, last)
        return
    yield from _notrump(situation, suits)
    yield from _jumps(situation, last, suits)
    yield from _suits(situation, suits)
    yield from _double(situation, last, suits)
    yield meaning(PASS, (0, 11 if situation.is_balancing else 16), kind=CallKind.PASS)
    yield meaning(PASS, kind=CallKind.PASS, exceptional=True)


def _over_notrump_or_artificial(situation: Situation, last: Bid) -> Iterator[Meaning]:
    if last.level > 4:
        yield meaning(PASS, kind=CallKind.PASS)
        return
    strong = any(call.kind is CallKind.STRONG for call in situation.their_calls)
    if last == Bid(1, _NT):
        yield meaning(DOUBLE, (16, 37), count=PointCount.HCP, kind=CallKind.PENALTY)
    if last.level <= 2:
        for suit in (S, H, D, C):
            if situation.cheapest(suit).level <= 2:
                yield meaning(
                    situation.cheapest(suit),
                    (5, 12) if strong else (9, 16),
                    suits={suit: (6, 13)},
                    condition=good_suit(suit),
                    kind=CallKind.OVERCALL,
                )
        for suit in (S, H):
            if situation.cheapest(suit).level == 2 and not strong:
                yield meaning(
                    situation.cheapest(suit),
                    (12, 16),
                    suits={suit: (5, 5)},
                    condition=both(good_suit(suit), is_shapely),
                    kind=CallKind.OVERCALL,
                )
    yield meaning(PASS, kind=CallKind.PASS)


def _notrump(situation: Situation, suits: list[Suit]) -> Iterator[Meaning]:
    level = situation.cheapest(_NT).level
    low, high = (11, 14) if situation.is_balancing and level == 1 else (15, 18)
    if level == 3:
        low, high = 17, 22
    if level <= 3:
        yield meaning(
            Bid(level, _NT),
            (low, high),
            count=PointCount.HCP,
            condition=lambda hand: hand.is_balanced and all(hand.stops(suit) for suit in suits),
            kind=CallKind.NOTRUMP_OVERCALL if level <= 2 else CallKind.NATURAL,
        )


def _suits(situation: Situation, suits: list[Suit]) -> Iterator[Meaning]:
    balancing = situation.is_balancing
    for length in (6, 5):
        for suit in (S, H, D, C):
            bid = situation.cheapest(suit)
            if suit in suits or bid.level > 4:
                continue
            if bid.level == 4 and suit < H:
                continue
            low = (8, 11, 13, 15)[bid.level - 1] - (1 if balancing else 0)
            if len(situation.their_calls) >= 2 and bid.level >= 2:
                low += 1
            yield meaning(
                bid,
                (low, 20),
                suits={suit: (length + (bid.level >= 3 and length == 5), 13)},
                condition=_sound(suit, bid.level, balancing=balancing),
                kind=CallKind.OVERCALL,
            )


def _sound(suit: Suit, level: int, *, balancing: bool) -> Condition:
    def test(hand: Evaluation) -> bool:
        if hand.longest is not suit and hand.lengths[suit] < max(hand.lengths):
            return False
        if hand.is_good_suit(suit) or hand.lengths[suit] >= 6:
            return True
        weak_suit_points = (10 if level == 1 else 13) - (2 if balancing else 0)
        return hand.top_honours(suit) >= 1 and hand.hcp >= weak_suit_points

    return test


def _double(situation: Situation, last: Bid, suits: list[Suit]) -> Iterator[Meaning]:
    if last.strain is _NT and last.level >= 2:
        return
    unbid = [suit for suit in (S, H, D, C) if suit not in suits]
    least = (12, 12, 14, 16)[last.level - 1] - (2 if situation.is_balancing else 0)
    shape = dict.fromkeys(unbid, (3, 5)) | dict.fromkeys(suits, (0, 3))
    yield meaning(
        DOUBLE,
        (least, 37),
        suits=shape,
        count=PointCount.HCP,
        condition=lambda hand: (
            hand.lengths[suits[-1]] <= 2
            and (hand.hcp > least or any(hand.lengths[suit] >= 4 for suit in unbid if suit in (H, S)))
        ),
        kind=CallKind.TAKEOUT,
        alerted=True,
    )
    if situation.is_balancing and last.level <= 2:
        yield meaning(DOUBLE, (15, 37), count=PointCount.HCP, kind=CallKind.TAKEOUT, alerted=True, exceptional=True)
    yield meaning(DOUBLE, (18, 37), count=PointCount.HCP, kind=CallKind.TAKEOUT, alerted=True, exceptional=True)


def _jumps(situation: Situation, last: Bid, suits: list[Suit]) -> Iterator[Meaning]:
    """List the weak jump overcalls: a six-card suit at the two level, a seven-card suit at the three level."""
    if situation.is_balancing or last.level != 1 or len(situation.their_calls) > 1:
        return
    honours = 2 if situation.is_vulnerable else 1
    for level, kind in ((3, CallKind.PREEMPT), (2, CallKind.WEAK_TWO)):
        for suit in (S, H, D, C):
            if suit in suits or level <= situation.cheapest(suit).level:
                continue
            yield meaning(
                Bid(level, Strain(suit)),
                (5, 10),
                suits={suit: (level + 4, 13)},
                count=PointCount.HCP,
                condition=good_with_honours(suit, honours),
                kind=kind,
            )
