"""Contested auctions: responses over an overcall or a takeout double, and opener's answers and reopening calls."""

from collections.abc import Iterator
from typing import Final

from tourney.bots.basic.bidding.meaning import (
    CallKind,
    Condition,
    Force,
    Meaning,
    PointCount,
    is_shapely,
    longest_or,
    meaning,
)
from tourney.bots.basic.bidding.responses import PASSED_HAND_POINTS_MAX
from tourney.bots.basic.bidding.situation import Situation
from tourney.bridge import DOUBLE, PASS, REDOUBLE, Bid, Strain, Suit

C, D, H, S = Suit
_NT: Final = Strain.NOTRUMP


def over_double(situation: Situation) -> Iterator[Meaning]:
    """List the responses over a takeout double: a redouble from ten points; jump raises are preemptive."""
    opened = situation.partner_calls[-1].suit
    assert opened is not None
    least = 3 if opened in (H, S) else 4 if opened is D else 5
    strain = Strain(opened)
    if opened in (H, S):
        yield meaning(Bid(4, strain), (0, 9), suits={opened: (5, 13)}, condition=is_shapely, kind=CallKind.PREEMPT)
    yield meaning(
        Bid(2, _NT),
        (10, 37),
        suits={opened: (least + 1, 13)},
        force=Force.ROUND,
        kind=CallKind.CUE_BID,
        alerted=True,
        trumps=opened,
    )
    yield meaning(REDOUBLE, (10, 37), count=PointCount.HCP, kind=CallKind.STRENGTH)
    yield meaning(
        Bid(3, strain), (2, 8), suits={opened: (least + 1, 13)}, condition=is_shapely, kind=CallKind.PREEMPT
    )
    for suit in (H, S, D):
        if suit > opened:
            yield meaning(
                Bid(1, Strain(suit)),
                (6, 9),
                suits={suit: (4, 13), **({opened: (0, 3)} if suit is D else {})},
                condition=longest_or(suit, 4),
                kind=CallKind.RESPONSE,
            )
    yield meaning(Bid(2, strain), (5, 9), suits={opened: (least, 13)}, trumps=opened, kind=CallKind.RAISE)
    yield meaning(Bid(1, _NT), (7, 9), balanced=True)
    for suit in (C, D, H):
        if suit < opened:
            yield meaning(Bid(2, Strain(suit)), (6, 9), suits={suit: (6, 13)}, kind=CallKind.RESPONSE)
    yield meaning(PASS, (0, 9), kind=CallKind.PASS)


def over_overcall(situation: Situation) -> Iterator[Meaning]:
    """List the responses over an overcall: raises, a cue bid as a strong raise, new suits, a negative double."""
    opened, last = situation.partner_calls[-1].suit, situation.last_bid
    assert opened is not None
    assert last is not None
    theirs = last.strain.trumps
    if theirs is None:
        yield from _over_notrump(situation, opened)
        return
    yield from _raises(situation, opened, theirs)
    yield from _new_suits(situation, opened, theirs)
    yield from _negative_double(situation, opened, theirs)
    for level, low, high in ((3, 13, 16), (2, 11, 12), (1, 7, 10)):
        bid = Bid(level, _NT)
        yield meaning(bid, (low, high), condition=lambda hand: hand.is_semi_balanced and hand.stops(theirs))
    yield meaning(PASS, (0, 11), kind=CallKind.PASS)


def _raises(situation: Situation, opened: Suit, theirs: Suit) -> Iterator[Meaning]:
    strain = Strain(opened)
    least = 3 if opened in (H, S) else 4 if opened is D else 5
    if opened in (H, S):
        yield meaning(Bid(4, strain), (2, 9), suits={opened: (5, 13)}, condition=is_shapely, kind=CallKind.PREEMPT)
    cue = situation.cheapest(theirs)
    if cue.level <= 3:
        yield meaning(
            cue,
            (10, 37),
            suits={opened: (least, 13)},
            condition=lambda hand: hand.hcp >= 8,
            trumps=opened,
            force=Force.ROUND,
            kind=CallKind.CUE_BID,
            alerted=True,
        )
    else:
        yield meaning(Bid(4, strain), (10, 16), suits={opened: (least, 13)}, trumps=opened, kind=CallKind.RAISE)
    raised = situation.cheapest(strain)
    if raised.level == 2:
        yield meaning(
            Bid(3, strain), (2, 8), suits={opened: (least + 1, 13)}, condition=is_shapely, kind=CallKind.PREEMPT
        )
    low = 6 if raised.level == 2 else 8
    if raised.level <= 3:
        yield meaning(raised, (low, 10), suits={opened: (least, 13)}, trumps=opened, kind=CallKind.RAISE)


def _new_suits(situation: Situation, opened: Suit, theirs: Suit) -> Iterator[Meaning]:
    for suit in (S, H, D, C):
        if suit in (opened, theirs):
            continue
        bid = situation.cheapest(suit)
        if bid.level > 3:
            continue
        least = (6, 10, 12)[bid.level - 1]
        length = 4 if bid.level == 1 and not (suit is S and theirs is H) else 5
        yield meaning(
            bid,
            (least, PASSED_HAND_POINTS_MAX if situation.has_passed else 37),
            suits={suit: (length, 13)},
            condition=_worth_showing(suit, least if bid.level > 1 else 0),
            force=Force.NONE if situation.has_passed else Force.ROUND,
            kind=CallKind.RESPONSE,
        )


