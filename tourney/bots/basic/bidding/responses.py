"""Responses to partner's opening of one of a suit, when right-hand opponent has passed."""

from collections.abc import Iterator
from typing import Final

from tourney.bots.basic.bidding.meaning import Force, Meaning, Measure, Tag, meaning
from tourney.bots.basic.bidding.needs import Need, is_shapely
from tourney.bots.basic.bidding.situation import Situation
from tourney.bots.evaluation import Evaluation
from tourney.bridge import PASS, Bid, Strain, Suit

C, D, H, S = Suit
_NT: Final = Strain.NOTRUMP
PASSED_HAND_MOST: Final = 13
"""A hand that passed when it could have opened has no more points than this, length counted."""


def responses(situation: Situation) -> Iterator[Meaning]:
    """To one of a suit: raise a major, a major at the one level, two over one, notrump, raise a minor."""
    opened = situation.partners[-1].suit
    assert opened is not None
    if opened in (H, S):
        yield from _to_major(situation, opened)
    else:
        yield from _to_minor(situation, opened)
    yield meaning(PASS, (0, 5), tag=Tag.PASS)


def _most(situation: Situation) -> int:
    return PASSED_HAND_MOST if situation.has_passed else 37


def _new_suit_force(situation: Situation) -> Force:
    return Force.NONE if situation.has_passed else Force.ROUND


def _to_major(situation: Situation, opened: Suit) -> Iterator[Meaning]:
    strain = Strain(opened)
    yield meaning(
        Bid(4, strain),
        (2, 9),
        suits={opened: (5, 13)},
        measure=Measure.HCP,
        needs=is_shapely,
        tag=Tag.PREEMPT,
    )
    yield meaning(Bid(2, strain), (6, 9), suits={opened: (3, 13)}, trumps=opened, tag=Tag.RAISE)
    limit = (10, 13 if situation.has_passed else 12)
    yield meaning(Bid(3, strain), limit, suits={opened: (4, 13)}, trumps=opened, tag=Tag.LIMIT_RAISE)
    yield meaning(
        Bid(3, strain),
        (10, 12),
        suits={opened: (3, 3)},
        needs=lambda hand: not _has_biddable_side_suit(hand, opened),
        trumps=opened,
        tag=Tag.LIMIT_RAISE,
    )
    if opened is H:
        yield _one_over_one(situation, S)
    yield from _two_over_one(situation, opened)
    yield from _raise_with_values(situation, opened)
    yield from _notrump(situation, opened)


def _has_biddable_side_suit(hand: Evaluation, opened: Suit) -> bool:
    """A suit worth showing on the way to a raise."""
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
        needs=lambda hand: hand.hcp >= least - 1 and hand.lengths[suit] >= max(hand.lengths[D], hand.lengths[C]),
        force=_new_suit_force(situation),
        tag=Tag.RESPONSE,
    )


def _raise_with_values(situation: Situation, opened: Suit) -> Iterator[Meaning]:
    """Thirteen points and support with no suit of its own to show first."""
    if not situation.has_passed:
        for suit in (C, D):
            yield meaning(
                Bid(2, Strain(suit)),
                (13, 37),
                suits={suit: (3, 13), opened: (3, 13)},
                force=Force.ROUND,
                trumps=opened,
                tag=Tag.RESPONSE,
                aside=True,
            )
    yield meaning(Bid(4, Strain(opened)), (13, 16), suits={opened: (3, 13)}, trumps=opened, tag=Tag.RAISE)


def _notrump(situation: Situation, opened: Suit) -> Iterator[Meaning]:
    yield meaning(Bid(2, _NT), (11, 12), measure=Measure.HCP, needs=lambda hand: hand.is_balanced)
    if not situation.has_passed:
        yield meaning(
            Bid(3, _NT), (13, 16), measure=Measure.HCP, needs=lambda hand: hand.is_balanced, suits={opened: (2, 3)}
        )
    short = {S: (0, 3)} if opened is H else {}
    yield meaning(Bid(1, _NT), (6, 10), suits={**short, opened: (0, 3)}, measure=Measure.HCP)
    yield meaning(Bid(1, _NT), (6, 11), suits=short, aside=True)


def _one_over_one(situation: Situation, suit: Suit, length: int = 4) -> Meaning:
    return meaning(
        Bid(1, Strain(suit)),
        (6, _most(situation)),
        suits={suit: (length, 13)},
        force=_new_suit_force(situation),
        tag=Tag.RESPONSE,
    )


def _to_minor(situation: Situation, opened: Suit) -> Iterator[Meaning]:
    strong_first = not situation.has_passed
    if opened is C and strong_first:
        yield meaning(
            Bid(1, Strain.DIAMONDS),
            (12, 37),
            suits={D: (5, 13)},
            needs=lambda hand: hand.lengths[D] > max(hand.lengths[H], hand.lengths[S]),
            force=Force.ROUND,
            tag=Tag.RESPONSE,
        )
    if opened is D and strong_first:
        yield meaning(
            Bid(2, Strain.CLUBS),
            (12, 37),
            suits={C: (5, 13)},
            needs=lambda hand: hand.lengths[C] > max(hand.lengths[H], hand.lengths[S]),
            force=Force.ROUND,
            tag=Tag.RESPONSE,
        )
    for suit, other in ((S, H), (H, S)):
        yield meaning(
            Bid(1, Strain(suit)),
            (6, _most(situation)),
            suits={suit: (4, 13)},
            needs=_shows_first(suit, other),
            force=_new_suit_force(situation),
            tag=Tag.RESPONSE,
        )
    no_major = {H: (0, 3), S: (0, 3)}
    yield meaning(Bid(2, _NT), (11, 12), suits=no_major, balanced=True)
    if strong_first:
        yield meaning(Bid(3, _NT), (13, 16), suits=no_major, balanced=True)
    need = 5 if opened is C else 4
    raised = {**no_major, opened: (need, 13)}
    yield meaning(Bid(1, _NT), (8, 10), suits=no_major, balanced=True)
    yield meaning(Bid(3, Strain(opened)), (10, 12), suits=raised, tag=Tag.LIMIT_RAISE)
    yield meaning(Bid(2, Strain(opened)), (6, 9), suits=raised, tag=Tag.RAISE)
    if opened is C:
        yield _one_over_one(situation, D)
    else:
        yield _two_level(situation, C, 5)
        yield _two_level(situation, C, 4)
    yield meaning(Bid(1, _NT), (6, 10), suits=no_major, measure=Measure.HCP)
    yield meaning(Bid(5, Strain(opened)), (13, 18), suits=raised, tag=Tag.RAISE)
    yield meaning(Bid(1, _NT), (6, 11), suits=no_major, aside=True)


def _shows_first(suit: Suit, other: Suit) -> Need:
    """The longer major; with equals five each the higher, four each the lower."""

    def holds(hand: Evaluation) -> bool:
        if hand.lengths[suit] != hand.lengths[other]:
            return hand.lengths[suit] > hand.lengths[other]
        return suit is (S if hand.lengths[suit] >= 5 else H)

    return holds
