"""Responses to partner's opening of one of a suit after the right-hand opponent has passed."""

from collections.abc import Iterator
from typing import Final

from tourney.bots.basic.bidding.meaning import CallKind, Condition, Force, Meaning, PointCount, is_shapely, meaning
from tourney.bots.basic.bidding.situation import Situation
from tourney.bots.basic.evaluation import Evaluation
from tourney.bridge import PASS, Bid, Strain, Suit

C, D, H, S = Suit
_NT: Final = Strain.NOTRUMP
PASSED_HAND_POINTS_MAX: Final = 13
"""The most points, length included, of a hand that passed when it could have opened."""


def responses(situation: Situation) -> Iterator[Meaning]:
    """List the responses: raises, new suits at the one and two level, notrump."""
    opened = situation.partner_calls[-1].suit
    assert opened is not None
    if opened in (H, S):
        yield from _to_major(situation, opened)
    else:
        yield from _to_minor(situation, opened)
    yield meaning(PASS, (0, 5), kind=CallKind.PASS)


def _most(situation: Situation) -> int:
    return PASSED_HAND_POINTS_MAX if situation.has_passed else 37


def _new_suit_force(situation: Situation) -> Force:
    return Force.NONE if situation.has_passed else Force.ROUND


def _to_major(situation: Situation, opened: Suit) -> Iterator[Meaning]:
    strain = Strain(opened)
    yield meaning(
        Bid(4, strain),
        (2, 9),
        suits={opened: (5, 13)},
        count=PointCount.HCP,
        condition=is_shapely,
        kind=CallKind.PREEMPT,
    )
    yield meaning(Bid(2, strain), (6, 9), suits={opened: (3, 13)}, trumps=opened, kind=CallKind.RAISE)
    limit = (10, 13 if situation.has_passed else 12)
    yield meaning(Bid(3, strain), limit, suits={opened: (4, 13)}, trumps=opened, kind=CallKind.LIMIT_RAISE)
    yield meaning(
        Bid(3, strain),
        (10, 12),
        suits={opened: (3, 3)},
        condition=lambda hand: not _has_biddable_side_suit(hand, opened),
        trumps=opened,
        kind=CallKind.LIMIT_RAISE,
    )
    if opened is H:
        yield _one_over_one(situation, S)
    yield from _two_over_one(situation, opened)
    yield from _raise_with_values(situation, opened)
    yield from _notrump(situation, opened)


def _has_biddable_side_suit(hand: Evaluation, opened: Suit) -> bool:
    """Tell whether a hand has a suit to show before it raises."""
    if opened is H and hand.lengths[S] >= 4:
        return True
    return any(hand.lengths[suit] >= 5 for suit in (C, D, H) if suit < opened)


def _two_over_one(situation: Situation, opened: Suit) -> Iterator[Meaning]:
    if opened is S:
        yield _two_level(situation, H, 5)
    for suit in (D, C):
        yield _two_level(situation, suit, 5)
    for suit in (C, D):
        yield _two_level(situation, suit, 4)


def _two_level(situation: Situation, suit: Suit, length: int) -> Meaning:
    least = 10 if length >= 5 else 12
    return meaning(
        Bid(2, Strain(suit)),
        (least, _most(situation)),
        suits={suit: (length, 13)},
        condition=lambda hand: hand.hcp >= least - 1 and hand.lengths[suit] >= max(hand.lengths[D], hand.lengths[C]),
        force=_new_suit_force(situation),
        kind=CallKind.RESPONSE,
    )


def _raise_with_values(situation: Situation, opened: Suit) -> Iterator[Meaning]:
    """List the bids with thirteen points and support but no suit to show first."""
    if not situation.has_passed:
        for suit in (C, D):
            yield meaning(
                Bid(2, Strain(suit)),
                (13, 37),
                suits={suit: (3, 13), opened: (3, 13)},
                force=Force.ROUND,
                trumps=opened,
                kind=CallKind.RESPONSE,
                exceptional=True,
            )
    yield meaning(Bid(4, Strain(opened)), (13, 16), suits={opened: (3, 13)}, trumps=opened, kind=CallKind.RAISE)