def _worth_showing(suit: Suit, least: int) -> Condition:
    """Require the longest suit or five cards; and, above the one level, the points in high cards or a sixth card."""
    return lambda hand: (
        (hand.longest is suit or hand.lengths[suit] >= 5) and (hand.hcp >= least or hand.lengths[suit] >= 6)
    )


def _negative_double(situation: Situation, opened: Suit, theirs: Suit) -> Iterator[Meaning]:
    last = situation.last_bid
    assert last is not None
    if last.level > 3:
        return
    unbid = [suit for suit in (S, H) if suit not in (opened, theirs)]
    least = (6, 8, 10)[last.level - 1]
    if unbid:
        shown = dict.fromkeys(unbid, (4, 13)) if len(unbid) == 1 else {S: (3, 5), H: (3, 5)}
        yield meaning(
            DOUBLE,
            (least, 37),
            suits=shown,
            condition=lambda hand: any(hand.lengths[suit] >= 4 for suit in unbid),
            kind=CallKind.NEGATIVE,
            alerted=True,
            force=Force.ROUND,
        )


def _over_notrump(situation: Situation, opened: Suit) -> Iterator[Meaning]:
    yield meaning(DOUBLE, (9, 37), kind=CallKind.PENALTY)
    least = 3 if opened in (H, S) else 5
    yield meaning(
        situation.cheapest(opened), (3, 8), suits={opened: (least, 13)}, condition=is_shapely, kind=CallKind.RAISE
    )
    for suit in (S, H, D, C):
        if suit is not opened:
            yield meaning(situation.cheapest(suit), (3, 8), suits={suit: (6, 13)}, kind=CallKind.SIGN_OFF)
    yield meaning(PASS, (0, 8), kind=CallKind.PASS)


def after_negative_double(situation: Situation) -> Iterator[Meaning]:
    """List opener's answers to partner's negative double."""
    opened = situation.own_calls[-1].suit
    last = situation.last_bid
    assert opened is not None
    assert last is not None
    theirs = last.strain.trumps
    if theirs is None or situation.right_call is not PASS:
        return
    implied = [suit for suit in (S, H) if suit not in (opened, theirs)]
    for suit in implied:
        cheap = situation.cheapest(suit)
        yield meaning(Bid(4, cheap.strain), (18, 37), suits={suit: (4, 13)}, trumps=suit, kind=CallKind.RAISE)
        if cheap.level < 3:
            jump = Bid(cheap.level + 1, cheap.strain)
            yield meaning(jump, (15, 17), suits={suit: (4, 13)}, trumps=suit, kind=CallKind.RAISE)
        if cheap.level <= 3:
            yield meaning(cheap, (11, 17), suits={suit: (4, 13)}, trumps=suit, kind=CallKind.RAISE)
    notrump = situation.cheapest(_NT)
    if notrump.level <= 2:
        jump = Bid(notrump.level + 1, _NT)
        yield meaning(jump, (18, 19), condition=lambda hand: hand.stops(theirs) and hand.is_balanced)
        yield meaning(notrump, (11, 15), condition=lambda hand: hand.stops(theirs) and hand.is_balanced)
    yield from _natural_rebids(situation, opened, theirs)


def _natural_rebids(situation: Situation, opened: Suit, theirs: Suit) -> Iterator[Meaning]:
    own = situation.cheapest(opened)
    if own.level == 2:
        yield meaning(Bid(3, own.strain), (16, 37), suits={opened: (6, 13)})
    yield meaning(own, (11, 17), suits={opened: (6, 13)})
    for suit in (D, C):
        bid = situation.cheapest(suit)
        if suit not in (opened, theirs) and bid.level <= 3:
            if bid.level == 2:
                yield meaning(Bid(3, bid.strain), (18, 37), suits={suit: (4, 13)}, force=Force.GAME)
            yield meaning(bid, (11, 17), suits={suit: (4, 13)})
    yield meaning(own, (11, 17), suits={opened: (5, 13)})
    yield meaning(situation.cheapest(_NT), (11, 37), condition=lambda hand: hand.half_stops(theirs))


def reopenings(situation: Situation) -> Iterator[Meaning]:
    """List opener's calls after an overcall and two passes: a takeout double if short in the suit of the overcall."""
    opened, last = situation.own_calls[-1].suit, situation.last_bid
    assert opened is not None
    assert last is not None
    theirs = last.strain.trumps
    if theirs is None or last.level > 3:
        return
    others = [suit for suit in Suit if suit not in (opened, theirs)]
    yield meaning(
        DOUBLE,
        (12 if last.level <= 2 else 15, 37),
        suits={theirs: (0, 2)},
        condition=lambda hand: all(hand.lengths[suit] >= 2 for suit in others) and hand.lengths[opened] <= 5,
        kind=CallKind.TAKEOUT,
        alerted=True,
    )
    own = situation.cheapest(opened)
    if own.level <= 2:
        yield meaning(own, (12, 19), suits={opened: (6, 13)})
    for suit in (C, D, H):
        if suit in others and situation.cheapest(suit).level <= 2:
            yield meaning(situation.cheapest(suit), (12, 21), suits={suit: (4, 13), theirs: (0, 2)})
    yield meaning(PASS, (0, 17), kind=CallKind.PASS)
