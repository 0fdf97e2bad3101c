"""The strong artificial 2C opening, and answers to the 4NT ace-asking bid."""

from collections.abc import Iterator
from typing import Final

from tourney.bots.basic.bidding.meaning import (
    CallKind,
    Force,
    Meaning,
    both,
    good_suit,
    holds_aces,
    is_shapely,
    longest_is,
    meaning,
)
from tourney.bots.basic.bidding.situation import Situation
from tourney.bridge import Bid, Strain, Suit

C, D, H, S = Suit
_NT: Final = Strain.NOTRUMP

ACE_ANSWERS: Final = {0: Strain.CLUBS, 1: Strain.DIAMONDS, 2: Strain.HEARTS, 3: Strain.SPADES, 4: Strain.CLUBS}
"""The strain to bid at the five level, by the number of aces held."""


def strong_responses(situation: Situation) -> Iterator[Meaning]:
    """List the responses to 2C: a good suit with eight points or more, otherwise the waiting 2D."""
    if isinstance(situation.right_call, Bid):
        return
    for suit in (S, H, D, C):
        yield meaning(
            Bid(3 if suit in (C, D) else 2, Strain(suit)),
            (8, 37),
            suits={suit: (5, 13)},
            condition=both(good_suit(suit), longest_is(suit)),
            force=Force.GAME,
            kind=CallKind.RESPONSE,
        )
    yield meaning(Bid(2, Strain.DIAMONDS), force=Force.ROUND, kind=CallKind.WAITING, alerted=True)


def strong_rebids(situation: Situation) -> Iterator[Meaning]:
    """List the rebids of the 2C opener after the waiting 2D."""
    if isinstance(situation.right_call, Bid):
        return
    yield meaning(Bid(2, _NT), (22, 24), balanced=True, kind=CallKind.NOTRUMP)
    yield meaning(Bid(3, _NT), (25, 27), balanced=True, kind=CallKind.NOTRUMP)
    for suit in (S, H, D, C):
        yield meaning(
            situation.cheapest(suit),
            (22, 37),
            suits={suit: (5, 13)},
            condition=longest_is(suit),
            force=Force.GAME,
            kind=CallKind.OPENING,
        )
    yield meaning(Bid(3, _NT), (28, 37), balanced=True, kind=CallKind.NOTRUMP, exceptional=True)
    yield meaning(Bid(2, _NT), (22, 37), kind=CallKind.NOTRUMP, exceptional=True)


def strong_second_responses(situation: Situation) -> Iterator[Meaning]:
    """List the bids after 2C, 2D and a suit, which force to game: support, another five-card suit, or notrump."""
    opened = situation.partner_calls[-1]
    suit, bid = opened.suit, opened.bid
    if suit is None or bid is None or isinstance(situation.right_call, Bid):
        return
    if suit in (H, S):
        yield meaning(Bid(bid.level + 1, bid.strain), (5, 37), suits={suit: (3, 13)}, kind=CallKind.RAISE)
        yield meaning(Bid(4, bid.strain), (0, 4), suits={suit: (3, 13)}, kind=CallKind.RAISE)
    for other in (S, H, D, C):
        new = situation.cheapest(other)
        if other is not suit and new.level <= 3:
            yield meaning(
                new,
                (3, 37),
                suits={other: (5, 13)},
                condition=longest_is(other),
                kind=CallKind.RESPONSE,
            )
    if suit in (C, D):
        yield meaning(Bid(5, bid.strain), (0, 7), suits={suit: (4, 13)}, condition=is_shapely, kind=CallKind.RAISE)
    yield meaning(situation.cheapest(_NT), kind=CallKind.NATURAL)


def ace_answers(situation: Situation) -> Iterator[Meaning]:
    """List the answers to 4NT, which show the number of aces; there are none over an opponent's bid."""
    if isinstance(situation.right_call, Bid):
        return
    for aces, strain in ACE_ANSWERS.items():
        yield meaning(
            Bid(5, strain),
            condition=holds_aces(aces),
            kind=CallKind.ACES,
            alerted=True,
        )


def aces_shown(answer: Bid, own_aces: int, partner_points_low: int) -> int:
    """Return the aces that an answer shows to a hand that holds some itself.

    0 and 4 are told apart by what is possible and by partner's points.
    """
    counts = [aces for aces, strain in ACE_ANSWERS.items() if strain is answer.strain]
    possible = [aces for aces in counts if aces + own_aces <= 4]
    return possible[-1] if len(possible) > 1 and partner_points_low >= 16 else possible[0] if possible else 0
