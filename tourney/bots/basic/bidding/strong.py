"""The strong artificial 2C, and the question for aces."""

from collections.abc import Iterator
from typing import Final

from tourney.bots.basic.bidding.meaning import Force, Meaning, Tag, meaning
from tourney.bots.basic.bidding.needs import both, good_suit, holds_aces, is_shapely, longest_is
from tourney.bots.basic.bidding.situation import Situation
from tourney.bridge import Bid, Strain, Suit

C, D, H, S = Suit
_NT: Final = Strain.NOTRUMP

ACE_ANSWERS: Final = {0: Strain.CLUBS, 1: Strain.DIAMONDS, 2: Strain.HEARTS, 3: Strain.SPADES, 4: Strain.CLUBS}
"""The strain bid at the five level by the number of aces held."""


def strong_responses(situation: Situation) -> Iterator[Meaning]:
    """To partner's 2C: a good suit with eight points or more, else 2D, which says nothing."""
    if isinstance(situation.right, Bid):
        return
    for suit in (S, H, D, C):
        yield meaning(
            Bid(3 if suit in (C, D) else 2, Strain(suit)),
            (8, 37),
            suits={suit: (5, 13)},
            needs=both(good_suit(suit), longest_is(suit)),
            force=Force.GAME,
            tag=Tag.RESPONSE,
        )
    yield meaning(Bid(2, Strain.DIAMONDS), force=Force.ROUND, tag=Tag.WAITING, alerted=True)


def strong_rebids(situation: Situation) -> Iterator[Meaning]:
    """The hand that opened 2C describes itself after the waiting 2D."""
    if isinstance(situation.right, Bid):
        return
    yield meaning(Bid(2, _NT), (22, 24), balanced=True, tag=Tag.NOTRUMP)
    yield meaning(Bid(3, _NT), (25, 27), balanced=True, tag=Tag.NOTRUMP)
    for suit in (S, H, D, C):
        yield meaning(
            situation.cheapest(suit),
            (22, 37),
            suits={suit: (5, 13)},
            needs=longest_is(suit),
            force=Force.GAME,
            tag=Tag.OPENING,
        )
    yield meaning(Bid(3, _NT), (28, 37), balanced=True, tag=Tag.NOTRUMP, aside=True)
    yield meaning(Bid(2, _NT), (22, 37), tag=Tag.NOTRUMP, aside=True)


def strong_second_responses(situation: Situation) -> Iterator[Meaning]:
    """After 2C, 2D and a suit: support at once, five cards of another suit, or notrump. Game will be reached."""
    opened = situation.partners[-1]
    suit, bid = opened.suit, opened.bid
    if suit is None or bid is None or isinstance(situation.right, Bid):
        return
    if suit in (H, S):
        yield meaning(Bid(bid.level + 1, bid.strain), (5, 37), suits={suit: (3, 13)}, tag=Tag.RAISE)
        yield meaning(Bid(4, bid.strain), (0, 4), suits={suit: (3, 13)}, tag=Tag.RAISE)
    for other in (S, H, D, C):
        new = situation.cheapest(other)
        if other is not suit and new.level <= 3:
            yield meaning(
                new,
                (3, 37),
                suits={other: (5, 13)},
                needs=longest_is(other),
                tag=Tag.RESPONSE,
            )
    if suit in (C, D):
        yield meaning(Bid(5, bid.strain), (0, 7), suits={suit: (4, 13)}, needs=is_shapely, tag=Tag.RAISE)
    yield meaning(situation.cheapest(_NT), tag=Tag.NATURAL)


def ace_answers(situation: Situation) -> Iterator[Meaning]:
    """Answers to 4NT: how many aces. Over an opponent's bid there is no answer."""
    if isinstance(situation.right, Bid):
        return
    for aces, strain in ACE_ANSWERS.items():
        yield meaning(
            Bid(5, strain),
            needs=holds_aces(aces),
            tag=Tag.ACES,
            alerted=True,
        )


def aces_shown(answer: Bid, own_aces: int, partner_points_low: int) -> int:
    """The aces an answer shows to a hand that holds some itself; 0 and 4 are told apart by what is possible."""
    counts = [aces for aces, strain in ACE_ANSWERS.items() if strain is answer.strain]
    possible = [aces for aces in counts if aces + own_aces <= 4]
    return possible[-1] if len(possible) > 1 and partner_points_low >= 16 else possible[0] if possible else 0
