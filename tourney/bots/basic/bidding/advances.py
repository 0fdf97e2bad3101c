"""Advances: answers to partner's overcall and to partner's takeout double."""

from collections.abc import Iterator
from typing import Final

from tourney.bots.basic.bidding.meaning import CallKind, Force, Meaning, best_unbid, good_or_long, is_shapely, meaning
from tourney.bots.basic.bidding.situation import Situation, game_bid
from tourney.bridge import DOUBLE, PASS, REDOUBLE, Bid, Strain, Suit

C, D, H, S = Suit
_NT: Final = Strain.NOTRUMP
_DOUBLE_POINTS: Final = 12
"""What a takeout double of a bid at the one level promises."""


def after_overcall(situation: Situation) -> Iterator[Meaning]:
    """List the answers to an overcall: raises, a cue bid as a strong raise, new suits, notrump with a stopper."""
    overcall = situation.partner_calls[-1]
    suit, theirs = overcall.suit, situation.their_suits
    assert suit is not None
    if not theirs or overcall.bid is None:
        return
    raised = situation.cheapest(suit)
    cue = situation.cheapest(theirs[-1])
    if cue.level <= 3 and situation.right_call in (PASS, DOUBLE):
        yield meaning(
            cue,
            (12, 37),
            suits={suit: (3, 13)},
            condition=lambda hand: hand.hcp >= 10,
            trumps=suit,
            force=Force.ROUND,
            kind=CallKind.CUE_BID,
            alerted=True,
        )
    if raised.level == 2:
        yield meaning(
            Bid(3, raised.strain), (3, 8), suits={suit: (4, 13)}, condition=is_shapely, kind=CallKind.PREEMPT
        )
    if raised.level <= 3:
        low = 6 if raised.level == 2 else 8
        yield meaning(raised, (low, 11), suits={suit: (3, 13)}, trumps=suit, kind=CallKind.RAISE)
    if raised.level == 3:
        yield meaning(Bid(4, raised.strain), (12, 37), suits={suit: (3, 13)}, trumps=suit, kind=CallKind.RAISE)
    for other in (S, H, D, C):
        bid = situation.cheapest(other)
        if other is not suit and other not in theirs and bid.level <= 2 + (bid.level == 3 and other in (H, S)):
            yield meaning(
                bid,
                (8 + 2 * (bid.level - 1), 15),
                suits={other: (5, 13)},
                condition=good_or_long(other, 6),
                kind=CallKind.ADVANCE,
            )
    level = situation.cheapest(_NT).level
    for extra, low, high in ((2, 15, 20), (1, 12, 14), (0, 8, 11)):
        if level + extra <= 3:
            yield meaning(
                Bid(level + extra, _NT),
                (low + 2 * (level - 1) * (extra == 0), high + 3 * (level - 1)),
                condition=lambda hand: hand.stops(theirs[-1]) and min(hand.lengths) >= 1,
                kind=CallKind.ADVANCE,
            )
    if overcall.bid.level <= 2:
        yield meaning(PASS, (0, 11), kind=CallKind.PASS)


def after_takeout(situation: Situation) -> Iterator[Meaning]:
    """List the answers to a takeout double: the best suit, a jump from 9 points, game or a cue bid from 12."""
    doubled = situation.last_bid
    theirs = situation.their_suits
    if doubled is None or not theirs:
        return
    if situation.right_call not in (PASS, REDOUBLE):
        yield from _over_a_bid(situation, theirs)
        return
    suit = theirs[-1]
    # A double that promises fewer or more than twelve points shifts all the ranges.
    shift = max(-4, min(3, _DOUBLE_POINTS - situation.partner_calls[-1].meaning.points.low))
    yield meaning(
        PASS,
        (6, 37),
        suits={suit: (5, 13)},
        condition=lambda hand: (
            hand.suit_hcp(suit) >= (6 if doubled.level == 1 else 4) and hand.top_honours(suit, 10) >= 3
        ),
        kind=CallKind.PENALTY,
    )
    yield from _strong_advances(situation, theirs, shift)
    yield from _suit_advances(situation, theirs, shift)
    level = situation.cheapest(_NT).level
    if level <= 2:
        yield meaning(
            Bid(level, _NT), (6, 10 + shift), condition=lambda hand: hand.stops(suit), kind=CallKind.ADVANCE
        )
    yield from _cheapest_advances(situation, theirs)


def _strong_advances(situation: Situation, theirs: list[Suit], shift: int) -> Iterator[Meaning]:
    suit = theirs[-1]
    for major in (S, H):
        if major not in theirs:
            yield meaning(game_bid(major), (11 + shift, 37), suits={major: (5, 13)}, kind=CallKind.ADVANCE)
    for level, low, high in ((3, 13, 20), (2, 11, 12)):
        yield meaning(
            Bid(level, _NT),
            (low + shift, high + shift),
            suits={major: (0, 3) for major in (H, S) if major not in theirs},
            condition=lambda hand: hand.stops(suit),
            kind=CallKind.ADVANCE,
        )
    cue = situation.cheapest(suit)
    if cue.level <= 3:
        yield meaning(cue, (12 + shift, 37), force=Force.GAME, kind=CallKind.CUE_BID, alerted=True)


def _suit_advances(situation: Situation, theirs: list[Suit], shift: int) -> Iterator[Meaning]:
    for length in (5, 4):
        for suit in (S, H, D, C):
            bid = situation.cheapest(suit)
            if suit in theirs:
                continue
            jump = Bid(bid.level + 1, bid.strain)
            least = (9 if jump.level <= 3 else 11) + shift
            if length == 4 and suit < H and jump.level > 2:
                continue
            if jump.level <= 3 or suit >= H:
                yield meaning(
                    jump,
                    (least, 11 + shift),
                    suits={suit: (length, 13)},
                    condition=best_unbid(suit, theirs),
                    kind=CallKind.ADVANCE,
                )
    for length in (5, 4):
        for suit in (S, H, D, C):
            if suit in theirs or (length == 4 and suit < H):
                continue
            bid = situation.cheapest(suit)
            high = (11 if bid.level >= 3 or suit < H else 8) + shift
            yield meaning(
                bid, (0, high), suits={suit: (length, 13)}, condition=best_unbid(suit, theirs), kind=CallKind.ADVANCE
            )


def _cheapest_advances(situation: Situation, theirs: list[Suit]) -> Iterator[Meaning]:
    """List the bids of a hand whose only four-card suit is the opponents': its longest other suit."""
    for length in (4, 3):
        for suit in (C, D, H, S):
            if suit not in theirs:
                yield meaning(situation.cheapest(suit), (0, 11), suits={suit: (length, 13)}, kind=CallKind.ADVANCE)


def _over_a_bid(situation: Situation, theirs: list[Suit]) -> Iterator[Meaning]:
    for suit in (S, H, D, C):
        bid = situation.cheapest(suit)
        if suit in theirs or bid.level > 3:
            continue
        low = (6, 7, 9)[bid.level - 1]
        length = 4 if bid.level <= 2 else 5
        yield meaning(
            bid, (low, 12), suits={suit: (length, 13)}, condition=best_unbid(suit, theirs), kind=CallKind.ADVANCE
        )
    yield meaning(PASS, (0, 8), kind=CallKind.PASS)