def _notrump(situation: Situation, opened: Suit) -> Iterator[Meaning]:
    yield meaning(Bid(2, _NT), (11, 12), count=PointCount.HCP, condition=lambda hand: hand.is_balanced)
    if not situation.has_passed:
        yield meaning(
            Bid(3, _NT),
            (13, 16),
            count=PointCount.HCP,
            condition=lambda hand: hand.is_balanced,
            suits={opened: (2, 3)},
        )
    short = {S: (0, 3)} if opened is H else {}
    yield meaning(Bid(1, _NT), (6, 10), suits={**short, opened: (0, 3)}, count=PointCount.HCP)
    yield meaning(Bid(1, _NT), (6, 11), suits=short, exceptional=True)


def _one_over_one(situation: Situation, suit: Suit, length: int = 4) -> Meaning:
    return meaning(
        Bid(1, Strain(suit)),
        (6, _most(situation)),
        suits={suit: (length, 13)},
        force=_new_suit_force(situation),
        kind=CallKind.RESPONSE,
    )


def _to_minor(situation: Situation, opened: Suit) -> Iterator[Meaning]:
    strong_first = not situation.has_passed
    if opened is C and strong_first:
        yield meaning(
            Bid(1, Strain.DIAMONDS),
            (12, 37),
            suits={D: (5, 13)},
            condition=lambda hand: hand.lengths[D] > max(hand.lengths[H], hand.lengths[S]),
            force=Force.ROUND,
            kind=CallKind.RESPONSE,
        )
    if opened is D and strong_first:
        yield meaning(
            Bid(2, Strain.CLUBS),
            (12, 37),
            suits={C: (5, 13)},
            condition=lambda hand: hand.lengths[C] > max(hand.lengths[H], hand.lengths[S]),
            force=Force.ROUND,
            kind=CallKind.RESPONSE,
        )
    for suit, other in ((S, H), (H, S)):
        yield meaning(
            Bid(1, Strain(suit)),
            (6, _most(situation)),
            suits={suit: (4, 13)},
            condition=_shows_first(suit, other),
            force=_new_suit_force(situation),
            kind=CallKind.RESPONSE,
        )
    no_major = {H: (0, 3), S: (0, 3)}
    yield meaning(Bid(2, _NT), (11, 12), suits=no_major, balanced=True)
    if strong_first:
        yield meaning(Bid(3, _NT), (13, 16), suits=no_major, balanced=True)
    need = 5 if opened is C else 4
    raised = {**no_major, opened: (need, 13)}
    yield meaning(Bid(1, _NT), (8, 10), suits=no_major, balanced=True)
    yield meaning(Bid(3, Strain(opened)), (10, 12), suits=raised, kind=CallKind.LIMIT_RAISE)
    yield meaning(Bid(2, Strain(opened)), (6, 9), suits=raised, kind=CallKind.RAISE)
    if opened is C:
        yield _one_over_one(situation, D)
    else:
        yield _two_level(situation, C, 5)
        yield _two_level(situation, C, 4)
    yield meaning(Bid(1, _NT), (6, 10), suits=no_major, count=PointCount.HCP)
    yield meaning(Bid(5, Strain(opened)), (13, 18), suits=raised, kind=CallKind.RAISE)
    yield meaning(Bid(1, _NT), (6, 11), suits=no_major, exceptional=True)


def _shows_first(suit: Suit, other: Suit) -> Condition:
    """Require the longer major; of equals the higher with five cards each, the lower with four."""

    def holds(hand: Evaluation) -> bool:
        if hand.lengths[suit] != hand.lengths[other]:
            return hand.lengths[suit] > hand.lengths[other]
        return suit is (S if hand.lengths[suit] >= 5 else H)

    return holds
